"""Built-in data sets for examples."""

from __future__ import annotations

import numpy as np

from . import _engine, _options

# Texts of missing values.
_MISSING = ("", "NA", "?")


def load_table(name: str, *, samples: int | None = None, features: int | None = None, seed: int = 0, as_frame: bool = True):
    """Loads or generates a built-in data set.

    Parameters
    ----------
    name : str
        'penguins' (a real table with missing values and categories), or a generator: 'double-circle', 'xor', 'madelon',
        'waveform', 'control', 'friedman' and others; the error for an unknown name lists all.
    samples, features, seed : int
        Size and random seed of a generator; None uses the default size.
    as_frame : bool, default=True
        Whether to return pandas objects; arrays if False or without pandas.

    Returns
    -------
    X : DataFrame or ndarray
        The features.
    y : Series or ndarray
        The target.

    Examples
    --------
    >>> from rulesieve import load_table
    >>> X, y = load_table("double-circle")
    >>> X.shape, y.nunique()
    ((400, 10), 2)
    """
    sizes = [None if size is None else _options.whole(word, size, 1) for word, size in (("samples", samples), ("features", features))]
    columns, target, _ = _engine.load(name, *sizes, _options.whole("seed", seed))
    target = target or columns[-1][0]
    values = {column: np.asarray(cells) for column, cells in columns}
    y = values.pop(target)
    if as_frame:
        try:
            import pandas
        except ImportError:
            as_frame = False
    if not as_frame:
        if all(cells.dtype.kind == "f" for cells in values.values()):
            return np.column_stack(list(values.values())), y
        raise ValueError(f"{name} has categories, which an array cannot hold; install pandas, and leave as_frame=True")
    frame = pandas.DataFrame(values)
    for column in frame.columns:
        if frame[column].dtype.kind not in "iuf":
            frame[column] = frame[column].astype(object).where(~frame[column].isin(_MISSING), None).astype("category")
    return frame, pandas.Series(y, name=target)
