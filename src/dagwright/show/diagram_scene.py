"""Diagrams laid out and drawn."""

from __future__ import annotations

import math

from dagwright.show.diagram import PLAIN, Diagram, EdgeLook, KeyEntry, Style
from dagwright.show.edge_shapes import edge_marks
from dagwright.show.layout import Layout, Spacing, layered
from dagwright.show.node_shapes import NodeShape
from dagwright.show.scene import Group, Item, Scene, Text, box
from dagwright.show.text_width import one_line, text_width

MARGIN = 16.0


def diagram_scene(diagram: Diagram, style: Style = PLAIN) -> Scene:
    """The picture of a diagram: heading, edges under nodes, key."""
    return assembled(diagram, style, *laid_out(diagram, style))


def laid_out(diagram: Diagram, style: Style) -> tuple[list[NodeShape], Layout]:
    """The nodes as shapes, and places for them and for the edges."""
    shapes = node_shapes(diagram, style)
    number = {look.name: position for position, look in enumerate(diagram.nodes)}
    layout = layered(
        node_sizes(diagram, style),
        [(number[edge.start], number[edge.end]) for edge in diagram.edges],
        spacing_of(len(shapes), style),
        style.direction,
    )
    return shapes, layout


def node_shapes(diagram: Diagram, style: Style) -> list[NodeShape]:
    """The nodes as shapes."""
    return [NodeShape(look, style) for look in diagram.nodes]


def node_sizes(diagram: Diagram, style: Style) -> list[tuple[float, float]]:
    """Width and height of the nodes."""
    return [(shape.width, shape.height) for shape in node_shapes(diagram, style)]


def spacing_of(nodes: int, style: Style) -> Spacing:
    """Distances in proportion to the font; many nodes stand closer."""
    close = 1.0 if nodes <= 60 else 0.8 if nodes <= 250 else 0.65
    size = style.font_size
    return Spacing(1.7 * size * close, 0.95 * size * close, 3.3 * size, 2.4 * size)


def assembled(diagram: Diagram, style: Style, shapes: list[NodeShape], layout: Layout) -> Scene:
    """The scene of a diagram in the places that were found for it."""
    size = style.font_size
    top = MARGIN + (1.9 * size if diagram.heading else 0.0)
    key_items, key_width, key_height = _key(diagram.key, style)
    heading_width = text_width(one_line(diagram.heading), 1.15 * size, bold=True)
    width = max(layout.width, key_width, heading_width, 4 * size) + 2 * MARGIN
    shift = (width - 2 * MARGIN - layout.width) / 2 + MARGIN
    items: list[Item] = []
    if diagram.heading:
        heading = Text(
            width / 2, MARGIN + 1.0 * size, one_line(diagram.heading), 1.15 * size, bold=True, fill="ink"
        )
        items.append(heading)
    drawing: list[Item] = [
        edge_marks(look, route, size) for look, route in zip(diagram.edges, layout.routes, strict=True)
    ]
    drawing += [shape.marks(x, y) for shape, (x, y) in zip(shapes, layout.centers, strict=True)]
    items += [item.moved(shift, top) for item in drawing]
    bottom = top + layout.height
    if diagram.key:
        bottom += 1.4 * size if shapes else 0.0
        items.append(Group(tuple(key_items), "key").moved((width - key_width) / 2, bottom))
        bottom += key_height
    return Scene(math.ceil(width), math.ceil(bottom + MARGIN), tuple(items), diagram.label)


def _key(entries: tuple[KeyEntry, ...], style: Style) -> tuple[list[Item], float, float]:
    """The key below a drawing, one line for each entry."""
    if not entries:
        return [], 0.0, 0.0
    size = 0.85 * style.font_size
    row, sample = 1.7 * size, 3.0 * size
    items: list[Item] = []
    for position, entry in enumerate(entries):
        y = (position + 0.5) * row
        if isinstance(entry.sample, EdgeLook):
            points = [(0.0, y), (sample / 3, y), (2 * sample / 3, y), (sample, y)]
            items.append(edge_marks(entry.sample, points, style.font_size))
        else:
            tone = entry.sample.tone
            items.append(
                box(
                    0.35 * sample,
                    y - 0.55 * size,
                    0.65 * sample,
                    1.1 * size,
                    radius=0.3 * size,
                    fill=f"{tone}-fill" if tone else "node",
                    stroke=tone or "border",
                    line_width=1.8 if tone else 1.1,
                    dash=entry.sample.dash,
                )
            )
        items.append(Text(sample + 0.8 * size, y + 0.36 * size, one_line(entry.text), size, "start", "soft"))
    width = sample + 0.8 * size + max(text_width(one_line(entry.text), size) for entry in entries)
    return items, width, len(entries) * row
