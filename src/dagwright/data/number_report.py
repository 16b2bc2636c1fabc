"""Columns of numbers in the data report: their distribution, near duplicates and collinear groups."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dagwright.base.wording import aligned, count_of
from dagwright.data.bins import Scale, number_text
from dagwright.data.columns import Floats

FAR = 3.0
"""An outlier is further than this many interquartile ranges from the quartiles."""
SKEWED = 2.0
NEARLY_SAME = 0.999
"""Least absolute correlation of near duplicates."""
RESIDUE = 1e-6
"""Share of its variance that a column of a collinear group leaves unexplained at most."""
BARS = 10
_BLOCKS = "▁▂▃▄▅▆▇█"
_ROWS_AT_ONCE = 65536


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

        >>> summary_of(np.array([1.0, 1.0, 1.0, 2.0])).bars
        '█········▃'
        """
        top = max(self.histogram)
        return "".join(
            "·" if not mass else _BLOCKS[math.ceil(mass / top * len(_BLOCKS)) - 1] for mass in self.histogram
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


def summary_of(
    values: Floats, weights: Floats | None = None, scale: Scale = "number"
) -> NumberSummary | None:
    """The distribution of the finite values of a column under the weights; None without values."""
    known = np.isfinite(values) if weights is None else np.isfinite(values) & (weights > 0)
    if not known.any():
        return None
    mass = np.ones(len(values)) if weights is None else weights
    # Sums over sorted values do not depend on the order of the rows.
    order = np.lexsort((mass[known], values[known]))
    x, w = values[known][order], mass[known][order]
    total = float(w.sum())
    size = float(np.abs(x).max()) or 1.0
    center = float(np.sum(w * (x / size)) / total)
    z = x / size - center
    second, third, fourth = (float(np.sum(w * z**k)) / total for k in (2, 3, 4))
    spread = x[-1] > x[0] and second > 0
    low, median, high = (_quantile(x, np.cumsum(w), p) for p in (0.25, 0.5, 0.75))
    fence = FAR * (high / size - low / size)
    far = (x / size < low / size - fence) | (x / size > high / size + fence)
    return NumberSummary(
        center * size,
        math.sqrt(second * total / max(total - 1, 1.0)) * size if spread else 0.0,
        float(x[0]),
        low,
        median,
        high,
        float(x[-1]),
        third / second**1.5 if spread else None,
        fourth / second**2 - 3 if spread else None,
        int(np.count_nonzero(far)),
        _histogram(x, w),
        scale,
    )


def _quantile(x: Floats, below: Floats, p: float) -> float:
    """Linear interpolation between the cases, each value repeated as its weight says."""
    at = p * max(float(below[-1]) - 1.0, 0.0)
    first, second = np.searchsorted(below, [math.floor(at), math.floor(at) + 1.0], side="right")
    a, b = float(x[min(first, len(x) - 1)]), float(x[min(second, len(x) - 1)])
    share = at - math.floor(at)
    return a if a == b else a * (1 - share) + b * share


def _histogram(x: Floats, w: Floats) -> tuple[float, ...]:
    low, high = float(x[0]), float(x[-1])
    if low == high:
        return (float(w.sum()),)
    width = high / BARS - low / BARS
    at = np.minimum((x / width - low / width).astype(np.intp), BARS - 1) if width else np.zeros(len(x), int)
    return tuple(np.bincount(at, weights=w, minlength=BARS).tolist())


def near_duplicates(columns: Mapping[str, Floats], weights: Floats | None) -> dict[str, tuple[str, float]]:
    """Columns whose correlation with an earlier one is nearly 1 or -1, on the rows where both are known."""
    names = list(columns)
    if len(names) < 2:
        return {}
    correlation = _correlations([_standard(columns[name]) for name in names], weights)
    found: dict[str, tuple[str, float]] = {}
    for later in range(1, len(names)):
        earlier = int(np.argmax(np.abs(correlation[later, :later])))
        if abs(correlation[later, earlier]) >= NEARLY_SAME:
            found[names[later]] = (names[earlier], float(correlation[later, earlier]))
    return found


def _standard(values: Floats) -> Floats:
    """Centered and scaled roughly, so that products neither overflow nor cancel; NaN stays."""
    known = values[np.isfinite(values)]
    if not known.size:
        return np.full(len(values), np.nan)
    scaled = values / (float(np.abs(known).max()) or 1.0)
    scaled = np.where(np.isfinite(values), scaled, np.nan)
    scaled -= np.nanmean(scaled)
    width = float(np.nanmax(np.abs(scaled)))
    return scaled / width if width > 1e-13 else np.where(np.isnan(scaled), np.nan, 0.0)


def _correlations(columns: Sequence[Floats], weights: Floats | None) -> Floats:
    """Pairwise correlations on the rows where both columns are known; 0 where one is constant."""
    p = len(columns)
    n, sx, sxx, sxy = (np.zeros((p, p)) for _ in range(4))
    for start in range(0, len(columns[0]), _ROWS_AT_ONCE):
        x = np.stack([column[start : start + _ROWS_AT_ONCE] for column in columns], axis=1)
        known = np.isfinite(x).astype(np.float64)
        x = np.where(known > 0, x, 0.0)
        w = np.ones(len(x)) if weights is None else weights[start : start + _ROWS_AT_ONCE]
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


def collinear_groups(columns: Mapping[str, Floats], weights: Floats | None) -> list[tuple[str, ...]]:
    """Groups of three and more columns in which each is a linear combination of the others.

    Overlapping dependences are one group, so the groups do not depend on the order of the columns. Judged on
    the rows where all columns are known; none where these are not more than the columns.
    """
    names = sorted(columns)
    if len(names) < 3:
        return []
    whole = np.all([np.isfinite(columns[name]) for name in names], axis=0)
    if weights is not None:
        whole &= weights > 0
    if int(whole.sum()) <= len(names) + 1:
        return []
    kept = None if weights is None else weights[whole]
    matrix = _correlations([_standard(columns[name][whole]) for name in names], kept)
    group = list(range(len(names)))
    basis: list[int] = []
    for at in range(len(names)):
        if matrix[at, at] == 0:
            continue
        if basis:
            among = matrix[np.ix_(basis, basis)]
            slopes = np.linalg.solve(among, matrix[basis, at])
            if 1 - float(slopes @ matrix[basis, at]) < RESIDUE:
                members = {group[at], *(group[basis[i]] for i in np.flatnonzero(np.abs(slopes) > 1e-3))}
                group = [min(members) if one in members else one for one in group]
                continue
        basis.append(at)
    found: dict[int, list[str]] = {}
    for name, root in zip(names, group, strict=True):
        found.setdefault(root, []).append(name)
    order = list(columns)
    return [tuple(sorted(members, key=order.index)) for members in found.values() if len(members) > 2]


class NumberReport:
    """The part of the data report about columns of numbers.

    Parameters
    ----------
    columns, weights, scales
        The numbers by column, the weights of the rows and what the numbers count.
    """

    def __init__(
        self, columns: Mapping[str, Floats], weights: Floats | None, scales: Mapping[str, Scale]
    ) -> None:
        found = {name: summary_of(values, weights, scales[name]) for name, values in columns.items()}
        self.summaries = {name: one for name, one in found.items() if one is not None}
        self.doubles = near_duplicates(columns, weights)
        self.groups = collinear_groups(columns, weights)

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
