"""Projects: list, make, open, change, history, the file itself."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, NotRequired, TypedDict

from dagwright.studio.answers import projects as of_projects
from dagwright.studio.answers import results as of_results
from dagwright.studio.calls import Address, Call, Download
from dagwright.studio.handlers.data import put_sample
from dagwright.studio.handlers.networks import ENDINGS as NETWORK_ENDINGS
from dagwright.studio.handlers.networks import made
from dagwright.studio.problems import StudioError
from dagwright.studio.state import Change
from dagwright.studio.strengths import with_strengths
from dagwright.studio.studio import ENDINGS, summary
from dagwright.version import __version__


class NewProject(TypedDict):
    name: NotRequired[str]
    sample: NotRequired[str | None]
    network: NotRequired[str | None]


class FileName(TypedDict):
    name: NotRequired[str]


def about(call: Call) -> Any:
    limits = call.studio.limits
    return {
        "version": __version__,
        "threads": call.studio.fact("about")["threads"],
        "limits": {"upload_bytes": limits.upload_bytes, "waiting_jobs": limits.waiting_jobs},
        "formats": list(ENDINGS),
        "network_formats": list(NETWORK_ENDINGS),
        "started_with": call.studio.started_with,
    }


def listed(call: Call) -> Any:
    return {"projects": call.studio.workspace.projects()}


def create(call: Call) -> Any:
    sample, network = call.body.get("sample"), call.body.get("network")
    facts = call.studio.fact("about")
    for name, kind in ((sample, "samples"), (network, "networks")):
        known = [one["name"] for one in facts[kind]]
        if name is not None and name not in known:
            raise StudioError(
                "unknown_name", f"there is no {kind[:-1]} {name!r}", subject=name, options=known
            )
    project = call.studio.workspace.create(call.body.get("name") or sample or network or "untitled")
    if sample is not None:
        put_sample(call.studio, project, sample, None)
    if network is not None:
        how = {"how": "builtin", "name": network}
        document = made(call.studio, project, name=network, how=how, builtin=network)
        project.change({"shown": document["id"]}, label=f"opened the network {network}")
    return project.project()


def open_file(call: Call) -> Any:
    name = call.query.get("name", "project.dwproj")
    call.studio.rows.call("check_project", {"file": [str(call.uploaded), name]})
    return call.studio.workspace.open_copy(call.uploaded, name).project()


def get(call: Call) -> Any:
    return call.project.project()


def opened(call: Call) -> Any:
    """All that a page shows first when it opens a project; slower answers follow on their own."""
    project = call.project.project()
    results = call.project.results()
    shown = project["state"]["shown"]
    return {
        "project": project,
        "results": [summary(document) for document in results],
        "shown": next(
            (with_strengths(document, results) for document in results if document["id"] == shown), None
        ),
    }


def patch(call: Call) -> Any:
    body = call.body
    after = call.project.change(
        body.get("change", {}),
        revision=body["revision"],
        label=body.get("label", ""),
        name=body.get("name"),
    )
    return call.changed(after)


def delete(call: Call) -> Any:
    project = call.project
    call.studio.queue.end_all(project)
    call.studio.workspace.delete(project.id)


def file(call: Call) -> Any:
    project = call.project
    target = Path(tempfile.mkdtemp(dir=call.studio.scratch)) / "copy"
    project.copy_to(target)
    return Download(target, f"{project.project()['name']}.dwproj")


def history(call: Call) -> Any:
    return {"history": call.project.history()}


def revision(call: Call) -> Any:
    text = call.path["revision"]
    if not (text.isascii() and text.isdecimal() and len(text) < 16):
        raise StudioError("not_found", f"there is no revision {text!r}", subject=text)
    return call.project.revision(int(text))


ADDRESSES = (
    Address("GET", "/api/about", about, "What this server is", answer=of_projects.About),
    Address("GET", "/api/projects", listed, "All projects", answer=of_projects.ProjectList),
    Address(
        "POST",
        "/api/projects",
        create,
        "Make a project",
        answer=of_projects.Project,
        body=NewProject,
        status=201,
    ),
    Address(
        "POST",
        "/api/projects/open",
        open_file,
        "Open a project file",
        answer=of_projects.Project,
        query=FileName,
        upload=True,
        status=201,
    ),
    Address("GET", "/api/projects/{project}", get, "A project", answer=of_projects.Project),
    Address(
        "GET",
        "/api/projects/{project}/opened",
        opened,
        "A project with the list of its results and the one shown",
        answer=of_results.Opened,
    ),
    Address(
        "PATCH", "/api/projects/{project}", patch, "Change a project", answer=of_projects.Project, body=Change
    ),
    Address("DELETE", "/api/projects/{project}", delete, "Put a project into the trash", status=204),
    Address("GET", "/api/projects/{project}/file", file, "The project as one file", file=True),
    Address(
        "GET",
        "/api/projects/{project}/history",
        history,
        "The revisions that are kept",
        answer=of_projects.History,
    ),
    Address(
        "GET",
        "/api/projects/{project}/history/{revision}",
        revision,
        "The state at a revision",
        answer=of_projects.Revision,
    ),
)
