"""Answers to questions: marginals, explanations, what to observe next, sensitivity, effects."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from dagwright.studio.answers.results import Point


class StateMarginal(TypedDict):
    node: str
    kind: Literal["states"]
    states: list[str]
    probabilities: list[float]
    before: list[float]


class NumberFigures(TypedDict):
    mean: float
    sd: float
    interval: tuple[float, float]
    curve: list[Point]


class NumberMarginal(NumberFigures):
    node: str
    kind: Literal["number"]
    axis: tuple[float, float]
    before: NumberFigures


Marginal = StateMarginal | NumberMarginal


class Answer(TypedDict):
    """All marginals given evidence."""

    marginals: list[Marginal]
    log_probability: float | None
    probability: float | None
    density: bool
    method: str
    unsupported: list[str]


class Explanation(TypedDict):
    states: dict[str, str]
    probability: float
    density: bool


class InformativeNode(TypedDict):
    node: str
    nats: float
    bits: float


class Informative(TypedDict):
    """What to observe next, most informative first."""

    target: str
    items: list[InformativeNode]


class SensitiveEntry(TypedDict):
    """An entry of a table, and what the probability becomes where it is 0 or 1."""

    node: str
    state: str
    configuration: dict[str, str]
    entry: float
    derivative: float
    low: float | None
    high: float | None


class Sensitivity(TypedDict):
    value: float
    items: list[SensitiveEntry]
    complete: bool


class Outcome(TypedDict):
    probabilities: NotRequired[list[float]]
    mean: NotRequired[float]
    sd: NotRequired[float]


class EffectRow(Outcome):
    do: str
    seen: Outcome | None


class Effect(TypedDict):
    """What setting a node does to another, beside what seeing it tells."""

    cause: str
    effect: str
    states: list[str]
    rows: list[EffectRow]
    adjustment_sets: list[list[str]]
