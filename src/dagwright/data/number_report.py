"""Columns of numbers in the data report: their distribution, near duplicates and collinear groups."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dagwright.base.wording import aligned, count_of
from dagwright.data.bins import Scale, number_text
from dagwright.data.collinear import collinear
from dagwright.data.columns import Floats
from dagwright.data.number_rows import Blocks, NumberRows, Numbers

FAR = 3.0
"""An outlier is further than this many interquartile ranges from the quartiles."""
SKEWED = 2.0
NEARLY_SAME = 0.999
"""Least absolute correlation of near duplicates."""
RESIDUE = 1e-6
"""Share of its variance that a column of a collinear group leaves unexplained at most."""
SHARE = 1e-3
"""Least standardized coefficient of a column in a collinear group."""
BARS = 10
_BARS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True)
class NumberSummary:
    """The distribution of a column of numbers.

    ``sd`` has the divisor N - 1; ``skewness`` and ``kurtosis`` (in excess of 3, that of a normal
    distribution) are ratios of central moments, None for a constant column. ``outliers`` counts the rows
    further than three interquartile ranges from the quartiles. ``histogram`` is the weight in ten intervals
    of equal width from minimum to maximum.
    """

    mean: float
    sd: float
    minimum: float
    lower_quartile: float
    median: float
    upper_quartile: float
    maximum: float
    skewness: float | None
    kurtosis: float | None
    outliers: int
    histogram: tuple[float, ...]
    scale: Scale = "number"

    @property
    def bars(self) -> str:
        """The histogram as text, one block for each interval and a dot for an empty one.

        >>> from dagwright.data.number_rows import SortedNumbers
        >>> summary_of(SortedNumbers(np.array([1.0, 1.0, 1.0, 2.0]))).bars
        '█········▃'
        """
        top = max(self.histogram)
        return "".join(
            "·" if not mass else _BARS[math.ceil(mass / top * len(_BARS)) - 1] for mass in self.histogram
        )

    @property
    def cells(self) -> tuple[str, ...]:
        """The summary as texts, in the order of the heads."""
        ends = (self.minimum, self.lower_quartile, self.median, self.upper_quartile, self.maximum)
        shapes = ("-" if value is None else f"{value:.2f}" for value in (self.skewness, self.kurtosis))
        spread = f"{self.sd:.4g}" if self.scale == "number" else _duration(self.sd, self.scale)
        return (
            self._text(self.mean),
            spread,
            *map(self._text, ends),
            *shapes,
            f"{self.outliers:,}",
            self.bars,
        )

    def _text(self, value: float) -> str:
        return f"{value:.4g}" if self.scale == "number" else number_text(value, self.scale)


HEADS = (
    "mean",
    "sd",
    "min",
    "25 %",
    "median",
    "75 %",
    "max",
    "skewness",
    "kurtosis",
    "outliers",
    "histogram",
)


def _duration(number: float, scale: Scale) -> str:
    return f"{number if scale == 'date' else number / 86400:.4g} days"


def summary_of(numbers: Numbers, scale: Scale = "number") -> NumberSummary | None:
    """The distribution of the known values of a column under their weights; None without values."""
    least, largest = numbers.ends()
    if least > largest:
        return None
    size = max(abs(least), abs(largest)) or 1.0
    total, center = _added(numbers, lambda x, w: (w.sum(), np.sum(w * (x / size))))
    center /= total

    def powers(x: Floats, w: Floats) -> Iterator[Any]:
        z = x / size - center
        for power in (z * z, z * z * z, z * z * (z * z)):
            yield np.sum(w * power)

    second, third, fourth = (one / total for one in _added(numbers, powers))
    spread = largest > least and second > 0
    low, median, high = _quantiles(numbers, total, (0.25, 0.5, 0.75))
    fence = FAR * (high / size - low / size)
    below, above = low / size - fence, high / size + fence

    def bars(x: Floats, w: Floats) -> Iterator[Any]:
        yield np.count_nonzero((x / size < below) | (x / size > above))
        yield from _histogram(x, w, least, largest)

    outliers, *histogram = _added(numbers, bars)
    return NumberSummary(
        center * size,
        math.sqrt(second * total / max(total - 1, 1.0)) * size if spread else 0.0,
        least,
        low,
        median,
        high,
        largest,
        third / second**1.5 if spread else None,
        fourth / second**2 - 3 if spread else None,
        int(outliers),
        tuple(histogram),
        scale,
    )


def _added(numbers: Numbers, terms: Callable[[Floats, Floats], Iterable[Any]]) -> list[float]:
    """Sums over all blocks."""
    return list(map(math.fsum, zip(*[tuple(terms(x, w)) for x, w in numbers], strict=True)))


def _quantiles(numbers: Numbers, total: float, shares: Sequence[float]) -> list[float]:
    """Linear interpolation between the cases, each value repeated as its weight says."""
    places = [share * max(total - 1.0, 0.0) for share in shares]
    values = iter(numbers.at([math.floor(at) + step for at in places for step in (0.0, 1.0)]))
    found = []
    for at in places:
        a, b, share = next(values), next(values), at - math.floor(at)
        found.append(a if a == b else a * (1 - share) + b * share)
    return found


def _histogram(x: Floats, w: Floats, low: float, high: float) -> list[float]:
    if low == high:
        return [float(w.sum())]
    width = high / BARS - low / BARS
    at = np.minimum((x / width - low / width).astype(np.intp), BARS - 1) if width else np.zeros(len(x), int)
    return [float(mass) for mass in np.bincount(at, weights=w, minlength=BARS)]


def near_duplicates(rows: NumberRows) -> dict[str, tuple[str, float]]:
    """Columns whose correlation with an earlier one is nearly 1 or -1, on the rows where both are known."""
    names = rows.names
    if len(names) < 2:
        return {}
    correlation = _correlations(lambda: rows.blocks(names), len(names))
    found: dict[str, tuple[str, float]] = {}
    for later in range(1, len(names)):
        earlier = int(np.argmax(np.abs(correlation[later, :later])))
        if abs(correlation[later, earlier]) >= NEARLY_SAME:
            found[names[later]] = (names[earlier], float(correlation[later, earlier]))
    return found


def _correlations(blocks: Callable[[], Blocks], p: int) -> Floats:
    """Pairwise correlations of so many columns, on the rows where both are known; 0 where one is constant."""
    n, sx, sxx, sxy = (np.zeros((p, p)) for _ in range(4))
    for block, w in _standard(blocks, p):
        known = np.isfinite(block).astype(np.float64)
        x = np.where(known > 0, block, 0.0)
        weighed = x * w[:, None]
        n += (known * w[:, None]).T @ known
        sx += weighed.T @ known
        sxx += (weighed * x).T @ known
        sxy += weighed.T @ x
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = sxx / n - (sx / n) ** 2
        covariance = sxy / n - (sx / n) * (sx.T / n)
        result: Floats = covariance / np.sqrt(variance * variance.T)
    return np.where(np.isfinite(result) & (variance > 1e-14) & (variance.T > 1e-14), result, 0.0)


def _standard(blocks: Callable[[], Blocks], p: int) -> Blocks:
    """The blocks, centered and scaled roughly, so that products neither overflow nor cancel; NaN stays."""
    low, high = np.full(p, np.inf), np.full(p, -np.inf)
    for x, _ in blocks():
        low = np.fmin(low, np.fmin.reduce(x, initial=np.inf))
        high = np.fmax(high, np.fmax.reduce(x, initial=-np.inf))
    size = np.maximum(np.abs(low), np.abs(high))
    size = np.where(np.isfinite(size) & (size > 0), size, 1.0)
    count, total = np.zeros(p), np.zeros(p)
    for x, _ in blocks():
        count += np.isfinite(x).sum(axis=0)
        total += np.nansum(x / size, axis=0)
    center = total / np.maximum(count, 1)
    width = np.maximum(np.abs(low / size - center), np.abs(high / size - center))
    varies = width > 1e-13
    for x, w in blocks():
        yield np.where(varies | np.isnan(x), (x / size - center) / np.where(varies, width, 1.0), 0.0), w


def collinear_groups(rows: NumberRows) -> list[tuple[str, ...]]:
    """Groups of three and more columns in which each is a linear combination of the others.

    Overlapping dependences are one group, so the groups do not depend on the order of the columns. Judged on
    the rows where all columns are known; none where these are not more than the columns.
    """
    names = sorted(rows.names)
    if len(names) < 3:
        return []

    def whole() -> Blocks:
        for x, w in rows.blocks(names):
            known = np.isfinite(x).all(axis=1) & (w > 0)
            yield x[known], w[known]

    if sum(len(x) for x, _ in whole()) <= len(names) + 1:
        return []
    matrix = _correlations(whole, len(names))
    found = [[names[i] for i in group] for group in collinear(matrix, RESIDUE, SHARE)]
    order = list(rows.names)
    return [tuple(sorted(members, key=order.index)) for members in found if len(members) > 2]


class NumberReport:
    """The part of the data report about columns of numbers.

    Parameters
    ----------
    rows, scales
        The numbers, and the scale of each column.
    """

    def __init__(self, rows: NumberRows, scales: Mapping[str, Scale]) -> None:
        found = {name: summary_of(rows.column(name), scales[name]) for name in rows.names}
        self.summaries = {name: one for name, one in found.items() if one is not None}
        self.doubles = near_duplicates(rows)
        self.groups = collinear_groups(rows)

    def flags(self, name: str, twins: Collection[str]) -> list[str]:
        """Unusual facts about a column; columns among ``twins`` are known to repeat another."""
        summary = self.summaries.get(name)
        flags = []
        if name in self.doubles and name not in twins:
            other, correlation = self.doubles[name]
            flags.append(f"nearly the same as {other!r} (correlation {correlation:.4f})")
        if summary is not None and summary.outliers:
            flags.append(count_of(summary.outliers, "outlier"))
        if summary is not None and summary.skewness is not None and abs(summary.skewness) > SKEWED:
            flags.append(f"skewed ({summary.skewness:.1f})")
        return flags

    @property
    def notes(self) -> tuple[str, ...]:
        """One sentence for each group of collinear columns."""
        return tuple(
            f"columns {', '.join(map(repr, group))} are collinear: each is a linear combination of the "
            "others; consider leaving one out"
            for group in self.groups
        )


def number_lines(summaries: Mapping[str, NumberSummary]) -> list[str]:
    """One line of names and one for each column of numbers."""
    if not summaries:
        return []
    return aligned([("numbers", *HEADS), *((name, *one.cells) for name, one in summaries.items())])
