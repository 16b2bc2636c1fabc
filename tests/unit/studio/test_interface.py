"""The interface as its own description says: every operation, odd requests, never a fault of ours."""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.testclient import TestClient

from dagwright.studio.calls import Address
from dagwright.studio.openapi import openapi
from dagwright.studio.routes import ADDRESSES
from dagwright.studio.shapes import ShapeError
from studio_page import TOKEN, new_project, require_described

schemathesis = pytest.importorskip("schemathesis")
hypothesis = pytest.importorskip("hypothesis")

CASES = int(os.environ.get("DAGWRIGHT_STUDIO_CASES", "10"))
"""Requests of each operation."""
IDENTITIES = {"project", "job", "result", "network"}


def test_the_description_names_every_address(page: TestClient) -> None:
    document = page.get("/api/openapi.json").json()
    named = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert named == {(one.method, one.path) for one in ADDRESSES}


def test_every_answer_is_described() -> None:
    described = openapi(ADDRESSES)["paths"]
    for one in ADDRESSES:
        usual = described[one.path][one.method.lower()]["responses"][str(one.status)]
        content = usual.get("content", {}).get("application/json", {})
        assert one.file or one.status == 204 or content["schema"].keys() & {"$ref", "anyOf"}, one.path


def test_a_document_that_differs_is_noticed() -> None:
    answer = SimpleNamespace(status_code=200, content=b"{}", json=lambda: {"projects": [{"id": 3}]})
    with pytest.raises(ShapeError, match="projects"):
        require_described("GET", "/api/projects", answer)


@pytest.fixture(scope="module")
def known(page: TestClient) -> dict[str, str]:
    """Identifiers that exist, so that requests get past the first question."""
    project = new_project(page, sample="asia")
    network = project.post("/networks", {"builtin": "asia"}, 201)["id"]
    job = project.post("/jobs", {"kind": "learn", "options": {"search": "ChowLiu()"}}, 202)["id"]
    return {"project": project.id, "network": network, "job": job, "result": project.ended(job)["result"]}


def filled(value: Any, known: dict[str, str]) -> Any:
    """A request with identifiers in it that exist, where it names results."""
    if isinstance(value, dict):
        return {
            name: known["result"]
            if name in ("model", "result", "first", "second", "graph") and isinstance(inner, str)
            else filled(inner, known)
            for name, inner in value.items()
        }
    return value


schema = schemathesis.openapi.from_dict(openapi(ADDRESSES))


LASTING = [one for one in ADDRESSES if (one.method, one.path) != ("DELETE", "/api/projects/{project}")]
"""All but the one that would take the project away from the others."""


@pytest.mark.parametrize("address", LASTING, ids=lambda one: f"{one.method} {one.path}")
def test_no_request_is_a_fault(address: Address, page: TestClient, known: dict[str, str]) -> None:
    @hypothesis.given(case=schema[address.path][address.method].as_strategy())
    @hypothesis.settings(
        max_examples=CASES,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    def no_fault(case: Any) -> None:
        require_no_fault(case, page, known)

    no_fault()


def require_no_fault(case: Any, page: TestClient, known: dict[str, str]) -> None:
    path = case.path
    for name in IDENTITIES:
        path = path.replace(f"{{{name}}}", known[name])
    for name, value in (case.path_parameters or {}).items():
        path = path.replace(f"{{{name}}}", str(value))
    body = None if type(case.body).__name__ == "NotSet" else filled(case.body, known)
    sent: dict[str, Any] = {"content": body} if isinstance(body, bytes) else {"json": body}
    if case.media_type == "application/octet-stream" and not isinstance(body, bytes):
        sent = {"content": repr(body).encode()}
    try:
        answer = page.request(
            case.method,
            path,
            params=filled(dict(case.query or {}), known),
            headers={"Authorization": f"Bearer {TOKEN}"},
            **sent,
        )
    except (ValueError, TypeError, UnicodeError, httpx_invalid()):
        return  # the client cannot even write it down
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        assert set(answer.json()["error"]) >= {"code", "message", "subject", "options"}


def httpx_invalid() -> type[Exception]:
    import httpx2

    found: type[Exception] = httpx2.InvalidURL
    return found
