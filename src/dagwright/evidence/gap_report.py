"""Where values are missing, which go missing together, and whether that depends on what is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dagwright import _core
from dagwright.base.wording import count_of
from dagwright.data import Table
from dagwright.data.states import missing_code
from dagwright.errors import OptionError
from dagwright.evidence.chi_squared import USUAL_ALPHA
from dagwright.evidence.counting import as_table
from dagwright.graph.viewable import Viewable
from dagwright.sentences import Argument, Sentence, joined

SHOWN = 10


class GapDependence(NamedTuple):
    """Whether a value of ``column`` is missing goes with the states of ``known``: a G2 test of the two."""

    column: str
    known: str
    statistic: float
    df: int
    p_value: float

    def __str__(self) -> str:
        return f"{self.column} is missing depending on {self.known} (p = {self.p_value:.2g})"


@dataclass(frozen=True)
class Missingness(Viewable):
    """The gaps of a table.

    Attributes
    ----------
    n_rows, complete_rows
        All rows, and those without a gap.
    columns
        Number of missing cells of each column that has some, most first.
    patterns
        Columns that are missing together and in how many rows exactly these are, most frequent first.
    dependences
        Columns whose gaps go with the states of another column, at a level of alpha over all tests together
        (Holm 1979). If there are some, values are not missing completely at random: rows without gaps are no
        fair sample, while EM is still right if the gaps depend on nothing that is missing too.
    alpha
        That level.
    """

    n_rows: int
    complete_rows: int
    columns: dict[str, int]
    patterns: dict[tuple[str, ...], int]
    dependences: tuple[GapDependence, ...]
    alpha: float

    def to_dict(self) -> dict[str, Any]:
        """The report as values that JSON can hold."""
        return {
            "n_rows": self.n_rows,
            "complete_rows": self.complete_rows,
            "columns": dict(self.columns),
            "patterns": [{"columns": list(names), "rows": rows} for names, rows in self.patterns.items()],
            "dependences": [found._asdict() for found in self.dependences],
            "alpha": self.alpha,
        }

    def __str__(self) -> str:
        return self.in_words()

    def in_words(self) -> Sentence:
        """The report as text that a front end can write in its own way."""
        if not self.columns:
            return Sentence(f"{self.n_rows:,} rows, no missing values")
        lines = [f"{self.n_rows:,} rows, {self.complete_rows:,} of them complete"]
        lines += [
            f"  {name}: {count:,} missing ({100 * count / self.n_rows:.1f} %)"
            for name, count in self.columns.items()
        ]
        lines += [
            f"  missing together in {count_of(count, 'row')}: {', '.join(pattern)}"
            for pattern, count in list(self.patterns.items())[:SHOWN]
            if len(pattern) > 1
        ]
        lines += [f"  {found}" for found in self.dependences[:SHOWN]]
        if self.dependences:
            prefer = ("  not missing completely at random: prefer ", Argument("missing", "em"))
            lines.append(Sentence(*prefer, " to 'drop' and 'available'"))
        return joined(lines, "\n")


def missingness(data: Any, *, alpha: float = USUAL_ALPHA) -> Missingness:
    """Report on the missing values of a Table or of anything that `read` takes.

    >>> cough = ["yes", "no", "no", "yes"] * 50
    >>> print(missingness({"fever": ["yes", "no", None, "yes"] * 50, "cough": cough}))
    200 rows, 150 of them complete
      fever: 50 missing (25.0 %)
      fever is missing depending on cough (p = 1.5e-20)
      not missing completely at random: prefer missing='em' to 'drop' and 'available'
    """
    if not 0 < alpha < 1:
        raise OptionError(f"alpha must lie between 0 and 1, not {alpha}")
    table = as_table(data)
    gaps = {name: table.codes(name) == missing_code(table.codes(name)) for name in table.names}
    some = sorted((name for name in table.names if gaps[name].any()), key=lambda x: (-table.missing[x], x))
    patterns = _patterns({name: gaps[name] for name in some}, table.n_rows)
    return Missingness(
        table.n_rows,
        table.n_rows - sum(patterns.values()),
        {name: table.missing[name] for name in some},
        patterns,
        _significant(list(_dependences(table, gaps, some)), alpha),
        alpha,
    )


def _patterns(gaps: dict[str, NDArray[np.bool_]], rows: int) -> dict[tuple[str, ...], int]:
    """Sets of columns that are missing together in some rows, with the number of these rows."""
    if not gaps:
        return {}
    names = sorted(gaps)
    packed = np.packbits(np.stack([gaps[name] for name in names], axis=1), axis=1)
    found: Counter[tuple[str, ...]] = Counter()
    for row, count in zip(*np.unique(packed, axis=0, return_counts=True), strict=True):
        bits = np.unpackbits(row, count=len(names)).astype(bool)
        if bits.any():
            found[tuple(name for name, gone in zip(names, bits, strict=True) if gone)] = int(count)
    assert sum(found.values()) <= rows
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def _dependences(
    table: Table, gaps: dict[str, NDArray[np.bool_]], some: list[str]
) -> Iterator[GapDependence]:
    weights = np.ones(table.n_rows) if table.weights is None else table.weights
    for column in some:
        for other in table.names:
            known = ~gaps[other]
            r = len(table.states_of(other))
            if other == column or r < 2:
                continue
            cell = gaps[column][known] * r + table.codes(other)[known].astype(np.intp)
            counts = np.bincount(cell, weights[known], 2 * r).reshape(2, r)
            counts = counts[:, counts.sum(axis=0) > 0]
            df = counts.shape[1] - 1
            if df < 1 or not np.all(counts.sum(axis=1) > 0):
                continue
            expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / counts.sum()
            seen = counts > 0
            statistic = 2 * float(np.sum(counts[seen] * np.log(counts[seen] / expected[seen])))
            yield GapDependence(column, other, statistic, df, _core.chi2_sf(max(statistic, 0.0), df))


def _significant(tests: list[GapDependence], alpha: float) -> tuple[GapDependence, ...]:
    """The tests that Holm's procedure rejects, smallest p-value first."""
    ordered = sorted(tests, key=lambda test: (test.p_value, test.column, test.known))
    kept = []
    for rank, test in enumerate(ordered):
        if test.p_value > alpha / (len(ordered) - rank):
            break
        kept.append(test)
    return tuple(kept)
