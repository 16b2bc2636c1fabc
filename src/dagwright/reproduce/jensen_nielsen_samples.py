"""Experiments of Jensen & Nielsen (2007): Ockham's razor in Figure 7.22, and how often PC errs."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dagwright.data import Table
from dagwright.evidence import BIC, BDeu, GSquare, K2Score, Score
from dagwright.graph.comparison import compare
from dagwright.graph.dag import Dag
from dagwright.model import random_network
from dagwright.reproduce.report import Section, Sheet
from dagwright.reproduce.sources import FIGURE_7_3, learn_class
from dagwright.search.pc import PC
from dagwright.show.curves import Curve, curves

NAMES = ("X1", "X2")
ARC, APART = Dag(NAMES, [NAMES]), Dag(NAMES)
EPSILONS = (0.0, 0.1, 0.2, 0.3, 0.5)
ALPHAS = (0.001, 0.01, 0.05, 0.2)


def independence_posterior(epsilon: float, N: float, spec: Score) -> float:
    """P(independence | D) against one dependent model, at the expected counts of N cases.

    P(X1) is 1/2 and P(X2 = 1 | X1) is (1 - epsilon)/2 or (1 + epsilon)/2 (Jensen & Nielsen 2007, Fig. 7.21).
    """
    joint = np.array([[1 + epsilon, 1 - epsilon], [1 - epsilon, 1 + epsilon]]) / 4
    bound = spec.on(Table.from_distribution(joint, NAMES, sample_size=N))
    return 1.0 / (1.0 + math.exp(min(700.0, bound.total(ARC) - bound.total(APART))))


def ockham_curves() -> Section:
    sheet = Sheet("Ockham's razor (Figures 7.21 and 7.22)")
    k2, bic, one, two = (
        independence_posterior(0.2, 100, spec) for spec in (K2Score(), BIC(), BDeu(1), BDeu(2))
    )
    sheet.number(
        "P(independence | D) for epsilon 0.2 and 100 cases",
        "0.6",
        k2,
        differs="Eq. 7.9 at the expected counts (30, 20; 20, 30) gives this; which models share the mass is "
        f"not said, and with both directions of the arc it is {both_directions(k2):.4f}. Approximated by "
        f"BIC it is {bic:.4f}, BDeu with one case {one:.4f}, with two {two:.4f}: the figure may show one of "
        "these",
    )
    numbers = [10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000]
    series = [
        Curve(
            f"epsilon = {epsilon:g}",
            tuple((float(N), independence_posterior(epsilon, N, K2Score())) for N in numbers),
        )
        for epsilon in EPSILONS
    ]
    rises = [y for _, y in series[0].points]
    falls = [y for _, y in series[2].points]
    sheet.claim(
        "independence is believed more and more where it holds, and given up where it does not",
        "the curves of Figure 7.22",
        f"epsilon 0: from {rises[0]:.3f} to {rises[-1]:.3f}; 0.2: from {falls[0]:.3f} to {falls[-1]:.1e}",
        holds=rises == sorted(rises) and falls[-1] < 1e-6 < 0.5 < falls[0],
    )
    sheet.pictures.append(
        curves(
            series,
            title="P(independence | D), K2, at expected counts (Figure 7.22)",
            across="number of cases",
            up="P(independence | D)",
            logarithmic=True,
        )
    )
    return sheet.done()


def both_directions(posterior: float) -> float:
    """The same with X1 -> X2 and X2 -> X1 as two structures, which score the same here."""
    return posterior / (posterior + 2.0 * (1.0 - posterior))


def pc_errors(quick: bool) -> Section:
    """How far PC is from the essential graph of Figure 7.3, by number of cases and level of the test."""
    sheet = Sheet("Errors of PC against the number of cases and the level (section 7.1.4)")
    seeds = range(3 if quick else 10)
    numbers = [100, 1_000, 10_000] if quick else [100, 300, 1_000, 3_000, 10_000, 30_000]
    networks = [
        random_network(FIGURE_7_3, concentration=0.5, min_difference=0.2, random_state=seed) for seed in seeds
    ]
    samples = [
        [network.sample(N, random_state=seed) for N in numbers]
        for seed, network in zip(seeds, networks, strict=True)
    ]
    truth = FIGURE_7_3.cpdag()
    mean: dict[float, list[float]] = {}
    for alpha in ALPHAS:
        distances = [
            [
                compare(truth, learn_class(rows, search=PC(test=GSquare(alpha=alpha)))).shd
                for rows in of_network
            ]
            for of_network in samples
        ]
        mean[alpha] = [float(value) for value in np.mean(distances, axis=0)]
    sheet.claim(
        "more cases, fewer errors",
        "errors fall with the number of cases",
        "; ".join(f"alpha {alpha:g}: {_fall(values)}" for alpha, values in mean.items()),
        holds=all(values[-1] < values[0] for values in mean.values()),
        reason=f"mean structural Hamming distance over {len(seeds)} random parameter sets, "
        f"{numbers[0]} to {numbers[-1]:,} cases",
    )
    links = {
        alpha: sum(
            len(learn_class(of_network[0], search=PC(test=GSquare(alpha=alpha))).skeleton().edges)
            for of_network in samples
        )
        for alpha in ALPHAS
    }
    sheet.claim(
        "a larger level removes fewer edges",
        "fewer edges are removed",
        ", ".join(f"alpha {alpha:g}: {count / len(seeds):.1f} edges" for alpha, count in links.items()),
        holds=list(links.values()) == sorted(links.values()),
        reason=f"{numbers[0]} cases, 5 edges are right",
    )
    series = [
        Curve(f"alpha = {alpha:g}", tuple(zip(map(float, numbers), values, strict=True)))
        for alpha, values in mean.items()
    ]
    sheet.pictures.append(
        curves(
            series,
            title="Errors of PC on the graph of Figure 7.3",
            across="number of cases",
            up="structural Hamming distance",
            logarithmic=True,
        )
    )
    return sheet.done()


def _fall(values: Sequence[float]) -> str:
    return f"{values[0]:.1f} to {values[-1]:.1f}"
