"""Weights, groups, sizes, time budgets, interruption, and attributes of fitted estimators."""

import os
import re
import signal
import subprocess
import sys
import textwrap
import threading
import time

import joblib
import numpy as np
import pytest

import rulesieve
from rulesieve import InductiveLdrTskClassifier, InductiveLdrTskRegressor, InductiveLdrTskSelector, LdrTskSelector, Ranker
from rulesieve._options import threads

pytestmark = pytest.mark.filterwarnings("ignore::rulesieve.DataWarning")


def test_integer_weights_repeat_rows_and_zero_excludes_them(waveform):
    X, y = waveform
    weights = np.random.default_rng(0).integers(0, 4, len(X))
    weighted = InductiveLdrTskSelector(steps=60).fit(X, y, sample_weight=weights)
    repeated = InductiveLdrTskSelector(steps=60).fit(X.loc[X.index.repeat(weights)], np.repeat(y, weights))
    np.testing.assert_array_equal(weighted.scores_, repeated.scores_)


def test_weights_are_relative_and_change_the_fit():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(400, 6))
    # The target depends on column 0 in the first half of the rows, and on column 1 in the second half.
    y = np.where(np.arange(400) < 200, x[:, 0] > 0, x[:, 1] > 0)
    first, second = np.where(np.arange(400) < 200, 0.99, 0.01), np.where(np.arange(400) < 200, 0.01, 0.99)
    for weights, best in ((first, 0), (second, 1)):
        ours = InductiveLdrTskClassifier(1, rules=2).fit(x, y, sample_weight=weights)
        assert ours.ranking_[best] == 1
        again = InductiveLdrTskClassifier(1, rules=2).fit(x, y, sample_weight=weights * 3.3)
        np.testing.assert_allclose(again.predict_proba(x), ours.predict_proba(x), atol=1e-6)


def test_class_weights():
    rng = np.random.default_rng(2)
    x = np.r_[rng.normal(0, 1, (180, 2)), rng.normal(1.2, 1, (20, 2))]
    y = np.r_[np.zeros(180, int), np.ones(20, int)]
    found = {weight: (InductiveLdrTskClassifier(class_weight=weight, rules=2).fit(x, y).predict(x) == 1).sum()
             for weight in (None, "balanced")}
    assert found["balanced"] > found[None] + 10
    heavy = InductiveLdrTskClassifier(class_weight={0: 1.0, 1: 9.5}, rules=2).fit(x, y).predict(x)
    assert (heavy == 1).sum() > found[None] + 10


QUICK = {"rules": 2, "rule_params": {"steps": 20}}
UNKNOWN = "'anova' counts all rows the same: columns were selected without sample_weight and class_weight, and only the rules"
WEIGHED = [
    (InductiveLdrTskClassifier(3, method="anova", **QUICK), True, UNKNOWN),
    (InductiveLdrTskClassifier(3, method="anova", class_weight="balanced", **QUICK), False, UNKNOWN),
    (InductiveLdrTskClassifier(3, method="anova", class_weight={0: 0.4}, **QUICK), False, UNKNOWN),
    (InductiveLdrTskClassifier("best", method="anova", **QUICK), True, "columns and their number were selected without"),
    (InductiveLdrTskClassifier("best", **QUICK), True, "'best' counts all rows the same: .* ranked with"),
    (InductiveLdrTskSelector(steps=20), True, "'one-se' counts all rows the same: .* ranked with"),
    (InductiveLdrTskSelector("best", steps=20), True, "'best' counts all rows the same: .* ranked with"),
    (InductiveLdrTskSelector("best", steps=20, class_weight="balanced"), False, "'best' counts all rows the same: .* ranked with"),
    (InductiveLdrTskRegressor(3, method="variance", **QUICK), True, "'variance' counts all rows the same"),
]


@pytest.mark.parametrize("estimator, weighed, words", WEIGHED)
def test_methods_without_weights_give_a_warning(waveform, estimator, weighed, words):
    X, y = waveform
    weights = np.linspace(0.1, 1, len(X)) if weighed else None
    with pytest.warns(rulesieve.DataWarning, match=words):
        estimator.fit(X.iloc[:, :6], y, sample_weight=weights)
    assert any(re.search(words, warning) for warning in estimator.warnings_)


@pytest.mark.parametrize("estimator, weights", [
    (InductiveLdrTskClassifier(3, method="anova", **QUICK), None),
    (InductiveLdrTskClassifier(3, method="anova", **QUICK), np.arange(150) % 3),
    (InductiveLdrTskClassifier(3, **QUICK), np.linspace(0.1, 1, 150)),
    (InductiveLdrTskSelector("best", steps=20), None),
])
def test_methods_with_weights_give_no_warning(waveform, estimator, weights):
    X, y = waveform
    estimator.fit(X.iloc[:, :6], y, sample_weight=weights)
    assert not any("counts all rows the same" in warning for warning in estimator.warnings_)


def test_groups_are_selected_as_a_whole(waveform):
    X, y = waveform
    alone = LdrTskSelector(1, iterations=10).fit(X, y)
    best, noise = alone.selected_[0], X.columns[-1]
    for groups in ([[best, noise]], {"both": [noise, best]}, [[X.columns.get_loc(best), X.columns.get_loc(noise)]]):
        grouped = LdrTskSelector(1, iterations=10, feature_groups=groups).fit(X, y)
        assert sorted(grouped.selected_) == sorted([best, noise]) and grouped.n_features_ == 2
    texts = Ranker("anova", 2, feature_groups=np.asarray(["s", "t"])[np.arange(X.shape[1]) % 2]).fit(X, y)
    assert texts.n_features_ == X.shape[1]
    model = InductiveLdrTskClassifier(rules=2, feature_groups=np.arange(X.shape[1]) // 4, rule_params={"steps": 20}).fit(X, y)
    assert model.n_features_ % 4 == 0 and 0 < model.n_features_ < X.shape[1], "some of ten groups"
    assert LdrTskSelector(iterations=10, feature_groups=np.arange(X.shape[1]) // 4).fit(X, y).n_features_ == 12, "a third of ten groups"
    numbered = np.arange(X.shape[1]) // 2
    halves = InductiveLdrTskSelector(3, steps=60, feature_groups=numbered).fit(X, y)
    assert halves.n_features_ == 6
    kept = numbered[halves.get_support()]
    assert all((kept == group).sum() == 2 for group in set(kept))


def test_sizes(waveform):
    X, y = waveform
    assert Ranker("anova", 1 / 3).fit(X, y).n_features_ == X.shape[1] // 3
    assert Ranker("anova", 0.5).fit(X, y).n_features_ == X.shape[1] // 2
    assert Ranker("anova", 10**6).fit(X, y).n_features_ == X.shape[1]
    found = Ranker("anova", "one-se").fit(X, y)
    points = found.size_curve_["points"]
    best = max(points, key=lambda point: point["score"])
    enough = [point["features"] for point in points if point["score"] >= best["score"] - best["standard_error"]]
    assert found.size_curve_["rule"] == "one-se" and found.n_features_ == min(enough)
    chosen = Ranker("anova").fit(X, y)
    assert chosen.size_curve_ == found.size_curve_ and chosen.selected_ == found.selected_, "None is the rule one-se"
    assert Ranker("anova", 3).fit(X, y).size_curve_ is None


def test_a_time_budget_ends_a_fit(waveform):
    X, y = waveform
    began = time.monotonic()
    ours = InductiveLdrTskSelector(steps=10**6, time_budget=0.3).fit(X, y)
    assert time.monotonic() - began < 20
    assert ours.converged_ is False and any("out of time" in warning for warning in ours.warnings_)


def test_the_number_of_threads_is_limited_by_the_cores(waveform):
    X, y = waveform
    assert threads(10**6) == threads(-1) == joblib.cpu_count() and threads(None) == threads(1) == 1
    began = time.monotonic()
    many = InductiveLdrTskSelector(steps=20, n_jobs=10**5).fit(X, y)
    assert time.monotonic() - began < 20
    np.testing.assert_array_equal(many.scores_, InductiveLdrTskSelector(steps=20).fit(X, y).scores_)
    for wrong in ("all", 1.5):
        with pytest.raises(ValueError, match=f"n_jobs={wrong!r} is not allowed"):
            InductiveLdrTskSelector(n_jobs=wrong).fit(X, y)


def test_a_fit_releases_the_gil(waveform):
    X, y = waveform
    fits = [threading.Thread(target=InductiveLdrTskSelector(steps=3000).fit, args=(X, y)) for _ in range(2)]
    counted = 0
    [fit.start() for fit in fits]
    while any(fit.is_alive() for fit in fits):
        counted += 1
        time.sleep(0.001)
    assert counted > 20


def interrupted(program, after):
    """Sends Ctrl-C `after` seconds after a program is ready; whether the program handles it within 20 seconds."""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(after)
        os.kill(process.pid, signal.SIGINT)
        return process.communicate(timeout=20)[0] == "heard\n"
    finally:
        process.kill()


def test_ctrl_c_interrupts_a_fit():
    program = textwrap.dedent("""
        import rulesieve
        X, y = rulesieve.load_table("waveform", samples=500)
        print("ready", flush=True)
        try:
            rulesieve.InductiveLdrTskSelector(steps=10**6).fit(X, y)
        except KeyboardInterrupt:
            print("heard", flush=True)
    """)
    assert interrupted(program, after=1)


def test_ctrl_c_interrupts_reading_of_blocks():
    program = textwrap.dedent("""
        import time
        import dask, dask.array, numpy as np, rulesieve
        def slow(rows):
            time.sleep(0.2)
            return np.random.default_rng(0).random((rows, 3))
        X = dask.array.concatenate([dask.array.from_delayed(dask.delayed(slow)(50), (50, 3), float) for _ in range(100)])
        y = dask.array.from_array(np.arange(5000) % 2, chunks=50)
        print("ready", flush=True)
        try:
            rulesieve.InductiveLdrTskClassifier().fit(X, y)
        except KeyboardInterrupt:
            print("heard", flush=True)
    """)
    assert interrupted(program, after=2)


def test_attributes_of_a_fitted_model(waveform):
    X, y = waveform
    ours = LdrTskSelector(5, iterations=30, tolerance=0).fit(X, y)
    assert ours.n_iter_ == 30 and len(next(iter(ours.trace_.values()))) == 30
    assert len(ours.rules_) == 5 and str(ours.rules_[0]).startswith("IF ") and ours.rules_r2_ <= 1
    assert sorted(ours.ranking_) == list(range(1, X.shape[1] + 1))
    assert (ours.scores_[np.argsort(ours.ranking_)][:-1] >= ours.scores_[np.argsort(ours.ranking_)][1:] - 1e-12).all()
    assert Ranker("anova").fit(X, y).converged_ is None
    model = InductiveLdrTskClassifier(3, rules=4, order="zero", rule_params={"steps": 60}).fit(X, y)
    explained = model.explain(X, 7)
    assert explained["predicted"] == model.predict(X.iloc[[7]])[0] and explained["row"] == 7
    np.testing.assert_allclose(explained["probabilities"], model.predict_proba(X)[7])
    assert {one["feature"] for one in explained["contributions"]} == set(model.selected_)
    assert model.training_["samples"] == 150 and len(model.rules_) == 4
    with pytest.raises(ValueError, match="no row 150"):
        model.explain(X, 150)


def test_rules_of_a_regression_model():
    X, y = rulesieve.load_table("friedman", samples=300)
    model = InductiveLdrTskRegressor(5, rules=4).fit(X[:200], y[:200])
    assert model.score(X[200:], y[200:]) > 0.7
    assert {"x1", "x2", "x4", "x5"} < set(model.selected_)
    outputs = [next(iter(rule.effects.values())) for rule in model.rules_]
    assert min(outputs) >= y.min() - 20 and max(outputs) <= y.max() + 20 and f"THEN {y.name} is " in str(model.rules_[0])
