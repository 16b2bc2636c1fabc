"""Entropies, divergences and the unit they come in."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dagwright.data import Table
from dagwright.errors import DataError, MissingValuesError, OptionError
from dagwright.evidence import (
    BIC,
    GSquare,
    LogLik,
    Threshold,
    conditional_mutual_information,
    entropy,
    family_weight,
    independence_test,
    kl_divergence,
    mutual_information,
)
from dagwright.graph.dag import Dag

JOINT = np.random.default_rng(2).dirichlet(np.ones(12)).reshape(2, 3, 2)


def known(sample_size: float = 1.0) -> Table:
    return Table.from_distribution(JOINT, ["x", "y", "z"], sample_size=sample_size)


def plain_entropy(p: np.ndarray) -> float:
    return float(-(p[p > 0] * np.log(p[p > 0])).sum())


def test_information_of_a_known_distribution() -> None:
    h_xz, h_yz, h_z = (plain_entropy(JOINT.sum(axis=axes)) for axes in ((1,), (0,), (0, 1)))
    h = plain_entropy(JOINT)
    assert entropy(known(), ["x", "y", "z"]) == pytest.approx(h, abs=1e-12)
    assert entropy(known(), "x", "z") == pytest.approx(h_xz - h_z, abs=1e-12)
    assert entropy(known(), []) == 0.0
    cmi = h_xz + h_yz - h - h_z
    assert conditional_mutual_information(known(), "x", "y", "z") == pytest.approx(cmi, abs=1e-12)
    assert conditional_mutual_information(known(), "x", "y", "z", unit="bits") == pytest.approx(
        cmi / math.log(2)
    )
    w = plain_entropy(JOINT.sum(axis=(1, 2))) - (h - plain_entropy(JOINT.sum(axis=0)))
    assert family_weight(known(), "x", ["y", "z"]) == pytest.approx(w, abs=1e-12)
    assert mutual_information(known(), "x", ["y", "z"]) == pytest.approx(w, abs=1e-12)


def test_weights_grow_with_the_family() -> None:
    """Lam & Bacchus 1994, lemma of Theorem 4.3."""
    assert 0.0 == family_weight(known(), "x") <= family_weight(known(), "x", "y")
    assert family_weight(known(), "x", "y") <= family_weight(known(), "x", ["y", "z"])


def test_only_penalties_see_the_size_of_a_known_distribution() -> None:
    graph = Dag(["x", "y", "z"], [("x", "y")])
    small, large = (LogLik().on(known(n)).total(graph) / n for n in (10.0, 1e6))
    assert small == pytest.approx(large, rel=1e-9)
    assert BIC().on(known(10.0)).total(graph) / 10 < BIC().on(known(1e6)).total(graph) / 1e6
    few, many = (independence_test(known(n), "x", "y", "z", GSquare()) for n in (10.0, 1e6))
    assert few.effect == pytest.approx(many.effect, rel=1e-6)
    assert (few.p_value or 0) > (many.p_value or 0)


def test_exact_independence_is_seen_exactly() -> None:
    """x and y independent given z by construction, dependent without it."""
    z, x, y = np.array([0.3, 0.7]), np.array([[0.2, 0.8], [0.6, 0.4]]), np.array([[0.5, 0.5], [0.9, 0.1]])
    joint = np.einsum("z,zx,zy->xyz", z, x, y)
    table = Table.from_distribution(joint, ["x", "y", "z"])
    assert independence_test(table, "x", "y", "z", Threshold(1e-10)).independent
    assert not independence_test(table, "x", "y", test=Threshold(1e-10)).independent
    assert conditional_mutual_information(table, "x", "y", "z") == pytest.approx(0.0, abs=1e-12)


def test_divergence_of_arrays() -> None:
    assert kl_divergence([0.5, 0.5], [0.25, 0.75]) == pytest.approx(0.5 * math.log(2) + 0.5 * math.log(2 / 3))
    assert kl_divergence([1.0, 0.0], [0.5, 0.5], unit="bits") == pytest.approx(1.0)
    assert kl_divergence([0.5, 0.5], [1.0, 0.0]) == math.inf
    with pytest.raises(DataError, match="shapes"):
        kl_divergence([1.0], [0.5, 0.5])
    with pytest.raises(DataError, match="sum to 1"):
        kl_divergence([0.5, 0.6], [0.5, 0.5])
    with pytest.raises(OptionError, match="two arrays or two tables"):
        kl_divergence([1.0], known())


def test_divergence_of_tables_goes_by_names_and_states() -> None:
    p = Table(["a", "b"], [[0, 0, 1, 1], [0, 1, 0, 1]], [["n", "y"], ["n", "y"]])
    q = Table(["b", "a"], [[1, 1, 0, 1], [0, 1, 1, 0]], [["y", "n"], ["n", "y"]])
    # q as (a, b): (n, n), (y, n), (y, y), (n, n)
    assert kl_divergence(p, p) == 0.0
    assert kl_divergence(q, p) == pytest.approx(0.5 * math.log(2) + 0.5 * math.log(1.0), abs=1e-12)
    assert kl_divergence(p, q) == math.inf
    with pytest.raises(DataError, match="same columns"):
        kl_divergence(p, q.rename({"a": "c"}))


def test_units_and_missing_values() -> None:
    with pytest.raises(OptionError, match="'nats' or 'bits'"):
        entropy(known(), "x", unit="trits")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="'nats' or 'bits'"):
        family_weight(known(), "x", unit="trits")  # type: ignore[arg-type]
    gaps = {"a": ["n", "y", None, "y"], "b": ["n", "y", "y", "n"]}
    with pytest.raises(MissingValuesError, match="'a'"):
        entropy(gaps, "a")
    assert entropy(gaps, "a", missing="available") == pytest.approx(math.log(3) - 2 / 3 * math.log(2))
    assert entropy(gaps, "b", missing="available") == pytest.approx(math.log(2))
    assert entropy(gaps, "a", missing="state", unit="bits") == pytest.approx(1.5)
