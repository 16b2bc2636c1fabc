"""The state of a project: its fields, their shapes, and how a project begins."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from dagwright.studio.problems import StudioError
from dagwright.studio.shapes import PARTIAL, ShapeError, require, schema_of

LARGEST_VIEW = 65_536
"""Bytes of what the page keeps for itself."""

Missing = Literal["drop", "state", "em", "available"]
StateOrLikelihoods = str | float | bool | dict[str, float]


class DataFile(TypedDict):
    """The data of a project; `id` names a file in it."""

    id: str
    name: str
    bytes: int
    origin: str


class Reading(TypedDict, total=False):
    """How to open the file, where it does not tell by itself."""

    separator: str
    decimal: Literal[".", ","]
    quote: str | None
    encoding: str
    header: bool
    sheet: str | int
    missing_values: list[str]


class ColumnEdit(TypedDict, total=False):
    """The settings of a column by a person, under its name in the file."""

    rename: str | None
    exclude: bool
    kind: Literal["category", "number", "ordered"] | None
    cut_points: list[float] | None
    rule: str | None
    states: list[str | float | bool] | None
    rare: float | None
    part: Literal["year", "quarter", "month", "weekday", "day", "hour"] | None


class LearnSettings(TypedDict, total=False):
    """How to learn; methods as text."""

    search: str | None
    score: str | None
    structure_prior: str | None
    time_limit: float | None
    seed: int
    threads: int | None


class State(TypedDict):
    """Everything in a project that a person sets."""

    data: DataFile | None
    reading: Reading
    columns: dict[str, ColumnEdit]
    weights: str | None
    missing: Missing | None
    knowledge: dict[str, Any]
    learn: LearnSettings
    shown: str | None
    compared: str | None
    positions: dict[str, tuple[float, float]]
    evidence: dict[str, StateOrLikelihoods]
    interventions: dict[str, StateOrLikelihoods]
    groups: dict[str, list[str]]
    view: dict[str, Any]


class Change(TypedDict):
    """A PATCH of a project."""

    revision: int
    change: NotRequired[Annotated[State, PARTIAL]]
    label: NotRequired[str]
    name: NotRequired[str]


SCHEMA = schema_of(State)


def new_state() -> dict[str, Any]:
    """The state of a project that is new."""
    return {
        "data": None,
        "reading": {},
        "columns": {},
        "weights": None,
        "missing": None,
        "knowledge": {"dagwright_knowledge": 1},
        "learn": {
            "search": "Auto()",
            "score": None,
            "structure_prior": None,
            "time_limit": 60.0,
            "seed": 0,
            "threads": None,
        },
        "shown": None,
        "compared": None,
        "positions": {},
        "evidence": {},
        "interventions": {},
        "groups": {},
        "view": {},
    }


def with_data(state: dict[str, Any], file: dict[str, Any] | None) -> dict[str, Any]:
    """The state with other data; what was said about the columns of the old ones goes."""
    begin = new_state()
    fresh = {field: begin[field] for field in ("reading", "columns", "weights", "missing")}
    return {**state, **fresh, "data": file}


def changed(state: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """The state with some fields replaced."""
    if len(json.dumps(change.get("view", {}))) > LARGEST_VIEW:
        raise StudioError("too_large", f"view holds more than {LARGEST_VIEW:,} bytes", subject="view")
    return {**state, **change}


def require_state(state: Any) -> None:
    """Refuse what is no state of a project, as it may stand in a file that anyone made."""
    try:
        require(SCHEMA, state)
    except ShapeError as problem:
        raise StudioError("format", f"not a state of a project: {problem}", subject=problem.place) from None
