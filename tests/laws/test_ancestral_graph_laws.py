"""Ancestral graphs against their definitions: paths, projections, and classes listed one by one."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest

import dagwright as dw
from dagwright.graph.query import Query
from dagwright.graph.reference import ancestral_graphs, common_marks, m_separated, separations_of, subsets
from dagwright.testing import hidden_problem


@pytest.mark.parametrize("part", range(4))
def test_the_projection_keeps_every_separation_among_what_is_seen(part: int) -> None:
    for seed in range(part * 40, part * 40 + 40):
        dag, hidden, selected = hidden_problem(4, seed)
        mag = dag.latent_projection(hidden, selected)
        for a, b in combinations(mag.nodes, 2):
            for given in subsets(node for node in mag.nodes if node not in (a, b)):
                truth = dag.d_separated(a, b, {*given, *selected})
                assert mag.m_separated(a, b, given) == truth
                assert m_separated(mag, a, b, given) == truth
        assert mag.is_maximal()


@pytest.mark.parametrize("seed", range(30))
def test_tails_are_ancestors(seed: int) -> None:
    dag, hidden, selected = hidden_problem(5, seed)
    mag = dag.latent_projection(hidden, selected)
    for one, _, other in mag.edges:
        for a, b in ((one, other), (other, one)):
            above = set(dag.ancestors([b, *selected])) | set(selected)
            assert (mag.mark(b, a) == "tail") == (a in above)


def shapes(names: str, most: int) -> list[list[tuple[str, str]]]:
    """One list of edges of each shape that graphs over some nodes can have."""
    pairs = list(combinations(names, 2))
    found: dict[frozenset[frozenset[str]], list[tuple[str, str]]] = {}
    for size in range(most + 1):
        for edges in combinations(pairs, size):
            forms = (
                frozenset(frozenset(names[order[names.index(v)]] for v in edge) for edge in edges)
                for order in permutations(range(len(names)))
            )
            found.setdefault(min(forms, key=lambda form: sorted(map(sorted, form))), list(edges))
    return list(found.values())


# Every maximal ancestral graph with four nodes, and so every DAG with four that are seen; and those with five
# nodes and few edges.
@pytest.mark.parametrize(
    ("names", "most", "found"), [("ABCD", 6, (11, 42, 663)), ("ABCDE", 5, (20, 190, 2071))]
)
def test_the_class_is_what_all_its_members_share(names: str, most: int, found: tuple[int, int, int]) -> None:
    edges_of = shapes(names, most)
    classes = members = 0
    for edges in edges_of:
        by_model: dict[tuple[bool, ...], list[dw.Mag]] = {}
        for mag in ancestral_graphs(names, edges):
            by_model.setdefault(separations_of(mag), []).append(mag)
        for mags in by_model.values():
            truth = common_marks(mags)
            classes, members = classes + 1, members + len(mags)
            assert truth.is_valid()
            assert truth.mag() in mags
            for mag in mags[:: max(1, len(mags) // 5)]:
                assert mag.pag() == truth
            assert dw.learn(oracle=mags[0], search=dw.FCI()).graph == truth
            assert dw.learn(oracle=mags[-1], search=dw.RFCI()).graph == truth
    assert (len(edges_of), classes, members) == found


def test_an_oracle_answers_by_m_separation() -> None:
    mag = dw.Mag.parse("A -> B; B <-> C; D -> C")
    oracle = dw.graph.as_oracle(mag)
    assert [oracle.independent("A", "C"), oracle.independent("A", "C", "B")] == [True, False]
    assert mag.m_separated_all([Query("A", ["C", "D"]), Query("A", "D", ["B", "C"])]) == [True, False]
