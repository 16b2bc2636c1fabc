"""Crossings of our layered drawings against those that Graphviz dot 2.43.0 needs for the same networks.

The figures of dot were measured once with `python -m bench --task layout`, which counts where its curves cut
each other; larger networks are in bench/results/layout.json.
"""

from __future__ import annotations

import pytest

import dagwright as dw
from dagwright.show.layout import layered
from dagwright.show.text_width import text_width

DOT = {
    "alarm": 8,
    "asia": 0,
    "cancer": 0,
    "child": 3,
    "earthquake": 0,
    "insurance": 22,
    "sachs": 1,
    "survey": 0,
}


@pytest.mark.parametrize("name", dw.networks())
def test_at_most_one_and_a_half_times_the_crossings_of_dot(name: str) -> None:
    graph = dw.load(name).graph
    number = {node: position for position, node in enumerate(graph.nodes)}
    sizes = [(text_width(node, 14.0) + 20, 28.0) for node in graph.nodes]
    found = layered(sizes, [(number[a], number[b]) for a, b in graph.edges])
    assert found.crossings <= 1.5 * DOT[name]
