"""Projects: made, changed by two tabs, listed, copied, opened again, deleted."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from dagwright.studio.problems import StudioError
from dagwright.studio.project_file import KEPT_REVISIONS, ProjectFile
from dagwright.studio.state import new_state
from dagwright.studio.studio import Studio
from dagwright.studio.workspace import Workspace
from studio_page import Project, new_project


def patched(project: Project, revision: int, **change: Any) -> Any:
    return project.page.patch(project.base, json={"revision": revision, "change": change})


def test_a_new_project_has_the_usual_state(page: TestClient) -> None:
    project = new_project(page, name="<img src=x onerror=alert(1)>")
    found = project.get()
    assert found["state"] == new_state()
    assert (found["name"], found["revision"]) == ("<img src=x onerror=alert(1)>", 1)
    assert project.id in [one["id"] for one in page.get("/api/projects").json()["projects"]]


def test_the_list_tells_how_large_a_project_is(page: TestClient) -> None:
    project = new_project(page, sample="asia")
    size = {one["id"]: one["bytes"] for one in page.get("/api/projects").json()["projects"]}
    assert size[project.id] > project.get()["state"]["data"]["bytes"]


def test_two_tabs_do_not_overwrite_each_other(page: TestClient) -> None:
    project = new_project(page)
    assert patched(project, 1, missing="em").status_code == 200
    late = patched(project, 1, missing="drop", positions={"a": [1, 2]})
    assert late.status_code == 409
    assert late.json()["error"]["code"] == "conflict"
    assert late.json()["project"]["state"]["missing"] == "em"
    assert project.get()["state"]["missing"] == "em"
    again = patched(project, late.json()["project"]["revision"], positions={"a": [1, 2]})
    assert again.json()["state"]["positions"] == {"a": [1, 2]}
    assert again.json()["state"]["missing"] == "em"


def test_the_history_gives_old_states_back(page: TestClient) -> None:
    project = new_project(page)
    body = {"revision": 1, "change": {"missing": "em"}, "label": "gaps by EM", "name": "renamed"}
    assert page.patch(project.base, json=body).json()["name"] == "renamed"
    listed = project.get("/history")["history"]
    assert [(one["revision"], one["label"]) for one in listed] == [(2, "gaps by EM"), (1, "new project")]
    assert project.get("/history/1")["state"]["missing"] is None
    for revision in ("7", "x", "1" * 30, "-1"):
        assert page.get(f"{project.base}/history/{revision}").status_code == 404


@pytest.mark.parametrize(
    "change",
    [
        {"missing": "guess"},
        {"unknown": 1},
        {"positions": {"a": [1, 2, 3]}},
        {"positions": {"a": ["x", 2]}},
        {"learn": {"seed": 1.5}},
        {"columns": {"a": {"kind": "date"}}},
        {"evidence": {"a": None}},
        {"data": {"id": "d_1", "name": "x", "bytes": 1, "origin": "upload"}},
        {"reading": {"connection": "x"}},
    ],
)
def test_a_malformed_change_is_refused(page: TestClient, change: dict[str, Any]) -> None:
    project = new_project(page)
    answer = patched(project, 1, **change)
    assert answer.status_code == 400, answer.text
    assert answer.json()["error"]["code"] == "bad_request"
    assert project.get()["revision"] == 1


def test_data_that_were_replaced_can_be_brought_back(page: TestClient, asia: Project) -> None:
    project = new_project(page, sample="asia")
    first = project.get()["state"]["data"]
    project.post("/data/sample", {"sample": "titanic"})
    again = project.change(data=first, weights=None, columns={"smoke": {"exclude": True}})
    assert again["state"]["data"] == first
    report = project.get("/data/report")
    assert [one["name"] for one in report["columns"] if one["excluded"]] == ["smoke"]
    revision = project.get()["revision"]
    other = asia.get()["state"]["data"]
    for data in (other, {**first, "name": "x.csv"}, {**first, "bytes": 1}):
        answer = patched(project, revision, data=data)
        assert (answer.status_code, answer.json()["error"]["subject"]) == (400, "data")


def test_a_forgotten_result_can_be_brought_back_until_the_project_is_closed(page: TestClient) -> None:
    project = new_project(page)
    made = [project.post("/networks", {"name": name}, 201)["id"] for name in ("one", "two", "three")]
    assert page.delete(f"{project.base}/results/{made[1]}").status_code == 204
    assert page.get(f"{project.base}/results/{made[1]}").status_code == 404
    assert page.delete(f"{project.base}/results/{made[1]}").status_code == 404
    copy = page.get(f"{project.base}/file").content
    assert project.post(f"/results/{made[1]}/restore")["name"] == "two"
    assert [one["id"] for one in project.get("/results")["results"]] == made[::-1]
    assert page.post(f"{project.base}/results/n_none/restore").status_code == 404
    opened = page.post("/api/projects/open", params={"name": "copy.dwproj"}, content=copy).json()
    other = Project(page, opened["id"])
    assert [one["id"] for one in other.get("/results")["results"]] == [made[2], made[0]]
    assert page.post(f"{other.base}/results/{made[1]}/restore").status_code == 404


def test_a_forgotten_result_is_gone_when_the_project_opens_again(tmp_path: Path) -> None:
    path = tmp_path / "x.dwproj"
    project = ProjectFile(path, name="x")
    project.add_result({"id": "r_1", "kind": "learned"})
    project.forget_result("r_1")
    project.close()
    again = ProjectFile(path)
    with pytest.raises(StudioError, match="no result"):
        again.restore_result("r_1")
    again.close()
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT count(*) FROM results").fetchone() == (0,)


def test_what_the_page_keeps_for_itself_is_bounded(page: TestClient) -> None:
    assert patched(new_project(page), 1, view={"x": "y" * 70_000}).status_code == 413


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[1]", b'{"name": 1e999}', b'{"name": NaN}', b'{"name": "\\ud800"}', b"[" * 100_000]
)
def test_what_is_no_request_is_refused(page: TestClient, body: bytes) -> None:
    answer = page.post("/api/projects", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert (
        page.post("/api/projects", content=b"{}", headers={"Content-Type": "text/plain"}).status_code == 400
    )


def test_unknown_things_are_not_found(page: TestClient) -> None:
    for path in ("/api/projects/p_none", "/api/projects/p_none/jobs", "/api/none"):
        answer = page.get(path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")
    assert page.put("/api/projects", json={}).status_code == 405


def test_a_project_file_opens_as_it_was(page: TestClient, asia: Project, learned: dict[str, Any]) -> None:
    before = asia.get()
    copy = page.get(f"{asia.base}/file")
    assert copy.headers["content-disposition"] == "attachment; filename*=utf-8''asia.dwproj"
    opened = page.post("/api/projects/open", params={"name": "asia.dwproj"}, content=copy.content)
    assert opened.status_code == 201, opened.text
    other = Project(page, opened.json()["id"])
    assert other.id != asia.id
    assert other.get()["state"] == before["state"]
    assert other.get(f"/results/{learned['id']}") == asia.get(f"/results/{learned['id']}")
    assert other.get("/data/report") == asia.get("/data/report")
    answer = other.post("/ask", {"model": learned["id"], "evidence": {"smoke": "yes"}})
    assert answer == asia.post("/ask", {"model": learned["id"], "evidence": {"smoke": "yes"}})


def test_what_is_no_project_is_refused(page: TestClient, tmp_path: Path, asia: Project) -> None:
    good = page.get(f"{asia.base}/file").content
    path = tmp_path / "x.dwproj"
    path.write_bytes(good)
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TRIGGER t AFTER UPDATE ON project BEGIN DELETE FROM results; END")
    other = tmp_path / "y.dwproj"
    other.write_bytes(good)
    with closing(sqlite3.connect(other, isolation_level=None)) as database:
        database.execute("UPDATE project SET state = '{\"data\": 3}'")
    damaged = bytearray(good)
    damaged[4096 * 3 : 4096 * 9] = b"\xff" * (4096 * 6)
    count = len(page.get("/api/projects").json()["projects"])
    for content in (
        b"x",
        b"SQLite format 3\x00" + b"x" * 5000,
        path.read_bytes(),
        other.read_bytes(),
        bytes(damaged),
    ):
        answer = page.post("/api/projects/open", content=content)
        assert answer.status_code == 422, answer.text
        assert answer.json()["error"]["code"] == "format"
    assert len(page.get("/api/projects").json()["projects"]) == count


def test_a_deleted_project_lies_in_the_trash(page: TestClient, studio: Studio) -> None:
    project = new_project(page, name="gone")
    assert page.delete(project.base).status_code == 204
    assert page.get(project.base).status_code == 404
    (path,) = (studio.workspace.folder / "trash").glob("*.dwproj")
    again = ProjectFile(path)
    assert again.project()["name"] == "gone"
    again.close()


def test_a_project_is_open_in_one_place(tmp_path: Path) -> None:
    first = Workspace(tmp_path)
    project = first.create("mine")
    with pytest.raises(StudioError, match="open in another"):
        ProjectFile(project.path)
    second = Workspace(tmp_path)
    assert second.projects() == []
    first.close()
    assert [one["name"] for one in second.projects()] == ["mine"]
    assert second.project(project.id).project()["name"] == "mine"
    second.close()
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".dwproj"]


def test_old_revisions_go(tmp_path: Path) -> None:
    project = ProjectFile(tmp_path / "x.dwproj", name="x")
    for at in range(KEPT_REVISIONS + 5):
        project.change({"view": {"at": at}})
    listed = project.history()
    assert len(listed) == KEPT_REVISIONS
    assert listed[0]["revision"] == KEPT_REVISIONS + 6
    project.close()


def test_a_file_of_the_command_line_stays_where_it_is(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "workspace")
    path = tmp_path / "mine.dwproj"
    ProjectFile(path, name="mine").close()
    project = workspace.open_path(path)
    assert workspace.open_path(path) is project
    project.change({"missing": "em"})
    workspace.close()
    again = ProjectFile(path)
    assert again.project()["state"]["missing"] == "em"
    again.close()
