"""Networks by hand: made, changed, fitted, read from files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import dagwright as dw
from studio_page import Project, new_project

ODD = "<img src=x onerror=alert(1)>"


@pytest.fixture
def project(page: TestClient) -> Project:
    return new_project(page)


def edited(project: Project, network: dict[str, Any], *edits: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = project.post(f"/networks/{network['id']}/edit", {"edits": list(edits)}, 201)
    return found


def table(network: dict[str, Any], node: str) -> Any:
    return next(one["table"] for one in network["nodes"] if one["name"] == node)


def test_a_network_grows_by_hand(project: Project) -> None:
    empty = project.post("/networks", {"name": "mine"}, 201)
    assert empty["nodes"] == []
    network = edited(
        project,
        empty,
        {"do": "add_node", "node": ODD, "states": ["no", "yes"]},
        {"do": "add_node", "node": "b", "states": ["x", "y", "z"]},
        {"do": "add_edge", "from": ODD, "to": "b"},
        {"do": "set_table", "node": "b", "table": [[1, 1, 2], [0, 0, 0]], "normalize": True},
    )
    assert network["based_on"] == empty["id"]
    assert table(network, "b") == [[0.25, 0.25, 0.5], pytest.approx([1 / 3] * 3)]
    assert set(project.get()["state"]["positions"]) == {ODD, "b"}
    turned = edited(project, network, {"do": "turn_edge", "from": ODD, "to": "b"})
    before, after = (project.post("/ask", {"model": one["id"]})["marginals"] for one in (network, turned))
    assert [one["probabilities"] for one in before] == [pytest.approx(one["probabilities"]) for one in after]
    renamed = edited(
        project,
        network,
        {"do": "rename_node", "node": ODD, "name": "a"},
        {"do": "set_states", "node": "a", "states": ["off", "on"]},
        {"do": "add_state", "node": "a", "state": "broken"},
        {"do": "remove_state", "node": "b", "state": "z"},
    )
    assert table(renamed, "a") == [[0.5, 0.5, 0.0]]
    assert len(table(renamed, "b")) == 3 and len(table(renamed, "b")[0]) == 2
    smaller = edited(project, renamed, {"do": "remove_node", "node": "a"})
    assert [one["name"] for one in smaller["nodes"]] == ["b"]
    assert project.get(f"/results/{network['id']}")["nodes"] == network["nodes"]


def test_edits_are_made_all_or_none(project: Project) -> None:
    network = project.post("/networks", {"builtin": "asia"}, 201)
    count = len(project.get("/results")["results"])
    path = f"/networks/{network['id']}/edit"
    for edits, code in (
        ([{"do": "remove_node", "node": "asia"}, {"do": "add_edge", "from": "dysp", "to": "smoke"}], "cycle"),
        ([{"do": "add_edge", "from": "nobody", "to": "smoke"}], "unknown_name"),
        ([{"do": "add_node", "node": "asia", "states": ["a", "b"]}], "graph"),
        ([{"do": "add_edge", "from": "asia", "to": "tub"}], "graph"),
        ([{"do": "remove_edge", "from": "tub", "to": "asia"}], "unknown_name"),
        ([{"do": "set_table", "node": "asia", "table": [[0.5, 0.6]]}], "data"),
        ([{"do": "set_table", "node": "asia", "table": [[0.5], [0.5]]}], "data"),
        ([{"do": "set_table", "node": "asia", "table": [[-1, 2]], "normalize": True}], "data"),
        ([{"do": "add_node", "node": "x"}], "data"),
        ([{"do": "add_node", "node": "x", "states": []}], "data"),
        ([{"do": "remove_state", "node": "asia", "state": "perhaps"}], "unknown_name"),
    ):
        assert project.problem(path, {"edits": edits})["code"] == code, edits
    assert project.problem(path, {"edits": [{"do": "explode"}]}, 400)
    assert len(project.get("/results")["results"]) == count


def test_a_table_that_would_explode_is_told_before(project: Project) -> None:
    nodes = [{"do": "add_node", "node": f"v{at}", "states": list("abcdefgh")} for at in range(8)]
    network = edited(project, project.post("/networks", {}, 201), *nodes)
    arcs = [{"do": "add_edge", "from": f"v{at}", "to": "v0"} for at in range(1, 8)]
    found = project.post(f"/networks/{network['id']}/forecast", {"edits": arcs})
    assert found["nodes"][0] == {"node": "v0", "cells": 8**8, "before": 8}
    assert "16,777,216 cells" in found["warnings"][0]
    warned = edited(project, network, *arcs[:4])
    assert warned["warnings"] == ["the table of v0 has 32,768 cells now"]


def test_a_graph_is_fitted_to_the_data(page: TestClient) -> None:
    project = new_project(page, sample="asia")
    network = project.post("/networks", {"builtin": "asia"}, 201)
    fitted = project.post(f"/networks/{network['id']}/fit", {}, 201)
    exact = dw.fit(dw.load("asia").graph, dw.read(dw.sample_path("asia")))
    assert table(fitted, "smoke")[0] == pytest.approx(exact.table("smoke").tolist())


@pytest.mark.parametrize("name", ["x.bif", "x.bif.gz", "x.xdsl", "x.net", "x.json", "x.dot", "x.dot.gz"])
def test_networks_come_from_files(project: Project, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    asia = dw.load("asia")
    dw.save(asia.graph if ".dot" in name else asia, path)
    answer = project.page.post(
        f"{project.base}/networks/import", params={"name": name}, content=path.read_bytes()
    )
    assert answer.status_code == 201, answer.text
    found = answer.json()
    assert {one["name"] for one in found["nodes"]} == set(asia.nodes) and found["name"] == "x"


def test_files_that_are_no_networks_are_refused(project: Project) -> None:
    for name, content in (("x.bif", b"nonsense"), ("x.exe", b"x"), ("x.dwb", b"\x80\x04"), ("x.json", b"{}")):
        answer = project.page.post(f"{project.base}/networks/import", params={"name": name}, content=content)
        assert answer.status_code == 422, answer.text


def test_a_built_in_network_opens_as_a_project(page: TestClient) -> None:
    project = new_project(page, network="alarm")
    state = project.get()["state"]
    network = project.get(f"/results/{state['shown']}")
    assert len(network["nodes"]) == 37 and set(state["positions"]) == {
        one["name"] for one in network["nodes"]
    }
    assert "network = dw.load('alarm')" in project.get("/code")["python"]
    assert page.post("/api/projects", json={"network": "alarmed"}).status_code == 422
    assert project.problem("/networks", {"builtin": "../asia"})["code"] == "unknown_name"


def test_numbers_by_hand(project: Project) -> None:
    network = edited(
        project,
        project.post("/networks", {"name": "numbers"}, 201),
        {"do": "add_node", "node": "s", "states": ["a", "b"]},
        {"do": "add_number", "node": "x"},
        {"do": "add_number", "node": "y"},
        {"do": "add_edge", "from": "s", "to": "y"},
        {"do": "add_edge", "from": "x", "to": "y"},
        {
            "do": "set_equation",
            "node": "y",
            "intercept": [1, 2],
            "coefficients": {"x": [0.5, -1]},
            "sd": [1, 0.1],
        },
        {"do": "rename_node", "node": "x", "name": "z"},
    )
    node = next(one for one in network["nodes"] if one["name"] == "y")
    assert [row["text"] for row in node["equations"]] == [
        "y = 1 + 0.5 * z + N(0, 1)",
        "y = 2 - 1 * z + N(0, 0.1)",
    ]
    seen = project.post("/ask", {"model": network["id"], "evidence": {"s": "b", "z": 3}})
    assert next(one for one in seen["marginals"] if one["node"] == "y")["mean"] == -1
    short = {"do": "set_equation", "node": "y", "intercept": [1], "coefficients": {"z": [1, 1]}, "sd": [1, 1]}
    refused = project.problem(f"/networks/{network['id']}/edit", {"edits": [short]})
    assert "2 equations, but 1 values" in refused["message"]
    path = f"/networks/{network['id']}/forecast"
    ahead = project.post(path, {"edits": [{"do": "add_number", "node": "w"}]})
    assert ahead["nodes"] == [{"node": "w", "cells": 1, "before": None}]


def test_edits_after_one_another_are_one_entry(page: TestClient) -> None:
    project = new_project(page, network="asia")
    opened = project.get("/results")["results"][0]
    first = edited(project, opened, {"do": "remove_edge", "from": "asia", "to": "tub"})
    second = edited(project, first, {"do": "add_edge", "from": "smoke", "to": "tub"})
    copy = project.post("/networks", {"from": opened["id"]}, 201)
    of_copy = edited(project, copy, {"do": "remove_node", "node": "xray"})
    empty = project.post("/networks", {"name": "mine"}, 201)
    of_empty = edited(project, empty, {"do": "add_number", "node": "x"})
    entries = {one["id"]: one for one in project.get("/results")["results"]}

    def entry(network: dict[str, Any]) -> tuple[str, str]:
        one = entries[network["id"]]
        return one["name"], one["session"] or one["id"]

    assert entry(first) == entry(second) == ("asia, edited", first["id"])
    assert entry(copy) == entry(of_copy) == ("asia, edited 2", copy["id"])
    assert entry(empty) == entry(of_empty) == ("mine", empty["id"])
    assert entry(opened) == ("asia", opened["id"])

    renamed = page.patch(f"{project.base}/results/{first['id']}", json={"name": "ours"}).json()
    assert renamed["id"] == first["id"]
    project.change(shown=second["id"])
    named = [one["name"] for one in project.get("/results")["results"]]
    assert named == ["mine", "mine", "asia, edited 2", "asia, edited 2", "ours", "ours", "asia"]
    assert page.delete(f"{project.base}/results/{first['id']}").status_code == 204
    assert project.get()["state"]["shown"] is None
    assert len(project.get("/results")["results"]) == 5
    assert project.post(f"/results/{second['id']}/restore")["name"] == "ours"
    assert [one["name"] for one in project.get("/results")["results"]] == named
