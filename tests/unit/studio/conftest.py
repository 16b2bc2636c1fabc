"""A studio that the tests of a module share, and a page that may ask it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from dagwright.studio.routes import application
from dagwright.studio.safety import Gate, Guard
from dagwright.studio.studio import Limits, Studio
from studio_page import ORIGIN, TOKEN, CheckedPage, Project, new_project


@pytest.fixture(scope="module")
def limits() -> Limits:
    return Limits(upload_bytes=3_000_000)


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory, limits: Limits) -> Iterator[Studio]:
    made = Studio(tmp_path_factory.mktemp("workspace"), limits)
    yield made
    made.close()


@pytest.fixture(scope="module")
def app(studio: Studio) -> Any:
    return Gate(application(studio), Guard(TOKEN, 8123))


@pytest.fixture(scope="module")
def page(app: Any) -> Iterator[TestClient]:
    """A page that has signed in, as a browser does."""
    with CheckedPage(app, base_url=ORIGIN, raise_server_exceptions=False) as client:
        client.headers["Origin"] = ORIGIN
        assert client.get("/", params={"token": TOKEN}).status_code == 200
        yield client


@pytest.fixture(scope="module")
def asia(page: TestClient) -> Project:
    """A project with a sample."""
    return new_project(page, name="asia", sample="asia")


@pytest.fixture(scope="module")
def learned(asia: Project) -> dict[str, Any]:
    """What was learned from it."""
    return asia.run("learn", search="HillClimb()")


@pytest.fixture
def data_file(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        path = tmp_path / "rows.csv"
        path.write_text(text, encoding="utf-8")
        return path

    return write
