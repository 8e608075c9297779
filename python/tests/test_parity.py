"""The command line and the package give bit-identical results for the same data, seed and options."""

import json

import numpy as np
import pytest
from conftest import table_file, without_seconds

import rulesieve
from rulesieve import (
    InductiveLdrTskClassifier,
    InductiveLdrTskRegressor,
    InductiveLdrTskSelector,
    LdrTskSelector,
    Ranker,
    SieveSelector,
)

pytestmark = pytest.mark.filterwarnings("ignore::rulesieve.DataWarning")

# Few iterations: the test compares bits, not quality.
QUICK = {
    "ldr-tsk-inductive": {"steps": 60},
    "ldr-tsk": {"iterations": 20},
    "dg-tsk": {"iterations": 10},
    "dg-aletsk": {"epochs": 2},
    "fsre-adatsk": {"iterations": 10},
    "htsk": {"epochs": 3},
    "tsk-srb": {"iterations": 3},
}


def selector(method, settings, **options):
    if method == "sieve":
        return SieveSelector(params=settings, **options)
    if method == "ldr-tsk":
        return LdrTskSelector(**settings, **options)
    if method == "ldr-tsk-inductive":
        return InductiveLdrTskSelector(**settings, **options)
    return Ranker(method, params=settings, **options)


@pytest.mark.parametrize("method", list(rulesieve.methods()))
def test_every_method_gives_the_same_ranking(method, tmp_path, waveform, command_line):
    X, y = waveform
    settings = QUICK.get(method, {})
    words = [f"--set={name}={value}" for name, value in settings.items()]
    found = json.loads(command_line("select", table_file(tmp_path / "t.csv", X, y), "--target", y.name, "--method", method,
                                    "--seed", 7, "--top", 6, "--json", *words))
    ours = selector(method, settings, n_features_to_select=6, random_state=7).fit(X, y)
    assert ours.selected_ == found["selected"]
    for ranked in found["ranking"]:
        at = X.columns.get_loc(ranked["feature"])
        assert (ours.ranking_[at], ours.scores_[at]) == (ranked["rank"], ranked["score"])
    assert without_seconds(json.loads(ours.selection_json_)) == without_seconds(found)


def test_tables_with_categories_and_missing_values(tmp_path, penguins, command_line):
    X, y = penguins
    file = table_file(tmp_path / "p.csv", X, y)
    for coding in ("one-hot", "ordinal"):
        found = json.loads(command_line("select", file, "--target", y.name, "--missing", "median", "--json", "--categorical-coding",
                                        coding, "--method", "ldr-tsk-inductive", "--set", "steps=60"))
        ours = InductiveLdrTskSelector(steps=60, missing="median", categorical_coding=coding).fit(X, y)
        assert without_seconds(json.loads(ours.selection_json_)) == without_seconds(found)


def test_models_are_the_same_and_interchangeable(tmp_path, penguins, command_line):
    X, y = penguins
    file = table_file(tmp_path / "p.csv", X, y)
    theirs = tmp_path / "theirs.json"
    command_line("train", file, "--target", y.name, "--missing", "median", "--top", 3, "--model", theirs, "--rule-param", "steps=100")
    ours = InductiveLdrTskClassifier(3, missing="median", rule_params={"steps": 100}).fit(X, y)
    assert without_seconds(json.loads(ours.model_json_)) == without_seconds(json.loads(theirs.read_text()))

    ours.save(tmp_path / "ours.json")
    answers = tmp_path / "answers.csv"
    command_line("predict", tmp_path / "ours.json", file, "--output", answers)
    predicted = [line.split(",")[0] for line in answers.read_text().splitlines()[1:]]
    assert predicted == ours.predict(X).tolist()

    loaded = InductiveLdrTskClassifier.load(theirs)
    assert loaded.feature_names_in_.tolist() == ours.selected_
    np.testing.assert_array_equal(loaded.predict_proba(X[ours.selected_]), ours.predict_proba(X))
    assert [str(rule) for rule in loaded.rules_] == [str(rule) for rule in ours.rules_]
    with pytest.raises(ValueError, match="classification"):
        InductiveLdrTskRegressor.load(theirs)


def test_selections_can_be_applied(tmp_path, waveform, command_line):
    X, y = waveform
    ours = Ranker("anova", n_features_to_select=4).fit(X, y)
    ours.save_selection(tmp_path / "s.json")
    command_line("apply", tmp_path / "s.json", table_file(tmp_path / "t.csv", X, y), "--output", tmp_path / "r.csv")
    head = (tmp_path / "r.csv").read_text().splitlines()[0].split(",")
    assert set(ours.selected_) <= set(head) and len(head) <= 5


def test_regression(tmp_path, command_line):
    X, y = rulesieve.load_table("friedman", samples=200)
    file = table_file(tmp_path / "f.csv", X, y)
    command_line("train", file, "--target", y.name, "--task", "regression", "--top", 5, "--model", tmp_path / "m.json",
                 "--rule-param", "steps=60")
    ours = InductiveLdrTskRegressor(5, rule_params={"steps": 60}).fit(X, y)
    assert without_seconds(json.loads(ours.model_json_)) == without_seconds(json.loads((tmp_path / "m.json").read_text()))


def test_evaluations_are_the_same(tmp_path, waveform, command_line):
    X, y = waveform
    file = table_file(tmp_path / "t.csv", X, y)
    found = json.loads(command_line("evaluate", file, "--target", y.name, "--methods", "anova,relieff", "--folds", 4, "--curve",
                                    "--subsample", 3, "--grid", "relieff:neighbours=3,10", "--seed", 5, "--json"))
    ours = rulesieve.evaluate(X, y, {"anova": {}, "relieff": {"neighbours": [3, 10]}}, folds=4, curve=True, subsample=3,
                              random_state=5, n_jobs=2)
    assert without_seconds(ours.record) == without_seconds(found)
    found = json.loads(command_line("evaluate", file, "--target", y.name, "--methods", "ldr-tsk", "--protocol", "paper", "--folds",
                                    3, "--grid", "ldr-tsk:alpha=1,10", "--set", "ldr-tsk:beta=1", "--set", "ldr-tsk:gamma=1",
                                    "--set", "ldr-tsk:iterations=10", "--estimator", "knn", "--json"))
    ours = rulesieve.evaluate(X, y, {"ldr-tsk": {"alpha": [1, 10], "beta": 1, "gamma": 1, "iterations": 10}}, protocol="paper",
                              folds=3, estimator="knn")
    assert without_seconds(ours.record) == without_seconds(found)


@pytest.mark.parametrize("size", ["auto", "3", "1/3", "0.25", "1.0", "one-se", "best", "elbow", "tolerance=0.02", "native"])
def test_sizes_are_the_same(tmp_path, waveform, command_line, size):
    X, y = waveform
    file = table_file(tmp_path / "t.csv", X, y)
    found = json.loads(command_line("select", file, "--target", y.name, "--method", "sieve", "--size", size, "--json"))
    assert list(Ranker("sieve", size).fit(X, y).selected_) == found["selected"]
    found = json.loads(command_line("evaluate", file, "--target", y.name, "--methods", "anova", "--folds", 3, "--inner", 2,
                                    "--size", size, "--json"))
    ours = rulesieve.evaluate(X, y, ["anova"], folds=3, inner=2, n_features_to_select=size)
    assert without_seconds(ours.record) == without_seconds(found)


@pytest.mark.parametrize("option, values", [
    ("estimator", ["svm", "knn", "tsk", "htsk"]),
    ("class_order", ["alphabetical", "appearance"]),
    ("protocol", ["nested", "paper", "paper-per-fold", "paper-as-run", "paper-as-run-per-fold"]),
    ("kernel", ["linear", "rbf"]),
    ("gamma", ["scale", "auto", "0.05", "1e-3"]),
])
def test_option_values_are_the_same(tmp_path, waveform, command_line, option, values):
    X, y = waveform
    file = table_file(tmp_path / "t.csv", X, y)
    for value in values:
        found = json.loads(command_line("evaluate", file, "--target", y.name, "--methods", "anova", "--folds", 2,
                                        "--top", 3, f"--{option.replace('_', '-')}", value, "--json"))
        ours = rulesieve.evaluate(X, y, ["anova"], folds=2, n_features_to_select=3, **{option: value})
        assert without_seconds(ours.record) == without_seconds(found), value


def test_comparisons_are_the_same(tmp_path, command_line):
    import pandas

    rng = np.random.default_rng(0)
    scores = pandas.DataFrame(rng.random((9, 4)), columns=list("abcd"), index=[f"set {n}" for n in range(9)])
    scores.to_csv(tmp_path / "s.csv", index_label="data")
    found = json.loads(command_line("compare", tmp_path / "s.csv", "--control", "b", "--json"))
    assert rulesieve.compare(scores, control="b").record == found
    assert rulesieve.compare(scores.to_dict("index"), control="b").record == found
