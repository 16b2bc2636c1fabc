"""What the objects show of themselves in a notebook: HTML without scripts and without the network."""

from __future__ import annotations

from typing import Any

from dagwright.show.drawing import draw

MOST_NODES = 400


def notebook_view(thing: Any) -> str:
    """HTML of a graph or a network: its picture, or a line of text where it is too large to draw at once."""
    nodes = len(thing.nodes)
    if nodes > MOST_NODES:
        return (
            f"<p>{nodes:,} nodes: <code>draw(around=...)</code> shows the surroundings of a node, "
            "<code>draw()</code> everything.</p>"
        )
    return draw(thing).html
