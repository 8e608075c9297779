"""The default method as a selector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _options
from ._selectors import _Selector
from ._options import SIEVE

if TYPE_CHECKING:
    from typing_extensions import Self

    from ._types import Balance, Coding, Groups, Missing, Names, RandomState, Size, Task


class SieveSelector(_Selector):
    """The default method: tests columns and pairs, orders them, and chooses their number on held-out rows (``sieve``).

    All columns, all pairs and, within limits, combinations of three and four columns are tested against the target. Columns are
    ordered by backward elimination with the leave-one-out error of a kernel regression, so that the first K are a good subset of size
    K. The number of columns is chosen on held-out rows, which also give the results in ``held_out_``.

    Parameters
    ----------
    n_features_to_select : int, float or str, default=None
        A number of features, a fraction of them, or a rule: 'one-se', 'best', 'elbow' or 'tolerance=X'. None chooses the number from
        the data: the fewest features within one standard error of the best number on held-out rows.
    task : {'auto', 'classification', 'regression'}, default='auto'
        The learning task; 'auto' means regression if any number is not whole, if one of them occurs in a single row, or if there
        are more than 20 distinct ones that do not look like codes of classes (from 0 or 1 without a gap, about equally frequent),
        and classification otherwise.
    class_weight : {'balanced'} or None, default=None
        'balanced' gives all classes the same total weight.
    params : dict, default=None
        Parameters of the method by name; ``rulesieve.methods('sieve')`` lists them.
    missing : {'fill', 'median', 'error'}, default='fill'
        'fill' replaces missing numbers by the median, makes missing categories a category of their own, and drops columns without
        values, with a warning; 'median' uses the most frequent category; 'error' rejects missing values.
    keep_suspicious : bool or list, default=False
        Identifiers, row numbers and copies of the target are excluded by default: they are not selected, and have score 0, p-value 1
        and the last ranks. True includes all of them, a list of names (or indices) some of them.
    include : list, default=None
        Columns that are always selected, by name or index, as ``--include`` of the command line. They count in the number of
        features and are part of every model.
    categorical_coding : {'one-hot', 'ordinal'}, default='one-hot'
        Coding of text and category columns of a data frame. The indicators of a one-hot column count as one feature.
    feature_groups : list, dict or array-like, default=None
        Columns that are selected together: a list (or the values of a dict) of lists of names or indices, or one label for each
        column. Sizes then count groups.
    random_state : int, RandomState instance or None, default=0
        An integer is the random seed, as ``--seed`` of the command line; None draws a new seed in each fit.
    n_jobs : int, default=None
        Number of threads; None means 1, -1 all cores. Results do not depend on it.
    time_budget : float, default=None
        Seconds after which the fit ends with the result so far.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features_in_,)
        The importance of each feature: the increase of the error on held-out rows without it.
    ranking_ : ndarray of shape (n_features_in_,)
        The rank of each feature; 1 is best. Ranks are in the order of the elimination, not of ``scores_``.
    support_ : ndarray of bool of shape (n_features_in_,)
        Mask of the selected features.
    selected_ : list of str
        Their names, best first.
    n_features_ : int
        Their number.
    p_values_ : ndarray of shape (n_features_in_,)
        The p-value of each feature, alone or in combination with others, corrected for the number of tests; 1 for columns that
        were set aside.
    pairs_ : list of (str, str, float)
        Pairs of interacting features with their corrected p-values, most significant first.
    held_out_ : dict or None
        Results on held-out rows: ``rows``, ``accuracy``, ``loss``, ``chance_accuracy``, ``chance_loss``, ``better_than_chance``
        (``r2``, ``rmse`` and ``chance_rmse`` for regression). ``fit`` warns if they are no better than chance. None if there are
        too few rows, or too little time, to hold some out.
    tested_ : str
        Description of the tested columns and combinations.
    excluded_ : dict of str
        Columns that were excluded as identifiers, row numbers or copies of the target, with the reason.
    size_curve_ : dict or None
        Scores by number of features, from which the number was chosen.
    n_iter_ : int
        Number of elimination steps.
    converged_ : bool
        Whether the fit ended before its time budget.
    selection_json_ : str
        The record of ``rulesieve select --json``.
    warnings_ : list of str
        Warnings about the data and about the fit.

    See Also
    --------
    InductiveLdrTskClassifier : selects with this method, then fits fuzzy rules that predict.
    Ranker : every other method.

    Examples
    --------
    Two columns that are informative only in combination, and eight columns of noise:

    >>> from rulesieve import SieveSelector, load_table
    >>> X, y = load_table("xor", samples=500, features=10)
    >>> selector = SieveSelector().fit(X, y)
    >>> sorted(selector.selected_)
    ['x1', 'x2']
    >>> selector.pairs_[0][:2]  # x1 and x2 interact
    ('x1', 'x2')
    >>> selector.held_out_["better_than_chance"]
    True
    """

    def __init__(
        self,
        n_features_to_select: Size = None,
        *,
        task: Task = "auto",
        class_weight: Balance = None,
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
        return SIEVE

    def _settings(self) -> dict[str, Any]:
        return _options.check_mapping("params", self.params)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Ranks and selects features.

        Parameters
        ----------
        X : array-like, data frame, dask array or dask data frame of shape (n_samples, n_features)
            The rows. A random sample of dask collections is drawn, block by block, and features are selected from this sample.
        y : array-like of shape (n_samples,)
            Their classes or numeric targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows. Rows of weight zero are dropped. Integers repeat a row that often (up to 16 times as many rows);
            other weights multiply its loss.

        Returns
        -------
        self : SieveSelector
        """
        return self._fit(X, y, sample_weight)
