"""Types of keyword arguments, for type checkers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict, Union

import numpy as np

Size = Union[int, float, str, None]
Task = Literal["auto", "classification", "regression"]
Missing = Literal["fill", "median", "error"]
Coding = Literal["one-hot", "ordinal"]
Names = Sequence[Union[str, int]]
Groups = Union[Sequence[Names], Mapping[str, Names], Sequence[Union[str, int]], np.ndarray, None]
RandomState = Union[int, np.random.RandomState, None]
Balance = Union[Literal["balanced"], None]


class EvaluateOptions(TypedDict, total=False):
    """Options of :func:`rulesieve.evaluate`."""

    protocol: Literal["nested", "paper", "paper-per-fold", "paper-as-run", "paper-as-run-per-fold"]
    n_features_to_select: Size
    points: int | None
    folds: int | None
    repeats: int | None
    inner: int | None
    groups: Any
    times: Any
    window: int | None
    leave_one_out: bool
    thorough: bool
    estimator: Literal["svm", "knn", "tsk", "htsk"] | None
    estimator_rows: int | Literal["all"] | None
    kernel: Literal["rbf", "linear"] | None
    gamma: float | Literal["scale", "auto"] | None
    costs: float | list[float] | None
    class_order: Literal["alphabetical", "appearance"] | None
    neighbours: int | list[int] | None
    curve: bool
    subsample: int
    permute_labels: bool
    task: Task
    missing: Missing
    keep_suspicious: bool | Names
    include: Names | None
    categorical_coding: Coding
    random_state: RandomState
