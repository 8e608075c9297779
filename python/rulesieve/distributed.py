"""Parallel evaluation on dask, ray or local processes.

An evaluation consists of independent tasks, each of one method in one split. Data are sent to each worker once. The results equal those
of :func:`rulesieve.evaluate`, except for the times.
"""

from __future__ import annotations

import contextlib
import hashlib
import pickle
import threading
import warnings
from typing import TYPE_CHECKING, Any

from joblib import Parallel, delayed, parallel_config

from . import _engine, _options
from ._base import dataset
from ._columns import aligned, aligned_columns
from ._evaluate import Evaluation, Plan

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._types import EvaluateOptions

__all__ = ["evaluate", "sweep"]

_BACKENDS = ("loky", "dask", "ray")
# Number of evaluations that a worker caches.
_CACHE_SIZE = 4
_cache: dict[str, Any] = {}
_lock = threading.Lock()


def evaluate(X: Any, y: Any, methods: Any = None, *, backend: str = "loky",
             n_jobs: int | None = -1, retries: int = 3, threads: int = 1, **options: Unpack[EvaluateOptions]) -> Evaluation:
    """Evaluates methods on several workers, with the same results as :func:`rulesieve.evaluate`.

    Parameters
    ----------
    X, y, methods, **options
        As in :func:`rulesieve.evaluate`, except for ``time_budget``.
    backend : {'loky', 'dask', 'ray'}, default='loky'
        The workers: local processes, the cluster of the current ``dask.distributed.Client``, or ray.
    n_jobs : int, default=-1
        Number of parallel tasks; -1 uses all workers.
    retries : int, default=3
        Number of retries of tasks whose worker died.
    threads : int, default=1
        Number of threads per task.

    Returns
    -------
    Evaluation

    Examples
    --------
    >>> from rulesieve import distributed, load_table
    >>> X, y = load_table("waveform", samples=150)
    >>> found = distributed.evaluate(X, y, ["anova"], n_features_to_select=5, folds=3, n_jobs=2)
    >>> list(found.table.index)[:2]
    ['anova', 'all features']
    """
    found = sweep({"": (X, y)}, methods, backend=backend, n_jobs=n_jobs, retries=retries, threads=threads, **options)
    return found[""]


def sweep(tables: dict[str, tuple[Any, Any]], methods: Any = None, *, backend: str = "loky",
          n_jobs: int | None = -1, retries: int = 3, threads: int = 1, **options: Unpack[EvaluateOptions]) -> dict[str, Evaluation]:
    """Evaluates methods on several tables; their tasks run in parallel.

    Parameters
    ----------
    tables : dict of (X, y)
        The tables by name.
    methods, backend, n_jobs, retries, threads, **options
        As in :func:`evaluate`.

    Returns
    -------
    dict of Evaluation
        Evaluations by name; :func:`rulesieve.compare` accepts ``{name: found[name].table["accuracy"]}``.
    """
    if backend not in _BACKENDS:
        raise ValueError(f"backend={backend!r} is not allowed; it must be one of {', '.join(map(repr, _BACKENDS))}")
    retries, threads = _options.whole("retries", retries), _options.whole("threads", threads, 1)
    plans = {name: Plan(X, y, methods, **options) for name, (X, y) in tables.items()}
    engines = {name: plan.evaluation() for name, plan in plans.items()}
    works = {name: Work(plan) for name, plan in plans.items()}
    # First all splits, then the subsamples, whose settings depend on the splits.
    for _ in range(2):
        _run_tasks(engines, works, backend, n_jobs, retries, threads)
    return {name: plan.result(engines[name]) for name, plan in plans.items()}


class Work:
    """An evaluation for workers: data, options and their hash."""

    def __init__(self, plan: Plan):
        self.columns = plan.rows.columns
        self.settings = (plan.rows.target, plan.target, plan.missing, plan.coding, plan.keep, plan.include, plan.options)
        self.key = hashlib.sha256(pickle.dumps((self.columns, self.settings))).hexdigest()

    def get(self) -> Work:
        return self

    def evaluation(self) -> Any:
        name, target, missing, coding, keep, include, options = self.settings
        target = target._replace(values=aligned(target.values))
        data = dataset(aligned_columns(self.columns), name, target, missing, coding, keep, include)
        return _engine.Evaluation(data, options)


class RayReference:
    """An evaluation in ray's object store."""

    def __init__(self, work: Work):
        import ray

        self.key, self.stored = work.key, ray.put(work)

    def get(self) -> Work:
        import ray

        return ray.get(self.stored)


def _run_tasks(engines: dict[str, Any], works: dict[str, Work], backend: str, n_jobs: int | None, retries: int,
            threads: int) -> None:
    """Runs the remaining tasks, and repeats those of workers that died."""
    for attempt in range(retries + 1):
        left = [(name, task) for name, engine in engines.items() for task in engine.left()]
        if not left:
            return
        settings = {name: _settings(engine, left, name) for name, engine in engines.items()}
        try:
            with _workers(backend, list(works.values())) as sent:
                calls = (
                    delayed(_run_task)(sent[works[name].key], name, task, settings[name][task[0]], threads)
                    for name, task in left
                )
                # Ray's pool does not support generators.
                order = "list" if backend == "ray" else "generator_unordered"
                for name, task, result in Parallel(n_jobs=n_jobs, return_as=order, batch_size=1)(calls):
                    engines[name].add(task, result)
            return
        except Exception as error:
            if attempt == retries or not _is_worker_failure(error):
                raise
            warnings.warn(f"a worker died ({type(error).__name__}); continuing with the remaining tasks", RuntimeWarning, stacklevel=4)


def _settings(engine: Any, left: list[Any], name: str) -> list[int]:
    """For each ranker the setting of its subsamples; not used for splits."""
    if any(own == name and task[1] == "subsample" for own, task in left):
        return engine.subsample_settings()
    return [0] * (1 + max((task[0] for own, task in left if own == name), default=0))


def _run_task(work: Work | RayReference, name: str, task: Any, setting: int, threads: int) -> tuple[str, Any, str]:
    """Runs a task on a worker."""
    with _lock:
        evaluation = _cache.get(work.key)
        if evaluation is None:
            while len(_cache) >= _CACHE_SIZE:
                del _cache[next(iter(_cache))]
            evaluation = _cache[work.key] = work.get().evaluation()
    return name, task, evaluation.run(tuple(task), setting, threads, None)


@contextlib.contextmanager
def _workers(backend: str, works: list[Work]):
    """Configures joblib for the workers, and yields references to the evaluations."""
    sent: dict[str, Any] = {work.key: work for work in works}
    if backend == "dask":
        # Every worker has a copy, so a worker that dies loses no data.
        with parallel_config(backend="dask", scatter=works):
            yield sent
        return
    if backend == "ray":
        from ray.util.joblib import register_ray

        register_ray()
        sent = {work.key: RayReference(work) for work in works}
    with parallel_config(backend=backend):
        yield sent


def _is_worker_failure(error: BaseException) -> bool:
    """Whether an error is the failure of a worker, not of a task."""
    names = {kind.__name__ for kind in type(error).__mro__}
    return bool(names & {"BrokenProcessPool", "TerminatedWorkerError", "KilledWorker", "CommClosedError", "RayActorError",
                         "CancelledError", "FutureCancelledError"})
