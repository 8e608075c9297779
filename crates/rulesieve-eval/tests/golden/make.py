"""Answers of scikit-learn that the tests compare with: metrics on random tables with empty classes, and SVC on random data.

    python3 crates/rulesieve-eval/tests/golden/make.py
"""
import json
import pathlib
import sys
import warnings

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[3] / "experiments"))
import common

common.enter_venv()
import numpy as np
from sklearn.metrics import accuracy_score, balanced_accuracy_score, f1_score, matthews_corrcoef
from sklearn.svm import SVC

warnings.simplefilter("ignore")
rng = np.random.default_rng(0)


def metrics():
    cases = []
    for _ in range(40):
        classes, rows = int(rng.integers(2, 7)), int(rng.integers(3, 40))
        # Some classes never occur, some are never answered.
        truth = rng.choice(rng.choice(classes, rng.integers(1, classes + 1), replace=False), rows)
        answers = np.where(rng.random(rows) < 0.5, truth, rng.choice(rng.choice(classes, rng.integers(1, classes + 1), replace=False), rows))
        cases.append({"classes": classes, "truth": truth.tolist(), "answers": answers.tolist(),
                      "accuracy": accuracy_score(truth, answers), "balanced_accuracy": balanced_accuracy_score(truth, answers),
                      "macro_f1": f1_score(truth, answers, average="macro", zero_division=0), "mcc": matthews_corrcoef(truth, answers)})
    return cases


def machines():
    """Blobs that overlap; numbers with few digits, so that the file is short and exact."""
    cases = []
    for classes, features, apart in ((2, 2, 0.8), (3, 5, 0.7), (5, 3, 0.9)):
        centres = rng.normal(size=(classes, features)) * apart
        codes = rng.integers(0, classes, 120)
        x = np.round(centres[codes] + rng.normal(size=(120, features)) * 0.6, 2)
        for kernel in ("rbf", "linear"):
            for c in (1.0, 100.0):
                weights = {k: float(1 + k % 3) for k in range(classes)} if c == 1.0 and classes == 3 else None
                model = SVC(C=c, kernel=kernel, gamma="scale", class_weight=weights).fit(x[:80], codes[:80])
                cases.append({"classes": classes, "kernel": kernel, "c": c, "weights": weights and list(weights.values()),
                              "x": x.T.ravel().tolist(), "codes": codes.tolist(), "train": 80,
                              "answers": model.predict(x[80:]).tolist()})
    return cases


(HERE / "metrics.json").write_text(json.dumps(metrics()) + "\n")
(HERE / "svm.json").write_text(json.dumps(machines()) + "\n")
