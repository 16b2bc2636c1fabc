"""Links from tests, directions from a score."""

from __future__ import annotations

from typing import Any

import pytest

import dagwright as dw

ASIA = dw.read(dw.sample_path("asia"))
MAXIMIZERS = [dw.HillClimb(), dw.Tabu(), dw.OrderSearch(), dw.GES(), dw.BOSS()]


def edges_of(graph: Any) -> set[frozenset[str]]:
    plain = graph if isinstance(graph, dw.UndirectedGraph) else graph.skeleton()
    return {frozenset(edge) for edge in plain.edges}


@pytest.mark.parametrize("by", [dw.PC(), dw.MMPC(), dw.HPC(), dw.IAMB(symmetry="or")], ids=repr)
@pytest.mark.parametrize("maximize", MAXIMIZERS, ids=lambda search: type(search).__name__)
def test_no_search_leaves_the_edges(by: Any, maximize: Any) -> None:
    allowed = edges_of(dw.learn(ASIA, search=by).graph)
    found = dw.learn(ASIA, search=dw.Restrict(by).then(maximize))
    assert edges_of(found.graph) <= allowed
    assert found.score == pytest.approx(dw.score(found.dag, ASIA).total)
    assert found.score > dw.score(dw.Dag(ASIA.names), ASIA).total
    # The same edges as knowledge, the same answer.
    known = dw.Knowledge(allowed=[(a, "--", b) for a, b in map(sorted, allowed)])
    assert dw.learn(ASIA, search=maximize, knowledge=known).graph == found.graph


def test_the_hybrids_are_their_parts() -> None:
    parts = {dw.MMHC(): dw.Restrict(dw.MMPC()), dw.H2PC(): dw.Restrict(dw.HPC())}
    for hybrid, restriction in parts.items():
        found = dw.learn(ASIA, search=hybrid)
        assert found.graph == dw.learn(ASIA, search=restriction.then(dw.Tabu())).graph
        assert found.evaluations > found.notes["tests"] > 0
        assert found.separations
        assert dw.Learned.from_json(found.to_json()) == found


def test_the_true_edges_and_a_score_give_the_true_class() -> None:
    alarm = dw.load("alarm")
    rows = alarm.sample(20_000, random_state=1)
    found = dw.learn(rows, search=dw.H2PC())
    assert dw.compare(alarm.graph, found.graph).skeleton_f1 > 0.9


def test_edges_that_are_left_out_of_the_start_are_said() -> None:
    start = dw.Dag(ASIA.names, [("asia", "xray"), ("smoke", "bronc")])
    found = dw.learn(ASIA, search=dw.MMHC(), start=start)
    assert "left out 1 arc of the starting graph" in " ".join(found.warnings)
    assert not found.graph.adjacent("asia", "xray")


def test_required_edges_are_kept_whatever_the_tests_say() -> None:
    known = dw.Knowledge(required=["asia -> xray"], forbidden=["bronc -- dysp"])
    found = dw.learn(ASIA, search=dw.MMHC(), knowledge=known)
    assert ("asia", "xray") in found.graph.edges
    assert not found.graph.adjacent("bronc", "dysp")


def test_an_interrupt_among_the_tests_ends_the_whole() -> None:
    def press(_: dw.Event) -> None:
        raise KeyboardInterrupt

    found = dw.learn(ASIA, search=dw.MMHC(), progress=press)
    assert found.stopped == "cancelled"
    assert found.graph.edges == ()


def test_a_test_and_a_score_are_enough() -> None:
    test, score = dw.GSquare(alpha=0.05), dw.BDeu(ess=10)
    short = dw.Restrict(test).then(dw.Maximize(score))
    assert short == dw.Restrict(dw.MMPC(test=test)).then(dw.Maximize(score, dw.HillClimb()))
    found = dw.learn(ASIA, search=short)
    assert found.score_name == "BDeu"
    plain = dw.Restrict(dw.MMPC(test=test)).then(dw.HillClimb())
    assert found.graph == dw.learn(ASIA, search=plain, score=score).graph
    assert dw.learn(ASIA, search=short, score=dw.AIC()).score_name == "AIC"
    assert dw.learn(ASIA, search=dw.Maximize(by=dw.K2(ASIA.names))).score_name == "K2"
    with pytest.raises(dw.OptionError, match="does not maximize a score"):
        dw.Maximize(by=dw.BIC())


def test_mistakes_are_named() -> None:
    with pytest.raises(dw.OptionError, match="does not maximize a score"):
        dw.Restrict(dw.GSquare()).then(dw.BIC())
    with pytest.raises(dw.OptionError, match="uses no tests"):
        dw.Restrict(dw.HillClimb())
    with pytest.raises(dw.OptionError, match="does not maximize a score"):
        dw.Restrict(dw.MMPC(), dw.PC())
    with pytest.raises(dw.OptionError, match="does not maximize a score"):
        dw.MMHC(maximize=dw.IAMB())
    with pytest.raises(dw.UnknownNameError, match="symmetry"):
        dw.MMHC(symmetry="nor")  # type: ignore[arg-type]
