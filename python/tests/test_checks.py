"""The estimator checks of scikit-learn, for every estimator, without expected failures."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

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

ESTIMATORS = [
    SieveSelector(),
    InductiveLdrTskSelector(),
    LdrTskSelector(),
    Ranker(),
    InductiveLdrTskClassifier(),
    InductiveLdrTskRegressor(),
]
OTHERS = [Ranker(method) for method in rulesieve.methods() if method not in ("sieve", "mrmr", "ldr-tsk", "ldr-tsk-inductive")]


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.sweep
@parametrize_with_checks(OTHERS)
def test_scikit_learn_checks_of_every_method(estimator, check):
    check(estimator)
