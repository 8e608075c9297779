#!/usr/bin/env python3
"""How long the column of a method takes under protocol `paper` on all threads: some of its settings are run on every data set, each
with its ten folds and SVMs, and what they take is scaled up to all settings.

    python3 benches/paper_column.py                                      5 of the 125 settings of ldr-tsk (minutes)
    python3 benches/paper_column.py --points 25 --only vote,wdbc
    python3 benches/paper_column.py --record experiments/speed/column-1.json

The settings are those that `reproduce --points` draws, the defaults among them. Seconds are those of fits and SVMs as the cells keep
them, divided by the threads: ten folds keep two threads busy to the end. Needs `../shared` beside the project.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "datasets"
METHOD, SETTINGS, WANTED = "ldr-tsk", 125, 90


def seconds(program, data, points):
    """Seconds of one thread for some settings in ten folds, and how many settings these were."""
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([program, "reproduce", "--data", DATA, "--out", out, "--only", data, "--methods", METHOD, "--protocol", "paper",
                        "--points", str(points)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        lines = (pathlib.Path(out) / "cells" / "paper" / f"{data}.jsonl").read_text().splitlines()
    cells = [cell for line in lines for cell in json.loads(line)["cells"] if cell["method"] == METHOD]
    return sum(cell["seconds"] for cell in cells), sum(len(cell["points"]) for cell in cells)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=5, help="settings on every data set")
    parser.add_argument("--only", help="comma-separated data sets; the paper's 18 if not given")
    parser.add_argument("--record", help="write the measurements to this JSON file")
    args = parser.parse_args()
    if not DATA.is_dir():
        sys.exit(f"skipped: {DATA} is absent, so there is no data")
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=ROOT, check=True)
    program, threads = ROOT / "target" / "release" / "rulesieve", os.cpu_count()
    manifest = json.loads((ROOT / "experiments" / "datasets.json").read_text())
    names = args.only.split(",") if args.only else [one["name"] for one in manifest["sets"] if one["name"] != "orl"]
    rows, total = [], 0.0
    print(f"{'data':12} {'settings':>8} {'seconds':>9} {'column':>10}")
    for name in names:
        took, count = seconds(program, name, args.points)
        minutes = took * SETTINGS / count / threads / 60
        total += minutes
        rows.append({"data": name, "settings": count, "seconds": took, "column_minutes": minutes})
        print(f"{name:12} {count:8} {took:9.2f} {minutes:6.1f} min", flush=True)
    print(f"the column of {METHOD}, {SETTINGS} settings on {len(rows)} data sets, {threads} threads: {total:.0f} min (asked: {WANTED})")
    if args.record:
        record = {"schema": "rulesieve/column/1", "command": " ".join(["python3", "benches/paper_column.py", *sys.argv[1:]]),
                  "method": METHOD, "settings": SETTINGS, "threads": threads, "minutes": total, "rows": rows}
        pathlib.Path(args.record).write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
