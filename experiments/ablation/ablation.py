#!/usr/bin/env python3
"""Ablation of `ldr-tsk-inductive`: changes one default at a time.

    python3 experiments/ablation/ablation.py --record experiments/ablation --resume     about an hour and a half
    python3 experiments/ablation/ablation.py --record experiments/ablation --table

Uses generated data with seeds from 100, which were not used to choose defaults, the training rows of Madelon, and five of the
smaller data sets (top third, RBF SVM, ten folds). Appends results to three record files.
Needs the data sets in `../shared/datasets` or in the folder RULESIEVE_DATA.
"""
import argparse
import pathlib
import statistics
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "synthetic"), str(HERE.parent / "real-data")]
import common
import madelon
import structure
import top_third

METHOD = "ldr-tsk-inductive"
# The defaults, then one value of a parameter, or one below and one above its default.
VARIANTS = ["", "beta=0.1", "beta=1", "gamma=0.003", "gamma=0.3", "d=6", "d=32", "rules=8", "rules=32", "order=zero",
            "steps=500", "steps=3000", "batch=256", "rate=0.005", "rate=0.05", "start=0.03", "start=0.3", "screen=off",
            "holdout=0", "holdout=0.3", "starts=1", "stages=1", "score=rows"]
# Problem and number of seeds.
STRUCTURE = {"double-circle": 5, "xor-100": 4, "xor-500": 4, "parity3-50": 4, "parity4-20": 4}
FIRST_SEED = 100
MADELON_SEEDS = 2
SETS = ["australian", "diabetes", "german", "vote", "wdbc"]


def files(folder):
    return {name: pathlib.Path(folder) / f"{name}.jsonl" for name in ("structure", "madelon", "top-third")}


def settings_of(variant):
    return [variant] if variant else []


def name_of(row):
    return " ".join(f"{name}={value}" for name, value in row["params"].items())


def run_structure(program, variant, file, done):
    for problem, seeds in STRUCTURE.items():
        for seed in range(FIRST_SEED, FIRST_SEED + seeds):
            if (variant, problem, seed) not in done:
                common.append_record(file, structure.attempt(program, problem, seed, METHOD, settings_of(variant)))


def run_madelon(program, variant, file, done):
    cells, classes = common.load("madelon")
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "train.csv"
        common.write_table(table, cells, classes, range(2000))
        for seed in range(FIRST_SEED, FIRST_SEED + MADELON_SEEDS):
            if (variant, seed) not in done:
                names, seconds = common.select(program, table, METHOD, settings_of(variant), seed)
                true = {size: len(madelon.TRUE & set(names[:size])) for size in madelon.SIZES}
                common.append_record(file, {"method": METHOD, "params": common.setting_values(settings_of(variant)),
                                            "seed": seed, "true": true, "seconds": seconds})


def run(program, folder, resume):
    paths = files(folder)
    rows = {name: common.read_records([file]) if resume else [] for name, file in paths.items()}
    done_structure = {(name_of(row), row["problem"], row["seed"]) for row in rows["structure"]}
    done_madelon = {(name_of(row), row["seed"]) for row in rows["madelon"]}
    done_sets = {top_third.key(row) for row in rows["top-third"]}
    for variant in VARIANTS:
        print(f"== {variant or 'defaults'}", flush=True)
        run_structure(program, variant, paths["structure"], done_structure)
        run_madelon(program, variant, paths["madelon"], done_madelon)
        wanted = argparse.Namespace(methods=METHOD, set=settings_of(variant), label=None, folds=10,
                                    record=[str(paths["top-third"])])
        for data in SETS:
            top_third.run_set(data, wanted, program, done_sets)


def print_table(folder):
    rows = {name: common.read_records([file]) for name, file in files(folder).items()}
    print("| changed | " + " | ".join(STRUCTURE) + " | informative of Madelon's top 10, 20 | accuracy, five sets | seconds |")
    print("|---|" + "---:|" * (len(STRUCTURE) + 3))
    for variant in VARIANTS:
        mine = {name: [row for row in found if name_of(row) == variant] for name, found in rows.items()}
        if not all(mine.values()):
            continue
        cells = [variant or "**nothing**"]
        for problem in STRUCTURE:
            found = [row["found"] for row in mine["structure"] if row["problem"] == problem]
            cells.append(f"{sum(found)} of {len(found)}")
        cells.append(", ".join(f"{statistics.fmean(row['true'][size] for row in mine['madelon']):.1f}" for size in ("10", "20")))
        by_set = [[row["accuracy"] for row in mine["top-third"] if row["data"] == data] for data in SETS]
        cells.append(f"{100 * statistics.fmean(statistics.fmean(part) for part in by_set):.2f}" if all(by_set) else "")
        cells.append(f"{sum(row['seconds'] for found in mine.values() for row in found):.0f}")
        print("| " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", help="the program; built from this checkout if not given")
    parser.add_argument("--record", required=True, help="folder of the record files")
    parser.add_argument("--resume", action="store_true", help="skip saved results")
    parser.add_argument("--table", action="store_true", help="print the table of the records without running anything")
    args = parser.parse_args()
    if args.table:
        return print_table(args.record)
    common.need_data()
    common.enter_venv()
    run(common.find_program(args.binary), args.record, args.resume)


if __name__ == "__main__":
    main()
