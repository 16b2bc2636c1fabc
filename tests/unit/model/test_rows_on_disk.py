"""Networks from rows on disk, and their answers about them: the same as for rows in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.peak_memory import peak_memory

import dagwright as dw
from dagwright.data.blocks import Blocks
from dagwright.errors import ImpossibleEvidenceError

GRAPH = "sex -> height; site -> height; sex -> smoker; height -> weight; site -> weight"
ROWS = 700


def people() -> dict[str, Any]:
    rng = np.random.default_rng(3)
    sex, site = rng.integers(0, 2, ROWS), rng.integers(0, 3, ROWS)
    height = 170.0 + 10 * sex + rng.normal(0, 7, ROWS)
    return {
        "sex": np.array(["f", "m"])[sex],
        "site": np.array(["a", "b", "c"])[site],
        "smoker": np.array(["no", "yes"])[(rng.random(ROWS) < 0.2 + 0.1 * sex).astype(int)],
        "height": height,
        "weight": 0.6 * height + 3 * site + rng.normal(0, 5, ROWS),
    }


def both(tmp_path: Path, columns: dict[str, Any]) -> tuple[dw.Table, dw.Table]:
    """The same rows on disk, in batches of a few, and in memory."""
    tmp_path.mkdir(exist_ok=True)
    pl.DataFrame(columns).write_parquet(tmp_path / "rows.parquet")
    table = dw.read(tmp_path / "rows.parquet", engine="disk", into=tmp_path / "out", memory_mib=64)
    return table._with(blocks=Blocks(0.02)), table.take(np.arange(table.n_rows))


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> tuple[dw.Table, dw.Table]:
    return both(tmp_path_factory.mktemp("people"), people())


@pytest.mark.parametrize("weights", ["none", "whole", "fractions", "drawn", "drawn from weights"])
def test_a_fit_streams_the_same_numbers(rows: tuple[dw.Table, dw.Table], weights: str) -> None:
    disk, memory = rows
    rng = np.random.default_rng(1)
    if weights in ("whole", "drawn from weights"):
        given = rng.integers(0, 4, ROWS).astype(float)
        disk, memory = disk.with_weights(given), memory.with_weights(given)
    elif weights == "fractions":
        given = rng.random(ROWS)
        disk, memory = disk.with_weights(given.tolist()), memory.with_weights(given)
    if weights.startswith("drawn"):
        disk, memory = disk.resampled(5, 2), memory.resampled(5, 2)
    assert len(list(disk.spans(100))) > 5
    assert disk.N == memory.N and disk.fractional == memory.fractional
    assert disk.signatures() == memory.signatures()
    for prior in (None, dw.BDeu(ess=1)):
        found = dw.fit(GRAPH, disk, parameter_prior=prior)
        assert found == dw.fit(GRAPH, memory, parameter_prior=prior)
        shuffled = memory.take(rng.permutation(ROWS))
        assert found == dw.fit(GRAPH, shuffled, parameter_prior=prior)
    numbers = disk.select(["height", "weight"])
    assert dw.fit("height -> weight", numbers) == dw.fit("height -> weight", memory)


def test_a_fit_leaves_out_rows_of_experiments(rows: tuple[dw.Table, dw.Table]) -> None:
    _, memory = rows
    mask = np.arange(ROWS) % 3 == 0
    found = dw.fit(GRAPH, memory.with_interventions({"weight": mask}))
    assert found.gaussians["weight"] == dw.fit(GRAPH, memory.take(~mask)).gaussians["weight"]
    assert found.gaussians["height"] == dw.fit(GRAPH, memory).gaussians["height"]


def test_weights_of_rows_on_disk_are_checked_and_mapped(rows: tuple[dw.Table, dw.Table]) -> None:
    disk, memory = rows
    given = np.random.default_rng(2).random(ROWS)
    weighted = disk.with_weights(given)
    assert weighted.weights is not None and not weighted.weights.flags.writeable
    assert isinstance(weighted.weights.base, np.memmap)
    assert weighted == memory.with_weights(given)
    given[650] = -1.0
    with pytest.raises(dw.DataError, match=r"row 650: weight -1\.0"):
        disk.with_weights(given)
    with pytest.raises(dw.DataError, match=r"3 weights for 700 rows"):
        disk.with_weights([1, 2, 3])
    assert disk.with_weights(None).weights is None


@pytest.mark.parametrize("kind", ["states", "numbers and states"])
@pytest.mark.parametrize("weighted", [False, True])
def test_answers_about_rows_come_batch_by_batch(tmp_path: Path, kind: str, weighted: bool) -> None:
    draw, columns = np.random.default_rng(4), people()
    known = {name: draw.random(ROWS) > 0.2 for name in columns}
    gaps = {
        name: [cell if there else None for cell, there in zip(cells.tolist(), known[name], strict=True)]
        for name, cells in columns.items()
    }
    disk, memory = both(tmp_path, gaps)
    if weighted:
        weights = draw.integers(0, 3, ROWS)
        disk, memory = disk.with_weights(weights), memory.with_weights(weights)
    names = ["sex", "site", "smoker"] if kind == "states" else list(columns)
    network = dw.fit(GRAPH if kind != "states" else "sex -> smoker; site -> smoker", dw.read(columns))
    disk, memory = disk.select(names), memory.select(names)
    assert disk.blocks is not None and disk.blocks.batch(64 * len(names)) < 100
    found, expected = network.impute(disk), network.impute(memory)
    assert found == expected and found.blocks is not None and not any(found.missing.values())
    assert network.log_likelihood(disk) == pytest.approx(network.log_likelihood(memory), rel=1e-13)
    for answer in (
        lambda rows: network.predict_proba(rows, "smoker"),
        lambda rows: network.row_log_probabilities(rows),
    ):
        np.testing.assert_array_equal(answer(disk), answer(memory))
    for target in names[2:]:
        assert network.predict(disk, target) == network.predict(memory, target)
        assert network.predict(disk, target, join=True) == network.predict(memory, target, join=True)


def test_an_impossible_row_is_found_in_its_batch(tmp_path: Path) -> None:
    rows = {"a": ["x", "y"] * 300, "b": ["x", "y"] * 300}
    network = dw.fit("a -> b", rows, parameter_prior=None)
    rows["b"][500] = "y"
    disk, _ = both(tmp_path, {**rows, "c": ["z", None] * 300})
    with pytest.raises(ImpossibleEvidenceError, match=r"in the rows from \d+ on: row \d+ .* zero"):
        network.impute(disk)


def test_imputing_stays_within_the_limit(tmp_path: Path) -> None:
    draw = np.random.default_rng(0)
    a = draw.integers(0, 2, 400_000)
    columns = {f"v{at}": np.where(draw.random(len(a)) < 0.8, a, 1 - a) for at in range(8)}
    network = dw.fit("v0 -> v1; v1 -> v2", pl.DataFrame(columns)[:1000].select("v0", "v1", "v2"))
    pl.DataFrame({**columns, "v1": [None] * len(a)}, schema_overrides={"v1": pl.Int64}).with_columns(
        v1=pl.when(pl.col("v0") == 0).then(pl.col("v2"))
    ).write_parquet(tmp_path / "rows.parquet")
    disk = dw.read(tmp_path / "rows.parquet", engine="disk", memory_mib=8)
    with peak_memory() as peak:
        found = network.impute(disk)
    assert found.n_rows == 400_000 and not found.missing["v1"]
    assert peak.bytes < 12 * 2**20


def test_the_report_on_gaps_reads_blocks(tmp_path: Path) -> None:
    draw, columns = np.random.default_rng(4), people()
    gone = draw.random(ROWS) < np.where(columns["sex"] == "f", 0.3, 0.1)
    columns["site"] = [
        None if gap else cell for gap, cell in zip(gone, columns["site"].tolist(), strict=True)
    ]
    columns["smoker"] = [None if at % 7 == 0 else cell for at, cell in enumerate(columns["smoker"].tolist())]
    disk, memory = both(tmp_path, columns)
    found = dw.missingness(disk)
    assert found == dw.missingness(memory)
    assert len(found.patterns) == 3 and found.dependences[0].column == "site"
    weights = draw.integers(0, 4, ROWS)
    assert dw.missingness(disk.with_weights(weights)) == dw.missingness(memory.with_weights(weights))
