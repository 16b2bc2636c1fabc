"""The queue of jobs: a few run at a time, each in a process of its own; the others wait their turn."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dagwright.studio.hub import Hub
from dagwright.studio.problems import Problem, StudioError, of_exception, problem
from dagwright.studio.project_file import OPEN_JOBS, ProjectFile, new_id, now
from dagwright.studio.workers import Worker, WorkerLostError

log = logging.getLogger("dagwright.studio")

SAVING = 2.0
"""Seconds between two times that the progress of a job is kept."""
MOST_POINTS = 400
"""Points of the curve of a job."""
MEASURES = ("best", "error", "log_score")
"""Fields of an event that make a curve, the first that has a value."""
HIDDEN = ("request", "killed")
"""Fields of a job that the page does not get: they repeat what it has, or are for the queue."""

Job = dict[str, Any]
Arguments = Callable[[ProjectFile, Job, Path], dict[str, Any]]
Finish = Callable[[ProjectFile, Job, dict[str, Any], Path], str]


def shown(job: Job) -> Job:
    """A job as the page gets it."""
    return {field: value for field, value in job.items() if field not in HIDDEN}


class JobQueue:
    """All jobs that have not ended, of all projects.

    Parameters
    ----------
    folder
        Where workers run and leave files.
    hub
        Who is told.
    arguments, finish
        What a job's verb is called with, and what becomes of its answer: the identifier of the result.
    at_once, most_waiting
        How many jobs run at a time, and how many may wait.
    """

    def __init__(
        self,
        folder: Path,
        hub: Hub,
        arguments: Arguments,
        finish: Finish,
        *,
        at_once: int,
        most_waiting: int,
        memory: int | None,
    ) -> None:
        self._folder, self._hub, self._arguments, self._finish = folder, hub, arguments, finish
        self._most_waiting, self._memory = most_waiting, memory
        self._changed = threading.Condition(threading.RLock())
        self._waiting: list[tuple[ProjectFile, Job]] = []
        self._running: dict[str, tuple[ProjectFile, Job, Worker]] = {}
        self._networks: dict[str, dict[str, Any]] = {}
        self._spare: Worker | None = None
        self._closed = False
        self._threads = [threading.Thread(target=self._run, daemon=True) for _ in range(at_once)]
        for thread in self._threads:
            thread.start()

    def warm_up(self) -> None:
        """Start a process for the next job, so that it begins at once."""
        with self._changed:
            if self._spare is None and not self._closed:
                self._spare = Worker(self._folder, self._memory)

    def add(
        self, project: ProjectFile, kind: str, options: dict[str, Any], request: dict[str, Any], label: str
    ) -> Job:
        """Put a job at the end of the queue."""
        job: Job = {
            "id": new_id("j"),
            "project": project.id,
            "kind": kind,
            "state": "queued",
            "place": None,
            "created": now(),
            "started": None,
            "ended": None,
            "label": label,
            "options": options,
            "progress": None,
            "series": [],
            "measure": None,
            "result": None,
            "error": None,
            "request": request,
        }
        with self._changed:
            if len(self._waiting) >= self._most_waiting:
                raise StudioError(
                    "too_many_jobs", f"{self._most_waiting} jobs wait already; stop some of them first"
                )
            job["place"] = len(self._waiting)
            project.save_job(job)
            self._waiting.append((project, job))
            self._changed.notify()
        self._tell(project, job)
        return job

    def jobs(self, project: ProjectFile) -> list[Job]:
        """All jobs of a project, newest first, those that run as they are now."""
        with self._changed:
            live = {job["id"]: job for of, job in self._live() if of is project}
            return [live.get(job["id"], job) for job in project.jobs()]

    def job(self, project: ProjectFile, identity: str) -> Job:
        """One of them."""
        with self._changed:
            for of, job in self._live():
                if of is project and job["id"] == identity and is_open(job):  # else its worker only closes
                    return job
            return project.job(identity)

    def _live(self) -> list[tuple[ProjectFile, Job]]:
        return [*self._waiting, *((project, job) for project, job, _ in self._running.values())]

    def stop(self, project: ProjectFile, identity: str, *, kill: bool = False) -> Job:
        """Ask a job to stop and keep the best, or end it now; one that waits is taken from the queue."""
        with self._changed:
            job = self.job(project, identity)
            if job["state"] == "queued":
                self._waiting = [(of, other) for of, other in self._waiting if other["id"] != identity]
                self._end(project, job, "cancelled")
                self._number()
            elif identity in self._running:
                worker = self._running[identity][2]
                job["state"] = "stopping"
                if kill:
                    job["killed"] = True
                    worker.kill()
                else:
                    worker.cancel()
                self._tell(project, job)
            return job

    def end_all(self, project: ProjectFile) -> None:
        """End every job of a project that is about to go, and wait until its workers are gone."""
        with self._changed:
            for of, job in self._live():
                if of is project:
                    self.stop(project, job["id"], kill=True)
            self._changed.wait_for(lambda: not any(of is project for of, _ in self._live()), 10)

    def show_network(self, project: ProjectFile, job: Job, document: dict[str, Any]) -> None:
        """Tell pages of the best network so far of a job."""
        found = {"job": job["id"], **document}
        with self._changed:
            self._networks[job["id"]] = found
        self._hub.publish(project.id, "network", found)

    def networks(self, project: ProjectFile) -> list[dict[str, Any]]:
        """The best networks so far of the jobs of a project that run."""
        with self._changed:
            return [
                self._networks[identity]
                for identity, (of, _, _) in self._running.items()
                if of is project and identity in self._networks
            ]

    def _number(self) -> None:
        for place, (project, job) in enumerate(self._waiting):
            if job["place"] != place:
                job["place"] = place
                self._tell(project, job)

    def _tell(self, project: ProjectFile, job: Job) -> None:
        self._hub.publish(project.id, "job", shown(job))

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: bool(self._waiting) or self._closed)
                if self._closed:
                    return
                project, job = self._waiting.pop(0)
                worker, self._spare = self._spare, None
                if worker is not None and not worker.alive:
                    worker.close()
                    worker = None
                if worker is None:
                    worker = Worker(self._folder, self._memory)
                self._running[job["id"]] = (project, job, worker)
                job |= {"state": "running", "place": None, "started": now()}
                self._number()
                project.save_job(job)
            self._tell(project, job)
            try:
                self._work(project, job, worker)
            finally:
                worker.close()
                with self._changed:
                    del self._running[job["id"]]
                    self._networks.pop(job["id"], None)
                    self._changed.notify_all()
                self.warm_up()

    def _work(self, project: ProjectFile, job: Job, worker: Worker) -> None:
        out = self._folder / f"out_{job['id']}"
        try:
            arguments = self._arguments(project, job, out)
            answer = worker.call(job["kind"], arguments, meanwhile=_Follower(self, project, job).follow)
            job["result"] = self._finish(project, job, answer, out)
            self._end(project, job, "done")
        except WorkerLostError as lost:
            if job.get("killed"):
                self._end(project, job, "cancelled")
            elif not self._closed:
                self._end(project, job, "interrupted", lost.problem)
        except Exception as raised:
            told = of_exception(raised)
            if told is None:
                log.exception("job %s", job["id"])
                told = problem("fault", f"a fault in dagwright: {type(raised).__name__}: {raised}")
            stopped = job["state"] == "stopping" and told["code"] == "not_finished"
            self._end(project, job, "cancelled" if stopped else "failed", None if stopped else told)
        finally:
            out.unlink(missing_ok=True)

    def _end(self, project: ProjectFile, job: Job, state: str, error: Problem | None = None) -> None:
        with self._changed:
            job |= {"state": state, "place": None, "ended": now(), "error": error}
            job.pop("killed", None)
            project.save_job(job)
        self._tell(project, job)

    def close(self) -> None:
        """End all workers; what has not ended is found as interrupted when its project opens again."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            for _, _, worker in self._running.values():
                worker.kill()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(5)
        if self._spare is not None:
            self._spare.close()


class _Follower:
    """Keeps the progress of a job: what the page sees, and now and then what the file keeps."""

    def __init__(self, queue: JobQueue, project: ProjectFile, job: Job) -> None:
        self._queue, self._project, self._job = queue, project, job
        self._saved = time.monotonic()

    def follow(self, kind: str, document: dict[str, Any]) -> None:
        if kind == "network":
            self._queue.show_network(self._project, self._job, document)
        else:
            self._progress(document)

    def _progress(self, event: dict[str, Any]) -> None:
        job = self._job
        job["progress"] = event
        # The standard error of a single replicate is 0, and no estimate.
        measure = next((name for name in MEASURES if event[name]), None)
        if measure is not None:
            if job["measure"] != measure:
                job |= {"measure": measure, "series": []}
            series = job["series"]
            series.append([event["seconds"], event[measure]])
            if len(series) > MOST_POINTS:
                job["series"] = [*series[:-2:2], series[-1]]
        self._queue._tell(self._project, job)
        if time.monotonic() - self._saved > SAVING:
            self._saved = time.monotonic()
            with contextlib.suppress(StudioError):
                self._project.save_job(job)


def is_open(job: Job) -> bool:
    """Whether a job has not ended."""
    return job["state"] in OPEN_JOBS
