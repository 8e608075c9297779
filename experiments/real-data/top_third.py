#!/usr/bin/env python3
"""Accuracy of an RBF SVM on the top third of the features, selected in each of ten folds, on the paper's 18 data sets.

    python3 experiments/real-data/top_third.py --record results.jsonl --methods ldr-tsk
    python3 experiments/real-data/top_third.py --record results.jsonl --methods ldr-tsk --set alpha=10 --label "alpha 10"
    python3 experiments/real-data/top_third.py --record results.jsonl experiments/real-data/baselines.jsonl --table

Results are appended to the first record file; --resume skips those in any of the files. --table prints the table of all files
without running anything, with the columns of --methods (labels) if given; its last rows compare the first column with the others.
Methods named sklearn:... are those of scikit-learn, all others those of the program.
Needs the data sets in `../shared/datasets` or in the folder RULESIEVE_DATA.
"""
import argparse
import pathlib
import statistics
import sys
import tempfile
import time
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common

SETS = ["arrhythmia", "australian", "colon", "control", "diabetes", "german", "isolet", "kr-vs-kp", "madelon", "pima",
        "spambase", "vote", "vowel", "warpar10p", "warppie10p", "waveform", "wdbc", "yale"]
METHODS = "sklearn:anova,sklearn:mutual-info,sklearn:extra-trees,ldr-tsk"


def sklearn_scores(method, x, y):
    from sklearn.ensemble import ExtraTreesClassifier
    from sklearn.feature_selection import f_classif, mutual_info_classif
    if method == "sklearn:anova":
        return f_classif(x, y)[0]
    if method == "sklearn:mutual-info":
        return mutual_info_classif(x, y, random_state=0)
    if method == "sklearn:extra-trees":
        return ExtraTreesClassifier(n_estimators=300, random_state=0).fit(x, y).feature_importances_
    sys.exit(f"unknown method {method}; choose from {METHODS} and the methods of the program")


def sklearn_order(method, x, y):
    """Column indices, best first, ties in the order of the file, NaN last; and the seconds."""
    import numpy as np
    began = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scores = sklearn_scores(method, x, y)
    seconds = time.perf_counter() - began
    return np.argsort(-np.where(np.isnan(scores), -np.inf, scores), kind="stable"), seconds


def label_of(method, settings, label):
    return label if label and not method.startswith("sklearn:") else " ".join([method, *settings])


def key(row):
    return row["data"], row["label"], row["method"], tuple(sorted(row["params"].items())), row["folds"], row["fold"]


def run_set(data, args, program, done):
    cells, classes = common.load(data)
    table, kept = common.as_numbers(cells), max(1, cells.shape[1] // 3)
    for fold, (train, test) in enumerate(common.folds(classes, args.folds)):
        rows = []
        for method in args.methods.split(","):
            settings = [] if method.startswith("sklearn:") else args.set
            row = {"data": data, "label": label_of(method, settings, args.label), "method": method,
                   "params": common.setting_values(settings), "folds": args.folds, "fold": fold,
                   "samples": cells.shape[0], "features": cells.shape[1], "kept": kept}
            if key(row) not in done:
                rows.append(row)
        if not rows:
            continue
        x_train, x_test = common.prepare(table, train, test)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "train.csv"
            if any(not row["method"].startswith("sklearn:") for row in rows):
                common.write_table(file, cells, classes, train)
            for row in rows:
                if row["method"].startswith("sklearn:"):
                    order, seconds = sklearn_order(row["method"], x_train, classes[train])
                else:
                    names, seconds = common.select(program, file, row["method"], args.set)
                    order = cells.columns.get_indexer(names)
                    assert sorted(order) == list(range(cells.shape[1])), "the ranking must contain every feature once"
                best = order[:kept]
                accuracy, macro_f1 = common.svm_scores(x_train[:, best], classes[train], x_test[:, best], classes[test])
                row |= {"accuracy": accuracy, "macro_f1": macro_f1, "seconds": seconds}
                common.append_record(args.record[0], row)
                print(f"{data:12} fold {fold} {row['label']:20} accuracy {accuracy:.4f} {seconds:9.3f} s", flush=True)


def print_table(rows, labels, sets, folds):
    """Prints means over the folds; the last rows use the data sets that all columns have."""
    results = {}
    for row in rows:
        if row["folds"] == folds:
            results.setdefault((row["data"], row["label"]), {})[row["fold"]] = row
    results = {key: list(found.values()) for key, found in results.items() if len(found) == folds}
    labels = labels or list(dict.fromkeys(label for _, label in results))
    complete = [data for data in sets if all((data, label) in results for label in labels)]

    def mean(data, label, what):
        return statistics.fmean(row[what] for row in results[data, label])

    def line(*words):
        print("| " + " | ".join(words) + " |")

    line("data (features kept)", *labels)
    print("|---|" + "---:|" * len(labels))
    for data in sets:
        found = {label: f"{100 * mean(data, label, 'accuracy'):.2f}" for label in labels if (data, label) in results}
        if found:
            best, kept = max(found.values(), key=float), next(results[data, label][0] for label in found)["kept"]
            cells = [found.get(label, "") for label in labels]
            line(f"{data} ({kept})", *(f"**{cell}**" if cell == best else cell for cell in cells))
    if not complete:
        return print("\nno data set has all folds of all columns")
    means = [statistics.fmean(mean(data, label, "accuracy") for data in complete) for label in labels]
    line(f"mean accuracy of {len(complete)} sets",
         *(f"**{100 * value:.2f}**" if value == max(means) else f"{100 * value:.2f}" for value in means))
    line("mean macro-F1", *(f"{100 * statistics.fmean(mean(data, label, 'macro_f1') for data in complete):.2f}" for label in labels))
    line("seconds of selection", *(f"{sum(folds * mean(data, label, 'seconds') for data in complete):.0f}" for label in labels))

    def compared(label):
        """Number of data sets on which the first column has a higher, equal or lower mean accuracy."""
        gains = [mean(data, labels[0], "accuracy") - mean(data, label, "accuracy") for data in complete]
        wins, losses = sum(gain > 1e-9 for gain in gains), sum(gain < -1e-9 for gain in gains)
        return f"{wins}/{len(gains) - wins - losses}/{losses}"

    line(f"{labels[0]} wins/ties/losses", "", *(compared(label) for label in labels[1:]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    common.program_arguments(parser, None)
    parser.add_argument("--only", help="comma-separated data sets")
    parser.add_argument("--label", help="name of the program's method in the table [the method and its --set]")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--record", nargs="+", required=True, help="JSON-lines files; the first one is written to")
    parser.add_argument("--resume", action="store_true", help="skip saved results")
    parser.add_argument("--table", action="store_true", help="print the table of the record files without running anything")
    args = parser.parse_args()
    sets = args.only.split(",") if args.only else SETS
    if args.table:
        return print_table(common.read_records(args.record), args.methods and args.methods.split(","), sets, args.folds)
    args.methods = args.methods or METHODS
    own = [method for method in args.methods.split(",") if not method.startswith("sklearn:")]
    if args.label and len(own) != 1:
        parser.error("--label needs exactly one method of the program")
    common.need_data()
    common.enter_venv()
    program = common.find_program(args.binary) if own else None
    done = {key(row) for row in common.read_records(args.record)} if args.resume else set()
    for data in sets:
        run_set(data, args, program, done)


if __name__ == "__main__":
    main()
