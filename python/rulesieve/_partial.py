"""A classifier that goes on learning: classes are told beforehand."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from sklearn.utils.validation import check_consistent_length

from . import _engine, _options
from ._base import Rows, Target, check_labels, read_target
from ._columns import Columns, target_name


def first_block(estimator: Any, X: Any, y: Any, classes: np.ndarray) -> None:
    """Selects and learns rules from the first rows."""
    columns, places = _read(estimator, X, y, classes, reset=True)
    if np.unique(places).size < 2:
        raise ValueError("the first call of partial_fit needs rows of at least two classes to select columns by")
    rows = Rows(columns, places, None, target_name(y, columns.all_names))
    estimator._fit_model(rows, Target("classification", places.astype(np.float64), classes), False)


def next_block(estimator: Any, X: Any, y: Any, passes: int, rate: float) -> None:
    """Moves the rules by further rows."""
    columns, places = _read(estimator, X, y, estimator.classes_, reset=False)
    seen = json.loads(estimator.model_json_)["training"]["samples"]
    # Another order of mini-batches in every call, the same for the same calls.
    seed, threads = _options.seed(estimator.random_state) + seen, _options.threads(estimator.n_jobs)
    table = _engine.Table(*columns)
    estimator._take_model(estimator._loaded().learn_on(table, places.tolist(), passes, rate, seed, threads))


def _read(estimator: Any, X: Any, y: Any, classes: np.ndarray, *, reset: bool) -> tuple[Columns, np.ndarray]:
    """The rows, and for each the place of its class."""
    columns = estimator._read(X if reset else estimator._own_columns(X), reset=reset)
    y = check_labels(y)
    check_consistent_length(np.empty(columns.rows()), y)
    read_target(y, "classification", False)
    unknown = np.setdiff1d(y, classes)
    if unknown.size:
        raise ValueError(f"y has the class {unknown[0]!r}, which is not among the classes {classes!r}")
    return columns, np.searchsorted(classes, y)
