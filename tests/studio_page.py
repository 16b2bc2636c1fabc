"""A page of dagwright studio as tests drive it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from starlette.testclient import TestClient

TOKEN = "a-token-for-tests"
ORIGIN = "http://127.0.0.1:8123"
OPEN = ("queued", "running", "stopping")


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
