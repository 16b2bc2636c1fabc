"""What FCI and RFCI promise: the true class from an oracle, a valid one from anything, knowledge kept."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest

import dagwright as dw
from dagwright.search.independence.consistent_mag import is_consistent
from dagwright.testing import RandomAnswers, hidden_problem, random_knowledge

RULES = ("standard", "conservative", "majority", "max-p")


def projection(seen: int, seed: int) -> dw.Mag:
    dag, hidden, selected = hidden_problem(seen, seed)
    return dag.latent_projection(hidden, selected)


@pytest.mark.parametrize("part", range(6))
def test_an_oracle_gives_the_true_class_of_dags_with_hidden_nodes(part: int) -> None:
    for seed in range(part * 30, part * 30 + 30):
        mag = projection(4 + seed % 5, seed)
        truth = mag.pag()
        assert truth.is_valid()
        found = dw.learn(oracle=mag, search=dw.FCI(colliders=RULES[seed % 4]))
        assert found.graph == truth
        assert found.warnings == ()
        quick = dw.learn(oracle=mag, search=dw.RFCI())
        assert dw.compare(truth, quick.graph).missing == ()
        assert quick.warnings == ()


@pytest.mark.parametrize("seed", range(3))
def test_larger_graphs_with_hidden_nodes(seed: int) -> None:
    dag = dw.random_dag(40, degree=2.0, random_state=seed)
    mag = dag.latent_projection(hidden=dag.nodes[::8])
    truth = mag.pag()
    assert dw.learn(oracle=mag, search=dw.FCI()).graph == truth
    assert dw.compare(truth, dw.learn(oracle=mag, search=dw.RFCI()).graph).missing == ()


def test_without_hidden_nodes_the_skeleton_is_that_of_pc() -> None:
    for seed in range(20):
        dag = dw.random_dag(7, degree=2.0, random_state=seed)
        graph = dw.learn(oracle=dag, search=dw.FCI()).graph
        assert graph.skeleton() == dw.learn(oracle=dag, search=dw.PC()).graph.skeleton()
        assert dw.compare(dag, graph).equivalent


# D and E are separated by A, B and C only, and A is a neighbor of neither.
SECOND_LOOK = "A -> B; A -> C; B -> E; B <-> D; C -> D; C <-> E"


def test_what_only_the_second_look_separates() -> None:
    mag = dw.Mag.parse(SECOND_LOOK)
    found = dw.learn(oracle=mag, search=dw.FCI())
    assert found.graph == mag.pag() == dw.Pag.parse(SECOND_LOOK.replace("A ->", "A o->"))
    assert str(found.separations[-1]) == "I(D,E|A,B,C)"
    hasty = dw.Pag.parse(str(mag.pag()) + "; D <-> E")
    assert dw.learn(oracle=mag, search=dw.RFCI()).graph == hasty
    assert dw.learn(oracle=mag, search=dw.FCI(second_look="textbook")).graph == mag.pag()
    for search in (dw.FCI(max_path=0), dw.FCI(max_size=2)):
        assert dw.learn(oracle=mag, search=search).graph.adjacent("D", "E")


def around_a_second_look(seed: int) -> dw.Mag:
    """`SECOND_LOOK` within a random graph with hidden and selection nodes."""
    rng = random.Random(seed)
    nodes, arcs, confounded, selected = list("ABCDE"), ["BE", "CD"], ["BD", "CE"], []
    for edge in ("AB", "AC"):
        rng.choice([arcs, confounded]).append(edge)
    for at in range(rng.randrange(5)):
        nodes.insert(rng.randrange(len(nodes) + 1), "VWXYZ"[at])
    for a, b in combinations(nodes, 2):
        if not {a, b} <= set("ABCDE"):
            kind = rng.choices([arcs, confounded, selected, []], [0.15, 0.15, 0.03 * (seed % 2), 0.7])[0]
            kind.append(a + b)
    edges = [(a, b) for a, b in arcs]
    edges += [(f"H{edge}", end) for edge in confounded for end in edge]
    edges += [(end, f"S{edge}") for edge in selected for end in edge]
    dag = dw.Dag([*nodes, *(f"H{edge}" for edge in confounded), *(f"S{edge}" for edge in selected)], edges)
    return dag.latent_projection([f"H{edge}" for edge in confounded], [f"S{edge}" for edge in selected])


@pytest.mark.parametrize("part", range(3))
def test_the_narrow_second_look_finds_what_the_textbook_finds_with_fewer_questions(part: int) -> None:
    needed = asked = asked_by_the_textbook = 0
    for seed in range(part * 25, part * 25 + 25):
        mag = around_a_second_look(seed)
        narrow = dw.learn(oracle=mag, search=dw.FCI())
        assert narrow.graph == mag.pag()
        without = dw.learn(oracle=mag, search=dw.FCI(max_path=0))
        if without.graph.skeleton() != mag.skeleton():
            needed += 1
            wide = dw.learn(oracle=mag, search=dw.FCI(second_look="textbook"))
            assert wide.graph == mag.pag()
            asked += narrow.evaluations
            asked_by_the_textbook += wide.evaluations
    assert needed >= 10
    assert asked < asked_by_the_textbook


@pytest.mark.parametrize("part", range(4))
def test_contradictory_answers_never_make_an_invalid_class(part: int) -> None:
    for seed in range(part * 150, part * 150 + 150):
        rng = random.Random(seed)
        names = "ABCDEFG"[: rng.randrange(3, 8)]
        oracle = RandomAnswers(names, rng.choice([0.05, 0.15, 0.3]), seed)
        look = rng.choice(["narrow", "textbook"])
        search = dw.RFCI() if seed % 3 == 0 else dw.FCI(colliders=rng.choice(RULES), second_look=look)
        found = dw.learn(oracle=oracle, search=search)
        assert found.graph.is_valid() or isinstance(search, dw.RFCI), (seed, search)
        assert is_consistent(found.graph._marks())
        assert found.evaluations == len(oracle.log)


@pytest.mark.parametrize("part", range(3))
def test_knowledge_is_law_whatever_the_answers(part: int) -> None:
    for seed in range(part * 60, part * 60 + 60):
        known = random_knowledge("ABCDEF", np.random.default_rng(seed))
        for search in (dw.FCI(), dw.RFCI()):
            graph = dw.learn(oracle=RandomAnswers("ABCDEF", 0.15, seed), search=search, knowledge=known).graph
            assert known.check(graph) == []
            assert is_consistent(graph._marks())


@pytest.mark.parametrize("seed", [*range(40), 257])
def test_true_knowledge_only_adds_marks(seed: int) -> None:
    dag, hidden, selected = hidden_problem(4 + seed % 4, seed)
    mag = dag.latent_projection(hidden, selected)
    rng = random.Random(seed)
    above = {a: set(dag.ancestors([a, *selected])) | set(selected) for a in mag.nodes}
    pairs = [rng.choice([pair, pair[::-1]]) for pair in combinations(mag.nodes, 2)]
    no_cause = [(a, b) for a, b in pairs if a not in above[b]]
    apart = [pair for pair in combinations(mag.nodes, 2) if not mag.adjacent(*pair)]
    known = dw.Knowledge(
        required=[arc for arc in mag.directed_edges if rng.random() < 0.3],
        forbidden=[
            *(pair for pair in no_cause if rng.random() < 0.4),
            *(arc for a, b in apart if rng.random() < 0.3 for arc in ((a, b), (b, a))),
        ],
    )
    plain = dw.learn(oracle=mag, search=dw.FCI()).graph
    found = dw.learn(oracle=mag, search=dw.FCI(), knowledge=known)
    assert found.warnings == ()
    assert found.graph.skeleton() == plain.skeleton()
    for one, _, other in plain.edges:
        for a, b in ((one, other), (other, one)):
            assert plain.mark(a, b) in ("circle", found.graph.mark(a, b))
            assert found.graph.mark(a, b) in ("circle", mag.mark(a, b))
