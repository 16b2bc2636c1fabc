"""Peña's lecture on learning Bayesian and Markov networks."""

from __future__ import annotations

import math

import numpy as np

from dagwright.data import Table, read, sample_path
from dagwright.evidence import BIC, BDeu, ChiSquare, independence_test
from dagwright.graph.counting import count_dags
from dagwright.graph.dag import Dag
from dagwright.graph.minimal_imap import best_imap, minimal_imap
from dagwright.graph.pdag import Pdag
from dagwright.graph.undirected import UndirectedGraph
from dagwright.learning.learn import learn
from dagwright.reproduce.report import Progress, Section, Sheet
from dagwright.reproduce.sources import FIGURE_7_3, arcs, learn_dag, table_7_4
from dagwright.search.local.iamb import IAMB
from dagwright.search.order_search import OrderSearch
from dagwright.search.pc import PC
from dagwright.search.tie_outcomes import greedy_tie_outcomes

# Number of DAGs over 1 to 12 nodes, as printed.
COUNTS = (
    1, 3, 25, 543, 29281, 3781503, 1138779265, 783702329343, 1213442454842881, 4175098976430598143,
    31603459396418917607425, 521939651343829405020504063,
)  # fmt: skip
KITE = "K -> J <- L; I -- J; I -- K; I -- L"


def parts(quick: bool, progress: Progress) -> list[Section]:  # noqa: ARG001 - nothing here is slow
    """Every part of the lecture, in its order."""
    sections = []
    for title, fill in (
        ("The number of DAGs", counts),
        ("Minimal maps and orders", orders),
        ("PC and its rules", constraint_based),
        ("Scores", scores),
        ("Markov networks", markov_networks),
        ("Words", words),
    ):
        progress(title)
        sheet = Sheet(title)
        fill(sheet)
        sections.append(sheet.done())
    return sections


def counts(sheet: Sheet) -> None:
    for n, printed in enumerate(COUNTS, start=1):
        sheet.claim(
            f"DAGs over {n} nodes", f"{printed:,}", f"{count_dags(n):,}", holds=count_dags(n) == printed
        )


def orders(sheet: Sheet) -> None:
    collider = Dag.parse("A -> C <- B")
    good, bad = (minimal_imap(collider, list(order)).dag for order in ("ABC", "CAB"))
    sheet.claim(
        "A and B independent, C depending on both: the minimal map in the orders A, B, C and C, A, B",
        "2 and 3 arcs",
        f"{arcs(good)}; {arcs(bad)}",
        holds=(len(good.edges), len(bad.edges)) == (2, 3),
    )
    for order in ("ABCDE", "CABDE", "EDCBA", "DEACB"):
        found = minimal_imap(FIGURE_7_3, list(order)).dag
        sheet.answer(f"Figure 7.3 of Jensen & Nielsen in the order {', '.join(order)}", arcs(found))
    best = best_imap(FIGURE_7_3).dag
    sheet.claim(
        "the best order gives what PC finds",
        "the same class",
        f"{len(best.edges)} arcs, {best.cpdag()}",
        holds=best.cpdag() == learn(oracle=FIGURE_7_3, search=PC()).graph,
        reason="under faithfulness",
    )
    sheet.wrong(
        "a minimal map has the fewest edges for its order",
        "always",
        "where the smallest parent sets are unique",
        "that needs the intersection property; with copies of a variable several sets are smallest",
    )


def constraint_based(sheet: Sheet) -> None:
    found = learn(oracle=FIGURE_7_3, search=PC())
    sheet.claim(
        "PC with an oracle finds the essential graph",
        "the class of the true graph",
        str(found.graph),
        holds=found.graph == FIGURE_7_3.cpdag(),
        reason="the graph of Figure 7.3 of Jensen & Nielsen",
    )
    kite = Pdag.parse(KITE).cpdag()
    sheet.claim(
        "rule R4 directs I -> J where K -> J <- L and I is adjacent to all three",
        "I -> J",
        str(kite),
        holds=("I", "J") in kite.directed_edges,
    )
    sheet.unavailable(
        "the exercise that runs PC on given DAGs",
        "DAGs in a figure",
        "not runnable",
        "its DAGs are not available; `learn(oracle=dag, search=PC())` answers it for any DAG",
    )
    data = table_7_4()
    right = independence_test(data, "A", "B", "C", ChiSquare()).statistic or 0.0
    printed = deviance_as_printed(data)
    sheet.wrong(
        "expected counts of the deviance",
        "N_is N_js / N",
        "N_is N_js / N_s",
        f"the expectation is taken within each stratum s; for A, B given C in Table 7.4 of Jensen & Nielsen "
        f"it gives {right:.4f}, as printed {printed:.4f}",
        shown_to_be=abs(right - 9.0) < 1e-9 and abs(printed - 51.0625) < 1e-9,
    )
    sheet.wrong(
        "rule R1 makes a collider of X_i - X_j - X_k",
        "unless X_j separates",
        "unless X_j separates, X_i and X_k not adjacent",
        "adjacent ends have no separating set",
    )


def deviance_as_printed(data: Table) -> float:
    """Pearson's statistic of A, B given C with N in place of N_s."""
    cells = np.zeros((2, 2, 2))
    codes = [data.codes(name) for name in "ABC"]
    np.add.at(cells, tuple(codes), 1.0 if data.weights is None else data.weights)
    expected = cells.sum(axis=1, keepdims=True) * cells.sum(axis=0, keepdims=True) / data.N
    used = expected > 0
    return float((((cells - expected) ** 2)[used] / expected[used]).sum())


def scores(sheet: Sheet) -> None:
    differences = []
    for N in (100.0, 1_000.0, 10_000.0, 100_000.0):
        joint = np.array([[0.4, 0.1], [0.15, 0.35]])
        data = Table.from_distribution(joint, ["X", "Y"], sample_size=N)
        graph = Dag(["X", "Y"], [("X", "Y")])
        differences.append(BDeu(1).on(data).total(graph) - BIC().on(data).total(graph))
    sheet.claim(
        "BIC is the Bayesian score for many cases, up to a constant",
        "the difference stays bounded",
        ", ".join(f"{value:.3f}" for value in differences) + " nats for 100 to 100,000 cases",
        holds=max(differences) - min(differences) < 0.2,
    )
    outcomes = greedy_tie_outcomes(table_7_4(), score=BIC())
    sheet.claim(
        "hill climbing need not find the best graph",
        "it is not asymptotically correct",
        "; ".join(f"{arcs(one.graph)} ({one.score:.4f})" for one in outcomes),
        holds=len({round(one.score, 6) for one in outcomes}) > 1,
        reason="Table 7.4 of Jensen & Nielsen: ties decide which of these it ends in",
    )
    asia = read(sample_path("asia"))
    sizes = [len(learn_dag(asia, score=BDeu(ess), search=OrderSearch()).edges) for ess in (0.1, 10, 1000)]
    sheet.region(
        "a larger alpha of BDeu regularizes less",
        "more arcs",
        f"{', '.join(map(str, sizes))} arcs of the sample asia for alpha 0.1, 10, 1,000",
        near=sizes == sorted(sizes),
        reason="a tendency, not a law",
    )


def markov_networks(sheet: Sheet) -> None:
    found = learn(oracle=FIGURE_7_3, search=IAMB()).graph
    sheet.claim(
        "IAMB on the graph of Figure 7.3 of Jensen & Nielsen",
        "the Markov blankets",
        str(found),
        holds=found == FIGURE_7_3.moral(),
    )
    square = UndirectedGraph.parse("A -- B -- C -- D -- A")
    cycle = learn(oracle=square, search=IAMB()).graph
    sheet.claim(
        "IAMB on a cycle of four, which no DAG represents",
        "the cycle",
        str(cycle),
        holds=cycle == square,
    )
    through_pc = learn(oracle=square, search=PC())
    sheet.answer(
        "PC on the same cycle",
        str(through_pc.graph),
        "a DAG needs a v-structure there that the distribution does not have",
    )


def words(sheet: Sheet) -> None:
    sheet.wrong(
        "the probability to reject a true hypothesis", "the p-value", "the level alpha", "by definition"
    )
    sheet.wrong(
        "what PC stands for", "parents and children", "Peter and Clark", "the first names of its authors"
    )
    sheet.wrong(
        "the remainder in the definition of a Markov network",
        "all other variables and X_i",
        "without X_i",
        "a variable is never independent of itself",
    )
    sheet.wrong(
        "IAMB on data",
        "as with an oracle",
        "with a symmetry correction",
        "the answers of tests from two ends of an edge can differ",
    )
    exponent = math.log(count_dags(12), 10)
    sheet.answer("why not all DAGs can be looked at: those over 12 nodes", f"about 10^{exponent:.0f}")
