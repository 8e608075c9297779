"""Scores of scikit-learn that the tests of `anova` and `mutual-info` compare with.

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
from sklearn.feature_selection import f_classif, mutual_info_classif

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
(HERE / "filters.json").write_text(json.dumps(case) + "\n")
