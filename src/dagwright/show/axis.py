"""A range of values with round ticks."""

from __future__ import annotations

import math
from collections.abc import Sequence


class Axis:
    """From the least to the greatest value, with some room above if wanted, in at most ``ticks`` steps."""

    def __init__(self, values: Sequence[float], room: float = 0.0, ticks: int = 10) -> None:
        low, high = min(values), max(values)
        high += room * (high - low)
        if high - low < 1e-12 * max(1.0, abs(high)):
            low, high = low - 0.5, high + 0.5
        step = 10.0 ** math.floor(math.log10(high - low))
        step *= next(
            factor for factor in (0.1, 0.2, 0.5, 1.0, 2.0) if (high - low) / (factor * step) <= ticks
        )
        self.low, self.high = low, high
        self.ticks = [
            k * step for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
        ]

    @property
    def powers(self) -> list[float]:
        """Where values are logarithms: the powers of ten; of fewer than three, also the 2- and 5-fold."""
        least, most = math.floor(self.low - 1e-9), math.floor(self.high + 1e-9)
        tens = [float(k) for k in range(least, most + 1)]
        between = [ten + math.log10(times) for ten in tens for times in (1, 2, 5)]
        inside = [
            [at for at in ticks if self.low - 1e-9 <= at <= self.high + 1e-9] for ticks in (tens, between)
        ]
        return inside[0] if len(inside[0]) >= 3 else inside[1]

    def share(self, value: float) -> float:
        """Where a value lies, from 0 at the lower end to 1 at the upper."""
        return (value - self.low) / (self.high - self.low)


def tick_label(value: float) -> str:
    """A number as short as it may be.

    >>> tick_label(0.30000000000000004), tick_label(10000.0), tick_label(-2500000.0)
    ('0.3', '10,000', '-2.5e+06')
    """
    return f"{value:,.6g}"
