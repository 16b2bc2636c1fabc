"""Answers about results: graphs, networks, confidence, rivals, files, edges."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from dagwright.studio.answers.projects import Cells, Project, Request
from dagwright.studio.job_options import JobOptions

Mark = Literal["none", "arrow", "circle"]
Pair = tuple[str, str]
Point = tuple[float, float]
Positions = dict[str, Point]

GraphEdge = TypedDict(
    "GraphEdge",
    {
        "from": str,
        "to": str,
        "from_mark": Mark,
        "to_mark": Mark,
        "undecided": bool,
        "hidden": bool,
        "given": bool,
        "strength": float | None,
        "direction": float | None,
        "bits": float | None,
        "gain": float | None,
        "p_value": float | None,
        "decided_by": str | None,
    },
)


class Graph(TypedDict):
    kind: Literal["dag", "cpdag", "pag", "mag", "undirected"]
    nodes: list[str]
    edges: list[GraphEdge]


class LiveNetwork(TypedDict):
    """The best network so far of a job that runs."""

    job: str
    score: float
    seconds: float
    graph: Graph
    positions: Positions


class ResultFile(TypedDict):
    name: str
    bytes: int
    type: str


class ResultEntry(TypedDict):
    """A result in a list.

    Networks of one ``session`` are versions of one entry; the first may be the network whose id it is.
    """

    id: str
    kind: Literal["learned", "network", "confidence", "rivals", "report", "prediction"]
    name: str
    created: str
    job: str | None
    of: str | None
    score: float | None
    nodes: int | None
    edges: int | None
    file: ResultFile | None
    session: str | None


class ResultList(TypedDict):
    results: list[ResultEntry]


class _OfJob(TypedDict):
    id: str
    name: str
    created: str
    job: str
    of: str | None
    request: Request
    options: NotRequired[JobOptions]


class LearnedResult(_OfJob):
    kind: Literal["learned"]
    graph: Graph
    dag: Graph | None
    method: str
    score: float | None
    score_name: str | None
    score_definition: str | None
    optimal: bool
    gap: float | None
    stopped: str | None
    evaluations: int | None
    seconds: float | None
    assumptions: list[str]
    notes: dict[str, Any]
    trace: list[Any]
    warnings: list[str]
    text: str
    fitted: bool
    why_not_fitted: str | None
    confidence: str | None


class EdgeConfidence(TypedDict):
    """The strength of an edge and of its likelier direction, with 95 % intervals."""

    start: str
    end: str
    strength: float
    direction: float | None
    low: float | None
    high: float | None
    direction_low: float | None
    direction_high: float | None


class ConfidenceResult(_OfJob):
    kind: Literal["confidence"]
    graph: Graph
    source: str
    nodes: list[str]
    edges: list[EdgeConfidence]
    diagnostics: dict[str, Any]
    warnings: list[str]
    stopped: NotRequired[str | None]
    log_evidence: NotRequired[float | None]
    evidence_name: NotRequired[str]
    basis: NotRequired[str | None]


RivalNetwork = TypedDict(
    "RivalNetwork",
    {
        "score": float,
        "probability": float | None,
        "graph": Graph,
        "class": int,
        "missing": list[Pair],
        "extra": list[Pair],
        "reversed": list[Pair],
    },
)


class RivalsResult(_OfJob):
    kind: Literal["rivals"]
    best: float | None
    within: float | None
    stopped: str | None
    count: int
    networks: list[RivalNetwork]


class PredictionResult(_OfJob):
    kind: Literal["prediction"]
    target: str
    rows: int
    preview: Cells
    file: ResultFile


class ReportResult(_OfJob):
    kind: Literal["report"]
    title: str
    file: ResultFile


class Intervals(TypedDict):
    low: list[list[float]]
    high: list[list[float]]


class StateNode(TypedDict):
    """A node with states: one row of the table for each configuration of its parents."""

    name: str
    kind: Literal["states"]
    states: list[str]
    parents: list[str]
    parent_states: list[list[str]]
    table: list[list[float]] | None
    counts: list[list[float]] | None
    intervals: Intervals | None
    cells: int


class Equation(TypedDict):
    intercept: float | None
    coefficients: list[float | None]
    sd: float | None
    rows: float | None
    errors: list[float | None]
    text: str


class NumberNode(TypedDict):
    """A number: one equation for each configuration of its parents with states."""

    name: str
    kind: Literal["number"]
    states: list[str]
    parents: list[str]
    given: list[str]
    given_states: list[list[str]]
    coefficients: list[str]
    equations: list[Equation]
    cells: int


NodeTable = StateNode | NumberNode


class Made(TypedDict):
    """How a network by hand was made."""

    how: Literal["builtin", "file", "empty", "copy", "edit", "fit"]
    name: NotRequired[str]
    edits: NotRequired[list[dict[str, Any]]]
    request: NotRequired[Request]
    discretized: NotRequired[bool]
    missing: NotRequired[str | None]


class NetworkResult(TypedDict):
    id: str
    kind: Literal["network"]
    name: str
    created: str
    job: None
    graph: Graph
    nodes: list[NodeTable]
    dimension: int
    session: NotRequired[str | None]
    based_on: NotRequired[str | None]
    made: NotRequired[Made]
    warnings: list[str]


Result = LearnedResult | NetworkResult | ConfidenceResult | RivalsResult | PredictionResult | ReportResult


class Opened(TypedDict):
    """A project with the list of its results and the one shown."""

    project: Project
    results: list[ResultEntry]
    shown: Result | None


class RivalNote(TypedDict):
    """The best network without an edge between the two: what it loses, and the edges it has instead."""

    loss: float
    instead: list[Pair]


class EdgeCard(TypedDict):
    """The evidence for an edge."""

    start: str
    end: str
    present: bool
    given: list[str]
    gains: dict[str, float | None]
    g2: float
    df: float
    p_value: float
    log_p: float | None
    test: str
    bits: float
    bic_level: float | None
    strength: float | None
    direction: float | None
    interval: tuple[float, float] | None
    knowledge: str
    decided_by: str
    rival: RivalNote | None
    fourfold: dict[str, Any] | None
    effect: dict[str, Any] | None
    start_states: list[str]
    end_states: list[str]
    rows: int
    rows_in_all: int
    rows_in_words: str
    facts: list[tuple[str, str]]
    text: str


ComparedEdge = TypedDict(
    "ComparedEdge",
    {
        "from": str,
        "to": str,
        "from_mark": Mark,
        "to_mark": Mark,
        "in": Literal["both", "first", "second", "changed"],
    },
)


class Comparison(TypedDict):
    """The differences of the second graph from the first."""

    text: str
    shd: float | None
    equivalent: bool
    missing: list[list[str]]
    extra: list[list[str]]
    reversed: list[list[str]]
    score_gain: float | None
    same_data: bool | None
    first: Graph
    second: Graph
    edges: list[ComparedEdge]


Route = TypedDict("Route", {"from": str, "to": str, "points": list[Point]})


class Layout(TypedDict):
    positions: Positions
    routes: list[Route]
    width: float
    height: float


class WhatIf(TypedDict):
    """The score after changes of arcs."""

    score: float | None
    before: float | None
    difference: float | None
    bayes_factor_log10: float | None
    equivalent: bool
    knowledge: list[str]
    graph: Graph
    by_node: dict[str, float | None]
    definition: str


class TableSize(TypedDict):
    node: str
    cells: int
    before: int | None


class InferenceCost(TypedDict):
    width: int
    bytes: int


class EditForecast(TypedDict):
    nodes: list[TableSize]
    warnings: list[str]
    inference: InferenceCost
