"""What holds for every graph format: round trips, stable bytes, and only clear errors from damaged files."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dagwright as dw
from dagwright.errors import DagwrightError
from dagwright.io import FORMATS, Format

GRAPH_FORMATS = [each for each in FORMATS if each.holds == "graph"]
by_name = pytest.mark.parametrize("form", GRAPH_FORMATS, ids=lambda each: each.name)
unhurried = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])

ODD = [
    "a",
    "b c",
    'q"',
    "\\",
    'a\\"',
    "1",
    "-1.5",
    "node",
    "graph",
    "->",
    "--",
    "a:b",
    "#",
    "#34;",
    "ü",
    "日本",
]
NAMES = st.one_of(
    st.sampled_from(
        [*ODD, "", " ", "\n", "<b>", "&amp;", "%%", "n0", "n1", "0", "a_2", "]", "|", "A;", "{", "}"]
    ),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=6),
)


@st.composite
def graphs(draw: st.DrawFn) -> dw.Dag | dw.Pdag | dw.UndirectedGraph:
    nodes = draw(st.lists(NAMES, max_size=6, unique=True))
    pairs = [(a, b) for i, a in enumerate(nodes) for b in nodes[i + 1 :] if draw(st.booleans())]
    kind = draw(st.sampled_from(["dag", "pdag", "undirected"]))
    order = draw(st.permutations(nodes))
    if kind == "dag":
        return dw.Dag(order, pairs)
    if kind == "undirected":
        return dw.UndirectedGraph(order, pairs)
    marks = [draw(st.booleans()) for _ in pairs]
    arcs = [pair for pair, mark in zip(pairs, marks, strict=True) if mark]
    return dw.Pdag(order, arcs, [pair for pair, mark in zip(pairs, marks, strict=True) if not mark])


@by_name
@unhurried
@given(graph=graphs())
def test_graphs_survive(form: Format, graph: dw.Dag | dw.Pdag | dw.UndirectedGraph) -> None:
    content = form.write_bytes(graph, [])
    again = form.read_bytes(content)
    assert again == graph
    assert again.nodes == graph.nodes
    assert form.write_bytes(again, []) == content


@by_name
@unhurried
@given(
    at=st.floats(0, 1),
    length=st.integers(0, 12),
    word=st.sampled_from(
        [b"", b'"', b"{", b"}", b"[", b"]", b"->", b"<", b">", b"\xff", b"&x;", b"\n", b"=", b":"]
    ),
)
def test_damaged_graphs_are_read_or_refused(form: Format, at: float, length: int, word: bytes) -> None:
    content = form.write_bytes(dw.Pdag(["a b", "c", 'd"'], [("a b", "c")], [("c", 'd"')]), [])
    place = int(at * len(content))
    try:
        graph = form.read_bytes(content[:place] + word + content[place + length :])
    except DagwrightError:
        return
    assert form.read_bytes(form.write_bytes(graph, [])) == graph


@by_name
def test_graphs_of_networks(form: Format, tmp_path: Path) -> None:
    network = dw.load("child")
    for suffix in (form.suffixes[0], f"{form.suffixes[-1]}.gz"):
        path = tmp_path / f"child{suffix}"
        (loss,) = network.save(path)
        assert "only its graph" in str(loss)
        assert dw.load_graph(path) == network.graph
        dw.save_graph(network.graph.cpdag(), path)
        assert dw.load_graph(path) == network.graph.cpdag()
        assert dw.load(path) == network.graph.cpdag()
        with pytest.raises(dw.FormatError, match="only its graph"):
            network.save(path, lossless=True)
