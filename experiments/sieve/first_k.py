#!/usr/bin/env python3
"""Accuracy of two classifiers on the first 3, 5, 10, 20 columns and the first third of the columns of several selectors.

    python3 experiments/sieve/first_k.py --methods sieve --record experiments/sieve/first-k.jsonl
    python3 experiments/sieve/first_k.py --methods sieve --set NAME=VALUE --label "variant" \\
        --folds-only 2 --only wdbc,vowel --record quick.jsonl
    python3 experiments/sieve/first_k.py --methods lightgbm,extra-trees,forest,mrmr,mutual-info,anova,relieff \\
        --record experiments/sieve/first-k-peers.jsonl --resume
    python3 experiments/sieve/first_k.py --data FOLDER --methods sieve,lightgbm --record other-tables.jsonl
    python3 experiments/sieve/first_k.py --table experiments/sieve/first-k.jsonl experiments/sieve/first-k-peers.jsonl

Without `--data`: the 18 tables of the paper, from `../shared/datasets` or the folder in RULESIEVE_DATA. With `--data`: every
.csv and .csv.gz file of the folder; the target is the column `class`, or else the last column, and holds classes.

Each table is split into 5 stratified folds; the selector uses the training rows only; accuracy is measured on the test rows
with an RBF SVM (C = 10, gamma = scale, numeric columns standardised, categorical columns one-hot) and a random forest (100 trees).
A budget above the number of columns takes all columns. `lightgbm` (gain, 200 trees), `forest` and `extra-trees` (500 trees)
run in Python, all other selectors are methods of the program; each uses one thread.
`seconds` is the time of the fit alone, `wall_seconds` that of the whole process, `cpu_seconds` the CPU time: of the fit for
selectors in Python, of the whole process for methods of the program. CPU time is comparable on a busy machine.
`--resume` skips saved results. `--table` compares selectors on the tables and folds that all of them have, without running anything;
`--methods` then chooses the selectors by their labels.
"""
import argparse
import concurrent.futures
import functools
import json
import pathlib
import statistics
import tempfile
import time

import shared
from shared import common

BUDGETS = [3, 5, 10, 20]
FOLDS = 5
PEERS = ["lightgbm", "forest", "extra-trees"]
REFERENCE = "lightgbm"


def find_tables(folder):
    """Files of the tables by name."""
    if folder is None:
        common.need_data()
        listed = json.loads((common.PAPER / "datasets.json").read_text())["sets"]
        return {entry["name"]: common.data_file(entry["name"]) for entry in listed if entry["name"] != "orl"}
    files = sorted(file for file in pathlib.Path(folder).iterdir() if file.name.endswith((".csv", ".csv.gz")))
    return {file.name.removesuffix(".gz").removesuffix(".csv"): file for file in files}


@functools.lru_cache(maxsize=1)
def load(file):
    """Cells as text (missing: NaN), cells with numeric columns converted, and the classes."""
    import pandas as pd
    table = pd.read_csv(file, dtype=str, keep_default_na=False, na_values=[""])
    target = "class" if "class" in table else table.columns[-1]
    table = table[table[target].notna()].reset_index(drop=True)
    cells = table.drop(columns=target)
    return cells, common.as_numbers(cells), table[target].to_numpy(dtype=str)


@functools.lru_cache(maxsize=1)
def encode(file, fold):
    """Training rows, test rows, ordinal codes of all columns, and one block of inputs per column for the classifiers.

    Missing values become the median or the most frequent category of the training rows."""
    import numpy as np
    import pandas as pd
    _, table, classes = load(file)
    train, test = common.folds(classes, FOLDS)[fold]
    codes, blocks = [], []
    for _, column in table.items():
        seen = column.iloc[train].dropna()
        if pd.api.types.is_numeric_dtype(column):
            code = column.fillna(seen.median() if len(seen) else 0.0).to_numpy(dtype=float)
            deviation = code[train].std()
            block = (code[:, None] - code[train].mean()) / (deviation if deviation > 0 else 1.0)
        else:
            levels = sorted(seen.unique())
            filled = column.fillna(seen.mode()[0] if len(seen) else "")
            code = pd.Categorical(filled, categories=levels).codes.astype(float)
            block = (code[:, None] == np.arange(len(levels))).astype(float)
        codes.append(code)
        blocks.append(block)
    return train, test, np.column_stack(codes), blocks


def peer_order(name, x, y):
    """Column indices by importance, ties in the order of the table, and the seconds of the fit."""
    import lightgbm
    import numpy as np
    from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
    model = {"lightgbm": lightgbm.LGBMClassifier(n_estimators=200, importance_type="gain", n_jobs=1, verbose=-1),
             "forest": RandomForestClassifier(500, random_state=0, n_jobs=1),
             "extra-trees": ExtraTreesClassifier(500, random_state=0, n_jobs=1)}[name]
    cpu, began = time.process_time(), time.perf_counter()
    importances = model.fit(x, y).feature_importances_
    wall = time.perf_counter() - began
    times = {"seconds": wall, "wall_seconds": wall, "cpu_seconds": time.process_time() - cpu}
    return np.argsort(-importances, kind="stable"), times


def program_order(program, file, method, settings, train):
    """Column indices by the ranking of a method of the program, its seconds, and the number of columns it selects."""
    cells, _, classes = load(file)
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "train.csv"
        common.write_table(table, cells, classes, train)
        result, times = shared.call(program, "select", table, method, "--task", "classification", settings=settings)
    order = cells.columns.get_indexer(shared.ranked_names(result, cells.columns))
    return order, {"seconds": result["seconds"], **times, "selected": len(result["selected"])}


def accuracies(blocks, columns, y, train, test):
    import numpy as np
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.svm import SVC
    x = np.hstack([blocks[column] for column in sorted(columns)])
    models = {"svm": SVC(C=10, gamma="scale"), "forest": RandomForestClassifier(100, random_state=0, n_jobs=1)}
    return {name: float(model.fit(x[train], y[train]).score(x[test], y[test])) for name, model in models.items()}


def measure(program, row, file, settings):
    """Evaluates one selector on one fold of a table and returns the completed row."""
    cells, _, classes = load(file)
    train, test, codes, blocks = encode(file, row["fold"])
    if row["selector"] in PEERS:
        order, measured = peer_order(row["selector"], codes[train], classes[train])
    else:
        order, measured = program_order(program, file, row["selector"], settings, train)
    features = cells.shape[1]
    sizes = {str(budget): min(budget, features) for budget in BUDGETS} | {"third": max(1, features // 3)}
    scores = {size: accuracies(blocks, order[:size], classes, train, test) for size in set(sizes.values())}
    return row | {"rows": len(classes), "columns": features, **measured, "first": list(cells.columns[order[:20]]),
                  "accuracy": {budget: scores[size] for budget, size in sizes.items()}}


def key(row):
    return row["table"], row["fold"], row["selector"], row["label"], tuple(sorted(row["settings"].items()))


def run(args):
    files = find_tables(args.data)
    names = args.only.split(",") if args.only else list(files)
    done = {key(row) for row in common.read_records([args.record])} if args.resume and args.record else set()
    tasks, program = [], None
    for selector in args.methods.split(","):
        settings = [] if selector in PEERS else args.set
        program = program if selector in PEERS else program or common.find_program(args.binary)
        label = args.label if args.label and selector not in PEERS else " ".join([selector, *settings])
        for name in names:
            for fold in range(args.folds_only):
                row = {"table": name, "fold": fold, "selector": selector, "label": label,
                       "settings": common.setting_values(settings)}
                if key(row) not in done:
                    tasks.append((program, row, files[name], settings))
    with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        for future in concurrent.futures.as_completed([pool.submit(measure, *task) for task in tasks]):
            row = future.result()
            common.append_record(args.record, row)
            print(f"{row['table']:12} fold {row['fold']} {row['label']:20} accuracy {100 * first_budgets(row):5.1f} "
                  f"{row['seconds']:9.3f} s ({row['cpu_seconds']:.3f} s CPU)", flush=True)


def first_budgets(row):
    """Mean accuracy over the budgets 3 to 20 and both classifiers."""
    return statistics.fmean(statistics.fmean(row["accuracy"][str(budget)].values()) for budget in BUDGETS)


def print_tables(rows, labels):
    results = {(row["table"], row["fold"], row["label"]): row for row in rows}
    labels = labels or list(dict.fromkeys(row["label"] for row in rows))
    pairs = [{(table, fold) for table, fold, found in results if found == label} for label in labels]
    pairs = sorted(set.intersection(*pairs))
    tables = sorted({table for table, _ in pairs})
    if not tables:
        return print("no table and fold has results of all selectors; choose selectors with --methods")

    def mean(table, label, value):
        return statistics.fmean(value(results[name, fold, label]) for name, fold in pairs if name == table)

    def total(label, name):
        return sum(results[table, fold, label][name] for table, fold in pairs)

    scores = {label: [mean(table, label, first_budgets) for table in tables] for label in labels}

    def rank(label, index):
        """Rank by accuracy on one table, 1 is best; equal accuracies share their mean rank."""
        others = [scores[other][index] - scores[label][index] for other in labels]
        return 1 + sum(gap > 1e-12 for gap in others) + (sum(abs(gap) <= 1e-12 for gap in others) - 1) / 2

    def compared(label):
        if label == REFERENCE or REFERENCE not in labels:
            return ""
        gaps = [own - other for own, other in zip(scores[label], scores[REFERENCE])]
        wins, losses = sum(gap > 1e-12 for gap in gaps), sum(gap < -1e-12 for gap in gaps)
        return f"{wins} / {len(gaps) - wins - losses} / {losses}"

    print(f"{len(tables)} tables, {len(pairs)} folds in all; accuracy in %, mean of SVM and random forest\n")
    shared.header("selector", "first 3 to 20", *(f"first {budget}" for budget in BUDGETS), "first third", "average rank",
                  f"wins / ties / losses against {REFERENCE}", "seconds", "CPU seconds")
    for label in sorted(labels, key=lambda label: -statistics.fmean(scores[label])):
        budgets = [100 * statistics.fmean(mean(table, label, lambda row: statistics.fmean(row["accuracy"][budget].values()))
                                          for table in tables) for budget in [*map(str, BUDGETS), "third"]]
        shared.line(label, f"{100 * statistics.fmean(scores[label]):.2f}", *(f"{value:.2f}" for value in budgets),
                    f"{statistics.fmean(rank(label, index) for index in range(len(tables))):.2f}", compared(label),
                    f"{total(label, 'seconds'):.1f}", f"{total(label, 'cpu_seconds'):.1f}")
    print("\nAccuracy on the first 3 to 20 columns and, in brackets, mean seconds of one selection\n")
    shared.header("table", *labels)
    for index, table in enumerate(tables):
        best = max(scores[label][index] for label in labels)
        cells = [f"{100 * scores[label][index]:.1f}" for label in labels]
        cells = [f"**{cell}**" if scores[label][index] == best else cell for cell, label in zip(cells, labels)]
        seconds = [mean(table, label, lambda row: row["seconds"]) for label in labels]
        shared.line(table, *(f"{cell} ({value:.2f})" for cell, value in zip(cells, seconds)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shared.arguments(parser)
    parser.set_defaults(methods=None)
    parser.add_argument("--data", help="folder of tables [the 18 tables of the paper]")
    parser.add_argument("--only", help="comma-separated names of tables")
    parser.add_argument("--folds-only", type=int, default=FOLDS, metavar="N", help="run the first N of the 5 folds")
    parser.add_argument("--label", help="name of the program's method in the tables [the method and its --set]")
    parser.add_argument("--resume", action="store_true", help="skip results in --record")
    parser.add_argument("--table", nargs="+", metavar="FILE", help="print the tables of these records without running anything")
    args = parser.parse_args()
    if args.table:
        return print_tables(common.read_records(args.table), args.methods and args.methods.split(","))
    args.methods = args.methods or "sieve"
    if args.label and sum(method not in PEERS for method in args.methods.split(",")) > 1:
        parser.error("--label needs exactly one method of the program")
    shared.enter_venv()
    run(args)


if __name__ == "__main__":
    main()
