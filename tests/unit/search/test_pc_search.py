"""PC on data and its refusals."""

from __future__ import annotations

import pickle
import re
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from ctrl_c import PressesCtrlC
from dagwright.evidence import reference
from dagwright.evidence.bound import NativeTest
from dagwright.graph.oracle import GraphOracle
from dagwright.search.control import Control
from dagwright.search.independence.account import separations
from dagwright.search.independence.block_cut import edge_blocks
from dagwright.search.independence.numbered_knowledge import NumberedKnowledge
from dagwright.search.independence.skeleton import native_skeleton, stable_skeleton
from dagwright.search.independence.tester import PairTester
from dagwright.testing import RandomAnswers, knowledge_cases

ASIA = dw.read(dw.sample_path("asia"))


def chain(rows: int = 2000, gaps: float = 0.0) -> dict[str, list[int | None]]:
    """a -> c <- b, c -> d, each with noise; some cells may be missing."""
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 2, rows), rng.integers(0, 2, rows)
    c = np.where(rng.random(rows) < 0.85, a & b, rng.integers(0, 2, rows))
    d = np.where(rng.random(rows) < 0.85, c, rng.integers(0, 2, rows))
    hidden = rng.random((4, rows)) < gaps
    return {
        name: [None if gone else int(value) for value, gone in zip(column, lost, strict=True)]
        for name, column, lost in zip("abcd", (a, b, c, d), hidden, strict=True)
    }


def test_data_and_their_separating_sets() -> None:
    found = dw.learn(chain(), search=dw.PC(test=dw.GSquare(alpha=0.01)))
    assert found.graph == dw.Dag.parse("a -> c; b -> c; c -> d").cpdag()
    assert found.score is None
    assert found.notes["test"] == "G2, independent if p > 0.01"
    first = found.separations[0]
    assert (first.x, first.y, first.given) == ("a", "b", ())
    expected = dw.independence_test(chain(), "a", "b", test=dw.GSquare(alpha=0.01))
    assert first.p_value == pytest.approx(expected.p_value)
    assert first.statistic == pytest.approx(expected.statistic)
    assert {one.given for one in found.separations[1:]} == {("c",)}
    assert dw.Learned.from_json(found.to_json()) == found
    assert pickle.loads(pickle.dumps(found)).separations == found.separations
    assert f"{found.evaluations} independence tests, 3 pairs separated" in str(found)
    assert found.network().probability("d", 1, {"c": 1}) > 0.5


@pytest.mark.parametrize(
    "test",
    [
        dw.ChiSquare(alpha=0.01),
        dw.BIC(),
        dw.BDeu(),
        dw.BayesFactor(),
        dw.Threshold(0.005),
        dw.Permuted(dw.GSquare(alpha=0.01)),
    ],
)
def test_any_test_or_score_decides(test: object) -> None:
    found = dw.learn(chain(), search=dw.PC(test=test))
    assert found.graph.skeleton() == dw.Dag.parse("a -> c; b -> c; c -> d").cpdag().skeleton()


def test_missing_cells_are_left_out_question_by_question() -> None:
    data = chain(3000, gaps=0.1)
    found = dw.learn(data, search=dw.PC(), missing="available")
    assert found.graph == dw.Dag.parse("a -> c; b -> c; c -> d").cpdag()
    assert dw.learn(data, search=dw.PC()).graph == found.graph
    with pytest.raises(dw.OptionError, match="needs an independence test or NodeAverage"):
        dw.learn(data, missing="available")


def test_a_forbidden_edge_invents_no_collider() -> None:
    # a - c - b with a and b dependent through c: forbidding a - b must not make c a collider.
    dag = dw.Dag.parse("a -> c; c -> b")
    known = dw.Knowledge(forbidden=["a -- b"])
    found = dw.learn(oracle=dag, search=dw.PC(), knowledge=known)
    assert found.graph == dag.cpdag()
    # Where nothing separates the two, the triple stays open.
    found = dw.learn(oracle=["I(c,d)", "I(a,d)", "I(b,d)"], search=dw.PC(), knowledge=known)
    assert found.notes["undecided"] == ["a -> c <- b"]
    assert found.graph.directed_edges == ()


def test_a_required_edge_is_never_tested_and_tiers_direct() -> None:
    oracle = GraphOracle(dw.Dag.parse("a -> b; c"))
    found = dw.learn(
        oracle=oracle,
        search=dw.PC(),
        knowledge=dw.Knowledge(required=["a -- c"], tiers=[["b", "c"], ["a"]]),
    )
    assert not any(query.x | query.y == {"a", "c"} for query, _ in oracle.log)
    assert set(found.graph.directed_edges) == {("b", "a"), ("c", "a")}


def test_a_larger_conditioning_set_than_allowed_is_never_asked() -> None:
    dag = dw.random_dag(12, degree=4, random_state=1)
    found = dw.learn(oracle=dag, search=dw.PC(max_size=1))
    assert set(found.notes["tests by size"]) == {"0", "1"}
    assert found.graph.is_cpdag()


def test_refusals() -> None:
    dag = dw.Dag.parse("a -> b")
    with pytest.raises(dw.OptionError, match=r"^PC\(\) uses a test and takes no score"):
        dw.learn(ASIA, search=dw.PC(), score=dw.BIC())
    with pytest.raises(dw.OptionError, match="takes no start"):
        dw.learn(ASIA, search=dw.PC(), start=dag)
    with pytest.raises(dw.OptionError, match="one or the other"):
        dw.learn(ASIA, oracle=dag, search=dw.PC())
    with pytest.raises(dw.OptionError, match="needs data"):
        dw.learn(oracle=dag, search=dw.HillClimb())
    with pytest.raises(dw.OptionError, match="needs data, or an oracle"):
        dw.learn(search=dw.PC())
    with pytest.raises(dw.UnknownNameError, match="did you mean 'majority'"):
        dw.PC(colliders="majorty")
    with pytest.raises(dw.OptionError, match="leaves out 'b'"):
        dw.learn(oracle=dag, search=dw.PC(order=["a"]))
    with pytest.raises(dw.UnknownNameError, match="variable of the order"):
        dw.learn(oracle=dag, search=dw.PC(order=["a", "z"]))
    with pytest.raises(dw.OptionError, match="max_size"):
        dw.PC(max_size=-1)


def test_blocks_are_the_nodes_on_simple_paths() -> None:
    networkx = pytest.importorskip("networkx")
    rng = np.random.default_rng(0)
    for _ in range(40):
        graph = networkx.gnp_random_graph(7, 0.35, seed=int(rng.integers(1 << 30)))
        around = [set(graph.neighbors(v)) for v in range(7)]
        for (x, y), block in edge_blocks(around).items():
            on_paths = {v for path in networkx.all_simple_paths(graph, x, y) for v in path}
            assert on_paths == block


def test_faithfulness_lists_where_data_and_graph_disagree() -> None:
    right = dw.faithfulness(dw.Dag.parse("a -> c; b -> c; c -> d"), chain(), max_size=2)
    assert (right.rejected, right.accepted, right.asked) == ((), (), 24)
    assert right.hidden == (("a", "b", "c"), ("a", "b", "d"))
    wrong = dw.faithfulness(dw.Dag.parse("a -> b; c -> d"), chain())
    assert "I(a,c|)" in {str(query) for query, _ in wrong.rejected}
    assert [str(query) for query, _ in wrong.accepted] == ["I(a,b|)"]
    with pytest.raises(dw.UnknownNameError, match="node of the graph"):
        dw.faithfulness(dw.Dag.parse("a -> z"), chain())
    wide = {f"x{at}": [0, 1] for at in range(30)}
    with pytest.raises(dw.CapacityError, match="smaller max_size"):
        dw.faithfulness(dw.Dag(list(wide)), wide, max_size=6)


@pytest.mark.parametrize(
    "test",
    [
        dw.GSquare(alpha=0.05),
        dw.GSquare(alpha=0.05, min_rows_per_cell=5.0),
        dw.GSquare(alpha=0.05, adjusted=True),
        dw.ChiSquare(alpha=0.05),
        dw.ChiSquare(alpha=0.05, adjusted=True, min_rows_per_cell=5.0),
        dw.BIC(),
        dw.MDL(),
        dw.BayesFactor(log_odds=-1.0),
        dw.Threshold(0.02),
    ],
    ids=repr,
)
def test_the_core_finds_what_the_plain_form_finds(test: Any) -> None:
    for case, (data, known) in enumerate(knowledge_cases(60, variables=7, rows=150)):
        table = dw.read(data)
        knowledge = NumberedKnowledge((known if case % 2 else dw.Knowledge()).resolve(table.names))
        max_size = None if case % 3 else 1
        bound = test.on(table)
        assert isinstance(bound, NativeTest)
        plain, core = PairTester(bound), PairTester(bound)
        expected = stable_skeleton(plain, knowledge, Control(), max_size, on_paths=False)
        found = native_skeleton(core, knowledge, Control(threads=1 + case % 2), max_size)
        assert found == expected
        assert core.tests == plain.tests


def test_the_core_finds_what_the_definition_says() -> None:
    stats = pytest.importorskip("scipy.stats")
    for case, (data, _) in enumerate(knowledge_cases(25, variables=6, rows=120, seed=5)):
        table = dw.read(data)
        bound = dw.GSquare(alpha=0.05).on(table)
        codes = np.column_stack([table.codes(name) for name in table.names])
        edges, separated = reference.stable_skeleton(
            reference.Sample.of(codes, table.cardinalities), stats.chi2.sf, 0.05
        )
        found = native_skeleton(
            PairTester(bound), NumberedKnowledge(dw.Knowledge().resolve(table.names)), Control(), None
        )
        assert set(found.edges()) == edges, case
        assert {pair: tuple(sorted(one.given)) for pair, one in found.separated.items()} == separated, case
        colliders = {(a, c, b) for a, c, b in found.unshielded() if c not in separated[a, b]}
        learned = dw.learn(table, search=dw.PC(test=dw.GSquare(alpha=0.05), uncertain="report"))
        if not learned.warnings:
            made = {(x, z, y) for x, z, y in learned.graph.v_structures()}
            named = {tuple(table.names[v] for v in triple) for triple in colliders}
            assert {(min(x, y), z, max(x, y)) for x, z, y in named} == made


def test_separated_pairs_are_a_mapping_like_any_other() -> None:
    bound = dw.GSquare(alpha=0.01).on(ASIA)
    knowledge = NumberedKnowledge(dw.Knowledge().resolve(ASIA.names))
    plain = stable_skeleton(PairTester(bound), knowledge, Control(), None, on_paths=False)
    stored = native_skeleton(PairTester(bound), knowledge, Control(), None)
    assert stored.separated == plain.separated
    assert len(stored.separated) == len(plain.separated)
    assert separations(ASIA.names, stored) == separations(ASIA.names, plain)
    first, second, *_ = sorted(stored.separated)
    answer = plain.separated[second]
    for skeleton in (stored, plain):
        skeleton.edge(*first)
        assert first not in skeleton.separated
        with pytest.raises(KeyError):
            del skeleton.separated[first]
        skeleton.unlink(*first, answer)
        assert skeleton.given(first) == answer.given
    assert stored.separated == plain.separated
    assert len(stored.separated) == len(plain.separated)
    assert separations(ASIA.names, stored) == separations(ASIA.names, plain)


@pytest.mark.parametrize(
    "search",
    [
        dw.PC(),
        dw.PC(order=tuple("ABCDE"), path_condition=True),
        dw.PC(colliders="conservative", path_condition=True),
    ],
)
def test_ctrl_c_at_any_question_returns_what_is_known(search: dw.PC, presses_ctrl_c: Any) -> None:
    dag = dw.Dag.parse("A -> C; A -> D; B -> D; C -> E; D -> E")
    whole = GraphOracle(dag)
    edges = set(dw.learn(oracle=whole, search=search).graph.skeleton().edges)
    for at in range(whole.queries):
        found = dw.learn(oracle=presses_ctrl_c(dag, at), search=search)
        assert found.stopped == "cancelled"
        assert any("interrupt" in warning for warning in found.warnings)
        assert set(found.graph.skeleton().edges) >= edges
        assert found.graph.is_cpdag()
        assert found.dag is not None
        assert found.dag.cpdag() == found.graph
    assert dw.learn(oracle=presses_ctrl_c(dag, whole.queries), search=search).stopped is None


def test_ctrl_c_among_contradictions_returns_what_is_known() -> None:
    # These answers leave uncertain regions and conflicts, whose strengths are asked for at the end.
    class Impatient(PressesCtrlC, RandomAnswers):
        pass

    for seed in (1, 5, 8):
        whole = RandomAnswers("ABCDEF", 0.15, seed)
        notes = dw.learn(oracle=whole, search=dw.PC()).notes
        assert {"uncertain regions", "conflicts"} & set(notes)
        for at in range(len(whole.log)):
            oracle = Impatient("ABCDEF", 0.15, seed)
            oracle.left = at
            found = dw.learn(oracle=oracle, search=dw.PC())
            assert found.stopped == "cancelled"
            assert found.graph.is_cpdag()


def test_the_dag_is_a_member_of_the_class() -> None:
    for case, (data, known) in enumerate(knowledge_cases(40)):
        found = dw.learn(data, search=dw.PC(test=dw.GSquare(alpha=0.05)), knowledge=known)
        assert found.dag is not None
        assert known.check(found.dag) == []
        assert found.dag.skeleton() == found.graph.skeleton(), case
        assert set(found.graph.directed_edges) <= set(found.dag.edges)
        assert dw.Learned.from_json(found.to_json()).dag == found.dag


def test_conflicts_tell_their_strengths() -> None:
    # a -> b <- h -> c <- d with h hidden.
    rng = np.random.default_rng(1)
    a, h, d = rng.integers(0, 2, (3, 3000))
    b, c = np.where(rng.random((2, 3000)) < 0.9, [a + h, h + d], 0)
    found = dw.learn({"a": a, "b": b, "c": c, "d": d}, search=dw.PC())
    (conflict,) = found.notes["conflicts"]
    assert re.fullmatch(
        r"b - c: (a -> b <- c|b -> c <- d) \(\d+\) against (a -> b <- c|b -> c <- d) \(\d+\)", conflict
    )
    assert any("hidden common cause" in warning for warning in found.warnings)


def test_available_cases_and_the_core_agree_with_the_plain_form() -> None:
    gaps = dw.evidence.Counting(chain(gaps=0.1), missing="available")
    knowledge = NumberedKnowledge(dw.Knowledge().resolve(gaps.names))
    for test in (dw.GSquare(), dw.GSquare(adjusted=True), dw.ChiSquare(), dw.CriterionSign(dw.BIC())):
        bound = test.on(gaps)
        assert isinstance(bound, NativeTest)
        expected = stable_skeleton(PairTester(bound), knowledge, Control(), None, on_paths=False)
        assert native_skeleton(PairTester(bound), knowledge, Control(), None) == expected


def test_tests_that_are_not_in_the_core() -> None:
    for bound in (dw.K2Score().on(ASIA), dw.Permuted(dw.GSquare()).on(ASIA)):
        assert not isinstance(bound, NativeTest)
