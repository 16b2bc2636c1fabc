"""The script and the commands of a project do what the studio shows."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import dagwright as dw
from command_line import run
from studio_page import Project, new_project


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Scripts and commands write files where they run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def script_of(project: Project, **asked: Any) -> dict[str, Any]:
    """The variables of the script after it ran."""
    namespace: dict[str, Any] = {"print": lambda *_: None}
    exec(project.get("/code", **asked)["python"], namespace)
    return namespace


def require_same(project: Project, model: str, answer: Any) -> None:
    """The probabilities of a script are those that the studio shows."""
    state, nodes = project.get()["state"], project.get(f"/results/{model}")["graph"]["nodes"]
    asked = {
        name: {node: value for node, value in state[name].items() if node in nodes}
        for name in ("evidence", "interventions")
    }
    shown = project.post("/ask", {"model": model, **asked})["marginals"]
    for one in shown:
        if one["kind"] == "number":
            assert one["mean"] == pytest.approx(answer[one["node"]].mean)
        else:
            assert one["probabilities"] == pytest.approx(list(answer[one["node"]].values()))


def queried(project: Project, **asked: Any) -> dict[str, Any]:
    """What the first query of the commands prints, after the commands before it."""
    for line in project.get("/code", **asked)["command"].splitlines():
        if line.startswith("#"):
            continue
        words = shlex.split(line)[1:]
        quiet = words[0] in ("learn", "fit", "bootstrap", "posterior", "rivals")
        printed = (
            run(*words, "--quiet") if quiet else run(*words, *(["--json"] if words[0] == "query" else []))
        )
        assert printed.exit_code == 0, (line, printed.output)
        if words[0] == "query":
            found: dict[str, Any] = json.loads(printed.stdout)
            return found
    raise AssertionError("no query")


def require_same_command(project: Project, answer: Any, **asked: Any) -> None:
    found = queried(project, **asked)
    assert found
    for node, one in found.items():
        assert list(one["probabilities"].values()) == pytest.approx(list(answer[node].values()))


def test_a_network_without_data(page: TestClient) -> None:
    project = new_project(page, network="asia")
    shown = project.get()["state"]["shown"]
    plain = project.get("/code")
    assert "dw.load('asia')" in plain["python"] and plain["command"] == "dagwright query asia"
    project.change(evidence={"smoke": "yes", "nobody": "no"}, interventions={"either": "yes"})
    made = script_of(project)
    require_same(project, shown, made["answer"])
    require_same_command(project, made["answer"])
    best = project.post(
        "/ask/mpe", {"model": shown, "evidence": {"smoke": "yes"}, "interventions": {"either": "yes"}}
    )
    assert best["states"] == dict(made["explanation"])


def test_a_network_file(page: TestClient, folder: Path) -> None:
    dw.save(dw.load("asia"), folder / "clinic.bif")
    project = new_project(page)
    path = f"{project.base}/networks/import"
    made = page.post(path, params={"name": "clinic.bif"}, content=(folder / "clinic.bif").read_bytes()).json()
    project.change(shown=made["id"], evidence={"xray": {"yes": 0.9, "no": 0.2}})
    answer = script_of(project)["answer"]
    require_same(project, made["id"], answer)
    require_same_command(project, answer)


def test_edits_by_hand(page: TestClient) -> None:
    project = new_project(page, network="asia")
    edits: list[list[dict[str, Any]]] = [
        [{"do": "add_edge", "from": "smoke", "to": "tub"}],
        [{"do": "add_node", "node": "new", "states": ["a", "b"]}, {"do": "add_number", "node": "x"}],
        [{"do": "add_edge", "from": "new", "to": "x"}, {"do": "turn_edge", "from": "smoke", "to": "bronc"}],
        [{"do": "set_table", "node": "new", "table": [[1, 3]], "normalize": True}],
        [{"do": "set_equation", "node": "x", "intercept": [0, 5], "coefficients": {}, "sd": [1, 2]}],
        [{"do": "rename_node", "node": "dysp", "name": "short of breath"}],
        [
            {"do": "add_state", "node": "new", "state": "c"},
            {"do": "remove_state", "node": "new", "state": "b"},
        ],
        [
            {"do": "set_states", "node": "xray", "states": ["bad", "good"]},
            {"do": "remove_edge", "from": "asia", "to": "tub"},
        ],
        [{"do": "remove_node", "node": "asia"}],
    ]
    network = project.get()["state"]["shown"]
    for some in edits:
        network = project.post(f"/networks/{network}/edit", {"edits": some}, 201)["id"]
    entries = project.get("/results")["results"]
    assert [one["name"] for one in entries] == ["asia, edited"] * 9 + ["asia"]
    assert len({one["session"] for one in entries[:9]}) == 1 and entries[9]["session"] is None
    project.change(shown=network, evidence={"smoke": "yes"})
    made = script_of(project)
    require_same(project, network, made["answer"])
    assert Path("network.json").exists()
    found = queried(project)
    assert found["tub"]["probabilities"]["yes"] == pytest.approx(made["answer"]["tub"]["yes"])


def test_what_was_learned_and_all_that_was_asked_of_it(page: TestClient) -> None:
    project = new_project(page, sample="asia")
    project.change(learn={**project.get()["state"]["learn"], "search": "HillClimb()", "seed": 3})
    found = project.run("learn")
    project.change(
        learn={**project.get()["state"]["learn"], "search": "ChowLiu()"}, evidence={"smoke": "yes"}
    )
    of = found["id"]
    sure = project.run("bootstrap", result=of, replicates=6, draw="Subsample(0.5)")
    rivals = project.run("rivals", result=of, bayes_factor=3)
    predicted = project.run("predict", model=of, target="lung")
    made = script_of(project, result=of)
    arcs = sorted([one["from"], one["to"]] for one in found["dag"]["edges"])
    assert sorted(map(list, made["found"].dag.edges)) == arcs
    require_same(project, of, made["answer"])
    for one in sure["edges"]:
        assert made["confidence"].strength(one["start"], one["end"]) == pytest.approx(one["strength"])
    assert len(made["rivals"]) == rivals["count"]
    at = predicted["preview"]["columns"].index("predicted lung")
    assert [row[at] for row in predicted["preview"]["cells"]] == list(made["predicted"][:50])
    require_same_command(project, made["answer"], result=of)

    posterior = project.run("posterior", result=of, method="OrderMCMC(samples=200)", time_limit=20)
    made = script_of(project, result=of)
    assert "confidence" not in made
    for one in posterior["edges"]:
        found_there = made["posterior"].confidence.strength(one["start"], one["end"])
        assert found_there == pytest.approx(one["strength"])
    assert [line.split()[1] for line in project.get("/code", result=of)["command"].splitlines()] == [
        "learn",
        "posterior",
        "rivals",
        "predict",
        "query",
        "query",
    ]
    next_run = project.get("/code")["python"]
    assert "ChowLiu" in next_run and "HillClimb" not in next_run
    assert project.get("/code", result=rivals["id"])["python"].count("dw.cred") == 1


def test_a_copy_of_what_was_learned_edited_and_fitted(page: TestClient) -> None:
    project = new_project(page, sample="asia")
    found = project.run("learn", search="ChowLiu()")
    copy = project.post("/networks", {"from": found["id"]}, 201)
    edit = {"do": "add_edge", "from": "asia", "to": "xray"}
    edited = project.post(f"/networks/{copy['id']}/edit", {"edits": [edit]}, 201)
    fitted = project.post(f"/networks/{edited['id']}/fit", {}, 201)
    names = [one["name"] for one in project.get("/results")["results"]]
    tree = "ChowLiu: the tree of largest likelihood or score"
    assert names == [f"{tree}, edited, fitted", f"{tree}, edited", f"{tree}, edited", tree]
    project.change(shown=fitted["id"], interventions={"smoke": "no"})
    made = script_of(project, result=fitted["id"])
    require_same(project, fitted["id"], made["answer"])
    require_same_command(project, made["answer"], result=fitted["id"])
    page.delete(f"{project.base}/results/{found['id']}")
    assert "dw.load('network.json')" in project.get("/code", result=edited["id"])["python"]


def test_numbers_and_states_that_are_numbers(page: TestClient) -> None:
    project = new_project(page)
    rows = "\n".join(f"{i % 2},{i % 7 + 3.5 * (i % 2):.2f},{(i * 37 % 11) / 3:.3f}" for i in range(200))
    page.post(f"{project.base}/data", params={"name": "rows.csv"}, content=f"a,x,y\n{rows}\n".encode())
    Path("rows.csv").write_text(f"a,x,y\n{rows}\n", encoding="utf-8")
    project.change(columns={"x": {"kind": "number"}, "y": {"kind": "number"}})
    found = project.run("learn", search="HillClimb()")
    project.change(evidence={"a": "1"})
    made = script_of(project, result=found["id"])
    require_same(project, found["id"], made["answer"])
    asked = queried(project, result=found["id"])
    assert asked["x"]["mean"] == pytest.approx(made["answer"]["x"].mean)
