#!/usr/bin/env python3
"""Speed of the `paper` sweep of `ldr-tsk` (125 settings x 10 folds, each with an SVM) relative to the NumPy reference program with
scikit-learn: one thread each.

    python3 benches/paper_sweep.py --record experiments/speed/paper-sweep-1.json
    python3 benches/paper_sweep.py --only vote

Both sides use 100 iterations per fit, a third of the features, and an RBF SVM with C = 1 and gamma = scale. The time of rulesieve
is that of the whole program, from reading the file to the record, including the baselines. Folds and starts differ, so the best
means agree only up to noise.
Needs the data sets (`../shared/datasets`, or RULESIEVE_DATA) and the NumPy program (`../shared/reference`, or RULESIEVE_REFERENCE).
"""
import argparse
import itertools
import json
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "experiments"))
import common

sys.path.insert(0, str(common.REFERENCE))

WANTED = 5
GRID = (0.01, 0.1, 1, 10, 100)


def reference(data):
    """Seconds and the best mean accuracy of the grid."""
    import ldr_numpy
    import numpy as np
    from numpy.linalg import norm
    cells, classes = common.load(data)
    began = time.perf_counter()
    table, codes = common.as_numbers(cells), np.unique(classes, return_inverse=True)[1]
    scores = {point: [] for point in itertools.product(GRID, repeat=3)}
    for train, test in common.folds(classes, 10):
        x_train, x_test = common.prepare(table, train, test)
        for (alpha, beta, gamma), found in scores.items():
            q = ldr_numpy.fit_paper(x_train, codes[train] + 1.0, alpha=alpha, beta=beta, gamma=gamma, iterations=100)
            top = np.argsort(-norm(q, axis=1), kind="stable")[:max(1, x_train.shape[1] // 3)]
            found.append(common.svm_scores(x_train[:, top], classes[train], x_test[:, top], classes[test])[0])
    return time.perf_counter() - began, max(np.mean(found) for found in scores.values())


def ours(program, data):
    path = common.DATA / f"{data}.csv"
    began = time.perf_counter()
    found = json.loads(common.run(
        program, "evaluate", path, "--target", "class", "--missing", "median", "--categorical-coding", "ordinal", "--methods", "ldr-tsk",
        "--protocol", "paper", "--set", "ldr-tsk:tolerance=0", "--set", "ldr-tsk:iterations=100", "--threads", 1, "--json"))
    return time.perf_counter() - began, found["methods"][0]["accuracy"]["mean"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="vote,wdbc,diabetes", help="comma-separated data sets")
    parser.add_argument("--binary", help="the program; built from this checkout if not given")
    parser.add_argument("--record", help="write the measurements to this JSON file")
    args = parser.parse_args()
    common.need_data()
    common.enter_venv()
    program = common.find_program(args.binary)
    rows = []
    print(f"{'data':10} {'reference':>10} {'rulesieve':>10} {'ratio':>7} {'target':>6}   best mean accuracy, reference and rulesieve")
    for data in args.only.split(","):
        # Before and after the reference, because the speed of a machine drifts.
        before, accuracy = ours(program, data)
        seconds, expected = reference(data)
        after, _ = ours(program, data)
        own = (before + after) / 2
        rows.append({"data": data, "reference_seconds": seconds, "seconds": [before, after], "ratio": seconds / own,
                     "reference_accuracy": expected, "accuracy": accuracy})
        print(f"{data:10} {seconds:>9.1f}s {own:>9.2f}s {seconds / own:>6.1f}x {WANTED:>5}x   {expected:.4f} {accuracy:.4f}", flush=True)
    if args.record:
        record = {"schema": "rulesieve/sweep-speed/1", "threads": 1, "rows": rows}
        pathlib.Path(args.record).write_text(json.dumps(record, indent=1) + "\n")
    if any(row["ratio"] < WANTED for row in rows):
        sys.exit(f"below the target ratio of {WANTED}x")


if __name__ == "__main__":
    main()
