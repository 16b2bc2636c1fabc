"""Step 3 and 6: methods, forecast, jobs, what if."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from dagwright.studio.answers import projects as of_projects
from dagwright.studio.calls import Address, Call
from dagwright.studio.job_options import JobKind, JobOptions
from dagwright.studio.jobs import shown
from dagwright.studio.method_words import method_words, titled
from dagwright.studio.problems import StudioError


class MethodText(TypedDict):
    text: str
    kinds: list[
        Literal[
            "score",
            "test",
            "correction",
            "prior",
            "search",
            "posterior",
            "inference",
            "estimation",
            "resampling",
        ]
    ]


class ForecastOptions(TypedDict):
    search: NotRequired[str | None]
    score: NotRequired[str | None]
    structure_prior: NotRequired[str | None]
    threads: NotRequired[int | None]


class NewJob(TypedDict):
    kind: JobKind
    options: NotRequired[JobOptions]


NEEDED = {"predict": ("model", "target")}
"""Options without which a job cannot be."""


def methods(call: Call) -> Any:
    return {"methods": call.studio.fact("methods")}


def check_method(call: Call) -> Any:
    return call.studio.rows.call("check_method", call.body)


def forecast(call: Call) -> Any:
    return call.studio.rows.call("forecast", {**call.studio.settings(call.project), "options": call.body})


def jobs(call: Call) -> Any:
    return {"jobs": [shown(job) for job in call.studio.queue.jobs(call.project)]}


def add(call: Call) -> Any:
    kind, options = call.body["kind"], call.body.get("options", {})
    for field in NEEDED.get(kind, ()):
        if options.get(field) is None:
            raise StudioError("bad_request", f"a job {kind!r} needs the option {field!r}", subject=field)
    project = call.project
    request = call.studio.request_of(project.project()["state"])
    for field in ("result", "start", "model"):
        if options.get(field) is not None:
            document = project.result(options[field])
            if field == "result" and kind in ("bootstrap", "posterior", "rivals", "report"):
                request = _request(document)
    if options.get("file") is not None:
        project.file(options["file"])
    if request["data"] is None and kind != "predict":
        raise StudioError("data", "this project has no data yet; open a file or a sample first")
    return shown(call.studio.queue.add(project, kind, options, request, _label(call, kind, options, request)))


def _request(document: dict[str, Any]) -> dict[str, Any]:
    if document["kind"] != "learned":
        raise StudioError("option", "this is asked of a result of learning", subject=document["id"])
    request: dict[str, Any] = document["request"]
    return request


def _label(call: Call, kind: str, options: dict[str, Any], request: dict[str, Any]) -> str:
    """The name of a job and of its result, in words."""
    how = {**request["learn"], **{name: value for name, value in options.items() if value is not None}}
    search = how.get("search") or "Auto()"
    score = f", score {method_words(how['score'])}" if how.get("score") else ""
    if kind == "learn":
        summaries = {one["name"]: one["summary"] for one in call.studio.fact("methods")}
        return titled(search, summaries) + score
    if kind == "bootstrap":
        return f"bootstrap of {method_words(search)}{score}"
    if kind == "posterior":
        return f"posterior, {method_words(how.get('method') or 'auto')}"
    if kind == "rivals":
        return f"rivals within a Bayes factor of {how.get('bayes_factor') or 10:g}"
    if kind == "predict":
        return f"prediction of {options['target']}"
    return f"report of {call.project.project()['name']}"


def get(call: Call) -> Any:
    return shown(call.studio.queue.job(call.project, call.path["job"]))


def stop(call: Call) -> Any:
    return shown(call.studio.queue.stop(call.project, call.path["job"]))


def kill(call: Call) -> Any:
    return shown(call.studio.queue.stop(call.project, call.path["job"], kill=True))


def rerun(call: Call) -> Any:
    project, queue = call.project, call.studio.queue
    old = queue.job(project, call.path["job"])
    return shown(queue.add(project, old["kind"], old["options"], old["request"], old["label"]))


def forget(call: Call) -> Any:
    call.project.forget_job(call.studio.queue.job(call.project, call.path["job"])["id"])


ADDRESSES = (
    Address("GET", "/api/methods", methods, "Every method with its options", answer=of_projects.MethodList),
    Address(
        "POST",
        "/api/methods/check",
        check_method,
        "Check a method written as text",
        answer=of_projects.MethodWritten,
        body=MethodText,
    ),
    Address(
        "POST",
        "/api/projects/{project}/forecast",
        forecast,
        "What learning will cost",
        answer=of_projects.Forecast,
        body=ForecastOptions,
    ),
    Address("GET", "/api/projects/{project}/jobs", jobs, "All jobs", answer=of_projects.JobList),
    Address(
        "POST",
        "/api/projects/{project}/jobs",
        add,
        "Start a job",
        answer=of_projects.Job,
        body=NewJob,
        status=202,
    ),
    Address("GET", "/api/projects/{project}/jobs/{job}", get, "A job", answer=of_projects.Job),
    Address(
        "DELETE", "/api/projects/{project}/jobs/{job}", forget, "Forget a job that has ended", status=204
    ),
    Address(
        "POST",
        "/api/projects/{project}/jobs/{job}/stop",
        stop,
        "Stop a job, keep the best",
        answer=of_projects.Job,
        status=202,
    ),
    Address(
        "POST",
        "/api/projects/{project}/jobs/{job}/kill",
        kill,
        "End a job now",
        answer=of_projects.Job,
        status=202,
    ),
    Address(
        "POST",
        "/api/projects/{project}/jobs/{job}/rerun",
        rerun,
        "Run a job again",
        answer=of_projects.Job,
        status=202,
    ),
)
