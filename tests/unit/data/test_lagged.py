"""Windows of time series: what a row holds, what is refused, and that no window mixes sequences."""

from __future__ import annotations

import datetime
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dagwright as dw
from dagwright.data.windows import Moment, moment_of


def frame(**columns: object) -> dw.Table:
    numbers = {name: np.asarray(values, dtype=float) for name, values in columns.items()}
    return dw.Table(list(numbers), list(numbers.values()), [None] * len(numbers))


@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=5),
    st.integers(1, 3),
    st.lists(st.integers(0, 40), max_size=12),
    st.integers(0, 2**32 - 1),
)
def test_no_window_mixes_sequences_or_crosses_a_gap(
    lengths: list[int], lags: int, dropped: list[int], seed: int
) -> None:
    rows = [(owner, step) for owner, length in enumerate(lengths) for step in range(length)]
    rows = [row for place, row in enumerate(rows) if place not in dropped]
    np.random.default_rng(seed).shuffle(rows)
    # Each cell says where it comes from: sequence and time.
    expected = {
        (owner, time)
        for owner, time in rows
        if all((owner, time - lag) in rows for lag in range(1, lags + 1))
    }
    table = frame(
        id=[owner for owner, _ in rows],
        t=[time for _, time in rows],
        x=[1000 * owner + time for owner, time in rows],
        y=[-1000 * owner - time for owner, time in rows],
    )
    if not expected:
        with pytest.raises(dw.DataError):
            table.lagged(lags, time="t", sequence="id", step=1)
        return
    windows = table.lagged(lags, time="t", sequence="id", step=1)
    for lag in range(lags + 1):
        now = windows.reals("x[t]")
        assert np.array_equal(windows.reals(str(Moment("x", lag))), now - lag)
        assert np.array_equal(windows.reals(str(Moment("y", lag))), -(now - lag))
    assert {divmod(int(cell), 1000) for cell in windows.reals("x[t]")} == expected
    assert windows.windows is not None
    owners = [divmod(int(cell), 1000)[0] for cell in windows.reals("x[t]")]
    known = sorted({owner for owner, _ in rows})
    assert [known[number] for number in windows.windows.sequence] == owners


def test_names_say_the_series_and_the_lag() -> None:
    assert moment_of("a[t-1][t]") == ("a[t-1]", 0)
    assert moment_of("x[t-0]") is None
    assert moment_of("x[t-01]") is None
    assert moment_of("[t]") is None
    assert all(moment_of(str(Moment(name, lag))) == (name, lag) for name in "ab" for lag in range(12))


def test_the_order_of_rows_does_not_matter() -> None:
    rng = np.random.default_rng(3)
    order = rng.permutation(40)
    columns = {"id": np.repeat([0, 1], 20), "t": np.tile(np.arange(20), 2), "x": rng.normal(size=40)}
    one = frame(**columns).lagged(2, time="t", sequence="id")
    other = frame(**{name: values[order] for name, values in columns.items()}).lagged(
        2, time="t", sequence="id"
    )
    assert one == other


def test_static_columns_come_once_and_have_no_lags() -> None:
    table = frame(id=[0, 0, 0, 1, 1, 1], t=[0, 1, 2, 0, 1, 2], age=[5, 5, 5, 7, 7, 7], x=range(6), y=range(6))
    windows = table.select(["id", "t", "age", "x"]).lagged(1, time="t", sequence="id", static=["age"])
    assert windows.names == ("age", "x[t]", "x[t-1]")
    assert windows.reals("age").tolist() == [5, 5, 7, 7]
    with pytest.raises(dw.DataError, match=r"'x' is not static: it changes within sequence 0\.0"):
        table.lagged(1, time="t", sequence="id", static=["age", "x"])


def test_a_time_that_occurs_twice_is_refused() -> None:
    table = frame(id=[0, 0, 1, 1], t=[0, 1, 0, 0], x=range(4))
    with pytest.raises(dw.DataError, match=r"time 0\.0 occurs twice in sequence 1\.0"):
        table.lagged(1, time="t", sequence="id")
    with pytest.raises(dw.DataError, match=r"time 0\.0 occurs twice; name the column"):
        table.lagged(1, time="t")


def test_gaps_break_or_are_refused() -> None:
    table = frame(t=[0, 0.1, 0.2, 0.5, 0.6, 0.7, 0.8], x=range(7))
    windows = table.lagged(1, time="t")
    assert windows.reals("x[t]").tolist() == [1, 2, 4, 5, 6]
    assert windows.windows is not None
    assert windows.windows.run.tolist() == [0, 0, 1, 1, 1]
    assert "1 gap in time: no window crosses one" in windows.notes
    with pytest.raises(dw.DataError, match=r"a gap in time: 0\.2 is followed by 0\.5"):
        table.lagged(1, time="t", gaps="error")


def test_irregular_times_are_refused() -> None:
    table = frame(t=[0, 1, 3, 4.5, 8, 8.3], x=range(6))
    with pytest.raises(dw.DataError, match=r"the steps of time are irregular: only 20% are 1.5 long"):
        table.lagged(1, time="t")
    assert table.lagged(1, time="t", step=1).n_rows == 1


@pytest.mark.parametrize("day", [1, 31])
def test_months_are_steps(day: int) -> None:
    firsts = [datetime.date(2023 + at // 12, at % 12 + 1, 1) for at in range(27)]
    days = firsts if day == 1 else [first - datetime.timedelta(days=1) for first in firsts]
    table = dw.read({"month": days, "x": np.arange(27.0) ** 2})
    windows = table.lagged(1, time="month")
    assert windows.n_rows == 26
    assert windows.notes[-1].endswith(", by months")


def test_a_clock_change_is_a_gap() -> None:
    hours = [datetime.datetime(2024, 3, 31, hour) for hour in (0, 1, 3, 4, 5)]
    windows = dw.read({"at": hours, "x": [0.5, 1.5, 2.5, 3.5, 4.5]}).lagged(1, time="at")
    assert windows.n_rows == 3


def test_tables_of_different_lags_with_the_same_windows() -> None:
    table = frame(x=np.arange(10))
    assert table.lagged(1, skip=3).reals("x[t]").tolist() == table.lagged(3).reals("x[t]").tolist()
    with pytest.raises(dw.OptionError, match="skip=1, but 2 lags need at least 2"):
        table.lagged(2, skip=1)


def test_short_sequences_are_said() -> None:
    table = frame(id=[0, 0, 0, 1, 2, 2], x=range(6))
    windows = table.lagged(1, sequence="id")
    assert windows.notes[-1] == "1 of 3 sequences have no run of 2 steps and give no window"
    with pytest.raises(dw.DataError, match="no window of 4 steps: the longest run without a gap has 3 steps"):
        table.lagged(3, sequence="id")


def test_refusals() -> None:
    table = frame(t=[0, 1, 2], x=[1, 2, 3])
    for options, words in (
        ({"lags": 0}, "lags=0, but must be a whole number of at least 1"),
        ({"gaps": "skip"}, "unknown value of gaps"),
        ({"time": "u"}, "unknown column 'u'"),
        ({"time": "t", "sequence": "t"}, "another role already"),
        ({"time": "t", "static": "x"}, "no column is left that changes"),
        ({"step": 0}, "must be a positive number"),
    ):
        with pytest.raises(dw.DagwrightError, match=words):
            table.lagged(**options)  # type: ignore[arg-type]
    with pytest.raises(dw.DataError, match="neither numbers nor dates"):
        dw.read({"t": ["a", "b"], "x": [1, 2]}).lagged(time="t")
    with pytest.raises(dw.DataError, match="has windows already"):
        table.lagged().lagged()
    with pytest.raises(dw.DataError, match="weights"):
        table.with_weights([1, 1, 2]).lagged()
    with pytest.raises(dw.DataError, match="has no time"):
        frame(t=[0, float("nan")], x=[0, 1]).lagged(time="t")
    with pytest.raises(dw.DataError, match="belongs to no sequence"):
        frame(t=[0, float("nan")], x=[0, 1]).lagged(sequence="t")
    with pytest.raises(dw.DataError, match="already denotes a time step"):
        table.rename({"x": "x[t]"}).lagged(time="t")


def test_windows_follow_their_rows() -> None:
    windows = frame(x=np.arange(6), y=np.arange(6)).lagged(1)
    part = windows.take([4, 0]).select(["x[t]", "x[t-1]"])
    assert part.windows is not None
    assert part.windows.step.tolist() == [5, 1]
    again = pickle.loads(pickle.dumps(part))
    assert again.windows.step.tolist() == [5, 1]
    assert part.rename({"x[t]": "x[t]"}) == part
    with pytest.raises(dw.DataError, match="rename the columns before"):
        part.rename({"x[t]": "x"})
    with pytest.raises(dw.DataError, match="2 windows for 5 rows"):
        windows.with_windows(part.windows)


def test_all_lags_have_the_same_cut_points() -> None:
    series = np.arange(30.0)
    cut = frame(x=series).lagged(2).discretized()
    assert len({cut.bins[name] for name in cut.names}) == 1
    assert cut.codes("x[t-1]").tolist() == [int(cell > 10) + int(cell > 20) for cell in series[1:-1]]
