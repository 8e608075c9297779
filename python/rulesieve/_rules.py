"""Fuzzy rules."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Rule:
    """One fuzzy rule.

    Attributes
    ----------
    conditions : list of dict
        The condition on each feature: ``feature``, ``term`` ('low', 'medium', 'high', 'any' or 'categories'), and ``about``
        (the value at which it fires most) or ``categories``.
    effects : dict
        The output: log-odds of each class relative to the mean of the classes, or the number under the name of the target.
    weight : float
        Its mean firing strength over the training rows.
    coverage : float or None
        The fraction of training rows in which it fires most, if known.
    """

    conditions: list[dict[str, Any]]
    effects: dict[str, float]
    weight: float
    coverage: float | None
    is_number: bool = field(default=False, repr=False)
    signed: bool = field(default=True, repr=False)

    def __str__(self) -> str:
        conditions = [_phrase(one) for one in self.conditions if one["term"] != "any"]
        effects = sorted(self.effects.items(), key=lambda effect: -effect[1])
        sign = "+" if self.signed else ""
        if self.is_number:
            then = " is ".join([effects[0][0], f"{effects[0][1]:.4g}"])
        else:
            then = ", ".join(f"{name} ({value:{sign}.2f})" for name, value in effects[:4])
        return f"IF {' AND '.join(conditions) or 'anything'} THEN {then}"


def _phrase(condition: dict[str, Any]) -> str:
    categories = condition.get("categories") or ([condition["category"]] if condition.get("category") else [])
    if categories:
        return f"{condition['feature']} is {' or '.join(categories)}"
    about = condition.get("about")
    return f"{condition['feature']} is {condition['term']}" + (f" (about {about:.4g})" if about is not None else "")


def model_rules(explanation: dict[str, Any], mean: float) -> list[Rule]:
    """The rules of a model, strongest first."""
    classes, number = explanation["classes"], not explanation["classes"]
    rules = []
    for rule in explanation["rules"]:
        if number:
            effects = {explanation["target"]: mean + rule["effects"][0]}
        else:
            effects = dict(zip(classes, rule["effects"]))
        rules.append(Rule(rule["conditions"], effects, rule["weight"], rule["coverage"], number))
    return rules


def recovered_rules(selection: dict[str, Any]) -> list[Rule]:
    """The rules recovered from a method with free firing strengths; effects are class frequencies."""
    classes = selection["data"]["class_names"]
    found = selection.get("rules") or {"rules": []}
    return [
        Rule(rule["conditions"], dict(zip(classes, rule["class_shares"])), rule["weight"], None, signed=False)
        for rule in found["rules"]
    ]
