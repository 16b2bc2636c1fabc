"""A small cluster on this machine, and rows in several files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.local_cluster import local_cluster


@pytest.fixture(scope="session")
def client() -> Iterator[Any]:
    with local_cluster(2) as connected:
        yield connected


@pytest.fixture
def split(tmp_path: Path) -> Callable[[pl.DataFrame, int], str]:
    """Writes rows into so many Parquet files and gives the pattern of their paths."""

    def written(data: pl.DataFrame, count: int) -> str:
        folder = tmp_path / f"in{count}"
        folder.mkdir()
        step = -(-data.height // count)
        for at in range(count):
            data[at * step : (at + 1) * step].write_parquet(folder / f"{at:02d}.parquet")
        return str(folder / "*.parquet")

    return written
