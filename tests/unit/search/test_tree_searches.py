"""Branchings, Chow & Liu trees, tree-augmented classifiers and polytrees."""

from __future__ import annotations

import itertools
import signal
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from ctrl_c import InterruptedScore
from dagwright import _core
from dagwright.errors import OptionError, UnknownNameError
from dagwright.search.branching import maximum_branching
from dagwright.search.polytree import _separated_pairs

ASIA = dw.read(dw.sample_path("asia"))


def is_cyclic(parents: list[int | None]) -> bool:
    for node in range(len(parents)):
        above: int | None = node
        for _ in parents:
            above = None if above is None else parents[above]
        if above is not None:
            return True
    return False


def heaviest(weights: np.ndarray) -> float:
    n = len(weights)
    choices = [[None, *(u for u in range(n) if np.isfinite(weights[u, v]))] for v in range(n)]
    return max(
        sum(weights[u, v] for v, u in enumerate(parents) if u is not None)
        for parents in itertools.product(*choices)
        if not is_cyclic(list(parents))
    )


@pytest.mark.parametrize("seed", range(40))
def test_a_branching_is_the_heaviest(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 6))
    weights = rng.normal(1.0, 2.0, (n, n))
    if seed % 2:
        weights = (weights + weights.T) / 2
    weights[rng.random((n, n)) < 0.25] = -np.inf
    np.fill_diagonal(weights, -np.inf)
    parents = maximum_branching(weights)
    assert not is_cyclic(parents)
    total = sum(weights[u, v] for v, u in enumerate(parents) if u is not None)
    assert total == pytest.approx(heaviest(weights))


def test_a_node_that_must_have_a_parent_has_one() -> None:
    weights = np.array([[-np.inf, -5.0], [1.0, -np.inf]])
    assert maximum_branching(weights) == [1, None]
    assert maximum_branching(weights, np.array([True, False])) == [None, 0]


def test_gains_of_edges_do_not_depend_on_batches_or_threads() -> None:
    score = dw.BDeu(ess=3).on(ASIA).native
    found = _core.edge_gains(score)
    whole = found.matrix
    assert whole is not None
    assert found.stopped is None
    for size, threads in ((1, 1), (2, 2), (3, 1), (7, 2), (1000, 2)):
        again = _core.edge_gains(score, threads=threads, pairs_per_batch=size)
        assert again.matrix is not None
        assert np.array_equal(again.matrix, whole)
    assert np.array_equal(whole, whole.T)
    stopped = _core.edge_gains(score, seconds=0.0)
    assert (stopped.matrix, stopped.stopped) == (None, _core.Stop.deadline)
    with pytest.raises(ValueError, match="at least one pair"):
        _core.edge_gains(score, pairs_per_batch=0)


def test_gains_of_edges_are_mutual_informations() -> None:
    gains = _core.edge_gains(dw.LogLik().on(ASIA).native, [2]).matrix
    assert gains is not None
    names = ASIA.names
    for x, y in itertools.permutations(range(len(names)), 2):
        expected = (
            0.0
            if 2 in (x, y)
            else ASIA.N * dw.conditional_mutual_information(ASIA, names[x], names[y], names[2])
        )
        assert gains[x, y] == pytest.approx(expected, abs=1e-8)


def test_the_root_is_chosen_or_found() -> None:
    trees = [dw.learn(ASIA, search=dw.ChowLiu(root=name)).graph for name in ASIA.names]
    for name, tree in zip(ASIA.names, trees, strict=True):
        assert tree.parents(name) == ()
        assert len(tree.edges) == 7
        assert tree.skeleton() == trees[0].skeleton()
        assert all(len(tree.parents(other)) == 1 for other in ASIA.names if other != name)
    free = dw.learn(ASIA, search=dw.ChowLiu()).graph
    assert free.parents("either") == ()
    with pytest.raises(UnknownNameError, match="unknown root 'lunge'; did you mean 'lung'"):
        dw.learn(ASIA, search=dw.ChowLiu(root="lunge"))


def test_a_forest_leaves_out_what_is_not_worth_it() -> None:
    rng = np.random.default_rng(1)
    data = {name: list(rng.integers(0, 3, 200)) for name in "abcd"}
    data["e"] = data["a"]
    whole = dw.learn(data, search=dw.ChowLiu()).graph
    assert len(whole.edges) == 4
    for score, forest in ((dw.BIC(), True), (None, dw.GSquare(alpha=0.001)), (None, dw.BIC())):
        found = dw.learn(data, score=score, search=dw.ChowLiu(forest=forest)).graph
        assert [sorted(edge) for edge in found.edges] == [["a", "e"]]
    with pytest.raises(OptionError, match="forest takes True, False, a test or a score"):
        dw.ChowLiu(forest=3)


def test_a_starting_graph_is_not_used_and_that_is_said() -> None:
    found = dw.learn(ASIA, search=dw.ChowLiu(), start=dw.Dag(ASIA.names))
    assert any("start was not used" in warning for warning in found.warnings)


def test_knowledge_shapes_the_tree() -> None:
    known = dw.Knowledge(required=["asia -- xray", "dysp -> bronc"], forbidden=["either -- tub"])
    found = dw.learn(ASIA, search=dw.ChowLiu(), knowledge=known).graph
    assert len(found.edges) == 7
    assert all(len(found.parents(name)) <= 1 for name in ASIA.names)
    assert ("dysp", "bronc") in found.edges
    assert found.skeleton().adjacent("asia", "xray")
    several = dw.Knowledge(required=["asia -> xray", "tub -> xray"])
    more = dw.learn(ASIA, search=dw.ChowLiu(), knowledge=several)
    assert "knowledge requires several parents of xray: this is no tree" in more.warnings
    assert set(more.graph.parents("xray")) == {"asia", "tub"}
    rooted = dw.learn(ASIA, search=dw.ChowLiu(root="xray"), knowledge=several)
    assert any("parents of the root xray" in warning for warning in rooted.warnings)


def test_classifiers_keep_the_class_outside_the_tree() -> None:
    tan = dw.learn(ASIA, search=dw.TAN("bronc", root="xray")).graph
    features = [name for name in ASIA.names if name != "bronc"]
    assert tan.parents("bronc") == ()
    assert all("bronc" in tan.parents(name) for name in features)
    assert tan.parents("xray") == ("bronc",)
    assert all(len(tan.parents(name)) == 2 for name in features if name != "xray")
    fan = dw.learn(ASIA, search=dw.FAN("bronc")).graph
    assert set(fan.skeleton().edges) < set(tan.skeleton().edges)
    tested = dw.learn(ASIA, search=dw.FAN("bronc", by=dw.GSquare(alpha=1e-12))).graph
    assert len(tested.edges) < len(tan.edges)
    for search in (dw.TAN("nobody"), dw.TAN("bronc", root="nobody")):
        with pytest.raises(UnknownNameError):
            dw.learn(ASIA, search=search)
    with pytest.raises(OptionError, match="the root is a feature, not the class 'bronc'"):
        dw.FAN("bronc", root="bronc")


def test_a_class_that_knowledge_keeps_from_a_feature() -> None:
    known = dw.Knowledge(forbidden=["bronc -> asia"], required=["smoke -> bronc"])
    found = dw.learn(ASIA, search=dw.TAN("bronc"), knowledge=known)
    assert any("from being a parent of asia, smoke" in warning for warning in found.warnings)
    assert ("smoke", "bronc") in found.graph.edges


def polytree_joint(*, weak: bool = False) -> np.ndarray:
    a, b, c, d = np.ix_(*[[0, 1]] * 4)
    cause = np.where(a == 1, 0.6, 0.4) * np.where(b == 1, 0.3, 0.7)
    strength = 0.55 if weak else 0.9
    return cause * np.where(c == (a | b), strength, 1 - strength) * np.where(d == c, 0.8, 0.2)


def test_a_polytree_is_recovered_from_its_distribution() -> None:
    data = dw.Table.from_distribution(polytree_joint(), list("ABCD"), sample_size=5000)
    found = dw.learn(data, search=dw.Polytree())
    assert str(found.graph) == "A -> C; B -> C; C -> D"
    assert [(one.x, one.y, one.given) for one in found.separations] == [("A", "B", ())]
    assert found.warnings == ()


def test_a_polytree_leaves_a_chain_undirected_and_isolated_variables_alone() -> None:
    a, b, c = np.ix_(*[[0, 1]] * 3)
    chain = 0.5 * np.where(a == b, 0.8, 0.2) * np.where(b == c, 0.8, 0.2)
    joint = chain[..., None] * np.array([0.3, 0.7])
    data = dw.Table.from_distribution(joint, list("abcd"), sample_size=1000)
    found = dw.learn(data, search=dw.Polytree()).graph
    assert found.undirected_edges == (("a", "b"), ("b", "c"))
    assert found.directed_edges == ()
    joined = dw.learn(data, search=dw.Polytree(forest=False)).graph
    assert len(joined.skeleton().edges) == 3


def test_contradictions_of_a_polytree_are_flagged() -> None:
    # Both ends of b - c look like colliders: a and c are independent, b and d are too.
    rng = np.random.default_rng(3)
    a, d, hidden = (rng.integers(0, 2, 4000) for _ in range(3))
    b, c = a + 2 * hidden, d + 2 * hidden
    data = {"a": list(a), "b": list(b), "c": list(c), "d": list(d)}
    found = dw.learn(data, search=dw.Polytree())
    assert found.notes["conflicts"]
    assert any("conflicting collider orientations" in warning for warning in found.warnings)


def test_a_polytree_needs_weights() -> None:
    with pytest.raises(OptionError, match="which an oracle does not give"):
        dw.learn(oracle=dw.Dag.parse("A -> C <- B"), search=dw.Polytree())


@pytest.mark.parametrize(
    ("search", "at"),
    [(dw.ChowLiu(), 1), (dw.TAN("lung"), 1), (dw.FAN("lung"), 1), (dw.MdlSearch(), 1), (dw.MdlSearch(), 5)],
)
def test_ctrl_c_leaves_what_knowledge_demands(search: Any, at: int) -> None:
    known = dw.Knowledge(required=["smoke -> lung"])
    found = dw.learn(ASIA, score=InterruptedScore(at), search=search, knowledge=known)
    assert found.stopped == "cancelled"
    assert ("smoke", "lung") in found.graph.edges
    assert found.score == pytest.approx(dw.score(found.graph, ASIA, dw.BIC()).total)


def test_ctrl_c_with_the_last_batch_comes_too_late() -> None:
    found = dw.learn(ASIA, score=InterruptedScore(2), search=dw.ChowLiu())
    assert found.stopped is None
    assert found.graph == dw.learn(ASIA, score=dw.BIC(), search=dw.ChowLiu()).graph


class InterruptedTest:
    """G2; Ctrl-C arrives with its second batch."""

    def __init__(self) -> None:
        self.batches = 0

    def on(self, data: Any) -> InterruptedTest:
        self.bound = dw.GSquare().on(data)
        return self

    def test(self, queries: Any) -> Any:
        self.batches += 1
        if self.batches == 2:
            signal.raise_signal(signal.SIGINT)
        return self.bound.test(queries)


def test_ctrl_c_and_deadlines_while_edges_are_tested() -> None:
    found = dw.learn(ASIA, search=dw.ChowLiu(forest=InterruptedTest()))
    assert found.stopped == "cancelled"
    assert found.graph.edges == ()
    assert dw.learn(ASIA, search=dw.FAN("lung", by=InterruptedTest())).stopped == "cancelled"
    assert dw.learn(ASIA, search=dw.Polytree(), time_limit=0.0).graph.skeleton().edges == ()


def joined_with(graph: Any, node: str) -> set[str]:
    return {other for other in graph.nodes if other != node and graph.adjacent(node, other)}


@pytest.mark.parametrize("forest", [False, True, dw.GSquare()])
def test_a_constant_column_is_not_joined(forest: Any) -> None:
    data = {"a": [0, 1] * 30, "b": [0, 1, 1, 0] * 15, "c": ["same"] * 60, "d": [0, 1] * 30}
    once = dw.read(data, states={"d": [0, 1], "c": ["same", "never"]})
    for table in (data, once):
        tree = dw.learn(table, search=dw.ChowLiu(forest=forest)).graph
        assert not joined_with(tree, "c") and tree.adjacent("a", "d")
        if forest is False:
            assert len(tree.edges) == 2  # the others are joined, also by edges that say nothing
    known = dw.learn(
        data, search=dw.ChowLiu(forest=forest), knowledge=dw.Knowledge(required=["c -- a"])
    ).graph
    assert known.adjacent("a", "c")


def test_a_constant_feature_hangs_on_the_class_alone() -> None:
    data = {"y": [0, 1] * 30, "a": [0, 1, 1, 0] * 15, "b": [0, 1, 1, 0] * 15, "c": ["same"] * 60}
    for search in (dw.TAN("y"), dw.FAN("y")):
        assert joined_with(dw.learn(data, search=search).graph, "c") <= {"y"}


@pytest.mark.parametrize("edges", [["a -- b", "b -- c", "a -- c"], ["a -- b", "b -- c", "c -- d", "a -- d"]])
def test_required_edges_that_close_a_circle_end_the_check_of_a_polytree(edges: list[str]) -> None:
    """The walk over paths visits each variable once: round a circle it would go on for ever."""
    table = dw.random_network(list("abcde"), arcs=4, random_state=2).sample(400, random_state=1)
    found = dw.learn(table, search=dw.Polytree(), knowledge=dw.Knowledge(required=edges), time_limit=60)
    assert found.stopped is None
    for edge in edges:
        assert found.graph.adjacent(*edge.split(" -- "))


@pytest.mark.parametrize("seed", range(6))
def test_separated_pairs_are_those_of_the_graph(seed: int) -> None:
    """In a polytree the walk finds what d-separation finds; a circle adds no pair that the graph joins."""
    dag = dw.random_dag(6, degree=1.2, random_state=seed)
    names = list(dag.nodes)
    parents = [{names.index(parent) for parent in dag.parents(name)} for name in names]
    skeleton = {frozenset((one, other)) for one, above in enumerate(parents) for other in above}
    for question in _separated_pairs(parents):
        x, y, given = question[0], question[1], question[2]
        assert frozenset((x, y)) not in skeleton
        if len(skeleton) == len(names) - 1 - _pieces_less_one(len(names), skeleton):  # no circle
            assert dag.d_separated(names[x], names[y], [names[v] for v in given])


def _pieces_less_one(n: int, edges: set[frozenset[int]]) -> int:
    home = list(range(n))
    for one, other in map(sorted, edges):
        home = [home[one] if where == home[other] else where for where in home]
    return len(set(home)) - 1


def test_two_columns() -> None:
    data = {"a": [0, 1] * 20, "b": [0, 1] * 20}
    for search in (dw.ChowLiu(), dw.Polytree(), dw.MdlSearch(), dw.MdlSearch("every-dag")):
        assert len(dw.learn(data, search=search).graph.skeleton().edges) == 1
    assert dw.learn(data, search=dw.TAN("a")).graph.edges == (("a", "b"),)
