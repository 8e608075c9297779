"""Feature selection with fuzzy rules.

Selectors are :class:`SieveSelector` (the default method), :class:`InductiveLdrTskSelector`, :class:`LdrTskSelector` and, for all other
methods, :class:`Ranker`. Models are :class:`InductiveLdrTskClassifier` and :class:`InductiveLdrTskRegressor`. :func:`evaluate` evaluates
methods on held-out data, :func:`compare` tests their differences, :func:`stability` measures the stability of selections, and
:func:`report` writes an HTML report. ``rulesieve.distributed`` evaluates on clusters, ``rulesieve.plots`` creates plots.
"""

from . import distributed, plots
from ._base import DataWarning
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
    "DataWarning",
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
