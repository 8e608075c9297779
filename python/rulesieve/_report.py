"""One page about what was found."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.utils.validation import check_is_fitted

from . import _engine, _wishes
from ._base import Estimator, read_rows, read_target
from ._files import write_text


class _Reader(Estimator):
    """Reads a table without belonging to a fit."""

    def __init__(self, missing="error"):
        self.missing = missing


def report(path: Any, X: Any, y: Any, *, estimator: Any, name: str = "the table") -> None:
    """Writes one page (HTML) about a fitted estimator: scores, rules, distributions, notices. It opens anywhere, offline.

    Parameters
    ----------
    path : str or path-like
        The file to write.
    X, y : array-like or data frame
        The rows that the estimator was fitted to.
    estimator : selector or model
        Fitted, of this package.
    name : str, default='the table'
        What the page calls the table.

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
    reader = _Reader(estimator.missing)
    rows, target = read_rows(reader, X, y)
    if rows.columns.all_names != known_names(estimator):
        raise ValueError("X has other columns than the rows that the estimator was fitted to")
    task = "regression" if is_regressor(estimator) else "classification" if is_classifier(estimator) else "auto"
    if task == "auto":
        task = estimator._selection()["data"]["task"]
    _, values = read_target(rows.y, task, True)
    wishes = _wishes.data(target, task, estimator.missing)
    columns = rows.columns
    data = _engine.Dataset(columns.names, columns.array, [*columns.single, (target, values)], wishes)
    model = estimator._loaded() if hasattr(estimator, "model_json_") else None
    command = f"{estimator!r}.fit(X, y)"
    write_text(path, data.report(name, " ".join(command.split()), estimator.selection_json_, model))


def known_names(estimator: Any) -> list[str]:
    names = getattr(estimator, "feature_names_in_", None)
    if names is None:
        return [f"x{at}" for at in range(estimator.n_features_in_)]
    return [str(name) for name in np.asarray(names)]
