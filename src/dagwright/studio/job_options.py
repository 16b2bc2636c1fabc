"""The kinds of jobs and their options."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

JobKind = Literal["learn", "bootstrap", "posterior", "rivals", "report", "predict"]


class JobOptions(TypedDict):
    """The options of a job; those that its kind does not know are ignored."""

    search: NotRequired[str | None]
    score: NotRequired[str | None]
    structure_prior: NotRequired[str | None]
    time_limit: NotRequired[float | None]
    seed: NotRequired[int]
    threads: NotRequired[int | None]
    start: NotRequired[str | None]
    result: NotRequired[str | None]
    replicates: NotRequired[int | None]
    draw: NotRequired[str | None]
    method: NotRequired[str | None]
    bayes_factor: NotRequired[float | None]
    max_parents: NotRequired[int | None]
    most: NotRequired[int | None]
    target: NotRequired[str | None]
    title: NotRequired[str | None]
    format: NotRequired[Literal["html", "md", "json"]]
    model: NotRequired[str]
    file: NotRequired[str | None]
    probabilities: NotRequired[bool]
