"""The default method: interactions, noise, weights, equal results for equal data, and integration with scikit-learn."""

import json
import pickle
import warnings

import numpy as np
import pandas
import pytest
from conftest import table_file, without_seconds
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

import rulesieve
from rulesieve import InductiveLdrTskClassifier, InductiveLdrTskRegressor, Ranker, SieveSelector


@pytest.fixture(scope="module")
def xor():
    return rulesieve.load_table("xor", samples=400, features=12)


@pytest.fixture(scope="module")
def noise():
    return np.random.default_rng(3).normal(size=(100, 20)), np.arange(100) % 2


def same(one, other):
    """Whether two fits give the same results."""
    for name in ("ranking_", "scores_", "p_values_", "support_"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    assert one.held_out_ == other.held_out_


def test_the_pair_of_xor_is_found(xor):
    with warnings.catch_warnings():
        warnings.simplefilter("error", rulesieve.DataWarning)
        found = SieveSelector().fit(*xor)
    assert sorted(found.selected_) == ["x1", "x2"]
    first, second, p_value = found.pairs_[0]
    assert (first, second) == ("x1", "x2") and p_value < 1e-6
    assert found.p_values_.shape == (12,) and (found.p_values_[:2] < 1e-6).all() and (found.p_values_[2:] > 0.01).all()
    assert found.held_out_["rows"] == 400 and found.held_out_["accuracy"] > 0.8 and found.held_out_["better_than_chance"]
    assert isinstance(found.tested_, str) and "pairs" in found.tested_


def test_the_ranking_follows_the_record_instead_of_the_scores(waveform):
    X, y = waveform
    found = SieveSelector().fit(X, y)
    record = json.loads(found.selection_json_)
    best_first = [X.columns[at] for at in np.argsort(found.ranking_)]
    assert best_first == [ranked["feature"] for ranked in record["ranking"]]
    assert best_first[:found.n_features_] == found.selected_
    assert sorted(found.ranking_) == list(range(1, X.shape[1] + 1))


@pytest.mark.parametrize("estimator", [
    SieveSelector(),
    Ranker("sieve"),
    InductiveLdrTskClassifier(rules=2, rule_params={"steps": 20}),
    InductiveLdrTskClassifier(rules=2, rule_params={"steps": 20}, held_out=False),
])
def test_noise_gives_one_warning(estimator, noise):
    with warnings.catch_warnings(record=True) as issued:
        warnings.simplefilter("always")
        estimator.fit(*noise)
    chance = [one for one in issued if "no better than chance on 100 held-out rows" in str(one.message)]
    assert len(chance) == 1 and issubclass(chance[0].category, rulesieve.DataWarning) and issubclass(chance[0].category, UserWarning)
    assert any("no better than chance" in warning for warning in estimator.warnings_)


def test_held_out_results_on_noise_are_at_chance(noise):
    with pytest.warns(UserWarning, match="no better than chance"):
        found = SieveSelector().fit(*noise)
    assert not found.held_out_["better_than_chance"] and abs(found.held_out_["accuracy"] - 0.5) <= 0.15
    assert found.pairs_ == []


@pytest.mark.filterwarnings("ignore::rulesieve.DataWarning")
def test_weights(waveform):
    X, y = waveform
    weights = np.random.default_rng(0).integers(0, 4, len(X))
    weighted = SieveSelector().fit(X, y, sample_weight=weights)
    same(weighted, SieveSelector().fit(X.loc[X.index.repeat(weights)], np.repeat(y, weights)))
    rng = np.random.default_rng(1)
    x = rng.normal(size=(400, 6))
    first = np.arange(400) < 200
    # The target depends on column 0 in the first half of the rows, and on column 1 in the second half.
    label = np.where(first, x[:, 0] > 0, x[:, 1] > 0)
    for heavy, best in ((first, 0), (~first, 1)):
        found = SieveSelector(1).fit(x, label, sample_weight=np.where(heavy, 0.99, 0.01))
        assert found.ranking_[best] == 1
        assert not any("counts all rows the same" in warning for warning in found.warnings_)


@pytest.mark.filterwarnings("ignore::rulesieve.DataWarning")
def test_class_weights(waveform):
    X, y = waveform
    rare = np.flatnonzero((y != y.max()) | (np.arange(len(y)) % 5 == 0))
    X, y = X.iloc[rare], y.iloc[rare]
    equal, balanced = (SieveSelector(class_weight=weight).fit(X, y) for weight in (None, "balanced"))
    assert json.loads(balanced.selection_json_)["params"]["weights"] == "balanced"
    assert not np.array_equal(equal.scores_, balanced.scores_)
    for wrong in ("heavy", {0: 1.0}):
        with pytest.raises(ValueError, match="class_weight=.* is not allowed; it must be None or 'balanced'"):
            SieveSelector(class_weight=wrong).fit(X, y)
    with pytest.raises(ValueError, match="class_weight='balanced' and the parameter 'weights' cannot be combined"):
        SieveSelector(class_weight="balanced", params={"weights": "equal"}).fit(X, y)


@pytest.mark.filterwarnings("ignore::rulesieve.DataWarning")
@pytest.mark.parametrize("table", ["waveform", "xor", "friedman"])
def test_frames_and_arrays_give_equal_results(table):
    X, y = rulesieve.load_table(table, samples=200)
    array = SieveSelector().fit(X.to_numpy(), np.asarray(y))
    same(SieveSelector().fit(X, y), array)
    names = np.random.default_rng(5).permutation([f"{letter}{number}" for letter in "qzam" for number in range(300, 400)])
    renamed = X.set_axis(names[:X.shape[1]], axis=1)
    found = SieveSelector().fit(renamed, y)
    same(found, array)
    places = renamed.columns.get_indexer(found.selected_)
    assert [f"x{at}" for at in places] == array.selected_
    pairs = [{*renamed.columns.get_indexer(pair[:2])} for pair in found.pairs_]
    assert pairs == [{int(name[1:]) for name in pair[:2]} for pair in array.pairs_]
    order = np.random.default_rng(6).permutation(X.shape[1])
    mixed = SieveSelector().fit(renamed.iloc[:, order], y)
    np.testing.assert_array_equal(mixed.ranking_, found.ranking_[order])
    np.testing.assert_array_equal(mixed.p_values_, found.p_values_[order])


@pytest.mark.filterwarnings("ignore::rulesieve.DataWarning")
def test_excluded_columns_have_p_value_1(xor):
    X, y = xor
    X = X.assign(id=np.arange(len(X)))[["id", *X.columns]]
    found = SieveSelector().fit(X, y)
    with pytest.warns(FutureWarning, match="excluded_"):
        assert found.set_aside_ == found.excluded_
    assert found.excluded_ == {"id": "row-number"} and sorted(found.selected_) == ["x1", "x2"]
    assert (found.p_values_[0], found.scores_[0], found.ranking_[0]) == (1.0, 0.0, 13)


def test_pickles_and_pipelines(xor):
    X, y = xor
    found = SieveSelector().fit(X, y)
    again = pickle.loads(pickle.dumps(found))
    same(again, found)
    assert (again.pairs_, again.tested_, again.selected_) == (found.pairs_, found.tested_, found.selected_)
    pipeline = make_pipeline(SieveSelector(), SVC())
    assert cross_val_score(pipeline, X, y, cv=3).mean() > 0.85
    kept = SieveSelector(3).set_output(transform="pandas").fit(X, y).transform(X)
    assert kept.shape == (400, 3) and {"x1", "x2"} < set(kept.columns)


def test_regression():
    X, y = rulesieve.load_table("friedman", samples=300)
    found = SieveSelector().fit(X, y)
    assert {"x1", "x2", "x4"} <= set(found.selected_) <= {"x1", "x2", "x3", "x4", "x5"}
    assert found.held_out_["r2"] > 0.5 and found.held_out_["rmse"] < found.held_out_["chance_rmse"]
    model = InductiveLdrTskRegressor(rules=4).fit(X[:200], y[:200])
    assert model.score(X[200:], y[200:]) > 0.6 and {"x1", "x2", "x4"} <= set(model.selected_)


def test_methods_without_tests_have_no_p_values(waveform):
    found = Ranker("anova", 3).fit(*waveform)
    assert (found.p_values_, found.pairs_, found.tested_, found.held_out_) == (None, [], None, None)


@pytest.mark.filterwarnings("ignore::rulesieve.DataWarning")
def test_groups_of_columns(xor):
    X, y = xor
    found = SieveSelector(feature_groups=[["x1", "x3"], ["x2", "x4"]]).fit(X, y)
    assert sorted(found.selected_) == ["x1", "x2", "x3", "x4"]


@pytest.mark.filterwarnings("ignore::rulesieve.DataWarning")
@pytest.mark.parametrize("estimator", [SieveSelector(), Ranker("sieve"), InductiveLdrTskClassifier(rules=4, rule_params={"steps": 300})])
def test_blocks_of_dask(estimator, xor):
    dask = pytest.importorskip("dask.array")
    X, y = xor
    estimator.fit(dask.from_array(X.to_numpy(), chunks=(150, 12)), dask.from_array(y.to_numpy(), chunks=150))
    assert sorted(estimator.selected_) == ["x0", "x1"] and estimator.pairs_[0][:2] == ("x0", "x1")


def test_other_methods_reject_blocks(xor):
    dask = pytest.importorskip("dask.array")
    X, y = xor
    blocks = dask.from_array(X.to_numpy(), chunks=(150, 12)), dask.from_array(y.to_numpy(), chunks=150)
    with pytest.raises(ValueError, match="read in pieces; use 'sieve' or 'ldr-tsk-inductive'$"):
        InductiveLdrTskClassifier(method="anova").fit(*blocks)


@pytest.mark.filterwarnings("ignore::rulesieve.DataWarning")
def test_the_command_line_has_the_same_defaults(tmp_path, penguins, command_line):
    X, y = penguins
    file = table_file(tmp_path / "p.csv", X, y)
    theirs = json.loads(command_line("select", file, "--target", y.name, "--missing", "median", "--json"))
    ours = SieveSelector(missing="median").fit(X, y)
    assert theirs["method"] == "sieve" and ours.pairs_ == [(*pair["features"], pair["p_value"]) for pair in theirs.get("pairs", [])]
    assert without_seconds(json.loads(ours.selection_json_)) == without_seconds(theirs)
    other = json.loads(command_line("select", file, "--target", y.name, "--missing", "median", "--json", "--method", "anova"))
    assert Ranker("anova", missing="median").fit(X, y).selected_ == other["selected"]


@pytest.mark.filterwarnings("ignore::rulesieve.DataWarning")
def test_categories_and_missing_values(penguins):
    X, y = penguins
    holes = X.assign(island=X["island"].astype(object).where(X.index % 7 != 0, None))
    found = SieveSelector(missing="median").fit(holes, y)
    assert found.held_out_["accuracy"] > 0.9
    again = SieveSelector(missing="median").fit(pandas.DataFrame(holes).convert_dtypes(), y)
    same(found, again)
