"""Results, questions, comparisons and files to take away."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

import dagwright as dw
from command_line import run
from dagwright.io import FORMATS
from studio_page import Project, new_project


@pytest.fixture(scope="module")
def network() -> dw.BayesianNetwork:
    """The same result as the library gives it."""
    return dw.learn(dw.sample_path("asia"), search="HillClimb()").network()


def ask(project: Project, path: str, model: dict[str, Any], **asked: Any) -> Any:
    return project.post(f"/ask{path}", {"model": model["id"], **asked})


def test_evidence_moves_all_marginals(asia: Project, learned: dict[str, Any], network: Any) -> None:
    found = ask(asia, "", learned, evidence={"smoke": "yes", "xray": {"abnormal": 0.9, "normal": 0.1}})
    seen = {"smoke": "yes", "xray": {"abnormal": 0.9, "normal": 0.1}}
    expected, before = network.marginals(seen), network.marginals()
    assert [one["node"] for one in found["marginals"]] == list(network.nodes)
    for one in found["marginals"]:
        assert one["probabilities"] == pytest.approx(list(expected[one["node"]].values()))
        assert one["before"] == pytest.approx(list(before[one["node"]].values()))
    assert found["probability"] == pytest.approx(network.evidence_probability(seen))


def test_doing_is_not_seeing(asia: Project, learned: dict[str, Any], network: Any) -> None:
    found = ask(asia, "", learned, interventions={"either": "yes"})
    expected = network.do({"either": "yes"}).marginals()
    shares = {one["node"]: one["probabilities"] for one in found["marginals"]}
    assert shares["lung"] == pytest.approx(list(expected["lung"].values()))


def test_what_the_library_refuses_is_told(asia: Project, learned: dict[str, Any]) -> None:
    model = {"model": learned["id"]}
    problem = asia.problem("/ask", {**model, "evidence": {"smok": "yes"}})
    assert (problem["code"], problem["options"]) == ("unknown_name", ["smoke"])
    assert asia.problem("/ask", {**model, "evidence": {"smoke": "perhaps"}})["code"] == "unknown_name"
    assert asia.problem("/ask", {"model": "r_none"}, 404)["code"] == "not_found"
    made = asia.post("/networks", {"builtin": "asia"}, 201)
    impossible = {"lung": "yes", "either": "no", "smoke": "yes"}
    problem = asia.problem("/ask", {"model": made["id"], "evidence": impossible})
    assert problem["code"] == "impossible_evidence"
    assert problem["evidence"] == {"lung": "yes", "either": "no"}


def test_explanations_information_and_sensitivity(
    asia: Project, learned: dict[str, Any], network: Any
) -> None:
    best = ask(asia, "/mpe", learned, evidence={"smoke": "yes"})
    assert best["states"] == dict(network.mpe({"smoke": "yes"}))
    some = ask(asia, "/mpe", learned, targets=["lung", "xray"])
    assert set(some["states"]) == {"lung", "xray"}
    told = ask(asia, "/informative", learned, target="lung", evidence={"smoke": "yes"})
    assert [one["node"] for one in told["items"]] == list(network.most_informative("lung", {"smoke": "yes"}))
    depends = ask(asia, "/sensitivity", learned, target="dysp", state="yes", evidence={"smoke": "yes"})
    assert depends["value"] == pytest.approx(network.query("dysp", {"smoke": "yes"})["yes"])
    first = depends["items"][0]
    exact = network.sensitivity(
        "dysp", "yes", (first["node"], first["state"]), first["configuration"], {"smoke": "yes"}
    )
    assert first["derivative"] == pytest.approx(exact.derivative)
    effect = ask(asia, "/effect", learned, cause="bronc", effect="dysp")
    assert len(effect["rows"]) == 2


def test_states_that_are_numbers_are_texts_for_the_page(page: TestClient) -> None:
    project = new_project(page)
    text = "a,b\n" + "0,1\n1,0\n" * 30
    page.post(f"{project.base}/data", params={"name": "x.csv"}, content=text.encode())
    found = project.run("learn")
    for value in ("0", 0):
        seen = project.post("/ask", {"model": found["id"], "evidence": {"a": value}})["marginals"]
        assert seen[0]["states"] == ["0", "1"] and seen[0]["probabilities"][0] == 1.0


def test_an_edge_has_its_card(asia: Project, learned: dict[str, Any]) -> None:
    card = asia.post("/edge", {"result": learned["id"], "from": "lung", "to": "either"})
    assert card["present"] and card["gains"]["BIC"] > 500 and card["rival"]["loss"] > 0
    assert ["given", "tub"] in card["facts"]
    for start, end in (("lung", "lung"), ("lung", "x")):
        asia.problem("/edge", {"result": learned["id"], "from": start, "to": end})


def test_a_node_has_its_table(asia: Project, learned: dict[str, Any], network: Any) -> None:
    node = asia.post("/node", {"model": learned["id"], "node": "dysp"})
    assert node["parents"] == list(network.parents("dysp"))
    assert np.allclose(node["table"], network.table("dysp").reshape(-1, 2))
    assert node["counts"] is not None
    low, high = (node["intervals"][end] for end in ("low", "high"))
    assert all(a <= p <= b for a, p, b in zip(low[0], node["table"][0], high[0], strict=True))


@pytest.mark.parametrize("step", [7, 60])
def test_what_if_where_values_are_missing(page: TestClient, step: int) -> None:
    """Few gaps are left out and many are taken as unknown; a change is scored in the same way."""
    lines = [
        f"{'' if i % step == 0 else 'yn'[i % 2]},{'pq'[(i // 2 + i) % 2]},{'rs'[i * i % 3 % 2]}"
        for i in range(240)
    ]
    project = new_project(page, name="gaps")
    text = "\n".join(["a,b,c", *lines])
    project.ok(page.post(f"{project.base}/data", params={"name": "rows.csv"}, content=text.encode()))
    found = project.run("learn", search="HillClimb()")
    change = {"do": "remove" if found["dag"]["edges"] else "add", "from": "a", "to": "b"}
    told = project.post("/whatif", {"result": found["id"], "changes": [change]})
    assert told["before"] == pytest.approx(found["score"])
    assert told["difference"] != 0


def test_what_if_an_edge_were_gone(asia: Project, learned: dict[str, Any]) -> None:
    change = {"do": "remove", "from": "lung", "to": "either"}
    found = asia.post("/whatif", {"result": learned["id"], "changes": [change]})
    dag = dw.Dag(learned["dag"]["nodes"], [(one["from"], one["to"]) for one in learned["dag"]["edges"]])
    rows = dw.read(dw.sample_path("asia"))
    less = dag.with_edges(
        remove=[("lung", "either") if ("lung", "either") in dag.edges else ("either", "lung")]
    )
    assert found["difference"] == pytest.approx(dw.score(less, rows).total - dw.score(dag, rows).total)
    assert found["before"] == pytest.approx(learned["score"])
    back = {"do": "add", "from": dag.edges[0][1], "to": dag.edges[0][0]}
    assert asia.problem("/whatif", {"result": learned["id"], "changes": [back]})["code"] in ("cycle", "graph")


def test_two_results_are_compared(asia: Project, learned: dict[str, Any]) -> None:
    other = asia.run("learn", search="ChowLiu()")
    found = asia.post("/compare", {"first": learned["id"], "second": other["id"]})
    assert found["same_data"] and found["shd"] > 0
    where = [edge["in"] for edge in found["edges"]]
    assert where.count("first") == len(found["missing"]) and where.count("second") == len(found["extra"])
    same = asia.post("/compare", {"first": learned["id"], "second": learned["id"]})
    assert same["shd"] == 0 and {edge["in"] for edge in same["edges"]} == {"both"}


def test_places_stay_and_tidy_is_a_command(asia: Project, learned: dict[str, Any]) -> None:
    asia.change(positions={"lung": [500.0, 500.0], "smoke": [0.0, 0.0]})
    kept = asia.post("/layout", {"graph": learned["id"]})
    assert kept["positions"]["lung"] == [500.0, 500.0] and kept["positions"]["smoke"] == [0.0, 0.0]
    assert set(kept["positions"]) == set(learned["graph"]["nodes"])
    tidy = asia.post("/layout", {"graph": learned["id"], "keep": False, "sizes": {"lung": [300, 100]}})
    assert len(tidy["routes"]) == len(learned["graph"]["edges"])
    assert tidy["positions"]["lung"] != [500.0, 500.0]


def test_edges_that_the_network_lacks_have_routes(asia: Project, learned: dict[str, Any]) -> None:
    plain = asia.post("/layout", {"graph": learned["id"]})
    also = [["asia", "dysp"], ["xray", "smoke"]]
    found = asia.post("/layout", {"graph": learned["id"], "also": also})
    assert found["positions"] == plain["positions"]
    assert found["routes"][: len(plain["routes"])] == plain["routes"]
    assert [[one["from"], one["to"]] for one in found["routes"][len(plain["routes"]) :]] == also
    assert asia.problem("/layout", {"graph": learned["id"], "also": [["asia", "no"]]})["code"]


def test_doubt(asia: Project, learned: dict[str, Any]) -> None:
    sure = asia.run("bootstrap", result=learned["id"], search="HillClimb()", replicates=10)
    assert sure["of"] == learned["id"]
    strengths = {frozenset((one["start"], one["end"])): one["strength"] for one in sure["edges"]}
    assert strengths[frozenset(("lung", "either"))] == 1.0
    exact = asia.run("posterior", method="ExactPosterior()")
    assert exact["log_evidence"] < 0
    rivals = asia.run("rivals", bayes_factor=3)
    assert rivals["count"] == len(rivals["networks"]) > 1
    assert rivals["networks"][0]["missing"] == []
    assert rivals["networks"][0]["score"] == pytest.approx(rivals["best"])
    page = asia.run("report", result=learned["id"], target="lung", title="My <title>")
    answer = asia.page.get(f"{asia.base}/results/{page['id']}/file")
    assert answer.text.startswith("<!doctype html>") and "<title>My &lt;title&gt;" in answer.text
    assert answer.headers["content-disposition"].startswith("attachment")
    assert "script-src" not in answer.headers["content-security-policy"]


def test_batches_are_predicted(asia: Project, learned: dict[str, Any], network: Any) -> None:
    content = b"smoke,xray,note\nyes,abnormal,a\nno,,b\nnever,normal,c\n"
    file = asia.page.post(f"{asia.base}/files", params={"name": "new rows.csv"}, content=content)
    assert file.status_code == 201
    found = asia.run("predict", model=learned["id"], target="lung", file=file.json()["file"])
    columns = found["preview"]["columns"]
    assert found["rows"] == 3 and columns[0] == "predicted lung" and columns[-3:] == ["smoke", "xray", "note"]
    lines = asia.page.get(f"{asia.base}/results/{found['id']}/file").text.splitlines()
    assert lines[0].startswith("smoke,xray,note,predicted lung,")
    share = network.query("lung", {"smoke": "yes", "xray": "abnormal"})["yes"]
    assert float(lines[1].split(",")[-1]) == pytest.approx(share)


@pytest.mark.parametrize("form", [one.name for one in FORMATS])
def test_every_format_is_written(asia: Project, learned: dict[str, Any], form: str, tmp_path: Path) -> None:
    answer = asia.page.get(f"{asia.base}/export", params={"model": learned["id"], "format": form})
    assert answer.status_code == 200, answer.text
    named = answer.headers["content-disposition"]
    path = tmp_path / f"x.{named.rpartition('.')[2]}"
    path.write_bytes(answer.content)
    assert set(dw.load_graph(path).nodes) == set(learned["graph"]["nodes"])


def test_pictures_are_drawn(asia: Project, learned: dict[str, Any]) -> None:
    for form, begin in (("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
        asked = {"model": learned["id"], "format": form, "bars": "true", "theme": "dark"}
        answer = asia.page.get(f"{asia.base}/picture", params=asked)
        assert answer.status_code == 200, answer.text
        assert answer.content.startswith(begin)
    assert asia.page.get(f"{asia.base}/picture", params={"model": "r_none"}).status_code == 404
    bad = {"model": learned["id"], "format": "gif"}
    assert asia.page.get(f"{asia.base}/picture", params=bad).status_code == 400


def test_the_script_does_the_same(page: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # where the command keeps the network
    project = new_project(page, sample="titanic")
    columns = {"age": {"rename": "Age"}, "sex": {"kind": "ordered", "states": ["male", "female"]}}
    knowledge = {
        "dagwright_knowledge": 1,
        "required": [["class", "survived"]],
        "tiers": [["Age", "sex"], ["survived"]],
    }
    project.change(
        columns=columns, knowledge=knowledge, evidence={"sex": "male"}, learn={"search": "HillClimb()"}
    )
    found = project.run("learn")
    code = project.get("/code", result=found["id"])
    namespace: dict[str, Any] = {"print": lambda *_: None}
    exec(code["python"], namespace)
    arcs = [[one["from"], one["to"]] for one in found["dag"]["edges"]]
    assert sorted(map(list, namespace["found"].dag.edges)) == sorted(arcs)

    words = shlex.split(code["command"].splitlines()[0])
    assert words[0] == "dagwright"
    printed = run(*words[1:], "--json")
    assert printed.exit_code == 0, printed.output
    assert sorted(json.loads(printed.stdout)["edges"]) == sorted(arcs)


def test_results_are_listed_renamed_and_removed(page: TestClient) -> None:
    project = new_project(page, sample="asia")
    found = project.run("learn", search="ChowLiu()")
    renamed = page.patch(f"{project.base}/results/{found['id']}", json={"name": "<b>tree</b>"})
    assert renamed.json()["name"] == "<b>tree</b>"
    (listed,) = project.get("/results")["results"]
    assert (listed["nodes"], listed["kind"]) == (8, "learned")
    assert page.delete(f"{project.base}/results/{found['id']}").status_code == 204
    assert project.get("/results")["results"] == []
    assert project.get()["state"]["shown"] is None
    assert page.get(f"{project.base}/results/{found['id']}/file").status_code == 404


def test_a_search_without_a_dag_has_a_graph_and_no_answers(page: TestClient) -> None:
    project = new_project(page, sample="asia")
    found = project.run("learn", search="FCI()")
    assert found["graph"]["kind"] == "pag" and not found["fitted"]
    assert project.problem("/ask", {"model": found["id"]})["message"].count("PAG") == 1
    undirected = project.run("learn", search="IAMB()")
    assert undirected["graph"]["kind"] == "undirected"


def test_methods_and_their_options(page: TestClient) -> None:
    methods = {one["name"]: one for one in page.get("/api/methods").json()["methods"]}
    options = {one["name"]: one for one in methods["HillClimb"]["options"]}
    assert options["max_parents"] == {
        **options["max_parents"],
        "type": "integer",
        "optional": True,
        "default": None,
        "required": False,
    }
    assert options["improvement"]["choices"] and options["restarts"]["help"]
    uncertain = next(one for one in methods["PC"]["options"] if one["name"] == "uncertain")
    assert (uncertain["type"], uncertain["choices"]) == ("choice", ["resolve", "report"])
    assert methods["K2"]["options"][0]["required"]
    assert all(option["type"] for one in methods.values() for option in one["options"])
    checked = page.post("/api/methods/check", json={"text": "hc(max_parents=3)", "kinds": ["search"]})
    assert checked.json() == {"text": "HillClimb(max_parents=3)"}


@pytest.mark.parametrize(
    "text",
    ["KappaPrior(network='/etc/passwd', kappa=0.5)", "__import__('os')", "HillClimb(", "BIC(", "x" * 20_000],
)
def test_texts_of_methods_read_no_files_and_run_nothing(page: TestClient, text: str) -> None:
    answer = page.post("/api/methods/check", json={"text": text, "kinds": ["prior", "search"]})
    assert answer.status_code == 422, answer.text


def test_the_forecast_comes_before_the_work(asia: Project) -> None:
    found = asia.post("/forecast", {"search": "Exact()"})
    assert found["search"] == "Exact()" and found["upper"] and found["memory"] > 0
    assert asia.problem("/forecast", {"search": "Exac()"})["options"] == ["Exact"]


def test_a_project_opens_in_one_answer(asia: Project, learned: dict[str, Any]) -> None:
    found = asia.get("/opened")
    assert found["project"] == asia.get()
    assert found["results"] == asia.get("/results")["results"]
    assert found["shown"] == asia.get(f"/results/{found['project']['state']['shown']}")
    assert learned["id"] in [one["id"] for one in found["results"]]


def test_edges_carry_the_strength_of_the_newest_confidence(page: TestClient) -> None:
    project = new_project(page, sample="asia")
    found = project.run("learn", search="HillClimb()")
    assert found["confidence"] is None and {one["strength"] for one in found["graph"]["edges"]} == {None}
    for kind, options in (("bootstrap", {"replicates": 5}), ("posterior", {"method": "ExactPosterior()"})):
        sure = project.run(kind, result=found["id"], **options)
        known = dw.Confidence.from_dict(_original(project, sure))
        shown = project.get("/opened")["shown"]
        assert shown == project.get(f"/results/{found['id']}") and shown["confidence"] == sure["id"]
        for graph in (shown["graph"], shown["dag"]):
            for edge in graph["edges"]:
                assert edge["strength"] == pytest.approx(known.strength(edge["from"], edge["to"]))
                if edge["strength"]:
                    assert edge["direction"] == pytest.approx(known.direction(edge["from"], edge["to"]))
        card = project.post("/edge", {"result": found["id"], "from": "lung", "to": "either", "rival": False})
        assert card["strength"] == pytest.approx(known.strength("lung", "either"))
        assert "strength" in [name for name, _ in card["facts"]]


def _original(project: Project, result: dict[str, Any]) -> Any:
    """A confidence in the library's own JSON."""
    answer = project.page.get(f"{project.base}/export", params={"model": result["id"], "format": "json"})
    assert answer.status_code == 200, answer.text
    return json.loads(answer.content)


def test_a_posterior_says_what_it_rests_on(page: TestClient) -> None:
    project = new_project(page, sample="asia")
    default = project.run("learn", search="HillClimb()")
    found = project.run(
        "posterior", result=default["id"], method="PartitionMCMC(samples=8000)", time_limit=30
    )
    assert "BDeu" in found["basis"] and "adaptive BDeu" in found["basis"]
    assert found["log_evidence"] is None and found["stopped"] is None
    assert found["diagnostics"]["chains"] == 4 and found["diagnostics"]["rhat_arcs"] > 0.9
    job = next(one for one in project.get("/jobs")["jobs"] if one["kind"] == "posterior")
    assert job["measure"] == "log_score" and len(job["series"]) > 1
    assert all(value < 0 for _, value in job["series"])
    project.change(learn={"search": "K2(order=['asia','smoke','tub','lung','bronc','either','xray','dysp'])"})
    likely = project.run("learn")
    same = project.run("posterior", result=likely["id"], method="ExactPosterior()")
    assert "K2" in same["source"] and same["basis"] is None
