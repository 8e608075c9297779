"""Models: feature selection followed by fuzzy rules."""

from __future__ import annotations

import json
import pathlib
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from . import _blocks, _engine, _options, _partial
from ._base import Estimator, Rows, Target, TypedWarning, check_labels, dataset, of_kinds, read_rows, read_target, unweighted_warnings, issue_warnings
from ._columns import parse_classes, is_dask
from ._files import write_text
from ._methods import method_info
from ._report import report
from ._rules import Rule, model_rules
from ._options import SIEVE

if TYPE_CHECKING:
    from typing import Literal

    from typing_extensions import Self

    from ._types import Balance, Coding, Groups, Missing, Names, RandomState, Size


class _Model(Estimator):
    """A selection, and rules on the selected features."""

    def _select_options(self, names: list[str], balanced: bool, seed: int) -> _engine.SelectOptions:
        balance = balanced and method_info(self.method)["weights"]
        settings, groups = _options.check_mapping("select_params", self.select_params), self._groups(names)
        return _options.select(self.method, settings, balance, _options.size(self.n_features_to_select), groups, seed)

    def _train_options(self, balanced: bool, seed: int) -> _engine.TrainOptions:
        settings = _options.joined({"rules": self.rules, "order": self.order}, "rule_params", self.rule_params)
        return _engine.TrainOptions(rule_params=_options.as_text(settings), balanced=balanced, seed=seed)

    def _fit_model(self, rows: Rows, target: Target, balanced: bool) -> None:
        seed, names, threads = _options.seed(self.random_state), rows.columns.all_names, _options.threads(self.n_jobs)
        data = dataset(rows.columns, rows.target, target, self.missing, self.categorical_coding, self.keep_suspicious, self.include)
        # Methods without weights select from rows with positive weights; the rules use the weights.
        weights = rows.weights if method_info(self.method)["weights"] else None
        select = self._select_options(names, balanced, seed)
        train = self._train_options(balanced, seed)
        record = data.select(select, weights, threads, self.time_budget)
        model = data.train(record, train, rows.weights, threads, self.time_budget)
        if self.held_out:
            both = (weights, rows.weights)
            model = data.cross_fit(model, select, train, both, rows.copies, threads, self.time_budget)
        selected = self._set_results(record, names, model, target.classes)
        weighted = balanced or rows.weights is not None
        unweighted = unweighted_warnings(self, self.method) if weighted else []
        self.warnings_ += [text for _, text in unweighted]
        issue_warnings(data.warnings + unweighted + self._fit_warnings(selected, model))

    def _fit_blocks(self, blocks: Any, balanced: bool) -> None:
        seed, threads, target = _options.seed(self.random_state), _options.threads(self.n_jobs), blocks.target
        keep = _options.kept_columns(self.keep_suspicious, blocks.names)
        include = _options.included_columns(self.include, blocks.names)
        data = _options.data(blocks.name, target.task, self.missing, self.categorical_coding, target.names, keep, include)
        select, train = self._select_options(blocks.names, balanced, seed), self._train_options(balanced, seed)
        record, model, warned = _engine.fit_blocks(blocks, data, select, train, bool(self.held_out), threads, self.time_budget)
        selected = self._set_results(record, blocks.names, model, target.classes)
        issue_warnings(warned + self._fit_warnings(selected, model))

    def _fit_warnings(self, selected: list[TypedWarning], model: Any) -> list[TypedWarning]:
        """Warnings to issue about the selection and the model. Held-out results of the model include its selection."""
        self.warnings_ += [text for _, text in model.warnings]
        kinds = ("not-converged", "chance") if self.held_out_ is None else ("not-converged",)
        return of_kinds(selected, *kinds) + of_kinds(model.warnings, "not-converged", "chance")

    def _set_results(self, record: str, names: list[str], model: Any, classes: np.ndarray | None) -> list[TypedWarning]:
        """Sets the attributes of a fit. Returns the warnings of the selection."""
        selected = self._set_selection(record, names)
        self._set_model(model)
        if classes is not None:
            self.classes_ = classes
        return selected

    def _set_model(self, model: Any) -> None:
        self.model_json_ = model.json()
        self._loaded_model = model

    def _loaded(self) -> Any:
        """The engine's model; read from the JSON after unpickling."""
        check_is_fitted(self, "model_json_")
        if getattr(self, "_loaded_model", None) is None:
            self._loaded_model = _engine.Model.from_json(self.model_json_)
        return self._loaded_model

    def __getstate__(self):
        state = dict(super().__getstate__())
        state.pop("_loaded_model", None)
        return state

    def _predictions(self, X: Any) -> np.ndarray:
        model = self._loaded()
        if is_dask(X):
            return np.concatenate([self._predict_block(number, block) for number, block in enumerate(_blocks.computed(X))])
        columns = self._read(self._model_columns(X), reset=False)
        predictions, warned = model.predict(_engine.Table(*columns), _options.threads(self.n_jobs))
        issue_warnings(warned)
        if np.isnan(predictions).any():
            row = int(np.flatnonzero(np.isnan(predictions).any(axis=1))[0])
            raise ValueError(f"row {row} is incomplete, and the model does not predict incomplete rows; drop it")
        return predictions

    def _predict_block(self, number: int, block: Any) -> np.ndarray:
        try:
            return self._predictions(block)
        except ValueError as error:
            # Rows are counted from the first of the block.
            raise ValueError(f"block {number} of X: {error}") from error

    def _model_columns(self, X: Any) -> Any:
        """The columns of a loaded model, from a data frame that may have others, in any order."""
        if hasattr(self, "selection_json_") or not hasattr(X, "columns"):
            return X
        names = list(self.feature_names_in_)
        return X[names] if set(names) <= set(X.columns) else X

    @property
    def selected_(self) -> list[str]:
        """Names of the selected features, best first."""
        check_is_fitted(self, "model_json_")
        return json.loads(self.model_json_)["features"]

    @property
    def rules_(self) -> list[Rule]:
        """The rules, strongest first."""
        return model_rules(json.loads(self._loaded().explain()), json.loads(self.model_json_)["output"]["mean"])

    @property
    def training_(self) -> dict[str, Any]:
        """The record of rule training. Its validation scores were used to choose the rules; see ``held_out_`` instead."""
        check_is_fitted(self, "model_json_")
        return json.loads(self.model_json_)["training"]

    @property
    def held_out_(self) -> dict[str, Any] | None:
        """Results of selection and rules on held-out rows; None if there are none."""
        return self.training_.get("held_out")

    @property
    def feature_importances_(self) -> np.ndarray:
        """The scores of the selection."""
        check_is_fitted(self, "selection_json_")
        return self.scores_

    def explain(self, X: Any, row: int = 0) -> dict[str, Any]:
        """Explains the prediction for a row of X, counted from 0.

        Returns
        -------
        dict
            ``predicted``, ``probabilities``, the rules that ``fired``, and the ``contributions`` of the features: the decrease of the
            prediction when a value is replaced by the typical one.
        """
        model = self._loaded()
        table = _engine.Table(*self._read(self._model_columns(X), reset=False))
        explanation = json.loads(model.explain_row(table, _options.whole("row", row)))
        explanation["row"] = int(row)
        if explanation["probabilities"]:
            explanation["predicted"] = self.classes_[int(np.argmax(explanation["probabilities"]))]
        else:
            explanation["predicted"] = float(explanation["predicted"])
        return explanation

    def save(self, path: Any) -> None:
        """Writes the model file that ``rulesieve predict`` and ``rulesieve explain`` read."""
        check_is_fitted(self, "model_json_")
        write_text(path, json.dumps(json.loads(self.model_json_), indent=2) + "\n")

    def report(self, path: Any, X: Any, y: Any, *, name: str = "the table") -> None:
        """Writes an HTML report on selection and rules; X and y are the training rows."""
        report(path, X, y, estimator=self, name=name)

    @classmethod
    def load(cls, path: Any) -> Self:
        """Loads a model saved by ``save`` or ``rulesieve train``.

        The model can predict and explain. The file contains only the names of the selected columns: X must have these, by name in a
        data frame that may have others, or in the order of ``feature_names_in_`` in an array. Classes are numbers if their names are
        numbers, booleans if they are False and True, and else texts.
        """
        text = pathlib.Path(path).read_text(encoding="utf-8")
        model = _engine.Model.from_json(text)
        record = json.loads(text)
        if (record["task"] == "regression") != issubclass(cls, RegressorMixin):
            raise ValueError(f"{path} contains a model for {record['task']}; load it with the other class")
        policy = record["preprocessing"]["missing"]
        loaded = cls(missing=policy if policy in ("fill", "median") else "error")
        loaded.feature_names_in_ = np.asarray(record["features"], dtype=object)
        loaded.n_features_in_ = len(record["features"])
        loaded._set_classes(record["classes"])
        loaded._set_model(model)
        return loaded

    def _set_classes(self, classes: list[str]) -> None:
        """Sets the classes from their names in a file; nothing for regression."""


class InductiveLdrTskClassifier(ClassifierMixin, _Model):
    """Classifier with feature selection and interpretable fuzzy rules.

    ``fit`` selects features, then trains rules on them and chooses the number of rules on validation rows, as ``rulesieve train``.

    Parameters
    ----------
    n_features_to_select : int, float or str, default=None
        A number of features, a fraction of them, or a rule: 'one-se', 'best', 'elbow' or 'tolerance=X'. None chooses the number from
        the data: the fewest features within one standard error of the best number on held-out rows.
    method : str, default='sieve'
        The selection method. Methods other than 'sieve' and 'ldr-tsk-inductive' select without weights of rows and classes; a
        warning reports it.
    rules : int, default=None
        Number of fuzzy rules; None chooses among several numbers on validation rows.
    order : {'first', 'zero'}, default='first'
        Whether the output of a rule is linear in the features, or constant, which is easier to interpret.
    class_weight : dict, 'balanced' or None, default=None
        Weights of classes; 'balanced' gives all classes the same total weight.
    select_params, rule_params : dict, default=None
        Further parameters of the method and of the rules; ``rulesieve.methods(method)`` and ``rulesieve.rule_params()`` list them.
    held_out : bool, default=True
        Whether to estimate the accuracy on held-out rows: selection and training are repeated on the training rows of stratified
        folds, until 1,000 held-out rows are predicted (5 folds of a small table, 1 of a large one). False saves this time.
    missing, keep_suspicious, include, categorical_coding, feature_groups, random_state, n_jobs, time_budget
        As in :class:`SieveSelector`. The time budget applies to selection, rule training and held-out folds separately.

    Attributes
    ----------
    classes_ : ndarray
        The classes.
    rules_ : list of Rule
        The rules, strongest first.
    scores_, ranking_, support_, selected_, n_iter_, converged_, trace_, warnings_
        Attributes of the selection, as in :class:`LdrTskSelector`.
    p_values_, pairs_, tested_
        Attributes of the selection, as in :class:`SieveSelector`.
    held_out_ : dict or None
        Results on held-out rows: ``rows``, ``accuracy``, ``loss``, ``chance_accuracy``, ``chance_loss``,
        ``better_than_chance`` (``r2``, ``rmse`` and ``chance_rmse`` for regression). ``fit`` warns if they are no
        better than chance. None without held-out rows, and after ``partial_fit`` has changed the rules.
    training_ : dict
        The record of rule training.

    Examples
    --------
    >>> from rulesieve import InductiveLdrTskClassifier, load_table
    >>> X, y = load_table("xor", samples=400, features=6)
    >>> model = InductiveLdrTskClassifier(n_features_to_select=2, rules=4).fit(X[:300], y[:300])
    >>> bool(model.score(X[300:], y[300:]) > 0.9)
    True
    >>> len(model.rules_)
    4
    """

    def __init__(
        self,
        n_features_to_select: Size = None,
        *,
        method: str = SIEVE,
        rules: int | None = None,
        order: Literal["first", "zero"] = "first",
        class_weight: dict[Any, float] | Balance = None,
        select_params: dict[str, Any] | None = None,
        rule_params: dict[str, Any] | None = None,
        missing: Missing = "fill",
        keep_suspicious: bool | Names = False,
        include: Names | None = None,
        categorical_coding: Coding = "one-hot",
        feature_groups: Groups = None,
        held_out: bool = True,
        random_state: RandomState = 0,
        n_jobs: int | None = None,
        time_budget: float | None = None,
    ) -> None:
        self._store(locals())

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Selects features and trains rules.

        Parameters
        ----------
        X : array-like, data frame, dask array or dask data frame of shape (n_samples, n_features)
            The rows. Dask collections are read block by block, several times, without loading all rows.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows. Rows of weight zero are dropped. Integers repeat a row that often (up to 16 times as many rows);
            other weights multiply its loss.

        Returns
        -------
        self : InductiveLdrTskClassifier
        """
        self._reset_attributes()
        self._check_common()
        balanced = isinstance(self.class_weight, str) and self.class_weight == "balanced"
        by_class = None if balanced else self.class_weight
        if is_dask(X):
            if sample_weight is not None or by_class is not None:
                raise ValueError("dask collections cannot have weights; leave sample_weight out, or use class_weight='balanced'")
            self._fit_blocks(_blocks.DaskRows(self, X, y, "classification"), balanced)
            return self
        rows = read_rows(self, X, y, sample_weight, by_class)
        self._fit_model(rows, read_target(rows.y, "classification", False), balanced)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, *, passes: int = 5, rate: float = 0.005) -> Self:
        """Continues training on further rows.

        The first call selects features, scales them and trains rules; it needs many rows that are representative of the following
        ones. Later calls update the rules by mini-batches of the new rows; features, scaling and the number of rules do not change.
        ``time_budget`` applies to the first call.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The new rows.
        y : array-like of shape (n_samples,)
            Their classes.
        classes : array-like, default=None
            All classes; required in the first call, whose rows must include at least two of them.
        passes : int, default=5
            Number of passes of a later call over its rows.
        rate : float, default=0.005
            Learning rate of later calls.

        Returns
        -------
        self : InductiveLdrTskClassifier
        """
        self._check_common()
        passes, rate = _options.whole("passes", passes, 1), float(rate)
        if self.class_weight is not None:
            raise ValueError(f"class_weight={self.class_weight!r} is not supported by partial_fit; leave it out")
        if not hasattr(self, "model_json_"):
            if classes is None:
                raise ValueError("classes must be passed on the first call to partial_fit.")
            _partial.first_block(self, X, y, np.unique(check_labels(classes, name="classes")))
        else:
            if classes is not None and not np.array_equal(np.unique(classes), self.classes_):
                raise ValueError(f"`classes={classes!r}` is not the same as on last call to partial_fit, was: {self.classes_!r}")
            _partial.next_block(self, X, y, passes, rate)
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """Predicts the probability of each class, in the order of ``classes_``."""
        return self._predictions(X)

    def predict(self, X: Any) -> np.ndarray:
        """Predicts the most probable class."""
        check_is_fitted(self, "model_json_")
        return self.classes_[np.argmax(self.predict_proba(X), axis=1)]

    def _set_classes(self, classes: list[str]) -> None:
        self.classes_ = parse_classes(classes)


class InductiveLdrTskRegressor(RegressorMixin, _Model):
    """Regressor with feature selection and interpretable fuzzy rules.

    Parameters
    ----------
    n_features_to_select, method, rules, order, select_params, rule_params, held_out, missing, keep_suspicious, include, \
categorical_coding, feature_groups, random_state, n_jobs, time_budget
        As in :class:`InductiveLdrTskClassifier`; the method must support regression.

    Attributes
    ----------
    rules_ : list of Rule
        The rules, strongest first.
    scores_, ranking_, support_, selected_, n_iter_, converged_, trace_, warnings_, training_, held_out_
        As in :class:`InductiveLdrTskClassifier`.

    Examples
    --------
    >>> from rulesieve import InductiveLdrTskRegressor, load_table
    >>> X, y = load_table("friedman", samples=500)
    >>> model = InductiveLdrTskRegressor(n_features_to_select=5).fit(X[:400], y[:400])
    >>> bool(model.score(X[400:], y[400:]) > 0.8)
    True
    """

    def __init__(
        self,
        n_features_to_select: Size = None,
        *,
        method: str = SIEVE,
        rules: int | None = None,
        order: Literal["first", "zero"] = "first",
        select_params: dict[str, Any] | None = None,
        rule_params: dict[str, Any] | None = None,
        missing: Missing = "fill",
        keep_suspicious: bool | Names = False,
        include: Names | None = None,
        categorical_coding: Coding = "one-hot",
        feature_groups: Groups = None,
        held_out: bool = True,
        random_state: RandomState = 0,
        n_jobs: int | None = None,
        time_budget: float | None = None,
    ) -> None:
        self._store(locals())

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Selects features and trains rules.

        Parameters
        ----------
        X : array-like, data frame, dask array or dask data frame of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            Their targets.
        sample_weight : array-like of shape (n_samples,), default=None
            As in :meth:`InductiveLdrTskClassifier.fit`.

        Returns
        -------
        self : InductiveLdrTskRegressor
        """
        self._reset_attributes()
        self._check_common()
        if is_dask(X):
            if sample_weight is not None:
                raise ValueError("dask collections cannot have weights; leave sample_weight out")
            self._fit_blocks(_blocks.DaskRows(self, X, y, "regression"), False)
            return self
        rows = read_rows(self, X, y, sample_weight)
        self._fit_model(rows, read_target(rows.y, "regression", True), False)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Predicts the target."""
        return self._predictions(X)[:, 0]
