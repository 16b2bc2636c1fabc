from __future__ import annotations

import re

from dagwright.graph import Dag, random_dag


def arcs_of(drawing: str) -> set[tuple[str, str]]:
    """Read the arcs back from a drawing by following the rails."""
    rails: dict[int, str] = {}
    arcs = set()
    for line in drawing.splitlines():
        node, _, cells = line.partition(" ")
        cells = cells.lstrip() if cells.strip() else ""
        start = line.index(cells) if cells else 0
        for offset, mark in enumerate(cells):
            column = start + offset
            if mark in "┼┤┴┘" and cells[0] == "◀" and column in rails:
                arcs.add((rails[column], node))
            if mark in "┐┬":
                rails[column] = node
            elif mark in "┴┘":
                del rails[column]
    assert not rails
    return arcs


def test_a_drawing_shows_exactly_the_arcs() -> None:
    for n in (8, 20, 37, 60):
        for seed in range(5):
            dag = random_dag(n, degree=2.5, random_state=seed)
            drawing = dag.draw()
            assert arcs_of(drawing) == set(dag.edges)
            assert len(drawing.splitlines()) == n


def test_names_are_padded_and_lines_clean() -> None:
    drawing = Dag(["a long name", "new\nline", "z"], [("a long name", "z")]).draw()
    assert drawing.splitlines() == ["a long name ──┐", "z           ◀─┘", '"new\\nline"']
    assert not re.search(r" +$", drawing, flags=re.MULTILINE)
