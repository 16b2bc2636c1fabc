"""Accuracy against complexity: the best networks of a search for every number of arcs."""

from __future__ import annotations

from dataclasses import dataclass

from dagwright.errors import OptionError, require_a
from dagwright.graph.dag import Dag
from dagwright.graph.viewable import Viewable
from dagwright.learning.learned import Learned
from dagwright.show.colors import Theme
from dagwright.show.curves import Curve, curves
from dagwright.show.picture import Picture


@dataclass(frozen=True)
class FrontierPoint:
    """The best networks with one number of arcs.

    Attributes
    ----------
    weight, heaviest
        The largest weight in bits per row (what the network explains of the data), and the network.
    length, shortest
        The shortest description in bits, and the network; None where no network was admitted.
    """

    arcs: int
    weight: float
    heaviest: Dag
    length: float | None
    shortest: Dag | None


@dataclass(frozen=True)
class Frontier(Viewable):
    """The best networks by number of arcs, so that you can choose your own trade-off.

    Attributes
    ----------
    points
        By number of arcs.
    entropy
        Bits per row of the network without arcs.
    rows
        Number of rows.

    >>> from dagwright import MdlSearch, learn, sample_path
    >>> found = frontier(learn(sample_path("asia"), search=MdlSearch()))
    >>> found.best.arcs
    7
    >>> print(found[2].shortest)
    bronc -> dysp; either -> lung; asia; smoke; tub; xray
    """

    points: tuple[FrontierPoint, ...]
    entropy: float
    rows: float

    def __getitem__(self, arcs: int) -> FrontierPoint:
        for point in self.points:
            if point.arcs == arcs:
                return point
        known = ", ".join(str(point.arcs) for point in self.points)
        raise OptionError(f"no network with {arcs} arcs was found, only with {known}")

    @property
    def best(self) -> FrontierPoint:
        """The point of the shortest description."""
        found = [(point.length, point.arcs, point) for point in self.points if point.length is not None]
        if not found:
            raise OptionError("no network was admitted, so there is no shortest description")
        return min(found, key=lambda one: one[:2])[2]

    def draw(self, theme: Theme = "auto") -> Picture:
        """The fit of the best networks, and the rest after their penalty, against the number of arcs."""
        explained = Curve("explained by the heaviest network", tuple((p.arcs, p.weight) for p in self.points))
        left = [(p.arcs, self.entropy - p.length / self.rows) for p in self.points if p.length is not None]
        best = self.best.arcs
        marked = tuple((point, f"{best} arcs") for point in left if point[0] == best)
        paid = Curve("explained less the bits of the model, by the shortest", tuple(left), marked)
        return curves(
            [explained, paid],
            title="Accuracy against complexity",
            across="number of arcs",
            up="bits per row",
            theme=theme,
        )

    def to_svg(self) -> str:
        """The picture as SVG."""
        return self.draw().svg


def frontier(learned: Learned) -> Frontier:
    """The frontier that `MdlSearch` put on its result, with the networks as graphs over the same nodes."""
    require_a(Learned, learned, "learned", "a result of learn(search=MdlSearch())")
    if "frontier" not in learned.notes:
        raise OptionError(f"{learned.method} computes no frontier; use MdlSearch()")

    def dag(text: str) -> Dag:
        return Dag(learned.graph.nodes, Dag.parse(text).edges)

    points = [
        FrontierPoint(
            arcs=point["arcs"],
            weight=point["weight"],
            heaviest=dag(point["heaviest"]),
            length=point["length"],
            shortest=None if point["shortest"] is None else dag(point["shortest"]),
        )
        for point in learned.notes["frontier"]
    ]
    return Frontier(tuple(points), float(learned.notes["entropy"]), float(learned.data["N"]))
