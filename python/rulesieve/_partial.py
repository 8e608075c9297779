"""Incremental training of a classifier."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from sklearn.utils.validation import check_consistent_length

from . import _engine, _options
from ._base import Rows, Target, check_labels, read_target
from ._columns import Columns, target_name


def first_block(estimator: Any, X: Any, y: Any, classes: np.ndarray) -> None:
    """Selects features and trains rules on the first rows."""
    columns, codes = _read(estimator, X, y, classes, reset=True)
    if np.unique(codes).size < 2:
        raise ValueError("the first call of partial_fit needs rows of at least two classes")
    rows = Rows(columns, codes, None, target_name(y, columns.all_names))
    estimator._fit_model(rows, Target("classification", codes.astype(np.float64), classes), False)


def next_block(estimator: Any, X: Any, y: Any, passes: int, rate: float) -> None:
    """Updates the rules with further rows."""
    columns, codes = _read(estimator, X, y, estimator.classes_, reset=False)
    seen = json.loads(estimator.model_json_)["training"]["samples"]
    # Each call has a different, reproducible order of mini-batches.
    seed, threads = _options.seed(estimator.random_state) + seen, _options.threads(estimator.n_jobs)
    table = _engine.Table(*columns)
    estimator._set_model(estimator._loaded().continue_training(table, codes.tolist(), passes, rate, seed, threads))


def _read(estimator: Any, X: Any, y: Any, classes: np.ndarray, *, reset: bool) -> tuple[Columns, np.ndarray]:
    """The rows and their class codes."""
    columns = estimator._read(X if reset else estimator._model_columns(X), reset=reset)
    y = check_labels(y)
    check_consistent_length(np.empty(columns.rows()), y)
    read_target(y, "classification", False)
    unknown = np.setdiff1d(y, classes)
    if unknown.size:
        raise ValueError(f"y has the class {unknown[0]!r}, which is not among the classes {classes!r}")
    return columns, np.searchsorted(classes, y)
