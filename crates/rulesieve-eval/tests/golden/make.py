"""Writes reference results of scikit-learn: metrics on random labels with empty classes, and SVC and nearest neighbours on random data.

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
from sklearn.metrics import (accuracy_score, balanced_accuracy_score, f1_score, log_loss, matthews_corrcoef, r2_score,
                             root_mean_squared_error)
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.svm import SVC

warnings.simplefilter("ignore")
rng = np.random.default_rng(0)


def metrics():
    cases = []
    for _ in range(40):
        classes, rows = int(rng.integers(2, 7)), int(rng.integers(3, 40))
        # Some classes never occur, some are never predicted.
        truth = rng.choice(rng.choice(classes, rng.integers(1, classes + 1), replace=False), rows)
        answers = np.where(rng.random(rows) < 0.5, truth, rng.choice(rng.choice(classes, rng.integers(1, classes + 1), replace=False), rows))
        cases.append({"classes": classes, "truth": truth.tolist(), "answers": answers.tolist(),
                      "accuracy": accuracy_score(truth, answers), "balanced_accuracy": balanced_accuracy_score(truth, answers),
                      "macro_f1": f1_score(truth, answers, average="macro", zero_division=0), "mcc": matthews_corrcoef(truth, answers)})
    return cases


def machines():
    """Overlapping blobs; values with few digits, so that the file is short and exact."""
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


def neighbours():
    """Blobs for classification, a noisy sum for regression; many digits, so that no two distances are equal."""
    own = np.random.default_rng(1)
    cases = []
    for count in (1, 4, 15):
        codes = own.integers(0, 3, 90)
        x = own.normal(size=(3, 4))[codes] + own.normal(size=(90, 4))
        numbers = x.sum(1) + own.normal(size=90)
        classes = KNeighborsClassifier(count).fit(x[:60], codes[:60])
        values = KNeighborsRegressor(count).fit(x[:60], numbers[:60]).predict(x[60:])
        cases.append({"neighbours": count, "x": x.T.ravel().tolist(), "codes": codes.tolist(), "numbers": numbers.tolist(), "train": 60,
                      "answers": classes.predict(x[60:]).tolist(), "values": values.tolist(),
                      # If no neighbour has the class, rulesieve and scikit-learn use different minimum probabilities.
                      "log_loss": log_loss(codes[60:], classes.predict_proba(x[60:]).clip(1e-15, 1)) if count == 15 else None,
                      "rmse": root_mean_squared_error(numbers[60:], values), "r2": r2_score(numbers[60:], values)})
    return cases


(HERE / "knn.json").write_text(json.dumps(neighbours()) + "\n")
(HERE / "metrics.json").write_text(json.dumps(metrics()) + "\n")
(HERE / "svm.json").write_text(json.dumps(machines()) + "\n")
