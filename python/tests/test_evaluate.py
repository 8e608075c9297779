"""Evaluations as frames, stability, reports and plots."""

import json
import pickle
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

import rulesieve
from rulesieve import Ranker, plots
from rulesieve._evaluate import Plan

pytestmark = pytest.mark.filterwarnings("ignore::rulesieve.DataWarning")


@pytest.fixture(scope="module")
def found(waveform):
    return rulesieve.evaluate(*waveform, ["anova", "relieff"], folds=4, curve=True, points=1)


def test_tables_agree_with_the_record(found):
    table = found.table
    assert list(table.index) == ["anova", "relieff", "all features", "random features", "always the most frequent class"]
    for method in found.record["methods"]:
        assert table.loc[method["method"], "accuracy"] == method["accuracy"]["mean"]
    folds = found.folds
    assert len(folds) == 4 * 4
    means = folds.groupby("method")["accuracy"].mean()
    np.testing.assert_allclose(means["anova"], table.loc["anova", "accuracy"])
    assert "anova" in repr(found) and "<table" in found._repr_html_()


def test_evaluations_are_saved_pickled_and_reported(found, tmp_path):
    found.save(tmp_path / "e.json")
    assert json.loads((tmp_path / "e.json").read_text()) == found.record
    again = pickle.loads(pickle.dumps(found))
    assert again.record == found.record
    with pytest.raises(ValueError, match="evaluate again"):
        again.report(tmp_path / "none.html")
    found.report(tmp_path / "page.html", name="waveform")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") and "relieff" in page


def test_the_order_of_classes_is_that_of_the_command_line(waveform):
    X, y = waveform
    options = dict(protocol="paper", n_features_to_select=5, points=1, folds=3, costs=[1.0])
    found = rulesieve.evaluate(X, y, ["anova"], class_order="appearance", **options)
    assert "appearance" in json.dumps(found.record["estimator"])
    assert "appearance" not in json.dumps(rulesieve.evaluate(X, y, ["anova"], **options).record["estimator"])
    with pytest.raises(ValueError, match="class_order"):
        rulesieve.evaluate(X, y, ["anova"], class_order="size", **options)


def test_groups_stay_in_one_fold(waveform):
    X, y = waveform
    groups = np.arange(150) // 5
    found = rulesieve.evaluate(X, y, ["anova"], groups=groups, folds=3, n_features_to_select=5, points=1)
    for fold in found.record["methods"][0]["folds"]:
        inside = set(groups[fold["test"]])
        assert all((np.isin(np.flatnonzero(groups == group), fold["test"])).all() for group in inside)


def test_a_time_budget_and_permuted_labels(waveform):
    X, y = waveform
    shuffled = rulesieve.evaluate(X, y, ["anova"], permute_labels=True, folds=5, n_features_to_select=5, points=1)
    assert abs(shuffled.table.loc["anova", "accuracy"] - 1 / 3) < 0.15
    with pytest.warns(RuntimeWarning, match="0 of 10 splits are done"):
        partial = rulesieve.evaluate(X, y, ["ldr-tsk-inductive"], time_budget=0.01)
    assert not partial.complete and partial.record["unfinished"][0] == "ldr-tsk-inductive"
    assert list(partial.table.index) == ["always the most frequent class"]


def test_times_samples_and_defaults(waveform):
    X, y = waveform
    dates = np.datetime64("2026-01-01") + np.arange(150)[::-1] // 3
    found = rulesieve.evaluate(X, y, ["anova"], times=dates, window=2, folds=4, n_features_to_select=5, estimator_rows=40)
    assert found.complete and found.record["estimator_rows"] == 40 and found.record["splits"].startswith("4 folds in the order of time")
    folds = found.record["methods"][0]["folds"]
    assert max(folds[-1]["test"]) < 40 and [fold["train_rows"] for fold in folds] == [30, 60, 60, 60]
    assert found.table.loc["anova", "roc_auc"] > 0.6 and found.folds["average_precision"].notna().all()
    with pytest.raises(ValueError, match="no value in row 0"):
        rulesieve.evaluate(X, y, ["anova"], times=[None, *range(149)])
    with pytest.raises(ValueError, match="window needs times"):
        rulesieve.evaluate(X, y, ["anova"], window=2)
    whole = rulesieve.evaluate(X, y, folds=3, n_features_to_select=5, costs=[1])
    assert list(whole.table.index[:4]) == ["sieve", "anova", "mutual-info", "mrmr"]


def test_stability_agrees_with_the_definition():
    # Definition of Nogueira's measure.
    chosen = np.asarray([[1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 0, 0]], dtype=bool)
    shares, m, d = chosen.mean(axis=0), 3, 4
    k = shares.sum() / d
    by_hand = 1 - (m / (m - 1) * shares * (1 - shares)).mean() / (k * (1 - k))
    masks = rulesieve.stability(list(chosen))
    indices = rulesieve.stability([np.flatnonzero(row) for row in chosen], 4)
    names = rulesieve.stability([["a", "b"], ["a", "c"], ["a", "b"]], 4)
    for table in (masks, indices, names):
        np.testing.assert_allclose(table["stability"].iloc[0], by_hand)
        assert table["low"].iloc[0] <= by_hand <= table["high"].iloc[0]
    several = rulesieve.stability({"one": list(chosen), "two": list(chosen[:2])})
    assert list(several.index) == ["one", "two"] and several.loc["two", "selections"] == 2
    assert np.isnan(rulesieve.stability([[0]], 3)["stability"].iloc[0])
    with pytest.raises(ValueError, match="n_features"):
        rulesieve.stability([[0], [1]])
    with pytest.raises(ValueError, match="twice"):
        rulesieve.stability([[0, 0], [1]], 3)


def test_options_of_sweeps(waveform):
    from rulesieve import distributed

    found = distributed.sweep({"one": waveform, "two": waveform}, ["anova", "relieff"], folds=np.int64(3), points=1, n_jobs=1,
                              n_features_to_select=np.int64(5))
    scores = {name: one.table["accuracy"] for name, one in found.items()}
    assert set(rulesieve.compare(scores).record["methods"]) >= {"anova", "relieff", "all features"}


def test_none_in_a_grid_is_the_default_of_the_method(waveform):
    found = rulesieve.evaluate(*waveform, {"ldr-tsk": {"rules": [None, 3], "iterations": 5, "alpha": 1, "beta": 1, "gamma": 1}},
                               protocol="paper", folds=3)
    assert [point["params"]["rules"] for point in found.record["methods"][0]["grid"]] == ["auto", 3]


def test_comparisons_of_score_tables():
    scores = {f"set {n}": {"a": 0.9 + 0.001 * n, "b": 0.5 + 0.01 * n} for n in range(12)}
    found = rulesieve.compare(scores, control="b")
    assert list(found.table.index) == ["a", "b"] and found.table.loc["a", "better"] == 12
    with pytest.raises(ValueError, match="lacks"):
        rulesieve.compare({"one": {"a": 1, "b": 2}, "two": {"a": 1, "b": 2, "c": 3}})


def test_without_pandas_frames_are_lists_of_dicts(found, monkeypatch):
    import builtins

    real = builtins.__import__

    def without(name, *rest, **more):
        if name == "pandas":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    assert found.table[0]["method"] == "anova" and isinstance(found.folds[0]["accuracy"], float)
    X, y = rulesieve.load_table("waveform", samples=50)
    assert isinstance(X, np.ndarray) and X.shape == (50, 40)


def test_unconverged_svms_give_a_warning(waveform):
    plan = Plan(*waveform, ["anova"], folds=2, n_features_to_select=3, costs=[1])
    engine = plan.evaluation()
    engine.run_all(1, None)
    record = json.loads(engine.summary())
    # The limit of steps is too high to be reached in a test.
    record["warnings"].append({"kind": "svm-not-converged", "fits": 3})
    with pytest.warns(ConvergenceWarning, match="did not converge in 3 fits") as issued:
        plan.result(SimpleNamespace(summary=lambda: json.dumps(record)))
    assert issued[0].filename == __file__


def test_plots(found, waveform):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    selector = rulesieve.LdrTskSelector("one-se", iterations=10).fit(*waveform)
    bars = plots.plot_scores(selector, top=7)
    assert len(bars.patches) == 7
    assert max(patch.get_width() for patch in bars.patches) == selector.scores_.max()
    lines = plots.plot_trace(selector)
    assert len(lines.lines) == len(selector.trace_)
    assert plots.plot_size(selector).get_xlabel() == "features"
    assert len(plots.plot_evaluation(found).patches) == 5
    assert len(plots.plot_curve(found).lines) == 2
    with pytest.raises(ValueError, match="does not iterate"):
        plots.plot_trace(Ranker("anova").fit(*waveform))
    matplotlib.pyplot.close("all")
