"""A required edge that may be directed either way: names do not decide what is learned."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.methods.registry import Entry, entries

# A class of ancestral graphs has no DAG.
SCORED = [
    entry
    for entry in entries("search")
    if getattr(entry.method, "decides_by", "score") == "score" and entry.method.gives != "pag"
]
LINKS = [("asia", "bronc"), ("xray", "smoke"), ("smoke", "tub"), ("lung", "dysp")]


def small(seed: int) -> dw.Table:
    table = dw.read(dw.sample_path("asia"))
    return table.take(np.random.default_rng(seed).permutation(table.n_rows)[:400])


def made(entry: Entry, new: dict[str, str]) -> Any:
    order = [new[name] for name in sorted(new)]
    arguments = {"order": order, "target": new["dysp"], "by": dw.MMPC()}
    return entry.method(**{name: arguments[name] for name in entry.needs})


@pytest.mark.parametrize("entry", SCORED, ids=lambda entry: entry.name)
def test_renaming_columns_renames_the_graph_with_free_required_edges(entry: Entry) -> None:
    if entry.name == "BranchAndCut":
        pytest.importorskip("highspy")
    for seed in range(3):
        table = small(seed)
        rng = np.random.default_rng(seed)
        same = {name: name for name in table.names}
        other = dict(zip(table.names, map(str, rng.permutation(table.names)), strict=True))
        edges = [LINKS[i] for i in rng.permutation(len(LINKS))[: 1 + seed]]
        first, second = (
            dw.learn(
                table.rename(new),
                search=made(entry, new),
                knowledge=dw.Knowledge(required=[(new[a], "--", new[b]) for a, b in edges]),
                threads=1,
            )
            for new in (same, other)
        )
        assert first.score == second.score
        assert first.dag is not None
        assert second.dag is not None
        renamed = dw.Dag(second.dag.nodes, [(other[a], other[b]) for a, b in first.dag.edges])
        assert renamed.cpdag() == second.dag.cpdag()
        assert renamed == second.dag or not isinstance(first.graph, dw.Dag)


def test_tie_outcomes_and_consensus_do_not_ask_names() -> None:
    table = small(0).select(["asia", "bronc", "dysp", "smoke"])
    turned = dict(zip(table.names, reversed(table.names), strict=True))
    outcomes = [
        dw.search.greedy_tie_outcomes(
            table.rename(new), knowledge=dw.Knowledge(required=[(new["asia"], "--", new["smoke"])])
        )
        for new in ({name: name for name in table.names}, turned)
    ]
    first, second = ({(o.score, frozenset(o.graph.edges)) for o in found} for found in outcomes)
    assert {(s, frozenset((turned[a], turned[b]) for a, b in arcs)) for s, arcs in first} == second


def test_a_consensus_gives_required_edges_their_clearest_directions() -> None:
    """The edges of a triangle would close a cycle; the least clear of the three gives way."""
    for names in (["a", "b", "c"], ["c", "b", "a"], ["b", "a", "c"]):
        a, b, c = range(3)
        arcs = np.zeros((3, 3))
        arcs[a, b], arcs[b, a] = 0.55, 0.45
        arcs[b, c], arcs[c, b] = 0.9, 0.1
        arcs[c, a], arcs[a, c] = 0.8, 0.2
        x, y, z = names
        sure = dw.Confidence(tuple(names), arcs, source="made up")
        law = dw.Knowledge(required=[(x, "--", y), (y, "--", z), (x, "--", z)])
        assert set(sure.consensus(knowledge=law).edges) == {(y, z), (z, x), (y, x)}
