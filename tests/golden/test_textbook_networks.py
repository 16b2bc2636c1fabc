"""Figures of the literature for networks with numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dagwright as dw

BINARY = {"A": ["a0", "a1"], "B": ["b0", "b1"], "C": ["c0", "c1"]}


def rows(*ones: float) -> list[list[float]]:
    return [[1 - p, p] for p in ones]


def example_1() -> tuple[dw.BayesianNetwork, dw.BayesianNetwork]:
    """The two networks of Lam & Bacchus (1994), Example 1; the figure's numbers follow from its text."""
    shared = {"A": [0.7, 0.3], "B": rows(0.1, 0.8)}
    full = dw.BayesianNetwork(
        dw.Dag(["A", "B", "C"], [("A", "B"), ("A", "C"), ("B", "C")]),
        BINARY,
        shared | {"C": [rows(0.2, 0.8), rows(0.1, 0.7)]},
    )
    chain = dw.BayesianNetwork(
        dw.Dag(["A", "B", "C"], [("A", "B"), ("B", "C")]), BINARY, shared | {"C": rows(0.15, 0.75)}
    )
    return full, chain


def test_lam_bacchus_example_1() -> None:
    full, chain = example_1()
    found = dw.model.compare_beliefs(full, chain)
    assert math.isclose(found.beliefs["B"][0][1], 0.31)
    assert math.isclose(found.beliefs["B"][1][1], 0.31)
    assert math.isclose(found.beliefs["C"][0][1], 0.356)
    assert math.isclose(found.beliefs["C"][1][1], 0.336)
    assert math.isclose(found.largest_difference, 0.02)
    same = dw.model.compare_beliefs(full, chain, priors={"A": [0.7, 0.3]})
    assert math.isclose(same.beliefs["C"][0][1], 0.356)
    # With A known: P(c1 | a1) = 0.8 * 0.7 + 0.2 * 0.1 against 0.8 * 0.75 + 0.2 * 0.15.
    known = dw.model.compare_beliefs(full, chain, {"A": "a1"})
    assert math.isclose(known.beliefs["C"][0][1], 0.58)
    assert math.isclose(known.beliefs["C"][1][1], 0.63)
    changed = dw.model.compare_beliefs(full, chain, priors={"A": [0.0, 1.0]})
    assert math.isclose(changed.beliefs["C"][1][1], 0.63)


@pytest.mark.parametrize(
    ("measure", "by_node", "total"),
    [
        (
            "absolute",
            {"A": 0.03463223760485575, "B": 0.04904670596508219, "C": 0.08436185133239836},
            0.05601359830077877,
        ),
        (
            "kl",
            {"A": 0.009887118641269524, "B": 0.007239159281618215, "C": 0.0176305012325573},
            0.011585593051815014,
        ),
    ],
)
def test_lam_bacchus_equation_10(measure: str, by_node: dict[str, float], total: float) -> None:
    found = dw.distance(*example_1(), measure)
    assert math.isclose(found.total, total, abs_tol=1e-9)
    for node, value in by_node.items():
        assert math.isclose(found.by_node[node], value, abs_tol=1e-9)


def figure_4() -> dw.BayesianNetwork:
    """Set 1 of Lam & Bacchus (1994), Figure 4: b -> c and a, b, c, d -> e, roots taken as fair."""
    e1 = np.full((2, 2, 2, 2), 0.1)  # axes a, b, c, d
    e1[1, 1, 1, 1], e1[1, 0, 1, 1], e1[1, 0, 0, 1] = 0.9, 0.15, 0.08
    names = ["a", "b", "c", "d", "e"]
    return dw.BayesianNetwork(
        dw.Dag(names, [("b", "c"), *((parent, "e") for parent in "abcd")]),
        {x: [0, 1] for x in names},
        {x: [0.5, 0.5] for x in "abd"} | {"c": rows(0.2, 0.8), "e": np.stack([1 - e1, e1], axis=-1)},
    )


def without(network: dw.BayesianNetwork, parent: str, child: str) -> dw.BayesianNetwork:
    """The network without an arc that is closest to it: the child's table from the marginal of its family."""
    parents = [p for p in network.parents(child) if p != parent]
    joint = network.marginal([*parents, child])
    graph = network.graph.with_edges(remove=[(parent, child)])
    tables = {x: network.table(x) for x in network.nodes} | {child: joint / joint.sum(axis=-1, keepdims=True)}
    return dw.BayesianNetwork(graph, {x: network.states(x) for x in network.nodes}, tables)


@pytest.mark.parametrize(
    ("arc", "kl_bits", "absolute", "divergence_bits"),
    [
        (("a", "e"), 0.05421245653477931, 0.05373814838630504, 0.10658469101814681),
        (("b", "c"), 0.22598328809635165, 0.22598328809635165, 0.2780719051126376),
        (("b", "e"), 0.0617306413346594, 0.054555521760932424, 0.03933625862707799),
        (("c", "e"), 0.07743262519983565, 0.06467335841577285, 0.04546519736509229),
        (("d", "e"), 0.05421245653477931, 0.05373814838630504, 0.10658469101814681),
    ],
)
def test_lam_bacchus_figure_4(
    arc: tuple[str, str], kl_bits: float, absolute: float, divergence_bits: float
) -> None:
    truth = figure_4()
    other = without(truth, *arc)
    assert math.isclose(dw.divergence(truth, other).value / math.log(2), divergence_bits, abs_tol=1e-9)
    assert math.isclose(dw.distance(truth, other, "absolute").total, absolute, abs_tol=1e-9)
    assert math.isclose(dw.distance(truth, other, "kl").total, kl_bits, abs_tol=1e-9)


def test_jensen_nielsen_network_size() -> None:
    """Figure 7.12 with binary variables needs 10 table entries counted as configurations times states."""
    names = ["A", "B", "C"]
    network = dw.random_network(dw.Dag(names, [("A", "B"), ("C", "B")]), random_state=1)
    assert sum(network.table(x).size for x in names) == 2 + 8 + 2
    assert network.dimension == 1 + 4 + 1


def test_jensen_nielsen_model_of_table_7_3() -> None:
    """A model that gives Table 7.3: cold, angina -> fever, sore throat; angina -> spots."""
    angina = np.array([0.98844614, 0.00832143, 0.00323243])
    fever = [[0.2825662402369029, 0.9989283502844037, 0.7015660879290447],
             [0.4512703766638664, 0.9991803480993401, 0.7717426508957441]]  # fmt: skip
    sore = [[0.00448250335606637, 0.018746982166441772, 0.9991482385797168],
            [0.07691564437613918, 0.09014224991082331, 0.9992102121314412]]  # fmt: skip
    spots = [0.000482622117, 0.114707258, 0.560100071]
    graph = dw.Dag.parse("Cold -> Fever; Angina -> Fever; Cold -> Sore; Angina -> Sore; Angina -> Spots")
    network = dw.BayesianNetwork(
        graph,
        {x: ["no", "yes"] for x in ("Cold", "Fever", "Sore", "Spots")} | {"Angina": ["no", "mild", "severe"]},
        {
            "Cold": [1 - 0.2050646116709972, 0.2050646116709972],
            "Angina": angina / angina.sum(),
            "Fever": [rows(*by_angina) for by_angina in fever],
            "Sore": [rows(*by_angina) for by_angina in sore],
            "Spots": rows(*spots),
        },
        parents={"Fever": ["Cold", "Angina"], "Sore": ["Cold", "Angina"]},
    )
    assert network.inessential_edges() == ()
    sample = network.sample(300_000, random_state=1)
    fitted = dw.fit(network.graph, sample, parameter_prior=dw.BDeu(ess=1))
    low, high = fitted.credible_intervals("Spots", level=1 - 1e-6)
    assert np.all((low <= network.table("Spots")) & (network.table("Spots") <= high))
    assert dw.divergence(network, fitted).value < 2e-4
