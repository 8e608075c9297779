"""HTML reports."""

from __future__ import annotations

from typing import Any

from sklearn.utils.validation import check_is_fitted

from ._base import Estimator, dataset, read_rows, read_target
from ._columns import known_names
from ._files import write_text


class _Reader(Estimator):
    """Reads a table outside of a fit."""

    def __init__(self, missing="fill"):
        self.missing = missing


def report(path: Any, X: Any, y: Any, *, estimator: Any, name: str = "the table") -> None:
    """Writes a self-contained HTML report on a fitted estimator: scores, rules, distributions and warnings.

    Parameters
    ----------
    path : str or path-like
        The file to write.
    X, y : array-like or data frame
        The training rows of the estimator.
    estimator : selector or model
        A fitted estimator of this package.
    name : str, default='the table'
        The name of the table in the report.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from rulesieve import Ranker, load_table, report
    >>> X, y = load_table("waveform", samples=200)
    >>> page = pathlib.Path(tempfile.mkdtemp()) / "page.html"
    >>> report(page, X, y, estimator=Ranker("anova").fit(X, y), name="waveform")
    >>> page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    True
    """
    check_is_fitted(estimator, "selection_json_")
    rows = read_rows(_Reader(estimator.missing), X, y)
    if rows.columns.all_names != known_names(estimator, estimator.n_features_in_):
        raise ValueError("X has other columns than the rows that the estimator was fitted to")
    known = estimator._selection()["data"]
    target = read_target(rows.y, known["task"], True)
    keep, include = estimator.keep_suspicious, estimator.include
    data = dataset(rows.columns, rows.target, target, estimator.missing, estimator.categorical_coding, keep, include)
    if target.task == "classification" and data.classes != known["class_names"]:
        raise ValueError(f"y has the classes {data.classes}, and the estimator was fitted to {known['class_names']}")
    model = estimator._loaded() if hasattr(estimator, "model_json_") else None
    command = f"{estimator!r}.fit(X, y)"
    write_text(path, data.report(name, " ".join(command.split()), estimator.selection_json_, model))
