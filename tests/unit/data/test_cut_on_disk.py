"""Numbers on disk are cut into the intervals of memory, block by block, in bounded memory."""

from __future__ import annotations

import errno
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.peak_memory import peak_memory

import dagwright as dw
from dagwright.data.blocks import Blocks
from dagwright.errors import CapacityError, DagwrightError


@given(
    seed=st.integers(0, 10_000),
    shape=st.integers(0, 3),
    bins=st.integers(1, 7),
    weighted=st.booleans(),
    gaps=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_the_intervals_of_memory(seed: int, shape: int, bins: int, weighted: bool, gaps: bool) -> None:
    draw = np.random.default_rng(seed)
    n = int(draw.integers(1, 300))
    shapes = [
        draw.normal(size=n),
        draw.integers(-3, 4, n) / 2,
        draw.integers(0, 2, n) * 1e300,
        -(np.abs(draw.normal(size=n)) ** 9),
    ]
    values = np.where(draw.random(n) < 0.1 * gaps, np.nan, shapes[shape])
    values[0] = 1.0
    columns = {"x": values, "y": draw.normal(size=n), "state": draw.integers(0, 3, n)}
    if weighted:
        columns["w"] = draw.integers(0, 3, n) + (np.arange(n) == 0)
    options: dict[str, Any] = {
        "weights": "w" if weighted else None,
        "kinds": {"x": "continuous", "y": "continuous"},
    }
    memory = dw.read(pl.DataFrame(columns), **options)
    disk = dw.read(pl.DataFrame(columns), engine="disk", **options)._with(blocks=Blocks(0.004, 50))
    by_name = {"x": dw.EqualFrequency(bins), "y": dw.CutPoints([0.1])}
    for rule in (dw.EqualFrequency(bins), dw.EqualWidth(bins), dw.CutPoints([0.0, 0.5]), by_name):
        found, expected = disk.discretized(rule), memory.discretized(rule)
        assert (found.schema, found.notes) == (expected.schema, expected.notes)
        assert found == expected
        assert found.fingerprint == expected.fingerprint


def mixed(rows: int) -> pl.DataFrame:
    draw = np.random.default_rng(0)
    x = draw.normal(size=rows)
    return pl.DataFrame({"x": x, "count": draw.integers(0, 9, rows), "y": x + draw.normal(size=rows)})


def test_scores_of_states_take_numbers_on_disk_within_a_small_limit(tmp_path: Path) -> None:
    mixed(5000).write_parquet(tmp_path / "rows.parquet")
    disk = dw.read(tmp_path / "rows.parquet", engine="disk", memory_mib=0.02)
    for search in (dw.HillClimb(), dw.PC(test=dw.GSquare()), dw.K2(order=["count", "x", "y"])):
        score = dw.BDeu() if isinstance(search, dw.HillClimb) else None
        found, expected = (
            dw.learn(data, search=search, score=score) for data in (disk, dw.read(tmp_path / "rows.parquet"))
        )
        assert (found.graph, found.score) == (expected.graph, expected.score)
        assert found.network().template.bins == expected.network().template.bins


@pytest.mark.parametrize(
    "options",
    [
        {"discretize": dw.EqualFrequency(4)},
        {"discretize": {"count": dw.EqualWidth(3)}},
        {"discretize": {"x": dw.KMeans1D(3)}},
        {"discretize": dw.Hartemink()},
        {"discretize": {"nothing": dw.EqualWidth()}},
        {"discretize": {"count": dw.EqualWidth()}, "kinds": {"count": "category"}},
    ],
    ids=repr,
)
def test_reading_cuts(options: Any) -> None:
    def outcome(**engine: Any) -> Any:
        try:
            table = dw.read(mixed(500), **options, **engine)
        except DagwrightError as problem:
            return str(problem)
        return table.schema, table.notes, table.fingerprint

    assert outcome(engine="disk") == outcome()


def test_memory_stays_within_the_limit(tmp_path: Path) -> None:
    mixed(1_000_000).select("x", "y").write_parquet(tmp_path / "rows.parquet")
    disk = dw.read(tmp_path / "rows.parquet", engine="disk", memory_mib=8)
    with peak_memory() as peak:
        cut = disk.discretized(dw.EqualFrequency(5))
    assert set(cut.cardinalities) == {5} and peak.bytes < 10 * 2**20
    with pytest.raises(CapacityError, match="cutting numbers into intervals would take"):
        disk.discretized(dw.KMeans1D())


def test_a_full_disk_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    disk = dw.read(mixed(100), engine="disk")

    class Full:
        def __enter__(self) -> Full:
            return self

        def __exit__(self, *_: object) -> None: ...

        def write(self, _: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **_: Full())
    with pytest.raises(CapacityError, match=r"no space left in .* for 100 bytes that belong to these rows"):
        disk.discretized()
    with pytest.raises(CapacityError, match=r"no space left in .* for 800 bytes"):
        disk.with_weights(np.ones(100))
