"""GFCI: the first graph by score, then the tests and rules of FCI."""

from __future__ import annotations

import pytest

import dagwright as dw
from dagwright.errors import OptionError


def with_hidden(seed: int) -> tuple[dw.Table, dw.Pag]:
    """The distribution of a network without one of its common causes, and the class that it shows."""
    dag = dw.random_dag(6, degree=2.0, random_state=seed)
    hidden = [node for node in dag.nodes if len(dag.children(node)) > 1][:1]
    table = dw.random_network(dag, concentration=0.5, random_state=seed).distribution(sample_size=10**9)
    return table.select([node for node in dag.nodes if node not in hidden]), dag.latent_projection(
        hidden
    ).pag()


def test_the_true_class_where_rows_are_as_many_as_one_likes() -> None:
    faithful = 0
    for seed in range(20):
        table, truth = with_hidden(seed)
        if dw.learn(table, search=dw.FCI()).graph != truth:
            continue  # too weak a dependence for this many rows
        found = dw.learn(table, search=dw.GFCI(), score=dw.BIC())
        assert found.graph == truth, seed
        faithful += 1
    assert faithful >= 15


def test_an_edge_that_a_hidden_cause_brings_into_the_first_graph_is_removed() -> None:
    dag = dw.Dag.parse("A -> B <- H -> C <- D")
    table = dw.random_network(dag, concentration=0.5, random_state=0).distribution(sample_size=10**6)
    seen = table.select(["A", "B", "C", "D"])
    found = dw.learn(seen, search=dw.GFCI(), score=dw.BIC())
    assert str(found.graph) == "A o-> B; B <-> C; D o-> C"
    assert found.notes["first graph"] == "4 edges found by GES()"


def test_any_search_by_score_may_come_first() -> None:
    table = dw.read("sample:asia")
    found = dw.learn(table, search=dw.GFCI(by=dw.BOSS()), score=dw.BIC())
    assert any(work.startswith("BOSS") for work in found.works)
    assert any(work.startswith("GFCI: Ogarrio") for work in found.works)
    with pytest.raises(OptionError, match="does not maximize a score"):
        dw.GFCI(by=dw.PC())
