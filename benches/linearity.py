#!/usr/bin/env python3
"""Growth of the time of `ldr-tsk-inductive` when rows or columns double: one thread, medians.

    python3 benches/linearity.py --record experiments/speed/linearity-1.json

The data are generated (`madelon`). The settings are one start, one stage and no validation rows, because with the defaults larger
tables have fewer starts and starts end early, which would hide the growth:

- columns: 300 steps of at most 1024 rows;
- rows: thirty epochs of mini-batches of 256 rows.

The last column is the time with the defaults, whose number of steps does not grow with the rows. Exits with 1 if doubling increases
the time by more than a factor of 2.3.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROWS = [(2000, 100), (4000, 100), (8000, 100), (16000, 100), (32000, 100)]
COLUMNS = [(1000, 50), (1000, 100), (1000, 200), (1000, 400), (1000, 800), (1000, 1600)]
ALIKE = ["starts=1", "stages=1", "holdout=0"]
LIMIT = 2.3


def settings(name, samples):
    return [*ALIKE, "steps=300"] if name == "columns" else [*ALIKE, "batch=256", f"steps={30 * samples // 256}"]


def seconds(program, table, settings):
    words = [word for setting in settings for word in ("--set", setting)]
    done = subprocess.run([program, "select", table, "--target", "class", "--threads", "1", "--json", *words],
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["seconds"]


def measure(program, name, shapes, repeats):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        tables = []
        for samples, features in shapes:
            tables.append(pathlib.Path(folder) / f"{samples}x{features}.csv")
            subprocess.run([program, "generate", "madelon", "--samples", str(samples), "--features", str(features),
                            "--seed", "1", "--output", tables[-1]], check=True, capture_output=True)
        # Alternate between shapes, so that other load affects all of them.
        alike = list(zip(*([seconds(program, table, settings(name, shape[0])) for table, shape in zip(tables, shapes)]
                           for _ in range(repeats))))
        defaults = [seconds(program, table, []) for table in tables]
    for shape, times, whole in zip(shapes, alike, defaults):
        rows.append({"samples": shape[0], "features": shape[1], "seconds": times, "median": statistics.median(times),
                     "defaults": whole})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--record", help="write the measurements to this JSON file")
    args = parser.parse_args()
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=ROOT, check=True)
    program = ROOT / "target" / "release" / "rulesieve"
    record = {"schema": "rulesieve/linearity/1", "settings": ALIKE, "threads": 1}
    worst = 0
    for name, shapes in (("rows", ROWS), ("columns", COLUMNS)):
        record[name] = measure(program, name, shapes, args.repeats)
        print(f"doubling {name}\n{'shape':>14} {'seconds':>9} {'factor':>6} {'defaults':>9}")
        before = None
        for row in record[name]:
            times = f"{row['median'] / before:.2f}" if before else ""
            print(f"{row['samples']:>7} x {row['features']:<5}{row['median']:>9.3f} {times:>6} {row['defaults']:>9.2f}")
            worst = max(worst, row["median"] / before if before else 0)
            before = row["median"]
    if args.record:
        pathlib.Path(args.record).write_text(json.dumps(record, indent=1) + "\n")
    print(f"doubling increases the time by a factor of at most {worst:.2f}")
    return 0 if worst <= LIMIT else 1


if __name__ == "__main__":
    raise SystemExit(main())
