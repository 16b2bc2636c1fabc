"""The likelihood ratio of conditional Gaussians says where its level is approximate."""

from __future__ import annotations

import numpy as np
import pytest

import dagwright as dw
from dagwright.graph.query import Query

TEST = dw.LikelihoodRatio(0.05, measure=dw.ConditionalGaussian())


def rows(*in_cells: int, weights: bool = False) -> dw.Table:
    rng = np.random.default_rng(7)
    codes = np.repeat(np.arange(len(in_cells), dtype=np.uint8), in_cells)
    columns = [codes, rng.normal(size=len(codes)), rng.normal(size=len(codes))]
    given = np.full(len(codes), 0.5) if weights else None
    states = [[f"s{k}" for k in range(len(in_cells))], None, None]
    return dw.Table(["s", "x", "y"], columns, states, weights=given)


def note(table: dw.Table, given: str = "") -> str:
    (verdict,) = TEST.on(table).test([Query("s", "x", given) if given else Query("s", "x")])
    return verdict.note


@pytest.mark.parametrize(
    ("in_cells", "said"), [((60, 900), ""), ((900, 40), "a cell of 40 rows"), ((50, 50), "")]
)
def test_the_smallest_cell_decides(in_cells: tuple[int, ...], said: str) -> None:
    found = note(rows(*in_cells), "y")
    assert found.startswith(said)
    assert bool(found) == bool(said)
    assert not said or "approximate" in found


def test_weights_count() -> None:
    assert "30 rows" in note(rows(60, 900, weights=True))


def test_numbers_alone_have_one_cell() -> None:
    (verdict,) = TEST.on(rows(60, 900)).test([Query("x", "y")])
    assert verdict.note == ""
