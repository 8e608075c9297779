#!/usr/bin/env python3
"""Results on tables of pure noise: held-out accuracy relative to chance, warnings, and p-values.

    python3 experiments/sieve/noise.py --mode train --record experiments/sieve/noise-train.jsonl
    python3 experiments/sieve/noise.py --mode train --top 20 --tables 50
    python3 experiments/sieve/noise.py --mode select --record experiments/sieve/noise-select.jsonl --jobs 2

Table i has 30 to 1,000 rows and 10 to 2,000 columns (log-uniform, at most 500,000 cells), columns of one kind (gaussian,
heavy-tailed: Cauchy, binary, categorical: 2 to 12 levels, mixed) and an independent target: of ten tables five have two classes,
two have two classes with 10 % of the rows in one of them, two have 3 to 5 classes, and one has a numeric target. Table i is the
same in every run; every 50 tables contain all combinations of columns and targets.

`--mode train` runs `train` and reads `held_out` and the warnings; `--mode select` runs `select` and also reads the smallest
corrected p-value of single columns (`ranking`) and of pairs (`pairs`). The printed tables give, by kind of column and of target:
the mean of accuracy minus chance_accuracy (R2 for regression) with its standard error over tables, the share of tables with the
warning "no better than chance", and the share with a smallest corrected p-value of at most 0.05.
"""
import argparse
import concurrent.futures
import pathlib
import statistics
import sys
import tempfile

import shared
from shared import common

KINDS = ["gaussian", "heavy-tailed", "binary", "categorical", "mixed"]
TARGETS = ["two classes"] * 5 + ["10 % minority"] * 2 + ["3 to 5 classes"] * 2 + ["regression"]
ROWS, COLUMNS, MOST_CELLS = (30, 1000), (10, 2000), 500_000
WARNING = "no better than chance"
LEVEL = 0.05


def noise_column(kind, rows, rng):
    import numpy as np
    if kind == "mixed":
        kind = rng.choice(KINDS[:-1])
    if kind == "gaussian":
        return rng.normal(size=rows)
    if kind == "heavy-tailed":
        return rng.standard_cauchy(rows)
    if kind == "binary":
        return (rng.random(rows) < rng.uniform(0.1, 0.9)).astype(int)
    levels = int(rng.integers(2, 13))
    return np.array(list("abcdefghijkl"))[rng.choice(levels, rows, p=rng.dirichlet(np.full(levels, 2.0)))]


def noise_target(kind, rows, rng):
    """Draws an independent target; repeats until every class has at least three rows."""
    import numpy as np
    if kind == "regression":
        return rng.normal(size=rows)
    count = int(rng.integers(3, 6)) if kind == "3 to 5 classes" else 2
    shares = [0.9, 0.1] if kind == "10 % minority" else np.full(count, 1 / count)
    while True:
        classes = rng.choice(count, rows, p=shares)
        if np.bincount(classes, minlength=count).min() >= 3:
            return np.array(list("pqrst"))[classes]


def noise_table(index):
    """A table, the kind of its columns and the kind of its target."""
    import numpy as np
    import pandas as pd
    rng = np.random.default_rng([2024, index])
    kind, target = KINDS[(index + index // 10) % len(KINDS)], TARGETS[index % len(TARGETS)]
    rows, columns = (round(float(np.exp(rng.uniform(*np.log(limits))))) for limits in (ROWS, COLUMNS))
    columns = min(columns, MOST_CELLS // rows)
    cells = {f"v{column:04}": noise_column(kind, rows, rng) for column in range(columns)}
    return pd.DataFrame(cells | {"class": noise_target(target, rows, rng)}), kind, target


def warnings_in(value):
    """All messages below the fields `warnings` and `notices`, at any depth."""
    if isinstance(value, list):
        return [text for entry in value for text in warnings_in(entry)]
    if isinstance(value, dict):
        own = [entry for name in ("warnings", "notices") for entry in value.get(name) or []]
        texts = [entry["message"] if isinstance(entry, dict) else entry for entry in own]
        return texts + [text for entry in value.values() for text in warnings_in(entry)]
    return []


def smallest_p(entries):
    """The smallest p-value, or 1 without entries."""
    return min((entry["p_value"] for entry in entries), default=1.0)


def attempt(program, method, settings, mode, top, index):
    table, kind, target = noise_table(index)
    options = (["--task", "regression"] if target == "regression" else []) + (["--top", top] if top else [])
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "noise.csv"
        table.to_csv(file, index=False)
        if mode == "train":
            options += ["--model", pathlib.Path(folder) / "model.json"]
        result, times = shared.call(program, mode, file, method, *options, settings=settings, seed=index)
    held_out = result.get("held_out")
    if held_out is None:
        raise SystemExit(f"`{mode} --method {method} --json` prints no `held_out`; use a method and a version that report it")
    row = {"mode": mode, "method": method, "settings": common.setting_values(settings), "top": top, "table": index,
           "kind": kind, "target": target, "rows": len(table), "columns": table.shape[1] - 1, "held_out": held_out,
           "gain": held_out["r2"] if target == "regression" else held_out["accuracy"] - held_out["chance_accuracy"],
           "warned": any(WARNING in text for text in warnings_in(result)), "selected": len(result["selected"]), **times}
    if mode == "select":
        if any("p_value" not in entry for entry in result["ranking"]):
            raise SystemExit(f"`select --method {method} --json` prints a ranking without `p_value`; use a method that reports it")
        row |= {"single_p": smallest_p(result["ranking"]), "pair_p": smallest_p(result.get("pairs", []))}
    return row


def share(rows, condition):
    return f"{100 * statistics.fmean(bool(condition(row)) for row in rows):.1f}"


def summary(name, rows):
    """Cells of one line of the table."""
    gains = [row["gain"] for row in rows]
    error = statistics.stdev(gains) / len(gains) ** 0.5 if len(gains) > 1 else float("nan")
    cells = [name, len(rows), f"{100 * statistics.fmean(gains):+.2f}", f"{100 * error:.2f}", share(rows, lambda row: row["warned"])]
    if "single_p" in rows[0]:
        cells += [share(rows, lambda row: row["single_p"] <= LEVEL), share(rows, lambda row: row["pair_p"] <= LEVEL),
                  share(rows, lambda row: min(row["single_p"], row["pair_p"]) <= LEVEL)]
    return cells + [f"{max(row['wall_seconds'] for row in rows):.1f}"]


def standard_errors(row):
    """The held-out accuracy less that of the constant prediction, in standard errors of the larger of the two binomial ones."""
    held_out = row["held_out"]
    accuracy, chance = held_out["accuracy"], held_out["chance_accuracy"]
    error = (max(share * (1 - share) for share in (accuracy, chance)) / held_out["rows"]) ** 0.5
    return (accuracy - chance) / error if error else 0.0


def print_summary(rows):
    classes = [row for row in rows if row["target"] != "regression"]
    groups = [("all classification tables", classes)]
    groups += [(kind, [row for row in classes if row["kind"] == kind]) for kind in KINDS]
    groups += [(target, [row for row in rows if row["target"] == target]) for target in dict.fromkeys(TARGETS)]
    tests = ["single p <= 0.05 in %", "pair p <= 0.05 in %", "either in %"] if "single_p" in rows[0] else []
    shared.header("tables", "number", "gain over chance in points", "standard error", "warned in %", *tests, "slowest in s")
    for name, members in groups:
        if members:
            shared.line(*summary(name, members))
    errors = [standard_errors(row) for row in classes]
    print(f"\nOf {len(errors)} classification tables: within two standard errors of chance {sum(abs(error) <= 2 for error in errors)}, "
          f"above {sum(error > 2 for error in errors)}, below {sum(error < -2 for error in errors)}")
    print(f"\nAll {len(rows)} tables: warned in {share(rows, lambda row: row['warned'])} %"
          + (f", smallest corrected p <= {LEVEL} in {share(rows, lambda row: min(row['single_p'], row['pair_p']) <= LEVEL)} %"
             if tests else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shared.arguments(parser)
    parser.add_argument("--mode", choices=["train", "select"], default="train", help="the command to run [train]")
    parser.add_argument("--tables", type=int, default=200, help="number of tables [200]")
    parser.add_argument("--top", type=int, help="number of columns to select [the program's default]")
    args = parser.parse_args()
    shared.enter_venv()
    program = common.find_program(args.binary)
    with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        for method in args.methods.split(","):
            call, rows = (program, method, args.set, args.mode, args.top), []
            tasks = [pool.submit(attempt, *call, index) for index in range(args.tables)]
            for task in concurrent.futures.as_completed(tasks):
                rows.append(task.result())
                common.append_record(args.record, rows[-1])
                print(f"\r{len(rows)} of {args.tables} tables", end="", file=sys.stderr, flush=True)
            print(f"\n{' '.join([args.mode, method, *args.set])}\n")
            print_summary(rows)


if __name__ == "__main__":
    main()
