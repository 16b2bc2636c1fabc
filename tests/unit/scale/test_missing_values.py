"""Missing values on a cluster: each policy gives the answer and the notes that it gives in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

import dagwright as dw
from dagwright.errors import DataError, MissingValuesError, OptionError
from dagwright.scale import cluster_table

pytest.importorskip("distributed")
Split = Callable[[pl.DataFrame, int], str]


def frame(rows: int = 1200, gaps: int = 10) -> pl.DataFrame:
    draw = np.random.default_rng(3)
    a = draw.integers(0, 3, rows)
    b = np.where(draw.random(rows) < 0.7, a, draw.integers(0, 3, rows))
    c = np.where(draw.random(rows) < 0.7, (a + b) % 2, draw.integers(0, 2, rows))
    x = draw.normal(size=rows) + a
    y = x + draw.normal(size=rows)
    z = y - x + draw.normal(size=rows)
    data = pl.DataFrame({"a": np.array(list("pqr"))[a], "b": b, "c": c, "x": x, "y": y, "z": z})
    rows_of = {name: draw.choice(rows, gaps, replace=False) for name in ("b", "c", "y")}
    at = pl.int_range(rows)
    return data.with_columns(
        pl.when(at.is_in(rows_of[name])).then(None).otherwise(pl.col(name)).alias(name) for name in rows_of
    )


def answer(found: dw.Learned) -> tuple[Any, ...]:
    return found.graph, found.score, found.evaluations, found.separations, found.assumptions, found.warnings


STATES, NUMBERS, MIXED = ["a", "b", "c"], ["x", "y", "z"], ["a", "b", "x", "y"]
RUNS: dict[str, tuple[list[str], dict[str, Any]]] = {
    "by default": (STATES, {"search": dw.HillClimb()}),
    "numbers by default": (NUMBERS, {"search": dw.GES(), "score": dw.BGe()}),
    "mixed by default": (MIXED, {"search": dw.HillClimb()}),
    "tests by default": (STATES, {"search": dw.PC()}),
    "drop": (STATES, {"search": dw.HillClimb(), "score": dw.BDeu(), "missing": "drop"}),
    "drop numbers": (NUMBERS, {"search": dw.PC(), "missing": "drop"}),
    "state": (STATES, {"search": dw.OrderSearch(), "missing": "state"}),
    "available": (STATES, {"search": dw.PC(), "missing": "available"}),
    "node average": (STATES, {"search": dw.HillClimb(), "score": dw.NodeAverage()}),
}


@pytest.mark.parametrize("run", RUNS)
def test_the_same_answer_as_in_memory(client: Any, split: Split, run: str) -> None:
    columns, options = RUNS[run]
    expected = dw.learn(frame(), columns=columns, **options)
    found = dw.learn(split(frame(), 3), client=client, columns=columns, **options)
    assert answer(found) == answer(expected)
    if options.get("missing") != "available":
        assert any("dropped" in note or "missing" in note for note in map(str, found.assumptions))


@pytest.mark.parametrize("blocks", [1, 64])
def test_rows_are_left_out_in_any_split(client: Any, split: Split, blocks: int) -> None:
    # Most blocks lose all their rows.
    data = frame(600, 5).with_columns(a=pl.when(pl.int_range(600) < 400).then(None).otherwise(pl.col("a")))
    memory = dw.read(data).complete("drop")
    table = cluster_table(split(data, blocks), client).complete("drop")
    assert (table.n_rows, table.missing, table.notes) == (memory.n_rows, memory.missing, memory.notes)
    for columns in (STATES, MIXED):
        found, expected = (dw.learn(one.select(columns), search=dw.HillClimb()) for one in (table, memory))
        assert answer(found) == answer(expected)
    options: dict[str, Any] = {"search": dw.HillClimb(), "replicates": 3, "columns": STATES, "threads": 1}
    assert dw.bootstrap(table, **options).edges(0.0) == dw.bootstrap(
        memory, draw=dw.PoissonBootstrap(), **options
    ).edges(0.0)


def test_weights_stay_with_their_rows(client: Any, split: Split) -> None:
    data = frame().with_columns(weight=pl.int_range(1200) % 4)
    for policy in ("drop", "state"):
        options: dict[str, Any] = {"search": dw.HillClimb(), "columns": STATES, "missing": policy}
        table = cluster_table(split(data, {"drop": 2, "state": 3}[policy]), client, weights="weight")
        assert answer(dw.learn(table, **options)) == answer(
            dw.learn(dw.read(data, weights="weight"), **options)
        )


def test_what_does_not_work_is_refused_with_what_does(client: Any, split: Split) -> None:
    table = cluster_table(split(frame(gaps=200), 2), client)
    with pytest.raises(
        OptionError, match=r"'em' needs the rows on this machine.*choose missing='drop' or missing='state'"
    ):
        dw.learn(table, columns=STATES, search=dw.HillClimb(), missing="em")
    with pytest.raises(MissingValuesError) as refused:
        dw.learn(table, columns=STATES, search=dw.HillClimb())
    assert str(refused.value).endswith(
        "choose missing='drop' (leave out rows with a missing cell) or missing='state' (missing is a state "
        "of its own); rows on this machine, for instance from read(..., engine='disk'), take missing='em' too"
    )
    # As states of their own, in intervals.
    with pytest.raises(DataError, match="needs the rows, and they are not here"):
        dw.learn(table, columns=NUMBERS, search=dw.HillClimb(), missing="state")
    with pytest.raises(OptionError, match=r"'available'.*choose missing='drop'"):
        dw.learn(table, columns=NUMBERS, search=dw.PC(), missing="available")
    with pytest.raises(DataError, match=r"missing='drop'"):
        table.select(NUMBERS).moments()
    known, unknown = pl.lit(1, dtype=pl.Int64), pl.lit(None, dtype=pl.Int64)
    gone = pl.concat([frame().with_columns(b=known, c=unknown), frame().with_columns(b=unknown, c=known)])
    with pytest.raises(MissingValuesError, match="every row has a missing value"):
        dw.learn(
            split(gone, 4),
            client=client,
            columns=["b", "c"],
            missing="drop",
        )
