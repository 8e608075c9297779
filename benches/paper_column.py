#!/usr/bin/env python3
"""Estimates the time of `ldr-tsk` under protocol `paper`: runs some settings on every data set, each with ten folds and SVMs, and
scales the time up to all 125 settings.

    python3 benches/paper_column.py                                      5 of the settings (minutes)
    python3 benches/paper_column.py --points 25 --only vote,wdbc
    python3 benches/paper_column.py --record experiments/speed/column-1.json
    python3 benches/paper_column.py --cells OUT/cells/paper              times saved by a complete sweep, without new fits
    python3 benches/paper_column.py --kept                               times saved for all other methods, without new fits

The settings are those of `reproduce --points`, including the defaults. Seconds are the saved times of fits and SVMs; folds run in
parallel. The estimate is slightly too high: in the sweep 25 settings share the preparation of a fold, settings that differ only in
gamma share the first pass, and settings that select the same features share an SVM. With --cells the record describes the machine
and commit of this script, so run it on those of the sweep.
The complete sweep is `rulesieve reproduce --data DATA --output OUT --methods ldr-tsk --protocol paper`.
Needs the data sets in `../shared/datasets` or in the folder RULESIEVE_DATA.
"""
import argparse
import collections
import json
import math
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "experiments"))
import common

METHOD, SETTINGS, FOLDS, WANTED = "ldr-tsk", 125, 10, 90
CELLS, OTHERS_WANTED = ROOT / "experiments" / "reproduction" / "paper", 120


def taken(path):
    """Seconds of one thread in the saved results of the method, and the number of settings."""
    lines = map(json.loads, path.read_text().splitlines())
    cells = [cell for line in lines for cell in line["cells"] if cell["method"] == METHOD]
    return sum(cell["seconds"] for cell in cells), sum(len(cell["points"]) for cell in cells)


def measured(program, data, points, threads):
    """Runs some settings in ten folds; returns seconds and number of settings."""
    with tempfile.TemporaryDirectory() as out:
        common.run(program, "--data", common.DATA, "--output", out, "--only", data, "--methods", METHOD, "--protocol", "paper",
                   "--points", points, "--threads", threads)
        return taken(pathlib.Path(out) / "cells" / "paper" / f"{data}.jsonl")


def whole(cells, data):
    """Seconds and number of settings of a sweep, which must have all settings."""
    path = pathlib.Path(cells) / f"{data}.jsonl"
    took, count = taken(path) if path.exists() else (0.0, 0)
    if count != SETTINGS:
        sys.exit(f"{path} has only {count} of the {SETTINGS} settings of {METHOD}")
    return took, count


def data_sets():
    manifest = json.loads((common.PAPER / "datasets.json").read_text())
    return [one["name"] for one in manifest["sets"] if one["name"] != "orl"]


def kept(threads):
    """Prints the saved times of all other methods: wall time of a thread, mostly with other load."""
    taken, wanted = collections.Counter(), json.loads((common.PAPER / "protocols" / "paper.json").read_text())["methods"]
    for name in data_sets():
        path = CELLS / f"{name}.jsonl"
        lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
        parts = collections.Counter(line["method"] for line in lines)
        whole = {line["method"] for line in lines if parts[line["method"]] == line["part"][1]}
        missing = set(wanted) - whole
        if missing:
            sys.exit(f"the saved results of {name} are incomplete for {', '.join(sorted(missing))}")
        for cell in (cell for line in lines for cell in line["cells"]):
            taken[cell["method"]] += cell["seconds"]
    del taken[METHOD]
    for name, took in taken.most_common():
        print(f"{name:20} {took:8.0f} s")
    minutes = taken.total() / FOLDS * math.ceil(FOLDS / threads) / 60
    print(f"saved times of all methods but {METHOD} on {threads} threads: {minutes:.0f} min (target: {OTHERS_WANTED})")
    if minutes > OTHERS_WANTED:
        sys.exit(f"above the target of {OTHERS_WANTED} min")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, help="number of settings on every data set [5]")
    parser.add_argument("--only", help="comma-separated data sets [the 18 of the paper]")
    parser.add_argument("--threads", type=int, default=2, choices=range(1, FOLDS + 1), metavar="N", help="threads, at most one per fold [2]")
    parser.add_argument("--binary", help="the program; built from this checkout if not given")
    parser.add_argument("--cells", metavar="DIR", help="read the results of a complete sweep instead of running settings")
    parser.add_argument("--kept", action="store_true", help="add up the saved times of all other methods instead")
    parser.add_argument("--record", help="write the measurements to this JSON file")
    args = parser.parse_args()
    if args.kept:
        if args.points or args.only or args.binary or args.record or args.cells:
            parser.error("--kept can be combined only with --threads")
        return kept(args.threads)
    if args.cells:
        if args.points or args.binary:
            parser.error("--cells cannot be combined with --points or --binary")
        measure = lambda name: whole(args.cells, name)
    else:
        common.need_data()
        program = common.find_program(args.binary, "rulesieve-reproduce")
        measure = lambda name: measured(program, name, args.points or 5, args.threads)
    names = args.only.split(",") if args.only else data_sets()
    rounds = math.ceil(FOLDS / args.threads)
    rows, total = [], 0.0
    print(f"{'data':12} {'settings':>8} {'seconds':>9} {'estimate':>10}")
    for name in names:
        took, count = measure(name)
        minutes = took / FOLDS * rounds * SETTINGS / count / 60
        total += minutes
        rows.append({"data": name, "settings": count, "seconds": took, "column_minutes": minutes})
        print(f"{name:12} {count:8} {took:9.2f} {minutes:6.1f} min", flush=True)
    print(f"{METHOD}, {SETTINGS} settings on {len(rows)} data sets, {args.threads} threads: {total:.0f} min (target: {WANTED})")
    if args.record:
        record = {"schema": "rulesieve/column/1", "command": " ".join(["python3", "benches/paper_column.py", *sys.argv[1:]]),
                  "machine": common.machine(), "method": METHOD, "settings": SETTINGS, "threads": args.threads, "minutes": total, "rows": rows}
        pathlib.Path(args.record).write_text(json.dumps(record, indent=1) + "\n")
    if total > WANTED:
        sys.exit(f"above the target of {WANTED} min")


if __name__ == "__main__":
    main()
