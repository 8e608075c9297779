"""What all estimators share: reading tables, weights, groups, and the record of a selection as attributes."""

from __future__ import annotations

import json
import numbers
import warnings
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import (
    _check_sample_weight,
    _check_y,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
)

from . import _engine, _wishes
from ._columns import Columns, labels, read_features, target_name

_MOST_REPEATS = 16


class DataNotice(UserWarning):
    """Something about the data that deserves a second look: a possible leak, an identifier, a repeated column."""


class Estimator(BaseEstimator):
    """Reads tables for the engine."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = getattr(self, "missing", "error") != "error"
        return tags

    def _read(self, X: Any, *, reset: bool) -> Columns:
        return read_features(self, X, reset=reset, allow_nan=self.missing != "error")

    def _check_common(self) -> None:
        _wishes.check_choice("missing", self.missing, ("error", "median"))
        _wishes.check_choice("categorical_coding", self.categorical_coding, ("one-hot", "ordinal"))

    def _groups(self, names: list[str]) -> list[list[str]]:
        """Groups of columns by name; columns may be named by their place too."""
        wish = getattr(self, "feature_groups", None)
        if wish is None:
            return []
        groups = list(wish.values()) if isinstance(wish, dict) else list(wish)
        if len(groups) == len(names) and all(np.isscalar(one) and not isinstance(one, str) for one in groups):
            return [[name for name, own in zip(names, groups) if own == group] for group in dict.fromkeys(groups)]

        def name(column: Any) -> str:
            if isinstance(column, numbers.Integral):
                if not 0 <= column < len(names):
                    raise ValueError(f"feature_groups names column {column}; there are {len(names)}, counted from 0")
                return names[column]
            return str(column)

        return [[name(column) for column in ([group] if isinstance(group, str) else group)] for group in groups]

    def _dataset(
        self, columns: Columns, target: tuple[str, Any], task: str, classes: list[str] | None = None
    ) -> _engine.Dataset:
        wishes = _wishes.data(target[0], task, self.missing, classes)
        data = _engine.Dataset(columns.names, columns.array, [*columns.single, target], wishes)
        for notice in data.notices:
            warnings.warn(_engine.in_python(notice), DataNotice, stacklevel=4)
        return data

    def _take_selection(self, record: str, names: list[str]) -> None:
        """Attributes from the record of a selection."""
        found = json.loads(record)
        place = {name: at for at, name in enumerate(names)}
        self.scores_ = np.zeros(len(names))
        self.ranking_ = np.zeros(len(names), dtype=np.int64)
        for ranked in found["ranking"]:
            self.scores_[place[ranked["feature"]]] = ranked["score"]
            self.ranking_[place[ranked["feature"]]] = ranked["rank"]
        self.support_ = np.zeros(len(names), dtype=bool)
        self.support_[[place[name] for name in found["selected"]]] = True
        self.n_features_ = int(self.support_.sum())
        self.n_iter_ = found["iterations"] or 1
        self.converged_ = found["converged"]
        self.notices_ = [_engine.in_python(notice) for notice in found["notices"]]
        self.selection_json_ = record

    @property
    def selected_(self) -> list[str]:
        """Names of the selected features, best first."""
        return self._selection()["selected"]

    @property
    def trace_(self) -> dict[str, np.ndarray]:
        """Terms of the objective after every iteration, by name; empty for methods that do not iterate."""
        return {name: np.asarray(values) for name, values in self._selection().get("trace", {}).items()}

    @property
    def size_curve_(self) -> dict[str, Any] | None:
        """How the size was found, where a rule was asked for."""
        return self._selection().get("size")

    def _selection(self) -> dict[str, Any]:
        check_is_fitted(self, "selection_json_")
        return json.loads(self.selection_json_)

    def save_selection(self, path: Any) -> None:
        """Writes the selection for ``rulesieve apply``, with the record of how it came about."""
        check_is_fitted(self, "selection_json_")
        from ._files import write_text

        write_text(path, json.dumps(json.loads(self.selection_json_), indent=2) + "\n")


class Rows:
    """The rows that a fit learns from: weights of zero leave rows out, whole weights repeat them."""

    def __init__(self, columns: Columns, y: np.ndarray, weights: np.ndarray | None):
        self.columns, self.y, self.weights = columns, y, None
        if weights is None:
            return
        if np.any(weights < 0) or not np.all(np.isfinite(weights)):
            raise ValueError("sample_weight must not be negative, and must be finite")
        if not np.any(weights > 0):
            raise ValueError("all sample weights are zero: no row is left to learn from, and so no class")
        whole = np.array_equal(weights, np.floor(weights)) and weights.sum() <= _MOST_REPEATS * len(weights)
        if whole:
            rows = np.repeat(np.arange(len(weights)), weights.astype(np.int64))
        else:
            rows = np.flatnonzero(weights > 0)
            if np.ptp(weights[rows]) > 0:
                self.weights = weights[rows].tolist()
        if len(rows) != len(weights) or whole and np.any(weights != 1):
            self.columns, self.y = columns.take(rows), y[rows]


def read_rows(estimator: Estimator, X: Any, y: Any, sample_weight: Any = None) -> tuple[Rows, str]:
    """Checked rows, and the name of the target."""
    if y is None:
        raise ValueError(
            f"requires y to be passed, but the target y is None: {type(estimator).__name__} learns from labelled rows"
        )
    columns = estimator._read(X, reset=True)
    name = target_name(y, columns.all_names)
    y = column_or_1d(y, warn=True)
    check_consistent_length(np.empty(columns.rows()), y)
    weights = None
    if sample_weight is not None:
        weights = _check_sample_weight(sample_weight, np.empty((columns.rows(), 1)))
    return Rows(columns, y, weights), name


def read_target(y: np.ndarray, task: str, regression: bool) -> tuple[str, Any]:
    """What is to be learned, and the target as the engine reads it."""
    _wishes.check_choice("task", task, ("auto", "classification", "regression"))
    if task == "auto":
        task = "regression" if regression and type_of_target(y) == "continuous" else "classification"
    if task == "regression":
        return task, np.array(_check_y(y, y_numeric=True), dtype=np.float64)
    check_classification_targets(y)
    return task, labels(_check_y(y))
