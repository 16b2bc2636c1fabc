"""The parts of a picture, whatever file it ends in: paths, texts and groups of them.

Colors are names of `dagwright.show.colors`; "none" leaves out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True)
class Path:
    """Pieces of an outline: ("M", p), ("L", p), ("C", control, control, p) and ("Z",)."""

    pieces: tuple[tuple[str | Point, ...], ...]
    fill: str = "none"
    stroke: str = "none"
    width: float = 1.0
    dash: tuple[float, ...] = ()

    def moved(self, dx: float, dy: float) -> Path:
        def shifted(part: str | Point) -> str | Point:
            return part if isinstance(part, str) else (part[0] + dx, part[1] + dy)

        return replace(self, pieces=tuple(tuple(map(shifted, piece)) for piece in self.pieces))


@dataclass(frozen=True)
class Text:
    """One line of text; (x, y) is on its base line. ``fit`` squeezes it into a width in any font."""

    x: float
    y: float
    text: str
    size: float
    anchor: Anchor = "middle"
    fill: str = "ink"
    bold: bool = False
    fit: float | None = None
    turned: bool = False

    def moved(self, dx: float, dy: float) -> Text:
        return replace(self, x=self.x + dx, y=self.y + dy)


@dataclass(frozen=True)
class Group:
    """Marks that belong together: a node, an edge; ``about`` and ``title`` tell readers and scripts what."""

    items: tuple[Path | Text | Group, ...]
    role: str = ""
    about: tuple[tuple[str, str], ...] = ()
    title: str = ""

    def moved(self, dx: float, dy: float) -> Group:
        return replace(self, items=tuple(item.moved(dx, dy) for item in self.items))


Item = Path | Text | Group


@dataclass(frozen=True)
class Scene:
    """A whole picture: its size, its marks from back to front, and what it shows in words."""

    width: float
    height: float
    items: tuple[Item, ...]
    label: str = ""
    paper: str = field(default="paper")

    def marks(self) -> Iterator[Path | Text]:
        """All paths and texts from back to front, groups opened."""
        return _flat(self.items)


def _flat(items: Iterable[Item]) -> Iterator[Path | Text]:
    for item in items:
        if isinstance(item, Group):
            yield from _flat(item.items)
        else:
            yield item


def line(points: Sequence[Point], *, stroke: str, width: float = 1.0, dash: tuple[float, ...] = ()) -> Path:
    """Straight pieces from point to point."""
    pieces = [("M" if at == 0 else "L", point) for at, point in enumerate(points)]
    return Path(tuple(pieces), stroke=stroke, width=width, dash=dash)


def polygon(points: Sequence[Point], *, fill: str, stroke: str = "none", width: float = 1.0) -> Path:
    """A closed outline of straight pieces."""
    return replace(
        line(points, stroke=stroke, width=width),
        pieces=(*line(points, stroke=stroke).pieces, ("Z",)),
        fill=fill,
    )


def box(
    x: float,
    y: float,
    width: float,
    height: float,
    *,
    radius: float = 0.0,
    fill: str = "none",
    stroke: str = "none",
    line_width: float = 1.0,
    dash: tuple[float, ...] = (),
) -> Path:
    """A rectangle by its upper left corner, with round corners if wanted."""
    r = min(radius, width / 2, height / 2)
    right, bottom = x + width, y + height
    if r <= 0:
        outline: tuple[tuple[str | Point, ...], ...] = (
            ("M", (x, y)),
            ("L", (right, y)),
            ("L", (right, bottom)),
            ("L", (x, bottom)),
            ("Z",),
        )
        return Path(outline, fill, stroke, line_width, dash)
    k = r * 0.4477  # 1 - 0.5523: a cubic that follows a quarter circle within 0.03 %
    outline = (
        ("M", (x + r, y)),
        ("L", (right - r, y)),
        ("C", (right - k, y), (right, y + k), (right, y + r)),
        ("L", (right, bottom - r)),
        ("C", (right, bottom - k), (right - k, bottom), (right - r, bottom)),
        ("L", (x + r, bottom)),
        ("C", (x + k, bottom), (x, bottom - k), (x, bottom - r)),
        ("L", (x, y + r)),
        ("C", (x, y + k), (x + k, y), (x + r, y)),
        ("Z",),
    )
    return Path(outline, fill, stroke, line_width, dash)


def circle(center: Point, radius: float, *, fill: str, stroke: str = "none", line_width: float = 1.0) -> Path:
    x, y = center
    return box(
        x - radius,
        y - radius,
        2 * radius,
        2 * radius,
        radius=radius,
        fill=fill,
        stroke=stroke,
        line_width=line_width,
    )


def curve(points: Sequence[Point], *, stroke: str, width: float = 1.0, dash: tuple[float, ...] = ()) -> Path:
    """A chain of cubics: a start, then two controls and an end for each."""
    pieces: list[tuple[str | Point, ...]] = [("M", points[0])]
    pieces += [("C", *points[at : at + 3]) for at in range(1, len(points), 3)]
    return Path(tuple(pieces), stroke=stroke, width=width, dash=dash)
