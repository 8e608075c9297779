"""Results on held-out rows: at chance on noise, high on signal, and the same as on the command line."""

import json
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from conftest import table_file

import rulesieve
from rulesieve import InductiveLdrTskClassifier, InductiveLdrTskRegressor

QUICK = {"steps": 100, "starts": 2}


def table(rows=100, columns=30, seed=0):
    rng = np.random.default_rng(seed)
    names = [f"x{at}" for at in range(columns)]
    return pd.DataFrame(rng.uniform(-1, 1, (rows, columns)), columns=names)


def classifier(**params):
    return InductiveLdrTskClassifier(**{"method": "anova", "rules": 4, "rule_params": QUICK, **params})


def test_noise_gives_a_warning():
    X, y = table(columns=200), np.arange(100) % 2
    with pytest.warns(UserWarning, match="no better than chance on 100 held-out rows"):
        model = classifier(n_features_to_select=20).fit(X, y)
    found = model.held_out_
    assert found["rows"] == 100 and found["chance_accuracy"] == 0.5 and not found["better_than_chance"]
    assert abs(found["accuracy"] - 0.5) <= 0.15
    assert any("no better than chance" in warning for warning in model.warnings_)
    assert pickle.loads(pickle.dumps(model)).held_out_ == found


def test_signal_gives_no_warning():
    X = table(columns=8)
    with warnings.catch_warnings():
        warnings.simplefilter("error", rulesieve.DataWarning)
        model = classifier(n_features_to_select=1).fit(X, (X["x3"] + 0.05 * X["x1"] > 0).astype(int))
        numbers = InductiveLdrTskRegressor(2, rule_params=QUICK)
        numbers.fit(X, 10 + 3 * X["x3"] + 0.1 * X["x1"])
    assert model.held_out_["accuracy"] > 0.85 and model.held_out_["better_than_chance"]
    assert numbers.held_out_["r2"] > 0.5 and numbers.held_out_["rmse"] < numbers.held_out_["chance_rmse"]


def test_held_out_results_are_optional_and_removed_by_partial_fit():
    X = table(columns=4)
    y = (X["x0"] > 0).astype(int)
    assert classifier(held_out=False).fit(X, y).held_out_ is None
    model = classifier().partial_fit(X, y, classes=[0, 1])
    assert model.held_out_["rows"] == 100
    assert model.partial_fit(X, y).held_out_ is None


def test_rows_repeated_by_weights_are_held_out_together():
    X, y = table(rows=40, columns=3), np.arange(40) % 2
    with pytest.warns(UserWarning, match="no better than chance on 40 held-out rows"):
        model = classifier(rules=8).fit(X, y, sample_weight=np.full(40, 3))
    assert model.training_["samples"] == 120


@pytest.mark.filterwarnings("ignore::rulesieve.DataWarning")
def test_the_command_line_gives_the_same_results(tmp_path, command_line):
    X = table(columns=5)
    y = pd.Series(np.where(X["x0"] * X["x1"] > 0, "same", "other"), name="t")
    model = classifier(n_features_to_select=2).fit(X, y)
    path = table_file(tmp_path / "t.csv", X, y)
    line = ["train", path, "-t", "t", "-m", "anova", "--top", 2, "--model", tmp_path / "m.json", "--json", "--rule-param", "rules=4"]
    printed = json.loads(command_line(*line, *(f"--rule-param={name}={value}" for name, value in QUICK.items())))
    assert printed["held_out"] == pytest.approx(model.held_out_)
    assert InductiveLdrTskClassifier.load(tmp_path / "m.json").held_out_ == pytest.approx(model.held_out_)
