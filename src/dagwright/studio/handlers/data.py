"""Step 1 and 2: data and knowledge."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, Literal, NotRequired, TypedDict

from dagwright.data.samples import sample_path
from dagwright.studio.answers import projects as of_projects
from dagwright.studio.calls import Address, Call, Download
from dagwright.studio.problems import StudioError
from dagwright.studio.project_file import ProjectFile
from dagwright.studio.state import with_data
from dagwright.studio.studio import ENDINGS, SETTINGS, Studio, data_ending

KNOWLEDGE_ENDINGS = (".toml", ".json", ".csv", ".txt", ".knowledge")


class Upload(TypedDict):
    name: str
    revision: NotRequired[int]


class DataUpload(Upload):
    """A file with data, and how to open it where it does not tell by itself."""

    separator: NotRequired[str]
    decimal: NotRequired[Literal[".", ","]]
    encoding: NotRequired[str]
    header: NotRequired[bool]
    sheet: NotRequired[str]


class SampleAsked(TypedDict):
    sample: str
    revision: NotRequired[int]


class Revision(TypedDict):
    revision: NotRequired[int]


class Checked(TypedDict):
    knowledge: NotRequired[dict[str, Any]]
    names: NotRequired[list[str] | None]


class KnowledgeFormat(TypedDict):
    format: NotRequired[Literal["toml", "json", "txt"]]


class FileName(TypedDict):
    name: str


def samples(call: Call) -> Any:
    facts = call.studio.fact("about")
    return {"samples": facts["samples"], "networks": facts["networks"]}


def put_data(
    studio: Studio,
    project: ProjectFile,
    path: Path,
    name: str,
    origin: str,
    revision: int | None,
    **further: Any,
) -> dict[str, Any]:
    """Put data into a project, once a worker could read them."""
    if not data_ending(name):
        raise StudioError(
            "format",
            f"{name!r} has no ending of a data format; known: {', '.join(ENDINGS)}, also with .gz or .zst",
            subject=name,
            options=list(ENDINGS),
        )
    read = studio.scratch / f"{studio.scratch_file().name}{data_ending(name)}"
    shutil.copyfile(path, read)
    fresh = {**with_data(project.project()["state"], None), **further}
    settings = {field: fresh[field] for field in SETTINGS}
    try:
        report = studio.rows.call("data_report", {"source": [str(read), name], "settings": settings})
        file = project.add_file("d", read, name)
    finally:
        read.unlink()
    data = {**{field: file[field] for field in ("id", "name", "bytes")}, "origin": origin}
    state = {**with_data(project.project()["state"], data), **further}
    after = project.replace(state, revision=revision, label=f"data: {name}")
    return {"project": after, "report": report}


def put_sample(studio: Studio, project: ProjectFile, sample: str, revision: int | None) -> dict[str, Any]:
    """Put a sample into a project, with its column of weights where it has one."""
    known = {one["name"]: one for one in studio.fact("about")["samples"]}
    if sample not in known:
        raise StudioError(
            "unknown_name", f"there is no sample {sample!r}", subject=sample, options=list(known)
        )
    path = sample_path(sample)
    weights = known[sample]["weights"]
    return put_data(studio, project, path, path.name, f"sample:{sample}", revision, weights=weights)


def upload(call: Call) -> Any:
    reading = dict(call.query)
    name, revision = reading.pop("name"), reading.pop("revision", None)
    found = put_data(call.studio, call.project, call.uploaded, name, "upload", revision, reading=reading)
    call.changed(found["project"])
    return found


def sample(call: Call) -> Any:
    found = put_sample(call.studio, call.project, call.body["sample"], call.body.get("revision"))
    call.changed(found["project"])
    return found


def remove(call: Call) -> Any:
    project = call.project
    state = with_data(project.project()["state"], None)
    return call.changed(project.replace(state, revision=call.query.get("revision"), label="data removed"))


def report(call: Call) -> Any:
    given = call.studio.settings(call.project)
    if given["source"] is None:
        raise StudioError("data", "this project has no data yet; open a file or a sample first")
    return call.studio.rows.call("data_report", given)


def add_file(call: Call) -> Any:
    file = call.project.add_file("f", call.uploaded, call.query["name"])
    return {"file": file["id"], "name": file["name"], "bytes": file["bytes"]}


def check_knowledge(call: Call) -> Any:
    state = call.project.project()["state"]
    arguments = {
        "knowledge": call.body.get("knowledge", state["knowledge"]),
        "names": call.body.get("names"),
        **call.studio.settings(call.project),
    }
    return call.studio.rows.call("check_knowledge", arguments)


def import_knowledge(call: Call) -> Any:
    ending = Path(call.query["name"]).suffix.lower()
    if ending not in KNOWLEDGE_ENDINGS:
        known = ", ".join(KNOWLEDGE_ENDINGS)
        raise StudioError(
            "format", f"knowledge is read from {known} files, not from {ending or 'no ending'!r}"
        )
    path = call.uploaded.with_suffix(ending)
    call.uploaded.rename(path)
    try:
        knowledge = call.studio.rows.call("read_knowledge", {"file": [str(path), call.query["name"]]})
    finally:
        path.rename(call.uploaded)
    after = call.project.change(
        {"knowledge": knowledge},
        revision=call.query.get("revision"),
        label=f"knowledge from {call.query['name']}",
    )
    return call.changed(after)


def export_knowledge(call: Call) -> Any:
    form = call.query.get("format", "toml")
    out = call.studio.scratch / f"{call.studio.scratch_file().name}.{form}"
    knowledge = call.project.project()["state"]["knowledge"]
    call.studio.rows.call("write_knowledge", {"knowledge": knowledge, "out": str(out)})
    return Download(out, f"knowledge.{form}", "text/plain; charset=utf-8")


ADDRESSES = (
    Address(
        "GET", "/api/samples", samples, "Samples and networks that come along", answer=of_projects.Samples
    ),
    Address(
        "POST",
        "/api/projects/{project}/data",
        upload,
        "Put data into the project",
        answer=of_projects.DataTaken,
        query=DataUpload,
        upload=True,
    ),
    Address(
        "DELETE",
        "/api/projects/{project}/data",
        remove,
        "Remove the data",
        answer=of_projects.Project,
        query=Revision,
    ),
    Address(
        "POST",
        "/api/projects/{project}/data/sample",
        sample,
        "Take a sample as data",
        answer=of_projects.DataTaken,
        body=SampleAsked,
    ),
    Address(
        "GET",
        "/api/projects/{project}/data/report",
        report,
        "What is in the data",
        answer=of_projects.DataReport,
    ),
    Address(
        "POST",
        "/api/projects/{project}/files",
        add_file,
        "Keep rows to predict",
        answer=of_projects.KeptFile,
        query=FileName,
        upload=True,
        status=201,
    ),
    Address(
        "POST",
        "/api/projects/{project}/knowledge/check",
        check_knowledge,
        "Contradictions of knowledge",
        answer=of_projects.KnowledgeCheck,
        body=Checked,
    ),
    Address(
        "POST",
        "/api/projects/{project}/knowledge/import",
        import_knowledge,
        "Take the knowledge from a file",
        answer=of_projects.Project,
        query=Upload,
        upload=True,
    ),
    Address(
        "GET",
        "/api/projects/{project}/knowledge/export",
        export_knowledge,
        "The knowledge as a file",
        query=KnowledgeFormat,
        file=True,
    ),
)
