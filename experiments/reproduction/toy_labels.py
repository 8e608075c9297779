#!/usr/bin/env python3
"""Two circles and eight columns of noise: what makes both true columns come first with d = 1 and alpha = 10?

    python3 experiments/reproduction/toy_labels.py --output experiments/reproduction/toy-labels.json

Counts 30 draws of the NumPy reference program and of the program, with the labels as drawn and permuted. The reference
program draws data and start from generators of the same seed: with d = 1 its first numbers, the start of X_hat, are then
the angles of the points. `start` says whether the start has that seed or another one, `columns` whether the columns are
scaled to [0, 1]. Needs NumPy and the reference program (RULESIEVE_REFERENCE).
"""
import argparse
import csv
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common

DRAWS, OTHER = 30, 1000
SETTINGS = {"d": 1, "alpha": 10}


def reference(scaled, other):
    """Draws with both true columns first: labels as drawn, and permuted."""
    import ldr_numpy
    import numpy as np
    hits = {"labels": 0, "permuted": 0}
    for seed in range(DRAWS):
        x, y = ldr_numpy.double_circle(seed)
        if not scaled:
            rng = np.random.default_rng(seed)
            angle, radius = 2 * np.pi * rng.random(len(y)), np.where(y == 0, 1.0, 0.5) + rng.normal(0, 0.05, len(y))
            x = np.c_[radius * np.cos(angle), radius * np.sin(angle), rng.random((len(y), 8))]
        for name, labels in (("labels", y), ("permuted", np.random.default_rng(100 + seed).permutation(y))):
            q = ldr_numpy.fit_paper(x, labels + 1.0, seed=seed + OTHER * other, **SETTINGS)
            hits[name] += set(np.argsort(-np.linalg.norm(q, axis=1))[:2]) == {0, 1}
    return {"by": "reference", "columns": "min-max" if scaled else "unscaled", "start": "another seed" if other else "seed of the data", **hits}


def program(binary):
    """The same by the program, whose generator and start share no numbers. Its columns are always scaled."""
    import numpy as np
    hits, settings = {"labels": 0, "permuted": 0}, [f"{name}={value}" for name, value in SETTINGS.items()]
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "circle.csv"
        for seed in range(DRAWS):
            common.run(binary, "generate", "double-circle", "--seed", seed, "--output", table)
            with open(table, newline="") as file:
                head, *rows = csv.reader(file)
            at = head.index("class")
            for name in hits:
                if name == "permuted":
                    labels = np.random.default_rng(100 + seed).permutation([row[at] for row in rows])
                    rows = [[*row[:at], label, *row[at + 1:]] for row, label in zip(rows, labels)]
                    with open(table, "w", newline="") as file:
                        csv.writer(file).writerows([head, *rows])
                hits[name] += set(common.select(binary, table, "ldr-tsk", settings, seed)[0][:2]) == {"x", "y"}
    return {"by": "rulesieve", "columns": "min-max", "start": "another generator", **hits}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", help="the program; built from this checkout if not given")
    parser.add_argument("--output", type=pathlib.Path, help="file to write")
    args = parser.parse_args()
    common.need_reference()
    sys.path.insert(0, str(common.REFERENCE))
    counts = [reference(scaled, other) for scaled in (True, False) for other in (False, True)]
    counts.append(program(common.find_program(args.binary)))
    text = json.dumps({"settings": SETTINGS, "draws": DRAWS, "both_true_columns_first": counts}, indent=1) + "\n"
    print(text, end="")
    if args.output:
        args.output.write_text(text)


if __name__ == "__main__":
    main()
