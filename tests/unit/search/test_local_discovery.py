"""Blankets and neighbors of one variable and of all."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import dagwright as dw
from dagwright.cli.app import app
from dagwright.evidence.binding import bind_score
from dagwright.graph.oracle import GraphOracle
from dagwright.search.independence.tester import PairTester

BLANKET = [dw.GrowShrink(), dw.IAMB(), dw.InterIAMB(), dw.FastIAMB(), dw.FdrIAMB()]
NEIGHBOR = [dw.MMPC(), dw.HitonPC(), dw.HPC()]
ASIA = dw.read(dw.sample_path("asia"))
TESTS = [
    dw.ChiSquare(0.01),
    dw.GSquare(0.01, adjusted=True),
    dw.Threshold(0.002),
    dw.BayesFactor(),
    dw.CriterionSign(dw.BIC()),
    dw.BDeu(5),
]


def alarm_rows(rows: int) -> dw.Table:
    return dw.read(dw.load("alarm").sample(rows, random_state=3))


def named(method: Any) -> str:
    return type(method).__name__


@pytest.mark.parametrize("method", BLANKET, ids=named)
def test_the_blanket_of_one_variable_in_data(method: Any) -> None:
    data = alarm_rows(5_000)
    found = dw.blanket(data, "HISTORY", method=method)
    assert "LVFAILURE" in found.members
    assert len(found.members) <= 2  # 36 tests at level 0.01 may err once
    assert found.tests == sum(found.tests_by_size.values()) > 36
    others = {name for one in found.separations for name in (one.x, one.y)} - {"HISTORY"}
    assert len(others) > 30
    assert not others & set(found.members)
    assert "Markov blanket of HISTORY: " in str(found)


@pytest.mark.parametrize("method", [*NEIGHBOR, dw.IAMB()], ids=named)
def test_the_neighbors_of_one_variable_in_data(method: Any) -> None:
    found = dw.neighbors(alarm_rows(5_000), "INTUBATION", method=method)
    truth = dw.load("alarm").graph
    assert set(found.members) <= {*truth.parents("INTUBATION"), *truth.children("INTUBATION")}
    assert found.members


@pytest.mark.parametrize("method", [*BLANKET, *NEIGHBOR], ids=named)
def test_an_oracle_gives_the_truth(method: Any) -> None:
    for seed in range(4):
        dag = dw.random_dag(9, degree=2.5, random_state=seed)
        for target in dag.nodes[:4]:
            near = {*dag.parents(target), *dag.children(target)}
            if method.finds == "blanket":
                members = dw.blanket(oracle=dag, target=target, method=method).members
                assert set(members) == set(dag.markov_blanket(target))
            assert set(dw.neighbors(oracle=dag, target=target, method=method).members) == near
        graph = dw.learn(oracle=dag, search=method).graph
        assert graph == (dag.moral() if method.finds == "blanket" else dag.skeleton())


@pytest.mark.parametrize("method", [dw.IAMB, dw.MMPC, dw.HitonPC])
@pytest.mark.parametrize("test", TESTS, ids=repr)
def test_any_test_or_criterion_decides(method: Any, test: Any) -> None:
    found = dw.learn(ASIA, search=method(test=test))
    assert {("bronc", "dysp"), ("bronc", "smoke")} <= set(found.graph.edges)


def test_permutations_decide_on_few_rows() -> None:
    few = ASIA.take(np.arange(60)).select(["bronc", "dysp", "smoke", "tub"])
    found = dw.blanket(few, "dysp", method=dw.IAMB(test=dw.Permuted(dw.GSquare(0.05), rounds=199)))
    assert found.members == ("bronc",)


def test_the_false_discovery_rate_needs_p_values() -> None:
    with pytest.raises(dw.OptionError, match="needs p-values"):
        dw.blanket(ASIA, "dysp", method=dw.FdrIAMB(test=dw.BayesFactor()))


def test_a_smaller_false_discovery_rate_finds_no_more() -> None:
    rng = np.random.default_rng(1)
    noise = {f"n{k}": list(rng.integers(0, 2, 300)) for k in range(40)}
    target = rng.integers(0, 2, 300)
    data = dw.read({"t": list(target), "copy": list(np.where(rng.random(300) < 0.8, target, 1)), **noise})
    plain = dw.blanket(data, "t", method=dw.IAMB(test=dw.GSquare(0.05))).members
    careful = dw.blanket(data, "t", method=dw.FdrIAMB(fdr=dw.BenjaminiYekutieli(0.05))).members
    assert careful == ("copy",)
    assert len(plain) > 1


def test_knowledge_is_law_for_one_variable() -> None:
    required = dw.Knowledge(required=["asia -> dysp"])
    for method in [*BLANKET, *NEIGHBOR]:
        look = dw.blanket if method.finds == "blanket" else dw.neighbors
        assert "asia" in look(ASIA, "dysp", method=method, knowledge=required).members
    forbidden = dw.Knowledge(forbidden=["bronc -- dysp"])
    assert "bronc" not in dw.neighbors(ASIA, "dysp", knowledge=forbidden).members


def test_a_forbidden_neighbor_can_still_be_a_spouse() -> None:
    dag = dw.Dag.parse("A -> C <- B; C -> D")
    apart = dw.Knowledge(forbidden=["A -- B"])
    assert dw.blanket(oracle=dag, target="A", knowledge=apart).members == ("B", "C")
    childless = apart + dw.Knowledge(forbidden=["A -> *"])
    assert "B" not in dw.blanket(oracle=dag, target="A", knowledge=childless).members
    # The undirected graph of all is a Markov network: there the edge itself is forbidden.
    assert ("A", "B") not in dw.learn(oracle=dag, search=dw.IAMB(), knowledge=apart).graph.edges


def test_symmetry_decides_about_what_is_found_from_one_end() -> None:
    both = dw.learn(ASIA, search=dw.IAMB())
    either = dw.learn(ASIA, search=dw.IAMB(symmetry="or"))
    extra = set(either.graph.edges) - set(both.graph.edges)
    assert set(both.graph.edges) < set(either.graph.edges)
    assert len(both.notes["one-sided"]) == len(extra)
    assert both.notes["one-sided"][0].endswith("left out")
    assert "found from one end only" in both.warnings[0]


@pytest.mark.parametrize("method", [*BLANKET, *NEIGHBOR], ids=named)
def test_a_time_limit_and_an_interrupt_give_what_is_sure(method: Any) -> None:
    look = dw.blanket if method.finds == "blanket" else dw.neighbors
    known = dw.Knowledge(required=["asia -> dysp"])
    found = look(ASIA, "dysp", method=method, knowledge=known, time_limit=0.0)
    assert (found.members, found.stopped) == (("asia",), "deadline")
    assert "only what knowledge requires" in str(found)

    def press(_: dw.Event) -> None:
        raise KeyboardInterrupt

    assert look(ASIA, "dysp", method=method, progress=press).stopped == "cancelled"
    learned = dw.learn(ASIA, search=method, knowledge=known, progress=press)
    assert learned.stopped == "cancelled"
    assert learned.graph.edges == (("asia", "dysp"),)


def test_results_survive_json_and_pickle() -> None:
    import pickle

    found = dw.learn(ASIA, search=dw.IAMB(symmetry="or"))
    again = dw.Learned.from_json(found.to_json())
    assert isinstance(again.graph, dw.UndirectedGraph)
    assert again == found
    place = dw.blanket(ASIA, "dysp")
    assert pickle.loads(pickle.dumps(place)) == place


def test_the_log_has_every_question_in_order() -> None:
    dag = dw.Dag.parse("A -> C <- B; C -> D")
    oracle = GraphOracle(dag)
    found = dw.blanket(oracle=oracle, target="A", log=True)
    assert [(query, verdict.independent) for query, verdict in found.log] == oracle.log
    on_data = dw.blanket(ASIA, "dysp", log=True)
    assert len(on_data.log) == on_data.tests
    query, verdict = on_data.log[0]
    again = dw.independence_test(ASIA, *query.x, *query.y, test=dw.GSquare(0.01))
    assert again.p_value == verdict.p_value
    assert dw.blanket(ASIA, "dysp").log is None


def test_missing_cells_are_left_out_question_by_question() -> None:
    rows = ASIA.select(["bronc", "dysp", "smoke"]).to_dict()
    rows["smoke"][::7] = [None] * len(rows["smoke"][::7])
    for policy in (None, "available"):
        assert dw.blanket(rows, "bronc", missing=policy).members == ("dysp", "smoke")
    edges = dw.learn(rows, search=dw.MMPC(), missing="available").graph.edges
    assert {("bronc", "dysp"), ("bronc", "smoke")} <= set(edges)


def test_mistakes_are_named() -> None:
    with pytest.raises(dw.UnknownNameError, match="did you mean 'dysp'"):
        dw.blanket(ASIA, "dyspn")
    with pytest.raises(dw.OptionError, match="name the target variable"):
        dw.blanket(ASIA)
    with pytest.raises(dw.OptionError, match="needs data, or an oracle"):
        dw.neighbors(target="dysp")
    with pytest.raises(dw.OptionError, match="one or the other"):
        dw.neighbors(ASIA, "dysp", oracle=dw.Dag(ASIA.names))
    with pytest.raises(dw.OptionError, match=r"call neighbors\(\)"):
        dw.blanket(ASIA, "dysp", method=dw.MMPC())
    with pytest.raises(dw.UnknownNameError, match="unknown symmetry 'xor'"):
        dw.IAMB(symmetry="xor")  # type: ignore[arg-type]
    with pytest.raises(dw.OptionError, match="max_size"):
        dw.MMPC(max_size=-1)
    with pytest.raises(dw.OptionError, match="rows_per_cell"):
        dw.FastIAMB(rows_per_cell=float("nan"))
    with pytest.raises(dw.OptionError, match="false discovery rate"):
        dw.BenjaminiHochberg(1.0)


def test_the_size_of_conditioning_sets_is_bounded() -> None:
    dag = dw.random_dag(10, degree=3.0, random_state=1)
    for method in (dw.MMPC(max_size=1), dw.HitonPC(max_size=1), dw.MMPC(max_size=0)):
        found = dw.neighbors(oracle=dag, target=dag.nodes[0], method=method)
        assert max(found.tests_by_size) <= method.max_size


@pytest.mark.parametrize(
    "test", [dw.GSquare(0.01), dw.GSquare(0.01, min_rows_per_cell=10), dw.ChiSquare(0.01)]
)
def test_answers_without_facts_are_those_of_verdicts(test: Any) -> None:
    tester = PairTester(bind_score(test, ASIA.canonical()[0]))
    questions = [(x, y, [z]) for x in range(8) for y in range(x + 1, 8) for z in range(8) if z not in (x, y)]
    assert tester.independent(questions) == [one.independent for one in tester.ask(questions)]
    assert tester.tests == {1: 2 * len(questions)}


def test_a_log_does_not_change_what_is_found() -> None:
    logged = dw.neighbors(ASIA, "either", method=dw.HPC(), log=True)
    assert logged.members == dw.neighbors(ASIA, "either", method=dw.HPC()).members
    assert logged.log is not None
    assert len(logged.log) == logged.tests


def test_dependence_on_everything_is_asked_about_in_growing_batches() -> None:
    rng = np.random.default_rng(1)
    cause = rng.integers(0, 3, 2_000)
    shares = {f"v{i}": np.where(rng.random(2_000) < 0.3, rng.integers(0, 3, 2_000), cause) for i in range(9)}
    found = dw.neighbors(shares, "v0", method=dw.HitonPC(symmetry="or"))
    assert len(found.members) == 8
    # Each of 8 is asked about given every set of at most 3 of the others, once.
    assert found.tests == 8 * (1 + 7 + 21 + 35)


@pytest.mark.parametrize("method", [dw.PC(), dw.GSquare()])
def test_what_does_not_look_around_one_variable_is_refused(method: Any) -> None:
    for look in (dw.blanket, dw.neighbors):
        with pytest.raises(dw.OptionError, match=r"is not a local method; give IAMB\(\)"):
            look(ASIA, "dysp", method=method)
        with pytest.raises(dw.OptionError, match=r"is a class; write IAMB\(\)"):
            look(ASIA, "dysp", method=dw.IAMB)
        assert look(ASIA, "dysp", method="IAMB").members == look(ASIA, "dysp", method=dw.IAMB()).members


@pytest.mark.parametrize("method", [dw.FdrIAMB, dw.HPC, dw.PC])
def test_a_rate_alone_is_no_procedure(method: Any) -> None:
    with pytest.raises(dw.OptionError, match="fdr takes BenjaminiHochberg"):
        method(fdr=0.05)


def test_a_test_may_be_named() -> None:
    named = dw.blanket(ASIA, "dysp", method=dw.IAMB(test="GSquare"))
    assert named.members == dw.blanket(ASIA, "dysp", method=dw.IAMB(test=dw.GSquare())).members
    assert named.method == "IAMB(test=GSquare())"
    with pytest.raises(dw.UnknownNameError, match="GSqare"):
        dw.IAMB(test="GSqare")


def test_the_command_line_looks_around_one_column() -> None:
    def said(*words: str) -> str:
        result = CliRunner().invoke(app, list(words))
        assert result.exit_code == 0, result.output
        return result.stdout

    data = str(dw.sample_path("asia"))
    assert said("blanket", data, "dysp").startswith("Markov blanket of dysp: bronc, either\nfound by IAMB(")
    text = said("neighbors", data, "dysp", "--method", "HPC(symmetry='or')")
    assert text.startswith("parents and children of dysp: bronc, either\nfound by HPC(")
    document = json.loads(said("neighbors", data, "dysp", "--json"))
    assert document["members"] == ["bronc"]
    assert document["one_sided"] == ["either"]
    assert {one["x"] for one in document["separations"]} | {one["y"] for one in document["separations"]}
    refused = CliRunner().invoke(app, ["blanket", data, "dyspp"])
    assert refused.exit_code == 1
    assert "did you mean 'dysp'?" in refused.stderr


def test_a_target_of_one_state_is_said_to_be_one() -> None:
    data = {"a": ["x"] * 40, "b": [0, 1] * 20, "c": [0, 1] * 20}
    found = dw.blanket(data, "a")
    assert found.members == ()
    assert str(found).endswith("note: a has one state only, so it depends on nothing")
    assert dw.blanket(data, "b").note == ""
