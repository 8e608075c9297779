"""Fits leave no threads behind, so that processes can be forked."""

import multiprocessing
import os
import time

import numpy as np
import pytest

from rulesieve import InductiveLdrTskClassifier, Ranker, SieveSelector, evaluate


def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4))
    return X, (X[:, 0] > 0).astype(int)


def fit(results=None):
    X, y = data()
    for n_jobs in (1, 2):
        model = InductiveLdrTskClassifier(2, n_jobs=n_jobs, held_out=False, rule_params={"steps": 20}).fit(X, y)
        model.predict(X)
        found = SieveSelector(n_jobs=n_jobs).fit(X, y).selected_ + Ranker("anova", 1, n_jobs=n_jobs).fit(X, y).selected_
        evaluate(X, y, ["anova"], folds=2, n_features_to_select=1, n_jobs=n_jobs)
    if results is not None:
        results.put(found)
    return found


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_fit_fork_fit():
    expected = fit()
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    child = context.Process(target=fit, args=(results,))
    child.start()
    try:
        assert results.get(timeout=60) == expected
    finally:
        child.kill()
        child.join()


def threads():
    return set(os.listdir("/proc/self/task"))


def left_threads():
    before = threads()
    fit()
    # The threads of a fit are told to end, and may take a moment.
    until = time.monotonic() + 2
    while (left := threads() - before) and time.monotonic() < until:
        time.sleep(0.01)
    return len(left)


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="threads are counted in /proc")
def test_no_thread_outlives_a_fit():
    # In a new process, where no other test has started threads.
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(left_threads) == 0
