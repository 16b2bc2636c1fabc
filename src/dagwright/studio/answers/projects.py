"""Answers about projects, data, knowledge, methods and jobs."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from dagwright.studio.job_options import JobKind, JobOptions
from dagwright.studio.state import DataFile, Missing, State

Scale = Literal["number", "date", "datetime"]


class Conflict(TypedDict):
    """A contradiction in the knowledge, with the fewest statements that make it."""

    summary: str
    statements: list[str]


class Problem(TypedDict):
    """What went wrong."""

    code: str
    message: str
    subject: str | None
    options: list[str]
    evidence: NotRequired[dict[str, str]]
    conflicts: NotRequired[list[Conflict]]
    policies: NotRequired[list[Missing]]


class Project(TypedDict):
    id: str
    name: str
    revision: int
    saved: str
    state: State


class Refused(TypedDict):
    """The answer to a request that cannot be fulfilled; a conflict comes with the project as it is now."""

    error: Problem
    project: NotRequired[Project]


class ProjectEntry(TypedDict):
    id: str
    name: str
    saved: str
    bytes: int
    revision: int


class ProjectList(TypedDict):
    projects: list[ProjectEntry]


class HistoryEntry(TypedDict):
    revision: int
    saved: str
    label: str


class History(TypedDict):
    history: list[HistoryEntry]


class Revision(HistoryEntry):
    state: State


class Limits(TypedDict):
    upload_bytes: int
    waiting_jobs: int


class About(TypedDict):
    version: str
    threads: int
    limits: Limits
    formats: list[str]
    network_formats: list[str]
    started_with: str | None


class Sample(TypedDict):
    name: str
    about: str
    bytes: int
    weights: str | None


class BuiltinNetwork(TypedDict):
    name: str
    nodes: int
    arcs: int


class Samples(TypedDict):
    samples: list[Sample]
    networks: list[BuiltinNetwork]


class Histogram(TypedDict):
    """The distribution of a column of numbers; no edge is infinite."""

    edges: list[float]
    counts: list[float]
    cut_points: list[float]
    min: float
    max: float
    scale: Scale


class Bar(TypedDict):
    state: str
    rows: float


class Column(TypedDict):
    """A column: ``name`` is that in the file, ``shown`` that in the network."""

    name: str
    shown: str
    kind: str
    why: str
    ordered: bool
    numeric: bool
    distinct: int
    states: list[str]
    missing: int
    flags: list[str]
    action: str
    usable: bool
    excluded: bool
    left_out: str | None
    kept_numbers: bool
    bars: list[Bar]
    other_rows: float
    histogram: Histogram | None
    numbers: dict[str, Any] | None


class GapPattern(TypedDict):
    columns: list[str]
    rows: int


class GapDependence(TypedDict):
    column: str
    known: str
    statistic: float
    df: float
    p_value: float


class Missingness(TypedDict):
    n_rows: int
    complete_rows: int
    columns: dict[str, int]
    patterns: list[GapPattern]
    dependences: list[GapDependence]
    alpha: float


class Policy(TypedDict):
    """A way to treat missing values."""

    name: Missing | None
    label: str


class Cells(TypedDict):
    """Rows of a table as texts."""

    columns: list[str]
    cells: list[list[str | None]]


class DataReport(TypedDict):
    summary: str
    n_rows: int
    N: float
    distinct_rows: int
    merged_rows: int
    notes: list[str]
    columns: list[Column]
    missingness: Missingness | None
    policies: list[Policy]
    rows: Cells


class DataTaken(TypedDict):
    project: Project
    report: DataReport


class KeptFile(TypedDict):
    file: str
    name: str
    bytes: int


class Implied(TypedDict):
    required: list[tuple[str, str]]
    forbidden: list[tuple[str, str]]


class KnowledgeCheck(TypedDict):
    ok: bool
    conflicts: list[Conflict]
    text: str
    implied: Implied | None


class MethodOption(TypedDict):
    name: str
    type: Literal["integer", "number", "text", "flag", "choice", "names", "method", "other"]
    optional: bool
    default: Any
    required: bool
    choices: list[str]
    kinds: list[str]
    help: str


class Method(TypedDict):
    kind: str
    name: str
    summary: str
    citation: str | None
    exact: bool | None
    equivalent: bool | None
    gives: str | None
    text: str
    options: list[MethodOption]


class MethodList(TypedDict):
    methods: list[Method]


class MethodWritten(TypedDict):
    """A method as the library writes it."""

    text: str


class Forecast(TypedDict):
    search: str
    evaluations: float | None
    memory: float | None
    seconds: float | None
    upper: bool
    basis: str
    text: str


class Progress(TypedDict):
    """How far a job is."""

    phase: str
    done: int
    total: int | None
    unit: str
    best: float | None
    error: float | None
    log_score: NotRequired[float | None]
    seconds: float


Measure = Literal["best", "error", "log_score"]


class Job(TypedDict):
    """A job; ``series`` has the values of ``measure`` by seconds."""

    id: str
    project: str
    kind: JobKind
    state: Literal["queued", "running", "stopping", "done", "failed", "cancelled", "interrupted"]
    place: int | None
    created: str
    started: str | None
    ended: str | None
    label: str
    options: JobOptions
    progress: Progress | None
    series: list[tuple[float, float]]
    measure: NotRequired[Measure | None]
    result: str | None
    error: Problem | None


class JobList(TypedDict):
    jobs: list[Job]


class NetworkFormat(TypedDict):
    name: str
    suffix: str
    summary: str
    loses: str | list[str] | None
    holds: str


class Formats(TypedDict):
    networks: list[NetworkFormat]
    pictures: list[Literal["svg", "png", "pdf"]]
    reports: list[Literal["html", "md", "json"]]


class Code(TypedDict):
    """The script and the command line that do the same."""

    python: str
    command: str


class Request(TypedDict):
    """What a result was learned from, and how."""

    data: DataFile | None
    reading: dict[str, Any]
    columns: dict[str, Any]
    weights: str | None
    missing: str | None
    knowledge: dict[str, Any]
    learn: dict[str, Any]
