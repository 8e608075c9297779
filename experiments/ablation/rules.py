#!/usr/bin/env python3
"""Ablation of rule training in `train`: changes one default at a time.

    python3 experiments/ablation/rules.py --record experiments/ablation/rules.jsonl --resume     about a quarter of an hour
    python3 experiments/ablation/rules.py --record experiments/ablation/rules.jsonl --table

Three folds; `anova` selects the better half of the columns (at least two), so that only the rules differ; accuracy and log-loss of
`predict --evaluate` on the held-out rows.
Needs the data sets in `../shared/datasets` or in the folder RULESIEVE_DATA.
"""
import argparse
import json
import pathlib
import statistics
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common

VARIANTS = ["", "rules=4", "rules=16", "rules=64", "order=zero", "steps=300", "steps=3000", "batch=128", "rate=0.005", "rate=0.06",
            "gamma=0", "gamma=0.01", "spread=0.1", "spread=0.5", "hold_centres=0", "hold_centres=0.1", "hold_spreads=0",
            "hold_spreads=10", "holdout=0", "holdout=0.1", "starts=1", "starts=6"]
SETS = ["australian", "diabetes", "vote", "vowel", "wdbc"]
FOLDS = 3


def evaluate(program, variant, data, cells, classes, train, test):
    words = ["--rule-param", variant] if variant else []
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder) / name for name in ("train.csv", "test.csv", "model.json", "answers.csv")]
        common.write_table(files[0], cells, classes, train)
        common.write_table(files[1], cells, classes, test)
        printed = common.run(program, "train", files[0], "--target", "class", "--method", "anova", "--top", max(2, cells.shape[1] // 2),
                             "--missing", "median", "--threads", 1, "--model", files[2], "--json", *words)
        scores = json.loads(common.run(program, "predict", files[2], files[1], "--output", files[3], "--evaluate", "--json"))
    return {"accuracy": scores["accuracy"], "log_loss": scores["log_loss"], "seconds": json.loads(printed)["training"]["seconds"]}


def print_table(rows):
    print("| changed | " + " | ".join(SETS) + " | mean accuracy | mean log-loss | seconds |\n|---|" + "---:|" * (len(SETS) + 3))
    for variant in VARIANTS:
        mine = [row for row in rows if row["variant"] == variant]
        if len(mine) < len(SETS) * FOLDS:
            continue
        def mean(what, data):
            return statistics.fmean(row[what] for row in mine if row["data"] == data)
        cells = [f"{100 * mean('accuracy', data):.2f}" for data in SETS]
        cells += [f"{100 * statistics.fmean(mean('accuracy', data) for data in SETS):.2f}",
                  f"{statistics.fmean(mean('log_loss', data) for data in SETS):.4f}", f"{sum(row['seconds'] for row in mine):.0f}"]
        print("| " + " | ".join([variant or "**nothing**", *cells]) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", help="the program; built from this checkout if not given")
    parser.add_argument("--record", required=True, help="record file, JSON lines")
    parser.add_argument("--resume", action="store_true", help="skip saved results")
    parser.add_argument("--table", action="store_true", help="print the table of the record without running anything")
    args = parser.parse_args()
    if args.table:
        return print_table(common.read_records([args.record]))
    common.need_data()
    common.enter_venv()
    program = common.find_program(args.binary)
    done = {(row["variant"], row["data"], row["fold"]) for row in common.read_records([args.record])} if args.resume else set()
    for data in SETS:
        cells, classes = common.load(data)
        for fold, (train, test) in enumerate(common.folds(classes, FOLDS)):
            for variant in VARIANTS:
                if (variant, data, fold) not in done:
                    row = {"variant": variant, "data": data, "fold": fold}
                    common.append_record(args.record, row | evaluate(program, variant, data, cells, classes, train, test))
            print(f"{data} fold {fold} done", flush=True)


if __name__ == "__main__":
    main()
