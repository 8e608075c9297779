"""Dask collections, read block by block."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_y, column_or_1d, validate_data

from . import _options
from ._base import Target, check_labels, has_fractions, infer_task
from ._columns import check_columns, is_dask, known_names, numbers_only, read_block, target_name


class DaskRows:
    """Rows in blocks; calling it returns an iterator over all blocks."""

    def __init__(self, estimator: Any, X: Any, y: Any, task: str):
        if not is_dask(y):
            raise ValueError("X is a dask collection, so y must be too, in blocks of the same rows")
        if hasattr(X, "columns"):
            check_columns(X._meta)
            validate_data(estimator, X._meta, reset=True, skip_check_array=True)
        else:
            if X.ndim != 2:
                raise ValueError(f"X has {X.ndim} dimensions; a table has 2")
            estimator.n_features_in_ = X.shape[1]
            X = X.rechunk({1: -1})
            if hasattr(y, "rechunk") and not np.isnan(X.chunks[0]).any():
                y = y.rechunk({0: X.chunks[0]})
        self.names = known_names(estimator, X.shape[1] if not hasattr(X, "columns") else len(X.columns))
        self.x_blocks, self.y_blocks = (np.ravel(np.asarray(part.to_delayed(), dtype=object)) for part in (X, y))
        if len(self.x_blocks) != len(self.y_blocks):
            raise ValueError(
                f"X comes in {len(self.x_blocks)} blocks and y in {len(self.y_blocks)}; they must be of the same rows"
            )
        self.name = target_name(y, self.names)
        self.target = self._target(task)

    def _target(self, task: str) -> Target:
        """The target, as for rows in memory: 'auto' infers the task from the values of all blocks."""
        _options.check_choice("task", task, ("auto", "classification", "regression"))
        if task == "regression":
            return Target(task, np.empty(0))
        found = []
        for labels in self._labels():
            if task == "auto" and has_fractions(labels):
                return Target("regression", np.empty(0))
            if task == "auto" and labels.dtype.kind in "iuf":
                # The task of numbers depends on all blocks.
                _check_y(labels)
            else:
                check_classification_targets(labels)
            found.append(np.unique(labels, return_counts=True))
        parts, counts = (np.concatenate(part) for part in zip(*found)) if found else (np.empty(0), np.empty(0))
        classes, positions = np.unique(parts, return_inverse=True)
        if task == "auto" and infer_task(classes, np.bincount(positions, weights=counts)) == "regression":
            return Target("regression", np.empty(0))
        if classes.size < 2:
            raise ValueError(f"y has a single class, {classes.tolist()}; classification needs at least 2")
        return Target("classification", np.empty(0), classes)

    def _labels(self) -> Iterator[np.ndarray]:
        """The labels, block by block."""
        import dask

        before = 0
        for block in self.y_blocks:
            labels = check_labels(np.asarray(dask.compute(block)[0]), before)
            before += labels.size
            if labels.size:
                yield labels

    def __call__(self, texts: list[str]) -> Iterator[Any]:
        import dask

        for number, (x_block, y_block) in enumerate(zip(self.x_blocks, self.y_blocks)):
            x, y = dask.compute(x_block, y_block)
            y = column_or_1d(np.asarray(y))
            if len(x) != len(y):
                raise ValueError(f"block {number} of X has {len(x)} rows, that of y {len(y)}; they must be the same rows")
            if len(x) == 0:
                continue
            columns = read_block(self.names, x, texts)
            values = numbers_only("y", y) if self.target.classes is None else np.searchsorted(self.target.classes, y)
            yield columns.names, columns.array, [*columns.single, (self.name, values.astype(np.float64))]


def computed(X: Any) -> Iterator[Any]:
    """Iterates over the blocks of a dask array or data frame."""
    import dask

    if not hasattr(X, "columns"):
        X = X.rechunk({1: -1})
    for block in np.ravel(np.asarray(X.to_delayed(), dtype=object)):
        rows = dask.compute(block)[0]
        if len(rows):
            yield rows
