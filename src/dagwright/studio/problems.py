"""Every error as {code, message, subject, options}: those of the library, of requests and of workers."""

from __future__ import annotations

import re
from typing import Any

from dagwright import errors
from dagwright.knowledge.contradictions import Conflict
from dagwright.sentences import Argument, Sentence, Ways
from dagwright.studio.spelling import POLICIES, on_page

LIBRARY: dict[type[Exception], str] = {
    errors.MissingValuesError: "missing_values",
    errors.ImpossibleEvidenceError: "impossible_evidence",
    errors.DataError: "data",
    errors.UnknownNameError: "unknown_name",
    errors.CycleError: "cycle",
    errors.NoExtensionError: "no_extension",
    errors.NotIdentifiableError: "not_identifiable",
    errors.GraphError: "graph",
    errors.KnowledgeError: "knowledge",
    errors.OptionError: "option",
    errors.CapacityError: "capacity",
    errors.NotFinishedError: "not_finished",
    errors.FormatError: "format",
    errors.DagwrightError: "error",
}
"""The code of each error of the library; the first class that fits counts."""

STATUS = {
    "bad_request": 400,
    "unauthorized": 401,
    "forbidden": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "conflict": 409,
    "too_large": 413,
    "too_many_jobs": 429,
    "memory": 507,
    "worker_lost": 503,
    "timeout": 503,
    "locked": 503,
    "fault": 500,
    **dict.fromkeys(LIBRARY.values(), 422),
}
"""The status of an answer by the code of its error."""

QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'")
Problem = dict[str, Any]


class StudioError(Exception):
    """A request that cannot be answered; ``problem`` is what the page is told."""

    def __init__(self, code: str, message: str, *, subject: str | None = None, **further: Any) -> None:
        super().__init__(message)
        self.problem = problem(code, message, subject=subject, **further)

    @classmethod
    def of(cls, given: Problem) -> StudioError:
        """The error that a worker told."""
        further = {name: value for name, value in given.items() if name not in ("code", "message")}
        return cls(given["code"], given["message"], **further)

    @property
    def status(self) -> int:
        return STATUS[self.problem["code"]]


def problem(
    code: str, message: str, *, subject: str | None = None, options: list[str] | None = None, **further: Any
) -> Problem:
    """An error as the page gets it."""
    return {"code": code, "message": message, "subject": subject, "options": options or [], **further}


def of_exception(raised: BaseException) -> Problem | None:
    """The problem to report for an exception that was raised on purpose; None for a fault of ours."""
    if isinstance(raised, StudioError):
        return raised.problem
    for kind, code in LIBRARY.items():
        if isinstance(raised, kind):
            return _of_library(code, raised)
    if isinstance(raised, KeyboardInterrupt):
        return problem("not_finished", "stopped before there was a result")
    if isinstance(raised, MemoryError):
        return problem("memory", "there is not enough memory for this; free some, or ask for less")
    return None


def _of_library(code: str, raised: Exception) -> Problem:
    message = on_page(raised.sentence) if isinstance(raised, errors.DagwrightError) else str(raised)
    further: dict[str, Any] = {}
    if isinstance(raised, errors.ImpossibleEvidenceError):
        further["evidence"] = {node: str(state) for node, state in raised.evidence.items()}
    if isinstance(raised, errors.DagwrightError) and (policies := _policies(raised.sentence)):
        further["policies"] = policies
    if isinstance(raised, errors.KnowledgeError):
        further["conflicts"] = [conflict_entry(one) for one in raised.conflicts]
    quoted = QUOTED.findall(message)
    named = isinstance(raised, errors.UnknownNameError)
    return problem(
        code,
        message,
        subject=quoted[0] if quoted else None,
        options=quoted[1:] if named else [],
        **further,
    )


def _policies(sentence: Sentence) -> list[str]:
    """The policies for missing values that an error offers as ways out."""
    ways = [way for part in sentence.parts if isinstance(part, Ways) for way in part.ways]
    named = [part for way in ways for part in way.parts if isinstance(part, Argument)]
    return [one.value for one in named if one.name == "missing" and one.value in POLICIES]


def conflict_entry(conflict: object) -> dict[str, Any]:
    """A contradiction in the knowledge: what it is, and the fewest statements that make it."""
    if isinstance(conflict, Conflict):
        return {"summary": conflict.summary, "statements": list(conflict.statements)}
    return {"summary": str(conflict), "statements": []}
