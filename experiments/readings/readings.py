#!/usr/bin/env python3
"""Scores of `ldr-tsk` under different interpretations of the paper's protocol: all 125 settings, ten folds, the best mean on the test
rows, as in `crates/rulesieve-reproduce/data/protocols/paper.json`, with one change at a time: folds and starts, C or kernel of the SVM,
or coding of categories.

    python3 experiments/readings/readings.py --record experiments/readings/readings.jsonl --resume     about half an hour
    python3 experiments/readings/readings.py --record experiments/readings/readings.jsonl --table

Uses the data sets that take at most about two minutes, without isolet, madelon, warpar10p, warppie10p and yale.
Needs the data sets in `../shared/datasets` or in the folder RULESIEVE_DATA.
"""
import argparse
import csv
import json
import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common

READINGS = {
    "saved results": [],
    "folds and starts of seed 1": ["--seed", "1"],
    "folds and starts of seed 2": ["--seed", "2"],
    "C = 10": ["--costs", "10"],
    "C = 100": ["--costs", "100"],
    "linear kernel": ["--kernel", "linear"],
    "one-hot": ["--categorical-coding", "one-hot"],
}
SETS = ["arrhythmia", "australian", "colon", "control", "diabetes", "german", "kr-vs-kp", "pima", "spambase", "vote", "vowel", "waveform", "wdbc"]


def evaluate(program, reading, data):
    options = ["--categorical-coding", "ordinal"] if reading != "one-hot" else []
    record = json.loads(common.run(program, "evaluate", common.data_file(data), "--target", "class", "--missing", "median", "--methods", "ldr-tsk",
                                   "--protocol", "paper", "--json", *options, *READINGS[reading]))
    ours = record["methods"][0]
    return {"reading": reading, "data": data, "accuracy": 100 * ours["accuracy"]["mean"], "std": 100 * ours["accuracy"]["std"], "seconds": ours["seconds"]}


def print_table(rows):
    with open(common.PAPER / "paper" / "accuracy.csv") as file:
        lines = list(csv.DictReader(file))
    name = next(iter(lines[0]))
    printed = {line[name]: float(line["Ours"]) for line in lines}
    found = {(row["reading"], row["data"]): row["accuracy"] for row in rows}
    done = [reading for reading in READINGS if all((reading, data) in found for data in SETS)]
    print("| data | paper | " + " | ".join(done) + " |\n|---|" + "---:|" * (len(done) + 1))
    for data in SETS:
        print(f"| {data} | {printed[data]:.2f} | " + " | ".join(f"{found[reading, data]:.2f}" for reading in done) + " |")
    means = [statistics.fmean(found[reading, data] for data in SETS) for reading in done]
    print(f"| mean of {len(SETS)} | {statistics.fmean(printed[data] for data in SETS):.2f} | " + " | ".join(f"{mean:.2f}" for mean in means) + " |")
    reached = [sum(found[reading, data] >= printed[data] for data in SETS) for reading in done]
    print("| reached or exceeded | | " + " | ".join(map(str, reached)) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", help="the program; built from this checkout if not given")
    parser.add_argument("--record", required=True, help="record file, JSON lines")
    parser.add_argument("--resume", action="store_true", help="skip saved results")
    parser.add_argument("--table", action="store_true", help="print the table of the record without running anything")
    args = parser.parse_args()
    path = pathlib.Path(args.record)
    rows = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() and (args.resume or args.table) else []
    if args.table:
        return print_table(rows)
    common.need_data()
    program = common.find_program(args.binary)
    known = {(row["reading"], row["data"]) for row in rows}
    with open(path, "a" if args.resume else "w") as record:
        for reading in READINGS:
            for data in SETS:
                if (reading, data) in known:
                    continue
                row = evaluate(program, reading, data)
                rows.append(row)
                print(json.dumps(row), file=record, flush=True)
                print(f"{reading}: {data} {row['accuracy']:.2f} % in {row['seconds']:.0f} s of fits", flush=True)
    print_table(rows)


if __name__ == "__main__":
    main()
