"""One `load` for whatever was saved, and graphs from and to networkx."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import pytest
from tests.command_line import answer, refusal

import dagwright as dw
from dagwright.errors import FormatError, OptionError

DATA = {"a": [0, 1] * 30, "b": [0, 1] * 30, "c": [0, 1, 1] * 20}


def test_load_knows_what_it_reads(tmp_path: Path) -> None:
    found = dw.learn(DATA)
    found.save(tmp_path / "found.json")
    back = dw.load(tmp_path / "found.json")
    assert isinstance(back, dw.Learned)
    assert back.graph == found.graph
    assert dw.load_graph(tmp_path / "found.json") == found.graph
    sure = dw.bootstrap(DATA, replicates=3)
    (tmp_path / "sure.json").write_text(sure.to_json())
    assert isinstance(dw.load(tmp_path / "sure.json"), dw.Confidence)
    with pytest.raises(FormatError, match="not a graph"):
        dw.load_graph(tmp_path / "sure.json")
    dw.save(found.network(), tmp_path / "network.json")
    assert dw.load(tmp_path / "network.json") == found.network()
    dw.save(found, tmp_path / "again.json")
    assert dw.load(tmp_path / "again.json").graph == found.graph
    dw.save(found, tmp_path / "graph.dot")
    assert dw.load(tmp_path / "graph.dot") == found.graph
    (tmp_path / "graph.txt").write_text("A -> B; C\n")
    assert dw.load(tmp_path / "graph.txt") == dw.Dag.parse("A -> B; C")
    assert dw.compare(tmp_path / "graph.txt", "A -> B; C").shd == 0
    (tmp_path / "damaged.json").write_text('{"format": "dagwright-learned", "format_version": 2}')
    with pytest.raises(FormatError, match=r"damaged.json: a learned network without"):
        dw.load(tmp_path / "damaged.json")
    with pytest.raises(OptionError, match="path of a file, not 3"):
        dw.load(3)  # type: ignore[arg-type]


def test_graphs_from_and_to_networkx() -> None:
    dag = dw.Dag.parse("A -> B; A -> C; D")
    assert dw.from_networkx(dw.to_networkx(dag)) == dag
    assert dw.from_networkx(dw.to_networkx(dag.cpdag())) == dag.cpdag()
    assert dw.from_networkx(nx.path_graph(["A", "B"])) == dw.UndirectedGraph.parse("A -- B")
    assert dw.score(nx.DiGraph([("a", "b")]), DATA).total == dw.score("a -> b", DATA).total
    found = dw.learn(DATA)
    assert set(dw.to_networkx(found).nodes) == set(DATA)
    assert dw.from_networkx(dw.to_networkx(dw.load("asia"))) == dw.load("asia")
    with pytest.raises(OptionError, match="takes a networkx graph"):
        dw.from_networkx("A -> B")


def test_what_can_be_compared() -> None:
    asia = dw.load("asia")
    assert dw.compare("asia", asia).shd == 0
    assert dw.compare(asia.graph, asia.graph.cpdag().skeleton()).shd == 0
    assert dw.compare("A -> B; C", "A -> B").missing == ()
    assert dw.compare("A -> B", "A -> B; B -> C").extra == (("B", "C"),)
    skeletons = dw.compare("A -> B -> C; D -> C", dw.UndirectedGraph.parse("A -- B -- C -- D -- A"))
    assert (skeletons.shd, skeletons.extra, skeletons.reversed) == (1, (("A", "D"),), ())
    assert "between skeletons" in str(skeletons)
    assert skeletons.known_sid_bounds is None
    found = dw.learn(DATA, search=dw.IAMB())
    assert dw.compare_learned(found, dw.learn(DATA)).graphs.shd >= 0
    with pytest.raises(dw.GraphError, match="only the first has 'C', only the second 'D'"):
        dw.compare("A -> B; C", "A -> B; D")


def test_the_command_line_compares_and_draws_what_is_built_in(tmp_path: Path) -> None:
    text = answer("compare", "asia", "asia -> tub; smoke -> lung; smoke -> bronc")
    assert "5 missing, 0 extra" in " ".join(text.split())
    assert "neither a file nor a graph" in refusal("compare", "asiaa", "A -> B")
    picture = tmp_path / "sachs.svg"
    answer("draw", "sachs", "--information", "-o", str(picture))
    assert picture.read_text().startswith("<svg")
