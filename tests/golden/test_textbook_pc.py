"""PC on the examples of Jensen & Nielsen (2007, sections 7.1.1 to 7.1.4), with their questions in order."""

from __future__ import annotations

from itertools import permutations

import pytest

import dagwright as dw
from dagwright.graph.minimal_imap import best_imap, minimal_imap
from dagwright.graph.oracle import GraphOracle, StatementOracle
from dagwright.search.independence.skeleton import question_bound

FIG_73 = "A -> C; A -> D; B -> D; C -> E; D -> E"
LOG_713 = (
    "I(A,B|)=yes I(A,C|) I(A,D|) I(A,E|) I(B,C|)=yes I(B,D|) I(B,E|) I(C,A|) I(C,D|) I(C,E|) I(D,A|) "
    "I(D,B|) I(D,C|) I(D,E|) I(E,A|) I(E,B|) I(E,C|) I(E,D|) I(A,C|D) I(A,C|E) I(A,D|C) I(A,D|E) "
    "I(A,E|C) I(A,E|D) I(B,D|E) I(B,E|D) I(C,A|D) I(C,A|E) I(C,D|A)=yes I(C,E|A) I(D,A|B) I(D,A|E) "
    "I(D,B|A) I(D,B|E) I(D,E|A) I(D,E|B) I(E,A|B) I(E,A|C) I(E,A|D) I(E,B|A) I(E,B|C) I(E,B|D) "
    "I(E,C|A) I(E,C|B) I(E,C|D) I(E,D|A) I(E,D|B) I(E,D|C) I(A,C|D,E) I(A,D|C,E) I(A,E|C,D)=yes "
    "I(D,A|B,E) I(D,B|A,E) I(D,E|A,B) I(E,B|C,D)=yes "
)


@pytest.mark.parametrize("path_condition", [False, True])
def test_the_run_of_section_713_asks_these_questions(path_condition: bool) -> None:
    oracle = GraphOracle(dw.Dag(list("ABCDE"), dw.Dag.parse(FIG_73).edges))
    found = dw.learn(oracle=oracle, search=dw.PC(order=list("ABCDE"), path_condition=path_condition))
    assert [f"{query}{'=yes' if answer else ''}" for query, answer in oracle.log] == LOG_713.split()
    assert found.notes["tests by size"] == {"0": 18, "1": 30, "2": 7}
    assert found.evaluations == 55
    assert found.notes["bound on tests"] == 140
    assert {(one.x + one.y): "".join(one.given) for one in found.separations} == {
        "AB": "",
        "BC": "",
        "CD": "A",
        "AE": "CD",
        "BE": "CD",
    }
    assert set(found.graph.directed_edges) == {("A", "D"), ("B", "D"), ("C", "E"), ("D", "E")}
    assert found.graph.undirected_edges == (("A", "C"),)
    assert found.graph.count() == 2
    assert found.warnings == ()


def test_the_stable_form_finds_the_same_graph() -> None:
    dag = dw.Dag.parse(FIG_73)
    assert dw.learn(oracle=dag, search=dw.PC()).graph == dag.cpdag()


@pytest.mark.parametrize("order", [None, list("ABCDE")])
def test_exercise_73(order: list[str] | None) -> None:
    statements = ["I(C,D|)", "I(A,B|E)", "I(A,C|E)", "I(A,D|E)", "I(B,E|C,D)"]
    found = dw.learn(oracle=StatementOracle(statements, nodes="ABCDE"), search=dw.PC(order=order))
    assert found.graph == dw.Pdag(list("ABCDE"), [("C", "B"), ("C", "E"), ("D", "B"), ("D", "E"), ("E", "A")])
    assert [str(one) for one in found.separations] == [
        "I(C,D|)",
        "I(A,B|E)",
        "I(A,C|E)",
        "I(A,D|E)",
        "I(B,E|C,D)",
    ]


def test_example_71_gives_the_class_of_ten() -> None:
    dag = dw.Dag.parse("A -> B; A -> C; C -> F; D -> A; D -> B; D -> F; E -> D; F -> G")
    graph = dw.learn(oracle=dag, search=dw.PC()).graph
    assert set(graph.directed_edges) == {("C", "F"), ("D", "F"), ("F", "G")}
    assert graph.count() == 10


UNCERTAIN = ["I(A,B|C)", "I(A,C|B)", "I(B,C|A)"]


def test_figure_79_an_uncertain_region() -> None:
    def edges(search: dw.PC) -> set[str]:
        graph = dw.learn(oracle=StatementOracle(UNCERTAIN, nodes="ABC"), search=search).graph
        return {a + b for a, b in graph.skeleton().edges}

    order = list("ABC")
    assert edges(dw.PC(order=order, uncertain="report")) == {"BC"}
    assert edges(dw.PC(order=order, uncertain="report", path_condition=True)) == {"AC", "BC"}
    assert edges(dw.PC(uncertain="report")) == set()
    assert edges(dw.PC()) == {"AC", "BC"}
    found = dw.learn(oracle=StatementOracle(UNCERTAIN, nodes="ABC"), search=dw.PC())
    assert found.notes["uncertain regions"] == [
        "any of A - B, A - C, B - C may be missing, but not all; B - C is put back",
        "any of A - B, A - C may be missing, but not all; A - C is put back",
    ]
    assert found.graph.undirected_edges == (("A", "C"), ("B", "C"))


def test_figure_710_colliders_that_contradict_each_other() -> None:
    # A -> B <- H -> C <- D with H hidden: A - B - C - D with a collider at B and one at C.
    statements = ["I(A,C|)", "I(A,D|)", "I(B,D|)"]

    def learned(policy: str) -> dw.Learned:
        return dw.learn(oracle=StatementOracle(statements, nodes="ABCD"), search=dw.PC(conflicts=policy))

    for policy in ("first", "strongest"):
        found = learned(policy)
        assert found.notes["conflicts"] == ["B - C: B -> C <- D against A -> B <- C"]
        assert {frozenset(e) for e in found.graph.skeleton().edges} == {*map(frozenset, ("AB", "BC", "CD"))}
        assert found.graph.is_cpdag()
        assert "no B -> C <- D" in found.notes["overruled"]
        assert {("A", "B"), ("C", "B")} <= set(found.graph.directed_edges)
    for policy in ("undirected", "bidirected"):
        assert learned(policy).graph.directed_edges == ()
    assert learned("bidirected").notes["bidirected"] == ["B - C"]
    assert any("hidden common cause" in warning for warning in learned("first").warnings)
    with pytest.raises(dw.GraphError, match="B -> C <- D against A -> B <- C"):
        learned("error")


def test_figure_712_a_collider_need_not_be_a_cause() -> None:
    # A and C independent, B dependent on both: the arrows at B are drawn whatever the causes are.
    found = dw.learn(oracle=StatementOracle(["I(A,C|)"], nodes="ABC"), search=dw.PC())
    assert found.graph.directed_edges == (("A", "B"), ("C", "B"))
    assert any("causal only if" in assumption for assumption in found.assumptions)


def test_figures_711_and_712_with_their_hidden_variables() -> None:
    # Fig. 7.11: what PC could not settle is a hidden common cause. Fig. 7.12: nor is B an effect of A or C.
    seen = dw.Dag.parse("A -> B; H -> B; H -> C; D -> C").latent_projection(hidden="H")
    assert str(seen) == "A -> B; B <-> C; D -> C"
    assert dw.learn(oracle=seen, search=dw.PC()).notes["conflicts"]
    for search in (dw.FCI(), dw.RFCI()):
        assert str(dw.learn(oracle=seen, search=search).graph) == "A o-> B; B <-> C; D o-> C"
    seen = dw.Dag.parse("D -> A; D -> B; E -> B; E -> C").latent_projection(hidden=["D", "E"])
    assert str(seen) == "A <-> B; B <-> C"
    assert dw.learn(oracle=seen, search=dw.PC()).graph.directed_edges == (("A", "B"), ("C", "B"))
    for search in (dw.FCI(), dw.RFCI()):
        assert str(dw.learn(oracle=seen, search=search).graph) == "A o-> B; C o-> B"


def test_the_questions_of_figure_79() -> None:
    # Once A - B and then A - C are gone, B - C has no neighbor left to be separated by.
    def yes(search: dw.PC) -> list[str]:
        oracle = StatementOracle(UNCERTAIN, nodes="ABC")
        dw.learn(oracle=oracle, search=search)
        return [str(query) for query, answer in oracle.log if answer]

    order = list("ABC")
    assert yes(dw.PC(order=order, uncertain="report")) == ["I(A,B|C)", "I(C,A|B)"]
    assert yes(dw.PC(order=order, uncertain="report", path_condition=True)) == ["I(A,B|C)"]
    assert sorted(yes(dw.PC(uncertain="report"))) == ["I(A,B|C)", "I(A,C|B)", "I(B,C|A)"]


def test_the_light_switch_is_lost_at_the_first_level() -> None:
    rows = [(a, b, int(a == b)) for a in (0, 1) for b in (0, 1)] * 100
    switches = dict(zip("ABC", zip(*rows, strict=True), strict=True))
    found = dw.learn(switches, search=dw.PC())
    assert found.graph.skeleton().edges == ()
    assert found.notes["tests by size"] == {"0": 3}
    checked = dw.faithfulness(dw.Dag.parse("A -> C <- B"), switches)
    assert checked.hidden == (("A", "B", "C"), ("A", "C", "B"), ("B", "C", "A"))
    assert [str(query) for query, _ in checked.accepted] == ["I(A,C|)", "I(B,C|)"]
    assert "independent in the data: I(A,C|); I(B,C|)" in str(checked)
    assert "dependent in the data: none" in str(checked)


def test_the_bound_of_exercise_74() -> None:
    assert question_bound(5, [0, 1, 2]) == 140
    assert question_bound(5, [3]) == 160
    assert question_bound(10, [3]) == 8370


FIG_73_IMAPS = {
    "ABCDE": "A -> C; A -> D; B -> D; C -> E; D -> E",
    "CABDE": "A -> D; B -> D; C -> A; C -> E; D -> E",
    "EDCBA": "B -> A; C -> A; C -> B; D -> A; D -> B; D -> C; E -> C; E -> D",
    "DEACB": "A -> B; A -> C; D -> A; D -> B; D -> C; D -> E; E -> A; E -> C",
}


@pytest.mark.parametrize("order", FIG_73_IMAPS)
def test_minimal_imaps_of_figure_73_depend_on_the_order(order: str) -> None:
    found = minimal_imap(dw.Dag.parse(FIG_73), list(order))
    assert set(found.dag.edges) == set(dw.Dag.parse(FIG_73_IMAPS[order]).edges)
    assert found.ties == {}


def test_the_order_of_a_collider_decides_between_two_and_three_arcs() -> None:
    collider = dw.Dag.parse("A -> C <- B")
    assert set(minimal_imap(collider, list("ABC")).dag.edges) == {("A", "C"), ("B", "C")}
    assert set(minimal_imap(collider, list("CAB")).dag.edges) == {("A", "B"), ("C", "A"), ("C", "B")}


def test_the_best_order_gives_the_class_that_pc_finds() -> None:
    dag = dw.Dag.parse(FIG_73)
    sizes = [len(minimal_imap(dag, order).dag.edges) for order in permutations("ABCDE")]
    assert (min(sizes), max(sizes)) == (5, 10)
    best = best_imap(dag)
    assert len(best.dag.edges) == 5
    assert best.dag.cpdag() == dw.learn(oracle=dag, search=dw.PC()).graph


def test_equal_parent_sets_are_listed() -> None:
    # A and B are copies of each other: C is independent of either given the other.
    statements = ["I(C,B|A)", "I(C,A|B)"]
    found = minimal_imap(StatementOracle(statements, nodes="ABC"), list("ABC"))
    assert set(found.dag.edges) == {("A", "B"), ("A", "C")}
    assert found.ties == {"C": (("B",),)}
    with pytest.raises(dw.GraphError, match="must name each"):
        minimal_imap(dw.Dag.parse(FIG_73), list("ABCD"))
    with pytest.raises(dw.CapacityError, match="too many"):
        best_imap(dw.Dag([f"x{at}" for at in range(16)]))
