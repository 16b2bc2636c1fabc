"""Every search gives on a cluster what it gives in memory: graph, score, evaluations and separating sets."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dagwright as dw
from dagwright.data.blocks import Blocks
from dagwright.errors import DagwrightError, DataError
from dagwright.methods.registry import Entry, entries
from dagwright.scale import cluster_table

pytest.importorskip("distributed")
NAMES = ("a", "b", "c", "d", "e")
ARGUMENTS: dict[str, Any] = {"order": NAMES, "target": "a", "by": dw.MMPC()}
DISCRETE_ONLY = {"K2", "MIIC", "MdlSearch"}
"""They cut numbers into intervals first, which needs all rows."""


def frame(rows: int, seed: int, kind: str) -> pl.DataFrame:
    """Five columns that depend on each other; of numbers, with a constant added that costs digits."""
    draw = np.random.default_rng(seed)
    a = draw.integers(0, 3, rows)
    b = np.where(draw.random(rows) < 0.7, a, draw.integers(0, 3, rows))
    c = np.where(draw.random(rows) < 0.7, (a + b) % 2, draw.integers(0, 2, rows))
    d = np.where(draw.random(rows) < 0.8, c, draw.integers(0, 2, rows))
    e = (d + draw.integers(0, 2, rows)) % 2
    if kind == "discrete":
        return pl.DataFrame({"a": np.array(list("xyz"))[a], "b": b, "c": c, "d": d, "e": e})
    x = draw.normal(size=rows) * 1e3 + 1e6
    y = x / 7 + draw.normal(size=rows) + 40 * a
    z = draw.normal(size=rows) ** 3 + y / 30
    if kind == "mixed":
        return pl.DataFrame({"a": np.array(list("xyz"))[a], "b": b, "c": x, "d": y, "e": z})
    w = z + draw.normal(size=rows)
    return pl.DataFrame({"a": x, "b": y, "c": z, "d": w, "e": w - x + draw.normal(size=rows)})


def answer(found: dw.Learned) -> tuple[Any, ...]:
    return (
        found.graph,
        found.dag,
        found.score,
        found.evaluations,
        found.separations,
        found.optimal,
        found.warnings,
        found.trace,
    )


@pytest.fixture(scope="module")
def tables(client: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[dw.Table, dw.Table]]:
    """Of each kind the rows in memory, and in seven files on the cluster."""
    found: dict[str, tuple[dw.Table, dw.Table]] = {}
    for kind in ("discrete", "continuous", "mixed"):
        folder, data = tmp_path_factory.mktemp(kind), frame(700, 3, kind)
        for at in range(7):
            data[at * 100 : (at + 1) * 100].write_parquet(folder / f"{at}.parquet")
        found[kind] = dw.read(data), cluster_table(str(folder / "*.parquet"), client)
    return found


def answer_or_refusal(table: dw.Table, search: Any) -> Any:
    try:
        return answer(dw.learn(table, search=search))
    except DagwrightError as problem:
        return type(problem), str(problem)


@pytest.mark.parametrize("kind", ["discrete", "continuous", "mixed"])
@pytest.mark.parametrize("entry", list(entries("search")), ids=lambda entry: entry.name)
def test_every_search(tables: Any, entry: Entry, kind: str) -> None:
    memory, table = tables[kind]
    search = entry.method(**{name: ARGUMENTS[name] for name in entry.needs})
    if entry.name == "Averaged":
        disk = dw.read(memory.to_polars(), engine="disk")._with(blocks=Blocks(0.0001, 100))
        assert answer(dw.learn(table, search=search)) == answer(dw.learn(disk, search=search))
    elif entry.name in DISCRETE_ONLY and kind != "discrete":
        with pytest.raises(DataError, match="needs the rows, and they are not here"):
            dw.learn(table, search=search)
    else:
        assert answer_or_refusal(table, search) == answer_or_refusal(memory, search)


def nonzero(cells: Any) -> dict[tuple[int, ...], float]:
    """The counts by cell, without rows of weight 0."""
    counts = zip(map(tuple, cells.codes.tolist()), cells.counts.tolist(), strict=True)
    return {cell: count for cell, count in counts if count}


# The event loop of the cluster uses the module `random` meanwhile, in its own thread.
@pytest.mark.filterwarnings("ignore:Do not use the `random` module")
@given(
    kind=st.sampled_from(["discrete", "continuous", "mixed"]),
    blocks=st.sampled_from([1, 2, 7, 64]),
    rows=st.integers(30, 300),
    seed=st.integers(0, 10_000),
    weighted=st.booleans(),
    search=st.sampled_from([dw.HillClimb(), dw.GES(), dw.OrderSearch(), dw.PC()]),
)
@settings(max_examples=15, deadline=None)
def test_every_count_and_every_moment(
    client: Any,
    tmp_path_factory: pytest.TempPathFactory,
    kind: str,
    blocks: int,
    rows: int,
    seed: int,
    weighted: bool,
    search: Any,
) -> None:
    data, folder = frame(rows, seed, kind), tmp_path_factory.mktemp("rows")
    if weighted:
        data = data.with_columns(n=pl.Series(np.random.default_rng(seed).integers(0, 4, rows)))
    step = -(-rows // blocks)
    for at in range(blocks):  # the last ones may be without rows
        data[at * step : (at + 1) * step].write_parquet(folder / f"{at:02d}.parquet")
    weights = "n" if weighted else None
    memory = dw.read(data, weights=weights)
    table = cluster_table(str(folder / "*.parquet"), client, weights=weights)
    assert (table.schema, table.N, table.n_rows) == (memory.schema, memory.N, memory.n_rows)
    states = [v.name for v in memory.schema if v.is_discrete]
    if states:
        ours, theirs = table.select(states).native, memory.select(states).native
        for size in range(4):
            for some in combinations(range(len(states)), size):
                assert nonzero(ours.cells(some)) == nonzero(theirs.cells(some))
    if kind == "continuous":
        for name in ("means", "covariance"):
            found, expected = (getattr(one.moments().matrix, name) for one in (table, memory))
            np.testing.assert_array_equal(found, expected)
    assert answer_or_refusal(table, search) == answer_or_refusal(memory, search)
