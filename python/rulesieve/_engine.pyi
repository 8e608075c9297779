"""The compiled engine. Use the classes of `rulesieve` instead."""

from collections.abc import Callable, Iterable
from typing import TypedDict, final

from typing_extensions import Self

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "DataOptions",
    "Dataset",
    "Evaluation",
    "Model",
    "SelectOptions",
    "Table",
    "TrainOptions",
    "__version__",
    "compare",
    "fit_blocks",
    "load",
    "methods",
    "stability",
    "warnings_of",
]

__version__: str

_Cells = NDArray[np.float64] | list[str]
_Column = tuple[str, _Cells]
_Block = tuple[list[str], NDArray[np.float64], list[_Column]]
_Task = tuple[int, str, int]
_TypedWarning = tuple[str, str]

class _Method(TypedDict):
    name: str
    settings: dict[str, str]
    grid: dict[str, list[str]]

class _EvaluateOptions(TypedDict):
    protocol: str
    methods: list[_Method]
    points: int | None
    size: str | None
    folds: int | None
    repeats: int | None
    leave_one_out: bool
    groups: list[int] | None
    times: list[int] | None
    window: int | None
    thorough: bool
    estimator_rows: int | None
    inner: int | None
    estimator: str | None
    kernel: str | None
    gamma: str | None
    costs: list[float] | None
    class_order: str | None
    neighbours: list[int] | None
    curve: bool
    subsamples: int
    permute_labels: bool
    seed: int

@final
class DataOptions:
    def __new__(
        cls,
        *,
        target: str,
        task: str,
        missing: str,
        coding: str,
        classes: list[str | float],
        keep_suspicious: bool | list[str],
        include: list[str],
    ) -> Self: ...

@final
class SelectOptions:
    def __new__(
        cls, *, method: str, settings: dict[str, str], balance: bool, size: str, groups: list[list[str]], seed: int
    ) -> Self: ...

@final
class TrainOptions:
    def __new__(cls, *, rule_params: dict[str, str], balanced: bool, seed: int) -> Self: ...

@final
class Table:
    def __new__(cls, names: list[str], x: NDArray[np.float64], columns: list[_Column]) -> Self: ...

@final
class Dataset:
    def __new__(cls, names: list[str], x: NDArray[np.float64], columns: list[_Column], options: DataOptions) -> Self: ...
    @property
    def warnings(self) -> list[_TypedWarning]: ...
    @property
    def classes(self) -> list[str]: ...
    def select(self, options: SelectOptions, weights: list[float] | None, threads: int, seconds: float | None) -> str: ...
    def train(
        self, selection: str, options: TrainOptions, weights: list[float] | None, threads: int, seconds: float | None
    ) -> Model: ...
    def cross_fit(
        self,
        model: Model,
        select: SelectOptions,
        train: TrainOptions,
        weights: tuple[list[float] | None, list[float] | None],
        copies: list[int] | None,
        threads: int,
        seconds: float | None,
    ) -> Model: ...
    def report(
        self,
        input: str,
        command: str,
        selection: str | None = None,
        model: Model | None = None,
        evaluation: Evaluation | None = None,
    ) -> str: ...

@final
class Model:
    @staticmethod
    def from_json(text: str) -> Model: ...
    def json(self) -> str: ...
    @property
    def warnings(self) -> list[_TypedWarning]: ...
    def predict(self, table: Table, threads: int) -> tuple[NDArray[np.float64], list[_TypedWarning]]: ...
    def continue_training(
        self, table: Table, codes: list[int], passes: int, rate: float, seed: int, threads: int
    ) -> Model: ...
    def explain(self) -> str: ...
    def explain_row(self, table: Table, row: int) -> str: ...

@final
class Evaluation:
    def __new__(cls, data: Dataset, options: _EvaluateOptions) -> Self: ...
    def left(self) -> list[_Task]: ...
    def subsample_settings(self) -> list[int]: ...
    def run(self, key: _Task, setting: int, threads: int, seconds: float | None) -> str: ...
    def add(self, key: _Task, result: str) -> None: ...
    def run_all(self, threads: int, seconds: float | None) -> None: ...
    def summary(self) -> str: ...

def methods() -> str: ...
def warnings_of(json: str) -> list[_TypedWarning]: ...
def load(
    name: str, samples: int | None = None, features: int | None = None, seed: int = 0
) -> tuple[list[tuple[str, list[float] | list[str]]], str | None, list[str] | None]: ...
def compare(
    datasets: list[str],
    methods: list[str],
    scores: list[list[float]],
    control: str | None,
    alpha: float,
    higher_is_better: bool,
) -> str: ...
def stability(selections: list[list[int]], features: int) -> tuple[float, float, float] | None: ...
def fit_blocks(
    blocks: Callable[[list[str]], Iterable[_Block]],
    data: DataOptions,
    select: SelectOptions,
    train: TrainOptions | None,
    held_out: bool,
    threads: int,
    seconds: float | None,
) -> tuple[str, Model | None, list[_TypedWarning]]: ...
