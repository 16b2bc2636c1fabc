"""The best-first search of Lam & Bacchus: sets by number of arcs, choice by length, knowledge, limits."""

from __future__ import annotations

import numpy as np
import pytest

import dagwright as dw
from dagwright.errors import CapacityError, OptionError, UnknownNameError

ASIA = dw.read(dw.sample_path("asia"))


def table_7_4() -> dw.Table:
    cells = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 0], [1, 0, 1]])
    return dw.Table(list("ABC"), list(cells.T), [["1", "2"]] * 3, weights=[11, 3, 12, 6])


def random_table(seed: int, n: int = 5, rows: int = 300) -> dw.Table:
    rng = np.random.default_rng(seed)
    columns: list[np.ndarray] = []
    for at in range(n):
        noise = rng.integers(0, 2 + at % 2, rows)
        source = sum((columns[p] for p in range(at) if rng.random() < 0.5), np.zeros(rows, dtype=int))
        columns.append(np.where(rng.random(rows) < 0.6, source % 2, noise))
    return dw.read({f"x{at}": list(column) for at, column in enumerate(columns)})


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("connected", [False, True])
def test_every_dag_agrees_with_the_search_given_enough_time(seed: int, connected: bool) -> None:
    data = random_table(seed, n=4)
    whole = dw.learn(data, search=dw.MdlSearch("every-dag", connected=connected))
    found = dw.learn(data, search=dw.MdlSearch(connected=connected, expansions=500))
    assert found.score <= whole.score + 1e-9
    assert found.score >= whole.score - 12.0
    assert whole.optimal is not connected
    assert not connected or len(whole.dag.skeleton().components()) == 1


def test_isolated_variables_only_where_they_may_be() -> None:
    data = table_7_4()
    free = dw.learn(data, score=dw.MDL(d=16), search=dw.MdlSearch())
    assert free.graph.edges == ()
    joined = dw.learn(data, score=dw.MDL(d=16), search=dw.MdlSearch(connected=True))
    assert len(joined.graph.edges) == 2
    apart = dw.Knowledge(forbidden=["A -- B", "A -- C"])
    found = dw.learn(data, search=dw.MdlSearch(connected=True), knowledge=apart)
    assert "no network that was scored is connected" in found.warnings
    assert "A" in {name for part in found.graph.skeleton().components() if len(part) == 1 for name in part}


def test_every_dag_obeys_knowledge_and_bounds() -> None:
    data = random_table(1)
    known = dw.Knowledge(required=["x0 -- x4", "x3 -> x1"], tiers=[["x3"], ["x0", "x1", "x2", "x4"]])
    found = dw.learn(data, search=dw.MdlSearch("every-dag", max_parents=1, max_arcs=3), knowledge=known)
    assert known.check(found.graph) == []
    assert all(len(found.graph.parents(name)) <= 1 for name in data.names)
    assert len(found.graph.edges) <= 3
    assert not found.optimal
    best = max(
        dw.score(dw.learn(data, score=dw.MDL(), search=s, knowledge=known).dag, data, dw.MDL()).total
        for s in (dw.HillClimb(), dw.OrderSearch())
    )
    assert dw.learn(data, search=dw.MdlSearch("every-dag"), knowledge=known).score >= best - 1e-9


def test_options() -> None:
    with pytest.raises(UnknownNameError, match="unknown strategy 'all'"):
        dw.MdlSearch("all")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="expansions must be a whole number of at least 1"):
        dw.MdlSearch(expansions=0)
    with pytest.raises(CapacityError, match="at most 6 variables, not 8"):
        dw.learn(ASIA, search=dw.MdlSearch("every-dag"))


def test_budgets_bound_the_work() -> None:
    few = dw.learn(ASIA, search=dw.MdlSearch(expansions=2, max_arcs=5))
    assert few.notes["expansions"] <= 2 * 5
    assert [point["arcs"] for point in few.notes["frontier"]] == [0, 1, 2, 3, 4, 5]
    one = dw.learn(ASIA, search=dw.MdlSearch("one-phase", expansions=3))
    assert one.notes["expansions"] == 3 * 8
    stopped = dw.learn(ASIA, search=dw.MdlSearch(), time_limit=0.0)
    assert stopped.stopped == "deadline"
    six = dw.learn(random_table(2, n=6), search=dw.MdlSearch("every-dag"), time_limit=0.0)
    assert six.stopped == "deadline"
    assert six.graph.edges == ()


def test_a_start_is_a_candidate_and_its_edges_stay() -> None:
    start = dw.Dag(ASIA.names, [("xray", "asia")])
    found = dw.learn(ASIA, search=dw.MdlSearch(), start=start)
    assert found.graph.skeleton().adjacent("asia", "xray")


def test_the_frontier_survives_json() -> None:
    found = dw.learn(table_7_4(), search=dw.MdlSearch())
    again = dw.Learned.from_json(found.to_json())
    assert again.notes == found.notes
    assert "frontier: 4 entries, in notes" in str(found)
