"""Data frames where pandas is installed, lists of dicts where it is not."""

from __future__ import annotations

from typing import Any


def frame(rows: list[dict[str, Any]], index: str | None = None) -> Any:
    """Rows as a data frame; without pandas, as they are."""
    try:
        import pandas
    except ImportError:
        return rows
    table = pandas.DataFrame(rows)
    return table.set_index(index) if index else table


def pandas_frame(table: Any) -> Any:
    """A frame of polars as one of pandas, of the same columns; pyarrow is not needed."""
    import pandas

    return pandas.DataFrame({column.name: column.to_numpy() for column in table.iter_columns()})
