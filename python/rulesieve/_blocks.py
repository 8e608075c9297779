"""Rows of dask, read block by block."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data

from ._columns import labels, read_block, target_name, text_cells


def is_dask(X: Any) -> bool:
    """Whether X is an array or a data frame of dask."""
    return type(X).__module__.partition(".")[0] in ("dask", "dask_expr") and hasattr(X, "to_delayed")


class DaskRows:
    """Calls give an iterator over the blocks from the first row on, for the engine."""

    def __init__(self, estimator: Any, X: Any, y: Any):
        if not is_dask(y):
            raise ValueError("X is held by dask, so y must be too, in blocks of the same rows")
        self.X, self.y, self.is_frame = X, y, hasattr(X, "columns")
        if self.is_frame:
            validate_data(estimator, X._meta, reset=True, skip_check_array=True)
            self.names = [str(name) for name in X.columns]
            self.x_blocks, self.y_blocks = X.to_delayed(), y.to_delayed()
        else:
            if X.ndim != 2:
                raise ValueError(f"X has {X.ndim} dimensions; a table has 2")
            estimator.n_features_in_ = X.shape[1]
            if hasattr(estimator, "feature_names_in_"):
                del estimator.feature_names_in_
            self.names = [f"x{at}" for at in range(X.shape[1])]
            X = X.rechunk({1: -1})
            y = y.rechunk({0: X.chunks[0]}) if not np.isnan(X.chunks[0]).any() else y
            self.x_blocks, self.y_blocks = X.to_delayed().ravel(), y.to_delayed().ravel()
        if len(self.x_blocks) != len(self.y_blocks):
            raise ValueError(f"X comes in {len(self.x_blocks)} blocks and y in {len(self.y_blocks)}; they must be of the same rows")
        self.target = target_name(y, self.names)

    def classes(self) -> np.ndarray:
        """All classes, found block by block."""
        import dask

        found = [dask.compute(block)[0] for block in self.y_blocks]
        return np.unique(np.concatenate([np.unique(np.asarray(block)) for block in found]))

    def __call__(self, texts: list[str]):
        import dask

        for number, (x_block, y_block) in enumerate(zip(self.x_blocks, self.y_blocks)):
            x, y = dask.compute(x_block, y_block)
            y = np.asarray(y)
            if len(x) != len(y):
                raise ValueError(f"block {number} of X has {len(x)} rows, that of y {len(y)}; they must be the same rows")
            if len(x) == 0:
                continue
            columns = read_block(self.names, x)
            single = [*columns.single, (self.target, labels(y))]
            single = [(name, text_cells(cells) if name in texts else cells) for name, cells in single]
            yield columns.names, columns.array, single
