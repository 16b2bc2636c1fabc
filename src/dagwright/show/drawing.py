"""`draw` makes a picture of a graph, a network, a result or a confidence."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, get_args

from dagwright.confidence import Confidence
from dagwright.errors import OptionError
from dagwright.graph.holders import HoldsKnowledge, shown_graph
from dagwright.knowledge import Knowledge, as_knowledge
from dagwright.learning.learned import Learned
from dagwright.sentences import Argument
from dagwright.show.clusters import cluster_diagram
from dagwright.show.colors import Theme, checked_theme
from dagwright.show.diagram import PLAIN, Diagram, Direction, KeyEntry, Style
from dagwright.show.diagram_scene import assembled, diagram_scene, node_shapes
from dagwright.show.difference import View, draw_difference
from dagwright.show.graph_diagram import EITHER_WAY, UNSURE, Weights, graph_diagram, strengths
from dagwright.show.graph_edges import edges_of, graph_of
from dagwright.show.picture import Picture
from dagwright.show.scene import Scene


def draw(
    thing: Any,
    *,
    strength: Any = None,
    information: bool = False,
    threshold: float | None = None,
    knowledge: Knowledge | None = None,
    bars: bool | None = None,
    evidence: Mapping[str, Any] | None = None,
    around: str | Iterable[str] | None = None,
    clusters: bool | int | Mapping[str, str] | Iterable[Iterable[str]] = False,
    compare: Any = None,
    names: tuple[str, str] = ("first", "second"),
    view: View = "overlay",
    highlight: str | Iterable[str] = (),
    heading: str = "",
    direction: Direction = "down",
    font_size: float = 13.0,
    label_width: float = 170.0,
    positions: Mapping[str, tuple[float, float]] | None = None,
    theme: Theme = "auto",
    path: str | os.PathLike[str] | None = None,
) -> Picture:
    """A picture of a graph, a network, a result of `learn` or a confidence; needs no other program.

    Of a result it shows the essential graph: arrows are directions that the data or the knowledge decide.
    ``draw(found.dag)`` shows one DAG of the class.

    Parameters
    ----------
    strength
        Line width by the strength of the edges: a `Confidence`, ``{(a, b): strength}`` or a function of two
        names.
    information
        Line width by the mutual information of their ends, in the data of a result or under a network;
        where there are numbers, by their partial correlation given the other parents.
    threshold
        Edges of less strength or information are left out.
    knowledge
        Edges that it requires are marked.
    bars, evidence
        For a network: the probabilities of the states in each node, or the density of its number, given
        what was observed.
    around
        Only one node, or some, with their Markov blankets.
    clusters
        Groups of nodes instead of nodes, for graphs of hundreds: True finds groups that hang together, a
        number asks for at most about that many, ``{node: group}`` or lists of nodes are your own.
    compare, names, view
        Another graph: its edges and ours as an "overlay" or "side by side", under the names of the two.
    highlight
        Nodes to set off.
    direction
        The direction of arcs, "down" or "right".
    label_width
        Longer labels are shortened in the middle.
    positions
        Centers of nodes in pixels, which stay; nodes without one are put near their neighbors.
    theme
        "light", "dark", or "auto" for what the reader's system prefers.
    path
        Also write the picture to this file: .svg, .png, .pdf or .html.

    >>> import dagwright as dw
    >>> picture = dw.draw(dw.load("asia"), evidence={"xray": "yes"})
    >>> picture.svg.count('class="dw-node"')
    8
    """
    style = checked_style(font_size, label_width, direction)
    if compare is not None:
        given = (strength, knowledge, evidence, around, threshold, positions)
        if any(one is not None for one in given) or information or bars or clusters or heading or highlight:
            raise OptionError(
                Argument("compare"),
                " goes with ",
                Argument("names"),
                ", ",
                Argument("view"),
                ", style and path only",
            )
        return draw_difference(thing, compare, names=names, view=view, style=style, theme=theme, path=path)
    graph = graph_of(shown_graph(thing), threshold)
    if clusters is not False:
        return diagram_picture(replace(cluster_diagram(graph, clusters), heading=heading), style, theme, path)
    tones: Mapping[str, str] = {}
    key: tuple[KeyEntry, ...] = ()
    if around is not None:
        from dagwright.show.blanket import blanket_key, blanket_view

        graph, tones = blanket_view(graph, (around,) if isinstance(around, str) else tuple(around))
        key = blanket_key(graph, tones)
    if strength is None and not information:
        strength = (
            thing.known_confidence
            if isinstance(thing, Learned)
            else thing
            if isinstance(thing, Confidence)
            else None
        )
    known = None if knowledge is None else as_knowledge(knowledge)
    if known is None and isinstance(thing, HoldsKnowledge):
        known = thing.knowledge
    weights: Weights | None = None
    if strength is not None and information:
        raise OptionError(
            "give ",
            Argument("strength"),
            " or ",
            Argument("information", True),
            ", not both: a line has one width",
        )
    if strength is not None:
        weights = strengths(strength, edges_of(graph))
    elif information:
        from dagwright.show.edge_information import edge_information

        weights = edge_information(thing, edges_of(graph))
    states = None
    if bars or evidence is not None:
        from dagwright.show.bars import node_contents

        states = node_contents(thing, graph.nodes, evidence)
        tones = {**tones, **dict.fromkeys(evidence or (), "orange")}
    diagram = graph_diagram(
        graph,
        weights=weights,
        threshold=threshold,
        knowledge=known,
        highlight=(highlight,) if isinstance(highlight, str) else highlight,
        bars=states,
        tones=tones,
        heading=heading,
        key=key,
        undecided=UNSURE if isinstance(thing, Confidence) else EITHER_WAY,
        by_experiment=thing.oriented_by_intervention() if isinstance(thing, Learned) else (),
    )
    if positions is not None:
        from dagwright.show.placing import standing

        scene = assembled(diagram, style, node_shapes(diagram, style), standing(diagram, style, positions))
        return saved_picture(scene, theme, path)
    return diagram_picture(diagram, style, theme, path)


def checked_style(font_size: float, label_width: float, direction: str) -> Style:
    if not 4 <= font_size <= 96:
        raise OptionError(f"font_size must be between 4 and 96 pixels, got {font_size}")
    if not label_width >= 20:
        raise OptionError(f"label_width is at least 20 pixels, not {label_width}")
    for way in get_args(Direction):
        if direction == way:
            return Style(font_size, label_width, way)
    raise OptionError(f"direction is 'down' or 'right', not {direction!r}")


def diagram_picture(
    diagram: Diagram,
    style: Style = PLAIN,
    theme: str = "auto",
    path: str | os.PathLike[str] | None = None,
) -> Picture:
    """The picture of a diagram, written to a file if there is a path."""
    return saved_picture(diagram_scene(diagram, style), theme, path)


def saved_picture(scene: Scene, theme: str, path: str | os.PathLike[str] | None) -> Picture:
    """The picture of a scene, written to a file if there is a path."""
    picture = Picture(scene, checked_theme(theme))
    if path is not None:
        picture.save(path)
    return picture


def svg(thing: Any, **options: Any) -> str:
    """The SVG text of `draw`, with its options."""
    return draw(thing, **options).svg
