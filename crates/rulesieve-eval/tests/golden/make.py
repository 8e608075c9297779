"""Writes reference results of scikit-learn: metrics on random labels with empty classes, scores with ties, R squared over folds, folds,
and SVC, also stopped early, and nearest neighbours on random data.

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
from sklearn.metrics import (accuracy_score, average_precision_score, balanced_accuracy_score, f1_score, log_loss,
                             matthews_corrcoef, r2_score, roc_auc_score, root_mean_squared_error)
from sklearn.model_selection import StratifiedKFold
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


def rankings():
    """Scores with many ties, and classes that may be absent."""
    own = np.random.default_rng(2)
    cases = []
    for case in range(30):
        classes, rows = 2 if case % 2 else int(own.integers(3, 6)), int(own.integers(4, 60))
        codes = own.integers(0, classes, rows)
        # One decimal: several rows have the same score.
        scores = np.round(own.normal(size=(rows, classes)) + (np.arange(classes) == codes[:, None]), 1)
        scored = [1] if classes == 2 else range(classes)
        scored = [k for k in scored if 0 < (codes == k).sum() < rows]
        mean = lambda score: float(np.mean([score(codes == k, scores[:, k]) for k in scored])) if scored else None
        cases.append({"codes": codes.tolist(), "classes": classes, "scores": scores.T.ravel().tolist(),
                      "roc_auc": mean(roc_auc_score), "average_precision": mean(average_precision_score)})
    return cases


def regressions():
    """Predictions of four folds with different means: R squared of all predictions together."""
    own = np.random.default_rng(3)
    truth = own.normal(size=40) + np.repeat([0.0, 3.0, -2.0, 8.0], 10)
    values = truth + own.normal(size=40)
    return {"truth": truth.tolist(), "values": values.tolist(), "r2": r2_score(truth, values),
            "folds": [r2_score(truth[at:at + 10], values[at:at + 10]) for at in range(0, 40, 10)]}


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
                scores = model.decision_function(x[80:])
                binary = [scores] if classes == 2 else scores.T
                truths = [codes[80:] == 1] if classes == 2 else [codes[80:] == k for k in range(classes)]
                mean = lambda score: float(np.mean([score(truth, own) for truth, own in zip(truths, binary)]))
                cases.append({"roc_auc": mean(roc_auc_score), "average_precision": mean(average_precision_score),
                              "classes": classes, "kernel": kernel, "c": c, "weights": weights and list(weights.values()),
                              "x": x.T.ravel().tolist(), "codes": codes.tolist(), "train": 80,
                              "answers": model.predict(x[80:]).tolist()})
    return cases


def stopped():
    """Machines that stop before they converge, before and after shrinking: decision values of two overlapping classes, which differ by
    the iteration, and predictions of four. The grid of values gives rows, kernels and gradients that are equal."""
    own = np.random.default_rng(4)
    cases = []
    for classes, rows, digits, c in ((2, 150, 2, 1.0), (2, 150, 1, 100.0), (2, 90, 0, 1000.0), (4, 200, 1, 10.0)):
        codes = own.integers(0, classes, rows + 30)
        x = np.round(own.normal(size=(classes, 3))[codes] * 0.5 + own.normal(size=(rows + 30, 3)) * 0.6, digits)
        stops = []
        for cap in (1, 50, 100, 200, 350, 1000, -1):
            model = SVC(C=c, max_iter=cap).fit(x[:rows], codes[:rows])
            stops.append({"cap": cap, "iterations": model.n_iter_.tolist(), "answers": model.predict(x[rows:]).tolist(),
                          "values": model.decision_function(x[rows:]).tolist() if classes == 2 else None})
        cases.append({"classes": classes, "c": c, "x": x.T.ravel().tolist(), "codes": codes.tolist(), "train": rows, "stops": stops})
    return cases


def folds():
    """Classes of odd sizes, one of them smaller than the number of folds, in different orders of appearance."""
    own = np.random.default_rng(5)
    cases = []
    for sizes, count, seed in (([7, 13], 10, 42), ([31, 4, 22], 10, 42), ([5, 5, 6, 9, 17], 3, 42), ([40, 1, 3], 5, 0), ([268, 500], 10, 42)):
        codes = own.permutation(np.repeat(np.arange(len(sizes)), sizes))
        fold_of = np.zeros(len(codes), int)
        for fold, (_, test) in enumerate(StratifiedKFold(count, shuffle=True, random_state=seed).split(codes, codes)):
            fold_of[test] = fold
        cases.append({"folds": count, "seed": seed, "codes": codes.tolist(), "fold_of": fold_of.tolist()})
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
        shares = classes.predict_proba(x[60:])
        mean = lambda score: float(np.mean([score(codes[60:] == k, shares[:, k]) for k in range(3)]))
        values = KNeighborsRegressor(count).fit(x[:60], numbers[:60]).predict(x[60:])
        cases.append({"neighbours": count, "x": x.T.ravel().tolist(), "codes": codes.tolist(), "numbers": numbers.tolist(), "train": 60,
                      "answers": classes.predict(x[60:]).tolist(), "values": values.tolist(),
                      "roc_auc": mean(roc_auc_score), "average_precision": mean(average_precision_score),
                      # If no neighbour has the class, rulesieve and scikit-learn use different minimum probabilities.
                      "log_loss": log_loss(codes[60:], classes.predict_proba(x[60:]).clip(1e-15, 1)) if count == 15 else None,
                      "rmse": root_mean_squared_error(numbers[60:], values), "r2": r2_score(numbers[60:], values)})
    return cases


(HERE / "folds.json").write_text(json.dumps(folds()) + "\n")
(HERE / "knn.json").write_text(json.dumps(neighbours()) + "\n")
(HERE / "metrics.json").write_text(json.dumps(metrics()) + "\n")
(HERE / "rankings.json").write_text(json.dumps(rankings()) + "\n")
(HERE / "regression.json").write_text(json.dumps(regressions()) + "\n")
(HERE / "svm.json").write_text(json.dumps(machines()) + "\n")
(HERE / "svm-stopped.json").write_text(json.dumps(stopped()) + "\n")
