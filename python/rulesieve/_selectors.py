"""Selectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.feature_selection import SelectorMixin
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _blocks, _engine, _options
from ._base import Estimator, dataset, of_kinds, read_rows, read_target, unweighted_warnings, issue_warnings
from ._columns import is_dask
from ._frames import pandas_frame
from ._methods import method_info
from ._report import report
from ._rules import Rule, recovered_rules
from ._options import BLOCKWISE, INDUCTIVE

if TYPE_CHECKING:
    from typing import Literal

    from typing_extensions import Self

    from ._types import Balance, Coding, Groups, Missing, Names, RandomState, Size, Task


class _Selector(SelectorMixin, Estimator):
    """Base class of selectors."""

    def _method(self) -> str:
        raise NotImplementedError

    def _settings(self) -> dict[str, Any]:
        raise NotImplementedError

    def _fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        self._reset_attributes()
        self._check_common()
        method = self._method()
        if is_dask(X) and method in BLOCKWISE:
            return self._fit_blocks(X, y, sample_weight)
        rows = read_rows(self, X, y, sample_weight)
        target = read_target(rows.y, getattr(self, "task", "auto"), method_info(method)["regression"])
        data = dataset(rows.columns, rows.target, target, self.missing, self.categorical_coding, self.keep_suspicious, self.include)
        names = rows.columns.all_names
        record = data.select(self._select_options(names), rows.weights, _options.threads(self.n_jobs), self.time_budget)
        selected = self._set_selection(record, names)
        weighted = rows.weights is not None or getattr(self, "class_weight", None) is not None
        unweighted = unweighted_warnings(self, method) if weighted else []
        self.warnings_ += [text for _, text in unweighted]
        issue_warnings(data.warnings + of_kinds(selected, "chance", "not-converged") + unweighted)
        return self

    def _select_options(self, names: list[str]) -> _engine.SelectOptions:
        size, groups, seed = _options.size(self.n_features_to_select), self._groups(names), _options.seed(self.random_state)
        balance = _options.balanced(getattr(self, "class_weight", None))
        return _options.select(self._method(), self._settings(), balance, size, groups, seed)

    def _fit_blocks(self, X: Any, y: Any, sample_weight: Any) -> Self:
        """Fits to dask collections, block by block."""
        if sample_weight is not None:
            raise ValueError("dask collections cannot have weights; leave sample_weight out")
        blocks = _blocks.DaskRows(self, X, y, getattr(self, "task", "auto"))
        keep = _options.kept_columns(self.keep_suspicious, blocks.names)
        include = _options.included_columns(self.include, blocks.names)
        task, names = blocks.target.task, blocks.target.names
        data = _options.data(blocks.name, task, self.missing, self.categorical_coding, names, keep, include)
        threads = _options.threads(self.n_jobs)
        record, _, warned = _engine.fit_blocks(blocks, data, self._select_options(blocks.names), None, False, threads, self.time_budget)
        selected = self._set_selection(record, blocks.names)
        issue_warnings(warned + of_kinds(selected, "chance", "not-converged"))
        return self

    def transform(self, X: Any) -> Any:
        """Reduces X to the selected columns.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        array or data frame of shape (n_samples, n_features_)
            The selected columns, in the format of ``set_output``.
        """
        output = _get_output_config("transform", self)["dense"]
        if type(X).__module__.partition(".")[0] != "polars" or output == "default":
            return super().transform(X)
        # Conversion of mixed columns to an array would change numbers to objects.
        validate_data(self, X, reset=False, skip_check_array=True)
        kept = X[:, np.flatnonzero(self._get_support_mask()).tolist()]
        return kept if output == "polars" else pandas_frame(kept)

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self, "support_")
        return self.support_

    def report(self, path: Any, X: Any, y: Any, *, name: str = "the table") -> None:
        """Writes an HTML report on the selection; X and y are the training rows."""
        report(path, X, y, estimator=self, name=name)


class LdrTskSelector(_Selector):
    """The paper's selector: a low-dimensional representation and a TSK fuzzy system, optimized jointly (``ldr-tsk``).

    ``fit`` scales columns to 0..1; the score of a column is the norm of its row of the projection Q.

    Parameters
    ----------
    n_features_to_select : int, float or str, default=None
        A number of features, a fraction of them, or a rule: 'one-se', 'best', 'elbow' or 'tolerance=X' choose the number by
        cross-validation. None chooses the number from the data: the fewest features within one standard error of the best number,
        by cross-validation. The paper selects a third: ``n_features_to_select=1/3``.
    alpha, beta, gamma : float, default=1.0
        Weights of the terms of the objective, from 1e-6 to 1e6.
    d : int, default=None
        Number of latent dimensions; None means a third of the encoded columns, at most 1024.
    rules : int, default=None
        Number of fuzzy rules; None means 5.
    targets : {'class-numbers', 'numbers-by-appearance', 'one-hot'}, default='class-numbers'
        The regression target: the number of the class, as in the paper, in sorted order or as classes first appear in ``y``, or one
        output per class.
    iterations : int, default=100
        Maximum number of iterations.
    tolerance : float, default=1e-5
        Relative change of the objective at convergence; 0 runs all iterations.
    params : dict, default=None
        Further parameters by name; ``rulesieve.methods('ldr-tsk')`` lists them.
    missing, keep_suspicious, include, categorical_coding, feature_groups, random_state, n_jobs, time_budget
        As in :class:`SieveSelector`.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features_in_,)
        The score of each feature; higher is better.
    ranking_ : ndarray of shape (n_features_in_,)
        The rank of each feature; 1 is best.
    support_, selected_, excluded_, n_features_, size_curve_, selection_json_, warnings_
        As in :class:`SieveSelector`; ``size_curve_`` is None without a size rule.
    n_iter_ : int
        Number of iterations.
    converged_ : bool
        Whether the objective converged.
    trace_ : dict of ndarray
        The terms of the objective after each iteration.
    rules_ : list of Rule
        The rules. Their firing strengths are free parameters of each row, so the IF parts are approximations; ``rules_r2_`` is
        their R squared.

    See Also
    --------
    SieveSelector : the default method: fast, finds interactions, reports p-values and results on held-out rows.

    Examples
    --------
    >>> from rulesieve import LdrTskSelector, load_table
    >>> X, y = load_table("waveform", samples=1000)
    >>> selector = LdrTskSelector(n_features_to_select=5).fit(X, y)
    >>> selector.transform(X).shape
    (1000, 5)
    >>> sum(int(name[1:]) <= 21 for name in selector.selected_)  # 1 to 21 are informative, the others are noise
    5
    """

    def __init__(
        self,
        n_features_to_select: Size = None,
        *,
        alpha: float = 1.0,
        beta: float = 1.0,
        gamma: float = 1.0,
        d: int | None = None,
        rules: int | None = None,
        targets: Literal["class-numbers", "numbers-by-appearance", "one-hot"] = "class-numbers",
        iterations: int = 100,
        tolerance: float = 1e-5,
        params: dict[str, Any] | None = None,
        missing: Missing = "fill",
        keep_suspicious: bool | Names = False,
        include: Names | None = None,
        categorical_coding: Coding = "one-hot",
        feature_groups: Groups = None,
        random_state: RandomState = 0,
        n_jobs: int | None = None,
        time_budget: float | None = None,
    ) -> None:
        self._store(locals())

    def _method(self) -> str:
        return "ldr-tsk"

    def _settings(self) -> dict[str, Any]:
        own = ("alpha", "beta", "gamma", "d", "rules", "targets", "iterations", "tolerance")
        return _options.joined({name: getattr(self, name) for name in own}, "params", self.params)

    def fit(self, X: Any, y: Any) -> Self:
        """Ranks and selects features.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            Their classes.

        Returns
        -------
        self : LdrTskSelector
        """
        return self._fit(X, y)

    @property
    def rules_(self) -> list[Rule]:
        """The rules, with approximate IF parts."""
        return recovered_rules(self._selection())

    @property
    def rules_r2_(self) -> float:
        """R squared of the IF parts as predictors of the firing strengths."""
        return float(self._selection()["rules"]["r_squared"])


class InductiveLdrTskSelector(_Selector):
    """Fuzzy rules on a row-sparse projection, with firing strengths computed from the features (``ldr-tsk-inductive``).

    Finds interactions of columns, and supports regression and weights of rows.

    Parameters
    ----------
    n_features_to_select : int, float or str, default=None
        A number of features, a fraction of them, or a rule: 'one-se', 'best', 'elbow' or 'tolerance=X' choose the number by
        cross-validation. None chooses the number from the data, as in :class:`LdrTskSelector`.
    beta : float, default=0.25
        Weight of the sparsity penalty; larger values leave more features unused.
    gamma : float, default=0.03
        Weight of the penalty on squared consequents.
    d, rules, steps, starts, stages : int, default=None
        Numbers of latent dimensions, fuzzy rules, steps per restart, restarts, and stages that halve the features; None chooses them
        from the data.
    class_weight : {'balanced'} or None, default=None
        'balanced' gives all classes the same total weight.
    task : {'auto', 'classification', 'regression'}, default='auto'
        The learning task; 'auto' is as in :class:`SieveSelector`.
    params : dict, default=None
        Further parameters by name; ``rulesieve.methods('ldr-tsk-inductive')`` lists them.
    missing, keep_suspicious, include, categorical_coding, feature_groups, random_state, n_jobs, time_budget
        As in :class:`SieveSelector`.

    Attributes
    ----------
    scores_, ranking_, support_, selected_, n_iter_, converged_, trace_, warnings_
        As in :class:`LdrTskSelector`.
    unused_ : list of str
        Features that the model does not use.

    Examples
    --------
    Two columns that are informative only in combination, and eight columns of noise:

    >>> from rulesieve import InductiveLdrTskSelector, load_table
    >>> X, y = load_table("xor", samples=500, features=10)
    >>> sorted(InductiveLdrTskSelector(n_features_to_select=2).fit(X, y).selected_)
    ['x1', 'x2']
    """

    def __init__(
        self,
        n_features_to_select: Size = None,
        *,
        beta: float = 0.25,
        gamma: float = 0.03,
        d: int | None = None,
        rules: int | None = None,
        steps: int | None = None,
        starts: int | None = None,
        stages: int | None = None,
        class_weight: Balance = None,
        task: Task = "auto",
        params: dict[str, Any] | None = None,
        missing: Missing = "fill",
        keep_suspicious: bool | Names = False,
        include: Names | None = None,
        categorical_coding: Coding = "one-hot",
        feature_groups: Groups = None,
        random_state: RandomState = 0,
        n_jobs: int | None = None,
        time_budget: float | None = None,
    ) -> None:
        self._store(locals())

    def _method(self) -> str:
        return INDUCTIVE

    def _settings(self) -> dict[str, Any]:
        own = ("beta", "gamma", "d", "rules", "steps", "starts", "stages")
        return _options.joined({name: getattr(self, name) for name in own}, "params", self.params)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Ranks and selects features.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            Their classes or numeric targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows. Rows of weight zero are dropped. Integers repeat a row that often (up to 16 times as many rows);
            other weights multiply its loss.

        Returns
        -------
        self : InductiveLdrTskSelector
        """
        return self._fit(X, y, sample_weight)

    @property
    def unused_(self) -> list[str]:
        """Features that the model does not use."""
        return self._selection().get("unused", [])


class Ranker(_Selector):
    """Selector with any method.

    Parameters
    ----------
    method : str, default='mrmr'
        The method; ``rulesieve.methods()`` lists all.
    n_features_to_select : int, float or str, default=None
        A number of features, a fraction of them, or a rule: 'one-se', 'best', 'elbow', 'tolerance=X', or 'native' for the method's own
        rule, if it has one. None chooses the number from the data: on held-out rows for 'sieve', by 'one-se' for the others.
    task : {'auto', 'classification', 'regression'}, default='auto'
        The learning task, for methods that support both; 'auto' is as in :class:`SieveSelector`.
    params : dict, default=None
        Parameters of the method by name; ``rulesieve.methods(method)`` lists them.
    missing, keep_suspicious, include, categorical_coding, feature_groups, random_state, n_jobs, time_budget
        As in :class:`SieveSelector`.

    Attributes
    ----------
    scores_, ranking_, support_, selected_, n_iter_, converged_, trace_, warnings_
        As in :class:`LdrTskSelector`; ``converged_`` is None for methods without iterations.
    p_values_, pairs_, held_out_, tested_
        As in :class:`SieveSelector`; empty or None for methods without tests.

    Examples
    --------
    >>> from rulesieve import Ranker, load_table
    >>> X, y = load_table("waveform", samples=300)
    >>> Ranker("anova", n_features_to_select=3).fit(X, y).get_support(indices=True).shape
    (3,)
    """

    def __init__(
        self,
        method: str = "mrmr",
        n_features_to_select: Size = None,
        *,
        task: Task = "auto",
        params: dict[str, Any] | None = None,
        missing: Missing = "fill",
        keep_suspicious: bool | Names = False,
        include: Names | None = None,
        categorical_coding: Coding = "one-hot",
        feature_groups: Groups = None,
        random_state: RandomState = 0,
        n_jobs: int | None = None,
        time_budget: float | None = None,
    ) -> None:
        self._store(locals())

    def _method(self) -> str:
        return self.method

    def _settings(self) -> dict[str, Any]:
        return _options.check_mapping("params", self.params)

    def fit(self, X: Any, y: Any) -> Self:
        """Ranks and selects features.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            Their classes, or numeric targets for methods that support them.

        Returns
        -------
        self : Ranker
        """
        return self._fit(X, y)
