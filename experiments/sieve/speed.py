#!/usr/bin/env python3
"""CPU seconds of `select` with one thread: compared with LightGBM on the paper's tables, and growth with rows and columns.

    python3 experiments/sieve/speed.py --record experiments/sieve/speed.jsonl
    python3 experiments/sieve/speed.py --methods sieve,ldr-tsk-inductive --record experiments/sieve/speed.jsonl
    python3 experiments/sieve/speed.py --growth --record experiments/sieve/growth.jsonl

Without `--growth`: all rows of each of the 18 tables; selectors alternate on each table, so that other load affects all of them.
LightGBM (200 trees) is timed for its fit alone, the program for the whole process including reading.
With `--growth`: noise with two informative columns and two classes; rows double at 50 columns, columns double at 1,000 rows.
The last column is the exponent of growth relative to the previous line: 1 is linear, 2 quadratic.
"""
import argparse
import math
import pathlib
import tempfile

import first_k
import shared
from shared import common

ROWS, COLUMNS = [1000 * 2 ** step for step in range(9)], [125 * 2 ** step for step in range(8)]


def program_seconds(program, method, settings, cells, classes):
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "table.csv"
        common.write_table(table, cells, classes, range(len(classes)))
        result, times = shared.call(program, "select", table, method, "--task", "classification", settings=settings)
    return {"fit_seconds": result["seconds"], **times}


def compare(program, args):
    methods = args.methods.split(",")
    totals = {}
    shared.header("table", "rows", "columns", "lightgbm", *methods)
    for name, file in first_k.find_tables(args.data).items():
        cells, _, classes = first_k.load(file)
        codes = first_k.encode(file, 0)[2]
        found = {"lightgbm": first_k.peer_order("lightgbm", codes, classes)[1]}
        found |= {method: program_seconds(program, method, args.set, cells, classes) for method in methods}
        for selector, times in found.items():
            totals[selector] = totals.get(selector, 0.0) + times["cpu_seconds"]
            common.append_record(args.record, {"table": name, "selector": selector, **times})
        shared.line(name, *cells.shape, *(f"{times['cpu_seconds']:.2f}" for times in found.values()))
    shared.line("total", "", "", *(f"{total:.1f}" for total in totals.values()))


def noise(rows, columns):
    import numpy as np
    import pandas as pd
    rng = np.random.default_rng([rows, columns])
    x = rng.normal(size=(rows, columns)).astype(np.float32)
    y = np.where(x[:, 0] + x[:, 1] ** 2 + rng.normal(size=rows) > 1, "yes", "no")
    return pd.DataFrame(x, columns=[f"v{column:05}" for column in range(columns)]), y


def growth(program, args):
    method = args.methods.split(",")[0]
    shared.header("rows", "columns", "CPU seconds of the process", "seconds of the fit", "exponent")
    for sizes in ([(rows, 50) for rows in ROWS], [(1000, columns) for columns in COLUMNS]):
        before = None
        for size in sizes:
            times = program_seconds(program, method, args.set, *noise(*size))
            common.append_record(args.record, {"method": method, "rows": size[0], "columns": size[1], **times})
            exponent = f"{math.log2(times['fit_seconds'] / before):.2f}" if before else ""
            before = times["fit_seconds"]
            shared.line(*size, f"{times['cpu_seconds']:.2f}", f"{before:.2f}", exponent)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shared.arguments(parser)
    parser.add_argument("--data", help="folder of tables [the 18 tables of the paper]")
    parser.add_argument("--growth", action="store_true", help="measure growth instead")
    args = parser.parse_args()
    shared.enter_venv()
    (growth if args.growth else compare)(common.find_program(args.binary), args)


if __name__ == "__main__":
    main()
