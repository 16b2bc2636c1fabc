"""From the table of addresses to an application: parse, check, hand over, answer."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from anyio import to_thread
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Route

from dagwright.base.documents import as_json
from dagwright.base.whole_file import whole_file
from dagwright.studio.calls import Address, Call, Download
from dagwright.studio.handlers import data, learning, networks, projects, questions, results
from dagwright.studio.hub import message
from dagwright.studio.jobs import shown
from dagwright.studio.openapi import openapi
from dagwright.studio.page_files import page_routes
from dagwright.studio.problems import STATUS, StudioError, of_exception, problem
from dagwright.studio.safety import FILE_POLICY
from dagwright.studio.shapes import Schema, ShapeError, require, schema_of
from dagwright.studio.studio import Studio

log = logging.getLogger("dagwright.studio")

ADDRESSES: tuple[Address, ...] = (
    *projects.ADDRESSES,
    *data.ADDRESSES,
    *learning.ADDRESSES,
    *results.ADDRESSES,
    *questions.ADDRESSES,
    *networks.ADDRESSES,
)
EVENTS = "/api/projects/{project}/events"
Endpoint = Callable[[Request], Awaitable[Response]]


def application(studio: Studio) -> Starlette:
    """The application over a studio; without the gate that guards it."""
    document = openapi(ADDRESSES)

    async def described(request: Request) -> Response:  # noqa: ARG001
        return answer(document, 200)

    async def events(request: Request) -> Response:
        return await _guarded(request, lambda: _events(studio, request))

    routes = [Route(one.path, _endpoint(studio, one), methods=[one.method]) for one in ADDRESSES]
    routes += [
        Route("/api/openapi.json", described, methods=["GET"]),
        Route(EVENTS, events, methods=["GET"]),
        *page_routes(),
    ]
    return Starlette(routes=routes, exception_handlers={HTTPException: _http_problem})


def answer(document: Any, status: int) -> Response:
    """A document as JSON."""
    return Response(as_json(document, indent=None), status, media_type="application/json")


async def _http_problem(request: Request, raised: Exception) -> Response:  # noqa: ARG001
    assert isinstance(raised, HTTPException)
    code = {404: "not_found", 405: "method_not_allowed"}.get(raised.status_code, "bad_request")
    told = {
        "not_found": "there is nothing at this address",
        "method_not_allowed": "this method is not known here",
    }
    return answer({"error": problem(code, told.get(code, raised.detail))}, raised.status_code)


def _endpoint(studio: Studio, address: Address) -> Endpoint:
    body = None if address.body is None else schema_of(address.body)
    query = None if address.query is None else schema_of(address.query)

    async def answered(request: Request) -> Response:
        upload = None
        try:
            given = _query(request, query)
            sent: Any = None
            if address.upload:
                upload = await _upload(studio, request)
            elif body is not None:
                sent = await _body(studio, request, body)
            tab = request.headers.get("x-dagwright-tab")
            call = Call(studio, request.path_params, given, sent, upload, tab)
            found = await to_thread.run_sync(address.handler, call)
        finally:
            if upload is not None:
                upload.unlink(missing_ok=True)
        if isinstance(found, Download):
            return _file(found)
        return Response(status_code=204) if address.status == 204 else answer(found, address.status)

    async def endpoint(request: Request) -> Response:
        return await _guarded(request, lambda: answered(request))

    return endpoint


async def _guarded(request: Request, run: Callable[[], Awaitable[Response]]) -> Response:
    """The answer, or the problem that is in its way."""
    try:
        return await run()
    except ClientDisconnect:
        return Response(status_code=400)
    except ShapeError as raised:
        return answer({"error": problem("bad_request", str(raised), subject=raised.place or None)}, 400)
    except Exception as raised:
        told = of_exception(raised)
        if told is None:
            log.exception("%s %s", request.method, request.url.path)
            told = problem("fault", f"a fault in dagwright: {type(raised).__name__}: {raised}")
        further = {"project": told.pop("project")} if "project" in told else {}
        return answer({"error": told, **further}, STATUS[told["code"]])


def _query(request: Request, schema: Schema | None) -> dict[str, Any]:
    """The values after the question mark, read as what the schema says; others are refused."""
    known = {} if schema is None else schema["properties"]
    found: dict[str, Any] = {}
    for name, text in request.query_params.multi_items():
        if name not in known:
            raise ShapeError(name, f"there is no parameter {name!r} here")
        found[name] = _value(text, known[name])
    require(schema or {}, found)
    return found


def _value(text: str, schema: Schema) -> Any:
    if schema.get("type") == "integer" and len(text) < 20 and text.lstrip("-").isdecimal() and text.isascii():
        return int(text)
    if schema.get("type") == "boolean" and text in ("true", "false"):
        return text == "true"
    return text


async def _body(studio: Studio, request: Request, schema: Schema) -> Any:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise StudioError(
            "bad_request", f"send application/json, not {kind or 'nothing'!r}", subject="content-type"
        )
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > studio.limits.body_bytes:
            raise StudioError("too_large", f"a request holds at most {studio.limits.body_bytes:,} bytes")
        parts.append(part)
    try:
        sent = json.loads(b"".join(parts), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as raised:
        raise StudioError("bad_request", f"not JSON: {raised}") from None
    require(schema, sent)
    return sent


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


async def _upload(studio: Studio, request: Request) -> Path:
    """The bytes of a request in a file; no part of its name comes from the request."""
    most = studio.limits.upload_bytes
    told = request.headers.get("content-length", "")
    if told.isdecimal() and len(told) < 20 and int(told) > most:
        raise StudioError("too_large", f"a file holds at most {most:,} bytes, and this one has {int(told):,}")
    path, size = studio.scratch_file(), 0
    with whole_file(path) as file:
        async for part in request.stream():
            size += len(part)
            if size > most:
                raise StudioError("too_large", f"a file holds at most {most:,} bytes, and this one has more")
            file.write(part)
        if not size:
            raise StudioError("bad_request", "the file is empty")
    return path


def _file(found: Download) -> Response:
    """A file to take away; the name is text, in the one form that all browsers read."""
    plain = "".join(letter if letter.isprintable() and letter not in '/\\"' else "_" for letter in found.name)
    headers = {
        "Content-Disposition": f"attachment; filename*=utf-8''{quote(plain)}",
        "Content-Security-Policy": FILE_POLICY,
        **found.headers,
    }
    gone = BackgroundTask(found.path.unlink, missing_ok=True)
    return FileResponse(found.path, media_type=found.type, headers=headers, background=gone)


async def _events(studio: Studio, request: Request) -> Response:
    project = await to_thread.run_sync(studio.workspace.project, request.path_params["project"])
    listener = studio.hub.listen(project.id)
    jobs = await to_thread.run_sync(studio.queue.jobs, project)
    revision = (await to_thread.run_sync(project.project))["revision"]
    results = await to_thread.run_sync(project.result_ids)

    async def stream() -> AsyncIterator[str]:
        try:
            yield message("jobs", {"jobs": [shown(job) for job in jobs]})
            for network in studio.queue.networks(project):
                yield message("network", network)
            # A page that was cut off, or read the project a moment before, sees here what it missed.
            yield message("project", {"revision": revision, "by": None})
            yield message("results", {"ids": results})
            async for text in listener.stream():
                yield text
        finally:
            studio.hub.forget(project.id, listener)

    return StreamingResponse(stream(), media_type="text/event-stream")
