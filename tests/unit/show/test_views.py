"""Differences of two graphs, groups of nodes, graphs with circles."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

import dagwright as dw
from dagwright.show import svg
from dagwright.show.clusters import communities
from dagwright.show.colors import DARK, LIGHT

SVG = "{http://www.w3.org/2000/svg}"


def edges(text: str) -> dict[tuple[str, str], list[ElementTree.Element]]:
    groups = [one for one in ElementTree.fromstring(text).iter(f"{SVG}g") if one.get("class") == "dw-link"]
    return {
        (one.get("data-from", ""), one.get("data-to", "")): one.findall(f"{SVG}path")
        for one in groups
        if one.get("data-from")
    }


FIRST = dw.Dag.parse("A -> B; B -> C; A -> D; E")
SECOND = dw.Dag.parse("A -> B; C -> B; C -> D; E")


def test_an_overlay_tells_kinds_by_color_and_by_dash() -> None:
    found = edges(svg(FIRST, compare=SECOND, theme="light"))
    look = {pair: (paths[0].get("stroke"), paths[0].get("stroke-dasharray")) for pair, paths in found.items()}
    assert set(look) == {("A", "B"), ("C", "B"), ("A", "D"), ("C", "D")}
    assert look["A", "B"] == (LIGHT["link"], None)
    assert look["A", "D"] == (LIGHT["orange"], "7 4")
    assert look["C", "D"] == (LIGHT["blue"], None)
    assert look["C", "B"] == (LIGHT["purple"], "9 3 2 3")
    widths = {float(paths[0].get("stroke-width", 0)) for pair, paths in found.items() if pair != ("C", "B")}
    assert len(widths) == 3, "kinds without a dash differ in width"


def test_an_overlay_of_equal_graphs_has_no_differences() -> None:
    text = svg(FIRST, compare=FIRST)
    assert "3 edges in both" in text and "only in" not in text


def test_side_by_side_keeps_the_places_and_the_directions() -> None:
    text = svg(FIRST, compare=SECOND, view="side by side", names=("truth", "found"), theme="dark")
    root = ElementTree.fromstring(text)
    boxes = [one for one in root.iter(f"{SVG}g") if one.get("class") == "dw-node"]
    assert len(boxes) == 10
    half = float(root.get("width", 0)) / 2
    by_name: dict[str, list[float]] = {}
    for one in boxes:
        label = one.find(f"{SVG}text")
        assert label is not None
        by_name.setdefault(one.get("data-node", ""), []).append(float(label.get("x", 0)))
    for left, right in by_name.values():
        assert left < half < right
    assert {("B", "C"), ("C", "B"), ("A", "D"), ("C", "D"), ("A", "B")} == set(edges(text))
    assert DARK["purple"] in text and ">truth<" in text and ">found<" in text


def test_nodes_of_one_graph_only_are_set_off() -> None:
    text = svg(dw.Dag.parse("A -> B"), compare=dw.Dag.parse("A -> C"), names=("old", "new"))
    assert "B, only in old" in text and "C, only in new" in text


def test_comparison_takes_no_other_views() -> None:
    with pytest.raises(dw.OptionError, match="compare= goes with"):
        svg(FIRST, compare=SECOND, clusters=True)
    with pytest.raises(dw.OptionError, match="view is"):
        svg(FIRST, compare=SECOND, view="stereo")


def test_communities_of_two_cliques_with_a_bridge() -> None:
    assert communities("ABCD", ["AB", "CD"]) == [["A", "B"], ["C", "D"]]
    assert communities("ABCD", ["AB", "BC", "CD"], 1) == [["A", "B", "C", "D"]]
    assert communities("AB", []) == [["A"], ["B"]]


def test_groups_hold_every_node_once_and_count_edges() -> None:
    alarm = dw.load("alarm").graph
    text = svg(alarm, clusters=True)
    root = ElementTree.fromstring(text)
    titles = [
        one.findtext(f"{SVG}title") or "" for one in root.iter(f"{SVG}g") if one.get("class") == "dw-node"
    ]
    assert sorted(name for title in titles for name in title.split(", ")) == sorted(alarm.nodes)
    own = {"A": "left", "B": "left", "C": "right"}
    found = edges(svg(dw.Dag.parse("A -> B; B -> C; A -> C"), clusters=own))
    assert set(found) == {("left", "right")}
    both_ways = edges(svg(dw.Dag.parse("A -> C; D -> B"), clusters=[["A", "B"], ["C", "D"]], theme="light"))
    ((pair, paths),) = both_ways.items()
    assert set(pair) == {"group 1", "group 2"}
    heads = [path for path in paths if path.get("stroke-width") is None and path.get("fill") == LIGHT["link"]]
    assert len(heads) == 2


@pytest.mark.parametrize(
    ("clusters", "error"),
    [
        ([["A", "B"], ["B"]], "in two groups"),
        ({"Z": "left"}, "unknown node 'Z'"),
        (0, "clusters is at least 1"),
        ({"B": "A"}, "has the name of a group"),
    ],
)
def test_wrong_groups_are_refused(clusters: object, error: str) -> None:
    with pytest.raises(dw.DagwrightError, match=error):
        svg(dw.Dag.parse("A -> B"), clusters=clusters)


def test_circles_and_hidden_causes_are_drawn() -> None:
    pag = dw.Pag.parse("A o-> B; B <-> C; D o-> C; D o-o E; E -- F")
    found = edges(svg(pag, theme="light"))
    marks = {frozenset(pair): len(paths) - 1 for pair, paths in found.items()}
    assert marks == {
        frozenset("AB"): 2,
        frozenset("BC"): 2,
        frozenset("CD"): 2,
        frozenset("DE"): 2,
        frozenset("EF"): 0,
    }
    assert ("A", "B") in found and ("D", "C") in found
    assert "a hidden common cause" in svg(pag) and "circle: arrowhead or not" in svg(pag)
    assert svg(pag, around="C").count('class="dw-node"') == 3


def test_blankets_of_classes_and_undirected_graphs() -> None:
    assert svg(dw.Pdag.parse("A -- B; B -- C; C -> D; E -> D"), around="B").count('class="dw-node"') == 3
    assert svg(dw.UndirectedGraph.parse("A -- B -- C -- D"), around="A").count('class="dw-node"') == 2


def test_groups_that_all_hang_together_show_their_strongest_connections() -> None:
    names = [f"{group}{k}" for group in "abcdefghijkl" for k in range(12)]
    strong = [(f"a{k}", f"b{k}") for k in range(12)]
    weak = [(a, b) for a in names for b in names if a < b and a[0] != b[0] and a[1:] == b[1:] == "0"]
    own = {name: f"group {name[0]}" for name in names}
    text = svg(dw.Dag(names, {*strong, *weak}), clusters=own)
    found = edges(text)
    assert ("group a", "group b") in found
    assert len(found) == 18
    assert {end for pair in found for end in pair} == set(own.values())
    assert f"{len(weak) - 18} edges between groups that share few not drawn" in text


def test_results_are_compared_as_essential_graphs() -> None:
    """Equivalent networks do not differ, whichever way their undecided arcs point."""
    data = {"a": [0, 0, 1, 1] * 25, "b": [0, 0, 1, 1] * 25, "c": [0, 1] * 50}
    found = dw.learn(data)
    assert found.dag is not None
    (start, end) = found.dag.edges[0]
    turned = dw.Dag(found.dag.nodes, [(end, start)])
    told = "with another direction in", "only in"
    for one, other in ((found, turned), (turned, found), (found, found)):
        text = svg(one, compare=other)
        assert not any(words in text for words in told), text
    assert any(words in svg(found.dag, compare=turned) for words in told)
