"""A result shows only directions that the data or the knowledge decide; `dag` has one DAG of the class."""

from __future__ import annotations

import pickle
from pathlib import Path

from tests.command_line import answer

import dagwright as dw

UNDECIDED = {("bronc", "smoke"), ("lung", "smoke")}
COLOR = "direction undecided"


def test_the_essential_graph_of_a_result() -> None:
    found = dw.learn("sample:asia")
    assert isinstance(found.graph, dw.Dag) and found.dag == found.graph
    assert found.essential == found.graph.cpdag()
    assert set(found.essential.undirected_edges) == UNDECIDED
    assert str(found).startswith("8 nodes, 5 arcs and 2 edges of undecided direction, found by")
    assert COLOR in found._repr_html_() and COLOR in found.draw().svg
    assert COLOR in found.draw(strength=lambda a, b: 0.5).svg  # noqa: ARG005
    assert COLOR not in dw.draw(found.dag).svg
    page = dw.report("sample:asia", replicates=0, rival_seconds=0)
    assert page.graph == found.essential and COLOR in page.to_html()


def test_knowledge_decides_too_also_after_saving(tmp_path: Path) -> None:
    known = dw.Knowledge(tiers=[["smoke"], ["*"]])
    found = dw.learn("sample:asia", knowledge=known)
    assert not found.essential.undirected_edges
    assert str(found).startswith("8 nodes, 7 arcs, found by")
    found.save(tmp_path / "model.json")
    for copy in (dw.Learned.load(tmp_path / "model.json"), pickle.loads(pickle.dumps(found))):
        assert copy.essential == found.essential and copy.graph == found.graph


def test_other_answers_are_shown_as_they_are() -> None:
    for search in (dw.PC(), dw.GES(), dw.ChowLiu(), dw.FCI(), dw.PairwiseMarkov()):
        found = dw.learn("sample:asia", search=search)
        if not isinstance(found.graph, dw.Dag):
            assert found.essential is found.graph


def test_the_command_line_prints_undecided_directions() -> None:
    printed = answer("learn", "sample:asia")
    assert "bronc -- smoke\n" in printed and "tub -> either\n" in printed
    assert "bronc -> smoke" not in printed and "smoke -> bronc" not in printed
