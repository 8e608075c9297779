"""Input data: dtypes, memory orders, frames, missing values, and error messages."""

import json
import warnings

import numpy as np
import pandas
import pytest
import scipy.sparse
from sklearn.exceptions import ConvergenceWarning, NotFittedError

import rulesieve
from rulesieve import InductiveLdrTskClassifier, InductiveLdrTskRegressor, InductiveLdrTskSelector, LdrTskSelector, Ranker

QUICK = {"rules": 2, "rule_params": {"steps": 20}}
pytestmark = pytest.mark.filterwarnings("ignore::rulesieve.DataWarning")


def scores(X, y, **options):
    return Ranker("anova", **options).fit(X, y).scores_


def test_arrays_of_any_dtype_and_order(waveform, tmp_path):
    X, y = waveform
    x = np.round(X.to_numpy(), 1).astype(np.float32).astype(np.float64)
    expected = scores(x, y)
    np.save(tmp_path / "x.npy", x)
    locked = x.copy()
    locked.setflags(write=False)
    big = np.zeros((300, x.shape[1] * 2))
    big[::2, ::2] = x
    packed = np.zeros(x.shape, dtype=[("flag", "u1"), ("value", "f8")])
    packed["value"] = x
    assert not packed["value"].flags.aligned
    same = {
        "packed records": packed["value"],
        "Fortran order": np.asfortranarray(x),
        "float32": x.astype(np.float32),
        "locked": locked,
        "on disk": np.load(tmp_path / "x.npy", mmap_mode="r"),
        "with gaps": big[::2, ::2],
        "backwards": x[::-1][::-1],
        "big-endian": x.astype(">f8"),
        "list": x.tolist(),
        "objects": x.astype(object),
    }
    for name, other in same.items():
        np.testing.assert_array_equal(scores(other, y), expected, err_msg=name)
    np.testing.assert_allclose(scores(x[::-1, ::-1], y[::-1])[::-1], expected, rtol=1e-12)
    whole = np.round(x * 10).astype(np.int16)
    np.testing.assert_array_equal(scores(whole, y), scores(whole.astype(float), y))
    assert scores(whole > 0, y).shape == (x.shape[1],)


def test_the_engine_rejects_unsupported_arrays():
    from rulesieve import _engine

    packed = np.zeros((4, 2), dtype=[("flag", "u1"), ("value", "f8")])["value"]
    with pytest.raises(ValueError, match="aligned"):
        _engine.Table(["a", "b"], packed, [])
    with pytest.raises(ValueError, match="aligned"):
        _engine.Table([], np.empty((4, 0)), [("a", packed[:, 0])])
    with pytest.raises(ValueError, match="1 names for 2"):
        _engine.Table(["a"], np.zeros((4, 2)), [])


def test_a_contiguous_array_is_not_copied(waveform):
    X, y = waveform
    x = np.ascontiguousarray(X.to_numpy())
    from rulesieve._columns import read_features

    assert np.shares_memory(read_features(Ranker(), x, reset=True, allow_nan=False).array, x)


def test_labels_of_any_dtype(waveform):
    X, y = waveform
    codes = np.asarray(y).astype(int)
    expected = LdrTskSelector(iterations=5).fit(X, codes).scores_
    kinds = {
        "texts": np.asarray(["a", "b", "c"])[codes],
        "objects": np.asarray(["a", "b", "c"], dtype=object)[codes],
        "categories": pandas.Categorical.from_codes(codes, ["a", "b", "c"]),
        "floats": codes.astype(float),
        "far apart": codes * 1000 - 7,
        "nullable": pandas.array(codes, dtype="Int64"),
        "list": codes.tolist(),
    }
    for name, labels in kinds.items():
        np.testing.assert_array_equal(LdrTskSelector(iterations=5).fit(X, labels).scores_, expected, err_msg=name)
    both = InductiveLdrTskClassifier(2, rules=2, rule_params={"steps": 20}).fit(X, codes > 0)
    assert both.classes_.dtype == bool and both.predict(X).dtype == bool


LABELS = {
    "large and small": [5, 2**60 + 1],
    "beyond signed": np.asarray([5, 2**64 - 1], dtype=np.uint64),
    "ten and two": ["10", "2"],
    "like missing values": ["?", "nan"],
    "empty": ["", "a"],
    "like numbers": ["01", "1"],
    "like infinity": ["inf", "infinity"],
    "negative": [-3, 7],
    "fractions": [0.0, 1.0],
    "truth": [False, True],
    "other letters": ["é", "z"],
}


@pytest.mark.parametrize("kind", LABELS)
def test_classes_keep_their_names_and_order(kind, tmp_path):
    names = np.asarray(LABELS[kind])
    x = np.random.default_rng(0).normal(size=(120, 3))
    y = names[(x[:, 0] > 0).astype(int)]
    model = InductiveLdrTskClassifier(rules=2, rule_params={"steps": 60}).fit(x, y)
    assert model.score(x, y) > 0.9
    np.testing.assert_array_equal(model.classes_, np.unique(y))
    model.save(tmp_path / "model.json")
    again = InductiveLdrTskClassifier.load(tmp_path / "model.json")
    loaded = again.predict(x[:, [int(name[1:]) for name in model.selected_]])
    assert [str(one) for one in loaded.tolist()] == [str(one) if kind != "fractions" else str(int(one)) for one in model.predict(x).tolist()]
    partly = InductiveLdrTskClassifier(rules=2, rule_params={"steps": 60}).partial_fit(x, y, classes=names)
    assert partly.score(x, y) > 0.9
    assert json.loads(partly.selection_json_)["data"]["class_names"] == json.loads(model.selection_json_)["data"]["class_names"]


@pytest.mark.parametrize("y, task, words", [
    (np.arange(150) % 20, "classification", None),
    (np.arange(150.0) % 21 + 2, "regression", "more than 20 distinct numbers"),
    (np.arange(150.0) % 21, "classification", None),
    (np.arange(150) % 21 + 1, "classification", None),
    (np.arange(150) % 49, "regression", "more than 20 distinct numbers"),
    (np.where(np.arange(150) == 7, 2, np.arange(150) % 2), "regression", "numbers that occur once"),
    (np.arange(150) % 2 + 0.5, "regression", None),
    (pandas.Series(np.arange(150) % 21 + 2, dtype="Int64"), "regression", "more than 20 distinct numbers"),
    ((np.arange(150) % 21).astype(str), "classification", None),
    (np.where(np.arange(150) == 7, "c", "a"), "classification", None),
])
def test_the_task_is_inferred_as_on_the_command_line(waveform, y, task, words):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        selector = Ranker("anova", 3).fit(waveform[0], y)
    assert json.loads(selector.selection_json_)["data"]["task"] == task
    said = [str(one.message) for one in caught if str(one.message).startswith("task: ")]
    assert said == ([] if words is None else [f"task: regression (y has {words}); task='classification' reads them as classes"])


def test_the_regression_task_can_be_requested_for_integer_targets(waveform):
    X, _ = waveform
    assert Ranker("variance", 3, task="regression").fit(X, np.arange(150)).n_features_ == 3


def test_object_columns_have_the_type_of_their_cells(waveform):
    X, y = waveform
    some = X.iloc[:, :5]
    expected = scores(some, y)
    np.testing.assert_array_equal(scores(some.astype(object), y), expected)
    flags = pandas.DataFrame({"a": X["x1"] > 0, "b": X["x11"] > 2})
    np.testing.assert_array_equal(scores(flags, y), scores(flags.to_numpy(), y))
    np.testing.assert_array_equal(scores(flags.astype("boolean"), y), scores(flags, y))
    np.testing.assert_array_equal(scores(flags.assign(c="u"), y)[:2], scores(flags, y))
    model = InductiveLdrTskClassifier(rules=2, rule_params={"steps": 20}).fit(flags, y)
    np.testing.assert_array_equal(model.predict(flags.astype(int)), model.predict(flags))


def test_frames_of_pandas_and_polars_are_the_same(penguins):
    polars = pytest.importorskip("polars")
    X, y = penguins
    ours = InductiveLdrTskSelector(3, steps=60, missing="median").fit(X, y)
    nullable = X.convert_dtypes()
    texts = X.assign(island=X["island"].astype(object), sex=X["sex"].astype(object))
    for other in (nullable, texts, polars.from_pandas(X), polars.from_pandas(texts)):
        again = InductiveLdrTskSelector(3, steps=60, missing="median").fit(other, y)
        np.testing.assert_array_equal(again.scores_, ours.scores_)
        assert again.feature_names_in_.tolist() == list(X.columns)


def test_the_order_of_columns_and_the_position_of_copies_do_not_matter(penguins):
    X, y = penguins
    options = {"missing": "median", "rule_params": {"steps": 60}, "rules": 4}
    ours = InductiveLdrTskClassifier(3, **options).fit(X, y)
    mixed = InductiveLdrTskClassifier(3, **options).fit(X[X.columns[::-1]], y)
    assert mixed.selected_ == ours.selected_
    np.testing.assert_array_equal(mixed.predict_proba(X[X.columns[::-1]]), ours.predict_proba(X))
    rows = np.r_[np.arange(len(X)), np.arange(0, len(X), 5)]
    twice = InductiveLdrTskClassifier(3, **options).fit(X.iloc[np.sort(rows)], y.iloc[np.sort(rows)])
    np.random.default_rng(0).shuffle(rows)
    moved = InductiveLdrTskClassifier(3, **options).fit(X.iloc[rows], y.iloc[rows])
    np.testing.assert_array_equal(moved.predict_proba(X), twice.predict_proba(X))
    weighted = InductiveLdrTskClassifier(3, **options).fit(X, y, sample_weight=1 + (np.arange(len(X)) % 5 == 0))
    np.testing.assert_array_equal(weighted.predict_proba(X), twice.predict_proba(X))


def test_missing_values(waveform):
    X, y = waveform
    holes = X.copy()
    holes.iloc[3, 5] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        Ranker("anova", missing="error").fit(holes, y)
    expected = scores(holes.fillna(holes.median()), y)
    np.testing.assert_array_equal(scores(holes, y, missing="median"), expected)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        np.testing.assert_array_equal(scores(holes, y), expected)
    assert [str(one.message).partition(" were filled in")[0] for one in caught] == ["1 missing values in 1 columns"]
    assert str(caught[0].message).endswith("; missing='error' rejects them") and caught[0].category is rulesieve.DataWarning
    for missing in ("fill", "median"):
        model = InductiveLdrTskClassifier(3, rules=2, missing=missing, rule_params={"steps": 20}).fit(holes, y)
        assert model.predict(holes).shape == (150,)


def test_missing_categories_are_a_category_of_their_own():
    y = np.arange(60) % 2
    X = pandas.DataFrame({"kind": np.where(y == 1, None, np.where(np.arange(60) % 4 == 0, "u", "v"))})
    coded = X["kind"].fillna("none").to_frame()
    options = {"keep_suspicious": True}
    np.testing.assert_array_equal(scores(X, y, **options), scores(coded, y, **options))
    assert scores(X, y, missing="median", **options)[0] < scores(X, y, **options)[0]


def test_columns_without_values_are_excluded(waveform):
    X, y = waveform
    for column in (pandas.Series([None] * 150, dtype=object), pandas.Series([np.nan] * 150)):
        with pytest.warns(rulesieve.DataWarning, match="excluded as columns without values: t$"):
            assert Ranker("anova").fit(X.assign(t=column), y).excluded_ == {"t": "empty"}


def test_unknown_categories(penguins):
    X, y = penguins
    full = X.dropna()
    options = {"rule_params": {"steps": 20}, "rules": 2}
    model = InductiveLdrTskClassifier(1.0, missing="error", **options).fit(full, y[full.index])
    other = full.assign(island=full["island"].astype(object).where(full.index != 30, "Atlantis"))
    with pytest.raises(ValueError, match="Atlantis"):
        model.predict(other)
    for missing in ("fill", "median"):
        lenient = InductiveLdrTskClassifier(1.0, missing=missing, **options).fit(full, y[full.index])
        with pytest.warns(rulesieve.DataWarning, match=r"unknown to the model: 'Atlantis' in column 'island' \(1 rows\)"):
            assert lenient.predict(other).shape == (len(full),)


def test_a_model_that_drops_rows_does_not_predict_incomplete_ones(penguins, tmp_path):
    X, y = penguins
    full = X.dropna()
    model = InductiveLdrTskClassifier(1.0, rules=2, rule_params={"steps": 20}).fit(full, y[full.index])
    record = json.loads(model.model_json_)
    record["preprocessing"]["missing"] = "drop-rows"
    (tmp_path / "model.json").write_text(json.dumps(record))
    loaded = InductiveLdrTskClassifier.load(tmp_path / "model.json")
    np.testing.assert_array_equal(loaded.predict(full[full.columns[::-1]]), model.predict(full))
    with pytest.raises(ValueError, match="row 3 is incomplete"):
        loaded.predict(X)
    assert loaded.partial_fit(full, y[full.index]).training_["samples"] == 2 * len(full)


def test_a_failed_fit_sets_no_attributes(waveform):
    X, y = waveform
    model = InductiveLdrTskClassifier(2, rules=2, rule_params={"steps": 20}).fit(X, y)
    with pytest.raises(ValueError, match="steps"):
        model.set_params(rule_params={"steps": -1}).fit(X, y + 5)
    with pytest.raises(NotFittedError):
        model.predict(X)
    model.set_params(rule_params={"steps": 20}).fit(X.iloc[:, :4], y + 5)
    assert set(model.predict(X.iloc[:, :4])) <= {5.0, 6.0, 7.0} and model.n_features_in_ == 4


def weighed(X, y, others, class_weight=None):
    """Fits with weights of one except for `others`."""
    weights = [others.get(row, 1) for row in range(len(X))]
    return InductiveLdrTskClassifier(class_weight=class_weight, **QUICK).fit(X, y, sample_weight=weights)


REFUSED = [
    (lambda X, y: Ranker("anova").fit(scipy.sparse.csr_matrix(X), y), TypeError, "dense"),
    (lambda X, y: Ranker("anova").fit(X.where(X < 3, np.inf), y), ValueError, "infinity"),
    (lambda X, y: Ranker("anova", missing="error").fit(X.assign(t=[None, "u", "v"] * 50), y), ValueError,
     r"fill them in with missing='fill', or"),
    (lambda X, y: Ranker("anova", missing="error").fit(X.assign(t=[None] * 150).astype({"t": object}), y), ValueError,
     "no value at all; leave it out$"),
    (lambda X, y: Ranker("anova").fit(X.assign(day=pandas.Timestamp(0)), y), ValueError, "column 'day' holds"),
    (lambda X, y: Ranker("anova").fit(X.assign(day=pandas.Series([pandas.Timestamp(0)] * 150, dtype=object)), y), ValueError,
     "column 'day' holds Timestamp"),
    (lambda X, y: Ranker("anova").fit(X, [None] + ["a", "b"] * 74 + ["a"]), ValueError, "label of row 0 is missing"),
    (lambda X, y: InductiveLdrTskSelector(feature_groups=[0, 3]).fit(X, y), ValueError, "is not understood"),
    (lambda X, y: InductiveLdrTskSelector(feature_groups="x1").fit(X, y), ValueError, "is not understood"),
    (lambda X, y: InductiveLdrTskSelector(feature_groups=[["x1"], None]).fit(X, y), ValueError, "is not understood"),
    (lambda X, y: Ranker("anova", True).fit(X, y), ValueError, "n_features_to_select=True"),
    (lambda X, y: InductiveLdrTskClassifier(class_weight={0: 1, 1: 2, 2: 3}).fit(X, None), ValueError, "requires y"),
    (lambda X, y: InductiveLdrTskClassifier(class_weight="balanced").partial_fit(X, y, classes=[0, 1, 2]), ValueError, "class_weight"),
    (lambda X, y: rulesieve.stability([[0], [1]], 10**18), ValueError, "n_features=1000000000000000000"),
    (lambda X, y: rulesieve.evaluate(X, y, ["anova"], leave_one_out=True, groups=np.arange(150)), ValueError, "cannot be combined"),
    (lambda X, y: rulesieve.evaluate(X, y, ["anova"], repeats=2, groups=np.arange(150)), ValueError, "cannot be combined"),
    (lambda X, y: rulesieve.evaluate(X, y, ["anova"], estimator="knn", costs=[1]), ValueError, "costs does not apply to the estimator knn"),
    (lambda X, y: rulesieve.evaluate(X, y, ["anova"], neighbours=[1]), ValueError, "neighbours does not apply"),
    (lambda X, y: rulesieve.evaluate(X, y, ["anova"], kernel="linear", gamma=1), ValueError, "gamma does not apply to the linear kernel"),
    (lambda X, y: rulesieve.evaluate(X, y, ["anova"], gamma="big"), ValueError, "gamma: 'big' is not a valid gamma; use scale, auto"),
    (lambda X, y: rulesieve.evaluate(X, y, ["anova"], protocol="paper", inner=3), ValueError, "inner folds have nothing to choose"),
    (lambda X, y: rulesieve.evaluate(X, y, ["anova"], leave_one_out="no"), ValueError, "leave_one_out='no'"),
    (lambda X, y: rulesieve.stability({}), ValueError, "no selections"),
    (lambda X, y: rulesieve.load_table("penguins", as_frame=False), ValueError, "has categories"),
    (lambda X, y: LdrTskSelector(params={"alpha": 2}).fit(X, y), ValueError, "'alpha' in params is also"),
    (lambda X, y: InductiveLdrTskClassifier(rules=2, rule_params={"rules": 4}).fit(X, y), ValueError, "'rules' in rule_params is also"),
    (lambda X, y: InductiveLdrTskClassifier().partial_fit(X, None, classes=[0, 1]), ValueError, "requires y"),
    (lambda X, y: rulesieve.evaluate(X, y, ["anova"], folds=-3), ValueError, "folds=-3"),
    (lambda X, y: Ranker("anova").fit(X, None), ValueError, "requires y"),
    (lambda X, y: Ranker("anova").fit(X, np.zeros(150)), ValueError, "single class.*; give another y$"),
    (lambda X, y: Ranker("anova").fit(X, np.full(150, 0.5)), ValueError, "give another y$"),
    (lambda X, y: Ranker("fsor").fit(X, np.linspace(0, 1, 150)), ValueError, "continuous"),
    (lambda X, y: Ranker("anova", task="classification").fit(X, np.linspace(0, 1, 150)), ValueError, "continuous"),
    (lambda X, y: Ranker("anova").fit(X, y[:-1]), ValueError, "inconsistent"),
    (lambda X, y: Ranker("anova").fit(X.to_numpy()[:, :0], y), ValueError, "0 feature"),
    (lambda X, y: Ranker("anova").fit(X[[]], y), ValueError, r"0 feature\(s\) \(shape=\(150, 0\)\)"),
    (lambda X, y: Ranker("anova").fit(X.rename(columns={"x1": "x2"}), y), ValueError, "X has 2 columns 'x2'; rename all but one"),
    (lambda X, y: Ranker("anova").fit(X.rename(columns={"x1": "x2"}).assign(k="u"), y), ValueError, "X has 2 columns 'x2';"),
    (lambda X, y: weighed(X, y, {4: -1}), ValueError, "the weight of row 4 is -1.0; sample_weight and class_weight must be finite"),
    (lambda X, y: weighed(X, y, {}, class_weight={0: 1, 1: 1, 2: np.nan}), ValueError, "the weight of row . is nan; sample_weight and"),
    (lambda X, y: weighed(X, y, {}, class_weight="heavy"), ValueError, "class_weight='heavy' is not allowed; it must be None, 'bal"),
    (lambda X, y: weighed(X, y, {}, class_weight=[1, 2, 3]), ValueError, r"class_weight=\[1, 2, 3\] is not allowed"),
    (lambda X, y: LdrTskSelector(time_budget="1 h").fit(X, y), ValueError, "time_budget='1 h' is not allowed; it must be a number of"),
    (lambda X, y: Ranker(["anova"]).fit(X, y), ValueError, r"there is no method \['anova'\]"),
    (lambda X, y: InductiveLdrTskClassifier().partial_fit(X, y, classes=[0, 1, 2, np.nan]), ValueError, "Input classes contains NaN"),
    (lambda X, y: Ranker("nonsense").fit(X, y), ValueError, "no method 'nonsense'"),
    (lambda X, y: Ranker("anova", 0).fit(X, y), ValueError, "at least 1"),
    (lambda X, y: Ranker("anova", 1.5).fit(X, y), ValueError, "a fraction of 1.5 is not allowed"),
    (lambda X, y: Ranker("anova", "soon").fit(X, y), ValueError, "'soon' is not a size; use auto, a whole number"),
    (lambda X, y: Ranker("anova", "native").fit(X, y), ValueError, "no rule of its own"),
    (lambda X, y: Ranker("relieff", params={"neighbors": 3}).fit(X, y), ValueError, "no parameter 'neighbors'"),
    (lambda X, y: Ranker("relieff", params=[3]).fit(X, y), ValueError, "params must be a dict"),
    (lambda X, y: LdrTskSelector(alpha=-1).fit(X, y), ValueError, "alpha = -1"),
    (lambda X, y: LdrTskSelector(alpha="much").fit(X, y), ValueError, "alpha = much"),
    (lambda X, y: LdrTskSelector(d=10**9).fit(X, y), ValueError, "d = "),
    (lambda X, y: LdrTskSelector(missing="zero").fit(X, y), ValueError, "missing='zero'"),
    (lambda X, y: LdrTskSelector(random_state=-1).fit(X, y), ValueError, "random_state"),
    (lambda X, y: LdrTskSelector(time_budget=-1).fit(X, y), ValueError, "time budget of -1"),
    (lambda X, y: InductiveLdrTskSelector(task="ranking").fit(X, y), ValueError, "task='ranking'"),
    (lambda X, y: InductiveLdrTskSelector(feature_groups=[["x1", "z"]]).fit(X, y), ValueError, "names 'z'"),
    (lambda X, y: InductiveLdrTskSelector(feature_groups=[[0, 99]]).fit(X, y), ValueError, "names column 99"),
    (lambda X, y: rulesieve.load_table("pinguins"), ValueError, "no built-in table"),
    (lambda X, y: rulesieve.evaluate(X, y, ["anova", "anova"]), ValueError, "named twice"),
    (lambda X, y: rulesieve.evaluate(X, y, ["anova"], time_budget="1 h"), ValueError, "time_budget='1 h' is not allowed"),
    (lambda X, y: rulesieve.evaluate(X, y, ["anova"], estimator="oracle"), ValueError, "'oracle' is not a valid estimator; use svm, knn, tsk, htsk"),
    (lambda X, y: rulesieve.evaluate(X, y, ["anova"], groups=[1, 2]), ValueError, "2 entries for 150"),
]


def test_masked_values_are_missing(waveform):
    X, y = waveform
    x = X.to_numpy()[:, :6]
    masked = np.ma.masked_where(x > 4, x)
    holes = np.where(x > 4, np.nan, x)
    np.testing.assert_array_equal(scores(masked, y, missing="median"), scores(holes, y, missing="median"))
    np.testing.assert_array_equal(scores(np.ma.masked_array(x), y), scores(x, y))
    with pytest.raises(ValueError, match="contains NaN: column"):
        scores(masked, y, missing="error")
    with pytest.raises(ValueError, match="label of row 3 is missing"):
        scores(x, np.ma.masked_array(y, mask=np.arange(150) == 3))


TIMES = np.datetime64("2026-01-01") + np.arange(150)


@pytest.mark.parametrize("call, words", [
    (lambda x, y: Ranker("anova").fit(np.column_stack([TIMES, TIMES]), y), r"X holds datetime64\[D\]"),
    (lambda x, y: Ranker("anova").fit(np.column_stack([TIMES - TIMES[0]]), y), r"X holds timedelta64\[D\]"),
    (lambda x, y: InductiveLdrTskRegressor(**QUICK).fit(x, TIMES), r"y holds datetime64\[D\]"),
    (lambda x, y: InductiveLdrTskSelector(task="regression").fit(x, pandas.Series(TIMES)), "y holds datetime64"),
    (lambda x, y: InductiveLdrTskClassifier(**QUICK).fit(blocks(x * 1j), blocks(y)), "X holds complex128"),
    (lambda x, y: InductiveLdrTskRegressor(**QUICK).fit(blocks(x), blocks(TIMES)), r"y holds datetime64\[D\]"),
])
def test_lossy_conversions_of_numpy_are_rejected(call, words, waveform):
    X, y = waveform
    with pytest.raises(ValueError, match=words):
        call(X.to_numpy()[:, :3], y.to_numpy())


def blocks(array):
    dask = pytest.importorskip("dask.array")
    return dask.from_array(array, chunks=(50, *array.shape[1:]))


def spoiled(X, value, row=7, column="x3"):
    """The table with one invalid value."""
    X = X.astype({column: object} if isinstance(value, str) else {})
    X.loc[row, column] = value
    return X


PLACES = [
    (lambda X, y: Ranker("anova", missing="error").fit(spoiled(X, np.nan), y),
     r"column 'x3' is missing in row 7 \(1 missing values in 1 columns\); fill them in, fit with missing='fill'"),
    (lambda X, y: Ranker("anova", missing="error").fit(spoiled(X, np.nan).to_numpy(), y), "column 'x2' is missing in row 7"),
    (lambda X, y: Ranker("anova", missing="error").fit(spoiled(X, np.nan).assign(k="u"), y), "column 'x3' is missing in row 7 "),
    (lambda X, y: Ranker("anova").fit(spoiled(X, -np.inf), y), "column 'x3' is -inf in row 7;"),
    (lambda X, y: Ranker("anova", missing="median").fit(spoiled(spoiled(X, np.nan, 2), np.inf), y), "column 'x3' is inf in row 7;"),
    (lambda X, y: Ranker("anova").fit(spoiled(X, np.inf).assign(k="u"), y), "column 'x3' is inf in row 7,"),
    (lambda X, y: InductiveLdrTskClassifier(1.0, missing="error", **QUICK).fit(X, y).predict(spoiled(X, np.nan)),
     "column 'x3' is missing in row 7 "),
    (lambda X, y: InductiveLdrTskClassifier(1.0, **QUICK).fit(X, y).predict(spoiled(X, "much")),
     "column 'x3' is 'much' in row 7, where a number"),
    (lambda X, y: Ranker("anova").fit(X, spoiled(y.to_frame("y").astype(float), np.nan, 7, "y")["y"]), "label of row 7 is missing"),
    (lambda X, y: Ranker("anova").fit(X, spoiled(y.to_frame("y").astype(np.float32), np.nan, 7, "y")["y"]), "label of row 7 is"),
]


@pytest.mark.parametrize("case", PLACES, ids=[case[1] for case in PLACES])
def test_errors_give_the_cell_and_count_rows_from_0(case, waveform):
    call, words = case
    X, y = waveform
    with pytest.raises(ValueError, match=words):
        call(X.iloc[:, :6], y)


@pytest.mark.parametrize("case", REFUSED, ids=[case[2] for case in REFUSED])
def test_errors_say_what_is_wrong(case, waveform):
    call, kind, words = case
    with pytest.raises(kind, match=words) as caught:
        call(*waveform)
    assert "--" not in str(caught.value), "the words of the command line"


def test_a_report_describes_the_rows_of_the_fit(tmp_path, waveform):
    X, y = waveform
    selector = Ranker("anova", 3).fit(X, y)
    with pytest.raises(ValueError, match="other columns"):
        selector.report(tmp_path / "page.html", X.iloc[:, :5], y)
    with pytest.raises(ValueError, match="fitted to"):
        selector.report(tmp_path / "page.html", X, y + 1)
    assert not list(tmp_path.iterdir())


def test_hostile_names_are_escaped(tmp_path, waveform):
    X, y = waveform
    hostile = X.rename(columns={"x11": "<script>alert(1)</script>", "x10": "a,\"b\"\n'c'"})
    selector = Ranker("anova", 3).fit(hostile, y)
    selector.report(tmp_path / "page.html", hostile, y, name="<b>hostile</b>")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<script>" not in page and "&lt;script&gt;" in page and "<b>hostile" not in page


def test_data_problems_give_one_warning(waveform):
    X, y = waveform
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        selector = Ranker("anova").fit(X.assign(copy=np.asarray(y) * 2.0), y)
    leaks = [one for one in caught if issubclass(one.category, rulesieve.DataWarning) and "copies" in str(one.message)]
    assert len(leaks) == 1 and leaks[0].filename == __file__, "once, and from the line that called"
    assert any("copy" in warning for warning in selector.warnings_)


@pytest.mark.filterwarnings("ignore::rulesieve.DataWarning")
def test_identifiers_and_copies_are_excluded(waveform):
    X, y = waveform
    X = X.assign(copy=np.asarray(y) * 2.0, id=np.arange(len(X)))[["copy", "id", *X.columns]]
    selector = Ranker("anova", 3).fit(X, y)
    assert selector.excluded_ == {"copy": "copy-of-target", "id": "row-number"}
    assert selector.n_features_in_ == X.shape[1] == len(selector.ranking_)
    assert sorted(selector.ranking_) == list(range(1, X.shape[1] + 1)) and selector.ranking_[:2].min() == X.shape[1] - 1
    assert not selector.support_[:2].any() and not selector.scores_[:2].any() and selector.transform(X).shape[1] == 3
    assert any(warning.endswith("keep_suspicious=True includes them") for warning in selector.warnings_)
    array = Ranker("anova", 3).fit(X.to_numpy(), y)
    assert array.get_support().tolist() == selector.get_support().tolist()
    kept = Ranker("anova", 3, keep_suspicious=True).fit(X, y)
    assert kept.excluded_ == {} and kept.selected_[0] == "copy"
    for keep in (["copy"], [0]):
        assert Ranker("anova", 3, keep_suspicious=keep).fit(X, y).excluded_ == {"id": "row-number"}
    for wrong in ("copy", [99], ["nothing"]):
        with pytest.raises(ValueError, match="keep_suspicious|nothing"):
            Ranker("anova", 3, keep_suspicious=wrong).fit(X, y)
    few = X[["id", *X.columns[2:6]]]
    model = InductiveLdrTskClassifier(rules=2, rule_params={"steps": 20}).fit(few, y)
    assert model.excluded_ == {"id": "row-number"} and not model.support_[0] and model.ranking_[0] == 5
    assert len(model.predict(few)) == len(few)


def test_integers_that_doubles_would_round_keep_their_digits():
    # As doubles, all identifiers would be equal.
    groups = np.uint64(2**64 - 9) + np.arange(60, dtype=np.uint64) % np.uint64(3)
    X = np.column_stack([groups, np.arange(60, dtype=np.uint64) * 7 % 11])
    # Nearly the group, because a copy would be excluded.
    y = (np.arange(60) + (np.arange(60) % 10 == 0)) % 3
    frame = pandas.DataFrame(X, columns=["group", "x"])
    polars = pytest.importorskip("polars")
    signed = (X - X.min(axis=0) + 2**62).astype(np.int64)
    nullable = frame.astype({"group": "UInt64"})
    for table in (X, np.asfortranarray(X), signed, frame, nullable, polars.from_pandas(frame)):
        selector = Ranker("anova", 1).fit(table, y)
        assert selector.support_.tolist() == [True, False] and selector.scores_[0] > 10, table
        assert selector.transform(table).shape == (60, 1)
    model = InductiveLdrTskClassifier(1, held_out=False, **QUICK).fit(frame, y)
    assert (model.predict(frame) == y).mean() > 0.8 and model.predict(frame.head(1)) == model.predict(frame)[:1]
    assert "18446744073709551607" in model.model_json_
    frame["group"] = np.uint64(2**64 - 61) + np.arange(60, dtype=np.uint64)
    assert Ranker("anova", 1).fit(frame, y).excluded_ == {"group": "identifier"}


def test_included_columns_are_always_selected(waveform):
    X, y = waveform
    free = Ranker("anova", 3).fit(X, y)
    worst = X.columns[int(np.argmax(free.ranking_))]
    for include in ([worst], [X.columns.get_loc(worst)]):
        selector = Ranker("anova", 3, include=include).fit(X, y)
        assert selector.selected_ == [worst, *free.selected_[:2]] and selector.n_features_ == 3
    array = Ranker("anova", 3, include=[int(np.argmax(free.ranking_))]).fit(X.to_numpy(), y)
    assert array.support_.tolist() == selector.support_.tolist()
    model = InductiveLdrTskClassifier(2, method="anova", held_out=False, include=[worst], **QUICK).fit(X, y)
    assert model.selected_ == [worst, free.selected_[0]] and worst in json.loads(model.model_json_)["features"]
    assert worst in rulesieve.SieveSelector(2, include=[worst]).fit(X, y).selected_
    for wrong, said in ((worst, "it must be a list"), ([99], "there are"), (["nothing"], "'nothing', which X does not have")):
        with pytest.raises(ValueError, match=f"include.*{said}"):
            Ranker("anova", 3, include=wrong).fit(X, y)


def test_warnings_speak_python():
    rng = np.random.default_rng(0)
    X = pandas.DataFrame({"age": [f"{value:.1f}" for value in rng.normal(40, 9, 60)], "x": rng.normal(size=60)})
    X.loc[7, "age"] = "unknown"
    y = np.arange(60) % 2
    said = Ranker("anova").fit(X, y).warnings_
    assert any("such as 'unknown' in 'age'" in warning and "missing='fill'" in warning for warning in said), said
    with pytest.warns(ConvergenceWarning, match="not converged.*; try iterations=6$"):
        said += LdrTskSelector(iterations=2).fit(X[["x"]], y).warnings_
    assert any(warning.endswith("; try iterations=6") for warning in said), said
    assert not any("--" in warning for warning in said), said


def test_names_in_messages_are_not_rewritten():
    """Advice is in terms of Python, and the names of columns stay what they are."""
    name = "use --missing median; data row 3 --drop 'x'"
    X = pandas.DataFrame({name: ["a", None] * 20, "x": np.arange(40.0) % 7})
    with pytest.raises(ValueError) as refused:
        Ranker("anova", missing="error").fit(X, np.arange(40) % 2)
    assert str(refused.value) == (
        f"column '{name}' is missing in row 1 (20 missing values in 1 columns); "
        "fill them in with missing='fill', or leave those rows out"
    )
    constant = Ranker("anova").fit(X.assign(**{name: 1.0}), np.arange(40) % 2)
    assert any(name in warning for warning in constant.warnings_), constant.warnings_
