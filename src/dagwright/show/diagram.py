"""The content of a drawing of a graph before the layout: nodes, edges and the words under them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Mark = Literal["none", "arrow", "circle"]
Direction = Literal["down", "right"]


@dataclass(frozen=True)
class Bar:
    """One state of a node: its share, and the share before evidence where there is evidence."""

    label: str
    share: float
    before: float | None = None
    chosen: bool = False
    number: int | None = None  # of the state in its node; None for several states together


@dataclass(frozen=True)
class Density:
    """The distribution of a number as a curve.

    Attributes
    ----------
    words
        Mean and standard deviation, or the value that was observed.
    curve, before
        Points with both coordinates from 0 to 1; ``before`` is the curve before evidence. A single point is
        a certain value.
    axis
        The numbers at both ends of the axis.
    chosen
        Whether the value was observed.
    """

    words: str
    curve: tuple[tuple[float, float], ...]
    before: tuple[tuple[float, float], ...]
    axis: tuple[float, float]
    chosen: bool = False

    @property
    def ends(self) -> tuple[str, str]:
        """The ends of the axis as they are written."""
        low, high = self.axis
        return f"{low:.4g}", f"{high:.4g}"


@dataclass(frozen=True)
class NodeLook:
    """One node: its label, a tone (a name of `dagwright.show.colors`), and what stands under the label.

    That is bars of states, the density of a number, or words.
    """

    name: str
    tone: str = ""
    bars: tuple[Bar, ...] = ()
    lines: tuple[str, ...] = ()
    title: str = ""
    dash: tuple[float, ...] = ()
    density: Density | None = None


@dataclass(frozen=True)
class EdgeLook:
    """One edge: which marks its two ends carry, and how the line looks."""

    start: str
    end: str
    start_mark: Mark = "none"
    end_mark: Mark = "arrow"
    width: float = 1.4
    color: str = "link"
    dash: tuple[float, ...] = ()
    given: bool = False  # known beforehand: a diamond on the line
    title: str = ""
    label: str = ""


@dataclass(frozen=True)
class KeyEntry:
    """One line of the key: a sample of a line, or of a node, and what it means."""

    text: str
    sample: EdgeLook | NodeLook


@dataclass(frozen=True)
class Diagram:
    """Everything that is drawn; edges name nodes of the diagram, at most one for each two nodes."""

    nodes: tuple[NodeLook, ...]
    edges: tuple[EdgeLook, ...]
    key: tuple[KeyEntry, ...] = ()
    heading: str = ""
    label: str = ""


@dataclass(frozen=True)
class Style:
    """How large and which way.

    Parameters
    ----------
    font_size
        Size of the labels in pixels.
    label_width
        Labels wider than this are shortened in the middle; their tooltip has the whole name.
    direction
        Where arcs lead: "down" or "right".
    """

    font_size: float = 13.0
    label_width: float = 170.0
    direction: Direction = "down"


PLAIN = Style()
