#!/usr/bin/env python3
"""Overhead of the Python package: time of a fit relative to the Rust program, with one thread each.

    python3 benches/python_overhead.py --record experiments/speed/python-1.json

The table is isolet (`../shared/datasets`, or RULESIEVE_DATA). The Python time is the wall time of `LdrTskSelector.fit` on a float64
array in C order: checks of scikit-learn, conversion, validation, coding, fit, and parsing of the record. The Rust time is that of the
fit alone (`select --json`, "seconds"), so the ratio overestimates the overhead. Both alternate; medians are compared. The package is
built and installed by `pip install ./python` into `target/overhead-venv`.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "experiments"))
import common

VENV = ROOT / "target" / "overhead-venv"
LIMIT = 1.05


def enter_venv():
    python = VENV / "bin" / "python"
    if pathlib.Path(sys.prefix) != VENV:
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "pandas", str(ROOT / "python")], check=True)
        os.execve(python, [str(python), *sys.argv], {**os.environ, "OMP_NUM_THREADS": "1"})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--record")
    parser.add_argument("--binary", help="the program; built from this checkout if not given")
    arguments = parser.parse_args()
    common.need_data()
    enter_venv()
    program = common.find_program(arguments.binary)
    import numpy as np
    import pandas
    import rulesieve

    file = common.data_file("isolet")
    table = pandas.read_csv(file)
    target = table.columns[-1]
    names = list(table.columns[:-1])
    features, labels = np.ascontiguousarray(table[names], dtype=float), table[target].to_numpy()
    ours, theirs, inside = [], [], []
    for _ in range(arguments.rounds):
        selector = rulesieve.LdrTskSelector(tolerance=0, n_jobs=1)
        began = time.perf_counter()
        selector.fit(features, labels)
        ours.append(time.perf_counter() - began)
        inside.append(json.loads(selector.selection_json_)["seconds"])
        printed = common.run(program, "select", file, "--target", target, "--method", "ldr-tsk", "--set", "tolerance=0", "--threads", 1, "--json")
        theirs.append(json.loads(printed)["seconds"])
    python, rust, engine = map(statistics.median, (ours, theirs, inside))
    around = statistics.median(whole - fit for whole, fit in zip(ours, inside))
    print(f"isolet {features.shape[0]} x {features.shape[1]}: Python {python:.3f} s, Rust {rust:.3f} s, ratio {python / rust:.3f} (target: at most {LIMIT})")
    print(f"time in Python: fit {engine:.3f} s, overhead {around:.3f} s ({100 * around / engine:.2f} %)")
    if arguments.record:
        record = {"data": "isolet", "rows": features.shape[0], "columns": features.shape[1], "python": ours, "rust": theirs,
                  "engine": inside, "ratio": python / rust, "around": around, "version": rulesieve.__version__}
        pathlib.Path(arguments.record).write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
