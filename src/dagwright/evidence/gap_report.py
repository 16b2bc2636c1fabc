"""Where values are missing, which go missing together, and whether that depends on what is known."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dagwright import _core
from dagwright.base.wording import count_of
from dagwright.data.columns import Floats
from dagwright.data.states import Codes, missing_code
from dagwright.errors import OptionError
from dagwright.evidence.chi_squared import USUAL_ALPHA
from dagwright.evidence.counting import as_table
from dagwright.graph.viewable import Viewable
from dagwright.sentences import Argument, Sentence, joined

SHOWN = 10
ROW_BYTES = 64
"""Memory for a row of a block, beside that for each column."""


LEAST_EXPECTED = 5.0
"""The least expected count of a cell for which a test uses the chi-squared distribution (Cochran 1954)."""


class GapDependence(NamedTuple):
    """Whether a value of ``column`` is missing goes with the states of ``known``: a G2 test of the two.

    States of ``known`` that are too rare for an expected count of 5 in each cell count as one state.
    """

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
    untested
        Columns with too few rows for each state to be tested as ``known``, such as identifiers of rows.
    """

    n_rows: int
    complete_rows: int
    columns: dict[str, int]
    patterns: dict[tuple[str, ...], int]
    dependences: tuple[GapDependence, ...]
    alpha: float
    untested: tuple[str, ...] = ()

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
        if self.untested:
            more = f" and {len(self.untested) - SHOWN} more" if len(self.untested) > SHOWN else ""
            names = ", ".join(self.untested[:SHOWN])
            lines.append(f"  not tested, too few rows for each state: gaps against {names}{more}")
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
    some = sorted((name for name in table.names if table.missing[name]), key=lambda x: (-table.missing[x], x))
    patterns: Counter[tuple[str, ...]] = Counter()
    counts = {
        (column, other): np.zeros((2, len(table.states_of(other))))
        for column in some
        for other in table.names
        if other != column and len(table.states_of(other)) > 1
    }
    for first, end in table.spans(ROW_BYTES + 2 * len(table.names)) if some else ():
        codes = {name: table.codes(name)[first:end] for name in table.names}
        known = {name: column != missing_code(column) for name, column in codes.items()}
        patterns.update(_patterns({name: ~known[name] for name in sorted(some)}))
        weights = table.weights_within(first, end)
        for (column, other), cells in counts.items():
            cells += _gaps_by_state(known[column], codes[other], known[other], weights, cells.shape[1])
    tests: list[GapDependence] = []
    tried: dict[str, bool] = {}
    for (column, other), cells in counts.items():
        found = _dependence(column, other, cells)
        tried[other] = tried.get(other, False) or found is not None
        tests += [] if found is None else [found]
    return Missingness(
        table.n_rows,
        table.n_rows - sum(patterns.values()),
        {name: table.missing[name] for name in some},
        dict(sorted(patterns.items(), key=lambda item: (-item[1], item[0]))),
        _significant(tests, alpha),
        alpha,
        tuple(sorted(other for other, tested in tried.items() if not tested)),
    )


def _patterns(gaps: dict[str, NDArray[np.bool_]]) -> dict[tuple[str, ...], int]:
    """Sets of columns that are missing together in some rows, with the number of these rows."""
    packed = np.packbits(np.stack(list(gaps.values()), axis=1), axis=1)
    found = {}
    for row, count in zip(*np.unique(packed, axis=0, return_counts=True), strict=True):
        bits = np.unpackbits(row, count=len(gaps)).astype(bool)
        if bits.any():
            found[tuple(name for name, gone in zip(gaps, bits, strict=True) if gone)] = int(count)
    return found


def _gaps_by_state(
    there: NDArray[np.bool_], codes: Codes, known: NDArray[np.bool_], weights: Floats | None, states: int
) -> Floats:
    """The weight of the rows with and without a value, by the state of another column."""
    cell = ~there[known] * states + codes[known].astype(np.intp)
    found = np.bincount(cell, None if weights is None else weights[known], 2 * states)
    return found.reshape(2, states).astype(np.float64)


def _dependence(column: str, other: str, cells: Floats) -> GapDependence | None:
    """The test of one pair; None where there are too few rows for one."""
    tested = _merged(cells)
    df = tested.shape[1] - 1
    if df < 1:
        return None
    expected = tested.sum(axis=1, keepdims=True) * tested.sum(axis=0) / tested.sum()
    seen = tested > 0
    statistic = 2 * float(np.sum(tested[seen] * np.log(tested[seen] / expected[seen])))
    return GapDependence(column, other, statistic, df, _core.chi2_sf(max(statistic, 0.0), df))


def _merged(cells: Floats) -> Floats:
    """The counts with rare states as one state, so that no expected count is below `LEAST_EXPECTED`.

    Which states are rare follows from the margins, so merging does not favor either outcome of the test.
    """
    total, states = float(cells.sum()), cells.sum(axis=0)
    rarer = float(cells.sum(axis=1).min())
    if not rarer > 0:
        return cells[:, :0]
    least = LEAST_EXPECTED * total / rarer
    ordered = np.argsort(states, kind="stable")
    rare = int(np.sum(states < least))
    pooled = float(states[ordered[:rare]].sum())
    while 0 < pooled < least and rare < len(ordered):
        pooled += float(states[ordered[rare]])
        rare += 1
    pool, kept = ordered[:rare], np.sort(ordered[rare:])
    return np.column_stack([cells[:, pool].sum(axis=1), cells[:, kept]]) if pooled > 0 else cells[:, kept]


def _significant(tests: list[GapDependence], alpha: float) -> tuple[GapDependence, ...]:
    """The tests that Holm's procedure rejects, smallest p-value first."""
    ordered = sorted(tests, key=lambda test: (test.p_value, test.column, test.known))
    kept = []
    for rank, test in enumerate(ordered):
        if test.p_value > alpha / (len(ordered) - rank):
            break
        kept.append(test)
    return tuple(kept)
