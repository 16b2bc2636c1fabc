"""Everything behind the addresses: projects, workers, jobs, events, and files that workers read."""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dagwright.base.whole_file import write_whole
from dagwright.studio.hub import Hub
from dagwright.studio.jobs import Job, JobQueue
from dagwright.studio.problems import StudioError
from dagwright.studio.project_file import ProjectFile, new_id, now
from dagwright.studio.strengths import newest_confidence
from dagwright.studio.workers import Lane
from dagwright.studio.workspace import Workspace

SETTINGS = ("reading", "columns", "weights", "missing", "knowledge", "learn")
"""The fields of the state that decide what is learned from what."""
ENDINGS = (
    *(".csv", ".tsv", ".txt", ".parquet", ".arrow", ".feather", ".ipc", ".jsonl", ".ndjson", ".xlsx", ".xls"),
    *(".dta", ".sav", ".zsav", ".por", ".sas7bdat", ".xpt"),
)
"""Endings of files with data; .gz and .zst may follow."""


@dataclass(frozen=True)
class Limits:
    """The limits of the server."""

    upload_bytes: int = 512 * 2**20
    body_bytes: int = 16 * 2**20
    waiting_jobs: int = 100
    jobs_at_once: int = 1
    worker_memory: int | None = None


class Studio:
    """The application without its addresses."""

    def __init__(self, folder: Path, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.workspace = Workspace(folder)
        self.scratch = Path(tempfile.mkdtemp(prefix="dagwright-studio-"))
        self.hub = Hub()
        memory = self.limits.worker_memory
        self.models = Lane(self.scratch, memory)
        self.rows = Lane(self.scratch, memory)
        self.queue = JobQueue(
            self.scratch,
            self.hub,
            self.job_arguments,
            self.finish_job,
            at_once=self.limits.jobs_at_once,
            most_waiting=self.limits.waiting_jobs,
            memory=memory,
        )
        self.started_with: str | None = None
        self._facts: dict[str, Any] = {}
        self._files = threading.Lock()

    def warm_up(self) -> None:
        """Start the processes that the first steps need."""
        for lane in (self.rows, self.models):
            threading.Thread(target=lane.warm_up, daemon=True).start()
        threading.Thread(target=self.queue.warm_up, daemon=True).start()

    def close(self) -> None:
        """End workers and streams, close projects, and remove what was written for the workers."""
        self.hub.close()
        self.queue.close()
        self.models.close()
        self.rows.close()
        self.workspace.close()
        shutil.rmtree(self.scratch, ignore_errors=True)

    def fact(self, verb: str) -> Any:
        """The answer of a verb without arguments, which stays the same."""
        if verb not in self._facts:
            self._facts[verb] = self.rows.call(verb, {})
        return self._facts[verb]

    # Files for workers

    def scratch_file(self) -> Path:
        """A new name in the folder of the workers."""
        return self.scratch / new_id("t")

    def path_of_file(self, project: ProjectFile, identity: str) -> list[str]:
        """A file of the project as a worker takes it: where it is, and what the person calls it."""
        file = project.file(identity)
        target = self.scratch / f"{file['digest']}{data_ending(file['name'])}"
        with self._files:
            if not target.exists():
                project.write_file(file["digest"], target)
        return [str(target), file["name"]]

    def _written(self, name: str, text: str) -> str:
        target = self.scratch / f"{name}.json"
        with self._files:
            if not target.exists():
                write_whole(target, text)
        return str(target)

    def model(self, project: ProjectFile, identity: str) -> dict[str, str]:
        """A result or a network as a worker takes it."""
        found = {"kind": project.result(identity)["kind"]}
        if (original := project.original(identity)) is not None:
            found["original"] = self._written(f"{identity}_original", original)
        if (network := project.network(identity)) is not None:
            found["network"] = self._written(f"{identity}_network", network)
        return found

    def network(self, project: ProjectFile, identity: str) -> str:
        """The network of a result, or the network itself, as a worker takes it."""
        found = self.model(project, identity)
        if "network" not in found:
            why = project.result(identity).get("why_not_fitted") or "it has no probabilities"
            raise StudioError("option", f"this result answers no questions: {why}", subject=identity)
        return found["network"]

    def learned(self, project: ProjectFile, identity: str) -> dict[str, Any]:
        """A result of learning as a worker takes it, with the rows and settings that it was made from."""
        found = self.model(project, identity)
        if found["kind"] != "learned":
            raise StudioError("option", "this is asked of a result of learning", subject=identity)
        return {"learned": found["original"], **self.request(project, project.result(identity)["request"])}

    def request(self, project: ProjectFile, request: dict[str, Any]) -> dict[str, Any]:
        """Rows and settings of a request as a worker takes them."""
        data = request["data"]
        source = None if data is None else self.path_of_file(project, data["id"])
        return {"source": source, "settings": {field: request[field] for field in SETTINGS}}

    @staticmethod
    def request_of(state: dict[str, Any]) -> dict[str, Any]:
        """The values that decide the answer of a job, at this moment."""
        return {field: state[field] for field in ("data", *SETTINGS)}

    def settings(self, project: ProjectFile) -> dict[str, Any]:
        """Rows and settings of the project as it is now, as a worker takes them."""
        return self.request(project, self.request_of(project.project()["state"]))

    # Jobs

    def job_arguments(self, project: ProjectFile, job: Job, out: Path) -> dict[str, Any]:
        """The arguments of the verb of a job."""
        options, given = job["options"], self.request(project, job["request"])
        if job["kind"] == "learn":
            start = options.get("start")
            positions = project.project()["state"]["positions"]
            begin = None if start is None else self.learned(project, start)["learned"]
            return {**given, "options": options, "start": begin, "positions": positions}
        if job["kind"] == "posterior":
            result = options.get("result")
            learned = None if result is None else self.learned(project, result)["learned"]
            return {**given, "options": options, "learned": learned}
        if job["kind"] == "report":
            result = options.get("result")
            learned = None if result is None else self.learned(project, result)["learned"]
            sure = None if result is None else self.confidence_of(project, result)
            return {**given, "options": options, "learned": learned, "confidence": sure, "out": str(out)}
        if job["kind"] == "predict":
            file = options.get("file") or (job["request"]["data"] or {}).get("id")
            if file is None:
                raise StudioError("option", "there are no rows to predict; give a file", subject="file")
            return {
                "network": self.network(project, options["model"]),
                "file": self.path_of_file(project, file),
                "reading": {} if options.get("file") else job["request"]["reading"],
                "options": options,
                "out": str(out),
            }
        return {**given, "options": options}

    def confidence_of(self, project: ProjectFile, result: str) -> str | None:
        """The newest confidence that was made for a result."""
        found = newest_confidence(project.results(), result)
        return None if found is None else self.model(project, found["id"]).get("original")

    def finish_job(self, project: ProjectFile, job: Job, answer: dict[str, Any], out: Path) -> str:
        """Keep what a job gave; the identifier of the result."""
        kind = RESULT_KINDS[job["kind"]]
        file = None
        document = {
            "id": new_id("r"),
            "kind": kind,
            "name": job["label"],
            "created": now(),
            "job": job["id"],
            "of": job["options"].get("result"),
            "request": job["request"],
            "options": job["options"],
            **answer["document"],
        }
        if "file" in answer:
            kept = project.add_file("f", out, answer["file"]["name"])
            file = kept["id"]
            document["file"] = {"name": kept["name"], "bytes": kept["bytes"], "type": answer["file"]["type"]}
        project.add_result(
            document, original=answer.get("original"), network=answer.get("network"), file=file
        )
        self.hub.publish(project.id, "result", summary(document))
        if kind == "learned":
            self._show(project, document["id"], answer["positions"], f"learned: {job['label']}")
        return str(document["id"])

    def _show(self, project: ProjectFile, identity: str, positions: dict[str, Any], label: str) -> None:
        """Put a learned result on the canvas where one was; nodes that have a place keep it."""

        def change(state: dict[str, Any]) -> dict[str, Any]:
            found: dict[str, Any] = {"positions": {**positions, **state["positions"]}}
            if state["shown"] is None or state["shown"].startswith("r_"):
                found["shown"] = identity
            return found

        self._update(project, change, label)

    def _update(
        self, project: ProjectFile, change: Callable[[dict[str, Any]], dict[str, Any]], label: str
    ) -> None:
        after = project.update(change, label=label)
        if after is not None:
            self.changed(project, after)

    def changed(self, project: ProjectFile, after: dict[str, Any], by: str | None = None) -> dict[str, Any]:
        """Tell all open pages that a project has a new revision."""
        self.hub.publish(project.id, "project", {"revision": after["revision"], "by": by})
        return after

    def add_network(
        self, project: ProjectFile, answer: dict[str, Any], name: str, **further: Any
    ) -> dict[str, Any]:
        """Keep a network that was made by hand; its nodes get places."""
        identity = new_id("n")
        document = {
            "id": identity,
            "kind": "network",
            "name": name,
            "session": identity if further["made"]["how"] == "edit" else None,
            "created": now(),
            "job": None,
            **answer["document"],
            **further,
        }
        project.add_result(document, network=answer["network"])
        self.hub.publish(project.id, "result", summary(document))

        def change(state: dict[str, Any]) -> dict[str, Any]:
            new = {node: at for node, at in answer["positions"].items() if node not in state["positions"]}
            return {"positions": {**state["positions"], **new}} if new else {}

        self._update(project, change, f"places in {name}")
        return document


RESULT_KINDS = {
    "learn": "learned",
    "bootstrap": "confidence",
    "posterior": "confidence",
    "rivals": "rivals",
    "report": "report",
    "predict": "prediction",
}


def summary(document: dict[str, Any]) -> dict[str, Any]:
    """A result in a list of results."""
    graph = document.get("graph")
    return {
        **{
            field: document.get(field)
            for field in ("id", "kind", "name", "created", "job", "of", "score", "file", "session")
        },
        "nodes": None if graph is None else len(graph["nodes"]),
        "edges": None if graph is None else len(graph["edges"]),
    }


def versions(documents: list[dict[str, Any]], identity: str) -> list[dict[str, Any]]:
    """A result and, of a network that was edited by hand, all other versions of the same entry."""
    entry = {one["id"]: one.get("session") or one["id"] for one in documents}
    return [one for one in documents if entry[one["id"]] == entry.get(identity)]


def data_ending(name: str) -> str:
    """The ending of a file name that tells its format, from a list; nothing else of the name is used.

    >>> data_ending("My Data.CSV.gz"), data_ending("../../etc/passwd")
    ('.csv.gz', '')
    """
    parts = [f".{part}" for part in name.lower().split(".")[1:]]
    packed = parts.pop() if parts and parts[-1] in (".gz", ".zst") else ""
    return f"{parts[-1]}{packed}" if parts and parts[-1] in ENDINGS else ""
