"""PC where the chi-squared distribution or a single level is a poor guide."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dagwright as dw


def noise(seed: int, columns: int = 16, rows: int = 200) -> dw.Table:
    """Two columns that belong together among many that do not."""
    rng = np.random.default_rng(seed)
    data = {f"n{k:02}": rng.integers(0, 2, rows) for k in range(columns)}
    first = rng.integers(0, 2, rows)
    data |= {"a": first, "b": np.where(rng.random(rows) < 0.85, first, rng.integers(0, 2, rows))}
    return dw.read({name: column.tolist() for name, column in data.items()})


def chain(rows: int, seed: int = 3) -> dw.Table:
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 2, rows)
    b = np.where(rng.random(rows) < 0.9, a, 1 - a)
    c = np.where(rng.random(rows) < 0.9, b, 1 - b)
    d = rng.integers(0, 4, rows)
    return dw.read({"a": a.tolist(), "b": b.tolist(), "c": c.tolist(), "d": d.tolist()})


@pytest.mark.parametrize("fdr", [dw.BenjaminiHochberg(0.05), dw.BenjaminiYekutieli(0.05)], ids=repr)
def test_the_false_discovery_rate_is_kept_among_noise(fdr: object) -> None:
    plain = false = 0
    for seed in range(10):
        data = noise(seed)
        plain += len(dw.learn(data, search=dw.PC(test=dw.GSquare(0.05))).graph.skeleton().edges) - 1
        found = dw.learn(data, search=dw.PC(test=dw.GSquare(0.05), fdr=fdr))
        edges = found.graph.skeleton().edges
        assert ("a", "b") in edges
        false += len(edges) - 1
        assert found.graph.is_cpdag()
    assert plain > 20
    assert false <= 3


def test_a_dropped_edge_is_separated_by_the_set_of_its_largest_p_value() -> None:
    data = noise(1)
    found = dw.learn(data, search=dw.PC(test=dw.GSquare(0.05), fdr=dw.BenjaminiHochberg(0.05)))
    doubtful = {
        tuple(note.removeprefix("no edge ").split(":")[0].split(" - "))
        for note in found.notes["false discoveries"]
    }
    said = {(one.x, one.y): one for one in found.separations}
    for pair in doubtful:
        assert said[pair].p_value <= 0.05
        again = dw.independence_test(data, *pair, given=said[pair].given, test=dw.GSquare(0.05))
        assert again.p_value == pytest.approx(said[pair].p_value)


def test_an_oracle_is_never_doubted() -> None:
    for seed in range(10):
        dag = dw.random_dag(8, degree=2.0, random_state=seed)
        for order in (None, dag.nodes):
            search = dw.PC(order=order, fdr=dw.BenjaminiYekutieli(0.01))
            assert dw.learn(oracle=dag, search=search).graph == dag.cpdag()


def test_the_rate_needs_p_values_and_the_right_type() -> None:
    with pytest.raises(dw.OptionError, match="needs p-values"):
        dw.learn(chain(50), search=dw.PC(test=dw.BayesFactor(), fdr=dw.BenjaminiHochberg()))
    with pytest.raises(dw.OptionError, match="fdr takes"):
        dw.PC(fdr=0.05)  # type: ignore[arg-type]


def test_required_edges_are_no_hypotheses() -> None:
    known = dw.Knowledge(required=["n00 -- n01"])
    found = dw.learn(noise(2), search=dw.PC(fdr=dw.BenjaminiYekutieli(0.01)), knowledge=known)
    assert ("n00", "n01") in found.graph.skeleton().edges


@pytest.mark.parametrize(
    "test",
    [
        dw.Permuted(dw.GSquare(0.05), rounds=199),
        dw.Permuted(dw.ChiSquare(0.05), rounds=199),
        dw.BayesFactor(),
        dw.BayesFactor(dw.K2Score(), log_odds=-1.0),
        dw.CriterionSign(dw.QNML()),
    ],
    ids=repr,
)
def test_small_samples_work_with_permutations_and_bayes_factors(test: object) -> None:
    found = dw.learn(chain(40), search=dw.PC(test=test))
    assert set(found.graph.skeleton().edges) == {("a", "b"), ("b", "c")}
    reversed_columns = chain(40).select(["d", "c", "b", "a"])
    assert dw.learn(reversed_columns, search=dw.PC(test=test)).graph == found.graph


def test_permutations_keep_their_level_where_chi_squared_does_not() -> None:
    # Sparse tables: 30 rows in 6 x 6 cells. Chi-squared with so many degrees of freedom never rejects.
    rng = np.random.default_rng(8)
    skewed = [0.6, 0.2, 0.05, 0.05, 0.05, 0.05]
    errors = {"plain": 0, "permuted": 0}
    for _ in range(120):
        data = dw.read({name: rng.choice(6, 30, p=skewed).tolist() for name in "ab"})
        for name, test in (
            ("plain", dw.GSquare(0.05, adjusted=True)),
            ("permuted", dw.Permuted(dw.GSquare(0.05), rounds=99)),
        ):
            errors[name] += len(dw.learn(data, search=dw.PC(test=test)).graph.skeleton().edges)
    assert errors["plain"] == 0
    assert 1 <= errors["permuted"] <= 12


@pytest.mark.parametrize("by", [dw.PC, dw.FCI, dw.MMPC, dw.HitonPC])
def test_pairs_separated_for_want_of_rows_are_named(by: Any) -> None:
    rng = np.random.default_rng(0)
    a = rng.integers(0, 3, 60)
    rows = {"a": a.tolist(), "b": np.where(rng.random(60) < 0.8, a, (a + 1) % 3).tolist()}
    rows["c"] = rng.integers(0, 2, 60).tolist()
    strict = dw.GSquare(0.01, min_rows_per_cell=20)
    found = dw.learn(rows, search=by(test=strict))
    assert not found.graph.adjacent("a", "b")
    (warning,) = [text for text in found.warnings if "rows per cell" in text]
    assert "a - b (p = " in warning
    assert "fewer than 20 rows per cell although p <= 0.01" in warning
    plain = dw.learn(rows, search=by(test=dw.GSquare(0.01, min_rows_per_cell=1)))
    assert not any("rows per cell" in text for text in plain.warnings)


def test_restricted_searches_name_them_too() -> None:
    a = [0, 1, 2] * 20
    found = dw.learn(
        {"a": a, "b": a, "c": [0, 1] * 30},
        search=dw.MMHC(test=dw.GSquare(0.01, min_rows_per_cell=20)),
    )
    assert any("a - b (p = " in warning for warning in found.warnings)
