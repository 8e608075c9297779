"""Scores of scikit-learn that the tests of `anova`, `mrmr` and `mutual-info` compare with.

    python3 crates/rulesieve/tests/golden/make_filters.py
"""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[3] / "experiments"))
import common

common.enter_venv()
import numpy as np
import sklearn
from sklearn.feature_selection import f_classif, f_regression, mutual_info_classif, mutual_info_regression

rng = np.random.default_rng(0)
codes = rng.permutation(np.repeat([0, 1, 2, 3], [30, 25, 20, 1]))
rows = len(codes)
shift = np.array([[0, 0, 0, 0], [0, 1, 2, 3], [0, 2, 0, 2], [0, 0, 0, 0]]).T[codes]
x = shift + rng.normal(size=shift.shape)
# The last column: the classes differ in spread, not in place.
x[:, 3] = rng.normal(size=rows) * np.array([0.2, 1, 3, 1])[codes]
levels = np.where(rng.random(rows) < 0.6, codes % 3, rng.integers(0, 3, rows))
case = {"sklearn": sklearn.__version__, "codes": codes.tolist(), "x": x.T.tolist(), "levels": levels.tolist(),
        "f": f_classif(x, codes)[0].tolist(),
        "mutual_info": {k: mutual_info_classif(x, codes, n_neighbors=k, random_state=0).tolist() for k in (3, 7)},
        "mutual_info_of_levels": mutual_info_classif(levels[:, None], codes, discrete_features=True)[0]}

# A regression target: linear, curved, interaction only, noise.
z = rng.normal(size=(150, 4))
y = z[:, 0] + z[:, 1] ** 2 + 0.3 * rng.normal(size=150)
kinds = np.where(rng.random(150) < 0.7, np.digitize(y, [0, 1.5]), rng.integers(0, 3, 150))
case["regression"] = {
    "x": z.T.tolist(), "y": y.tolist(), "levels": kinds.tolist(), "f": f_regression(z, y)[0].tolist(),
    "f_of_levels": f_classif(y[:, None], kinds)[0][0],
    "mutual_info": {k: mutual_info_regression(z, y, n_neighbors=k, random_state=0).tolist() for k in (3, 7)},
    "mutual_info_of_levels": mutual_info_regression(kinds[:, None], y, discrete_features=True, random_state=0)[0]}

# Rounded columns: the estimate depends on the noise that breaks ties, so its mean and deviation over seeds are kept.
rows = 500
classes = rng.integers(0, 2, rows)
noise, effect = rng.normal(size=rows), rng.normal(size=rows) + 0.5 * classes
strong = rng.normal(size=rows) + 2.0 * classes
columns = [noise.round(2), effect.round(2), strong.round(1), (3 * strong).round(0), effect]
# Few distinct values, which are read as categories.
few = [(noise > 0) * 1.0, np.clip(strong.round(0), -1, 3)]


def over_seeds(estimate):
    found = np.array([estimate(seed) for seed in range(40)])
    return {"mean": found.mean(axis=0).tolist(), "deviation": found.std(axis=0).tolist()}


x = np.array(columns).T
target = strong.round(1)
case["rounded"] = {
    "x": x.T.tolist(), "classes": classes.tolist(), "y": target.tolist(), "few": np.array(few).tolist(),
    "with_classes": over_seeds(lambda seed: mutual_info_classif(x, classes, random_state=seed)),
    "with_numbers": over_seeds(lambda seed: mutual_info_regression(x[:, [0, 1, 4]], target, random_state=seed)),
    "few_with_classes": mutual_info_classif(np.array(few).T, classes, discrete_features=True).tolist(),
    "few_with_numbers": over_seeds(
        lambda seed: mutual_info_regression(np.array(few).T, target, discrete_features=True, random_state=seed))}
(HERE / "filters.json").write_text(json.dumps(case) + "\n")
