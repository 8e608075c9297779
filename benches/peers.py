#!/usr/bin/env python3
"""Speed of established methods relative to their Python implementations: one thread each.

    python3 benches/peers.py --record experiments/speed/peers-1.json
    python3 benches/peers.py --only mrmr,relieff

| rulesieve | Python | data |
|---|---|---|
| `mrmr` | mrmr-selection, 50 features | 1,000 x 500 |
| `relieff` | skrebate, 10 neighbours | 500 x 200 |
| `mutual-info` | scikit-learn's `mutual_info_classif` | 2,000 x 300 |
| `anova` | scikit-learn's `f_classif` | 5,000 x 1,000 |
| `erfs` | NumPy version below of scikit-feature's formulation with its dense diagonal | 500 x 2,000 |

Times are medians of the fit alone; rulesieve runs three times before and after each run of the other implementation. Ten columns
depend on the three classes; the overlap of the ten best columns shows that both results agree. Packages are installed into
`target/peers-venv`.
"""
import argparse
import json
import pathlib
import statistics
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "experiments"))
import common

VENV = ROOT / "target" / "peers-venv"
PACKAGES = ["numpy", "pandas", "scikit-learn", "mrmr-selection", "skrebate"]
# Target ratio, rows, columns, settings of rulesieve.
WANTED = {"mrmr": (20, 1000, 500, ["depth=50"]), "relieff": (10, 500, 200, ["neighbours=10"]), "mutual-info": (3, 2000, 300, []),
          "anova": (1, 5000, 1000, []), "erfs": (20, 500, 2000, ["gamma=1", "bias=no", "tolerance=0"])}
# Iterations of both implementations of erfs.
ITERATIONS = 5


def data(rows, columns):
    import numpy as np
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, rows)
    x = rng.normal(size=(rows, columns))
    x[:, :10] += 1.5 * np.array([[0, 1, 2], [1, 0, 2], [2, 1, 0], [0, 2, 1], [1, 2, 0]] * 2)[:, codes].T
    return (x - x.min(0)) / (x.max(0) - x.min(0)), codes


def rfs(x, codes, gamma=1.0):
    """min |XW - Y|_{2,1} + gamma |W|_{2,1} with A = [X, gamma I], U = [W; E] and a dense (m + n) x (m + n) diagonal, as in
    scikit-feature: U = D^-1 A^T (A D^-1 A^T + 1e-6 I)^-1 Y."""
    import numpy as np
    rows, columns = x.shape
    y, a, d = np.eye(codes.max() + 1)[codes], np.hstack([x, gamma * np.eye(rows)]), np.eye(rows + columns)
    for _ in range(ITERATIONS):
        inverse = np.linalg.inv(d)
        inner = np.linalg.inv(a @ inverse @ a.T + 1e-6 * np.eye(rows))
        u = inverse @ a.T @ inner @ y
        d = np.diag(0.5 / np.maximum(np.linalg.norm(u, axis=1), 1e-12))
    return np.linalg.norm(u[:columns], axis=1)


def theirs(method, x, codes):
    """Seconds and indices of the ten best columns."""
    import numpy as np
    began = time.perf_counter()
    if method == "mrmr":
        import pandas as pd
        from mrmr import mrmr_classif
        frame, labels = pd.DataFrame(x), pd.Series(codes)
        began = time.perf_counter()
        order = list(mrmr_classif(frame, labels, K=50, n_jobs=1, show_progress=False))
        return time.perf_counter() - began, order[:10]
    if method == "relieff":
        from skrebate import ReliefF
        began = time.perf_counter()
        scores = ReliefF(n_features_to_select=10, n_neighbors=10, n_jobs=1).fit(x, codes).feature_importances_
    elif method == "mutual-info":
        from sklearn.feature_selection import mutual_info_classif
        began = time.perf_counter()
        scores = mutual_info_classif(x, codes, random_state=0)
    elif method == "anova":
        from sklearn.feature_selection import f_classif
        began = time.perf_counter()
        scores = f_classif(x, codes)[0]
    else:
        scores = rfs(x, codes)
    return time.perf_counter() - began, np.argsort(-scores)[:10].tolist()


def ours(program, folder, method, settings):
    sets = [word for setting in settings for word in ("--set", setting)]
    printed = common.run(program, "select", f"{folder}/t.csv", "--target", "y", "--method", method, "--threads", 1, "--json", *sets)
    result = json.loads(printed)
    return result["seconds"], [entry["feature"] for entry in result["ranking"][:10]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="comma-separated methods")
    parser.add_argument("--binary", help="the program; built from this checkout if not given")
    parser.add_argument("--record", help="write the measurements to this JSON file")
    args = parser.parse_args()
    common.enter_venv(VENV, PACKAGES)
    import numpy as np
    program = common.find_program(args.binary)
    rows = []
    print(f"{'method':12} {'data':>12} {'theirs':>10} {'ours':>11} {'ratio':>8} {'target':>6}  common columns of the ten best")
    for method in args.only.split(",") if args.only else WANTED:
        wanted, samples, columns, settings = WANTED[method]
        settings = settings + ([f"iterations={ITERATIONS}"] if method == "erfs" else [])
        x, codes = data(samples, columns)
        with tempfile.TemporaryDirectory() as folder:
            header = ",".join([f"x{column}" for column in range(columns)] + ["y"])
            np.savetxt(f"{folder}/t.csv", np.column_stack([x, codes]), delimiter=",", header=header, comments="", fmt="%.17g")
            own, other, best = [], [], None
            for _ in range(2):
                own += [ours(program, folder, method, settings) for _ in range(3)]
                seconds, best = theirs(method, x, codes)
                other.append(seconds)
            own += [ours(program, folder, method, settings) for _ in range(3)]
        names = {f"x{column}" for column in best}
        mine, their = statistics.median(seconds for seconds, _ in own), statistics.median(other)
        both = len(names & set(own[0][1]))
        rows.append({"method": method, "rows": samples, "columns": columns, "theirs": other, "ours": [seconds for seconds, _ in own],
                     "ratio": their / mine, "asked": wanted, "of_ten": both})
        print(f"{method:12} {samples:>5} x {columns:<5}{their:>9.3f}s {mine:>10.4f}s {their / mine:>7.1f}x {wanted:>5}x  {both}", flush=True)
    if args.record:
        record = {"schema": "rulesieve/peer-speed/1", "threads": 1, "rows": rows}
        pathlib.Path(args.record).write_text(json.dumps(record, indent=1) + "\n")
    if any(row["ratio"] < row["asked"] for row in rows):
        sys.exit("a ratio is below its target")


if __name__ == "__main__":
    main()
