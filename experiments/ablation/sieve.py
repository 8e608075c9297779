#!/usr/bin/env python3
"""Ablation of `sieve`: changes one part or default at a time.

    python3 experiments/ablation/sieve.py --record experiments/ablation --jobs 2     about an hour; resumes a stopped run
    python3 experiments/ablation/sieve.py --record experiments/ablation --table

Writes three records: accuracy of two classifiers on the first 3 to 20 columns of the paper's 18 tables (`first_k.py`, the first 2 of
5 folds), the share of the informative columns on the problems of Passemiers et al. (`passemiers.py`, one fold, two draws), and the
seeds for which exactly the informative columns rank first (`structure.py`).
Needs the data sets in `../shared/datasets` or in the folder RULESIEVE_DATA.
"""
import argparse
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "sieve")]
import common
import first_k

# The defaults, then disabled parts, then values below and above the defaults. Spaces separate settings.
VARIANTS = ["", "scans=1", "pairs=0 parity=0", "parity=0", "path=wide", "path=significant", "samples=1", "samples=3", "samples=5",
            "scanned=0", "ridge=0.03", "ridge=0.3", "width=0.5", "width=2", "scale=standard", "scale=normal", "bins=3", "bins=6",
            "rows=250", "candidates=16", "candidates=48", "candidates=96", "margin=0", "margin=2", "level=0.001", "level=0.05",
            "significant=12", "significant=48", "share=0.2", "fold_rows=400", "fold_share=0.4", "class_rows=0"]
FOLDS = 2
PASSEMIERS = ["--rows", "1000,500", "--problems", "ring+xor,ring+xor+sum", "--features", "16,128,512", "--folds", "1", "--draws", "2"]
STRUCTURE = ["--only", "double-circle,xor-500,parity3-50,parity4-20", "--seeds", "2"]


def files(folder):
    return {name: pathlib.Path(folder) / f"sieve-{name}.jsonl" for name in ("tables", "passemiers", "structure")}


def settings_of(variant):
    return common.setting_values(variant.split())


def run(program, folder, jobs):
    paths = files(folder)
    for variant in VARIANTS:
        print(f"== {variant or 'defaults'}", flush=True)
        shared = ["--methods", "sieve", "--binary", str(program), "--jobs", str(jobs),
                  *(word for setting in variant.split() for word in ("--set", setting))]
        scripts = {"tables": ["sieve/first_k.py", "--folds-only", str(FOLDS), "--resume"],
                   "passemiers": ["sieve/passemiers.py", *PASSEMIERS], "structure": ["synthetic/structure.py", *STRUCTURE]}
        for name, (script, *options) in scripts.items():
            done = common.read_records([str(paths[name])]) if paths[name].exists() else []
            if name != "tables" and any(own_settings(row) == settings_of(variant) for row in done):
                continue
            subprocess.run([sys.executable, HERE.parent / script, *options, *shared, "--record", paths[name]],
                           check=True, stdout=subprocess.DEVNULL)


def own_settings(row):
    return row.get("settings", row.get("params"))


def print_table(folder):
    rows = {name: common.read_records([str(file)]) for name, file in files(folder).items()}
    print("| changed | accuracy, first 3 to 20 | change | first third | ring+xor | ring+xor+sum | structure | seconds |")
    print("|---|" + "---:|" * 7)
    reference = None
    for variant in VARIANTS:
        mine = {name: [row for row in found if own_settings(row) == settings_of(variant)] for name, found in rows.items()}
        if not all(mine.values()):
            continue
        accuracy = mean_over_tables(mine["tables"], first_k.first_budgets)
        reference = accuracy if reference is None else reference
        third = mean_over_tables(mine["tables"], lambda row: statistics.fmean(row["accuracy"]["third"].values()))
        shares = [statistics.fmean(row["share"] for row in mine["passemiers"] if row["problem"] == problem)
                  for problem in ("ring+xor", "ring+xor+sum")]
        found = [row["found"] for row in mine["structure"]]
        seconds = sum(row["cpu_seconds"] for row in mine["tables"])
        print(f"| {variant or '**nothing**'} | {100 * accuracy:.2f} | {100 * (accuracy - reference):+.2f} | {100 * third:.2f} | "
              + " | ".join(f"{100 * share:.1f}" for share in shares) + f" | {sum(found)} of {len(found)} | {seconds:.0f} |")


def mean_over_tables(rows, value):
    by_table = {}
    for row in rows:
        by_table.setdefault(row["table"], []).append(value(row))
    return statistics.fmean(statistics.fmean(values) for values in by_table.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", help="the program; built from this checkout if not given")
    parser.add_argument("--record", required=True, help="folder of the record files")
    parser.add_argument("--jobs", type=int, default=1, help="number of parallel selections [1]")
    parser.add_argument("--table", action="store_true", help="print the table of the records without running anything")
    args = parser.parse_args()
    if args.table:
        return print_table(args.record)
    common.need_data()
    run(common.find_program(args.binary), args.record, args.jobs)


if __name__ == "__main__":
    main()
