"""Laws of knowledge, checked against every DAG on four nodes."""

from __future__ import annotations

from functools import cache
from itertools import pairwise, permutations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dagwright.graph.dag import Dag
from dagwright.knowledge import Knowledge, apply_knowledge

NAMES = ("A", "B", "C", "D")

nodes = st.sampled_from(NAMES)
edges = st.tuples(nodes, st.sampled_from(["->", "--"]), nodes).filter(lambda edge: edge[0] != edge[2])
node_lists = st.lists(nodes, unique=True, max_size=4)


@st.composite
def tier_lists(draw: st.DrawFn) -> list[dict[str, Any]]:
    order = draw(st.permutations(NAMES))
    cuts = sorted(draw(st.lists(st.integers(0, 4), max_size=3)))
    bounds = [0, *cuts, draw(st.integers(max([0, *cuts]), 4))]
    return [
        {"nodes": list(order[start:end]), "inner": draw(st.booleans())} for start, end in pairwise(bounds)
    ]


knowledges = st.builds(
    Knowledge,
    required=st.lists(edges, max_size=4),
    forbidden=st.lists(edges, max_size=3),
    tiers=st.none() | tier_lists(),
    order=st.none() | node_lists,
    partial_order=st.none()
    | st.lists(st.permutations(NAMES).map(lambda order: tuple(order[:2])), max_size=2),
    roots=st.lists(nodes, max_size=1),
    leaves=st.lists(nodes, max_size=1),
    max_parents=st.none() | st.integers(0, 3) | st.dictionaries(nodes, st.integers(0, 2), max_size=3),
    allowed=st.none() | st.lists(edges, min_size=3, max_size=8),
    independent=st.lists(
        st.permutations(NAMES).map(lambda order: (order[0], order[1], order[2:])), max_size=1
    ),
)


@cache
def every_dag() -> tuple[Dag, ...]:
    """All 543 DAGs on four labeled nodes, from subsets of the arcs along each order."""
    found = set()
    for order in permutations(NAMES):
        arcs = [(order[i], order[j]) for i in range(4) for j in range(i + 1, 4)]
        for chosen in range(2**6):
            found.add(frozenset(arc for bit, arc in enumerate(arcs) if chosen >> bit & 1))
    assert len(found) == 543
    return tuple(Dag(NAMES, sorted(arcs)) for arcs in found)


def obeys(known: Knowledge, dag: Dag) -> bool:
    """The definition, statement by statement, without anything the library compiles."""
    arcs = set(dag.edges)
    pairs = {frozenset(arc) for arc in arcs}
    for statement in known:
        said: Any = statement
        match statement.kind:
            case "required":
                edge = (said.edge.tail, said.edge.head)
                good = edge in arcs if said.edge.directed else frozenset(edge) in pairs
            case "forbidden":
                edge = (said.edge.tail, said.edge.head)
                good = edge not in arcs if said.edge.directed else frozenset(edge) not in pairs
            case "tiers":
                level = {node: at for at, tier in enumerate(said.tiers) for node in tier.nodes}
                inside = [(level[a], level[b]) for a, b in arcs if a in level and b in level]
                good = all(a < b or (a == b and said.tiers[a].inner) for a, b in inside)
            case "order":
                place = {node: at for at, node in enumerate(said.nodes)}
                good = all(place[a] < place[b] for a, b in arcs if a in place and b in place)
            case "partial_order":
                before = set(said.pairs)
                for _ in NAMES:
                    before |= {(a, d) for a, b in before for c, d in before if b == c}
                members = {end for pair in said.pairs for end in pair}
                good = all((a, b) in before for a, b in arcs if {a, b} <= members)
            case "roots":
                good = not dag.parents(said.node)
            case "leaves":
                good = not dag.children(said.node)
            case "max_parents":
                bounded = NAMES if said.node == "*" else (said.node,)
                good = all(len(dag.parents(node)) <= said.most for node in bounded)
            case "allowed":
                space = {(edge.tail, edge.head) for edge in said.edges}
                space |= {(edge.head, edge.tail) for edge in said.edges if not edge.directed}
                good = arcs <= space
            case "independent":
                (one,), (other,) = said.sides
                good = frozenset((one, other)) not in pairs
        if not good:
            return False
    return True


def orders_agree(known: Knowledge) -> bool:
    steps: set[tuple[str, str]] = set()
    for statement in known:
        said: Any = statement
        if statement.kind == "tiers":
            tiers = [tier.nodes for tier in said.tiers]
            steps |= {
                (a, b) for i, low in enumerate(tiers) for high in tiers[i + 1 :] for a in low for b in high
            }
        elif statement.kind == "order":
            steps |= {(a, b) for i, a in enumerate(said.nodes) for b in said.nodes[i + 1 :]}
        elif statement.kind == "partial_order":
            steps |= set(said.pairs)
    for _ in NAMES:
        steps |= {(a, d) for a, b in steps for c, d in steps if b == c}
    return all(a != b for a, b in steps)


@settings(max_examples=150, deadline=None)
@given(knowledges)
def test_knowledge_is_accepted_exactly_when_some_dag_obeys_it(known: Knowledge) -> None:
    obeying = [dag for dag in every_dag() if obeys(known, dag)]
    conflicts = known.conflicts(NAMES)
    assert (not conflicts) == (bool(obeying) and orders_agree(known))
    if conflicts:
        return
    resolved = known.resolve(NAMES)
    assert resolved.count_dags() == len(obeying)
    assert known.check(resolved.initial_dag()) == []
    # Where no edge is left open, every arc is decided rightly.
    for source, target in permutations(NAMES, 2):
        if not resolved.allows_arc(source, target):
            assert all((source, target) not in dag.edges for dag in obeying)
    for arc in resolved.required_arcs:
        assert all(arc in dag.edges for dag in obeying)


@settings(max_examples=100, deadline=None)
@given(knowledges)
def test_check_agrees_with_the_families_and_with_the_definition(known: Knowledge) -> None:
    if known.conflicts(NAMES):
        return
    resolved = known.resolve(NAMES)
    for dag in every_dag()[::7]:
        families = all(resolved.allows(child, dag.parents(child)) for child in NAMES)
        adjacent = {frozenset(arc) for arc in dag.edges}
        edges = all(frozenset(edge) in adjacent for edge in resolved.required_links)
        accepted = resolved.check(dag) == []
        assert accepted == (families and edges)
        assert accepted == obeys(known, dag)


@settings(max_examples=150, deadline=None)
@given(knowledges)
def test_each_conflict_is_irreducible(known: Knowledge) -> None:
    """The statements a conflict names contradict each other by themselves, but not when one is left out."""
    by_pair = {"tiers", "order", "partial_order", "allowed"}  # cited by the pair concerned, not as a whole
    by_words = {str(statement): statement for statement in known if statement.kind not in by_pair}
    for conflict in known.conflicts(NAMES):
        if not set(conflict.statements) <= set(by_words):
            continue
        named = [by_words[words] for words in conflict.statements]
        assert only(named).conflicts(NAMES)
        for left_out in named:
            assert not only([statement for statement in named if statement != left_out]).conflicts(NAMES)


def only(statements: list[Any]) -> Knowledge:
    return Knowledge(
        required=[said.edge for said in statements if said.kind == "required"],
        forbidden=[said.edge for said in statements if said.kind == "forbidden"],
        roots=[said.node for said in statements if said.kind == "roots"],
        leaves=[said.node for said in statements if said.kind == "leaves"],
        max_parents={said.node: said.most for said in statements if said.kind == "max_parents"},
        independent=[(*said.sides, said.given) for said in statements if said.kind == "independent"],
    )


@settings(max_examples=60, deadline=None)
@given(knowledges, knowledges, st.sampled_from(["toml", "json"]))
def test_files_and_merging_keep_everything(one: Knowledge, other: Knowledge, ending: str) -> None:
    both = one + other
    assert both == other + one
    assert both + one == both
    assert eval(repr(both)) == both
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"known.{ending}"
        both.save(path)
        assert Knowledge.load(path) == both


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.text(min_size=1, max_size=6), min_size=4, max_size=4, unique=True),
    st.sampled_from(["toml", "json"]),
)
def test_any_names_can_be_written_and_read(names: list[str], ending: str) -> None:
    a, b, c, d = names
    known = Knowledge(
        required=[(a, b), (c, "--", d)],
        forbidden=[(d, a)],
        tiers=[[a], {"nodes": [b, c], "inner": False}],
        order=names,
        partial_order=[(a, b)],
        roots=[a],
        max_parents={d: 2},
        allowed=[(a, "--", c)],
        independent=[(a, [c, d], [b]), {"nodes": [b, d]}],
        groups={a: [b]},
    )
    assert eval(repr(known)) == known
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"known.{ending}"
        known.save(path)
        assert Knowledge.load(path) == known


@settings(max_examples=60, deadline=None)
@given(knowledges, st.permutations(NAMES))
def test_positions_of_the_variables_do_not_matter(known: Knowledge, names: list[str]) -> None:
    assert known.conflicts(names) == known.conflicts(NAMES)
    if not known.conflicts(NAMES):
        moved, still = known.resolve(names), known.resolve(NAMES)
        assert moved.forbidden_arcs == still.forbidden_arcs
        assert moved.initial_dag(NAMES) == still.initial_dag()


@settings(max_examples=60, deadline=None)
@given(st.sets(st.tuples(nodes, nodes).filter(lambda edge: edge[0] < edge[1])), st.permutations(NAMES))
def test_names_do_not_direct_free_edges(edges: set[tuple[str, str]], new: list[str]) -> None:
    name = dict(zip(NAMES, new, strict=True))
    known = Knowledge(required=[(a, "--", b) for a, b in edges]).resolve(NAMES)
    renamed = Knowledge(required=[(name[a], "--", name[b]) for a, b in edges]).resolve(new)
    arcs = {(name[a], name[b]) for a, b in known.initial_dag().edges}
    assert set(renamed.initial_dag().edges) == arcs


@settings(max_examples=100, deadline=None)
@given(
    st.integers(0, 542), st.lists(st.tuples(nodes, nodes).filter(lambda arc: arc[0] != arc[1]), max_size=4)
)
def test_applied_knowledge_directs_what_all_remaining_members_agree_on(
    at: int, arcs: list[tuple[str, str]]
) -> None:
    """Meek (1995): the closure is the intersection of the members that obey the knowledge."""
    dag = every_dag()[at]
    known = Knowledge(forbidden=[arc for arc in arcs if arc not in dag.edges])
    cpdag = dag.cpdag()
    applied = apply_knowledge(cpdag, known)
    members = [member for member in cpdag.members() if obeys(known, member)]
    common = set.intersection(*(set(member.edges) for member in members))
    assert set(applied.graph.directed_edges) == common
    assert applied.conflicts == ()
    assert sorted((*applied.by_data, *applied.by_knowledge, *applied.by_rules)) == sorted(common)
    assert applied.by_data == cpdag.directed_edges


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 542), knowledges)
def test_applied_knowledge_always_holds(at: int, known: Knowledge) -> None:
    if known.conflicts(NAMES):
        return
    applied = apply_knowledge(every_dag()[at].cpdag(), known)
    broken = known.check(applied.graph)
    assert all("max_parents" in violation.reason for violation in broken)
    assert {str(violation) for violation in broken} <= set(applied.conflicts)
    parts = [set(part) for part in (applied.by_data, applied.by_knowledge, applied.by_rules)]
    assert set.union(*parts) == set(applied.graph.directed_edges)
    assert sum(map(len, parts)) == len(applied.graph.directed_edges)
