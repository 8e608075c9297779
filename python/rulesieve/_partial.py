"""A classifier that goes on learning: classes are told beforehand, and the engine sees them by their places."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from . import _engine, _wishes
from ._base import read_target
from ._columns import target_name
from sklearn.utils.validation import check_consistent_length, column_or_1d


def first_block(estimator: Any, X: Any, y: Any, classes: np.ndarray) -> None:
    """Selects and learns rules from the first rows."""
    columns, places = _read(estimator, X, y, classes, reset=True)
    if np.unique(places).size < 2:
        raise ValueError("the first call of partial_fit needs rows of at least two classes to select columns by")
    estimator.classes_ = classes
    name = target_name(y, columns.all_names)
    names, threads, seed = columns.all_names, _wishes.threads(estimator.n_jobs), _wishes.seed(estimator.random_state)
    data = estimator._dataset(columns, (name, places), "classification", _places(classes))
    record = data.select(estimator._select_wishes(names, False, seed), None, threads, estimator.time_budget)
    estimator._take_selection(record, names)
    model = data.train(record, estimator._train_wishes(False, seed), None, threads, estimator.time_budget)
    estimator._take_model(_named(model, classes))


def next_block(estimator: Any, X: Any, y: Any, passes: int, rate: float) -> None:
    """Moves the rules by further rows."""
    columns, places = _read(estimator, X, y, estimator.classes_, reset=False)
    name = target_name(None, columns.all_names)
    wishes = _wishes.data(name, "classification", estimator.missing, _places(estimator.classes_))
    data = _engine.Dataset(columns.names, columns.array, [*columns.single, (name, places)], wishes)
    seen = json.loads(estimator.model_json_)["training"]["samples"]
    # Another order of mini-batches in every call, the same for the same calls.
    seed = _wishes.seed(estimator.random_state) + seen
    threads = _wishes.threads(estimator.n_jobs)
    estimator._take_model(estimator._loaded().learn_on(data, int(passes), float(rate), seed, threads))


def _read(estimator: Any, X: Any, y: Any, classes: np.ndarray, *, reset: bool):
    columns = estimator._read(X, reset=reset)
    y = column_or_1d(y, warn=True)
    check_consistent_length(np.empty(columns.rows()), y)
    read_target(y, "classification", False)
    unknown = np.setdiff1d(y, classes)
    if unknown.size:
        raise ValueError(f"y has the class {unknown[0]!r}, which is not among the classes {classes!r}")
    return columns, np.searchsorted(classes, y).astype(np.float64)


def _places(classes: np.ndarray) -> list[str]:
    return [str(place) for place in range(len(classes))]


def _named(model: Any, classes: np.ndarray) -> Any:
    """The model with the names of its classes in place of their places."""
    record = json.loads(model.json())
    record["classes"] = [str(one) for one in classes.tolist()]
    return _engine.Model.from_json(json.dumps(record))
