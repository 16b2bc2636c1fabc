"""Cut points of a discretised column: intervals closed on the right, their names, their use on new rows."""

from __future__ import annotations

import datetime
import itertools
import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from dagwright.data.states import MAX_STATES, Codes, code_dtype
from dagwright.errors import DataError

Scale = Literal["number", "date", "datetime"]
"""What the numbers mean: themselves, days since 1970-01-01, or seconds since then."""

_EPOCH = datetime.datetime(1970, 1, 1)


@dataclass(frozen=True)
class Bins:
    """Strictly increasing cut points c1 < ... < ck: intervals (-inf, c1], (c1, c2], ..., (ck, inf)."""

    cuts: tuple[float, ...]
    scale: Scale = "number"

    def __post_init__(self) -> None:
        if len(self.cuts) >= MAX_STATES:
            raise DataError(
                f"{len(self.cuts):,} cut points are too many; a column has at most {MAX_STATES:,} states"
            )
        if not all(math.isfinite(cut) for cut in self.cuts):
            raise DataError(f"cut points must be finite numbers, not {list(self.cuts)}")
        if any(a >= b for a, b in itertools.pairwise(self.cuts)):
            raise DataError(f"cut points must increase strictly, not {list(self.cuts)}")

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the intervals, which double as states.

        >>> Bins((1.5, 3.0)).labels
        ('<=1.5', '(1.5, 3]', '>3')
        """
        if not self.cuts:
            return ("any",)
        ends = [self._text(cut) for cut in self.cuts]
        middle = [f"({low}, {high}]" for low, high in itertools.pairwise(ends)]
        return (f"<={ends[0]}", *middle, f">{ends[-1]}")

    def code(self, values: npt.NDArray[np.float64]) -> Codes:
        """Bin of each value; NaN is missing, infinities fall into the outer bins."""
        found = np.searchsorted(np.asarray(self.cuts, dtype=np.float64), values, side="left")
        dtype = code_dtype(len(self.cuts) + 1)
        codes: Codes = found.astype(dtype)
        codes[np.isnan(values)] = np.iinfo(dtype).max
        return codes

    def _text(self, cut: float) -> str:
        if self.scale == "date":
            whole = math.floor(cut)
            return (_EPOCH + datetime.timedelta(days=whole)).date().isoformat()
        if self.scale == "datetime":
            return (_EPOCH + datetime.timedelta(seconds=cut)).isoformat(sep=" ")
        return str(int(cut)) if cut.is_integer() and abs(cut) < 1e15 else repr(cut)
