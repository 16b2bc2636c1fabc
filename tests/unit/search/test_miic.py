"""MIIC: corrected information, contributors, orientations with probabilities."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

import dagwright as dw
from dagwright.errors import OptionError
from dagwright.search.miic import chain_probability, collider_probability


def regret(n: int, r: int) -> float:
    """ln of the sum over all counts of n draws of r states of their maximum likelihood times their number."""
    total = 0.0
    for counts in product(range(n + 1), repeat=r - 1):
        rest = n - sum(counts)
        if rest < 0:
            continue
        whole = (*counts, rest)
        ways = math.factorial(n)
        for k in whole:
            ways //= math.factorial(k)
        total += ways * math.prod((k / n) ** k for k in whole if k) if n else 1.0
    return math.log(total)


def corrected_information(rows: list[tuple[int, int, int]]) -> float:
    """N I(x; y | u) less half of both complexities (Affeldt & Isambert 2015), counted by hand."""

    def count(**fixed: int) -> int:
        return sum(all(row["xyu".index(k)] == v for k, v in fixed.items()) for row in rows)

    total = 0.0
    for u in {row[2] for row in rows}:
        for x, y in product(range(2), range(3)):
            n = count(x=x, y=y, u=u)
            if n:
                total += n * math.log(n * count(u=u) / (count(x=x, u=u) * count(y=y, u=u)))
        total -= 0.5 * (sum(regret(count(x=x, u=u), 3) for x in range(2)) - regret(count(u=u), 3))
        total -= 0.5 * (sum(regret(count(y=y, u=u), 2) for y in range(3)) - regret(count(u=u), 2))
    return total


def test_its_criterion_is_the_symmetric_gain_of_fnml() -> None:
    rng = np.random.default_rng(3)
    rows = [tuple(map(int, row)) for row in zip(*(rng.integers(0, r, 12) for r in (2, 3, 2)), strict=True)]
    table = dw.Table("xyu", list(zip(*rows, strict=True)), [[0, 1], [0, 1, 2], [0, 1]])
    verdict = dw.independence_test(table, "x", "y", ["u"], test=dw.FNML())
    assert verdict.gain == pytest.approx(corrected_information(rows), abs=1e-9)


def test_the_true_class_of_polytrees_where_rows_are_as_many_as_one_likes() -> None:
    """One variable on the path separates each pair, or none is needed; denser graphs have no such promise."""
    for seed in range(25):
        rng = np.random.default_rng(seed)
        nodes = [f"v{at}" for at in range(7)]
        arcs = []
        for at in range(1, 7):
            pair = [nodes[at], nodes[rng.integers(at)]]
            arcs.append(tuple(pair if rng.random() < 0.5 else pair[::-1]))
        dag = dw.Dag(nodes, arcs)
        table = dw.random_network(dag, concentration=0.5, random_state=seed).distribution(sample_size=10**6)
        exact = dw.learn(table, search=dw.PC(test=dw.FNML()))
        if exact.graph == dag.cpdag():  # no dependence is too weak for this many rows
            assert dw.learn(table, search=dw.MIIC()).graph == dag.cpdag(), seed


def test_a_collider_and_a_chain_have_probabilities() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, (2, 3000))
    c = np.where(rng.random(3000) < 0.9, a | b, 1 - (a | b))
    d = np.where(rng.random(3000) < 0.9, c, 1 - c)
    found = dw.learn(dict(zip("abcd", map(list, (a, b, c, d)), strict=True)), search=dw.MIIC())
    assert found.graph == dw.Pdag.parse("a -> c; b -> c; c -> d")
    chances = found.notes["orientation probabilities"]
    assert set(chances) == {"a -> c", "b -> c", "c -> d"}
    assert all(0.9 < chance <= 1 for chance in chances.values())
    assert chances["c -> d"] <= chances["a -> c"]


def test_probabilities_are_those_of_the_paper() -> None:
    for value in (0.5, 3.0, 40.0):
        assert collider_probability(-value) == pytest.approx(
            (1 + math.exp(-value)) / (1 + 3 * math.exp(-value))
        )
        assert chain_probability(value, 1.0) == pytest.approx(1 / (1 + math.exp(-value)))


def test_an_oracle_has_no_information_to_weigh() -> None:
    with pytest.raises(OptionError, match="weighs the information"):
        dw.learn(oracle=dw.Dag.parse("a -> b"), search=dw.MIIC())
