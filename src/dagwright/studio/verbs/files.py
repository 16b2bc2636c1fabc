"""Files to take away: networks in every format, pictures; and projects that come in."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from dagwright.base.whole_file import write_whole
from dagwright.data.samples import sample_path, samples
from dagwright.errors import FormatError, OptionError
from dagwright.evidence.threads import available_threads
from dagwright.io import FORMATS, load, networks, save
from dagwright.io.formats import format_named
from dagwright.learning.learned import Learned
from dagwright.show import draw
from dagwright.studio.project_file import ProjectFile
from dagwright.studio.verbs.looking import Model, thing_of
from dagwright.studio.verbs.models import in_states, network_of
from dagwright.studio.verbs.rows import source_of
from dagwright.studio.verbs.work import Work


def export(work: Work, *, model: Model, format: str, out: str) -> dict[str, Any]:  # noqa: A002, ARG001
    """A network or a graph in one of the formats; what the file cannot hold is told."""
    chosen = format_named(format)
    thing = thing_of(model)
    if isinstance(thing, Learned) and chosen.holds == "network" and chosen.name != "json":
        if "network" not in model:
            raise OptionError(
                f"this result has no probabilities, which {chosen.name} needs; choose json or dot"
            )
        thing = network_of(model["network"])
    if model["kind"] == "confidence":
        if chosen.name != "json":
            raise OptionError("a confidence is saved as json")
        write_whole(out, thing.to_json())
        return {"losses": [], "suffix": ".json"}
    target = f"{out}{chosen.suffixes[0]}"
    losses = save(thing, target, format=chosen.name)
    Path(target).replace(out)
    return {"losses": [str(loss) for loss in losses], "suffix": chosen.suffixes[0]}


def picture(
    work: Work,  # noqa: ARG001
    *,
    model: Model,
    format: str,  # noqa: A002
    theme: Any,
    direction: Any,
    positions: dict[str, tuple[float, float]] | None,
    bars: bool,
    strength: bool,
    confidence: str | None,
    evidence: dict[str, Any],
    out: str,
) -> dict[str, Any]:
    """The graph as a picture by our own writer."""
    thing = thing_of(model)
    options: dict[str, Any] = {"theme": theme, "direction": direction}
    if positions is not None:
        options["positions"] = {node: (x, y) for node, (x, y) in positions.items()}
    if bars:
        if "network" not in model:
            raise OptionError("bars show probabilities, and this result has none")
        thing = network_of(model["network"])
        options |= {"bars": True, "evidence": in_states(thing, evidence) or None}
    elif strength and confidence is not None:
        options["strength"] = load(Path(confidence), format="json")
    drawn = draw(thing, **options)
    written = {"svg": lambda: drawn.svg.encode(), "png": drawn.png, "pdf": drawn.pdf}[format]()
    write_whole(out, written)
    return {}


def check_project(work: Work, *, file: list[str]) -> dict[str, Any]:  # noqa: ARG001
    """Whether a file from the page is a sound project; it is opened here, in a process of its own."""
    path = source_of(file).path
    with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as database:
        try:
            found = database.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.DatabaseError as problem:
            raise FormatError(f"the file is not a project: {problem}") from None
    if found != ("ok",):
        raise FormatError(f"the project is damaged: {found[0]}")
    project = ProjectFile(Path(path))
    try:
        for job in project.jobs():
            _require_object(job, "id", "state", "kind")
        for result in project.results():
            _require_object(result, "id", "kind", "name")
    finally:
        project.close()
    return {}


def _require_object(document: Any, *fields: str) -> None:
    if not isinstance(document, dict) or not all(isinstance(document.get(field), str) for field in fields):
        raise FormatError("the project is damaged: a job or a result that is none")


ABOUT = {
    "asia": "5,000 rows drawn from the network of Lauritzen & Spiegelhalter (1988)",
    "berkeley": "graduate admissions of 1973 (Bickel, Hammel & O'Connell 1975), counted in 'applicants'",
    "titanic": "the people on board by class, sex, age and survival (Dawson 1995), counted in 'people'",
}
WEIGHTS = {"berkeley": "applicants", "titanic": "people"}
"""The column of weights of the samples that are counted."""


def about(work: Work) -> dict[str, Any]:  # noqa: ARG001
    """The contents of the library: samples, networks, formats."""
    return {
        "threads": available_threads(),
        "samples": [
            {
                "name": name,
                "about": ABOUT.get(name, ""),
                "bytes": sample_path(name).stat().st_size,
                "weights": WEIGHTS.get(name),
            }
            for name in samples()
        ],
        "networks": [
            {"name": name, "nodes": len(network.nodes), "arcs": len(network.graph.edges)}
            for name, network in ((name, load(name)) for name in networks())
        ],
        "formats": [
            {
                "name": one.name,
                "suffix": one.suffixes[0],
                "summary": one.summary,
                "loses": one.loses,
                "holds": one.holds,
            }
            for one in FORMATS
        ],
    }
