"""Plots with matplotlib (``pip install rulesieve[plots]``). All functions return the axes."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ._columns import known_names
from ._evaluate import Evaluation

__all__ = ["plot_curve", "plot_evaluation", "plot_scores", "plot_size", "plot_trace"]

_SELECTED, _OTHER = "#1f6f8b", "#b8c4c9"


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("plots need matplotlib; run pip install 'rulesieve[plots]'") from error
    return pyplot.subplots(layout="constrained")[1]


def plot_scores(estimator: Any, *, top: int = 20, ax: Any = None) -> Any:
    """Plots the scores of the best features; selected ones are highlighted.

    Parameters
    ----------
    estimator : selector or model
        A fitted estimator.
    top : int, default=20
        Maximum number of features.
    ax : matplotlib axes, default=None
        The axes; None creates a figure.
    """
    check_is_fitted(estimator, "scores_")
    ax, names = _axes(ax), known_names(estimator, estimator.n_features_in_)
    order = np.argsort(estimator.ranking_)[:top][::-1]
    colours = [_SELECTED if estimator.support_[at] else _OTHER for at in order]
    ax.barh([names[at] for at in order], estimator.scores_[order], color=colours)
    ax.set(xlabel="score", title=f"{estimator.n_features_} of {len(names)} features selected")
    return ax


def plot_trace(estimator: Any, *, ax: Any = None) -> Any:
    """Plots the terms of the objective by iteration."""
    if not estimator.trace_:
        raise ValueError("this method does not iterate, so there is no trace to plot")
    ax = _axes(ax)
    for name, values in estimator.trace_.items():
        ax.plot(np.arange(1, len(values) + 1), values, label=name.replace("_", " "))
    ax.set(xlabel="iteration", ylabel="term of the objective")
    ax.legend()
    return ax


def plot_size(estimator: Any, *, ax: Any = None) -> Any:
    """Plots the cross-validated score by number of features, if a size rule chose the number."""
    curve = estimator.size_curve_
    if curve is None:
        raise ValueError("the number of features was given; use a rule, such as n_features_to_select='one-se'")
    ax = _axes(ax)
    points = curve["points"]
    sizes = [point["features"] for point in points]
    ax.errorbar(sizes, [point["score"] for point in points], [point["standard_error"] for point in points],
                marker="o", capsize=3, color=_SELECTED)
    ax.axvline(estimator.n_features_, linestyle="--", color=_OTHER)
    ax.set(xscale="log", xlabel="features", ylabel="cross-validated score",
           title=f"{estimator.n_features_} features by {curve['rule']}")
    return ax


def plot_evaluation(evaluation: Evaluation, *, score: str | None = None, ax: Any = None) -> Any:
    """Plots the score of each method and baseline with its standard deviation over the splits."""
    from ._evaluate import _methods_and_baselines

    score = score or evaluation.record["score"]
    scored = [one for one in _methods_and_baselines(evaluation.record) if isinstance(one.get(score), dict)][::-1]
    if not scored:
        raise ValueError(f"there is no score {score!r} in this evaluation")
    ax, methods = _axes(ax), {method["method"] for method in evaluation.record["methods"]}
    ax.barh([one["method"] for one in scored], [one[score]["mean"] for one in scored],
            xerr=[one[score]["std"] or 0.0 for one in scored],
            color=[_SELECTED if one["method"] in methods else _OTHER for one in scored])
    ax.set(xlabel=score.replace("_", " "), title=f"protocol {evaluation.record['protocol']}, {evaluation.record['splits']}")
    return ax


def plot_curve(evaluation: Evaluation, *, ax: Any = None) -> Any:
    """Plots the score of each method by number of features; needs ``curve=True``."""
    drawn = [method for method in evaluation.record["methods"] if method.get("curve")]
    if not drawn:
        raise ValueError("the evaluation has no curve; evaluate with curve=True")
    ax = _axes(ax)
    for method in drawn:
        points = method["curve"]["points"]
        ax.plot([point["features"] for point in points], [point["score"] for point in points], marker="o", label=method["method"])
    ax.set(xscale="log", xlabel="features", ylabel=evaluation.record["score"])
    ax.legend()
    return ax
