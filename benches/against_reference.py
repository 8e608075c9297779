#!/usr/bin/env python3
"""Speed of `ldr-tsk` and `ldr-tsk-inductive` relative to the NumPy reference program, with one thread each.

    python3 benches/against_reference.py                   all six data sets, 100 iterations (about 20 minutes,
                                                           mostly for the reference on colon and warpar10p)
    python3 benches/against_reference.py --quick           few iterations of the reference, scaled up to 100
    python3 benches/against_reference.py --only wdbc,colon --record experiments/speed/ldr-tsk.json
    python3 benches/against_reference.py --inductive       `ldr-tsk-inductive` with the settings of `fit_inductive`: one start,
                                                           one stage, 400 steps of 512 rows, 8 rules, no validation rows

Needs the data sets (`../shared/datasets`, or RULESIEVE_DATA) and the NumPy program (`../shared/reference`, or RULESIEVE_REFERENCE).
NumPy is installed into `target/bench-venv`. Times exclude reading and scaling on both sides; those of rulesieve include the
decomposition. The programs alternate: rulesieve runs three times before and after each run of the reference; medians are
compared. The reference runs once on colon and warpar10p (several minutes each), else several times.
"""
import argparse
import csv
import gzip
import json
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "experiments"))
import common

VENV = ROOT / "target" / "bench-venv"
# Data set: target ratio, and reference iterations and repeats of --quick.
WANTED = {"wdbc": (3, 100, 5), "spambase": (3, 100, 3), "isolet": (4, 20, 3), "madelon": (4, 20, 3),
          "colon": (500, 3, 2), "warpar10p": (500, 2, 2)}
# The same for the inductive model, with the steps of the reference.
STEPS = 400
WANTED_INDUCTIVE = {"wdbc": (5, STEPS, 3), "vote": (5, STEPS, 3), "spambase": (5, STEPS, 3), "isolet": (3, STEPS, 3),
                    "madelon": (3, STEPS, 3)}


def numbers(column):
    """A column as numbers: categories as indices in alphabetical order; missing cells get the most frequent value."""
    filled = [cell or statistics.mode(cell for cell in column if cell) for cell in column]
    try:
        return [float(cell) for cell in filled]
    except ValueError:
        return [float(sorted(set(filled)).index(cell)) for cell in filled]


def load(name):
    """Min-max scaled features and class numbers from 1, as computed by the command line."""
    import numpy as np
    path = common.data_file(name)
    with (gzip.open(path, "rt") if path.suffix == ".gz" else open(path)) as lines:
        rows = list(csv.reader(lines))[1:]
    x = np.array([numbers(column) for column in list(zip(*rows))[:-1]]).T
    span = x.max(0) - x.min(0)
    x = (x - x.min(0)) / np.where(span > 0, span, 1)
    labels = [row[-1] for row in rows]
    if all(label.lstrip("-").isdigit() for label in labels):
        labels = [int(label) for label in labels]
    return x, np.unique(labels, return_inverse=True)[1] + 1.0


def reference_seconds(x, y, iterations, inductive):
    from ldr_numpy import fit_inductive, fit_paper
    began = time.perf_counter()
    if inductive:
        fit_inductive(x, y, iterations=iterations)
        return time.perf_counter() - began
    fit_paper(x, y, iterations=iterations)
    return (time.perf_counter() - began) * 100 / iterations


def our_seconds(program, name, inductive):
    paper = {"iterations": 100, "tolerance": 0}
    same = {"steps": STEPS, "batch": 512, "rules": 8, "starts": 1, "stages": 1, "holdout": 0, "screen": "off"}
    settings = [f"{key}={value}" for key, value in (same if inductive else paper).items()]
    arguments = ["select", common.data_file(name), "--target", "class", "--missing", "median", "--categorical-coding", "ordinal",
                 "--method", "ldr-tsk-inductive" if inductive else "ldr-tsk", "--threads", "1", "--json"]
    arguments += [word for setting in settings for word in ("--set", setting)]
    result = json.loads(subprocess.run([program, *arguments], check=True, capture_output=True).stdout)
    assert result["iterations"] == (STEPS if inductive else 100), result["iterations"]
    return result["seconds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="comma-separated data sets")
    parser.add_argument("--quick", action="store_true", help="few reference iterations, scaled up")
    parser.add_argument("--inductive", action="store_true", help="the inductive model instead of the paper's")
    parser.add_argument("--binary", help="the program; built from this checkout if not given")
    parser.add_argument("--record", help="write the measurements to this JSON file")
    args = parser.parse_args()
    common.need_data()
    common.need_reference()
    common.enter_venv(VENV, ["numpy"])
    import numpy
    sys.path.insert(0, str(common.REFERENCE))
    program = common.find_program(args.binary)

    rows = []
    print(f"{'data set':10} {'n':>5} {'m':>5} {'reference':>12} {'rulesieve':>12} {'ratio':>8} {'target':>6}")
    table = WANTED_INDUCTIVE if args.inductive else WANTED
    for name in args.only.split(",") if args.only else table:
        wanted, quick_iterations, repeats = table[name]
        iterations = quick_iterations if args.quick or args.inductive else 100
        repeats = repeats if args.quick or wanted < 500 else 1
        x, y = load(name)
        ours, theirs = [], []
        for _ in range(repeats):
            ours += [our_seconds(program, name, args.inductive) for _ in range(3)]
            theirs.append(reference_seconds(x, y, iterations, args.inductive))
        ours += [our_seconds(program, name, args.inductive) for _ in range(3)]
        row = {"data": name, "samples": x.shape[0], "features": x.shape[1], "wanted_ratio": wanted,
               "reference_iterations": iterations, "reference_seconds": theirs, "rulesieve_seconds": ours,
               "ratio": statistics.median(theirs) / statistics.median(ours)}
        rows.append(row)
        print(f"{name:10} {x.shape[0]:5} {x.shape[1]:5} {statistics.median(theirs):10.3f} s "
              f"{statistics.median(ours):10.4f} s {row['ratio']:7.1f}x {wanted:5}x", flush=True)
    if args.record:
        record = {"schema": "rulesieve/speed/1", "command": " ".join(["python3", "benches/against_reference.py", *sys.argv[1:]]),
                  "machine": common.machine(),
                  "quick": args.quick, "iterations": STEPS if args.inductive else 100, "threads": 1, "numpy": numpy.__version__, "rows": rows}
        pathlib.Path(args.record).write_text(json.dumps(record, indent=1) + "\n")
    slow = [row["data"] for row in rows if row["ratio"] < row["wanted_ratio"]]
    if slow:
        sys.exit(f"below the target ratio: {', '.join(slow)}")


if __name__ == "__main__":
    main()
