"""The one form of confidence: what it says, what it refuses, what survives a file."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dagwright as dw
from dagwright import testing
from dagwright.confidence import Confidence, Estimate
from dagwright.errors import FormatError, OptionError, UnknownNameError
from dagwright.learning.resampling.bootstrapping import strengths_of
from dagwright.learning.resampling.strengths import ReplicateGraph, frequencies
from dagwright.search.pipeline import Prepared

NODES = ("A", "B", "C")
ARCS = np.array([[0.0, 0.6, 0.0], [0.3, 0.0, 0.7], [0.0, 0.1, 0.0]])
SURE = Confidence(NODES, ARCS, source="made up")


def random_confidence(seed: int, n: int = 6) -> Confidence:
    rng = np.random.default_rng(seed)
    share = rng.dirichlet(np.ones(4), size=(n, n))
    upper = np.triu(np.ones((n, n)), 1)
    arcs = share[..., 0] * upper + (share[..., 1] * upper).T
    undirected = share[..., 2] * upper
    return Confidence(
        tuple(f"n{i}" for i in range(n)), arcs, source="random", undirected=undirected + undirected.T
    )


def test_strength_and_direction() -> None:
    assert SURE.strength("A", "B") == SURE.strength("B", "A") == pytest.approx(0.9)
    assert SURE.direction("A", "B") == pytest.approx(2 / 3)
    assert SURE.direction("A", "C") == 0.5
    assert [(one.start, one.end) for one in SURE.edges(0.75)] == [("A", "B"), ("B", "C")]
    assert SURE.interval("A", "B") == (SURE.strength("A", "B"),) * 2


def test_shares_of_all_replicates_add_up_to_one() -> None:
    whole = 200
    for forth in range(whole + 1):
        for back in range(0, whole + 1 - forth, 7):
            for open_ in {whole - forth - back, (whole - forth - back) // 2}:
                sure = Confidence(
                    ("A", "B"),
                    [[0.0, forth / whole], [back / whole, 0.0]],
                    source="counted",
                    undirected=[[0.0, open_ / whole], [open_ / whole, 0.0]],
                    effective_samples=whole,
                )
                assert sure.strength("A", "B") == (forth + back + open_) / whole
    graph = {"forth": ((0, 1),), "back": ((1, 0),)}
    graphs = [ReplicateGraph(graph["forth"], ())] * 146 + [ReplicateGraph(graph["back"], ())] * 28
    graphs += [ReplicateGraph((), graph["forth"])] * 26
    found = frequencies(("A", "B"), graphs, "counted", keep=False)
    assert found.edges()[0].strength == 1.0
    assert found.edge_errors is not None
    assert not found.edge_errors.any()


def test_undecided_edges_count_half_each_way() -> None:
    half = np.array([[0.0, 0.4], [0.4, 0.0]])
    sure = Confidence(("A", "B"), [[0.0, 0.6], [0.0, 0.0]], source="classes", undirected=half)
    assert sure.strength("A", "B") == pytest.approx(1.0)
    assert sure.direction("A", "B") == pytest.approx(0.8)


def test_intervals_of_samples() -> None:
    errors = np.full((3, 3), 0.01) - np.diag([0.01] * 3)
    sure = Confidence(NODES, ARCS, source="sampled", edge_errors=errors, effective_samples=900.0)
    low, high = sure.interval("A", "B")
    assert low == pytest.approx(0.9 - 1.96 * 0.01, abs=2e-3)
    assert high == pytest.approx(0.9 + 1.96 * 0.01, abs=2e-3)
    assert sure.interval("A", "C")[0] == 0.0
    never = Confidence(NODES, ARCS, source="sampled", effective_samples=100.0)
    assert 0.0 < never.interval("A", "C")[1] < 0.05
    narrow, wide = never.interval("A", "B", 0.5), never.interval("A", "B", 0.99)
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


def test_the_consensus_breaks_the_weakest_edge_of_a_cycle() -> None:
    cycle = Confidence(NODES, [[0, 0.9, 0], [0, 0, 0.8], [0.6, 0.05, 0]], source="a cycle")
    assert cycle.consensus() == dw.Dag.parse("A -> B -> C; A -> C")
    one_way = dw.Knowledge(forbidden=[("A", "C")])
    assert cycle.consensus(knowledge=one_way) == dw.Dag.parse("A -> B -> C")
    assert cycle.consensus(0.88) == dw.Dag.parse("A -> B; C")


@given(st.integers(0, 10_000), st.floats(0.0, 1.0))
def test_the_consensus_is_acyclic_and_obeys_knowledge(seed: int, threshold: float) -> None:
    sure = random_confidence(seed)
    known = testing.random_knowledge(sure.nodes, np.random.default_rng(seed))
    graph = sure.consensus(threshold, knowledge=known)
    assert not known.check(graph)
    assert set(graph.nodes) == set(sure.nodes)


def test_a_file_gives_everything_back() -> None:
    zeros = np.zeros((3, 3))
    sure = Confidence(
        NODES,
        ARCS,
        source="all fields",
        undirected=zeros,
        arc_errors=zeros,
        edge_errors=zeros,
        effective_samples=12.5,
        paths=ARCS,
        blankets=ARCS + ARCS.T,
        v_structures={("A", "B", "C"): 0.25},
        features={"loop": Estimate(0.5, 0.01)},
    )
    assert Confidence.from_json(sure.to_json()) == sure
    assert pickle.loads(pickle.dumps(sure)) == sure
    assert hash(Confidence.from_json(sure.to_json())) == hash(sure)
    assert sure != SURE
    assert sure.v_structure("C", "B", "A") == 0.25
    assert sure.v_structure("A", "C", "B") == 0.0
    assert sure.path("A", "B") == 0.6
    assert sure.in_blanket("A", of="B") == pytest.approx(0.9)
    for broken in ("{", "[]", '{"format": "dagwright-confidence", "format_version": 9}'):
        with pytest.raises(FormatError):
            Confidence.from_json(broken)
    with pytest.raises(FormatError, match="without the field 'nodes'"):
        Confidence.from_json('{"format": "dagwright-confidence", "format_version": 1}')


def test_comparison() -> None:
    other = Confidence(("C", "B", "A"), ARCS[::-1, ::-1] * 0.5, source="half")
    difference = SURE.compare(other)
    assert difference.largest == pytest.approx(0.35)
    assert difference.largest_strength == pytest.approx(0.45)
    assert difference.above(0.3)[0][:2] == ("B", "C")
    assert "B -> C  0.700 and 0.350" in str(difference)
    exact = {frozenset(one[:2]) for one in difference.edges_apart()}
    assert exact == {frozenset(one[:2]) for one in SURE.edges(1e-9)}, "exact numbers differ by themselves"
    few = [
        Confidence(nodes, arcs, source="few", effective_samples=20)
        for nodes, arcs in ((NODES, ARCS), (("C", "B", "A"), ARCS[::-1, ::-1] * 0.5))
    ]
    for one in few[0].compare(few[1]).edges_apart():
        bounds = sorted(sure.interval(one.start, one.end) for sure in few)
        assert bounds[0][1] < bounds[1][0]
    assert len(few[0].compare(few[1]).edges_apart()) < len(exact)
    with pytest.raises(OptionError, match="'C'"):
        SURE.compare(Confidence(("A", "B", "D"), ARCS, source="others"))


@pytest.mark.parametrize(
    "arcs",
    [[[0, 1]], np.full((3, 3), 0.1), -ARCS, ARCS * 2, np.full((3, 3), np.nan), ARCS + 0.4 - np.eye(3) * 0.4],
)
def test_refuses_what_is_no_probability(arcs: object) -> None:
    with pytest.raises(OptionError):
        Confidence(NODES, arcs, source="broken")  # type: ignore[arg-type]


def test_refuses_names_and_features_it_does_not_know() -> None:
    with pytest.raises(UnknownNameError, match="unknown node 'D'"):
        SURE.arc("A", "D")
    for ask in (lambda: SURE.path("A", "B"), lambda: SURE.in_blanket("A", of="B")):
        with pytest.raises(OptionError, match="made up"):
            ask()
    with pytest.raises(OptionError, match="v-structures"):
        SURE.v_structure("A", "B", "C")
    with pytest.raises(OptionError, match="level"):
        SURE.interval("A", "B", 1.5)
    with pytest.raises(OptionError, match="different names"):
        Confidence(("A", "A"), [[0, 0], [0, 0]], source="")


def test_views() -> None:
    assert SURE.to_frame().columns == list(dw.confidence.EdgeConfidence._fields)
    assert len(SURE.to_frame(0.5, "pandas")) == 2
    assert "2 edges" in repr(SURE)
    assert "A -> B  0.900, in this direction 0.667" in str(SURE)
    hostile = Confidence(("<script>", "B"), [[0, 1], [0, 0]], source="<b>")
    assert "<script>" not in hostile._repr_html_()
    assert "<b>" not in hostile._repr_html_()


def test_a_learned_network_finds_out_how_sure_it_is_when_asked() -> None:
    rng = np.random.default_rng(1)
    a = rng.integers(0, 2, 200)
    data = {"A": a, "B": a ^ (rng.random(200) < 0.2), "C": rng.integers(0, 2, 200)}
    asked: list[tuple[str, int | None]] = []
    learned = dw.learn(data, random_state=3)
    sure = learned.confidence(progress=lambda event: asked.append((event.phase, event.total)))
    assert sure == dw.bootstrap(data, random_state=3)
    assert learned.confidence() is sure
    assert ("resampling", 200) in asked
    assert dw.Learned.from_json(learned.to_json()).confidence() == sure
    assert pickle.loads(pickle.dumps(learned)).confidence() == sure
    assert "200 replicates" in str(learned)


def test_nothing_to_resample() -> None:
    with pytest.raises(OptionError, match="no rows to resample"):
        dw.learn(oracle=dw.Dag.parse("A -> B"), search=dw.PC()).confidence()


def test_a_long_search_is_repeated_less_often() -> None:
    study = dw.Study()
    prepared = Prepared.of(study, {"A": [0, 1] * 9, "B": [0, 1] * 9}, search=dw.Auto())
    usual = {"threads": 1, "progress": None, "cancel": None}
    assert "20 replicates" in strengths_of(prepared, 10**9, **usual).source
    assert "30 replicates" in strengths_of(prepared, 10**6, **usual).source


def test_on_a_learned_network() -> None:
    learned = dw.learn({"A": [0, 0, 1, 1] * 9, "B": [0, 0, 1, 1] * 9, "C": [0, 1, 0, 1] * 9})
    assert learned.known_confidence is None
    signed = learned.with_confidence(SURE)
    assert dw.Learned.from_json(signed.to_json()).confidence() == SURE
    assert dw.Learned.from_json(learned.to_json()).known_confidence is None
    assert "made up" in str(signed)
    with pytest.raises(OptionError, match="different nodes"):
        learned.with_confidence(Confidence(("A", "B"), [[0, 0], [0, 0]], source=""))
