"""The methods of the engine and their parameters."""

from __future__ import annotations

import functools
import json
from typing import Any

from . import _engine


@functools.cache
def _catalogue() -> dict[str, Any]:
    return json.loads(_engine.methods())


def all_methods() -> dict[str, dict[str, Any]]:
    return {method["name"]: method for method in _catalogue()["methods"]}


def method_info(name: str) -> dict[str, Any]:
    """The description of a method."""
    known = all_methods()
    if not isinstance(name, str) or name not in known:
        raise ValueError(f"there is no method {name!r}; there are: {', '.join(known)}")
    return known[name]


def methods(name: str | None = None) -> Any:
    """Lists all methods, or the parameters of one.

    Parameters
    ----------
    name : str, default=None
        A method.

    Returns
    -------
    dict
        Descriptions by method; with a name, the default, range and purpose of each parameter of the method.

    Examples
    --------
    >>> import rulesieve
    >>> list(rulesieve.methods())[:3]
    ['sieve', 'ldr-tsk-inductive', 'ldr-tsk']
    >>> rulesieve.methods("relieff")["neighbours"]["default"]
    10
    """
    if name is None:
        return {method: info["summary"] for method, info in all_methods().items()}
    return _described(method_info(name)["params"])


def rule_params() -> dict[str, dict[str, Any]]:
    """Lists the parameters of rule training for ``rule_params`` of the models: default, range and purpose of each.

    Examples
    --------
    >>> import rulesieve
    >>> rulesieve.rule_params()["steps"]["default"]
    1000
    """
    return _described(_catalogue()["rule_params"])


def _described(params: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {param["name"]: {key: param[key] for key in ("default", "range", "purpose")} for param in params}
