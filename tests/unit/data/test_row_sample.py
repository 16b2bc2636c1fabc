"""Samples of rows by their content: no order, no name and no way of writing equal rows plays a part."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import dagwright as dw
from dagwright.data import row_sample
from dagwright.data.row_sample import DifferentRows

ALARM = dw.load("alarm").sample(20_000, random_state=3)
SIZE = 500


def content(table: dw.Table) -> Counter[tuple[object, ...]]:
    """The rows by their states, with their weights."""
    weights = np.ones(table.n_rows) if table.weights is None else table.weights
    rows: Counter[tuple[object, ...]] = Counter()
    columns = [np.array(table.states_of(name), dtype=object)[table.codes(name)] for name in table.names]
    for row, weight in zip(zip(*columns, strict=True), weights.tolist(), strict=True):
        rows[row] += weight
    return rows


def sampled(table: dw.Table, size: int = SIZE) -> dw.Table:
    rows = DifferentRows.of(table)
    assert rows is not None
    sample = rows.sample(size)
    assert sample is not None
    return sample


def test_each_row_keeps_its_share_up_to_rounding() -> None:
    whole, part = content(ALARM), content(sampled(ALARM))
    share = SIZE / ALARM.N
    for row, weight in whole.items():
        assert abs(part[row] - weight * share) < 1
    assert set(part) <= set(whole)
    assert abs(sum(part.values()) - SIZE) < 5 * SIZE**0.5


def test_the_order_and_the_merging_of_rows_play_no_part(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = content(sampled(ALARM))
    shuffled = ALARM.take(np.random.default_rng(1).permutation(ALARM.n_rows))
    assert content(sampled(shuffled)) == expected
    rows = content(ALARM)
    codes = {name: {state: at for at, state in enumerate(ALARM.states_of(name))} for name in ALARM.names}
    columns = [
        [codes[name][value] for value in values]
        for name, values in zip(ALARM.names, zip(*rows, strict=True), strict=True)
    ]
    merged = ALARM.with_codes(columns, ALARM.states, list(rows.values()))
    assert merged.n_rows < ALARM.n_rows
    assert content(sampled(merged)) == expected
    monkeypatch.setattr(row_sample, "ROWS_AT_ONCE", 777)
    assert content(sampled(ALARM)) == expected


def test_names_of_columns_and_states_play_no_part() -> None:
    renamed = ALARM.rename({name: f"n{at}" for at, name in enumerate(reversed(ALARM.names))})
    assert content(sampled(renamed)) == content(sampled(ALARM))
    turned = [(len(own) - 1 - ALARM.codes(name)) for name, own in zip(ALARM.names, ALARM.states, strict=True)]
    backward = ALARM.with_codes(turned, [own[::-1] for own in ALARM.states])
    assert content(sampled(backward)) == content(sampled(ALARM))


def test_rows_on_disk_give_the_same_sample(tmp_path: Path) -> None:
    rows = ALARM.select(ALARM.names[:12]).take(np.arange(4_000))
    rows.to_polars().write_csv(tmp_path / "rows.csv")
    disk = dw.read(tmp_path / "rows.csv", engine="disk", into=tmp_path / "columns")
    memory = dw.read(tmp_path / "rows.csv")
    assert disk.blocks is not None
    assert content(sampled(disk, 20)) == content(sampled(memory, 20))


def test_what_experiments_set_is_part_of_the_content() -> None:
    name = ALARM.names[0]
    mask = np.arange(ALARM.n_rows) % 2 == 0
    order = np.random.default_rng(2).permutation(ALARM.n_rows)
    one = sampled(ALARM.with_interventions({name: mask}))
    other = sampled(ALARM.take(order).with_interventions({name: mask[order]}))
    assert content(one.take(one.interventions[name])) == content(other.take(other.interventions[name]))


def test_few_different_rows_are_not_sampled() -> None:
    rows = DifferentRows.of(dw.read("sample:asia"))
    assert rows is not None
    assert rows.sample(500) is None
    assert rows.sample(5) is not None


def test_replicates_are_poisson_draws_that_follow_from_the_content() -> None:
    table = ALARM.select(ALARM.names[:6])
    shuffled = table.take(np.random.default_rng(1).permutation(table.n_rows))
    draws = []
    for source in (table, shuffled):
        rows = DifferentRows.of(source)
        assert rows is not None
        draws.append([content(rows.replicate(np.random.default_rng(seed))) for seed in range(200)])
    assert draws[0] == draws[1]
    for row, weight in content(table).most_common(5):
        drawn = [one[row] for one in draws[0]]
        assert abs(np.mean(drawn) - weight) < 5 * (weight / 200) ** 0.5
        assert 0.7 < np.var(drawn) / weight < 1.4


def test_rows_of_numbers_have_replicates_too() -> None:
    rng = np.random.default_rng(5)
    table = dw.read({"x": rng.normal(size=300), "y": rng.integers(0, 3, 300)})
    order = rng.permutation(300)
    one, other = (DifferentRows.of(source) for source in (table, table.take(order)))
    assert one is not None
    assert other is not None
    drawn, again = (rows.replicate(np.random.default_rng(1)) for rows in (one, other))
    assert drawn == again
    assert len(one.rows.hashes) == 300
    assert sorted(set(drawn.reals("x"))) == sorted(drawn.reals("x"))
