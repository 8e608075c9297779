"""Distributed evaluation with a killed worker, and data in blocks."""

import functools
import json
import os
import signal
import threading
import time

import numpy as np
import pytest
from conftest import without_seconds
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import SVC

import rulesieve
from rulesieve import InductiveLdrTskClassifier, InductiveLdrTskRegressor, InductiveLdrTskSelector, LdrTskSelector, Ranker, distributed

pytestmark = pytest.mark.filterwarnings("ignore::rulesieve.DataWarning")

METHODS = {"ldr-tsk": {"iterations": [60, 120]}, "anova": {}}
OPTIONS = {"folds": 8, "subsample": 3, "n_features_to_select": 5, "inner": 3}


@pytest.fixture(scope="module")
def tables():
    return {name: rulesieve.load_table("waveform", samples=240, seed=seed) for seed, name in enumerate(("one", "two"))}


@pytest.fixture(scope="module")
def local(tables):
    return {name: rulesieve.evaluate(X, y, METHODS, **OPTIONS).record for name, (X, y) in tables.items()}


def same(found, local):
    assert {name: without_seconds(one.record) for name, one in found.items()} == \
        {name: without_seconds(record) for name, record in local.items()}


def test_processes_give_the_results_of_one_machine(tables, local):
    same(distributed.sweep(tables, METHODS, backend="loky", n_jobs=2, **OPTIONS), local)


def test_a_process_that_dies_is_replaced(tables, local, monkeypatch, tmp_path):
    monkeypatch.setattr(distributed, "_run_task", functools.partial(dying_task, str(tmp_path / "died")))
    with pytest.warns(RuntimeWarning, match="a worker died"):
        same(distributed.sweep(tables, METHODS, backend="loky", n_jobs=2, **OPTIONS), local)
    assert (tmp_path / "died").exists()


def dying_task(mark, work, name, task, setting, threads):
    """The original task, but the first worker with split 5 is killed."""
    if task[2] == 5:
        try:
            os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            pass
        else:
            os.kill(os.getpid(), signal.SIGKILL)
    return distributed._run_task(work, name, task, setting, threads)


def failing_task(mark, *_):
    with open(mark, "a") as file:
        file.write("tried\n")
    raise ValueError("this task cannot be done")


def test_errors_of_tasks_are_raised_without_retries(tables, monkeypatch, tmp_path):
    monkeypatch.setattr(distributed, "_run_task", functools.partial(failing_task, str(tmp_path / "tried")))
    with pytest.raises(ValueError, match="cannot be done"):
        distributed.sweep({"one": tables["one"]}, ["anova"], backend="loky", n_jobs=1, folds=2, n_features_to_select=3, costs=[1], points=1)
    assert (tmp_path / "tried").read_text().count("tried") == 1


def test_bad_options_are_rejected_before_any_task(tables):
    with pytest.raises(ValueError, match="no method"):
        distributed.sweep(tables, ["nonsense"], **OPTIONS)
    with pytest.raises(ValueError, match="backend"):
        distributed.sweep(tables, METHODS, backend="abacus", **OPTIONS)
    with pytest.raises(ValueError, match="retries=-1"):
        distributed.sweep(tables, METHODS, retries=-1, **OPTIONS)
    with pytest.raises(ValueError, match="threads=0"):
        distributed.sweep(tables, METHODS, threads=0, **OPTIONS)


@pytest.fixture(scope="module")
def cluster():
    dask = pytest.importorskip("dask.distributed")
    with dask.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, dask.Client(cluster) as client:
        yield client


def test_a_killed_worker_of_dask_loses_nothing(cluster, tables, local):
    before = cluster.run(os.getpid)
    done = threading.Event()
    killed_at = []

    def kill():
        # As soon as some, but not all, tasks are done.
        while not done.is_set():
            finished = sum(cluster.run(lambda dask_worker: dask_worker.state.executed_count).values())
            if finished >= 4:
                killed_at.append(finished)
                os.kill(next(iter(before.values())), signal.SIGKILL)
                return
            time.sleep(0.02)

    killer = threading.Thread(target=kill)
    killer.start()
    found = distributed.sweep(tables, METHODS, backend="dask", **OPTIONS)
    done.set()
    killer.join()
    pieces = 2 * (4 * 8 + 3 * 3)
    assert killed_at and killed_at[0] < pieces, f"the worker was killed after {killed_at} of {pieces} pieces"
    cluster.wait_for_workers(2)
    assert set(cluster.run(os.getpid).values()) != set(before.values())
    same(found, local)


def test_dask_collections_are_read_block_by_block(cluster):
    import dask.array
    import dask.dataframe

    X, y = rulesieve.load_table("xor", samples=3000, features=6)
    blocks = dask.array.from_array(X.to_numpy(), chunks=(400, 3)), dask.array.from_array(y.to_numpy(), chunks=700)
    options = {"missing": "error", "rules": 4, "rule_params": {"steps": 300}}
    model = InductiveLdrTskClassifier(2, **options).fit(*blocks)
    assert sorted(model.selected_) == ["x0", "x1"]
    assert model.score(X.to_numpy(), y) > 0.9
    again = InductiveLdrTskClassifier(2, **options).fit(*blocks)
    assert without_seconds_of(model) == without_seconds_of(again)

    frame = dask.dataframe.from_pandas(X.assign(kind=np.where(X["x3"] > 0, "u", "v")), npartitions=5)
    target = dask.dataframe.from_pandas(y.map({0: "no", 1: "yes"}) if y.dtype.kind in "if" else y, npartitions=5)
    named = InductiveLdrTskClassifier(2, **options).fit(frame, target)
    assert sorted(named.selected_) == ["x1", "x2"] and named.feature_names_in_.tolist() == [*X.columns, "kind"]
    held = frame.compute()
    np.testing.assert_array_equal(named.predict(frame), named.predict(held))
    np.testing.assert_array_equal(model.predict_proba(blocks[0]), model.predict_proba(X.to_numpy()))
    with pytest.raises(ValueError, match="block 2 of X: Input X contains NaN: column 'x1' is missing in row 5 "):
        model.predict(dask.array.where((np.arange(3000) == 805)[:, None] & (np.arange(6) == 1), np.nan, blocks[0]))
    with pytest.raises(ValueError, match="feature names should match"):
        named.predict(frame[frame.columns[::-1]])
    selector = InductiveLdrTskSelector(2, steps=300).fit(frame, target)
    assert sorted(selector.selected_) == ["x1", "x2"]
    for refused in (lambda: LdrTskSelector().fit(frame, target), lambda: rulesieve.evaluate(blocks[0], y, ["anova"]),
                    lambda: InductiveLdrTskClassifier().partial_fit(frame, y, classes=[0, 1])):
        with pytest.raises(ValueError, match=r"compute\(\) first"):
            refused()

    numbers, level = rulesieve.load_table("friedman", samples=2000)
    parts = dask.array.from_array(numbers.to_numpy(), chunks=500), dask.array.from_array(level.to_numpy(), chunks=500)
    regressor = InductiveLdrTskRegressor(5).fit(*parts)
    assert regressor.score(numbers.to_numpy(), level) > 0.8
    with pytest.raises(ValueError, match="y must be too"):
        InductiveLdrTskClassifier().fit(blocks[0], y)


def without_seconds_of(model):
    return without_seconds(json.loads(model.model_json_))


@pytest.mark.parametrize("reading", [1, 2])
def test_errors_of_blocks_are_raised(reading):
    import dask
    import dask.array

    read = []

    def block():
        read.append(1)
        if len(read) >= reading:
            raise OSError("the disk is gone")
        return np.random.default_rng(0).random((50, 3))

    first = dask.array.from_array(np.random.default_rng(0).random((50, 3)), chunks=50)
    broken = dask.array.from_delayed(dask.delayed(block, pure=False)(), (50, 3), float)
    labels = dask.array.from_array(np.arange(100) % 2, chunks=50)
    with dask.config.set(scheduler="synchronous"), pytest.raises(OSError, match="the disk is gone"):
        InductiveLdrTskClassifier().fit(dask.array.concatenate([first, broken]), labels)


def test_blocks_are_validated_like_arrays(cluster):
    import dask.array
    import dask.dataframe
    import pandas

    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 4))
    X = dask.array.from_array(x, chunks=(100, 4))
    quick = {"rules": 2, "rule_params": {"steps": 40}}

    def labels(y):
        return dask.array.from_array(np.asarray(y), chunks=100)

    large = np.where(x[:, 0] > 0, 2**60 + 1, 5)
    assert InductiveLdrTskClassifier(**quick).fit(X, labels(large)).score(x, large) > 0.9
    lonely = np.where(np.arange(300) == 7, "once", np.where(x[:, 0] > 0, "?", "nan"))
    model = InductiveLdrTskClassifier(**quick).fit(X, labels(lonely))
    assert model.classes_.tolist() == ["?", "nan", "once"] and model.score(x, lonely) > 0.9
    assert json.loads(model.model_json_)["target"] == "target"
    frame = dask.dataframe.from_pandas(pandas.DataFrame(x), npartitions=3)
    series = dask.dataframe.from_pandas(pandas.Series(large, name="label"), npartitions=3)
    numbered = InductiveLdrTskClassifier(**quick).fit(frame, series)
    assert numbered.score(pandas.DataFrame(x), large) > 0.9
    holes = pandas.DataFrame({"a": pandas.array(np.where(np.arange(300) == 3, None, np.round(x[:, 0] * 10)), dtype="Int64"), "b": x[:, 1]})
    holed = InductiveLdrTskClassifier(missing="median", **quick).fit(dask.dataframe.from_pandas(holes, npartitions=3), series)
    assert holed.score(holes, large) > 0.9
    with pytest.warns(rulesieve.DataWarning, match="leak"):
        leaky = pandas.DataFrame({"a": x[:, 0], "copy": large / 2**50})
        InductiveLdrTskClassifier(**quick).fit(dask.dataframe.from_pandas(leaky, npartitions=3), series)
    for options, words in (({"feature_groups": [[0, 1]]}, "groups out"), ({"time_budget": -5}, "time budget of -5"),
                          ({"n_features_to_select": "one-se", "method": "ldr-tsk-inductive"}, "share of features")):
        with pytest.raises(ValueError, match=words):
            InductiveLdrTskClassifier(**quick, **options).fit(X, labels(large))
    with pytest.raises(ValueError, match="Unknown label type"):
        InductiveLdrTskClassifier(**quick).fit(X, labels(x[:, 0]))
    with pytest.raises(ValueError, match="single class"):
        InductiveLdrTskClassifier(**quick).fit(X, labels(np.zeros(300, dtype=int)))
    with pytest.raises(ValueError, match="label of row 3 is missing"):
        InductiveLdrTskClassifier(**quick).fit(X, labels(np.asarray(["a", "b", "a", None] * 75, dtype=object)))
    with pytest.raises(ValueError, match="label of row 250 is missing"):
        InductiveLdrTskClassifier(**quick).fit(X, labels(np.where(np.arange(300) == 250, np.nan, x[:, 0] > 0)))


LABELS = {
    "whole floats are classes": lambda x: (x > 0).astype(float),
    "whole float32 are classes": lambda x: np.where(x > 0, 2, -1).astype(np.float32),
    "a fraction in the last block makes numbers": lambda x: np.where(np.arange(x.size) < x.size - 1, x > 0, 0.5),
    "fractions are numbers": lambda x: x,
    "whole numbers are classes": lambda x: (x > 0).astype(int),
    "many whole numbers are numbers": lambda x: np.arange(x.size),
    "a whole number in a single row makes numbers": lambda x: np.where(np.arange(x.size) == 100, 2, x > 0),
    "whole numbers in one row of two blocks are classes": lambda x: np.where(np.isin(np.arange(x.size), [5, 100]), 2, x > 0),
    "texts are classes": lambda x: np.where(x > 0, "yes", "no"),
}


@pytest.mark.parametrize("kind", LABELS)
@pytest.mark.parametrize("select", [InductiveLdrTskSelector(steps=20), Ranker("ldr-tsk-inductive", params={"steps": 20})])
def test_blocks_have_the_same_task_as_arrays(kind, select):
    import dask.array

    x = np.random.default_rng(0).normal(size=(120, 3))
    y = LABELS[kind](x[:, 0])
    tasks = [json.loads(select.fit(*rows).selection_json_)["data"]["task"]
             for rows in ((x, y), (dask.array.from_array(x, chunks=(30, 3)), dask.array.from_array(y, chunks=30)))]
    assert tasks[0] == tasks[1] == ("regression" if "are numbers" in kind or "makes" in kind else "classification")


@pytest.mark.parametrize("y, task, words", [(np.arange(120) % 2, "ranking", "task='ranking'"),
                                            (np.where(np.arange(120) % 2, np.inf, 1.0), "auto", "infinity")])
def test_blocks_are_rejected_like_arrays(y, task, words):
    import dask.array

    x = np.random.default_rng(0).normal(size=(120, 3))
    for rows in ((x, y), (dask.array.from_array(x, chunks=(30, 3)), dask.array.from_array(y, chunks=30))):
        with pytest.raises(ValueError, match=words):
            InductiveLdrTskSelector(task=task).fit(*rows)


def test_selection_and_rules_have_separate_time_budgets_with_blocks():
    import dask.array

    x = np.random.default_rng(0).normal(size=(400, 3))
    X, y = dask.array.from_array(x, chunks=(100, 3)), dask.array.from_array((x[:, 0] > 0).astype(int), chunks=100)
    # The selection uses its whole budget, the rules a small part of theirs.
    options = {"method": "ldr-tsk-inductive", "select_params": {"steps": 10**6, "starts": 1}, "rule_params": {"steps": 40}, "rules": 2}
    model = InductiveLdrTskClassifier(2, time_budget=1.0, **options).fit(X, y)
    assert any("out of time" in warning for warning in model.warnings_) and model.training_["steps"] == 40


def test_a_grid_search_on_the_cluster(cluster, tables):
    from joblib import parallel_config

    X, y = tables["one"]
    search = GridSearchCV(make_pipeline(MinMaxScaler(), LdrTskSelector(iterations=10), SVC()),
                          {"ldrtskselector__n_features_to_select": [2, 15]}, cv=3)
    with parallel_config(backend="dask"):
        there = search.fit(X, y).cv_results_["mean_test_score"]
    np.testing.assert_array_equal(there, search.fit(X, y).cv_results_["mean_test_score"])


def test_partial_fit_with_blocks():
    X, y = rulesieve.load_table("waveform", samples=3000)
    X, y = X.to_numpy()[:, :21], np.asarray(["a", "b", "c"])[y.to_numpy().astype(int)]
    learned, test = 2000, slice(2000, 3000)
    model = InductiveLdrTskClassifier(1.0, rules=6)
    with pytest.raises(ValueError, match="classes must be passed"):
        model.partial_fit(X[:60], y[:60])
    model.partial_fit(X[:60], y[:60], classes=["a", "b", "c"])
    first = model.score(X[test], y[test])
    for begin in range(60, learned, 100):
        model.partial_fit(X[begin:min(begin + 100, learned)], y[begin:min(begin + 100, learned)])
    last = model.score(X[test], y[test])
    whole = InductiveLdrTskClassifier(1.0, rules=6).fit(X[:learned], y[:learned]).score(X[test], y[test])
    assert last > first + 0.02 and last > whole - 0.02
    assert model.training_["samples"] == learned and model.classes_.tolist() == ["a", "b", "c"]
    assert {name for rule in model.rules_ for name in rule.effects} == {"a", "b", "c"}

    model.partial_fit(X[:5], np.asarray(["a"] * 5))
    model.partial_fit(X[:1], y[:1])
    with pytest.raises(ValueError, match="passes=0"):
        model.partial_fit(X[:5], y[:5], passes=0)
    with pytest.raises(ValueError, match="'maybe'"):
        model.partial_fit(X[:2], ["a", "maybe"])
    with pytest.raises(ValueError, match="not the same"):
        model.partial_fit(X[:2], ["a", "b"], classes=["a", "b"])
    with pytest.raises(ValueError, match="two classes"):
        InductiveLdrTskClassifier().partial_fit(X[:5], ["a"] * 5, classes=["a", "b"])
