#!/usr/bin/env python3
"""Madelon as in its challenge: select on rows 1 to 2000, evaluate an RBF SVM on rows 2001 to 2600.

    python3 experiments/real-data/madelon.py --methods ldr-tsk,anova --seed 0,1,2 --record results.jsonl
    python3 experiments/real-data/madelon.py --methods sieve --own-size --seed 0,1,2,3,4,5,6,7,8,9

Prints the accuracy with the top 5, 10 and 20 features, how many of them are among the 20 informative ones, and the accuracy of the
rule model: `train --top 10` (`--own-size`: without a size), then `predict`.
Needs the data sets in `../shared/datasets` or in the folder RULESIEVE_DATA.
"""
import argparse
import csv
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common

# Informative columns, which are predictable from the others: R^2 above 0.98 over all 2600 rows; below 0.22 for all other columns.
TRUE = set("f0029 f0049 f0065 f0106 f0129 f0154 f0242 f0282 f0319 f0337 f0339 f0379 f0434 f0443 f0452 f0454 f0456 f0473 "
           "f0476 f0494".split())
SIZES = [5, 10, 20]


def rule_model_accuracy(program, train_file, test_file, method, settings, seed, classes, size):
    """Accuracy of the rule model on the test rows."""
    model, answers = train_file.with_name("model.json"), train_file.with_name("answers.csv")
    sets = [word for setting in settings for word in ("--set", setting)]
    common.run(program, "train", train_file, "--target", "class", "--method", method, "--seed", seed, *size,
               "--threads", 1, "--model", model, *sets)
    common.run(program, "predict", model, test_file, "--output", answers)
    with open(answers, newline="") as lines:
        predicted = [row["predicted"] for row in csv.DictReader(lines)]
    return sum(a == str(b) for a, b in zip(predicted, classes, strict=True)) / len(predicted)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    common.program_arguments(parser, "ldr-tsk")
    parser.add_argument("--seed", default="0", help="comma-separated seeds of the selection [0]")
    parser.add_argument("--record", help="append every selection to this JSON-lines file")
    parser.add_argument("--own-size", action="store_true", help="train with the automatic size instead of the top 10")
    args = parser.parse_args()
    size_option = [] if args.own_size else ["--top", 10]
    common.need_data()
    common.enter_venv()
    program = common.find_program(args.binary)
    cells, classes = common.load("madelon")
    train, test = range(2000), range(2000, 2600)
    x_train, x_test = common.prepare(common.as_numbers(cells), train, test)
    print("| method | seed | " + " | ".join(f"accuracy, top {size}" for size in SIZES) + " | informative of 5/10/20 | train and predict | seconds |\n|---"
          + "|---:" * (len(SIZES) + 4) + "|")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "train.csv"
        common.write_table(file, cells, classes, train)
        test_file = pathlib.Path(folder) / "test.csv"
        common.write_table(test_file, cells, classes, test)
        for method in args.methods.split(","):
            for seed in map(int, args.seed.split(",")):
                names, seconds = common.select(program, file, method, args.set, seed)
                order = cells.columns.get_indexer(names)
                row = {"data": "madelon", "method": method, "params": common.setting_values(args.set), "seed": seed,
                       "top20": names[:20], "true": {}, "accuracy": {}, "seconds": seconds}
                for size in SIZES:
                    best = order[:size]
                    row["true"][size] = len(TRUE & set(names[:size]))
                    row["accuracy"][size] = common.svm_scores(x_train[:, best], classes[train], x_test[:, best], classes[test])[0]
                row["predict"] = rule_model_accuracy(program, file, test_file, method, args.set, seed, classes[test], size_option)
                row["own_size"] = args.own_size
                common.append_record(args.record, row)
                print(f"| {' '.join([method, *args.set])} | {seed} | "
                      + " | ".join(f"{100 * row['accuracy'][size]:.2f}" for size in SIZES)
                      + f" | {'/'.join(str(row['true'][size]) for size in SIZES)} | {100 * row['predict']:.2f} | {seconds:.2f} |",
                      flush=True)


if __name__ == "__main__":
    main()
