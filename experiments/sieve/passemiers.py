#!/usr/bin/env python3
"""Share of the informative columns among the best p on the non-linear problems of Passemiers et al., with many noise columns.

    python3 experiments/sieve/passemiers.py --record experiments/sieve/passemiers.jsonl
    python3 experiments/sieve/passemiers.py --rows 1000 --problems ring,xor --features 128,2048 --folds 1
    python3 experiments/sieve/passemiers.py --methods ldr-tsk-inductive --rows 500 --draws 3 --jobs 2

Problems and protocol: Passemiers et al., Scientific Reports 2024, doi 10.1038/s41598-024-82583-5.
All columns are uniform on [0, 1]; the class depends on the first p:

    ring           | sqrt((x0 - .5)^2 + (x1 - .5)^2) - .35 | <= .1151
    xor            (x0 - .5) (.5 - x1) >= 0
    ring+xor       ring of x0 and x1 with .0704, or (x2 - .5) (.5 - x3) >= .0337
    ring+xor+sum   ring of x0 and x1 with .0479, or (x2 - .5) (.5 - x3) >= .0598, or x4 + x5 + N(0, .2) >= 1.4074

A draw generates a table of n rows and permutes its columns. The selection uses 5/6 of the rows (6 folds); the score is the share of
the p informative columns among the best p, averaged over folds and draws. The printed table has one line for each problem and number
of rows: the score for each number of columns, their mean, and published scores. Seconds are those of the selection with one thread.
"""
import argparse
import concurrent.futures
import pathlib
import statistics
import tempfile

import shared
from shared import common

SIZES = [8, 16, 32, 64, 128, 256, 512, 1024, 2048]
FOLDS = 6
TRUE_COLUMNS = {"ring": 2, "xor": 2, "ring+xor": 4, "ring+xor+sum": 6}
# In %, in the order of TRUE_COLUMNS.
PUBLISHED = {1000: {"random forest": [100, 55, 89, 85], "LassoNet": [35, 82, 45, 64]},
             500: {"best published": [98.5, 72.7, 65.8, 64.4]}, 250: {"best published": [87.9, 63.6, 38.3, 51.4]}}


def classes_of(problem, x, rng):
    import numpy as np

    def ring(width):
        return np.abs(np.hypot(x[:, 0] - 0.5, x[:, 1] - 0.5) - 0.35) <= width

    def xor(first, least):
        return (x[:, first] - 0.5) * (0.5 - x[:, first + 1]) >= least

    if problem == "ring":
        return ring(0.1151)
    if problem == "xor":
        return xor(0, 0.0)
    if problem == "ring+xor":
        return ring(0.0704) | xor(2, 0.0337)
    return ring(0.0479) | xor(2, 0.0598) | (x[:, 4] + x[:, 5] + rng.normal(0, 0.2, len(x)) >= 1.4074)


def draw_table(problem, rows, features, draw):
    """Permuted columns with uninformative names, the classes, and the names of the informative columns."""
    import numpy as np
    import pandas as pd
    rng = np.random.default_rng([draw, rows, features, list(TRUE_COLUMNS).index(problem)])
    x = rng.random((rows, features))
    y = np.where(classes_of(problem, x, rng), "yes", "no")
    order = rng.permutation(features)
    table = pd.DataFrame(x[:, order], columns=[f"v{index:04}" for index in range(features)])
    return table, y, set(table.columns[order < TRUE_COLUMNS[problem]])


def attempt(program, method, settings, problem, rows, features, draw, folds):
    """Runs the selections in the first folds of one table and returns their records."""
    import numpy as np
    table, y, true = draw_table(problem, rows, features, draw)
    parts, records = np.array_split(np.arange(rows), FOLDS), []
    for fold in range(folds):
        train = np.setdiff1d(np.arange(rows), parts[fold])
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "train.csv"
            common.write_table(file, table, y, train)
            result, times = shared.call(program, "select", file, method, settings=settings, seed=draw)
        best = shared.ranked_names(result, table.columns)[:len(true)]
        records.append({"problem": problem, "method": method, "settings": common.setting_values(settings), "rows": rows,
                        "columns": features, "draw": draw, "fold": fold, "share": len(true & set(best)) / len(true),
                        "selected": len(result["selected"]), "true_selected": len(true & set(result["selected"])),
                        "seconds": result["seconds"], **times})
    return records


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shared.arguments(parser)
    parser.add_argument("--rows", default="1000,500,250", help="comma-separated numbers of rows [1000,500,250]")
    parser.add_argument("--problems", default=",".join(TRUE_COLUMNS), help="comma-separated problems [all]")
    parser.add_argument("--features", default=",".join(map(str, SIZES)), help="comma-separated numbers of columns [8 to 2048]")
    parser.add_argument("--folds", type=int, default=FOLDS, help="run the first folds of 6 [6]")
    parser.add_argument("--draws", type=int, default=1, help="number of tables for each problem and size [1]")
    args = parser.parse_args()
    problems, sizes = args.problems.split(","), [int(size) for size in args.features.split(",")]
    unknown = [problem for problem in problems if problem not in TRUE_COLUMNS]
    if unknown:
        parser.error(f"unknown problem {unknown[0]}; choose from {', '.join(TRUE_COLUMNS)}")
    if not 1 <= args.folds <= FOLDS:
        parser.error(f"--folds is {args.folds}; choose 1 to {FOLDS}")
    shared.enter_venv()
    program = common.find_program(args.binary)
    shared.header("method", "problem", "rows", *sizes, "mean share in %", "published in %", f"seconds at {sizes[-1]} columns",
                  left=2)
    with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        for method in args.methods.split(","):
            for rows in map(int, args.rows.split(",")):
                for problem in problems:
                    tasks = {size: [pool.submit(attempt, program, method, args.set, problem, rows, size, draw, args.folds)
                                    for draw in range(args.draws)] for size in sizes}
                    results = {size: [record for task in found for record in task.result()] for size, found in tasks.items()}
                    for record in (record for found in results.values() for record in found):
                        common.append_record(args.record, record)
                    shares = [100 * statistics.fmean(record["share"] for record in results[size]) for size in sizes]
                    index = list(TRUE_COLUMNS).index(problem)
                    published = [f"{name} {values[index]}" for name, values in PUBLISHED.get(rows, {}).items()]
                    shared.line(" ".join([method, *args.set]), problem, rows, *(f"{share:.1f}" for share in shares),
                                f"{statistics.fmean(shares):.1f}", ", ".join(published),
                                f"{statistics.fmean(record['seconds'] for record in results[sizes[-1]]):.2f}")


if __name__ == "__main__":
    main()
