"""What all estimators share: reading tables, weights, groups, and the record of a selection as attributes."""

from __future__ import annotations

import json
import numbers
import sys
import warnings
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import (
    _check_sample_weight,
    _check_y,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
)

from . import _engine, _options
from ._columns import Columns, class_names, is_dask, is_missing, known_names, numbers_only, read_features, target_name
from ._files import write_text
from ._methods import method_info

# Rows that whole weights may make, as a multiple of those there are.
_MOST_REPEATS = 16
# More different whole numbers than this may be measurements.
_MANY_CLASSES = 20

# A warning: `chance`, `not-converged` or `other`, and its text.
Warned = tuple[str, str]


class DataNotice(UserWarning):
    """Something that deserves a second look: a possible leak, an identifier, a repeated column, a model no better than chance."""


class Estimator(BaseEstimator):
    """Reads tables for the engine."""

    def _store(self, given: dict[str, Any]) -> None:
        """Keeps the parameters of the constructor, given as its local variables, under their names."""
        for name, value in given.items():
            if name not in ("self", "__class__"):
                setattr(self, name, value)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = getattr(self, "missing", "error") != "error"
        return tags

    def _read(self, X: Any, *, reset: bool) -> Columns:
        if is_dask(X):
            raise ValueError(
                "rows of dask can be given only to fit of SieveSelector, and to fit and predict of the inductive estimators; "
                "call compute() first"
            )
        return read_features(self, X, reset=reset, allow_nan=self.missing != "error")

    def _check_common(self) -> None:
        _options.check_choice("missing", self.missing, ("error", "median"))
        _options.check_choice("categorical_coding", self.categorical_coding, ("one-hot", "ordinal"))
        _options.check_seconds("time_budget", self.time_budget)

    def _groups(self, names: list[str]) -> list[list[str]]:
        """Groups of columns by name; columns may be named by their place too."""
        wish = getattr(self, "feature_groups", None)
        if wish is None:
            return []
        wrong = ValueError(
            f"feature_groups={wish!r} is not understood; give a list of lists of columns (by name or by place), a dict of such lists, or "
            f"one label for each of the {len(names)} columns"
        )
        if isinstance(wish, (str, numbers.Number)):
            raise wrong
        groups = list(wish.values()) if isinstance(wish, dict) else list(wish)
        alone = [isinstance(group, (str, numbers.Number)) for group in groups]
        if groups and all(alone):
            if isinstance(wish, dict) or len(groups) != len(names):
                raise wrong
            return [[name for name, own in zip(names, groups) if own == group] for group in dict.fromkeys(groups)]
        if any(alone) or any(group is None for group in groups):
            raise wrong
        return [[self._column(column, names) for column in group] for group in groups]

    @staticmethod
    def _column(column: Any, names: list[str]) -> str:
        """The name of a column that is given by name or by place."""
        if isinstance(column, numbers.Integral) and not isinstance(column, bool):
            if not 0 <= column < len(names):
                raise ValueError(f"feature_groups names column {column}; there are {len(names)}, counted from 0")
            return names[column]
        return str(column)

    def _forget(self) -> None:
        """Drops what an earlier fit has left, so that a fit that fails leaves nothing that does not belong together."""
        for name in [name for name in vars(self) if name.endswith("_") and not name.startswith("_")]:
            delattr(self, name)
        vars(self).pop("_loaded_model", None)

    def _take_selection(self, record: str, names: list[str]) -> list[Warned]:
        """Attributes from the record of a selection. Returns its warnings."""
        found = json.loads(record)
        place = {name: at for at, name in enumerate(names)}
        self.scores_ = np.zeros(len(names))
        self.ranking_ = np.zeros(len(names), dtype=np.int64)
        for ranked in found["ranking"]:
            self.scores_[place[ranked["feature"]]] = ranked["score"]
            self.ranking_[place[ranked["feature"]]] = ranked["rank"]
        # Columns that were set aside have no score and come last, in the order of the input.
        last = np.flatnonzero(self.ranking_ == 0)
        self.ranking_[last] = len(names) - len(last) + 1 + np.arange(len(last))
        self.support_ = np.zeros(len(names), dtype=bool)
        self.support_[[place[name] for name in found["selected"]]] = True
        self.n_features_ = int(self.support_.sum())
        self.n_iter_ = found["iterations"] or 1
        self.converged_ = found["converged"]
        warned = _engine.warnings_of(json.dumps(found["warnings"]))
        self.warnings_ = [text for _, text in warned]
        self.selection_json_ = record
        return warned

    @property
    def selected_(self) -> list[str]:
        """Names of the selected features, best first."""
        return self._selection()["selected"]

    @property
    def set_aside_(self) -> dict[str, str]:
        """Columns that were left out as identifiers, row numbers or copies of the target, with the reason."""
        return {one["feature"]: one["reason"] for one in self._selection().get("set_aside", [])}

    @property
    def trace_(self) -> dict[str, np.ndarray]:
        """Terms of the objective after every iteration, by name; empty for methods that do not iterate."""
        return {name: np.asarray(values) for name, values in self._selection().get("trace", {}).items()}

    @property
    def size_curve_(self) -> dict[str, Any] | None:
        """How the size was found, where a rule was asked for."""
        return self._selection().get("size")

    @property
    def p_values_(self) -> np.ndarray | None:
        """The corrected p-value of every input column, 1 for columns that were set aside; None for methods that do not test."""
        found = {one["feature"]: one.get("p_value") for one in self._selection()["ranking"]}
        if all(p_value is None for p_value in found.values()):
            return None
        return np.asarray([found.get(name, 1.0) for name in known_names(self, self.n_features_in_)])

    @property
    def pairs_(self) -> list[tuple[str, str, float]]:
        """Pairs of features that act together, each with its corrected p-value, most significant first."""
        return [(*pair["features"], pair["p_value"]) for pair in self._selection().get("pairs", [])]

    @property
    def tested_(self) -> str | None:
        """Which columns and combinations of columns were tested; None for methods that do not test."""
        return self._selection().get("tested")

    @property
    def held_out_(self) -> dict[str, Any] | None:
        """Results on held-out rows, for methods that hold rows out; else None."""
        return self._selection().get("held_out")

    def _selection(self) -> dict[str, Any]:
        check_is_fitted(self, "selection_json_")
        return json.loads(self.selection_json_)

    def save_selection(self, path: Any) -> None:
        """Writes the selection for ``rulesieve apply``, with the record of how it came about."""
        check_is_fitted(self, "selection_json_")
        write_text(path, json.dumps(json.loads(self.selection_json_), indent=2) + "\n")


class Rows(NamedTuple):
    """The rows that a fit learns from."""

    columns: Columns
    y: np.ndarray
    weights: list[float] | None
    target: str
    # For every row the one that it repeats, where whole weights repeat rows.
    copies: list[int] | None = None


class Target(NamedTuple):
    """What a fit should learn, as the engine reads it: numbers, or places among classes."""

    task: str
    values: np.ndarray
    classes: np.ndarray | None = None

    @property
    def names(self) -> list[Any]:
        return [] if self.classes is None else class_names(self.classes)


def dataset(columns: Columns, name: str, target: Target, missing: str, coding: str, keep: Any = False) -> _engine.Dataset:
    """A table that the engine has checked; ``keep`` names suspicious columns that stay features."""
    options = _options.data(name, target.task, missing, coding, target.names, _options.kept(keep, columns.all_names))
    return _engine.Dataset(columns.names, columns.array, [*columns.single, (name, target.values)], options)


def unweighed(estimator: Any, method: str) -> list[Warned]:
    """What a selection does without weights, where rows have some: many methods know none, and no size rule does."""
    size = estimator.n_features_to_select
    if size in (None, "auto") and method != _options.SIEVE and estimator.feature_groups is None:
        size = "one-se"
    by_rule = isinstance(size, str) and size[:1].isalpha() and size not in ("auto", "native")
    if not method_info(method)["weights"]:
        told = "columns and their number were" if by_rule else "columns were"
        text = (
            f"'{method}' counts all rows the same: {told} selected without sample_weight and class_weight, and only the rules "
            f"were fitted with them; method='{_options.SIEVE}' selects with them"
        )
        return [("other", text)]
    if by_rule:
        text = (
            f"the size rule '{size}' counts all rows the same: columns were ranked with sample_weight and class_weight, and their "
            "number was found without; give a number of features where that matters"
        )
        return [("other", text)]
    return []


def of_kind(warned: list[Warned], *kinds: str) -> list[Warned]:
    """Those warnings that are of these kinds."""
    return [(kind, text) for kind, text in warned if kind in kinds]


def warn_of(warned: list[Warned]) -> None:
    """Issues warnings, as from the line that called the package."""
    level = 2
    while (frame := _frame(level)) and frame.f_globals.get("__name__", "").split(".")[0] in ("rulesieve", "sklearn"):
        level += 1
    for kind, text in warned:
        warnings.warn(text, ConvergenceWarning if kind == "not-converged" else DataNotice, stacklevel=level)


def _frame(level: int) -> Any:
    try:
        return sys._getframe(level)
    except ValueError:
        return None


def read_rows(estimator: Estimator, X: Any, y: Any, sample_weight: Any = None, class_weight: Any = None) -> Rows:
    """Checked rows: weights of zero leave rows out, whole weights repeat them."""
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None: all estimators here learn from labelled rows")
    columns = estimator._read(X, reset=True)
    name = target_name(y, columns.all_names)
    y = check_labels(y)
    check_consistent_length(np.empty(columns.rows()), y)
    weights = None
    if sample_weight is not None:
        weights = _check_sample_weight(sample_weight, np.empty((columns.rows(), 1)))
    if class_weight is not None:
        if not isinstance(class_weight, dict):
            raise ValueError(f"class_weight={class_weight!r} is not allowed; it must be None, 'balanced' or a dict of weights by class")
        by_class = compute_sample_weight(class_weight, y)
        weights = by_class if weights is None else weights * by_class
    return _weighed(columns, y, weights, name)


def check_labels(y: Any, before: int = 0, name: str = "y") -> np.ndarray:
    """Labels as an array of one dimension, of which none is missing; `before` counts the rows of earlier blocks."""
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None")
    hidden = np.flatnonzero(np.ma.getmaskarray(y)) if isinstance(y, np.ma.MaskedArray) else []
    y = column_or_1d(y, warn=True)
    lost = hidden if len(hidden) else _without_label(y)
    if len(lost):
        raise ValueError(f"Input {name} contains NaN: the label of row {before + lost[0]} is missing")
    return y


def _without_label(y: np.ndarray) -> Any:
    """Rows whose label is missing."""
    if y.dtype.kind == "f":
        return np.flatnonzero(np.isnan(y))
    return [row for row, label in enumerate(y) if is_missing(label)] if y.dtype == object else []


def _weighed(columns: Columns, y: np.ndarray, weights: np.ndarray | None, name: str) -> Rows:
    if weights is None:
        return Rows(columns, y, None, name)
    wrong = np.flatnonzero((weights < 0) | ~np.isfinite(weights))
    if wrong.size:
        raise ValueError(
            f"the weight of row {wrong[0]} is {weights[wrong[0]]}; sample_weight and class_weight must be finite and not negative"
        )
    if not np.any(weights > 0):
        raise ValueError("all sample weights are zero: no row is left to learn from, and so no class")
    if np.array_equal(weights, np.floor(weights)) and weights.sum() <= _MOST_REPEATS * len(weights):
        rows, kept = np.repeat(np.arange(len(weights)), weights.astype(np.int64)), None
    else:
        rows = np.flatnonzero(weights > 0)
        kept = weights[rows].tolist() if np.ptp(weights[rows]) > 0 else None
    if not np.array_equal(rows, np.arange(len(weights))):
        columns, y = columns.take(rows), y[rows]
    copies = rows.tolist() if np.any(rows[1:] == rows[:-1]) else None
    return Rows(columns, y, kept, name, copies)


def read_target(y: np.ndarray, task: str, regression: bool) -> Target:
    """What is to be learned; `regression` says whether it may be numbers."""
    _options.check_choice("task", task, ("auto", "classification", "regression"))
    if task == "auto":
        task = "regression" if regression and type_of_target(y) == "continuous" else "classification"
        if task == "classification" and regression and y.dtype.kind in "iuf":
            refuse_measured(np.unique(y).size, len(y))
    if task == "regression":
        return Target(task, np.array(_check_y(numbers_only("y", y), y_numeric=True), dtype=np.float64))
    check_classification_targets(y)
    classes, places = np.unique(_check_y(y), return_inverse=True)
    return Target(task, places.astype(np.float64), classes)


def refuse_measured(distinct: int, rows: int) -> None:
    """Refuses to guess what so many different whole numbers are, as the command line does."""
    if distinct > _MANY_CLASSES and distinct * 3 > rows:
        raise ValueError(
            f"y has {distinct} different numbers in {rows} rows, which look like measurements; say "
            "task='regression', or task='classification' if they are classes"
        )
