"""Exercises of Jensen & Nielsen (2007) on measures and searches, and those that cannot be run."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from dagwright.data import Table
from dagwright.evidence import BIC, conditional_mutual_information, score
from dagwright.graph.dag import Dag
from dagwright.graph.oracle import GraphOracle
from dagwright.graph.textbook_rules import orient
from dagwright.learning.learn import learn
from dagwright.model import fit
from dagwright.reproduce.report import Sheet
from dagwright.reproduce.sources import EXAMPLE_7_1, FIGURE_7_3, arcs, learn_dag, table_7_4
from dagwright.search.annealing import Annealing
from dagwright.search.pc import PC
from dagwright.search.tabu import Tabu

SEEDS = 20


def rule_sequence(sheet: Sheet) -> None:
    """Rules 1, 2 and 4 lead from the skeleton of Example 7.1 to its graph."""
    wanted = set(EXAMPLE_7_1.edges)
    run = orient(
        EXAMPLE_7_1.skeleton(),
        EXAMPLE_7_1.v_structures(),
        choose=lambda graph: (
            ("E", "D")
            if ("D", "E") in graph.undirected_edges
            else next(arc for a, b in graph.undirected_edges for arc in ((a, b), (b, a)) if arc in wanted)
        ),
    )
    sheet.claim(
        "Example 7.1: the sequence of rules from the skeleton to a DAG",
        f"ends in {arcs(EXAMPLE_7_1)}",
        "; ".join(f"rule {step.rule}: {step.arc[0]} -> {step.arc[1]}" for step in run.trace),
        holds=run.dag == EXAMPLE_7_1,
        reason="rule 4 chooses E -> D first and A -> B last; the rules force every other direction. The "
        "figure of the intermediate graphs is not available, so other orders of the same steps are possible",
    )


def path_condition(sheet: Sheet) -> None:
    plain, short = (
        learn(oracle=GraphOracle(EXAMPLE_7_1), search=PC(order=list("ABCDEFG"), path_condition=on))
        for on in (False, True)
    )
    sheet.unavailable(
        "Figure 7.8: conditioning only on variables on a path between the two (necessary path condition)",
        "a figure",
        f"on Example 7.1: {short.evaluations} questions instead of {plain.evaluations}, and "
        + ("the same graph" if short.graph == plain.graph else "another graph"),
        "the figure is not available; the condition is run on the graph of Example 7.1 instead",
    )
    sheet.unavailable(
        "Figure 7.5",
        "a figure",
        "not runnable",
        "the figure is not available",
    )


def measures(sheet: Sheet) -> None:
    """Exercises 7.5 and 7.11."""
    independent, dependent = _conditional_information()
    sheet.answer(
        "Exercise 7.5: the conditional mutual information is zero exactly where independence holds",
        f"at most {independent:.0e} bits in 50 distributions with A and B independent given X, at least "
        f"{dependent:.1e} in 50 without",
        "it is a mean of Kullback-Leibler divergences, one for each state of X; each is zero only where "
        "P(A, B | x) = P(A | x) P(B | x)",
    )
    data = table_7_4()
    worst = max(abs(_bic_by_cases(dag, data) - score(dag, data, BIC()).total) for dag in _example_dags())
    sheet.answer(
        "Exercise 7.11: BIC summed over cases (7.4) and over counts (7.5)",
        f"equal within {worst:.0e} nats for {len(_example_dags())} graphs over Table 7.4",
        "cases with the same configuration of a family contribute the same logarithm, N_ijk times",
    )


def _conditional_information() -> tuple[float, float]:
    """The largest value with and the smallest without independence, of random distributions."""
    rng = np.random.default_rng(0)
    with_: list[float] = []
    without: list[float] = []
    for _ in range(50):
        x = rng.dirichlet(np.ones(3))
        a, b = rng.dirichlet(np.ones(2), 3), rng.dirichlet(np.ones(3), 3)
        product = np.einsum("x,xa,xb->abx", x, a, b)
        free = rng.dirichlet(np.ones(18)).reshape(2, 3, 3)
        for joint, values in ((product, with_), (free, without)):
            data = Table.from_distribution(joint, ["A", "B", "X"])
            values.append(conditional_mutual_information(data, "A", "B", "X", unit="bits"))
    return max(with_), min(without)


def _example_dags() -> list[Dag]:
    return [
        Dag.parse(text) for text in ("A; B; C", "A -> B; C", "A -> B -> C", "A -> B <- C", "A -> B; A -> C")
    ]


def _bic_by_cases(dag: Dag, data: Table) -> float:
    """Log-probability of each case under the relative frequencies, less the penalty."""
    network = fit(dag, data, parameter_prior=None)
    return network.log_likelihood(data) - math.log(data.N) / 2 * network.dimension


def other_searches(sheet: Sheet) -> None:
    """Exercises 7.12 and 7.13 on Table 7.4, where greedy search can end in a local maximum."""
    data = table_7_4()

    def bits(dag: Dag) -> float:
        return score(dag, data, BIC(), unit="bits").total

    short, long = (learn_dag(data, score=BIC(), search=Tabu(tenure=tenure)) for tenure in (1, 15))
    sheet.answer(
        "Exercise 7.12: tabu search on Table 7.4",
        f"{arcs(short)} ({bits(short):.4f} bits) where a changed pair is left alone for one "
        f"step; {arcs(long)} ({bits(long):.4f} bits) for 15",
        "the best move is made even downhill, so the search can leave the local maximum B -> A, B -> C of "
        "greedy search; with three pairs, 15 steps leave no move to make",
    )
    hint = Annealing(schedule=lambda part: math.exp(9 * (1 - part)))
    ends, hinted = (
        [bits(learn_dag(data, score=BIC(), search=search, random_state=seed)) for seed in range(SEEDS)]
        for search in (Annealing(), hint)
    )
    best = max(ends)
    sheet.answer(
        "Exercise 7.13: simulated annealing on Table 7.4",
        f"{best:.4f} bits from {sum(one > best - 1e-9 for one in ends)} of {SEEDS} seeds, "
        f"{sum(one > best - 1e-9 for one in hinted)} of {SEEDS} with the schedule of the hint",
        "a move is made with probability min(1, exp(gain / T)). With the counter i of the hint falling, "
        "e^-i grows: it weighs the score, it is not the noise",
    )


def not_runnable(sheet: Sheet) -> None:
    class_size = EXAMPLE_7_1.cpdag().count()
    separations = sum(
        FIGURE_7_3.d_separated(a, b, given)
        for a, b in combinations("ABCDE", 2)
        for size in range(4)
        for given in combinations([x for x in "ABCDE" if x not in (a, b)], size)
    )
    for what, ours, reason in (
        (
            "Exercise 7.1",
            f"on Figure 7.3: {separations} separations",
            "its graph is in a figure that is not available; `Dag.d_separated` answers such questions",
        ),
        (
            "Exercise 7.2",
            f"on Figure 7.3: {learn(oracle=FIGURE_7_3, search=PC()).graph}",
            "its graph is in a figure that is not available; `PC` with an oracle answers such questions",
        ),
        (
            "Exercise 7.9",
            "not runnable",
            "its data are those of Example 6.2, outside the chapter; `fit` with missing values (EM) and BIC "
            "compute what it asks",
        ),
        (
            "Exercise 7.14",
            f"on Example 7.1: {class_size} equivalent DAGs",
            "its graphs are in a figure that is not available; `Pdag.members` lists equivalent DAGs",
        ),
    ):
        sheet.unavailable(what, "needs a figure or data", ours, reason)
