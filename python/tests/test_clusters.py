"""Work on many workers, one of which is killed, and rows that come in blocks."""

import functools
import os
import signal
import threading
import time

import numpy as np
import pytest
from conftest import without_seconds

import rulesieve
from rulesieve import InductiveLdrTskClassifier, InductiveLdrTskRegressor, distributed

pytestmark = pytest.mark.filterwarnings("ignore::rulesieve.DataNotice")

METHODS = {"ldr-tsk": {"iterations": [60, 120]}, "anova": {}}
WISHES = {"folds": 8, "subsample": 3, "n_features_to_select": 5, "inner": 3}


@pytest.fixture(scope="module")
def tables():
    return {name: rulesieve.load_table("waveform", samples=240, seed=seed) for seed, name in enumerate(("one", "two"))}


@pytest.fixture(scope="module")
def local(tables):
    return {name: rulesieve.evaluate(X, y, METHODS, **WISHES).record for name, (X, y) in tables.items()}


def same(found, local):
    assert {name: without_seconds(one.record) for name, one in found.items()} == \
        {name: without_seconds(record) for name, record in local.items()}


def test_processes_give_what_one_machine_gives(tables, local):
    same(distributed.sweep(tables, METHODS, backend="loky", n_jobs=2, **WISHES), local)


def test_a_process_that_dies_is_replaced(tables, local, monkeypatch, tmp_path):
    monkeypatch.setattr(distributed, "_piece", functools.partial(dying_piece, str(tmp_path / "died"), distributed._piece))
    with pytest.warns(RuntimeWarning, match="a worker died"):
        same(distributed.sweep(tables, METHODS, backend="loky", n_jobs=2, **WISHES), local)
    assert (tmp_path / "died").exists()


def dying_piece(mark, real, work, name, piece, setting, threads):
    """As the real one, but the first worker that comes to split 5 is killed."""
    if piece[2] == 5:
        try:
            os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            pass
        else:
            os.kill(os.getpid(), signal.SIGKILL)
    return real(work, name, piece, setting, threads)


def test_failures_of_the_work_itself_are_told(tables):
    with pytest.raises(ValueError, match="no method"):
        distributed.sweep(tables, ["nonsense"], **WISHES)
    with pytest.raises(ValueError, match="backend"):
        distributed.sweep(tables, METHODS, backend="abacus", **WISHES)


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
        # In the middle: as soon as some pieces are done, and some are not.
        while not done.is_set():
            finished = sum(cluster.run(lambda dask_worker: dask_worker.state.executed_count).values())
            if finished >= 4:
                killed_at.append(finished)
                os.kill(next(iter(before.values())), signal.SIGKILL)
                return
            time.sleep(0.02)

    killer = threading.Thread(target=kill)
    killer.start()
    found = distributed.sweep(tables, METHODS, backend="dask", **WISHES)
    done.set()
    killer.join()
    pieces = 2 * (4 * 8 + 3 * 3)
    assert killed_at and killed_at[0] < pieces, f"the worker was killed after {killed_at} of {pieces} pieces"
    cluster.wait_for_workers(2)
    assert set(cluster.run(os.getpid).values()) != set(before.values())
    same(found, local)


def test_rows_of_dask_are_read_block_by_block(cluster):
    import dask.array
    import dask.dataframe

    X, y = rulesieve.load_table("xor", samples=3000, features=6)
    blocks = dask.array.from_array(X.to_numpy(), chunks=(400, 3)), dask.array.from_array(y.to_numpy(), chunks=700)
    wishes = {"rules": 4, "select_params": {"steps": 300}, "refit_params": {"steps": 300}}
    model = InductiveLdrTskClassifier(2, **wishes).fit(*blocks)
    assert sorted(model.selected_) == ["x0", "x1"]
    assert model.score(X.to_numpy(), y) > 0.9
    again = InductiveLdrTskClassifier(2, **wishes).fit(*blocks)
    assert without_seconds_of(model) == without_seconds_of(again)

    frame = dask.dataframe.from_pandas(X.assign(kind=np.where(X["x3"] > 0, "u", "v")), npartitions=5)
    target = dask.dataframe.from_pandas(y.map({0: "no", 1: "yes"}) if y.dtype.kind in "if" else y, npartitions=5)
    named = InductiveLdrTskClassifier(2, **wishes).fit(frame, target)
    assert sorted(named.selected_) == ["x1", "x2"] and named.feature_names_in_.tolist() == [*X.columns, "kind"]

    numbers, level = rulesieve.load_table("friedman", samples=2000)
    parts = dask.array.from_array(numbers.to_numpy(), chunks=500), dask.array.from_array(level.to_numpy(), chunks=500)
    regressor = InductiveLdrTskRegressor(5).fit(*parts)
    assert regressor.score(numbers.to_numpy(), level) > 0.8
    with pytest.raises(ValueError, match="y must be too"):
        InductiveLdrTskClassifier().fit(blocks[0], y)


def without_seconds_of(model):
    import json

    return without_seconds(json.loads(model.model_json_))


def test_what_a_block_raises_is_raised():
    import dask
    import dask.array

    def fail():
        raise OSError("the disk is gone")

    first = dask.array.from_array(np.random.default_rng(0).random((50, 3)), chunks=50)
    broken = dask.array.from_delayed(dask.delayed(fail)(), (50, 3), float)
    labels = dask.array.from_array(np.arange(100) % 2, chunks=50)
    with pytest.raises(OSError, match="the disk is gone"):
        InductiveLdrTskClassifier().fit(dask.array.concatenate([first, broken]), labels)


def test_learning_goes_on_block_by_block():
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
    with pytest.raises(ValueError, match="'maybe'"):
        model.partial_fit(X[:2], ["a", "maybe"])
    with pytest.raises(ValueError, match="not the same"):
        model.partial_fit(X[:2], ["a", "b"], classes=["a", "b"])
    with pytest.raises(ValueError, match="two classes"):
        InductiveLdrTskClassifier().partial_fit(X[:5], ["a"] * 5, classes=["a", "b"])
