"""Sections 7.3 and 7.4 of Jensen & Nielsen (2007): scores, priors, greedy search and trees."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations

import numpy as np

from dagwright.evidence import (
    BIC,
    Euclidean,
    K2Score,
    KappaPrior,
    LogLik,
    Score,
    equivalence_gap,
    mutual_information,
    score,
)
from dagwright.graph.counting import all_dags
from dagwright.graph.dag import Dag
from dagwright.learning.learn import learn
from dagwright.reproduce.jensen_nielsen_exercises import measures, not_runnable, other_searches
from dagwright.reproduce.report import Sheet
from dagwright.reproduce.sources import arcs, cold_or_angina, learn_dag, table_7_2, table_7_4
from dagwright.search.chow_liu import ChowLiu
from dagwright.search.ges import GES
from dagwright.search.hill_climb import HillClimb
from dagwright.search.tie_outcomes import greedy_tie_outcomes

PAIR = ("X1", "X2")
XY, EMPTY, YX = Dag(PAIR, [PAIR]), Dag(PAIR), Dag(PAIR, [PAIR[::-1]])


def bits(graph: Dag, data: object, spec: Score) -> float:
    return score(graph, data, spec, unit="bits").total


def example_7_2(sheet: Sheet) -> None:
    data = table_7_2()
    counts = np.zeros((2, 2))
    np.add.at(counts, tuple(data.codes(x) for x in PAIR), np.asarray(data.weights))
    sheet.claim(
        "Table 7.2: cases by the states of X1, X2",
        "ten cases, 8 with X1 = 1 and 4 with X2 = 1",
        ", ".join(f"{a + 1}{b + 1}: {count:g}" for (a, b), count in np.ndenumerate(counts)),
        holds=data.N == 10 and (counts[0].sum(), counts[:, 0].sum()) == (8, 4),
        reason="the counts that the sums of Examples 7.2 and 7.4 use",
    )
    sheet.number("Example 7.2: BIC of X1 -> X2 (logarithms to base 2)", "-18.69", bits(XY, data, BIC()))
    sheet.number("Example 7.2: BIC without the arc", "-20.25", bits(EMPTY, data, BIC()))
    printed = bits(EMPTY, data, BIC()) + 2 * math.log2(4 / 10)
    sheet.wrong(
        "the sum printed for the second",
        "6 log(4/10)",
        "4 log(4/10)",
        f"four cases are in that state; with 6 the sum would be {printed:.2f}, not the -20.25 printed",
        shown_to_be=abs(printed + 22.89) < 0.005,
    )
    euclid = Euclidean().on(data)
    sheet.wrong(
        "the Euclidean score, dist + c size",
        "the highest wins",
        f"distance {euclid.distance(EMPTY):.4f} without the arc, {euclid.distance(XY):.4f} with it",
        "it is a cost, so the lowest wins; and the sum of squares is a squared distance",
        shown_to_be=euclid.distance(EMPTY) > euclid.distance(XY),
    )


def example_7_3(sheet: Sheet) -> None:
    data = cold_or_angina()
    tree = learn_dag(data, search=ChowLiu(root="Fever"))
    values = {pair: mutual_information(data, *pair, unit="bits") for pair in combinations(data.names, 2)}
    for (one, other), value in values.items():
        sheet.unavailable(
            f"Table 7.3: mutual information of {one} and {other}",
            "a number of the table",
            f"{value:.6f} bits",
            "the printed digits are not available to compare: the parameters were fitted to them",
        )
    weight = sum(mutual_information(data, *edge, unit="bits") for edge in tree.edges)
    sheet.number("Table 7.3: sum of the four values that make the tree", "0.072163", weight)
    sheet.claim(
        "Example 7.3: the Chow-Liu tree of Table 7.3",
        "Fever - Angina - Sore - Cold, Angina - Spots",
        arcs(tree),
        holds=str(tree) == "Angina -> Sore; Angina -> Spots; Fever -> Angina; Sore -> Cold",
        reason=f"weight {weight:.6f} bits; parameters fitted to the table, the book's are not printed",
    )
    three = table_7_4()
    found = learn_dag(three, search=ChowLiu())
    pairs = ", ".join(
        f"{a}{b} {mutual_information(three, a, b, unit='bits'):.4f}" for a, b in ("BC", "AB", "AC")
    )
    sheet.answer(
        "Exercise 7.15: the Chow-Liu tree of Table 7.4",
        ", ".join(f"{a} - {b}" for a, b in found.skeleton().edges)
        + f", log-likelihood {bits(found, three, LogLik()):.4f} bits",
        f"mutual information in bits: {pairs}",
    )


def example_7_4(sheet: Sheet) -> None:
    k2 = K2Score().on(table_7_2())
    with_arc, without, turned = (Fraction(1, round(math.exp(-k2.total(dag)))) for dag in (XY, EMPTY, YX))
    sheet.number("Example 7.4: P(D | X1 -> X2)", "2.67e-6", float(with_arc))
    sheet.number("Example 7.4: P(D | no arc)", "8.75e-7", float(without))
    sheet.wrong(
        "Example 7.4: r_1 in the denominator", "r_1", "r_i", "every variable has its own number of states"
    )
    sheet.wrong("(7.7): the factor of the posterior", "P(D)", "1/P(D)", "by Bayes' rule")
    evidence = (with_arc + without + turned) / 3
    sheet.answer("Exercise 7.16 (i): P(D), the three structures equally likely", str(evidence))
    sheet.answer(
        "Exercise 7.16 (ii): posteriors of X1 -> X2, no arc, X2 -> X1",
        ", ".join(str(p / (3 * evidence)) for p in (with_arc, without, turned)),
        "K2 gives the two directions different posteriors: it is not score equivalent",
    )
    # p P(D | no arc) >= (1 - p)/2 P(D | X1 -> X2)
    sheet.answer(
        "Exercise 7.16 (iii): smallest prior that lets no arc win, the rest shared evenly",
        str(with_arc / (with_arc + 2 * without)),
        "P(no arc) must outweigh the likelihood: p P(D | no arc) >= (1 - p)/2 P(D | X1 -> X2), the better of "
        "the other two. With the rest of the prior left at 1/3 each and not normalized, no arc needs "
        f"{float(with_arc / without):.4f} times 1/3",
    )
    switch = math.sqrt(turned / with_arc)
    wins = [arcs(learn_with_kappa(kappa)) for kappa in (switch - 1e-6, switch + 1e-6)]
    sheet.answer(
        "Exercise 7.17: kappa at which the greedy search changes sides",
        f"{switch:.10f}: below {wins[0]}, above {wins[1]}",
        "the expert says X2 -> X1",
    )


def learn_with_kappa(kappa: float) -> Dag:
    prior = KappaPrior(YX, kappa)
    return learn_dag(table_7_2(), score=K2Score(), search=HillClimb(), structure_prior=prior)


def example_7_5(sheet: Sheet) -> None:
    expert = Dag(["X1", "X2", "X3"], [("X1", "X2"), ("X2", "X3")])
    prior = KappaPrior(expert, 0.5)
    dags = list(three_variable_dags(("X1", "X2", "X3")))
    by_delta: dict[tuple[int, ...], list[str]] = {}
    for dag in dags:
        by_delta.setdefault(tuple(prior.deltas(dag).values()), []).append(arcs(dag))
    for name, deltas in (("B1", (1, 1, 0)), ("B2", (1, 2, 1)), ("B3", (0, 1, 1))):
        sheet.claim(
            f"Example 7.5: differences of {name} from the expert's X1 -> X2 -> X3",
            f"{deltas[0]} + {deltas[1]} + {deltas[2]} = {sum(deltas)}",
            f"{sum(deltas)}, for {'; '.join(by_delta.get(deltas, ['no graph']))}",
            holds=deltas in by_delta,
        )
    total = math.fsum(math.exp(prior.log_prior(dag)) for dag in dags)
    sheet.answer("the normalizer of that prior for kappa = 1/2 over all 25 DAGs", f"{total:.5f}")
    turned = prior.log_prior(expert), prior.log_prior(Dag(expert.nodes, [("X2", "X1"), ("X2", "X3")]))
    sheet.wrong(
        "the factor of a family under the kappa prior",
        "kappa to the sum of all differences, for each variable",
        "kappa to the differences of that variable",
        "as printed the product over n variables would count every difference n times, against (7.11); the "
        f"logarithms {turned[0]:.3f} and {turned[1]:.3f} within one class answer Exercise 7.18",
        shown_to_be=turned[0] != turned[1],
    )


def three_variable_dags(names: tuple[str, ...]) -> Iterator[Dag]:
    for links in all_dags(len(names)):
        yield Dag(names, [(names[a], names[b]) for a, b in links])


def exercises(sheet: Sheet) -> None:
    data = table_7_4()
    dags = list(three_variable_dags(("A", "B", "C")))
    totals: dict[float, list[Dag]] = {}
    for dag in dags:
        totals.setdefault(round(bits(dag, data, BIC()), 8), []).append(dag)
    best = max(totals)
    sheet.answer(
        "Exercise 7.8: BIC of all 25 DAGs over Table 7.4",
        f"best {arcs(totals[best][0])} with {best:.4f} bits",
        "; ".join(f"{value:.4f}: {arcs(found[0])}" for value, found in sorted(totals.items(), reverse=True)),
    )
    outcomes = greedy_tie_outcomes(data, score=BIC())
    sheet.answer(
        "Exercise 7.10: where the greedy search from the empty graph ends",
        "; ".join(f"{arcs(one.graph)} ({one.score / math.log(2):.4f} bits)" for one in outcomes),
        "which of them depends on how ties are broken; Algorithm 7.2 does not say",
    )
    ges = learn(data, score=BIC(), search=GES())
    sheet.answer("greedy search over equivalence classes on the same data", str(ges.graph))
    members = [dag for dag in dags if dag.cpdag() == Dag.parse("A -> B -> C").cpdag()]
    gaps = {spec.name: equivalence_gap(spec, data, members) for spec in (BIC(), K2Score())}
    sheet.claim(
        "equivalent structures get the same BIC, but not the same Bayesian score (Fig. 7.16)",
        "BIC yes, K2 no",
        ", ".join(f"{name} differs by {gap:.3g} nats" for name, gap in gaps.items()),
        holds=gaps["BIC"] < 1e-9 < gaps["K2"],
    )
    sheet.wrong(
        "search over classes: upper and lower neighbors",
        "upper has fewer dependences",
        "upper has more arcs and more dependences",
        "the text starts at the bottom, with no dependences, and searches upwards",
    )
    sheet.wrong(
        "scores based on likelihood need no penalty",
        "likelihood-based scores in general",
        "marginal likelihood only",
        "the maximized likelihood never falls when an arc is added: of Table 7.4 the complete graph has most",
        shown_to_be=max(dags, key=lambda dag: (bits(dag, data, LogLik()), len(dag.edges))).edges
        != totals[best][0].edges,
    )


SCORE_PARTS: tuple[tuple[str, Callable[[Sheet], None]], ...] = (
    ("Penalized scores (Example 7.2)", example_7_2),
    ("Bayesian scores (Example 7.4, Exercises 7.16 and 7.17)", example_7_4),
    ("Trees (Example 7.3, Exercise 7.15)", example_7_3),
    ("Priors over structures (Example 7.5, Exercise 7.18)", example_7_5),
    ("Greedy search (Exercises 7.8 and 7.10)", exercises),
    ("Other searches (Exercises 7.12 and 7.13)", other_searches),
    ("Measures (Exercises 7.5 and 7.11)", measures),
    ("Exercises that cannot be run", not_runnable),
)
