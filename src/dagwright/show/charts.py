"""Charts of what the library finds: traces, strengths, states, gaps."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from dagwright.base.wording import count_of
from dagwright.confidence.threshold import significance_threshold
from dagwright.data import Table
from dagwright.errors import DataError, OptionError
from dagwright.evidence.counting import as_table
from dagwright.learning.learned import Learned
from dagwright.search.walks import RUNNING
from dagwright.show.colors import Theme
from dagwright.show.curves import Curve, Rule, curves
from dagwright.show.node_shapes import percent
from dagwright.show.picture import Picture
from dagwright.show.row_bars import RowBar, row_bars
from dagwright.show.state_runs import group_label, state_groups

if TYPE_CHECKING:
    from dagwright.confidence import Confidence

MOST_STATES = 8


def trace_chart(learned: Learned, *, theme: Theme = "auto") -> Picture:
    """How the score rose with the moves of a search.

    >>> from dagwright import HillClimb, learn, sample_path
    >>> picture = trace_chart(learn(sample_path("asia"), search=HillClimb()))
    >>> "score" in picture.scene.label
    True
    """
    running = learned.notes.get(RUNNING)
    if running:
        points = tuple((float(at), float(step["score"])) for at, step in enumerate(running))
        return _trace_picture(f"{learned.score_name} after each step", points, "steps", "score (nats)", theme)
    if not learned.trace:
        raise OptionError(f"{learned.method} left no trace of moves to draw")
    gains = np.cumsum([0.0, *(step.gain for step in learned.trace)])
    known = learned.score is not None and len(learned.trace) > 0
    start = (learned.score or 0.0) - float(gains[-1]) if known else 0.0
    points = tuple((float(at), start + float(gain)) for at, gain in enumerate(gains))
    name = f"{learned.score_name} after each move" if known else "gain after each move"
    return _trace_picture(name, points, "moves", "score (nats)" if known else "gain (nats)", theme)


def _trace_picture(
    name: str, points: tuple[tuple[float, float], ...], across: str, up: str, theme: Theme
) -> Picture:
    curve = Curve(name, points, kind="step")
    return curves([curve], title="Search trace", across=across, up=up, theme=theme)


def strength_chart(confidence: Confidence, *, bins: int = 20, theme: Theme = "auto") -> Picture:
    """How many pairs have which strength, and the threshold that parts the strong from the weak.

    Pairs of strength 0 are counted in the title, not drawn: they would hide the rest.
    """
    if bins < 2:
        raise OptionError(f"a histogram has at least 2 bins, not {bins}")
    strengths = np.array([one.strength for one in confidence.edges(0.0)])
    some = strengths[strengths > 0]
    counts, edges = np.histogram(np.minimum(some, 1.0), bins=bins, range=(0.0, 1.0))
    points = tuple((float(edge), float(count)) for edge, count in zip(edges, counts, strict=False))
    threshold = significance_threshold(np.minimum(strengths, 1.0))
    return curves(
        [Curve("pairs of nodes", points, kind="columns")],
        title=f"Strengths of edges ({count_of(len(strengths) - len(some), 'pair')} never adjacent)",
        across="strength",
        up="pairs",
        rules=[Rule(threshold, f"threshold {threshold:.2f}")],
        across_range=(0.0, 1.0),
        theme=theme,
    )


def roc_chart(
    strengths: ArrayLike, present: Iterable[bool], *, title: str = "Edges found", theme: Theme = "auto"
) -> Picture:
    """The share of true edges found against the share of absent ones reported, for every threshold.

    Parameters
    ----------
    strengths, present
        For each pair its strength, and whether it is joined in truth.
    """
    values = np.asarray(strengths, dtype=float).ravel()
    truth = np.asarray(list(present), dtype=bool)
    if len(values) != len(truth):
        raise OptionError("strengths and present must be equally long")
    if not truth.any() or truth.all():
        raise OptionError("both true and absent edges are needed for this chart")
    order = np.argsort(-values, kind="stable")
    last = np.flatnonzero(np.diff(values[order], append=-np.inf))  # pairs of equal strength enter together
    found = np.concatenate([[0], np.cumsum(truth[order])[last]]) / truth.sum()
    wrong = np.concatenate([[0], np.cumsum(~truth[order])[last]]) / (~truth).sum()
    area = float(np.sum(np.diff(wrong) * (found[1:] + found[:-1]) / 2))
    points = tuple((float(a), float(b)) for a, b in zip(wrong, found, strict=True))
    return curves(
        [
            Curve(f"area under the curve {area:.3f}", points),
            Curve("at random", ((0.0, 0.0), (1.0, 1.0)), color="soft", dash=(5, 4)),
        ],
        title=title,
        across="share of absent edges reported",
        up="share of true edges found",
        across_range=(0.0, 1.0),
        up_range=(0.0, 1.0),
        theme=theme,
    )


def missing_chart(data: Any, *, theme: Theme = "auto") -> Picture:
    """The share of missing cells of each column, most first; complete columns are counted in the title."""
    table = _table(data)
    gaps = [(count / table.n_rows, name, count) for name, count in table.missing.items() if count]
    complete = len(table.names) - len(gaps)
    if not gaps:
        return row_bars(
            [("", [RowBar("all columns", 0.0, "no cell is missing")])], title="Missing cells", theme=theme
        )
    bars = [
        RowBar(name, share, f"{percent(share)} ({count:,})", "orange")
        for share, name, count in sorted(gaps, key=lambda one: (-one[0], one[1]))
    ]
    return row_bars([("", bars)], title=f"Missing cells (complete columns: {complete})", theme=theme)


def states_chart(
    data: Any, names: Sequence[str] | None = None, *, columns: int = 2, theme: Theme = "auto"
) -> Picture:
    """The shares of the states of each column among the cells that are known.

    Parameters
    ----------
    names
        The columns to show; all by default.
    columns
        How many columns the chart has.
    """
    table = _table(data)
    groups = [(name, state_row_bars(table, name)) for name in (table.names if names is None else names)]
    return row_bars(groups, title=f"States of {len(groups)} columns", columns=columns, theme=theme)


def state_row_bars(table: Table, name: str) -> list[RowBar]:
    """One bar for each state of a column; of many, neighbors or the rarest together."""
    states = table.states_of(name)
    cells = table.select([name]).native.cells([0], [0])
    counts = np.zeros(len(states))
    counts[cells.codes[:, 0]] = cells.counts
    total = max(float(counts.sum()), 1e-300)
    shares = (counts / total).tolist()
    bars = []
    for group in state_groups(shares, MOST_STATES, ordered=table.origins[name].orders(states)):
        share = math.fsum(shares[at] for at in group)
        label = group_label([str(state) for state in states], group)
        bars.append(RowBar(label, share, percent(share), "soft" if isinstance(group, list) else "blue"))
    return bars


def _table(data: Any) -> Table:
    table = as_table(data)
    if not table.names or not table.n_rows:
        raise DataError("there are no rows to draw")
    return table
