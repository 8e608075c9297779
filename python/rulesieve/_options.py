"""Conversion of parameters to options of the engine."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from joblib import cpu_count, effective_n_jobs
from sklearn.utils import check_random_state

from . import _engine

SIEVE = "sieve"
INDUCTIVE = "ldr-tsk-inductive"
# The methods that accept rows in blocks.
BLOCKWISE = (SIEVE, INDUCTIVE)
# The policies for missing values.
MISSING = ("fill", "median", "error")


def as_text(settings: dict[str, Any]) -> dict[str, str]:
    """Values of parameters as text; None means the default of the engine."""
    texts = {}
    for name, value in settings.items():
        if value is None:
            continue
        if isinstance(value, (bool, np.bool_)):
            value = "yes" if value else "no"
        elif isinstance(value, numbers.Integral):
            value = int(value)
        elif isinstance(value, numbers.Real):
            value = repr(float(value))
        texts[name] = str(value)
    return texts


def size(value: Any) -> str:
    """The number of features to select as text: a number, a fraction, a rule, or None for a number chosen from the data."""
    if value is None:
        return "auto"
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (str, numbers.Real)):
        raise ValueError(
            f"n_features_to_select={value!r} is not allowed; it must be a whole number of at least 1, a fraction above 0 and at "
            "most 1, None for a number chosen from the data, or the name of a rule: 'one-se', 'best', 'elbow', 'tolerance=X', 'native'"
        )
    return text(value)


def text(value: Any) -> str:
    """A number or text in the format of the command line."""
    if isinstance(value, numbers.Integral):
        return str(int(value))
    return repr(float(value)) if isinstance(value, numbers.Real) else str(value)


def seed(random_state: Any) -> int:
    """The seed of an integer; other values of random_state draw one."""
    if isinstance(random_state, numbers.Integral):
        if not 0 <= random_state < 2**63:
            raise ValueError(f"random_state={random_state} is not allowed; it must be from 0 to 2**63 - 1")
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))


def threads(n_jobs: int | None) -> int:
    """The number of threads of a fit; None means 1, or the number of a joblib context."""
    if n_jobs is not None and not isinstance(n_jobs, numbers.Integral):
        raise ValueError(f"n_jobs={n_jobs!r} is not allowed; it must be a whole number, or None")
    # A context may count the workers of a cluster; more threads than cores are slower.
    return min(int(effective_n_jobs(n_jobs)), cpu_count())


def select(
    method: str, settings: dict[str, Any], balance: bool, size: str, groups: list[list[str]], seed: int
) -> _engine.SelectOptions:
    """Selection options; `balance` gives all classes the same total weight."""
    if balance and "weights" in settings:
        raise ValueError("class_weight='balanced' and the parameter 'weights' cannot be combined; leave one of them out")
    settings = as_text(settings)
    return _engine.SelectOptions(method=str(method), settings=settings, balance=balance, size=size, groups=groups, seed=seed)


def joined(own: dict[str, Any], name: str, further: Any) -> dict[str, Any]:
    """The parameters of a class and further ones from a dict, which must be distinct."""
    further = check_mapping(name, further)
    twice = [key for key in further if key in own]
    if twice:
        raise ValueError(f"{twice[0]!r} in {name} is also a parameter of the estimator; set that one")
    return {**own, **further}


def balanced(class_weight: Any) -> bool:
    """Whether ``class_weight`` gives all classes the same total weight."""
    if class_weight is not None and (not isinstance(class_weight, str) or class_weight != "balanced"):
        raise ValueError(f"class_weight={class_weight!r} is not allowed; it must be None or 'balanced'")
    return class_weight is not None


def kept_columns(value: Any, names: list[str]) -> bool | list[str]:
    """The suspicious columns to include: none, all, or some by name or index."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    return _columns("keep_suspicious", value, names, "True, False or a list of columns")


def included_columns(value: Any, names: list[str]) -> list[str]:
    """The columns that are always selected, by name or index."""
    columns = [] if value is None else _columns("include", value, names, "a list of columns, or None")
    for column in (column for column in columns if column not in names):
        raise ValueError(f"include names the column {column!r}, which X does not have")
    return columns


def _columns(parameter: str, value: Any, names: list[str], allowed: str) -> list[str]:
    """The names of columns that are given by name or index."""
    if isinstance(value, (str, numbers.Number)) or not np.iterable(value):
        raise ValueError(f"{parameter}={value!r} is not allowed; it must be {allowed}")
    by_index = [isinstance(column, numbers.Integral) and not isinstance(column, bool) for column in value]
    for column in (column for column, index in zip(value, by_index) if index and not 0 <= column < len(names)):
        raise ValueError(f"{parameter} names column {column}; there are {len(names)}, counted from 0")
    return [names[column] if index else str(column) for column, index in zip(value, by_index)]


def data(
    target: str, task: str, missing: str, coding: str, classes: list[Any], keep: bool | list[str], include: list[str]
) -> _engine.DataOptions:
    """Data options; labels are class indices, without classes for regression."""
    return _engine.DataOptions(
        target=target, task=task, missing=missing, coding=coding, classes=classes, keep_suspicious=keep, include=include
    )


def whole(name: str, value: Any, least: int = 0) -> int:
    """Checks an integer, including NumPy integers."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < least:
        raise ValueError(f"{name}={value!r} is not allowed; it must be a whole number of at least {least}")
    return int(value)


def check_seconds(name: str, value: Any) -> None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, numbers.Real)):
        raise ValueError(f"{name}={value!r} is not allowed; it must be a number of seconds, or None")


def check_choice(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ValueError(f"{name}={value!r} is not allowed; it must be one of {', '.join(map(repr, allowed))}")


def check_mapping(name: str, value: Any) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ValueError(f"{name} must be a dict of parameters by name, not {type(value).__name__}")
    return dict(value)
