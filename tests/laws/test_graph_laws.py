"""What must hold for every graph, tried on random ones against definitions and slow twins."""

from __future__ import annotations

from itertools import combinations, islice

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from dagwright.graph import Dag, Pdag, Query, UndirectedGraph, random_dag, reference
from dagwright.graph.counting import all_dags, count_equivalence_classes
from dagwright.graph.members import MemberSampler
from dagwright.graph.separation import minimal_separators, separated_all

law = settings(deadline=None, max_examples=50)


@st.composite
def dags(draw: st.DrawFn, most: int = 60) -> Dag:
    n = draw(st.integers(1, most))
    degree = draw(st.floats(0, min(n - 1, 8)))
    return random_dag(n, degree=degree, random_state=draw(st.integers(0, 2**32)))


@st.composite
def queries(draw: st.DrawFn, dag: Dag) -> Query:
    names = draw(st.permutations(dag.nodes))
    x, y = draw(st.integers(1, 2)), draw(st.integers(1, 2))
    size = draw(st.integers(0, 5))
    return Query(names[:x], names[x : x + y], names[x + y : x + y + size])


@st.composite
def partial_graphs(draw: st.DrawFn, most: int = 7) -> Pdag:
    """Essential graphs with some undirected edges directed as one member has them: all have an extension."""
    dag = draw(dags(most).filter(lambda graph: len(graph.edges) <= 10))
    essential = dag.cpdag()
    known = draw(st.sets(st.sampled_from(essential.undirected_edges or ((),))))
    arcs = [edge if edge in dag.edges else edge[::-1] for edge in known if edge]
    edges = [edge for edge in essential.undirected_edges if edge not in known]
    return Pdag(dag.nodes, [*essential.directed_edges, *arcs], edges)


@law
@given(dags())
def test_the_essential_graph_survives_its_extension(dag: Dag) -> None:
    essential = dag.cpdag()
    extension = essential.extension()
    assert extension.cpdag() == essential
    assert extension.skeleton() == dag.skeleton()
    assert extension.v_structures() == dag.v_structures() == essential.v_structures()
    assert essential.is_cpdag()
    assert essential.closed() == essential


@law
@given(dags())
def test_v_structures_and_rules_give_the_essential_graph(dag: Dag) -> None:
    arcs = {arc for a, c, b in dag.v_structures() for arc in ((a, c), (b, c))}
    pattern = Pdag(dag.nodes, arcs, [edge for edge in dag.edges if edge not in arcs])
    closed = pattern.closed()
    assert closed == dag.cpdag()
    assert closed.closed() == closed
    assert pattern.extension().equivalent(dag)


@law
@given(dags(12), dags(12), st.integers(0, 2**32))
def test_equivalence_by_definition_is_equality_of_essential_graphs(dag: Dag, other: Dag, seed: int) -> None:
    for second in (other, dag.cpdag().sample(seed)):
        by_definition = dag.skeleton() == second.skeleton() and dag.v_structures() == second.v_structures()
        same = set(dag.nodes) == set(second.nodes) and by_definition
        assert dag.equivalent(second) == same == (dag.cpdag() == second.cpdag())


@law
@given(st.data())
def test_d_separation_is_separation_in_the_moral_ancestral_graph(data: st.DataObject) -> None:
    dag = data.draw(dags().filter(lambda graph: len(graph) > 3))
    asked = data.draw(st.lists(queries(dag), min_size=1, max_size=10))
    graph = dag.to_networkx()
    for query, answer in zip(asked, separated_all(dag, asked), strict=True):
        assert answer == reference.d_separated(dag, query.x, query.y, query.given)
        assert answer == nx.is_d_separator(graph, set(query.x), set(query.y), set(query.given))
        assert answer == dag.d_separated(query.y, query.x, query.given)
        moral = dag.ancestral(query.x | query.y | query.given).moral()
        assert answer == moral.separated(query.x, query.y, query.given)


@law
@given(dags(25))
def test_non_adjacent_nodes_are_separated_by_the_parents_of_one(dag: Dag) -> None:
    """Jensen & Nielsen 2007, Theorem 7.1."""
    for a, b in combinations(dag.nodes, 2):
        by_parents = any(
            not dag.adjacent(x, y) and dag.d_separated(x, y, set(dag.parents(x)) - {y})
            for x, y in ((a, b), (b, a))
        )
        assert by_parents == (not dag.adjacent(a, b))


@law
@given(dags(25).filter(lambda graph: len(graph) > 1))
def test_a_markov_blanket_shields_its_node(dag: Dag) -> None:
    for node in dag.nodes:
        blanket = dag.markov_blanket(node)
        rest = set(dag.nodes) - {node, *blanket}
        assert not rest or dag.d_separated(node, rest, blanket)
        assert set(blanket) == set(dag.moral().neighbors(node))


@law
@given(dags(7).filter(lambda graph: len(graph) > 1))
def test_minimal_separators_are_all_and_only_those(dag: Dag) -> None:
    for graph in (dag, dag.moral()):
        for x, y in combinations(graph.nodes, 2):
            others = sorted(set(graph.nodes) - {x, y})
            separate = dag.d_separated if graph is dag else dag.moral().separated
            every = [
                frozenset(given)
                for size in range(len(others) + 1)
                for given in combinations(others, size)
                if separate(x, y, given)
            ]
            minimal = {one for one in every if not any(other < one for other in every)}
            found = list(minimal_separators(graph, x, y))
            assert len(found) == len(set(found))
            assert set(found) == minimal


@law
@given(dags(), st.randoms())
def test_orders_and_texts(dag: Dag, random: object) -> None:
    place = {node: at for at, node in enumerate(dag.topological_order())}
    assert all(place[parent] < place[child] for parent, child in dag.edges)
    assert dag.topological_order() == tuple(nx.lexicographical_topological_sort(dag.to_networkx()))
    assert Dag.parse(dag.to_string()).edges == dag.edges
    shuffled = sorted(dag.nodes, key=lambda _: random.random())  # type: ignore[attr-defined]
    assert Dag(shuffled, dag.edges) == dag


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_essential_graphs_are_the_intersection_over_all_members(n: int) -> None:
    names = "ABCDE"[:n]
    classes: dict[Pdag, list[Dag]] = {}
    for arcs in all_dags(n):
        dag = Dag(list(names), [(names[a], names[b]) for a, b in arcs])
        classes.setdefault(dag.cpdag(), []).append(dag)
    assert len(classes) == count_equivalence_classes(n)
    for essential, members in classes.items():
        assert essential == reference.common_arcs(members)
        assert essential.count() == len(members)


@law
@given(partial_graphs())
def test_members_of_graphs_with_knowledge(graph: Pdag) -> None:
    expected = reference.members(graph)
    listed = list(graph.members())
    assert set(listed) == set(expected)
    assert len(listed) == len(expected) == graph.count()
    assert graph.closed() == reference.common_arcs(expected)
    assert graph.extension() in expected
    assert graph.sample(1) in expected


@law
@given(st.data())
def test_extension_exists_exactly_when_a_member_does(data: st.DataObject) -> None:
    """Arbitrary mixtures of directed and undirected edges, most of them in conflict."""
    dag = data.draw(dags(7).filter(lambda graph: len(graph.edges) <= 9))
    directed = data.draw(st.sets(st.sampled_from(dag.edges or ((),))))
    arcs = [edge for edge in directed if edge]
    graph = Pdag(dag.nodes, arcs, [edge for edge in dag.edges if edge not in directed])
    assert graph.has_extension() == bool(reference.members(graph))


@law
@given(dags(7))
def test_counting_agrees_with_listing(dag: Dag) -> None:
    essential = dag.cpdag()
    count = essential.count()
    if count <= 200:
        assert count == len(set(essential.members()))
    else:
        assert len(set(islice(essential.members(), 200))) == 200


@settings(deadline=None, max_examples=15)
@given(st.integers(8, 30), st.integers(0, 2**32))
def test_the_two_directions_of_an_edge_share_the_members(n: int, seed: int) -> None:
    """On a random chordal graph: each new node is joined to a clique of earlier ones."""
    rng = np.random.default_rng(seed)
    earlier: list[list[int]] = [[]]
    for node in range(1, n):
        anchor = int(rng.integers(node))
        earlier.append([anchor, *(other for other in earlier[anchor] if rng.random() < 0.5)])
    edges = [(f"N{a:02}", f"N{b:02}") for b, joined in enumerate(earlier) for a in joined]
    names = [f"N{i:02}" for i in range(n)]
    assert UndirectedGraph(names, edges).is_chordal()
    whole = Pdag(names, [], edges)
    halves = [Pdag(names, [arc], edges[1:]) for arc in (edges[0], edges[0][::-1])]
    assert whole.count() == sum(half.count() for half in halves)


@pytest.mark.parametrize(
    "text",
    [
        "A -- B -- C -- D; B -- D; D -- E",
        "A -- B; A -- C; A -- D; B -- C; B -- D; C -- D; D -- E; C -- E",
        "A -- B; A -- C; B -- C; B -- D; C -- D; C -- E; D -- E; E -- F",
        "I -- J; I -- K; I -- L; K -> L; L -- J; M -> K; M -> I",
    ],
)
def test_members_are_drawn_uniformly(text: str) -> None:
    graph = Pdag.parse(text)
    sampler = MemberSampler(graph)
    rng = np.random.default_rng(11)
    members = dict.fromkeys(graph.members(), 0)
    for _ in range(60 * len(members)):
        members[sampler.draw(rng)] += 1
    assert stats.chisquare(list(members.values())).pvalue > 1e-3
