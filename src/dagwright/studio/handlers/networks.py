"""Step 7: networks by hand."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any, Literal, NotRequired, TypedDict

from dagwright.io import FORMATS
from dagwright.studio.answers import results as of_results
from dagwright.studio.calls import Address, Call
from dagwright.studio.problems import StudioError
from dagwright.studio.project_file import ProjectFile
from dagwright.studio.studio import Studio

BASE = "/api/projects/{project}/networks"
ENDINGS = tuple(suffix for one in FORMATS for suffix in one.suffixes)

NewNetwork = TypedDict(
    "NewNetwork",
    {"name": NotRequired[str], "from": NotRequired[str | None], "builtin": NotRequired[str | None]},
)
Edit = TypedDict(
    "Edit",
    {
        "do": Literal[
            "add_node",
            "add_number",
            "remove_node",
            "rename_node",
            "set_states",
            "add_state",
            "remove_state",
            "add_edge",
            "remove_edge",
            "turn_edge",
            "set_table",
            "set_equation",
        ],
        "node": NotRequired[str],
        "name": NotRequired[str],
        "states": NotRequired[list[str]],
        "state": NotRequired[str],
        "from": NotRequired[str],
        "to": NotRequired[str],
        "table": NotRequired[list[list[float]]],
        "normalize": NotRequired[bool],
        "intercept": NotRequired[list[float]],
        "coefficients": NotRequired[dict[str, list[float]]],
        "sd": NotRequired[list[float]],
    },
)


class Edits(TypedDict):
    edits: list[Edit]
    name: NotRequired[str]


class FileName(TypedDict):
    name: str


class Nothing(TypedDict):
    name: NotRequired[str]


def made(
    studio: Studio,
    project: ProjectFile,
    *,
    name: str,
    how: dict[str, Any],
    based_on: str | None = None,
    **source: Any,
) -> dict[str, Any]:
    """A new network in a project; ``how`` it is made is kept for the code that does the same."""
    arguments = {
        "name": name,
        "network": None,
        "builtin": None,
        "file": None,
        **source,
        "positions": project.project()["state"]["positions"],
    }
    answer = studio.models.call("made_network", arguments)
    further = {} if based_on is None else {"based_on": based_on}
    return studio.add_network(project, answer, name, made=how, **further)


def create(call: Call) -> Any:
    origin, builtin = call.body.get("from"), call.body.get("builtin")
    known = [one["name"] for one in call.studio.fact("about")["networks"]]
    if builtin is not None and builtin not in known:
        raise StudioError("unknown_name", f"there is no network {builtin!r}", subject=builtin, options=known)
    network = None if origin is None else call.studio.network(call.project, origin)
    usual = builtin or ("network" if origin is None else edited_name(call.project.results(), origin))
    name = call.body.get("name") or usual
    how = {"how": "builtin" if builtin else "empty", "name": builtin or name}
    if origin is not None:
        how = {"how": "copy"}
    return made(
        call.studio,
        call.project,
        name=name,
        how=how,
        based_on=origin,
        network=network,
        builtin=builtin,
    )


def network_ending(name: str) -> tuple[str, str]:
    """A file name without its ending, and the ending that tells its format; "" for none.

    >>> network_ending("Andes 2.BIF.gz"), network_ending("../x.exe")
    (('Andes 2', '.bif.gz'), ('../x.exe', ''))
    """
    packed = ".gz" if name.lower().endswith(".gz") else ""
    plain = name[: len(name) - len(packed)]
    ending = Path(plain).suffix.lower()
    return (plain[: -len(ending)], f"{ending}{packed}") if ending in ENDINGS else (name, "")


def import_file(call: Call) -> Any:
    name = call.query["name"]
    stem, ending = network_ending(name)
    if not ending:
        raise StudioError(
            "format",
            f"{name!r} has no ending of a network format; known: {', '.join(ENDINGS)}, also with .gz",
            subject=name,
            options=list(ENDINGS),
        )
    path = call.uploaded.with_suffix(ending)
    call.uploaded.rename(path)
    try:
        how = {"how": "file", "name": name}
        return made(call.studio, call.project, name=stem, how=how, file=[str(path), name])
    finally:
        path.rename(call.uploaded)


def _based(call: Call) -> str:
    return call.path["network"]


EDITED = re.compile(r", edited( \d+)?$")
"""How the name of an edited network ends."""


def edited_name(results: list[dict[str, Any]], based: str) -> str:
    """A name for the next version of a network that no other result has: "asia, edited 2"."""
    stem = EDITED.sub("", next(one["name"] for one in results if one["id"] == based))
    taken = {one["name"] for one in results}
    names = (f"{stem}, edited{'' if n == 1 else f' {n}'}" for n in itertools.count(1))
    return next(name for name in names if name not in taken)


def _session(project: ProjectFile, based: str) -> dict[str, Any]:
    """The name and the session of the next version of a network: a session is one entry of the results.

    The first edit of a network that was not made to be edited begins a session.
    """
    before = project.result(based)
    session = before.get("session")
    if session is None and before.get("made", {}).get("how") in ("copy", "empty"):
        session = based
    if session is None:
        return {"name": edited_name(project.results(), based)}
    return {"name": before["name"], "session": session}


def edit(call: Call) -> Any:
    project, based = call.project, _based(call)
    arguments = {
        "network": call.studio.network(project, based),
        "edits": call.body["edits"],
        "positions": project.project()["state"]["positions"],
    }
    answer = call.studio.models.call("edit", arguments)
    how = {"how": "edit", "edits": answer["edits"]}
    named = {"name": call.body["name"]} if call.body.get("name") else _session(project, based)
    return call.studio.add_network(project, answer, based_on=based, made=how, **named)


def forecast(call: Call) -> Any:
    network = call.studio.network(call.project, _based(call))
    return call.studio.models.call("edit_forecast", {"network": network, "edits": call.body["edits"]})


def fit(call: Call) -> Any:
    project, based = call.project, _based(call)
    arguments = {
        "network": call.studio.network(project, based),
        **call.studio.settings(project),
        "positions": project.project()["state"]["positions"],
    }
    answer = call.studio.rows.call("fit", arguments)
    name = call.body.get("name") or f"{project.result(based)['name']}, fitted"
    request = call.studio.request_of(project.project()["state"])
    how = {"how": "fit", "request": request, **answer["fitting"]}
    return call.studio.add_network(project, answer, name, based_on=based, made=how)


ADDRESSES = (
    Address(
        "POST", BASE, create, "Make a network", answer=of_results.NetworkResult, body=NewNetwork, status=201
    ),
    Address(
        "POST",
        f"{BASE}/import",
        import_file,
        "A network from a file",
        answer=of_results.NetworkResult,
        query=FileName,
        upload=True,
        status=201,
    ),
    Address(
        "POST",
        f"{BASE}/{{network}}/edit",
        edit,
        "Change a network",
        answer=of_results.NetworkResult,
        body=Edits,
        status=201,
    ),
    Address(
        "POST",
        f"{BASE}/{{network}}/forecast",
        forecast,
        "How large tables would become",
        answer=of_results.EditForecast,
        body=Edits,
    ),
    Address(
        "POST",
        f"{BASE}/{{network}}/fit",
        fit,
        "Fit the tables to the data",
        answer=of_results.NetworkResult,
        body=Nothing,
        status=201,
    ),
)
