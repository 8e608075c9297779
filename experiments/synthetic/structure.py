#!/usr/bin/env python3
"""Counts the seeds for which a method ranks exactly the informative features first, on generated data.

    python3 experiments/synthetic/structure.py --methods anova,ldr-tsk
    python3 experiments/synthetic/structure.py --methods ldr-tsk --set alpha=10 --only double-circle --record results.jsonl
    python3 experiments/synthetic/structure.py --methods ldr-tsk-inductive,sklearn:forest --curve --seeds 5

`--curve` uses increasing numbers of noise columns. `sklearn:forest` is the importance of scikit-learn's random forest of 500 trees.

The seed is that of the table and of the selection: 0 to 19 for the double circle, else 0 to 9.
"""
import argparse
import concurrent.futures
import json
import pathlib
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common

# Generator, features, samples, seeds.
PROBLEMS = {"double-circle": ("double-circle", 10, 400, 20), "xor-20": ("xor", 20, 500, 10),
            "xor-100": ("xor", 100, 1000, 10), "xor-500": ("xor", 500, 1000, 10),
            "parity3-10": ("parity3", 10, 1000, 10), "parity3-50": ("parity3", 50, 2000, 10),
            "parity4-20": ("parity4", 20, 4000, 10)}
CURVE = {"xor-500": ("xor", 500, 1000, 10), "xor-1000": ("xor", 1000, 1000, 10), "xor-2000": ("xor", 2000, 1000, 10),
         "xor-10000": ("xor", 10000, 1000, 10), "parity3-50": ("parity3", 50, 2000, 10),
         "parity3-100": ("parity3", 100, 2000, 10), "parity3-200": ("parity3", 200, 2000, 10),
         "parity3-500": ("parity3", 500, 2000, 10), "parity4-20": ("parity4", 20, 4000, 10),
         "parity4-40": ("parity4", 40, 4000, 10)}


def forest(table):
    """Ranks the features of a CSV file by random forest importance; also returns the seconds of the fit."""
    import pandas as pd
    from sklearn.ensemble import RandomForestClassifier
    cells = pd.read_csv(table)
    began = time.perf_counter()
    model = RandomForestClassifier(500, random_state=0).fit(cells.drop(columns="class").to_numpy(), cells["class"])
    order = model.feature_importances_.argsort()[::-1]
    return list(cells.columns.drop("class")[order]), time.perf_counter() - began


def attempt(program, problem, seed, method, settings):
    """Runs one selection and returns its record."""
    generator, features, samples, _ = (PROBLEMS | CURVE)[problem]
    with tempfile.TemporaryDirectory() as folder:
        table, truth = pathlib.Path(folder) / "data.csv", pathlib.Path(folder) / "truth.json"
        common.run(program, "generate", generator, "--samples", samples, "--features", features, "--seed", seed,
                   "--output", table, "--truth", truth)
        true = json.loads(truth.read_text())["informative"]
        if method == "sklearn:forest":
            ranking, seconds = forest(table)
        else:
            ranking, seconds = common.select(program, table, method, settings, seed)
    ranks = sorted(ranking.index(name) + 1 for name in true)
    return {"problem": problem, "method": method, "params": common.setting_values(settings), "seed": seed,
            "samples": samples, "features": features, "places": ranks, "found": ranks[-1] == len(true),
            "seconds": seconds}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    common.program_arguments(parser, "anova,ldr-tsk")
    parser.add_argument("--curve", action="store_true", help=f"use the problems {', '.join(CURVE)}")
    parser.add_argument("--only", help=f"comma-separated problems of {', '.join(PROBLEMS)}")
    parser.add_argument("--seeds", type=int, help="number of seeds")
    parser.add_argument("--jobs", type=int, default=1, help="number of parallel selections")
    parser.add_argument("--record", help="append every selection to this JSON-lines file")
    args = parser.parse_args()
    if "sklearn:forest" in args.methods:
        common.enter_venv()
    program, problems = common.find_program(args.binary), CURVE if args.curve else PROBLEMS
    print("| method | problem | samples x features | informative features first | seconds |\n|---|---|---|---:|---:|")
    for method in args.methods.split(","):
        for problem in args.only.split(",") if args.only else problems:
            _, features, samples, seeds = (PROBLEMS | CURVE)[problem]
            with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
                rows = list(pool.map(lambda seed: attempt(program, problem, seed, method, args.set),
                                     range(args.seeds or seeds)))
            for row in rows:
                common.append_record(args.record, row)
            print(f"| {' '.join([method, *args.set])} | {problem} | {samples} x {features} | "
                  f"{sum(row['found'] for row in rows)} of {len(rows)} | "
                  f"{statistics.fmean(row['seconds'] for row in rows):.3f} |", flush=True)


if __name__ == "__main__":
    main()
