"""Conversion of arrays and data frames to the columns of the engine."""

from __future__ import annotations

import numbers
from collections import Counter
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import validate_data


class Columns(NamedTuple):
    """A table for the engine: an array with column names, and single columns."""

    names: list[str]
    array: np.ndarray
    single: list[tuple[str, Any]]

    @property
    def all_names(self) -> list[str]:
        return self.names + [name for name, _ in self.single]

    def rows(self) -> int:
        return len(self.single[0][1]) if self.single else self.array.shape[0]

    def take(self, rows: np.ndarray) -> Columns:
        """A table of these rows, which may be repeated."""
        array = self.array[rows] if self.names else self.array
        single = [
            (name, cells[rows] if isinstance(cells, np.ndarray) else [cells[row] for row in rows])
            for name, cells in self.single
        ]
        return Columns(self.names, array, single)


def read_features(estimator: Any, X: Any, *, reset: bool, allow_nan: bool) -> Columns:
    """Validates X as scikit-learn does and stores its feature names; frames with texts or categories are read column by column."""
    frame = _as_frame(X)
    if frame is not None:
        check_columns(frame)
    if not (_is_long_array(X) if frame is None else _is_mixed(frame)):
        X = numbers_only("X", X)
        array = validate_data(
            estimator, X, reset=reset, dtype=np.float64, ensure_all_finite=False, ensure_min_samples=2 if reset else 1
        )
        names = known_names(estimator, array.shape[1])
        _check_finite(names, array, allow_nan)
        return Columns(names, aligned(array), [])
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    table = X if frame is None else frame
    if len(table) < (2 if reset else 1):
        raise ValueError(f"Found array with {len(table)} sample(s) while a minimum of {2 if reset else 1} is required.")
    return _column_by_column(known_names(estimator, table.shape[1]), table)


def numbers_only(name: str, values: Any) -> Any:
    """Rejects values that NumPy would convert to numbers of another meaning; masked values become missing."""
    kind = getattr(getattr(values, "dtype", None), "kind", "")
    if kind == "c":
        raise ValueError(f"Complex data not supported: {name} holds {values.dtype}")
    if kind in ("m", "M"):
        raise ValueError(f"{name} holds {values.dtype}, which are times; convert them to numbers, for example of days")
    if isinstance(values, np.ma.MaskedArray):
        return np.ma.filled(values.astype(np.float64), np.nan)
    return values


def _check_finite(names: list[str], array: np.ndarray, allow_nan: bool) -> None:
    """Rejects NaN and infinite values, and reports the first cell."""
    # A finite sum shows that all values are finite, without a temporary array. It may overflow, so other sums need the full check.
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(array.sum()):
            return
    lost = np.isnan(array)
    if lost.any() and not allow_nan:
        row, column = np.argwhere(lost)[0]
        raise ValueError(
            f"Input X contains NaN: column '{names[column]}' is missing in row {row} ({lost.sum()} missing values in "
            f"{lost.any(axis=0).sum()} columns); fill them in, fit with missing='fill', or drop those rows"
        )
    infinite = np.argwhere(np.isinf(array))
    if infinite.size:
        row, column = infinite[0]
        raise ValueError(
            f"Input X contains infinity: column '{names[column]}' is {array[row, column]} in row {row}; every value must be finite"
        )


def read_block(names: list[str], X: Any, texts: list[str]) -> Columns:
    """Reads a block of a table with known column names; those of ``texts`` are texts."""
    frame = _as_frame(X)
    if frame is None:
        by_column = _is_long_array(X) or bool(texts)
    else:
        by_column = _is_mixed(frame) or bool(texts) or not all(isinstance(dtype, np.dtype) for dtype in frame.dtypes)
    if not by_column:
        array = np.asarray(numbers_only("X", X), dtype=np.float64)
        if array.ndim != 2 or array.shape[1] != len(names):
            raise ValueError(f"a block has the shape {array.shape}; {len(names)} columns are expected")
        return Columns(names, aligned(array), [])
    columns = _column_by_column(names, X if frame is None else frame)
    single = [(name, text_cells(cells) if name in texts else cells) for name, cells in columns.single]
    return Columns(columns.names, columns.array, single)


def _column_by_column(names: list[str], frame: Any) -> Columns:
    column = (lambda at: frame.iloc[:, at]) if hasattr(frame, "iloc") else (lambda at: frame[:, at])
    return Columns([], np.empty((len(frame), 0)), [(name, _cells(name, column(at))) for at, name in enumerate(names)])


def class_names(classes: np.ndarray) -> list[Any]:
    """Class names for the engine: numbers as floats, all others as texts."""
    if classes.dtype.kind == "f" or classes.dtype.kind in "iu" and abs(classes).max() < 2**53:
        return [float(one) for one in classes.tolist()]
    return [str(one) for one in classes.tolist()]


def parse_classes(classes: list[str]) -> np.ndarray:
    """Classes from their names in a file: numbers if all names are the representations of numbers, else texts."""
    if classes == ["False", "True"]:
        return np.asarray([False, True])
    for kind in (int, float):
        try:
            values = [kind(one) for one in classes]
        except ValueError:
            continue
        if [repr(value) for value in values] == classes:
            large = kind is int and max(values) >= 2**63
            return np.asarray(values, dtype=np.uint64 if large and min(values) >= 0 else object if large else None)
    return np.asarray(classes)


def target_name(y: Any, taken: list[str]) -> str:
    """The name of y if it is a series with a name, else 'target', made distinct from the feature names."""
    # Dask arrays have generated names.
    name = getattr(y, "name", None) if hasattr(y, "to_frame") else None
    name = name if isinstance(name, str) and name else "target"
    while name in taken:
        name += "_"
    return name


def aligned_columns(columns: Columns) -> Columns:
    """A table with aligned arrays."""
    single = [(name, aligned(cells) if isinstance(cells, np.ndarray) else cells) for name, cells in columns.single]
    return Columns(columns.names, aligned(columns.array), single)


def aligned(array: np.ndarray) -> np.ndarray:
    """The array itself if aligned in memory, else a copy (for example of fields of records)."""
    return array if array.flags.aligned else array.copy()


def known_names(estimator: Any, count: int) -> list[str]:
    """The feature names of a fit; x0, x1, ... if the input had none."""
    names = getattr(estimator, "feature_names_in_", None)
    return [f"x{at}" for at in range(count)] if names is None else [str(name) for name in names]


def is_dask(X: Any) -> bool:
    """Whether X is a dask array or data frame."""
    return type(X).__module__.partition(".")[0] in ("dask", "dask_expr") and hasattr(X, "to_delayed")


def _as_frame(X: Any) -> Any:
    """X if it is a pandas or polars data frame, else None."""
    module = type(X).__module__.partition(".")[0]
    if type(X).__name__ == "LazyFrame":
        raise ValueError("X is a LazyFrame without rows; call collect() first")
    return X if module in ("pandas", "polars") and hasattr(X, "columns") else None


def check_columns(frame: Any) -> None:
    """Rejects frames without columns or with repeated column names."""
    if not len(frame.columns):
        raise ValueError(f"Found array with 0 feature(s) (shape={frame.shape}) while a minimum of 1 is required.")
    name, count = Counter(frame.columns).most_common(1)[0]
    if count > 1:
        raise ValueError(f"X has {count} columns {name!r}; rename all but one")


def _is_mixed(frame: Any) -> bool:
    """Whether a frame has columns that are not numeric, or integers that doubles would round."""
    if hasattr(frame, "schema"):
        kinds = [dtype.is_numeric() or str(dtype) == "Boolean" for dtype in frame.schema.values()]
        return not all(kinds) or any(_has_long_integers(frame[name]) for name in frame.columns)
    kinds = [getattr(dtype, "kind", "O") for dtype in frame.dtypes]
    if any(kind not in "iufb" for kind in kinds):
        return True
    return any(_has_long_integers(frame.iloc[:, at]) for at, kind in enumerate(kinds) if kind in "iu")


def _is_long_array(X: Any) -> bool:
    """Whether X is an array of integers of which doubles would round some."""
    is_plain = isinstance(X, np.ndarray) and not isinstance(X, np.ma.MaskedArray)
    return is_plain and X.ndim == 2 and _has_long_integers(X)


def _has_long_integers(values: Any) -> bool:
    """Whether an array or a column has integers of more than 53 bits: identifiers, whose digits doubles would lose."""
    dtype = values.dtype
    is_integer = dtype.is_integer() if hasattr(dtype, "is_integer") else getattr(dtype, "kind", "O") in "iu"
    if not is_integer or getattr(dtype, "itemsize", 8) < 8 or not np.prod(values.shape):
        return False
    return any(not is_missing(extreme) and abs(int(extreme)) > 2**53 for extreme in (values.min(), values.max()))


def _cells(name: str, column: Any) -> Any:
    """One column of a frame: numbers with NaN for missing values, or texts that are empty for missing values."""
    if _has_long_integers(column):
        return text_cells(column.tolist() if isinstance(column, np.ndarray) else column.to_list())
    if isinstance(column, np.ndarray):
        return column.astype(np.float64)
    kind = _kind(column)
    if kind == "number":
        if hasattr(column, "isna"):
            return aligned(column.to_numpy(dtype=np.float64, na_value=np.nan))
        return aligned(column.cast(float).fill_null(float("nan")).to_numpy())
    if kind == "text":
        return text_cells(column.to_list())
    raise ValueError(
        f"column '{name}' holds {_described(column)}, which is neither numbers nor categories; "
        "convert it to numbers, or drop it"
    )


def _kind(column: Any) -> str:
    dtype = column.dtype
    if hasattr(dtype, "is_numeric"):
        if dtype.is_numeric() or str(dtype) == "Boolean":
            return "number"
        return "text" if str(dtype).split("(")[0] in ("String", "Categorical", "Enum") else "other"
    if dtype == object:
        kinds = {_cell_kind(cell) for cell in column.to_list() if not is_missing(cell)}
        return "number" if kinds == {"number"} else "other" if "other" in kinds else "text"
    if hasattr(dtype, "categories") or str(dtype).split("[")[0] in ("string", "str"):
        return "text"
    return "number" if dtype.kind in "iufb" else "other"


def _cell_kind(cell: Any) -> str:
    """The kind of a cell of an object column; booleans are texts."""
    if isinstance(cell, numbers.Real) and not isinstance(cell, (bool, np.bool_)):
        return "number"
    return "text" if isinstance(cell, (str, bool, np.bool_)) else "other"


def _described(column: Any) -> str:
    if column.dtype != object:
        return str(column.dtype)
    return next(type(cell).__name__ for cell in column.to_list() if not is_missing(cell) and _cell_kind(cell) == "other")


def is_missing(value: Any) -> bool:
    """Whether a cell is missing."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float) and value != value


def _text(value: Any) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e16:
        return str(int(value))
    return str(value)


def text_cells(cells: Any) -> list[str]:
    """Cells as texts, empty for missing values."""
    return ["" if is_missing(cell) else _text(cell) for cell in (cells.tolist() if isinstance(cells, np.ndarray) else cells)]
