"""Scores and tests where cells, priors, weights or sample sizes are extreme, against high precision."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest

import dagwright as dw
from dagwright.data import Table
from dagwright.errors import DataError
from dagwright.evidence import Family
from dagwright.evidence.bound import Triple

COLUMNS = 1090  # 2^1090 cells: too many for a number


def wide(rows: int = 50) -> Table:
    rng = np.random.default_rng(0)
    codes = [rng.integers(0, 2, rows) for _ in range(COLUMNS)]
    codes[1] = np.where(rng.random(rows) < 0.9, codes[0], codes[1])
    return Table([f"v{i}" for i in range(COLUMNS)], codes, [[0, 1]] * COLUMNS)


WIDE = wide()


@pytest.mark.parametrize("score", [dw.BDeu(1.0), dw.BDeu(1e-200), dw.QNML()], ids=repr)
@pytest.mark.parametrize("parents", [1000, 1023, 1024, 1089])
def test_more_cells_than_numbers(score, parents: int) -> None:
    """Every row has a parent configuration of its own, so each adds log(1/2) in the limit."""
    (value,) = score.on(WIDE).local([Family(0, frozenset(range(1, parents + 1)))])
    assert value == pytest.approx(-50 * math.log(2), rel=1e-9)


def log_rising(a: Decimal, n: int) -> Decimal:
    return sum(((a + k).ln() for k in range(n)), Decimal(0))


@pytest.mark.parametrize("ess", [1.0, 1e-150])
def test_bdeu_of_repeated_rows_against_high_precision(ess: float) -> None:
    """Twenty different rows, each three times: cells hold more than one row."""
    codes = [np.repeat(WIDE.codes(name)[:20], 3).copy() for name in WIDE.names]
    codes[0][::7] = 1 - codes[0][::7]
    repeated = Table(WIDE.names, codes, [[0, 1]] * COLUMNS)
    parents = frozenset(range(1, COLUMNS))
    (value,) = dw.BDeu(ess).on(repeated).local([Family(0, parents)])
    with localcontext() as context:
        context.prec = 800
        q = Decimal(2) ** len(parents)
        rows = list(zip(*(column.tolist() for column in codes), strict=True))
        expected = Decimal(0)
        for cells, spread, sign in ((rows, 2 * q, 1), ([row[1:] for row in rows], q, -1)):
            counts: dict[tuple[int, ...], int] = {}
            for cell in cells:
                counts[cell] = counts.get(cell, 0) + 1
            expected += sign * sum(log_rising(Decimal(ess) / spread, n) for n in counts.values())
    assert value == pytest.approx(float(expected), rel=1e-9)


@pytest.mark.parametrize("spec", [dw.GSquare(), dw.ChiSquare(), dw.LogLik(), dw.BIC(), dw.BDeu(), dw.QNML()])
def test_questions_with_more_cells_than_numbers(spec) -> None:
    bound = spec.on(WIDE)
    x, y = frozenset([0]), frozenset([1])
    verdicts = bound.verdicts([Triple(x, y, frozenset(range(2, k))) for k in (1000, 1020, 1024, COLUMNS)])
    for verdict in verdicts:
        assert verdict.independent
        assert not math.isnan(verdict.gain)
        assert verdict.df is None or verdict.df > 1e300
    assert not bound.verdicts([Triple(x, y, frozenset())])[0].independent


@pytest.mark.parametrize("make", [dw.BDeu, dw.BDs], ids=["BDeu", "BDs"])
def test_a_tiny_equivalent_sample_size_follows_its_limit(make) -> None:
    """Per occupied cell a prior count a adds log(a), so a factor of the sample size shows as a sum."""
    data = {"a": [0, 1, 0, 1, 1], "b": [0, 1, 1, 1, 0]}
    graph = dw.Dag.parse("a -> b")
    sizes = (1e-200, 1e-289, 1e-300, 5e-324)
    totals = [dw.score(graph, data, make(ess)).total for ess in sizes]
    # a: 2 cells less 1; b: 4 cells less 2.
    for ess, total in zip(sizes[1:], totals[1:], strict=True):
        assert total - totals[0] == pytest.approx(3 * (math.log(ess) - math.log(sizes[0])), rel=1e-12)


def test_weights_too_large_to_count_are_refused() -> None:
    with pytest.raises(DataError, match=r"the weights sum to inf, and counts go up to 9e\+18"):
        dw.read({"a": [0, 1], "w": [1e308, 1e308]}, weights="w")
    with pytest.raises(DataError, match=r"the weights sum to 1e\+300"):
        Table(["a"], [[0, 1]], [[0, 1]], weights=[1e300, 1.0])


def test_bic_says_that_it_has_no_penalty_below_one_row() -> None:
    data = Table.from_distribution([[0.4, 0.1], [0.1, 0.4]], ["a", "b"])
    for score in (dw.BIC(), dw.MDL()):
        assert "no penalty, because log(N)/2 is not positive" in score.describe(data)
        assert "no penalty" not in score.describe(data.with_weights([4, 1, 1, 4]))
