from __future__ import annotations

import re

import pytest

from dagwright.graph import Dag, Pdag, random_dag


def edges_of(drawing: str) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """Read the arcs and the undirected edges back from a drawing by following the rails."""
    rails: dict[int, str] = {}
    arcs, edges = set(), set()
    for line in drawing.splitlines():
        node = line.split(" ")[0]
        for column in range(len(node), len(line)):
            mark = line[column]
            if mark in "┼┤┴┘":
                assert "◀" in line
                arcs.add((rails[column], node))
            elif mark in "╫╢╨╜":
                edges.add((min(rails[column], node), max(rails[column], node)))
            if mark in "┐┬╖╥":
                assert column not in rails
                rails[column] = node
            elif mark in "┴┘╨╜":
                del rails[column]
    assert not rails
    return arcs, edges


@pytest.mark.parametrize("n", [8, 20, 37, 60])
def test_a_drawing_shows_exactly_the_edges(n: int) -> None:
    for seed in range(5):
        dag = random_dag(n, degree=2.5, random_state=seed)
        assert edges_of(dag.as_text()) == (set(dag.edges), set())
        assert len(dag.as_text().splitlines()) == n
        essential = dag.cpdag()
        assert edges_of(essential.as_text()) == (
            set(essential.directed_edges),
            set(essential.undirected_edges),
        )


def test_a_graph_without_extension_is_drawn_too() -> None:
    square = Pdag.parse("A -- B -- C -- D -- A; E -> A")
    assert edges_of(square.as_text()) == ({("E", "A")}, set(square.undirected_edges))


def test_names_are_padded_and_lines_clean() -> None:
    drawing = Dag(["a long name", "new\nline", "z"], [("a long name", "z")]).as_text()
    assert drawing.splitlines() == ["a long name ──┐", "z           ◀─┘", '"new\\nline"']
    assert not re.search(r" +$", drawing, flags=re.MULTILINE)
