"""Step 4, 6 and 8: results, the graph, evidence for edges, comparisons, files to take away."""

from __future__ import annotations

import json
from typing import Any, Literal, NotRequired, TypedDict

from dagwright.studio.answers import projects as of_projects
from dagwright.studio.answers import results as of_results
from dagwright.studio.calls import Address, Call, Download
from dagwright.studio.origins import learning_step, steps_to
from dagwright.studio.problems import StudioError
from dagwright.studio.strengths import with_strengths
from dagwright.studio.studio import summary, versions

BASE = "/api/projects/{project}"
PICTURES = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}


class Name(TypedDict):
    name: str


class NodeAsked(TypedDict):
    model: str
    node: str


EdgeAsked = TypedDict("EdgeAsked", {"result": str, "from": str, "to": str, "rival": NotRequired[bool]})


class Compared(TypedDict):
    first: str
    second: str


class LayoutAsked(TypedDict):
    graph: str
    sizes: NotRequired[dict[str, tuple[float, float]]]
    keep: NotRequired[bool]
    direction: NotRequired[Literal["down", "right"]]
    also: NotRequired[list[tuple[str, str]]]


ArcChange = TypedDict("ArcChange", {"do": Literal["add", "remove", "turn"], "from": str, "to": str})


class WhatIfAsked(TypedDict):
    result: str
    changes: list[ArcChange]


class ExportAsked(TypedDict):
    model: str
    format: str


class PictureAsked(TypedDict):
    model: str
    format: NotRequired[Literal["svg", "png", "pdf"]]
    theme: NotRequired[Literal["light", "dark", "auto"]]
    positions: NotRequired[bool]
    bars: NotRequired[bool]
    strength: NotRequired[bool]
    direction: NotRequired[Literal["down", "right"]]


class CodeAsked(TypedDict):
    result: NotRequired[str]


def listed(call: Call) -> Any:
    return {"results": [summary(document) for document in call.project.results()]}


def get(call: Call) -> Any:
    return with_strengths(call.project.result(call.path["result"]), call.project.results())


def rename(call: Call) -> Any:
    project, asked = call.project, call.path["result"]
    project.result(asked)  # an unknown one is refused
    entries = {}
    for version in versions(project.results(), asked):
        entry = entries[version["id"]] = summary(project.rename_result(version["id"], call.body["name"]))
        call.studio.hub.publish(project.id, "result", entry)
    return entries[asked]


def forget(call: Call) -> Any:
    project, asked = call.project, call.path["result"]
    project.result(asked)
    gone = [version["id"] for version in versions(project.results(), asked)]
    for identity in gone:
        project.forget_result(identity)

    def change(state: dict[str, Any]) -> dict[str, Any]:
        return {field: None for field in ("shown", "compared") if state[field] in gone}

    after = project.update(change, label="a result was removed")
    if after is not None:
        call.changed(after)
    _tell_results(call)


def restore(call: Call) -> Any:
    project, asked = call.project, call.path["result"]
    for version in versions(project.forgotten_results(), asked):
        project.restore_result(version["id"])
    _tell_results(call)
    return summary(project.result(asked))


def _tell_results(call: Call) -> None:
    """Tell all open pages which results there are now."""
    call.studio.hub.publish(call.project.id, "results", {"ids": call.project.result_ids()})


def file(call: Call) -> Any:
    project, identity = call.project, call.path["result"]
    kept = project.file_of_result(identity)
    if kept is None:
        raise StudioError("not_found", "this result is not a file", subject=identity)
    known = project.file(kept)
    target = call.studio.scratch_file()
    project.write_file(known["digest"], target)
    return Download(target, known["name"], project.result(identity)["file"]["type"])


def node(call: Call) -> Any:
    arguments = {"network": call.studio.network(call.project, call.body["model"]), "name": call.body["node"]}
    return call.studio.models.call("node", arguments)


def edge(call: Call) -> Any:
    arguments = {
        **call.studio.learned(call.project, call.body["result"]),
        "start": call.body["from"],
        "end": call.body["to"],
        "rival": call.body.get("rival", True),
        "confidence": call.studio.confidence_of(call.project, call.body["result"]),
    }
    return call.studio.rows.call("edge", arguments)


def compare(call: Call) -> Any:
    both = {name: call.studio.model(call.project, call.body[name]) for name in ("first", "second")}
    return call.studio.models.call("compare", both)


def layout(call: Call) -> Any:
    kept = call.project.project()["state"]["positions"] if call.body.get("keep", True) else {}
    arguments = {
        "model": call.studio.model(call.project, call.body["graph"]),
        "kept": kept,
        "sizes": call.body.get("sizes", {}),
        "direction": call.body.get("direction", "down"),
        "also": call.body.get("also", []),
    }
    return call.studio.models.call("layout", arguments)


def what_if(call: Call) -> Any:
    given = call.studio.learned(call.project, call.body["result"])
    return call.studio.rows.call("what_if", {**given, "changes": call.body["changes"]})


def formats(call: Call) -> Any:
    return {
        "networks": call.studio.fact("about")["formats"],
        "pictures": list(PICTURES),
        "reports": ["html", "md", "json"],
    }


def export(call: Call) -> Any:
    out = call.studio.scratch_file()
    model = call.studio.model(call.project, call.query["model"])
    found = call.studio.models.call(
        "export", {"model": model, "format": call.query["format"], "out": str(out)}
    )
    name = call.project.result(call.query["model"])["name"]
    return Download(
        out, f"{name}{found['suffix']}", headers={"X-Dagwright-Losses": json.dumps(found["losses"])}
    )


def picture(call: Call) -> Any:
    project, query, studio = call.project, call.query, call.studio
    state = project.project()["state"]
    out, form = studio.scratch_file(), query.get("format", "svg")
    arguments = {
        "model": studio.model(project, query["model"]),
        "format": form,
        "theme": query.get("theme", "light"),
        "direction": query.get("direction", "down"),
        "positions": state["positions"] if query.get("positions", True) else None,
        "bars": query.get("bars", False),
        "strength": query.get("strength", True),
        "confidence": studio.confidence_of(project, query["model"]),
        "evidence": state["evidence"],
        "out": str(out),
    }
    studio.models.call("picture", arguments)
    return Download(out, f"{project.result(query['model'])['name']}.{form}", PICTURES[form])


def code(call: Call) -> Any:
    """Of a result: all that led to it. Otherwise what learning does next; without data the shown result."""
    project, state = call.project, call.project.project()["state"]
    request = call.studio.request_of(state)
    result = call.query.get("result")
    if result is None and request["data"] is None:
        result = state["shown"]
    if result is not None:
        steps = steps_to(call.studio, project, result)
    else:
        steps = [] if request["data"] is None else [learning_step(call.studio, project, request)]
    asked = result or state["shown"]
    arguments = {
        "steps": steps,
        "network": None if asked is None else call.studio.model(project, asked).get("network"),
        "evidence": state["evidence"],
        "interventions": state["interventions"],
    }
    return call.studio.rows.call("code", arguments)


ADDRESSES = (
    Address("GET", f"{BASE}/results", listed, "All results", answer=of_results.ResultList),
    Address("GET", f"{BASE}/results/{{result}}", get, "A result", answer=of_results.Result),
    Address(
        "PATCH",
        f"{BASE}/results/{{result}}",
        rename,
        "Rename a result",
        answer=of_results.ResultEntry,
        body=Name,
    ),
    Address("DELETE", f"{BASE}/results/{{result}}", forget, "Remove a result", status=204),
    Address(
        "POST",
        f"{BASE}/results/{{result}}/restore",
        restore,
        "Bring back a result that was removed since the project was opened",
        answer=of_results.ResultEntry,
    ),
    Address(
        "GET", f"{BASE}/results/{{result}}/file", file, "The file of a report or a prediction", file=True
    ),
    Address(
        "POST", f"{BASE}/node", node, "A node with its table", answer=of_results.NodeTable, body=NodeAsked
    ),
    Address(
        "POST", f"{BASE}/edge", edge, "The evidence for an edge", answer=of_results.EdgeCard, body=EdgeAsked
    ),
    Address(
        "POST",
        f"{BASE}/compare",
        compare,
        "Two results side by side",
        answer=of_results.Comparison,
        body=Compared,
    ),
    Address("POST", f"{BASE}/layout", layout, "Places for nodes", answer=of_results.Layout, body=LayoutAsked),
    Address(
        "POST",
        f"{BASE}/whatif",
        what_if,
        "The score after changes of arcs",
        answer=of_results.WhatIf,
        body=WhatIfAsked,
    ),
    Address("GET", "/api/formats", formats, "File formats", answer=of_projects.Formats),
    Address("GET", f"{BASE}/export", export, "A network or a graph as a file", query=ExportAsked, file=True),
    Address("GET", f"{BASE}/picture", picture, "The graph as a picture", query=PictureAsked, file=True),
    Address(
        "GET",
        f"{BASE}/code",
        code,
        "The script and the command that do the same",
        answer=of_projects.Code,
        query=CodeAsked,
    ),
)
