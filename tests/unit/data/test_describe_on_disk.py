"""The data report on rows on disk: that of memory, in bounded memory."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.peak_memory import peak_memory

import dagwright as dw
from dagwright.data.blocks import Blocks
from dagwright.data.number_report import NumberSummary
from dagwright.data.number_rows import MappedNumbers, SortedNumbers
from dagwright.data.repeats import count_distinct

ROWS = 700


def columns() -> dict[str, Any]:
    rng = np.random.default_rng(2)
    x, y, letter = rng.normal(size=ROWS), rng.normal(size=ROWS), rng.integers(0, 3, ROWS)
    return {
        "x": x,
        "same": x * 2,
        "outliers": np.concatenate([x[:-2], [1e6, -5.0]]),
        "constant": np.full(ROWS, 2.0),
        "sum": x + y + 1,
        "y": y,
        "ties": rng.integers(0, 40, ROWS) / 4,
        "gaps": np.where(rng.random(ROWS) < 0.1, np.nan, y),
        "letter": np.array(list("abc"))[letter],
        "twin": np.array(list("zxy"))[letter],
        "often missing": [None if i % 3 else "here" for i in range(ROWS)],
        "weight": rng.integers(0, 4, ROWS),
    }


def close(one: NumberSummary, other: NumberSummary) -> bool:
    for field in dataclasses.fields(one):
        a, b = getattr(one, field.name), getattr(other, field.name)
        exact = field.name in ("scale", "outliers") or a is None or b is None
        if not (a == b if exact else np.allclose(a, b, rtol=1e-12, atol=1e-14)):
            return False
    return True


@pytest.mark.parametrize("weights", [None, "weight"])
@pytest.mark.parametrize("memory_mib", [64.0, 0.02, 0.002])
def test_the_report_is_that_of_memory(tmp_path: Path, weights: str | None, memory_mib: float) -> None:
    kinds = {"ties": "continuous", "constant": "continuous"}
    pl.DataFrame(columns()).write_parquet(tmp_path / "rows.parquet")
    memory = dw.read(tmp_path / "rows.parquet", kinds=kinds, weights=weights)
    disk = dw.read(tmp_path / "rows.parquet", engine="disk", kinds=kinds, weights=weights)
    found, expected = dw.describe(disk._with(blocks=Blocks(memory_mib, 100))), dw.describe(memory)
    assert (found.n_rows, found.N, found.distinct_rows) == (ROWS, expected.N, expected.distinct_rows)
    assert found.notes == expected.notes
    for own, other in zip(found.columns, expected.columns, strict=True):
        for field in ("name", "kind", "why", "distinct", "states", "missing", "usable"):
            assert getattr(own, field) == getattr(other, field)
        if own.numbers is None or other.numbers is None:
            assert own == other
        else:
            assert close(own.numbers, other.numbers), own.name
            # Numbers are not ranked on disk, so the same ones are told by their correlation.
            assert own.flags == other.flags or other.flags[0] == "same as 'x'"
            assert str(own.action) == str(other.action) or own.action.startswith("kept as numbers; cut where")
    assert found.columns[1].flags == ("nearly the same as 'x' (correlation 1.0000)",)


@pytest.mark.parametrize(
    "values",
    [
        [3.0],
        [-1.0, 0.0, 1.0],
        [1e300, -1e300, 1e-300, -1e-300, 0.0],
        np.random.default_rng(1).normal(size=999) ** 3,
        np.random.default_rng(2).integers(-3, 3, 500) / 2,
    ],
)
def test_numbers_at_ranks_are_found_without_sorting(values: Any) -> None:
    x = np.array(values, dtype=float)
    w = np.random.default_rng(3).integers(0, 3, len(x)) + (len(x) < 9) * 1.0
    cuts = range(0, len(x), 200)
    mapped = MappedNumbers(lambda: ((x[at : at + 200], w[at : at + 200]) for at in cuts))
    ranks = [0.0, 1.0, 2.0, w.sum() // 2, w.sum() - 1, w.sum(), w.sum() + 5]
    assert mapped.at(ranks) == SortedNumbers(x, w).at(ranks)
    assert mapped.ends() == SortedNumbers(x, w).ends()


@pytest.mark.parametrize("most", [1, 7, 100, 10**6])
def test_different_values_are_counted_in_parts(most: int) -> None:
    keys = np.random.default_rng(0).integers(0, 400, 1000).astype(np.uint64) * np.uint64(1 << 40)
    spans = [(first, min(first + 130, 1000)) for first in range(0, 1000, 130)]
    count = count_distinct(lambda first, end: keys[first:end], spans, most)
    assert count == len(np.unique(keys))
    assert count_distinct(lambda *_: keys, [], most) == 0


def test_memory_stays_within_the_limit(tmp_path: Path) -> None:
    draw = np.random.default_rng(4)
    numbers = {f"x{at}": draw.normal(size=1_000_000) for at in range(2)}
    pl.DataFrame(numbers).write_parquet(tmp_path / "rows.parquet")
    disk = dw.read(tmp_path / "rows.parquet", engine="disk", memory_mib=8)
    with peak_memory() as peak:
        found = dw.describe(disk)
    assert found.distinct_rows == found.columns[0].distinct == 1_000_000
    assert peak.bytes < 10 * 2**20
