"""How a result came to be, step by step, from rows or a network to what is on the canvas."""

from __future__ import annotations

from typing import Any

from dagwright.studio.problems import StudioError
from dagwright.studio.project_file import ProjectFile
from dagwright.studio.strengths import newest_confidence
from dagwright.studio.studio import Studio

Step = dict[str, Any]
"""What was done (``do``) with what."""
OF_ROWS = ("confidence", "rivals")
"""Results that come from the rows again, beside the one that they belong to."""


def learning_step(
    studio: Studio, project: ProjectFile, request: dict[str, Any], options: dict[str, Any] | None = None
) -> Step:
    """Learning with the settings of a request and the options of a job."""
    return {"do": "learn", "options": options or {}, **_rows(studio, project, request)}


def steps_to(studio: Studio, project: ProjectFile, identity: str) -> list[Step]:
    """The steps to a result; a network whose beginning is no longer in the project is taken from a file."""
    results = project.results()
    by_id = {one["id"]: one for one in results}
    document = by_id.get(identity) or project.result(identity)  # an unknown one is refused
    own = document
    if document["kind"] in (*OF_ROWS, "prediction", "report"):
        own = by_id.get(_subject(document) or "", document)
    steps = _made(studio, project, own, by_id)
    if own is not document:
        return [*steps, *_further(studio, project, document)]
    sure = newest_confidence(results, own["id"])
    others = [
        next((one for one in results if one["kind"] == kind and _subject(one) == own["id"]), None)
        for kind in ("rivals", "prediction")
    ]
    for one in (sure, *others):
        steps += [] if one is None else _further(studio, project, one)
    return steps


def _subject(document: dict[str, Any]) -> str | None:
    """The result that a document is about."""
    found: str | None = document.get("of") or document.get("options", {}).get("model")
    return found


def _rows(studio: Studio, project: ProjectFile, request: dict[str, Any]) -> dict[str, Any]:
    data = request["data"]
    return {"origin": None if data is None else data["origin"], **studio.request(project, request)}


def _made(
    studio: Studio, project: ProjectFile, document: dict[str, Any], by_id: dict[str, dict[str, Any]]
) -> list[Step]:
    if document["kind"] == "learned":
        options = document.get("options", {})
        begin = by_id.get(options.get("start") or "")
        before = [] if begin is None else _made(studio, project, begin, by_id)
        return [*before, learning_step(studio, project, document["request"], options)]
    if document["kind"] != "network":
        return [] if document["kind"] != "report" else [learning_step(studio, project, document["request"])]
    made = document.get("made")
    base = by_id.get(document.get("based_on") or "")
    if made is None or (made["how"] in ("copy", "edit", "fit") and base is None):
        return [{"do": "saved", "name": document["name"]}]
    step: Step = {"do": made["how"], **made}
    if made["how"] == "fit":
        step |= _rows(studio, project, made["request"])
    return [step] if base is None else [*_made(studio, project, base, by_id), step]


def _further(studio: Studio, project: ProjectFile, document: dict[str, Any]) -> list[Step]:
    """The step from a result to what was found out about it."""
    options = document.get("options")
    if options is None or document["kind"] not in (*OF_ROWS, "prediction"):
        return []  # made by an earlier version, which kept no options
    if document["kind"] == "prediction":
        return _prediction(project, document, options)
    verb = document["kind"]
    if verb == "confidence":
        verb = "posterior" if "log_evidence" in document else "bootstrap"
    return [{"do": verb, "options": options, **_rows(studio, project, document["request"])}]


def _prediction(project: ProjectFile, document: dict[str, Any], options: dict[str, Any]) -> list[Step]:
    request = document["request"]
    data = request["data"] or {}
    try:
        name = project.file(options.get("file") or data.get("id") or "")["name"]
    except StudioError:
        return []
    own = options.get("file") is None
    origin = data.get("origin") if own else None
    reading = request["reading"] if own else {}
    return [{"do": "predict", "options": options, "name": name, "origin": origin, "reading": reading}]
