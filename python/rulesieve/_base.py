"""Base of all estimators: input tables, weights, feature groups and the attributes of a selection."""

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
from sklearn.utils.multiclass import check_classification_targets
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

# Integer weights repeat rows up to this multiple of the number of rows.
_MAX_REPEATS = 16
# Targets with more distinct integers are numeric, as on the command line.
_MAX_INTEGER_CLASSES = 20
_MAX_CODES = 100

# The type of a warning (`chance`, `not-converged` or `other`) and its text.
TypedWarning = tuple[str, str]


class DataWarning(UserWarning):
    """Warning about data or results, for example a possible leak, an identifier, or a model that is no better than chance."""


class Estimator(BaseEstimator):
    """Base class of all estimators."""

    def _store(self, given: dict[str, Any]) -> None:
        """Stores the parameters of the constructor, given as its local variables."""
        for name, value in given.items():
            if name not in ("self", "__class__"):
                setattr(self, name, value)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = getattr(self, "missing", "fill") != "error"
        return tags

    def _read(self, X: Any, *, reset: bool) -> Columns:
        if is_dask(X):
            raise ValueError(
                "only fit of SieveSelector, and fit and predict of the inductive estimators, accept dask collections; call compute() first"
            )
        return read_features(self, X, reset=reset, allow_nan=self.missing != "error")

    def _check_common(self) -> None:
        _options.check_choice("missing", self.missing, _options.MISSING)
        _options.check_choice("categorical_coding", self.categorical_coding, ("one-hot", "ordinal"))
        _options.check_seconds("time_budget", self.time_budget)

    def _groups(self, names: list[str]) -> list[list[str]]:
        """Feature groups as lists of column names."""
        given = getattr(self, "feature_groups", None)
        if given is None:
            return []
        error = ValueError(
            f"feature_groups={given!r} is not understood; give a list of lists of columns (names or indices), a dict of such lists, or "
            f"one label for each of the {len(names)} columns"
        )
        if isinstance(given, (str, numbers.Number)):
            raise error
        groups = list(given.values()) if isinstance(given, dict) else list(given)
        is_label = [isinstance(group, (str, numbers.Number)) for group in groups]
        if groups and all(is_label):
            if isinstance(given, dict) or len(groups) != len(names):
                raise error
            return [[name for name, own in zip(names, groups) if own == group] for group in dict.fromkeys(groups)]
        if any(is_label) or any(group is None for group in groups):
            raise error
        return [[self._column(column, names) for column in group] for group in groups]

    @staticmethod
    def _column(column: Any, names: list[str]) -> str:
        """The name of a column given by name or index."""
        if isinstance(column, numbers.Integral) and not isinstance(column, bool):
            if not 0 <= column < len(names):
                raise ValueError(f"feature_groups names column {column}; there are {len(names)}, counted from 0")
            return names[column]
        return str(column)

    def _reset_attributes(self) -> None:
        """Deletes the attributes of an earlier fit, so that a failed fit leaves no inconsistent attributes."""
        for name in [name for name in vars(self) if name.endswith("_") and not name.startswith("_")]:
            delattr(self, name)
        vars(self).pop("_loaded_model", None)

    def _set_selection(self, record: str, names: list[str]) -> list[TypedWarning]:
        """Sets the attributes from the record of a selection. Returns its warnings."""
        found = json.loads(record)
        index = {name: at for at, name in enumerate(names)}
        self.scores_ = np.zeros(len(names))
        self.ranking_ = np.zeros(len(names), dtype=np.int64)
        for ranked in found["ranking"]:
            self.scores_[index[ranked["feature"]]] = ranked["score"]
            self.ranking_[index[ranked["feature"]]] = ranked["rank"]
        # Columns that were excluded have score 0 and the last ranks, in the order of the input.
        last = np.flatnonzero(self.ranking_ == 0)
        self.ranking_[last] = len(names) - len(last) + 1 + np.arange(len(last))
        self.support_ = np.zeros(len(names), dtype=bool)
        self.support_[[index[name] for name in found["selected"]]] = True
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
    def excluded_(self) -> dict[str, str]:
        """Columns that were excluded as identifiers, row numbers or copies of the target, with the reason."""
        selection = self._selection()
        return {one["feature"]: one["reason"] for one in selection.get("excluded", selection.get("set_aside", []))}

    @property
    def set_aside_(self) -> dict[str, str]:
        """Deprecated name of `excluded_`."""
        warnings.warn("set_aside_ is now called excluded_", FutureWarning, stacklevel=2)
        return self.excluded_

    @property
    def trace_(self) -> dict[str, np.ndarray]:
        """Terms of the objective after each iteration, by name; empty for methods without iterations."""
        return {name: np.asarray(values) for name, values in self._selection().get("trace", {}).items()}

    @property
    def size_curve_(self) -> dict[str, Any] | None:
        """Scores by number of features, if a size rule chose the number; else None."""
        return self._selection().get("size")

    @property
    def p_values_(self) -> np.ndarray | None:
        """Corrected p-values of all input columns, 1 for columns that were excluded; None for methods without tests."""
        found = {one["feature"]: one.get("p_value") for one in self._selection()["ranking"]}
        if all(p_value is None for p_value in found.values()):
            return None
        return np.asarray([found.get(name, 1.0) for name in known_names(self, self.n_features_in_)])

    @property
    def pairs_(self) -> list[tuple[str, str, float]]:
        """Pairs of interacting features with their corrected p-values, most significant first."""
        return [(*pair["features"], pair["p_value"]) for pair in self._selection().get("pairs", [])]

    @property
    def tested_(self) -> str | None:
        """Description of the tested columns and combinations; None for methods without tests."""
        return self._selection().get("tested")

    @property
    def held_out_(self) -> dict[str, Any] | None:
        """Results on held-out rows, for methods with held-out rows; else None."""
        return self._selection().get("held_out")

    def _selection(self) -> dict[str, Any]:
        check_is_fitted(self, "selection_json_")
        return json.loads(self.selection_json_)

    def save_selection(self, path: Any) -> None:
        """Writes the selection to a file that ``rulesieve apply`` reads."""
        check_is_fitted(self, "selection_json_")
        write_text(path, json.dumps(json.loads(self.selection_json_), indent=2) + "\n")


class Rows(NamedTuple):
    """Training rows."""

    columns: Columns
    y: np.ndarray
    weights: list[float] | None
    target: str
    # For each row the index of its original, if integer weights repeat rows.
    copies: list[int] | None = None


class Target(NamedTuple):
    """The target as numbers or class indices."""

    task: str
    values: np.ndarray
    classes: np.ndarray | None = None

    @property
    def names(self) -> list[Any]:
        return [] if self.classes is None else class_names(self.classes)


def dataset(
    columns: Columns, name: str, target: Target, missing: str, coding: str, keep: Any = False, include: Any = None
) -> _engine.Dataset:
    """A validated table; ``keep`` keeps suspicious columns, ``include`` are always selected."""
    names = columns.all_names
    kept, included = _options.kept_columns(keep, names), _options.included_columns(include, names)
    options = _options.data(name, target.task, missing, coding, target.names, kept, included)
    return _engine.Dataset(columns.names, columns.array, [*columns.single, (name, target.values)], options)


def unweighted_warnings(estimator: Any, method: str) -> list[TypedWarning]:
    """Warnings about selections that ignore given weights: many methods do, and all size rules."""
    size = estimator.n_features_to_select
    if size in (None, "auto") and method != _options.SIEVE and estimator.feature_groups is None:
        size = "one-se"
    by_rule = isinstance(size, str) and size[:1].isalpha() and size not in ("auto", "native")
    if not method_info(method)["weights"]:
        subject = "columns and their number were" if by_rule else "columns were"
        text = (
            f"'{method}' counts all rows the same: {subject} selected without sample_weight and class_weight, and only the rules "
            f"were fitted with them; use method='{_options.SIEVE}' to select with weights"
        )
        return [("other", text)]
    if by_rule:
        text = (
            f"the size rule '{size}' counts all rows the same: columns were ranked with sample_weight and class_weight, and their "
            "number was chosen without; set a number of features to avoid this"
        )
        return [("other", text)]
    return []


def of_kinds(warned: list[TypedWarning], *kinds: str) -> list[TypedWarning]:
    """The warnings of these types."""
    return [(kind, text) for kind, text in warned if kind in kinds]


def issue_warnings(warned: list[TypedWarning]) -> None:
    """Issues warnings with the location of the call of the package."""
    level = 2
    while (frame := _frame(level)) and frame.f_globals.get("__name__", "").split(".")[0] in ("rulesieve", "sklearn"):
        level += 1
    for kind, text in warned:
        warnings.warn(text, ConvergenceWarning if kind == "not-converged" else DataWarning, stacklevel=level)


def _frame(level: int) -> Any:
    try:
        return sys._getframe(level)
    except ValueError:
        return None


def read_rows(estimator: Estimator, X: Any, y: Any, sample_weight: Any = None, class_weight: Any = None) -> Rows:
    """Validated rows: weights of zero drop rows, integer weights repeat them."""
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None: all estimators are supervised")
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
    return _apply_weights(columns, y, weights, name)


def check_labels(y: Any, before: int = 0, name: str = "y") -> np.ndarray:
    """Labels as a one-dimensional array without missing values; `before` is the number of rows in earlier blocks."""
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None")
    hidden = np.flatnonzero(np.ma.getmaskarray(y)) if isinstance(y, np.ma.MaskedArray) else []
    y = column_or_1d(y, warn=True)
    lost = hidden if len(hidden) else _without_label(y)
    if len(lost):
        raise ValueError(f"Input {name} contains NaN: the label of row {before + lost[0]} is missing")
    return y


def _without_label(y: np.ndarray) -> Any:
    """Indices of rows with missing labels."""
    if y.dtype.kind == "f":
        return np.flatnonzero(np.isnan(y))
    return [row for row, label in enumerate(y) if is_missing(label)] if y.dtype == object else []


def _apply_weights(columns: Columns, y: np.ndarray, weights: np.ndarray | None, name: str) -> Rows:
    if weights is None:
        return Rows(columns, y, None, name)
    wrong = np.flatnonzero((weights < 0) | ~np.isfinite(weights))
    if wrong.size:
        raise ValueError(
            f"the weight of row {wrong[0]} is {weights[wrong[0]]}; sample_weight and class_weight must be finite and not negative"
        )
    if not np.any(weights > 0):
        raise ValueError("all sample weights are zero: there are no training rows, and so no class")
    if np.array_equal(weights, np.floor(weights)) and weights.sum() <= _MAX_REPEATS * len(weights):
        rows, remaining = np.repeat(np.arange(len(weights)), weights.astype(np.int64)), None
    else:
        rows = np.flatnonzero(weights > 0)
        remaining = weights[rows].tolist() if np.ptp(weights[rows]) > 0 else None
    if not np.array_equal(rows, np.arange(len(weights))):
        columns, y = columns.take(rows), y[rows]
    copies = rows.tolist() if np.any(rows[1:] == rows[:-1]) else None
    return Rows(columns, y, remaining, name, copies)


def read_target(y: np.ndarray, task: str, regression: bool) -> Target:
    """The target of a task; `regression` allows numeric targets."""
    _options.check_choice("task", task, ("auto", "classification", "regression"))
    if task == "auto":
        numeric = regression and y.dtype.kind in "iuf"
        task = infer_task(*np.unique(y, return_counts=True)) if numeric else "classification"
    if task == "regression":
        return Target(task, np.array(_check_y(numbers_only("y", y), y_numeric=True), dtype=np.float64))
    check_classification_targets(y)
    classes, codes = np.unique(_check_y(y), return_inverse=True)
    return Target(task, codes.astype(np.float64), classes)


def has_fractions(values: np.ndarray) -> bool:
    """Whether some values are numbers that are not whole."""
    return values.dtype.kind == "f" and bool(np.any(values != np.floor(values)))


def _are_codes(values: np.ndarray, counts: np.ndarray) -> bool:
    """Whether distinct whole numbers look like codes of classes: from 0 or 1 without a gap, each in about equally many rows."""
    without_gap = values.min() in (0, 1) and values.max() - values.min() + 1 == values.size
    return bool(values.size <= _MAX_CODES and without_gap and counts.min() >= 5 and 2 * counts.min() >= counts.max())


def infer_task(values: np.ndarray, counts: np.ndarray) -> str:
    """The task of a target with these distinct values and their numbers of rows, inferred as on the command line."""
    if values.dtype.kind not in "iuf":
        return "classification"
    if has_fractions(values):
        return "regression"
    if values.size > _MAX_INTEGER_CLASSES and not _are_codes(values, counts):
        reason = f"more than {_MAX_INTEGER_CLASSES} distinct numbers"
    elif np.any(counts == 1):
        reason = "numbers that occur once"
    else:
        return "classification"
    issue_warnings([("other", f"task: regression (y has {reason}); task='classification' reads them as classes")])
    return "regression"
