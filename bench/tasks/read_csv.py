"""From a CSV file of short words to a ready Table, against polars' own reader into categoricals."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results

BAR = "reading 10^6 rows x 37 text columns takes at most 1.5 times polars' read_csv to Categorical"
PEERS = ("dagwright", "polars")
WORDS = (("TRUE", "FALSE"), ("LOW", "NORMAL", "HIGH"), ("ZERO", "LOW", "NORMAL", "HIGH"))
COLUMNS = 37
"""As many columns, and states as few and short, as ALARM has."""


def words_file(rows: int) -> Path:
    """Draw the file once; later runs find it in place."""
    import numpy as np

    path = Path(__file__).parents[1] / ".data" / f"words_{rows}.csv"
    if path.exists():
        return path
    path.parent.mkdir(exist_ok=True)
    rng = np.random.default_rng(37)
    columns = [
        np.array(WORDS[i % 3])[rng.integers(0, len(WORDS[i % 3]), rows)].tolist() for i in range(COLUMNS)
    ]
    unfinished = path.with_suffix(f".{os.getpid()}")
    with unfinished.open("w", encoding="utf-8") as stream:
        stream.write(",".join(f"c{i}" for i in range(COLUMNS)) + "\n")
        stream.writelines(",".join(row) + "\n" for row in zip(*columns, strict=True))
    unfinished.replace(path)
    return path


def cases(options: Options) -> Iterable[Case]:
    rows = 20_000 if options.quick else 1_000_000
    return [Case("words", {"path": str(words_file(rows)), "rows": rows}, calls=2)]


def run_dagwright(arguments: dict[str, Any], clock: Clock) -> list[int]:
    import polars  # noqa: F401  so that neither side pays for the import

    from dagwright.data import read

    with clock:
        table = read(arguments["path"])
    return [table.n_rows, *table.cardinalities]


def run_polars(arguments: dict[str, Any], clock: Clock) -> list[int]:
    import polars as pl

    with clock:
        frame = pl.read_csv(
            arguments["path"], schema_overrides={f"c{i}": pl.Categorical for i in range(COLUMNS)}
        )
    return [frame.height, *(frame[name].n_unique() for name in frame.columns)]


def findings(results: Results) -> Iterable[Finding]:
    ours, theirs = results.get("words", "dagwright"), results.get("words", "polars")
    if ours is None or theirs is None:
        return
    yield Finding("words", "dagwright / polars", ours.seconds / theirs.seconds, at_most=1.5)
    yield Finding("words", "peak memory, dagwright / polars", ours.peak_mib / theirs.peak_mib)
    yield Finding("words", "tables that differ", float(ours.answer != theirs.answer), "", at_most=0)
