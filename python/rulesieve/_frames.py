"""Data frames with pandas, lists of dicts without."""

from __future__ import annotations

from typing import Any


def frame(rows: list[dict[str, Any]], index: str | None = None) -> Any:
    """Rows as a data frame; unchanged without pandas."""
    try:
        import pandas
    except ImportError:
        return rows
    table = pandas.DataFrame(rows)
    return table.set_index(index) if index else table


def pandas_frame(table: Any) -> Any:
    """Converts a polars data frame to pandas without pyarrow."""
    import pandas

    return pandas.DataFrame({column.name: column.to_numpy() for column in table.iter_columns()})
