"""A page of dagwright studio as tests drive it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import cache
from typing import Any

from starlette.testclient import TestClient

from dagwright.studio.answers.projects import Refused
from dagwright.studio.routes import ADDRESSES
from dagwright.studio.shapes import Schema, require, schema_of

TOKEN = "a-token-for-tests"
ORIGIN = "http://127.0.0.1:8123"
OPEN = ("queued", "running", "stopping")


class CheckedPage(TestClient):
    """A page that takes no answer which is not as the description of the server says."""

    def request(self, method: str, url: Any, **how: Any) -> Any:  # type: ignore[override]
        answer = super().request(method, url, **how)
        require_described(method, str(answer.url.path), answer)
        return answer


def require_described(method: str, path: str, answer: Any) -> None:
    """Refuse an answer that differs from what its address declares."""
    if not path.startswith("/api/") or path == "/api/openapi.json":
        return
    if answer.status_code >= 400:
        if answer.content:
            require(_refused(), answer.json(), f"{method} {path} {answer.status_code}")
        return
    status, schema = _declared(method.upper(), path)
    assert answer.status_code == status, f"{method} {path}: {answer.status_code}"
    if schema is not None:
        require(schema, answer.json(), f"{method} {path}")


@cache
def _refused() -> Schema:
    return schema_of(Refused)


@cache
def _declared(method: str, path: str) -> tuple[int, Schema | None]:
    """The status and the schema of an answer; no schema for files and for no content."""
    for one in ADDRESSES:
        if one.method == method and re.fullmatch(re.sub(r"{\w+}", "[^/]+", one.path), path):
            return one.status, None if one.file or one.status == 204 else schema_of(one.answer)
    raise AssertionError(f"{method} {path} is not in the table of addresses")


class Project:
    """A project as a page works with it."""

    def __init__(self, page: TestClient, identity: str) -> None:
        self.page, self.id = page, identity

    @property
    def base(self) -> str:
        return f"/api/projects/{self.id}"

    def get(self, path: str = "", **params: Any) -> Any:
        return self.ok(self.page.get(f"{self.base}{path}", params=params))

    def post(self, path: str, body: Any = None, status: int = 200) -> Any:
        answer = self.page.post(f"{self.base}{path}", json={} if body is None else body)
        assert answer.status_code == status, answer.text
        return answer.json()

    def problem(self, path: str, body: Any, status: int = 422) -> dict[str, Any]:
        answer = self.page.post(f"{self.base}{path}", json=body)
        assert answer.status_code == status, answer.text
        found: dict[str, Any] = answer.json()["error"]
        assert set(found) >= {"code", "message", "subject", "options"}
        return found

    def change(self, **change: Any) -> Any:
        revision = self.get()["revision"]
        return self.ok(self.page.patch(self.base, json={"revision": revision, "change": change}))

    def ended(self, job: str, seconds: float = 90.0) -> dict[str, Any]:
        return waited(lambda: self.get(f"/jobs/{job}"), lambda found: found["state"] not in OPEN, seconds)

    def run(self, kind: str, **options: Any) -> dict[str, Any]:
        """Run a job to its end; the document of its result."""
        job = self.ended(self.post("/jobs", {"kind": kind, "options": options}, 202)["id"])
        assert job["state"] == "done", job["error"]
        found: dict[str, Any] = self.get(f"/results/{job['result']}")
        return found

    @staticmethod
    def ok(answer: Any) -> Any:
        assert answer.status_code < 300, answer.text
        return answer.json()


def waited(look: Callable[[], Any], enough: Callable[[Any], bool], seconds: float = 30.0) -> Any:
    """What is seen once it is enough."""
    until = time.monotonic() + seconds
    while not enough(found := look()):
        assert time.monotonic() < until, found
        time.sleep(0.05)
    return found


def new_project(page: TestClient, **given: Any) -> Project:
    answer = page.post("/api/projects", json=given)
    assert answer.status_code == 201, answer.text
    return Project(page, answer.json()["id"])
