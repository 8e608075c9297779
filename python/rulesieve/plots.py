"""Pictures of what was found, with matplotlib (``pip install rulesieve[plots]``). Every function returns its axes."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ._columns import known_names
from ._evaluate import Evaluation

__all__ = ["plot_curve", "plot_evaluation", "plot_scores", "plot_size", "plot_trace"]

_KEPT, _LEFT = "#1f6f8b", "#b8c4c9"


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("pictures need matplotlib: pip install 'rulesieve[plots]'") from error
    return pyplot.subplots(layout="constrained")[1]


def plot_scores(estimator: Any, *, top: int = 20, ax: Any = None) -> Any:
    """The scores of the best features, those kept in colour.

    Parameters
    ----------
    estimator : selector or model
        Fitted.
    top : int, default=20
        Features to show.
    ax : matplotlib axes, default=None
        Where to draw.
    """
    check_is_fitted(estimator, "scores_")
    ax, names = _axes(ax), known_names(estimator, estimator.n_features_in_)
    order = np.argsort(estimator.ranking_)[:top][::-1]
    colours = [_KEPT if estimator.support_[at] else _LEFT for at in order]
    ax.barh([names[at] for at in order], estimator.scores_[order], color=colours)
    ax.set(xlabel="score", title=f"{estimator.n_features_} of {len(names)} features kept")
    return ax


def plot_trace(estimator: Any, *, ax: Any = None) -> Any:
    """The terms of the objective after every iteration."""
    if not estimator.trace_:
        raise ValueError("this method does not iterate: there is nothing to draw")
    ax = _axes(ax)
    for name, values in estimator.trace_.items():
        ax.plot(np.arange(1, len(values) + 1), values, label=name.replace("_", " "))
    ax.set(xlabel="iteration", ylabel="term of the objective")
    ax.legend()
    return ax


def plot_size(estimator: Any, *, ax: Any = None) -> Any:
    """The cross-validated score against the number of features, where a rule has found the size."""
    curve = estimator.size_curve_
    if curve is None:
        raise ValueError("the size was given; ask for a rule, such as n_features_to_select='one-se', to have it found")
    ax = _axes(ax)
    points = curve["points"]
    sizes = [point["features"] for point in points]
    ax.errorbar(sizes, [point["score"] for point in points], [point["standard_error"] for point in points],
                marker="o", capsize=3, color=_KEPT)
    ax.axvline(estimator.n_features_, linestyle="--", color=_LEFT)
    ax.set(xscale="log", xlabel="features", ylabel="score on rows not learned from",
           title=f"{estimator.n_features_} features by {curve['rule']}")
    return ax


def plot_evaluation(evaluation: Evaluation, *, score: str | None = None, ax: Any = None) -> Any:
    """The score of every method and baseline with its deviation over the splits."""
    from ._evaluate import _ranked

    score = score or evaluation.record["score"]
    ranked = [one for one in _ranked(evaluation.record) if isinstance(one.get(score), dict)][::-1]
    if not ranked:
        raise ValueError(f"there is no score {score!r} in this evaluation")
    ax, methods = _axes(ax), {method["method"] for method in evaluation.record["methods"]}
    ax.barh([one["method"] for one in ranked], [one[score]["mean"] for one in ranked],
            xerr=[one[score]["std"] or 0.0 for one in ranked],
            color=[_KEPT if one["method"] in methods else _LEFT for one in ranked])
    ax.set(xlabel=score.replace("_", " "), title=f"protocol {evaluation.record['protocol']}, {evaluation.record['splits']}")
    return ax


def plot_curve(evaluation: Evaluation, *, ax: Any = None) -> Any:
    """The score against the number of features for every method, where ``curve=True`` was asked for."""
    drawn = [method for method in evaluation.record["methods"] if method.get("curve")]
    if not drawn:
        raise ValueError("no curve was measured; evaluate with curve=True")
    ax = _axes(ax)
    for method in drawn:
        points = method["curve"]["points"]
        ax.plot([point["features"] for point in points], [point["score"] for point in points], marker="o", label=method["method"])
    ax.set(xscale="log", xlabel="features", ylabel=evaluation.record["score"])
    ax.legend()
    return ax
