"""Feature selection with fuzzy rules: rank the columns of a table, select, predict, and say how far to trust it.

Selectors for pipelines are :class:`SieveSelector` (the default method), :class:`InductiveLdrTskSelector`, :class:`LdrTskSelector` and,
for every other method, :class:`Ranker`; models are :class:`InductiveLdrTskClassifier` and :class:`InductiveLdrTskRegressor`. :func:`evaluate` evaluates methods by
rows they have not seen, :func:`compare` says whether they differ, :func:`stability` how alike selections are, :func:`report` writes a page.
``rulesieve.distributed`` does an evaluation on many machines, ``rulesieve.plots`` draws.
"""

from . import distributed, plots
from ._base import DataNotice
from ._data import load_table
from ._engine import __version__
from ._evaluate import Comparison, Evaluation, compare, evaluate, stability
from ._methods import methods, rule_params
from ._models import InductiveLdrTskClassifier, InductiveLdrTskRegressor
from ._report import report
from ._rules import Rule
from ._selectors import InductiveLdrTskSelector, LdrTskSelector, Ranker
from ._sieve import SieveSelector

__all__ = [
    "Comparison",
    "DataNotice",
    "Evaluation",
    "InductiveLdrTskClassifier",
    "InductiveLdrTskRegressor",
    "InductiveLdrTskSelector",
    "LdrTskSelector",
    "Ranker",
    "Rule",
    "SieveSelector",
    "__version__",
    "compare",
    "distributed",
    "evaluate",
    "load_table",
    "methods",
    "plots",
    "report",
    "rule_params",
    "stability",
]
