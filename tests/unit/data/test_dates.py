"""Dates: one rule for every source, and parts of dates as columns."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import dagwright as dw
from command_line import answer, refusal
from dagwright.data.bins import Bins

DAYS = [datetime.date(2020, 1, 1) + datetime.timedelta(days=7 * i) for i in range(200)]
TIMES = [datetime.datetime(2020, 1, 1, i % 24, 30) + datetime.timedelta(days=i) for i in range(200)]
SEASONS = ["cold" if day.month in (12, 1, 2) else "warm" for day in DAYS]


def csv(folder: Path, **columns: list[Any]) -> Path:
    path = folder / "data.csv"
    lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_every_source_cuts_the_same_dates_alike(tmp_path: Path) -> None:
    frame = pl.DataFrame({"day": DAYS, "time": TIMES, "season": SEASONS})
    frame.write_parquet(tmp_path / "data.parquet")
    expected = dw.read(tmp_path / "data.parquet")
    assert expected.schema.continuous == ("day", "time")
    assert expected.decode("day") == DAYS and expected.decode("time") == TIMES
    bins = expected.discretized().bins
    assert bins["day"].scale == "date" and bins["time"].scale == "datetime"
    text = csv(tmp_path, day=DAYS, time=TIMES, season=SEASONS)
    texts = {"day": list(map(str, DAYS)), "time": [time.isoformat() for time in TIMES], "season": SEASONS}
    for read in (dw.read(text), dw.read(text, engine="python"), dw.read(texts), dw.read(frame)):
        assert read == expected and read.discretized().bins == bins


def test_few_dates_are_states_in_order() -> None:
    table = dw.read({"day": ["2024-03-01", "2023-12-24", "2024-03-01"] * 4, "x": ["a", "b", "a"] * 4})
    assert table.states_of("day") == (datetime.date(2023, 12, 24), datetime.date(2024, 3, 1))


@pytest.mark.parametrize(
    ("texts", "states"),
    [
        (["2024-01-01T10:00Z", "2024-01-01 11:00:00Z"], [(10, 0), (11, 0)]),  # one offset: as written
        (["2024-01-01T10:00+02:00", "2024-01-01T10:00+00:00"], [(8, 0), (10, 0)]),  # several: UTC
        (["2024-01-01T10:00", "2024-01-01 10:00:00", "2024-01-01"], [(0, 0), (10, 0)]),  # one time twice
    ],
)
def test_times_with_offsets(texts: list[str], states: list[tuple[int, int]]) -> None:
    found = dw.read({"t": texts}).states_of("t")
    assert found == tuple(datetime.datetime(2024, 1, 1, *clock) for clock in states)


@pytest.mark.parametrize(
    "texts", [["2024-02-30", "2024-02-01"], ["2024-01-01T10:00Z", "2024-01-01T10:00"], ["2024-1-1", "x"]]
)
def test_other_text_stays_text(texts: list[str]) -> None:
    assert set(dw.read({"t": texts}).states_of("t")) == set(texts)


def test_declared_states_are_texts_if_they_are_declared_so() -> None:
    days = ["2024-01-01", "2024-01-02"]
    assert dw.read({"t": days}, states={"t": days}).states_of("t") == tuple(days)
    declared = [datetime.date(2024, 1, 2), datetime.date(2024, 1, 1)]
    assert dw.read({"t": days}, states={"t": declared}).states_of("t") == tuple(declared)


def test_parts_of_dates(tmp_path: Path) -> None:
    path = csv(tmp_path, day=DAYS, time=TIMES, season=SEASONS)
    parts = {"day": ["year", "quarter", "month", "weekday", "day"], "time": "hour"}
    table = dw.read(path, dates=parts)
    assert table.names == (
        "day_year",
        "day_quarter",
        "day_month",
        "day_weekday",
        "day_day",
        "time_hour",
        "season",
    )
    assert table.states_of("day_year") == (2020, 2021, 2022, 2023)
    assert table.states_of("day_quarter") == ("Q1", "Q2", "Q3", "Q4")
    assert table.states_of("day_month")[:3] == ("Jan", "Feb", "Mar")
    assert table.states_of("day_weekday") == ("Wed",)
    assert table.states_of("day_day") == tuple(range(1, 32))
    assert table.states_of("time_hour") == tuple(range(24))
    assert {"day_month", "day_day", "time_hour"} <= set(table.ordered)
    for row in (0, 17, 199):
        assert table.states_of("day_year")[table.codes("day_year")[row]] == DAYS[row].year
        assert table.states_of("day_month")[table.codes("day_month")[row]] == DAYS[row].strftime("%b")
        assert table.states_of("time_hour")[table.codes("time_hour")[row]] == TIMES[row].hour


def test_new_rows_have_dates_and_get_their_parts(tmp_path: Path) -> None:
    path = csv(tmp_path, day=DAYS, season=SEASONS)
    found = dw.learn(dw.read(path, dates={"day": ["month", "year"]}))
    found.network().save(tmp_path / "network.json")
    network = dw.load(tmp_path / "network.json")
    assert network.origins["day_month"].part_of == ("day", "month")
    assert network.predict(path, "season") == SEASONS
    assert network.predict({"day_month": ["Jan", "Jul"]}, "season") == ["cold", "warm"]
    assert network.predict({"day": [datetime.date(2021, 7, 4)]}, "season") == ["warm"]


def test_dates_meet_cut_points_of_times_and_the_other_way_around() -> None:
    table = dw.read({"day": DAYS, "x": SEASONS}).discretized()
    late = table.encode({"day": [str(DAYS[-1]), f"{DAYS[0]} 23:59"], "x": SEASONS[:2]})
    assert late.codes("day").tolist() == [2, 0]
    times = dw.read({"time": TIMES, "x": SEASONS})
    timed = times.discretized().encode({"time": [TIMES[0].date()], "x": SEASONS[:1]})
    assert timed.codes("time").tolist() == [0]
    assert timed.bins["time"] == Bins(timed.bins["time"].cuts, "datetime")
    midnight = times.encode({"time": [TIMES[0].date()], "x": SEASONS[:1]})
    assert midnight.decode("time") == [datetime.datetime.combine(TIMES[0].date(), datetime.time())]


@pytest.mark.parametrize(
    ("dates", "words"),
    [
        ({"day": "monht"}, "dates['day'] is 'monht'; choose from 'year'"),
        ({"day": []}, "dates['day'] names no part"),
        ({"dey": "month"}, "unknown column 'dey'"),
        ({"x": "month"}, "column 'x' has no month: it holds text"),
        ({"german": "month"}, "'13.02.2024' is not an ISO date"),
        ({"day": "hour"}, "its dates have no time of day"),
        ({"day": "year"}, "would be called 'day_year', as another column is"),
    ],
)
def test_what_cannot_be_done_is_said(dates: Any, words: str) -> None:
    data = {"day": DAYS[:3], "x": ["a", "b", "a"], "german": ["13.02.2024"] * 3, "day_year": [1, 2, 1]}
    with pytest.raises(dw.DagwrightError) as refused:
        dw.read(data, dates=dates)
    assert words in str(refused.value)


def test_dates_in_other_spellings_are_noted() -> None:
    data = {"day": [day.strftime("%d.%m.%Y") for day in DAYS], "x": SEASONS}
    (note,) = dw.read(data).notes
    assert "'day' looks like dates" in note and "2024-02-29" in note
    assert "dates that are not ISO" in dw.describe(data).columns[0].flags


def test_describe_offers_parts() -> None:
    by_day, by_time = dw.describe({"day": DAYS, "time": TIMES}).columns
    assert by_day.flags == ("dates",)
    assert "dates={'day': 'month'} takes a part instead (year, quarter, month, weekday, day)" in by_day.action
    assert "hour" in by_time.action


def test_the_command_line(tmp_path: Path) -> None:
    path = str(csv(tmp_path, day=DAYS, season=SEASONS))
    assert "--dates day=month" in answer("describe", path)
    model = str(tmp_path / "model.json")
    assert "day_month" in answer("learn", path, "--dates", "day=month,year", "-o", model)
    network = str(tmp_path / "network.json")
    answer("fit", path, model, "-o", network)
    assert answer("predict", network, path, "--target", "season").splitlines()[1:] == SEASONS
    assert "--dates is written like day=month" in refusal("learn", path, "--dates", "month")
