"""Windows of time series: each row holds a step and the steps before it."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from dagwright.base.wording import count_of
from dagwright.data.bins import Scale
from dagwright.data.schema import Continuous, Schema, Variable
from dagwright.data.windows import Moment, Windows, moment_of
from dagwright.errors import DataError, OptionError, unknown_name
from dagwright.sentences import Argument

if TYPE_CHECKING:
    from dagwright.data.table import Table

Gaps = Literal["break", "error"]
Floats = npt.NDArray[np.float64]
Positions = npt.NDArray[np.int64]

REGULAR_SHARE = 0.5
"""Steps of time are irregular if at most this share of them is as long as the usual one."""
TOLERANCE = 1e-6
EPOCH = datetime.datetime(1970, 1, 1)
DAY = 86400.0


@dataclass(frozen=True)
class _Clock:
    """Times as numbers, and how to say one of them."""

    ticks: Floats
    values: Sequence[Any]
    unit: str

    def say(self, row: int) -> str:
        return str(self.values[row])


def lagged(
    table: Table,
    *,
    lags: int,
    time: str | None,
    sequence: str | None,
    static: Iterable[str],
    contemporaneous: bool,
    gaps: Gaps,
    step: float | None,
    skip: int | None,
) -> Table:
    """See `Table.lagged`."""
    fixed = (static,) if isinstance(static, str) else tuple(static)
    series = _checked_columns(table, time, sequence, fixed)
    first = _checked_numbers(lags, step, skip, gaps)
    owner, order, clock = _in_order(table, time, sequence)
    _require_static(table, fixed, owner, sequence)
    run_of, notes = _runs(owner, order, clock, step, gaps, sequence, table)
    place = np.arange(len(order)) - np.flatnonzero(np.r_[True, np.diff(run_of) != 0])[run_of]
    ends = np.flatnonzero(place >= first)
    if not len(ends):
        longest = 0 if not len(place) else int(place.max()) + 1
        raise DataError(
            f"no window of {first + 1} steps: the longest run without a gap has {count_of(longest, 'step')}; "
            "use fewer lags"
        )
    variables: list[Variable] = [table.schema[name] for name in fixed]
    cells = [_cells(table, name)[order[ends]] for name in fixed]
    for lag in range(lags + 1):
        for name in series:
            variables.append(replace(table.schema[name], name=str(Moment(name, lag))))
            cells.append(_cells(table, name)[order[ends - lag]])
    given = {"time": time, "sequence": sequence, "static": list(fixed) or None, "step": step, "skip": skip}
    options: dict[str, Any] = {"lags": lags, "contemporaneous": contemporaneous, "gaps": gaps}
    options |= {name: value for name, value in given.items() if value is not None}
    windows = Windows(owner[order[ends]], run_of[ends], place[ends], contemporaneous, options)
    sequences = int(owner.max()) + 1
    used = len(np.unique(windows.sequence))
    notes = [
        f"{len(ends):,} windows of {lags + 1} steps, from {count_of(used, 'sequence')} in "
        f"{count_of(len(np.unique(windows.run)), 'run')}{clock.unit}",
        *notes,
    ]
    if used < sequences:
        notes.append(
            f"{sequences - used:,} of {sequences:,} sequences have no run of {first + 1} steps and give no "
            "window"
        )
    made = table.from_schema(Schema(variables), cells, notes=(*table.notes, *notes), reading=table.reading)
    return made.with_windows(windows)


def _cells(table: Table, name: str) -> npt.NDArray[Any]:
    return table.codes(name) if table.schema[name].is_discrete else table.reals(name)


def _checked_columns(
    table: Table, time: str | None, sequence: str | None, static: tuple[str, ...]
) -> tuple[str, ...]:
    """The columns that change over time."""
    if table.windows is not None:
        raise DataError("the table has windows already; call lagged() on the series themselves")
    if table.weights is not None:
        raise DataError(
            "the rows have weights, and a window is made of several rows; with_weights(None) removes them"
        )
    for name in (time, sequence, *static):
        if name is not None:
            table.column_index(name)
    apart = {time, sequence, *static}
    for option, name in (("time", time), ("sequence", sequence)):
        if name is not None and (name in static or (option == "time" and name == sequence)):
            raise OptionError(Argument(option, name), f", but column {name!r} has another role already")
    series = tuple(name for name in table.names if name not in apart)
    if not series:
        raise DataError("no column is left that changes over time")
    for name in table.names:
        if moment_of(name) is not None and name not in (time, sequence):
            raise DataError(
                f"the name of column {name!r} already denotes a time step; rename the column before lagged()"
            )
    return series


def _checked_numbers(lags: int, step: float | None, skip: int | None, gaps: str) -> int:
    """The first step of a run at which a window ends."""
    if isinstance(lags, bool) or not isinstance(lags, int | np.integer) or lags < 1:
        raise OptionError(Argument("lags", lags), ", but must be a whole number of at least 1")
    if step is not None and not step > 0:
        raise OptionError(Argument("step", step), ", but must be a positive number")
    if skip is not None and skip < lags:
        raise OptionError(Argument("skip", skip), f", but {lags} lags need at least {lags} steps before")
    if gaps not in get_args(Gaps):
        raise unknown_name("value of gaps", gaps, get_args(Gaps))
    return int(lags if skip is None else skip)


def _in_order(table: Table, time: str | None, sequence: str | None) -> tuple[Positions, Positions, _Clock]:
    """The number of each row's sequence, the rows in order of sequence and time, and the times."""
    if table.n_rows == 0:
        raise DataError("the table has no rows, so there are no windows")
    clock = _clock(table, time)
    owner = np.zeros(table.n_rows, dtype=np.int64)
    if sequence is not None:
        if table.gaps(sequence).any():
            row = int(np.flatnonzero(table.gaps(sequence))[0])
            raise DataError(
                f"row {row} (counted from 0) belongs to no sequence: its cell in {sequence!r} is missing"
            )
        owner = np.unique(_cells(table, sequence), return_inverse=True)[1].astype(np.int64)
    order = np.lexsort((clock.ticks, owner)).astype(np.int64)
    return owner, order, clock


def _clock(table: Table, time: str | None) -> _Clock:
    if time is None:
        rows = range(table.n_rows)
        return _Clock(np.arange(table.n_rows, dtype=np.float64), rows, "")
    if table.gaps(time).any():
        row = int(np.flatnonzero(table.gaps(time))[0])
        raise DataError(f"row {row} (counted from 0) has no time: its cell in {time!r} is missing")
    variable = table.schema[time]
    values = table.decode(time)
    scale: Scale = "number"
    if isinstance(variable, Continuous):
        scale, ticks = variable.scale, table.reals(time)
    else:
        scale, of_state = _numbers(time, variable.states if variable.bins is None else ())
        ticks = of_state[table.codes(time)]
    months = None if scale == "number" else _months(ticks * (DAY if scale == "date" else 1.0))
    return _Clock(ticks, values, "") if months is None else _Clock(months, values, ", by months")


def _numbers(time: str, states: Sequence[Any]) -> tuple[Scale, Floats]:
    """States that are numbers or dates as numbers."""
    if states and all(isinstance(one, int | float) and not isinstance(one, bool) for one in states):
        return "number", np.asarray(states, dtype=np.float64)
    if states and all(isinstance(one, datetime.date) for one in states):
        midnight = datetime.time()
        whole = [
            one if isinstance(one, datetime.datetime) else datetime.datetime.combine(one, midnight)
            for one in states
        ]
        return "datetime", np.asarray([(one - EPOCH).total_seconds() for one in whole])
    raise DataError(
        f"the times in column {time!r} are neither numbers nor dates; give whole numbers, numbers or ISO "
        "dates such as 2024-02-29"
    )


def _months(seconds: Floats) -> Floats | None:
    """Times as months, if all are at the same time of the same day of a month, or all on a last day."""
    moments = seconds.astype("datetime64[s]")
    months = moments.astype("datetime64[M]")
    within = (moments - months.astype("datetime64[s]")).astype(np.int64)
    to_next = ((months + 1).astype("datetime64[s]") - moments).astype(np.int64)
    if len(np.unique(months)) > 1 and (len(np.unique(within)) == 1 or len(np.unique(to_next)) == 1):
        return months.astype(np.int64).astype(np.float64)
    return None


def _require_static(table: Table, static: tuple[str, ...], owner: Positions, sequence: str | None) -> None:
    first = np.unique(owner, return_index=True)[1]
    for name in static:
        cells = _cells(table, name)
        differs = ~((cells == cells[first[owner]]) | (table.gaps(name) & table.gaps(name)[first[owner]]))
        if differs.any():
            row = int(np.flatnonzero(differs)[0])
            raise DataError(
                f"column {name!r} is not static: it changes within "
                f"{_sequence_in_words(table, sequence, row)}; leave it out of ",
                Argument("static"),
            )


def _sequence_in_words(table: Table, sequence: str | None, row: int) -> str:
    return "the sequence" if sequence is None else f"sequence {table.take([row]).decode(sequence)[0]!r}"


def _runs(
    owner: Positions,
    order: Positions,
    clock: _Clock,
    step: float | None,
    gaps: Gaps,
    sequence: str | None,
    table: Table,
) -> tuple[Positions, list[str]]:
    """The number of each ordered row's run, and notes; a run ends with its sequence or at a gap in time."""
    same = np.diff(owner[order]) == 0
    lengths = np.diff(clock.ticks[order])
    if (same & (lengths == 0)).any():
        at = int(np.flatnonzero(same & (lengths == 0))[0])
        row = int(order[at])
        where = "" if sequence is None else f" in {_sequence_in_words(table, sequence, row)}"
        raise DataError(
            f"time {clock.say(row)} occurs twice{where}; name the column that identifies sequences, or keep "
            "one row for each step"
        )
    inside = lengths[same]
    if not len(inside):
        return np.cumsum(np.r_[0, ~same]).astype(np.int64), []
    usual = float(np.sort(inside)[(len(inside) - 1) // 2]) if step is None else float(step)
    largest = float(np.abs(clock.ticks).max())
    tolerance = max(TOLERANCE * usual, 4 * np.finfo(np.float64).eps * largest)
    regular = np.abs(lengths - usual) <= tolerance
    share = float(regular[same].mean())
    if step is None and share <= REGULAR_SHARE:
        raise DataError(
            f"the steps of time are irregular: only {share:.0%} are {usual:g} long, and lags need equal "
            "steps; resample the series, number the steps in a column of their own, or say how long a step "
            "is with ",
            Argument("step"),
        )
    broken = same & ~regular
    if broken.any() and gaps == "error":
        at = int(np.flatnonzero(broken)[0])
        raise DataError(
            f"a gap in time: {clock.say(int(order[at]))} is followed by {clock.say(int(order[at + 1]))}, and "
            f"a step is {usual:g} long; ",
            Argument("gaps", "break"),
            " lets windows end there",
        )
    run_of = np.cumsum(np.r_[0, ~same | broken]).astype(np.int64)
    count = int(np.count_nonzero(broken))
    notes = [f"{count_of(count, 'gap')} in time: no window crosses one"] if count else []
    return run_of, notes
