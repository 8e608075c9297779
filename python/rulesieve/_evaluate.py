"""Evaluation of methods on held-out data, and tests of differences, with the same results as the command line."""

from __future__ import annotations

import json
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _engine, _options
from ._base import dataset, issue_warnings, of_kinds, read_rows, read_target
from ._files import write_text
from ._frames import frame
from ._report import _Reader

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._types import EvaluateOptions

_SCORES = ("accuracy", "balanced_accuracy", "macro_f1", "mcc", "roc_auc", "average_precision", "log_loss", "r2", "rmse")


class Evaluation:
    """The result of an evaluation.

    Attributes
    ----------
    table : DataFrame
        One row per method and baseline: means and standard deviations of the scores, number of selected features, stability with its
        interval, and the p-value of the first method against each. A list of dicts without pandas.
    folds : DataFrame
        One row per method and split.
    record : dict
        The record that ``rulesieve evaluate --json`` prints.
    complete : bool
        Whether all methods were evaluated in all splits; if not, the scores are those of the completed ones.
    """

    def __init__(self, record: dict[str, Any], data: Any = None, engine: Any = None):
        self.record, self._data, self._engine = record, data, engine

    def __getstate__(self):
        return {"record": self.record, "_data": None, "_engine": None}

    @property
    def complete(self) -> bool:
        return self.record["complete"]

    @property
    def table(self) -> Any:
        return frame([_method_row(one) for one in _methods_and_baselines(self.record)], "method")

    @property
    def folds(self) -> Any:
        rows = []
        for method in _methods_and_baselines(self.record):
            for fold in method.get("folds", []):
                own = {"method": method["method"], "split": fold["split"], "features": len(fold["selected"])}
                own.update({score: fold[score] for score in _SCORES if score in fold})
                rows.append({**own, "selected": fold["selected"], "seconds": fold["seconds"]})
        return frame(rows)

    def save(self, path: Any) -> None:
        """Writes the record as JSON."""
        write_text(path, json.dumps(self.record, indent=2) + "\n")

    def report(self, path: Any, *, name: str = "the table") -> None:
        """Writes an HTML report."""
        if self._engine is None:
            raise ValueError("a pickled evaluation has no data for a report; evaluate again, or use its record")
        write_text(path, self._data.report(name, "rulesieve.evaluate(X, y, ...)", evaluation=self._engine))

    def __repr__(self) -> str:
        return f"<Evaluation by protocol {self.record['protocol']}, {self.record['splits']}>\n{self.table!r}"

    def _repr_html_(self) -> str | None:
        to_html = getattr(self.table, "to_html", None)
        return to_html() if to_html else None


def evaluate(X: Any, y: Any, methods: Any = None, *, n_jobs: int | None = None,
             time_budget: float | None = None, **options: Unpack[EvaluateOptions]) -> Evaluation:
    """Evaluates methods on held-out data, with all choices made on the training rows.

    The results equal those of ``rulesieve evaluate`` with the same data, seed and options.

    Parameters
    ----------
    X : array-like or data frame of shape (n_samples, n_features)
        The rows.
    y : array-like of shape (n_samples,)
        Their classes or numeric targets.
    methods : list of str, or dict of dict, default=None
        The methods; the first one is compared with the others. A dict gives parameters of each method: a list of values is a grid
        to choose from, a single value is fixed. With None, 'sieve', 'anova', 'mutual-info' and 'mrmr', as far as they support the
        task; all methods with ``thorough``.
    n_jobs : int, default=None
        Number of threads; results do not depend on it.
    time_budget : float, default=None
        Seconds after which the evaluation ends. The result then has the completed splits and methods, its attribute ``complete`` is
        False, and a ``RuntimeWarning`` is issued.
    thorough : bool, default=False
        All methods that support the task, 10 folds 3 times, a curve, and more training rows for the estimator. Options that are
        given explicitly take precedence.
    protocol : {'nested', 'paper', 'paper-per-fold', 'paper-as-run', 'paper-as-run-per-fold'}, default='nested'
        How sizes and settings are chosen; only 'nested' does not use the test rows. The last two compute the paper's printed tables as
        its authors did: they scale by all rows and stop the SVM before it converges.
    n_features_to_select : int, float or str, default=None
        Number of features to select: an integer, a fraction, a rule as in :class:`LdrTskSelector`, which is applied to the training
        rows, or 'native'. With None, 'sieve' chooses the number itself, and inner folds choose among 1, 2, 3, 5, 8, ... for other
        methods (1/3 of the features under the paper's protocols).
    points : int, default=None
        Number of settings to choose from per method; None means 4, or all under the paper's protocols.
    folds, repeats, inner : int, default=None, 1, 5
        Number of folds (10; 5 above 1000 rows or in the order of time), of repetitions with new folds, and of inner folds.
    times : array-like of shape (n_samples,), default=None
        Times of the rows, such as numbers or dates: rows are trained before the rows that are tested. Each block of time but the
        first is tested; rows of the same time stay together.
    window : int, default=None
        With ``times``, the number of blocks before the test rows to train on (a rolling window); None means all (an expanding window).
    groups : array-like of shape (n_samples,), default=None
        Rows of the same group stay in one fold.
    leave_one_out : bool, default=False
        Leave-one-out cross-validation.
    estimator : {'svm', 'knn', 'tsk', 'htsk'}, default=None
        Estimator that scores the held-out rows; None means 'svm', or 'knn' for regression.
    kernel, gamma, costs, neighbours
        Parameters of the estimator: 'rbf' or 'linear'; 'scale', 'auto' or a number; lists to choose from.
    class_order : {'alphabetical', 'appearance'}, default=None
        How the SVM orders the classes, which decides ties of votes: by name, or by their first rows. None means 'alphabetical'.
    estimator_rows : int or 'all', default=None
        Maximum number of training rows of the estimator and the inner folds, drawn at random. None means 2000, or all of at most
        20,000 rows with ``thorough`` or the paper's protocols.
    curve : bool, default=False
        Whether to score the best 1, 2, 3, 5, 8, ... features too.
    subsample : int, default=0
        Measures stability on this many random subsamples of half the rows instead of the training rows.
    permute_labels : bool, default=False
        Shuffles the labels first; every method must then score at chance level.
    task : {'auto', 'classification', 'regression'}, default='auto'
        The learning task; 'auto' is as in :class:`SieveSelector`.
    missing, keep_suspicious, include, categorical_coding, random_state
        As in :class:`LdrTskSelector`.

    Returns
    -------
    Evaluation

    See Also
    --------
    rulesieve.distributed.evaluate : the same on many machines.

    Examples
    --------
    >>> from rulesieve import evaluate, load_table
    >>> X, y = load_table("waveform", samples=200)
    >>> found = evaluate(X, y, ["anova", "variance"], n_features_to_select=5, folds=5)
    >>> bool(found.table.loc["anova", "accuracy"] > found.table.loc["random features", "accuracy"])
    True
    """
    _options.check_seconds("time_budget", time_budget)
    plan = Plan(X, y, methods, **options)
    engine = plan.evaluation()
    engine.run_all(_options.threads(n_jobs), time_budget)
    return plan.result(engine)


class Plan:
    """Data and options of an evaluation, which can be sent to workers."""

    def __init__(self, X: Any, y: Any, methods: Any, *, protocol="nested", n_features_to_select=None, points=None,
                 folds=None, repeats=None, inner=None, groups=None, times=None, window=None, leave_one_out=False, thorough=False,
                 estimator=None, estimator_rows=None, kernel=None, gamma=None, costs=None, class_order=None, neighbours=None, curve=False, subsample=0,
                 permute_labels=False, task="auto",
                 missing="fill", keep_suspicious=False, include=None, categorical_coding="one-hot", random_state=0):
        _options.check_choice("missing", missing, _options.MISSING)
        _options.check_choice("categorical_coding", categorical_coding, ("one-hot", "ordinal"))
        for name, flag in (("leave_one_out", leave_one_out), ("thorough", thorough), ("curve", curve), ("permute_labels", permute_labels)):
            if not isinstance(flag, (bool, np.bool_)):
                raise ValueError(f"{name}={flag!r} is not allowed; it must be True or False")
        rows = read_rows(_Reader(missing), X, y)
        self.target = read_target(rows.y, task, True)
        self.rows, self.missing, self.coding = rows, missing, categorical_coding
        self.keep, self.include = keep_suspicious, include
        _reject_ignored(groups=groups, times=times, leave_one_out=leave_one_out, folds=folds, repeats=repeats)
        if window is not None and times is None:
            raise ValueError("window needs times; give the times of the rows, or leave it out")
        if groups is not None:
            if len(groups) != len(rows.y):
                raise ValueError(f"groups has {len(groups)} entries for {len(rows.y)} rows")
            groups = [int(at) for at in _group_indices(np.asarray(groups))]
        optional = {name: None if value is None else _options.whole(name, value, 1)
                    for name, value in (("points", points), ("folds", folds), ("repeats", repeats), ("inner", inner), ("window", window))}
        if estimator_rows is not None:
            estimator_rows = 0 if estimator_rows == "all" else _options.whole("estimator_rows", estimator_rows, 1)
        self.options = {
            "protocol": protocol,
            "methods": [] if methods is None else _methods(methods),
            **optional,
            "size": None if n_features_to_select is None else _options.size(n_features_to_select),
            "leave_one_out": bool(leave_one_out),
            "groups": groups,
            "times": None if times is None else _time_ranks(times, len(rows.y)),
            "thorough": bool(thorough),
            "estimator": estimator,
            "estimator_rows": estimator_rows,
            "kernel": kernel,
            "gamma": None if gamma is None else _options.text(gamma),
            "costs": None if costs is None else [float(cost) for cost in np.atleast_1d(costs)],
            "class_order": class_order,
            "neighbours": None if neighbours is None else [_options.whole("neighbours", one, 1) for one in np.atleast_1d(neighbours)],
            "curve": bool(curve),
            "subsamples": _options.whole("subsample", subsample),
            "permute_labels": bool(permute_labels),
            "seed": _options.seed(random_state),
        }

    def evaluation(self) -> Any:
        self.data = dataset(self.rows.columns, self.rows.target, self.target, self.missing, self.coding, self.keep, self.include)
        return _engine.Evaluation(self.data, self.options)

    def result(self, engine: Any) -> Evaluation:
        found = Evaluation(json.loads(engine.summary()), self.data, engine)
        own = _engine.warnings_of(json.dumps(found.record["warnings"]))
        issue_warnings(self.data.warnings + of_kinds(own, "chance", "not-converged"))
        if not found.complete:
            left = [one["message"] for one in found.record["warnings"] if one["kind"].endswith("-left")]
            warnings.warn("; ".join(left), RuntimeWarning, stacklevel=3)
        return found


def compare(scores: Any, *, control: str | None = None, alpha: float = 0.05, higher_is_better: bool = True) -> Comparison:
    """Tests whether the scores of several methods on several data sets differ.

    Parameters
    ----------
    scores : DataFrame, or dict of dict or Series
        Data sets in rows, methods in columns; as a dict, the scores of each data set by method.
    control : str, default=None
        The method that the others are compared with; None uses the one with the best average rank, which makes the tests too liberal.
    alpha : float, default=0.05
        Significance level.
    higher_is_better : bool, default=True
        Whether higher scores are better.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> from rulesieve import compare
    >>> scores = {f"set {n}": {"a": 0.9 + 0.01 * n, "b": 0.8 + 0.01 * n, "c": 0.7} for n in range(8)}
    >>> found = compare(scores, control="a")
    >>> bool(found.friedman["p"] < 0.01)
    True
    >>> found.record["bonferroni_dunn"]["different"]
    ['c']
    """
    if isinstance(scores, dict):
        scores = {str(name): {str(method): score for method, score in own.items()} for name, own in scores.items()}
        datasets = list(scores)
        methods = list(scores[datasets[0]]) if datasets else []
        values = [[float(scores[dataset].get(method, float("nan"))) for method in methods] for dataset in datasets]
        extra = [dataset for dataset in datasets if set(scores[dataset]) - set(methods)]
        if extra:
            raise ValueError(f"data set '{extra[0]}' has methods that '{datasets[0]}' lacks")
    else:
        datasets, methods = [str(name) for name in scores.index], [str(name) for name in scores.columns]
        values = np.asarray(scores, dtype=float).tolist()
    return Comparison(json.loads(_engine.compare(datasets, methods, values, control, alpha, higher_is_better)))


class Comparison:
    """The result of a comparison.

    Attributes
    ----------
    table : DataFrame
        One row per method, best average rank first: rank, wins and losses against the control, p-values.
    friedman : dict
        Friedman's test with the F statistic of Iman and Davenport.
    record : dict
        The record that ``rulesieve compare --json`` prints.
    """

    def __init__(self, record: dict[str, Any]):
        self.record = record

    @property
    def friedman(self) -> dict[str, Any]:
        return self.record["friedman"]

    @property
    def table(self) -> Any:
        against = {one["method"]: one for one in self.record["wilcoxon_holm"]}
        rows = []
        for method in self.record["methods"]:
            row = {"method": method, "average_rank": self.record["average_ranks"][method]}
            row.update({key: against.get(method, {}).get(key) for key in ("better", "equal", "worse", "p", "p_holm")})
            row["bonferroni_dunn"] = method in self.record["bonferroni_dunn"]["different"]
            rows.append(row)
        return frame(rows, "method")

    def __repr__(self) -> str:
        return f"<Comparison of {len(self.record['methods'])} methods on {self.record['datasets']} data sets>\n{self.table!r}"


def stability(selections: Any, n_features: int | None = None) -> Any:
    """Computes Nogueira's stability of selections from different rows, with its 95 % interval.

    The stability is 1 for equal selections and 0 on average for random ones.

    Parameters
    ----------
    selections : list, or dict of list
        Selections, each a list of indices, a mask, or a list of names; as a dict, those of several methods by name.
    n_features : int, default=None
        Total number of features; required unless selections are masks.

    Returns
    -------
    DataFrame
        One row per method: ``stability``, ``low``, ``high``, ``selections`` and the mean ``size``. A list of dicts without pandas.

    Examples
    --------
    >>> from rulesieve import stability
    >>> found = stability([[0, 1], [0, 1], [0, 2]], n_features=10)
    >>> round(float(found["stability"].iloc[0]), 4)
    0.5833
    """
    methods = selections if isinstance(selections, dict) else {"": selections}
    if not methods:
        raise ValueError("there are no selections")
    rows = []
    for method, chosen in methods.items():
        indices, features = _feature_indices(list(chosen), n_features)
        value, low, high = _engine.stability(indices, features) or (float("nan"),) * 3
        row = {"stability": value, "low": low, "high": high, "selections": len(indices)}
        row["size"] = float(np.mean([len(one) for one in indices])) if indices else 0.0
        rows.append({"method": method, **row} if isinstance(selections, dict) else row)
    return frame(rows, "method" if isinstance(selections, dict) else None)


def _feature_indices(chosen: list[Any], n_features: int | None) -> tuple[list[list[int]], int]:
    masks = [np.asarray(one) for one in chosen]
    if masks and all(mask.dtype == bool for mask in masks):
        features = n_features or len(masks[0])
        if any(len(mask) != features for mask in masks):
            raise ValueError("masks must have one entry for every feature")
        return [np.flatnonzero(mask).tolist() for mask in masks], features
    if n_features is None:
        raise ValueError("n_features is required for lists of features")
    names: dict[Any, int] = {}
    if masks and all(mask.dtype.kind in "iu" for mask in masks if mask.size):
        indices = [[int(index) for index in one] for one in chosen]
    else:
        indices = [[names.setdefault(str(name), len(names)) for name in one] for one in chosen]
    if any(len(set(one)) != len(one) or any(index < 0 for index in one) for one in indices):
        raise ValueError("a selection contains a feature twice, or a negative index")
    return indices, n_features


def _methods(methods: Any) -> list[dict[str, Any]]:
    if isinstance(methods, str):
        methods = [methods]
    named = list(methods)
    wanted = methods if isinstance(methods, dict) else {name: {} for name in named}
    if len(wanted) != len(named):
        raise ValueError("a method is named twice")
    rows = []
    for name, params in wanted.items():
        params = _options.check_mapping(f"the parameters of {name}", params)
        lists = {key: value for key, value in params.items() if isinstance(value, (list, tuple, np.ndarray))}
        single = {key: value for key, value in params.items() if key not in lists}
        # None means the default of a parameter.
        automatic = [["auto" if value is None else value for value in values] for values in lists.values()]
        grid = {key: list(_options.as_text(dict(enumerate(values))).values()) for key, values in zip(lists, automatic)}
        rows.append({"name": name, "settings": _options.as_text(single), "grid": grid})
    return rows


def _time_ranks(times: Any, rows: int) -> list[int]:
    values = np.asarray(times)
    if values.shape != (rows,):
        raise ValueError(f"times has shape {values.shape} for {rows} rows")
    missing = [at for at, value in enumerate(values.tolist()) if value is None or value != value]
    if values.dtype.kind in "mM":
        missing = np.flatnonzero(np.isnat(values)).tolist()
    if missing:
        raise ValueError(f"times has no value in row {missing[0]}")
    return np.unique(values, return_inverse=True)[1].tolist()


def _reject_ignored(groups: Any, times: Any, leave_one_out: bool, folds: Any, repeats: Any) -> None:
    """Rejects options of splits that would be ignored."""
    both = [("groups", groups is not None, "repeats", repeats is not None),
            ("times", times is not None, "groups", groups is not None),
            ("times", times is not None, "repeats", repeats is not None),
            ("leave_one_out", leave_one_out, "times", times is not None),
            ("leave_one_out", leave_one_out, "groups", groups is not None),
            ("leave_one_out", leave_one_out, "folds", folds is not None),
            ("leave_one_out", leave_one_out, "repeats", repeats is not None)]
    for one, has_one, other, has_other in both:
        if has_one and has_other:
            raise ValueError(f"{one} and {other} cannot be combined; leave one of them out")


def _group_indices(groups: np.ndarray) -> np.ndarray:
    """Indices of the groups in order of appearance."""
    indices: dict[Any, int] = {}
    return np.asarray([indices.setdefault(group, len(indices)) for group in groups.tolist()])


def _methods_and_baselines(record: dict[str, Any]) -> list[dict[str, Any]]:
    baselines = record["baselines"]
    selectors = [one for key in ("all_features", "random_features") if (one := baselines.get(key))]
    constant = [{"method": f"always the {name}", **baselines[key]}
                for key, name in (("majority", "most frequent class"), ("mean", "mean")) if baselines.get(key)]
    return [*record["methods"], *selectors, *constant]


def _method_row(method: dict[str, Any]) -> dict[str, Any]:
    row: dict[str, Any] = {"method": method["method"]}
    for score in _SCORES:
        if isinstance(method.get(score), dict):
            row[score], row[f"{score}_std"] = method[score]["mean"], method[score]["std"]
    if "features" in method:
        row["features"] = method["features"]["mean"]
    measure = method.get("stability") or {}
    row.update({"stability": measure.get("value"), "stability_low": measure.get("low"), "stability_high": measure.get("high")})
    against = method.get("first_against_this") or {}
    row["p_first_against_this"] = against.get("p")
    row["seconds"] = method.get("seconds")
    return row
