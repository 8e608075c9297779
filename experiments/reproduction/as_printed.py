#!/usr/bin/env python3
"""Scores rankings of the program by the protocol behind the printed tables, with the SVM and the folds of scikit-learn.

    python3 experiments/reproduction/as_printed.py --methods fsor --only diabetes
    python3 experiments/reproduction/as_printed.py --methods fsor --only vowel --classes appearance
    python3 experiments/reproduction/as_printed.py --methods fsor --only control --set rank=absolute

The protocol: all rows scaled to [0, 1] before the split; StratifiedKFold(10, shuffle=True, random_state=42); a third of
the features; SVC(max_iter=200), stopped long before it converges. The program ranks on the training rows of every fold.
One line of JSON per data set and method, with the printed figures. Needs NumPy, pandas and scikit-learn.
"""
import argparse
import csv
import json
import pathlib
import sys
import tempfile
import warnings

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import common

# Their columns in the printed tables.
PRINTED = {"ldr-tsk": "Ours", "dg-aletsk": "DG-ALETSK", "dg-tsk": "DG-TSK", "fsre-adatsk": "FRSE-TSK", "fsor": "FSOR", "mcfs": "MCFS", "rjfwlf": "RJFWLF"}


def printed(file, name, method):
    with open(common.PAPER / "paper" / f"{file}.csv", newline="") as lines:
        row = next((row for row in csv.DictReader(lines) if next(iter(row.values())).lower() == name.lower()), {})
    text = row.get(PRINTED.get(method, ""))
    return float(text) if text else None


def chosen(program, cells, classes, rows, method, settings, count, seed):
    """The first `count` features, ranked on some rows."""
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "rows.csv"
        common.write_table(table, cells, classes, rows)
        return common.select(program, table, method, settings, seed)[0][:count]


def evaluate(program, name, method, settings, count, order, seed):
    import numpy as np
    import pandas as pd
    from sklearn.metrics import f1_score
    from sklearn.model_selection import StratifiedKFold
    from sklearn.svm import SVC
    cells, classes = common.load(name)
    cells = common.as_numbers(cells)
    low, high = cells.min(), cells.max()
    cells = ((cells - low) / (high - low).where(high > low, 1)).astype(float)
    count = count or cells.shape[1] // 3
    numbers = pd.factorize(classes, sort=order == "sorted")[0]
    accuracy, macro_f1, sets = [], [], []
    for train, test in StratifiedKFold(10, shuffle=True, random_state=42).split(cells, classes):
        features = chosen(program, cells, classes, train, method, settings, count, seed)
        x = cells[features].to_numpy()
        predicted = SVC(max_iter=200).fit(x[train], numbers[train]).predict(x[test])
        accuracy.append((predicted == numbers[test]).mean())
        macro_f1.append(f1_score(numbers[test], predicted, average="macro"))
        sets.append(" ".join(sorted(features)))
    percent = lambda values: [round(100 * float(np.mean(values)), 2), round(100 * float(np.std(values)), 2)]
    return {"data": name, "method": method, "settings": common.setting_values(settings), "features": count, "classes": order, "seed": seed,
            "accuracy": percent(accuracy), "printed": [printed("accuracy", name, method), printed("accuracy-std", name, method)],
            "macro_f1": percent(macro_f1), "printed_macro_f1": [printed("macro-f1", name, method), printed("macro-f1-std", name, method)],
            "sets": pd.Series(sets).value_counts().to_dict() if count < 10 else {}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    common.program_arguments(parser, "fsor")
    parser.add_argument("--only", default="diabetes,vowel,control", help="comma-separated data sets without missing values and categories")
    parser.add_argument("--classes", choices=["sorted", "appearance"], default="sorted",
                        help="order of the class numbers, which decides ties between the votes of the SVM [sorted]")
    parser.add_argument("--seed", type=int, default=0, help="seed of the method [0]")
    parser.add_argument("--count", type=int, help="number of features [a third]")
    parser.add_argument("--output", type=pathlib.Path, help="file to append the lines to")
    args = parser.parse_args()
    common.need_data()
    warnings.filterwarnings("ignore", message="Solver terminated early")
    program = common.find_program(args.binary)
    for name in args.only.split(","):
        for method in args.methods.split(","):
            line = json.dumps(evaluate(program, name, method, args.set, args.count, args.classes, args.seed))
            print(line, flush=True)
            if args.output:
                with open(args.output, "a") as file:
                    file.write(line + "\n")


if __name__ == "__main__":
    main()
