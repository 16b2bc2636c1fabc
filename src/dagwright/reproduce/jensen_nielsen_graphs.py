"""Sections 7.1 and 7.2 of Jensen & Nielsen (2007): counting graphs, questions and answers of PC."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

from dagwright.graph.counting import (
    count_dags,
    count_dags_in_tiers,
    count_dags_on_order,
    count_equivalence_classes,
    reduction_factor,
)
from dagwright.graph.dag import Dag
from dagwright.graph.oracle import GraphOracle, StatementOracle
from dagwright.graph.pdag import Pdag
from dagwright.learning.learn import learn
from dagwright.reproduce.jensen_nielsen_exercises import path_condition, rule_sequence
from dagwright.reproduce.report import Sheet
from dagwright.reproduce.sources import EXAMPLE_7_1, FIGURE_7_3, arcs, learn_class
from dagwright.search.fci import FCI
from dagwright.search.independence.skeleton import question_bound
from dagwright.search.pc import PC

# Table 7.1: number of DAGs over n variables, as printed.
TABLE_7_1 = {
    1: "1", 2: "3", 3: "25", 4: "543", 5: "29281", 6: "3.8e6", 7: "1.1e9", 8: "7.8e11", 9: "1.2e15",
    10: "4.2e18", 11: "3.2e22", 12: "5.2e26", 13: "1.9e31", 14: "1.4e36", 15: "2.4e41", 16: "8.4e46",
    17: "6.3e52", 18: "9.9e58", 19: "3.3e65", 20: "2.35e72", 21: "3.5e79", 22: "1.1e87", 23: "7.0e94",
    24: "9.4e102",
}  # fmt: skip


def table_7_1(sheet: Sheet) -> None:
    for n, printed in TABLE_7_1.items():
        sheet.number(
            f"DAGs over {n} variables",
            printed,
            float(count_dags(n)),
            misprint=f"the exact number is {count_dags(n)}, which rounds to 2.34e72",
        )
    as_printed = [Fraction(1)]
    for n in (2, 3, 4):
        as_printed.append(
            sum(
                (
                    (-1) ** (i + 1) * Fraction(2 ** (i * (n - i)), math.factorial(n - i)) * as_printed[-1]
                    for i in range(1, n + 1)
                ),
                Fraction(0),
            )
        )
    sheet.wrong(
        "recurrence (7.1) for 2, 3, 4 variables",
        "n!/((n-i)! n!) and f(n-1)",
        ", ".join(str(count_dags(n)) for n in (2, 3, 4)),
        f"as printed it gives {', '.join(map(str, as_printed[1:]))}; the binomial coefficient n!/((n-i)! i!) "
        "and f(n-i) with f(0) = 1 give the numbers of the table",
        shown_to_be=as_printed[1:] == [1, -1, Fraction(-1, 3)],
    )


def counting(sheet: Sheet) -> None:
    sheet.number("DAGs over 10 variables with a known order", "3.5e13", float(count_dags_on_order(10)))
    tiers = count_dags_in_tiers([2, 2, 3, 3])
    sheet.region(
        "DAGs with tiers of 2, 2, 3 and 3 variables (Fig. 7.15)",
        "about 1e15",
        f"{tiers:,}",
        near=5e14 < tiers < 2e15,
        reason=f"three variables of a tier without edges among them divide this by exactly {count_dags(3)}",
    )
    absent = [reduction_factor(n, forbidden=[("1", "2"), ("2", "1")]) for n in (3, 4, 5)]
    present = [reduction_factor(n, required=[("1", "2")]) for n in (3, 4, 5)]
    linked = [reduction_factor(n, adjacent=[("1", "2")]) for n in (3, 4, 5)]
    sheet.wrong(
        "one statement of an expert divides the number of DAGs by",
        "a factor between 2 and 3",
        f"no edge {min(absent):.2f} to {max(absent):.2f}, an arc {min(present):.2f} to {max(present):.2f}, "
        f"an edge {min(linked):.2f} to {max(linked):.2f}",
        "for 3 to 5 variables; only the statement that there is no edge stays between 2 and 3",
        shown_to_be=min(present) > 3 and 2 < min(absent) <= max(absent) < 3 and max(linked) < 2,
    )
    classes = [count_equivalence_classes(n) for n in range(1, 5)]
    sheet.number("equivalence classes over three variables (Fig. 7.17)", "11", float(classes[2]))


def separations(sheet: Sheet) -> None:
    oracle = GraphOracle(FIGURE_7_3)
    found = []
    for a, b in combinations("ABCDE", 2):
        others = [node for node in "ABCDE" if node not in (a, b)]
        for size in range(4):
            found += [
                f"I({a},{b}|{','.join(given)})"
                for given in combinations(others, size)
                if oracle.independent(a, b, given)
            ]
    sheet.wrong(
        "independences of Figure 7.3",
        "12 statements",
        f"{len(found)} statements",
        "the list lacks I(B,E|A,D), which the graph implies as well",
        shown_to_be=len(found) == 13 and "I(B,E|A,D)" in found,
    )
    asked = GraphOracle(FIGURE_7_3)
    run = learn(oracle=asked, search=PC(order=list("ABCDE")))
    sepsets = "; ".join(map(str, run.separations))
    sheet.claim(
        "what separates in the run of section 7.1.3",
        "A,B and B,C by nothing, C,D by A, A,E and B,E by C,D",
        sepsets,
        holds=sepsets == "I(A,B|); I(B,C|); I(C,D|A); I(A,E|C,D); I(B,E|C,D)",
    )
    sheet.claim(
        "the graph of that run",
        "A -> D <- B, C -> E <- D, A - C",
        str(run.graph),
        holds=run.graph == FIGURE_7_3.cpdag(),
    )
    sheet.wrong(
        "the questions with one variable given in that run",
        "also about B and C, and given C for B",
        f"{run.notes['tests by size']['1']} questions of {run.evaluations} in all",
        "B and C were separated before, and C is no neighbor of B: Algorithm 7.1 does not ask these; the "
        "answers and the separating sets are right",
        shown_to_be=not any(str(query).startswith(("I(B,C|A", "I(B,D|C")) for query, _ in asked.log),
    )
    found_class = learn_class(oracle=EXAMPLE_7_1, search=PC())
    sheet.claim(
        "arcs that all members share in Example 7.1",
        "C -> F, D -> F, F -> G",
        ", ".join(f"{a} -> {b}" for a, b in found_class.directed_edges),
        holds=found_class.directed_edges == (("C", "F"), ("D", "F"), ("F", "G")),
    )
    sheet.answer("members of that class", str(found_class.count()))
    rule_sequence(sheet)
    path_condition(sheet)


def exercises(sheet: Sheet) -> None:
    statements = ["I(C,D|)", "I(A,B|E)", "I(A,C|E)", "I(A,D|E)", "I(B,E|C,D)"]
    graph = learn(oracle=StatementOracle(statements, nodes="ABCDE"), search=PC()).graph
    sheet.answer("Exercise 7.3: the graph of the listed independences", str(graph), "it is the only one")
    bounds = [question_bound(5, [2]), question_bound(5, [3]), question_bound(10, [3])]
    sheet.answer(
        "Exercise 7.4 (i): most questions for 5 variables given up to 2, up to 3, for 10 given up to 3",
        ", ".join(f"{bound:,}" for bound in bounds),
        "n (n-1) times the number of subsets of the n-2 others up to that size",
    )
    kite = Pdag.parse("K -> J <- L; I -- J; I -- K; I -- L").cpdag()
    dead = not any(("J", "I") in dag.edges for dag in kite.members())
    sheet.wrong(
        "Rule 4 (choose any direction) never leads into a dead end (section 7.1.1)",
        "never, after Rules 1 to 3",
        "it can",
        "K -> J <- L with I adjacent to all three: Rules 1 to 3 leave I - J open, but J -> I makes a new "
        "v-structure or a cycle; the third of Meek's rules has to come first, and gives I -> J",
        shown_to_be=dead,
    )


def hidden_causes(sheet: Sheet) -> None:
    region = StatementOracle(["I(A,B|C)", "I(A,C|B)", "I(B,C|A)"], nodes="ABC")
    plain = learn_class(oracle=region, search=PC(order=list("ABC"), uncertain="report"))
    paths = learn_class(oracle=region, search=PC(order=list("ABC"), uncertain="report", path_condition=True))
    sheet.claim(
        "edges left of the uncertain region (Fig. 7.9), without and with the path condition",
        "B - C; A - C and B - C",
        f"{_links(plain)}; {_links(paths)}",
        holds=(_links(plain), _links(paths)) == ("B - C", "A - C, B - C"),
    )
    behind = Dag.parse("A -> B <- H -> C <- D")
    marginal = [pair for pair in combinations("ABCD", 2) if behind.d_separated(*pair)]
    oracle = StatementOracle([f"I({a},{b}|)" for a, b in marginal], nodes="ABCD")
    conflict = learn(oracle=oracle, search=PC())
    sheet.claim(
        "v-structures that contradict each other when a common cause of B and C is hidden (Fig. 7.10, 7.11)",
        "A -> B <- C against B -> C <- D",
        "; ".join(conflict.notes.get("conflicts", ["none"])),
        holds=conflict.notes.get("conflicts") == ["B - C: B -> C <- D against A -> B <- C"],
        reason=f"FCI, which allows for hidden causes, finds {learn(oracle=oracle, search=FCI()).graph}",
    )
    collider = StatementOracle(["I(A,C|)"], nodes="ABC")
    found = learn(oracle=collider, search=PC()).graph
    sheet.claim(
        "PC on A, B, C when D and E in A <- D -> B <- E -> C are hidden (Fig. 7.12)",
        "A -> B <- C, though none of them causes another",
        str(found),
        holds=str(found) == "A -> B; C -> B",
        reason=f"FCI finds {learn(oracle=collider, search=FCI()).graph}: the arrows say only that B is no "
        "cause of A or C",
    )
    rows = [(a, b, int(a == b)) for a in (0, 1) for b in (0, 1)] * 100
    switch = learn_class(dict(zip("ABC", zip(*rows, strict=True), strict=True)), search=PC())
    sheet.claim(
        "PC on two switches and a light that is on when they agree",
        "no edges",
        _links(switch) or "no edges",
        holds=switch.skeleton().edges == (),
        reason="all pairs are independent; the three DAGs with two arcs into one node all represent the "
        "distribution, so essential edges alone do not fix the graph without faithfulness",
    )


def sizes(sheet: Sheet) -> None:
    hidden = Dag.parse("D -> A; D -> B; E -> B; E -> C")
    sheet.number(
        "size of the model of Figure 7.12 with binary variables, 1+2+1+4+2", "10", float(size(hidden, 2))
    )
    literal = sum(len(hidden.parents(node)) for node in hidden.nodes)
    sheet.wrong(
        "what |pa(X)| means in (7.3)",
        "the parents of X",
        "the configurations of the parents",
        f"with the number of parents the same example would give {literal}",
        shown_to_be=literal == 4,
    )
    sheet.answer("Exercise 7.7: size of the model of Figure 7.3, three states each", str(size(FIGURE_7_3, 3)))
    true = Dag.parse("D -> A; A -> C; B -> C")
    right = Dag.parse("D -> A; C -> A; B -> C; D -> C; B -> A")
    worded = Dag.parse("D -> A; C -> A; B -> C; C -> D; B -> A")
    sheet.wrong(
        "the edges to add when A -> C is turned in Figure 7.13",
        "C to D and B to A",
        "D to C and B to A",
        f"C -> D would make D and B independent given C, which they are not in {arcs(true)}; the model grows "
        f"from {size(true, 2)} to {size(right, 2)} parameters ({size(worded, 2)} with the edges as printed)",
        shown_to_be=worded.d_separated("D", "B", ["C"]) and not true.d_separated("D", "B", ["C"]),
    )


def size(graph: Dag, states: int) -> int:
    """Parameters of a graph whose variables all have as many states."""
    return sum((states - 1) * states ** len(graph.parents(node)) for node in graph.nodes)


def _links(graph: Pdag) -> str:
    return ", ".join(f"{a} - {b}" for a, b in graph.skeleton().edges)


GRAPH_PARTS: tuple[tuple[str, Callable[[Sheet], None]], ...] = (
    ("Table 7.1: the number of DAGs", table_7_1),
    ("Counting with constraints (section 7.3.2)", counting),
    ("Independences and PC (sections 7.1.1 to 7.1.3)", separations),
    ("Exercises 7.3 and 7.4, Rule 4", exercises),
    ("Uncertain regions and hidden variables (Figures 7.9 to 7.12)", hidden_causes),
    ("Sizes of models (section 7.2)", sizes),
)
