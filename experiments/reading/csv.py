"""Time and memory of reading CSV: rulesieve against polars, two threads each, in one run.

    cargo build --release -p rulesieve-io --example read
    python3 experiments/reading/csv.py [--rows 1000000] [--columns 50]

Each reader runs in its own process, in turn, `--repeats` times; times are the smallest, memory is the
largest resident size of the process. Results are saved next to this file.
"""

import argparse
import json
import multiprocessing
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
PROGRAM = HERE.parents[1] / "target/release/examples/read"
POLARS = "import sys, polars; print(polars.read_csv(sys.argv[1]).shape)"
NOTHING = "import polars"


def write_tables(folder, rows, columns):
    import numpy as np
    import polars as pl

    random = np.random.default_rng(0)
    numbers = {f"x{at}": random.normal(size=rows) for at in range(columns)}
    rounded = {name: values.round(3) for name, values in numbers.items()}
    words = np.array([f"word{at}" for at in range(1000)])
    mix = dict(rounded)
    for at in range(0, columns, 5):
        mix[f"x{at}"] = words[random.integers(0, 1000, rows)]
    for name, table in (("numbers", numbers), ("rounded", rounded), ("mix", mix)):
        pl.DataFrame(table).write_csv(folder / f"{name}.csv")


def measured(command):
    """Seconds and peak memory in MB of a process."""
    began = time.perf_counter()
    environment = {**os.environ, "POLARS_MAX_THREADS": "2"}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{command} failed")
    return time.perf_counter() - began, usage.ru_maxrss / 1024


def best(command, repeats):
    runs = [measured(command) for _ in range(repeats)]
    return min(seconds for seconds, _ in runs), max(memory for _, memory in runs)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=50)
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    # Two processors for both.
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])
    start, _ = best([sys.executable, "-c", NOTHING], arguments.repeats)
    results = []
    with tempfile.TemporaryDirectory() as folder:
        # In a process of its own, because measured processes would begin with the memory of this one.
        writer = multiprocessing.get_context("spawn").Process(
            target=write_tables, args=(pathlib.Path(folder), arguments.rows, arguments.columns)
        )
        writer.start()
        writer.join()
        for name in ("numbers", "rounded", "mix"):
            path = pathlib.Path(folder) / f"{name}.csv"
            ours = best([PROGRAM, path], arguments.repeats)
            theirs = best([sys.executable, "-c", POLARS, path], arguments.repeats)
            seconds = theirs[0] - start
            results.append(
                {
                    "table": name,
                    "rows": arguments.rows,
                    "columns": arguments.columns,
                    "megabytes": round(path.stat().st_size / 1e6),
                    "seconds": round(ours[0], 2),
                    "polars_seconds": round(seconds, 2),
                    "time_ratio": round(ours[0] / seconds, 2),
                    "memory_mb": round(ours[1]),
                    "polars_memory_mb": round(theirs[1]),
                    "memory_ratio": round(ours[1] / theirs[1], 2),
                }
            )
            print(json.dumps(results[-1]), flush=True)
            path.unlink()
    (HERE / "csv.jsonl").write_text("".join(json.dumps(result) + "\n" for result in results))


if __name__ == "__main__":
    main()
