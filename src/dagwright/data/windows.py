"""Steps of time in the names of columns, and the windows of time series that rows can be.

A column of a table of windows is a pair of a series and a lag. Its name says both: ``x[t]`` is the series x
at the current step, ``x[t-2]`` is x two steps before. A column without such a name does not change over time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dagwright.knowledge import Knowledge

_NAME = re.compile(r"(?P<series>.+)\[t(?:-(?P<lag>[1-9][0-9]*))?\]", re.DOTALL)
Steps = npt.NDArray[np.int64]


class Moment(NamedTuple):
    """A series at a number of steps before the current one.

    >>> str(Moment("x", 0)), str(Moment("x", 2))
    ('x[t]', 'x[t-2]')
    """

    series: str
    lag: int

    def __str__(self) -> str:
        return f"{self.series}[t-{self.lag}]" if self.lag else f"{self.series}[t]"


def moment_of(name: str) -> Moment | None:
    """The series and the lag that a name says; None for a column that does not change over time.

    >>> moment_of("x[t-2]"), moment_of("age")
    (Moment(series='x', lag=2), None)
    """
    said = _NAME.fullmatch(name)
    return None if said is None else Moment(said["series"], int(said["lag"] or 0))


def moments_of(names: Iterable[str]) -> dict[str, Moment]:
    """The series and the lag of each name that says them."""
    return {name: moment for name in names if (moment := moment_of(name)) is not None}


@dataclass(frozen=True, eq=False)
class Windows:
    """Where each row of a table of windows comes from.

    Attributes
    ----------
    sequence, run, step
        For each row the number of its sequence, of its run (a part of a sequence without a gap in time) and
        of its current step within the run.
    contemporaneous
        Whether a column of the current step may be a parent of another one.
    options
        The options of `Table.lagged` that made them.
    """

    sequence: Steps
    run: Steps
    step: Steps
    contemporaneous: bool = True
    options: Mapping[str, Any] = field(default_factory=dict)

    def take(self, rows: npt.NDArray[Any]) -> Windows:
        """The windows of some rows."""
        return replace(self, sequence=self.sequence[rows], run=self.run[rows], step=self.step[rows])

    def knowledge(self, names: Iterable[str]) -> Knowledge:
        """The knowledge that time gives about arcs between columns of these names.

        Only columns of the current step have parents. Earlier columns and columns that do not change over
        time have none: their distribution belongs to earlier steps.
        """
        current = {name for name, moment in moments_of(names).items() if moment.lag == 0}
        earlier = sorted(set(names) - current)
        return Knowledge(
            tiers=[
                {"nodes": earlier, "inner": False},
                {"nodes": sorted(current), "inner": self.contemporaneous},
            ]
        )
