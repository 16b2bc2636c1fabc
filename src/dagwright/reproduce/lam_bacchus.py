"""Lam & Bacchus (1994), Learning Bayesian belief networks: an approach based on the MDL principle."""

from __future__ import annotations

import math
from itertools import combinations, permutations

from dagwright.data import Table, read, sample_path
from dagwright.evidence import (
    MDL,
    code_lengths,
    cross_entropy,
    description_length,
    entropy,
    family_weight,
    mutual_information,
    network_weight,
)
from dagwright.graph.dag import Dag
from dagwright.learning.learn import learn
from dagwright.model import compare_beliefs, distance, fit
from dagwright.reproduce.lam_bacchus_alarm import alarm
from dagwright.reproduce.lam_bacchus_experiments import figure_4_sets, five_nodes
from dagwright.reproduce.report import Progress, Section, Sheet
from dagwright.reproduce.sources import arcs, example_1, learn_dag, table_7_4
from dagwright.search.mdl_search import MdlSearch
from dagwright.show.frontier_chart import frontier


def parts(quick: bool, progress: Progress) -> list[Section]:
    """Every part of the paper, in its order."""
    sections = []
    for title, fill in (
        ("Example 1: belief update in two networks", belief_update),
        ("Encoding (section 3)", encoding),
        ("The code for another distribution (Eq. 3, Theorem 3.3)", code_for_q),
        ("Theorems 4.2 and 4.3", theorems),
        ("The search (section 4.2)", search),
    ):
        progress(title)
        sheet = Sheet(title)
        fill(sheet)
        sections.append(sheet.done())
    sections.append(five_nodes(quick, progress))
    sections.append(figure_4_sets(progress))
    sections.append(alarm(quick, progress))
    return sections


def belief_update(sheet: Sheet) -> None:
    full, chain = example_1()
    beliefs = compare_beliefs(full, chain, priors={"A": [0.7, 0.3]}).beliefs
    sheet.number("P(b1) when P(a1) is 0.3", "0.31", float(beliefs["B"][0][1]))
    sheet.number("P(c1) in the network with A -> C", "0.356", float(beliefs["C"][0][1]))
    sheet.number("P(c1) in the network without it", "0.336", float(beliefs["C"][1][1]))
    known = compare_beliefs(full, chain, {"A": "a1"}).beliefs
    sheet.answer(
        "P(c1) in both networks once a1 is known",
        f"{known['C'][0][1]:.3f} and {known['C'][1][1]:.3f}",
        "the figure does not print all parameters; they follow from the numbers of the text",
    )
    absolute, kl = (distance(full, chain, measure).total for measure in ("absolute", "kl"))
    sheet.answer(
        "distance of the two networks by Eq. 10",
        f"{absolute:.6f} (mean absolute difference), {kl:.6f} bits (Kullback-Leibler)",
        "Eq. 10 adds two averages without halving: networks with the same blankets get twice the mean",
    )


def encoding(sheet: Sheet) -> None:
    states = {"x": 5, "a": 3, "b": 3, "c": 3, "d": 3}
    one_row = Table(list(states), [[0]] * 5, [list(range(r)) for r in states.values()])
    graph = Dag(list(states), [(parent, "x") for parent in "abcd"])
    node = description_length(graph, one_row, d=1.0).by_node["x"]
    sheet.number("numbers to store for a node with four parents (section 3.1)", "324", node.parameters)
    lengths = code_lengths({"first": 500, "second": 300, **{f"other {i}": 20 for i in range(10)}})
    sheet.number("bits of the Huffman code for 1,000 events (section 3.2)", "2180", lengths.huffman)
    sheet.answer(
        "no code can need less than",
        f"{lengths.entropy:.4f} bits",
        f"words of one length need {lengths.fixed:.0f}; the sum of 2^-length is {lengths.kraft:g}",
    )
    words = sorted(lengths.words.values(), key=lambda word: (len(word), word))
    sheet.claim(
        "code words for events that occur 500, 300 and ten times 20 times",
        "one word for each of twelve events, none the beginning of another",
        ", ".join(words),
        holds=len(words) == 12 and not any(b.startswith(a) for a, b in permutations(words, 2)),
        reason="the printed words are not available to compare one by one; several Huffman codes have the "
        "same lengths",
    )
    sheet.wrong(
        "numbers that describe n points by a polynomial through them (Example 2)",
        "2n + 1",
        "2n",
        "a polynomial of degree n-1 has n coefficients, and n points lie on it",
    )
    sheet.wrong(
        "N_vu/N_u is an unbiased estimator",
        "always",
        "where N_u > 0",
        "it is not defined for a configuration that does not occur",
    )


def code_for_q(sheet: Sheet) -> None:
    """Eq. 3 and Theorem 3.3: the data under the code of a network, and the cross-entropy."""
    data = table_7_4()
    graphs = [Dag.parse(text) for text in ("A; B; C", "A -> C; B", "A -> B; C", "B -> C; A", "A -> B <- C")]
    points = []
    for graph in graphs:
        length = -fit(graph, data, parameter_prior=None).log_likelihood(data) / math.log(2)
        points.append((cross_entropy(graph, data, unit="bits"), length))
    own = data.N * entropy(data, data.names, unit="bits")
    sheet.answer(
        "Eq. 3 on Table 7.4 of Jensen & Nielsen: bits of the data under the code for q",
        ", ".join(f"{arcs(graph)} {length:.4f}" for graph, (_, length) in zip(graphs, points, strict=True)),
        f"the code for the distribution of the data itself needs {own:.4f}",
    )
    worst = max(abs(length - own - data.N * divergence) for divergence, length in points)
    sheet.claim(
        "Theorem 3.3: the bits of the data rise with the cross-entropy of p and q",
        "monotonically increasing",
        f"bits = N H(p) + N C(p, q) within {worst:.0e} bits for five networks",
        holds=worst < 1e-9 and sorted(points) == sorted(points, key=lambda point: point[1]),
        reason="Table 7.4 of Jensen & Nielsen",
    )


def theorems(sheet: Sheet) -> None:
    for name, data in (
        ("Table 7.4 of Jensen & Nielsen", table_7_4()),
        ("the sample asia", read(sample_path("asia"))),
    ):
        graphs = [
            Dag(data.names),
            Dag(data.names, list(zip(data.names, data.names[1:], strict=False))),
            Dag(data.names, [(data.names[0], other) for other in data.names[1:]]),
        ]
        sums = [
            cross_entropy(graph, data, unit="bits") + network_weight(graph, data, unit="bits")
            for graph in graphs
        ]
        spread = max(sums) - min(sums)
        sheet.claim(
            f"Theorem 4.2 on {name}: cross-entropy falls as weight rises",
            "their sum is a constant",
            f"the same for three graphs within {spread:.0e} bits",
            holds=spread < 1e-9,
        )
    data = table_7_4()
    points = frontier(learn(data, search=MdlSearch("every-dag"))).points
    weights = [point.weight for point in points]
    sheet.claim(
        "Theorem 4.3: the largest weight never falls with the number of arcs",
        "M_0 <= M_1 <= ...",
        ", ".join(f"{weight:.4f}" for weight in weights),
        holds=weights == sorted(weights),
        reason="Table 7.4 of Jensen & Nielsen, 0 to 3 arcs, bits",
    )


def search(sheet: Sheet) -> None:
    data = table_7_4()
    found = learn(data, search=MdlSearch())
    two = next(point for point in found.notes["frontier"] if point["arcs"] == 2)
    ranked = sorted(
        ((mutual_information(data, a, b, unit="bits"), f"{a}-{b}") for a, b in combinations(data.names, 2)),
        reverse=True,
    )
    sheet.unavailable(
        "Example 3: the trace of the search",
        "a trace over the networks of a figure",
        "on Table 7.4 of Jensen & Nielsen: PAIRS "
        + ", ".join(f"{pair} {bits:.4f}" for bits, pair in ranked)
        + "; heaviest "
        + "; ".join(
            f"S_{point['arcs']} {point['heaviest']} {point['weight']:.4f}"
            for point in found.notes["frontier"]
        )
        + f"; {found.notes['expansions']} expansions",
        "the figure of the example is not available; the same steps are shown on a table that is",
    )
    sheet.answer(
        "the PD-procedure when A, B are joined after B, C in Table 7.4 of Jensen & Nielsen",
        two["heaviest"],
        "the first arc is turned, because that makes the network heavier",
    )
    joint = family_weight(data, "B", ["A", "C"], unit="bits")
    pairs = sum(mutual_information(data, "B", other, unit="bits") for other in "AC")
    sheet.wrong(
        "weight of the network plus mutual information of the pair, as a forecast",
        "what a pair adds",
        f"{joint:.4f} bits for both parents of B, {pairs:.4f} for the pairs",
        "a set of parents can weigh more than its pairs, all of which may be zero (exclusive or): the value "
        "guides the search, but bounds nothing",
        shown_to_be=joint > pairs,
    )
    empty, joined = (
        learn_dag(data, score=MDL(d=16), search=MdlSearch(connected=connected)) for connected in (False, True)
    )
    bits = [description_length(graph, data, d=16).total for graph in (empty, joined)]
    sheet.wrong(
        "step 3: networks that are put on the list FINAL",
        "those that are fully connected",
        "those that are connected",
        "Example 3 shows that connected is meant. Networks with isolated nodes are left out even where they "
        f"are shortest: with d = 16 the data of Table 7.4 take {bits[0]:.1f} bits with {arcs(empty)}, "
        f"{bits[1]:.1f} with the best connected network",
        shown_to_be=not empty.edges and bits[0] < bits[1],
    )
