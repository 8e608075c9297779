"""Integration with scikit-learn: pipelines, searches, clones, outputs, pickles."""

import pickle

import joblib
import numpy as np
import pandas
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.feature_selection import SelectFromModel
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import SVC

from rulesieve import InductiveLdrTskClassifier, InductiveLdrTskSelector, LdrTskSelector, Ranker

pytestmark = pytest.mark.filterwarnings("ignore::rulesieve.DataWarning")


def quick():
    return InductiveLdrTskClassifier(4, rules=4, rule_params={"steps": 60})


def test_a_grid_search_with_a_pipeline_on_two_cores(waveform):
    X, y = waveform
    pipeline = make_pipeline(MinMaxScaler(), LdrTskSelector(n_features_to_select=20), SVC())
    search = GridSearchCV(pipeline, {"ldrtskselector__n_features_to_select": [2, 15], "svc__C": [1, 10]}, n_jobs=2, cv=3)
    search.fit(X, y)
    assert search.best_score_ > 0.65
    assert search.best_params_["ldrtskselector__n_features_to_select"] == 15
    alone = GridSearchCV(pipeline, search.param_grid, cv=3).fit(X, y)
    np.testing.assert_array_equal(alone.cv_results_["mean_test_score"], search.cv_results_["mean_test_score"])


def test_cross_validation_and_clones(waveform):
    X, y = waveform
    scores = cross_val_score(quick(), X, y, cv=3, n_jobs=2)
    assert scores.mean() > 0.6
    fitted = quick().fit(X, y)
    copy = clone(fitted)
    assert not hasattr(copy, "model_json_") and copy.get_params() == fitted.get_params()
    kept = SelectFromModel(quick(), max_features=3, threshold=-np.inf).fit(X, y).transform(X)
    assert kept.shape == (150, 3)


def test_column_transformer(waveform):
    X, y = waveform
    first = list(X.columns[:20])
    columns = ColumnTransformer([("some", Ranker("anova", 3), first)], remainder="drop", verbose_feature_names_out=False)
    kept = columns.set_output(transform="pandas").fit_transform(X, y)
    assert kept.shape == (150, 3) and set(kept.columns) <= set(first)


@pytest.mark.parametrize("output", ["pandas", "polars"])
def test_outputs_keep_column_names(output, waveform):
    X, y = waveform
    if output == "polars":
        polars = pytest.importorskip("polars")
        X = polars.from_pandas(X)
    selector = Ranker("anova", 3).set_output(transform=output).fit(X, y)
    kept = selector.transform(X)
    assert type(kept).__module__.startswith(output)
    assert list(kept.columns) == selector.get_feature_names_out().tolist()
    assert sorted(kept.columns) == sorted(selector.selected_)
    np.testing.assert_array_equal(np.asarray(kept), np.asarray(X)[:, selector.get_support()])


def test_numeric_columns_of_a_polars_frame_stay_numeric_in_pandas(penguins):
    polars = pytest.importorskip("polars")
    X = penguins[0].assign(year=np.arange(len(penguins[0])))
    selector = Ranker("anova", 1.0, missing="median", keep_suspicious=True).set_output(transform="pandas").fit(polars.from_pandas(X), penguins[1])
    kept = selector.transform(polars.from_pandas(X))
    numbers = X.select_dtypes("number").columns
    assert kept[numbers].dtypes.tolist() == X[numbers].dtypes.tolist()
    np.testing.assert_array_equal(kept[numbers].to_numpy(), X[numbers].to_numpy())
    assert kept["island"].tolist() == X["island"].tolist()


def test_a_polars_frame_keeps_its_types(penguins):
    polars = pytest.importorskip("polars")
    X = polars.from_pandas(penguins[0])
    selector = InductiveLdrTskSelector(3, steps=60, missing="median").set_output(transform="polars").fit(X, penguins[1])
    kept = selector.transform(X)
    assert kept.schema == X.select([name for name in X.columns if name in selector.selected_]).schema


def test_a_frame_keeps_categories(penguins):
    X, y = penguins
    selector = InductiveLdrTskSelector(3, steps=60, missing="median").set_output(transform="pandas").fit(X, y)
    kept = selector.transform(X)
    pandas.testing.assert_frame_equal(kept, X[[name for name in X.columns if name in selector.selected_]])
    assert selector.inverse_transform(np.ones((2, 3))).shape == (2, 7)


@pytest.mark.parametrize("estimator", [quick(), LdrTskSelector(3, iterations=10), Ranker("relieff", 3)])
def test_pickles_contain_only_arrays_and_json(estimator, waveform, tmp_path):
    X, y = waveform
    fitted = estimator.fit(X, y)
    plain = (np.ndarray, str, int, float, bool, list, dict, type(None))
    for name, value in fitted.__getstate__().items():
        assert isinstance(value, plain), f"{name} is a {type(value)}"
    joblib.dump(fitted, tmp_path / "model.joblib")
    for again in (pickle.loads(pickle.dumps(fitted)), joblib.load(tmp_path / "model.joblib")):
        np.testing.assert_array_equal(again.scores_, fitted.scores_)
        assert again.selected_ == fitted.selected_
        if hasattr(fitted, "predict_proba"):
            np.testing.assert_array_equal(again.predict_proba(X), fitted.predict_proba(X))


def test_threads_and_seeds(waveform):
    X, y = waveform
    fits = [InductiveLdrTskSelector(steps=60, n_jobs=jobs, random_state=3).fit(X, y).scores_ for jobs in (None, 1, 2, -1)]
    assert all(np.array_equal(fits[0], scores) for scores in fits)
    other = InductiveLdrTskSelector(steps=60, random_state=4).fit(X, y).scores_
    assert not np.array_equal(fits[0], other)
    drawn = [InductiveLdrTskSelector(steps=60, random_state=np.random.RandomState(1)).fit(X, y).scores_ for _ in range(2)]
    assert np.array_equal(*drawn)
    free = [InductiveLdrTskSelector(steps=60, random_state=None).fit(X, y).scores_ for _ in range(2)]
    assert not np.array_equal(*free)


@pytest.mark.parametrize("text", ["{}", "nonsense", ""])
def test_invalid_models_are_not_loaded(text, tmp_path):
    (tmp_path / "model.json").write_text(text)
    with pytest.raises(ValueError, match="^this is not a model of rulesieve: (?!ValueError)"):
        InductiveLdrTskClassifier.load(tmp_path / "model.json")
