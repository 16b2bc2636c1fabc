"""Reliability diagrams: what was said against what happened, with the number of cases above."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np

from dagwright.confidence import EdgeCalibration
from dagwright.confidence.wilson import wilson
from dagwright.errors import OptionError
from dagwright.show.axis import Axis
from dagwright.show.colors import Theme, checked_theme
from dagwright.show.curves import Curve, key_entry, series_marks
from dagwright.show.frame import SIZE, Frame
from dagwright.show.picture import Picture
from dagwright.show.scene import Group, Item, Scene, Text, box, line
from dagwright.show.text_width import one_line, shortened, text_width

LARGE, SMALL = 320.0, 190.0
STRIP, GAP = 34.0, 6.0
SEEN = "share of real edges, with its 95 % interval"
EXACT = Curve("perfect calibration", ((0.0, 0.0), (1.0, 1.0)), color="soft", dash=(5, 4))


class Words(NamedTuple):
    """The title of a chart, its axes and what it counts."""

    title: str
    across: str
    up: str
    cases: str


LINKS = Words("Strengths against the truth", "strength", "share of edges that are real", "pairs")
STATES = Words("Calibration", "predicted probability", "observed frequency", "predictions")


class Judged(Protocol):
    """Predictions in bins, such as `dagwright.EdgeCalibration` or `dagwright.model.Calibration`."""

    @property
    def predicted(self) -> Any: ...
    @property
    def observed(self) -> Any: ...
    @property
    def weight(self) -> Any: ...
    @property
    def error(self) -> float: ...


def calibration_chart(
    judged: Judged | Mapping[str, Judged],
    *,
    title: str | None = None,
    across: str | None = None,
    up: str | None = None,
    columns: int = 3,
    theme: Theme = "auto",
) -> Picture:
    """Stated probability against observed frequency: on the diagonal the probabilities are calibrated.

    Each dot is a bin, its whisker Wilson's 95 % interval; columns above it count the cases, by factors of
    ten. The error in the heading is the mean distance from the diagonal, beside it what chance alone would
    make of it.

    Parameters
    ----------
    judged
        From `Confidence.calibration` or `dagwright.calibration`; several by name are drawn side by side.
    across, up
        What the axes are called; for strengths of edges and predictions of states they are known.
    columns
        How many stand side by side.

    >>> import dagwright as dw
    >>> judged = dw.EdgeCalibration.of([0.1, 0.4, 0.9, 1.0], [False, True, True, True])
    >>> "perfect calibration" in calibration_chart(judged).svg
    True
    """
    if columns < 1:
        raise OptionError(f"a chart has at least one column, not {columns}")
    several = judged if isinstance(judged, Mapping) else {"": judged}
    if not several:
        raise OptionError("there is no calibration to draw")
    side = LARGE if len(several) == 1 else SMALL
    words = LINKS if all(hasattr(one, "strengths") for one in several.values()) else STATES
    words = words._replace(title=title or words.title, across=across or words.across, up=up or words.up)
    panels = [_panel(name, one, side, words) for name, one in several.items()]
    wide, high = max(panel[1] for panel in panels), panels[0][2]
    items: list[Item] = [Text(16, 22, one_line(words.title), SIZE + 1, "start", bold=True)]
    for at, (panel, _, _) in enumerate(panels):
        items.append(panel.moved(16 + at % columns * wide, 34 + at // columns * high))
    bottom = 34 + math.ceil(len(panels) / columns) * high + 14
    keys = (
        Curve(SEEN, (), kind="points"),
        EXACT,
        Curve(f"{words.cases}, by factors of ten", (), kind="columns"),
    )
    for at, (curve, color) in enumerate(zip(keys, ("blue", "soft", "border"), strict=True)):
        items += key_entry(curve, 34, bottom + 18 * at, color, curve.dash or ())
    keyed = max(text_width(one_line(curve.name), SIZE) for curve in keys)
    needed = max(text_width(one_line(words.title), SIZE + 1, bold=True), 36 + keyed + 18)
    width = max(min(len(panels), columns) * wide, needed) + 32
    label = f"{words.title}: {words.up} against {words.across}"
    scene = Scene(math.ceil(width), bottom + 18 * len(keys), tuple(items), label)
    return Picture(scene, checked_theme(theme))


def _panel(name: str, judged: Judged, side: float, words: Words) -> tuple[Group, float, float]:
    """One diagram from (0, 0) on, and the room it takes."""
    said, seen, many = (
        np.asarray(values, dtype=float).ravel()
        for values in (judged.predicted, judged.observed, judged.weight)
    )
    large, head = side == LARGE, 31.0 if name else 14.0
    axis = Axis([0.0, 1.0], ticks=10 if large else 5)
    frame = Frame(axis, axis, width=side, height=side, top=head + 13 + STRIP + GAP)
    whiskers = tuple(wilson(float(p), float(n)) for p, n in zip(seen, many, strict=True))
    dots = tuple((float(a), float(b)) for a, b in zip(said, seen, strict=True))
    by_chance = f", by chance {judged.error_by_chance:.3f}" if isinstance(judged, EdgeCalibration) else ""
    facts = f"error {judged.error:.3f}{by_chance}; {many.sum():,.0f} {words.cases}"
    items: list[Item] = [Text(frame.left, head, facts, SIZE - 1, "start", "soft")]
    if name:
        shown = shortened(one_line(name), SIZE, side, bold=True)
        items.append(Text(frame.left, 14, shown, SIZE, "start", bold=True))
    items += [*frame.grid(words.across, words.up), frame.border()]
    items += _counts(frame, said, many, numbers=large)
    items += series_marks(EXACT, frame, "soft", (5, 4))
    items += series_marks(Curve(SEEN, dots, kind="points", errors=whiskers), frame, "blue", ())
    return (
        Group(tuple(items), "panel", title=f"{name}: {facts}" if name else facts),
        max(frame.right, frame.left + text_width(facts, SIZE - 1)) + 24,
        frame.bottom + 52,
    )


def _counts(frame: Frame, said: Any, many: Any, *, numbers: bool) -> list[Item]:
    """A column above each dot, as high as the logarithm of its cases, with their number if wanted."""
    ground = frame.top - GAP
    items: list[Item] = [line([(frame.left, ground), (frame.right, ground)], stroke="faint")]
    tallest = math.log10(max(10.0, float(many.max(initial=1.0)))) + 0.3
    wide = frame.width / 24
    for x, count in zip(said, many, strict=True):
        height = (STRIP - (12 if numbers else 0)) * (math.log10(max(float(count), 1.0)) + 0.3) / tallest
        middle = frame.x(float(x))
        left = min(max(middle - wide / 2, frame.left), frame.right - wide)
        items.append(Group((box(left, ground - height, wide, height, fill="border"),), title=f"{count:,.0f}"))
        if numbers:
            items.append(Text(left + wide / 2, ground - height - 3, f"{count:,.0f}", SIZE - 3, fill="soft"))
    return items
