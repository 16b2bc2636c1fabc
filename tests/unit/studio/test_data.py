"""Data and knowledge: uploads, samples, the report, edits of columns, contradictions."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

import dagwright as dw
from studio_page import Project, new_project

ODD = "<img src=x onerror=alert(1)>"
ROWS = (
    f'id,"{ODD}",size,grade\n'
    + "\n".join(
        f"r{at},{'yes' if at % 3 else 'no'},{at * 0.5},{'' if at % 10 == 0 else at % 3}" for at in range(60)
    )
    + "\n"
)


def sent(project: Project, text: str | bytes, name: str = "rows.csv", **params: Any) -> Any:
    content = text.encode() if isinstance(text, str) else text
    return project.page.post(f"{project.base}/data", params={"name": name, **params}, content=content)


@pytest.fixture(scope="module")
def rows(page: TestClient) -> Project:
    project = new_project(page)
    assert sent(project, ROWS).status_code == 200
    return project


def column(project: Project, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in project.get("/data/report")["columns"] if one["name"] == name)
    return found


def test_samples_are_listed_and_taken(page: TestClient) -> None:
    listed = page.get("/api/samples").json()
    assert [one["name"] for one in listed["samples"]] == list(dw.samples())
    assert {one["name"]: one["nodes"] for one in listed["networks"]}["asia"] == 8
    project = new_project(page)
    found = project.post("/data/sample", {"sample": "titanic", "revision": 1})
    assert found["project"]["state"]["weights"] == "people"
    assert found["report"]["N"] == 2201
    assert project.problem("/data/sample", {"sample": "titanik"})["options"] == list(dw.samples())
    assert page.post("/api/projects", json={"sample": "none"}).status_code == 422


def test_the_report_tells_what_is_in_the_data(rows: Project) -> None:
    report = rows.get("/data/report")
    assert report["n_rows"] == 60
    assert [one["name"] for one in report["columns"]] == ["id", ODD, "size", "grade"]
    assert column(rows, "id")["left_out"].startswith("it looks like an identifier")
    assert {bar["state"]: bar["rows"] for bar in column(rows, ODD)["bars"]} == {"no": 20, "yes": 40}
    size = column(rows, "size")["histogram"]
    assert sum(size["counts"]) == 60
    assert len(size["edges"]) == len(size["counts"]) + 1
    assert len(size["cut_points"]) == 2
    assert report["missingness"]["patterns"] == [{"columns": ["grade"], "rows": 6}]
    assert report["rows"]["cells"][0][:2] == ["r0", "no"]
    assert report["rows"]["cells"][0][3] is None


def test_columns_are_renamed_cut_retyped_and_left_out(page: TestClient) -> None:
    project = new_project(page)
    sent(project, ROWS)
    project.change(
        columns={
            "size": {"cut_points": [10, 20.5], "rename": "Size/m"},
            "grade": {"kind": "ordered"},
            ODD: {"rename": "odd"},
            "id": {"exclude": True},
        },
        missing="drop",
    )
    size = column(project, "size")
    assert (size["shown"], size["states"]) == ("Size/m", ["<=10", "(10, 20.5]", ">20.5"])
    assert column(project, "grade")["ordered"]
    assert column(project, "id")["excluded"]
    found = project.run("learn", search="HillClimb()")
    assert sorted(found["graph"]["nodes"]) == ["Size/m", "grade", "odd"]
    project.change(columns={"size": {"rule": "EqualWidth(bins=5)"}})
    assert len(column(project, "size")["states"]) == 5
    project.change(columns={"size": {"rule": "NoSuchRule()"}})
    assert page.get(f"{project.base}/data/report").json()["error"]["code"] == "unknown_name"


def test_dates_give_parts_and_identifiers_are_used_on_request(page: TestClient) -> None:
    project = new_project(page)
    rows = [f"r{i},2024-{1 + i % 12:02d}-{1 + i % 28:02d},{i % 5},{(i * 7) % 31 / 2}" for i in range(90)]
    sent(project, "\n".join(["id,day,score,size", *rows]).encode())
    day = column(project, "day")
    assert day["histogram"]["scale"] == "date"
    assert len(day["bars"]) == 3 and sum(bar["rows"] for bar in day["bars"]) == 90
    assert column(project, "size")["action"].endswith("'>10'"), "no advice that the controls of its row give"
    assert column(project, "id")["left_out"]
    project.change(
        columns={
            "day": {"part": "month", "rename": "visit"},
            "id": {"kind": "category"},
            "score": {"kind": "ordered", "states": [4, 3, 2, 1, 0]},
        }
    )
    day = column(project, "day")
    assert (day["shown"], day["ordered"], day["states"][:2]) == ("visit_month", True, ["Jan", "Feb"])
    assert not column(project, "id")["left_out"]
    score = column(project, "score")
    assert score["numeric"] and "4, 3, 2, 1, 0" in score["action"]
    code = project.get("/code")
    assert "dates={'visit': 'month'}" in code["python"] and "--dates visit=month" in code["command"]
    found = project.run("learn", search="HillClimb()")
    assert sorted(found["graph"]["nodes"]) == ["id", "score", "size", "visit_month"]


def test_data_that_cannot_be_read_change_nothing(rows: Project) -> None:
    before = rows.get()
    for name, content in (
        ("x.csv", b"a,b\n1,2,3,4\n5\n"),
        ("x.parquet", b"not parquet"),
        ("x.exe", b"a,b\n1,2\n"),
        ("noending", b"a,b\n1,2\n"),
        ("../../x", b"a,b\n1,2\n"),
        ("x.csv", b"\x00\x01\x02\xff\xfe"),
    ):
        answer = sent(rows, content, name)
        assert answer.status_code == 422, (name, answer.text)
        told = answer.json()["error"]["message"]
        assert "/tmp" not in told and "t_" not in told, told
    assert sent(rows, b"", "x.csv").status_code == 400
    assert rows.get() == before


def test_a_file_that_does_not_tell_how_to_read_it_is_sent_again(page: TestClient) -> None:
    project = new_project(page)
    text = "größe;gewicht\n" + "\n".join(f"{('groß', 'klein')[at % 2]};{at},5" for at in range(40))
    answer = sent(project, text.encode("latin-1"))
    assert answer.status_code == 422
    told = answer.json()["error"]["message"]
    assert "'Latin-1' under 'Encoding' or 'Windows-1252' under 'Encoding'" in told
    assert project.get()["state"]["data"] is None
    answer = sent(project, text.encode("latin-1"), encoding="latin-1", separator=";", decimal=",")
    assert answer.status_code == 200, answer.text
    assert column(project, "größe")["states"] == ["groß", "klein"]
    assert column(project, "gewicht")["histogram"]["max"] == 39.5
    reading = {"encoding": "latin-1", "separator": ";", "decimal": ","}
    assert project.get()["state"]["reading"] == reading
    assert sent(project, text, decimal="dot").status_code == 400


def test_gaps_are_not_explained_by_columns_that_are_left_out(page: TestClient) -> None:
    project = new_project(page)
    sent(
        project,
        "id,size,ward\n" + "\n".join(f"r{at},{'' if at % 4 else at % 3},{at % 2}" for at in range(80)),
    )
    assert column(project, "id")["left_out"]
    report = project.get("/data/report")
    gaps = report["missingness"]
    assert not any("missing" in note for note in report["notes"]), "they would count all columns"
    assert set(gaps["columns"]) == {"size"}
    assert {one["known"] for one in gaps["dependences"]} <= {"ward"}


def test_a_note_that_is_not_about_gaps_stays_and_names_methods_in_words(page: TestClient) -> None:
    project = new_project(page)
    rows = "\n".join(f"{at / 7:.3f},{'' if at % 5 else 'a'}" for at in range(80))
    sent(project, f"size,ward\n{rows}\n")
    project.change(columns={"size": {"kind": "number", "cut_points": [3.5, 7]}})
    notes = project.get("/data/report")["notes"]
    assert [note for note in notes if note.endswith("cut into 3 intervals by cut points at 3.5 and 7")]
    assert not any("cells are missing" in note or "CutPoints" in note for note in notes)


def test_uploads_are_bounded(rows: Project) -> None:
    assert sent(rows, b"a" * 3_000_001).status_code == 413

    def parts() -> Any:
        for _ in range(400):
            yield b"a" * 10_000

    answer = rows.page.post(f"{rows.base}/data", params={"name": "x.csv"}, content=parts())
    assert answer.status_code == 413
    assert answer.json()["error"]["code"] == "too_large"


def test_an_upload_knows_its_revision(rows: Project) -> None:
    assert sent(rows, ROWS, revision=1).status_code == 409
    assert sent(rows, ROWS, revision=rows.get()["revision"]).status_code == 200


def test_data_can_be_removed(page: TestClient) -> None:
    project = new_project(page, sample="asia")
    answer = page.delete(f"{project.base}/data", params={"revision": project.get()["revision"]})
    assert answer.json()["state"]["data"] is None
    assert page.get(f"{project.base}/data/report").json()["error"]["code"] == "data"
    assert project.problem("/jobs", {"kind": "learn"})["code"] == "data"


def test_contradictions_come_with_their_least_cause(asia: Project) -> None:
    good = {"dagwright_knowledge": 1, "required": [["smoke", "lung"]], "tiers": [["smoke"], ["lung"]]}
    found = asia.post("/knowledge/check", {"knowledge": good})
    assert found["ok"] and ["lung", "smoke"] in found["implied"]["forbidden"]
    bad = {**good, "required": [["lung", "smoke"], ["asia", "tub"]]}
    found = asia.post("/knowledge/check", {"knowledge": bad})
    (conflict,) = found["conflicts"]
    assert conflict["statements"] == ["required: lung -> smoke", "tier 1 before tier 2 (smoke, lung)"]
    unknown = {"dagwright_knowledge": 1, "required": [["smok", "lung"]]}
    assert not asia.post("/knowledge/check", {"knowledge": unknown})["ok"]
    assert asia.problem("/knowledge/check", {"knowledge": {"required": []}})["code"] == "format"


def test_knowledge_comes_and_goes_as_files(page: TestClient) -> None:
    project = new_project(page)
    content = b'{"dagwright_knowledge": 1, "required": ["a -> b"]}'
    given = {"name": "k.json", "revision": 1}
    answer = page.post(f"{project.base}/knowledge/import", params=given, content=content)
    assert answer.json()["state"]["knowledge"]["required"] == ["a -> b"]
    for form, part in (("toml", b"a -> b"), ("json", b"a -> b"), ("txt", b"requiredirect")):
        found = page.get(f"{project.base}/knowledge/export", params={"format": form})
        assert part in found.content
    given = {"name": "k.exe"}
    assert page.post(f"{project.base}/knowledge/import", params=given, content=b"x").status_code == 422
    given = {"name": "k.toml"}
    assert page.post(f"{project.base}/knowledge/import", params=given, content=b"= x").status_code == 422


def test_the_first_choice_for_missing_values_is_what_learning_does(rows: Project) -> None:
    (first, *_) = rows.get("/data/report")["policies"]
    assert first["name"] is None and "refuse" not in first["label"]
    table = dw.read({"a": [0, 1] * 20, "b": [0, 1, None, 1] * 10})
    found = dw.learn(table, search=dw.HillClimb(), missing=None)
    assert any("em by default" in note for note in found.assumptions)
    assert "estimate" in first["label"]
