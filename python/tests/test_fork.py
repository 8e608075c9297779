"""Fits leave no threads behind, so that processes can be forked."""

import multiprocessing
import os

import numpy as np
import pytest

from rulesieve import InductiveLdrTskClassifier, Ranker, SieveSelector


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


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="threads are counted in /proc")
def test_no_thread_outlives_a_fit():
    fit()
    before = len(os.listdir("/proc/self/task"))
    fit()
    assert len(os.listdir("/proc/self/task")) == before
