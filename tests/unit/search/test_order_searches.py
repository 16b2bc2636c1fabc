"""Order search, K2, thickening and thinning, and the default."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.search.given_order import stable_order


def sample(n: int = 5, rows: int = 200, seed: int = 0) -> dict[str, list[int]]:
    rng = np.random.default_rng(seed)
    columns: list[Any] = []
    for at in range(n):
        column = rng.integers(0, 2 + at % 2, rows)
        if at:
            source = columns[int(rng.integers(0, at))]
            column = np.where(rng.random(rows) < 0.6, source % (2 + at % 2), column)
        columns.append(column)
    return {f"v{at}": column.tolist() for at, column in enumerate(columns)}


def xor(copies: int = 25) -> dict[str, list[int]]:
    rows = [(a, b, a ^ b) for a in (0, 1) for b in (0, 1)] * copies
    return dict(zip("abc", map(list, zip(*rows, strict=True)), strict=True))


def best_score(data: Any, score: Any) -> float:
    """The best over all orders and all parent sets within them."""
    bound = score.on(dw.read(data))
    names = list(data)
    subsets = [frozenset(s) for k in range(len(names)) for s in itertools.combinations(range(len(names)), k)]
    families = [
        dw.evidence.Family(child, s) for child in range(len(names)) for s in subsets if child not in s
    ]
    local = dict(zip(families, bound.local(families), strict=True))
    best = {frozenset[int](): 0.0}
    for size in range(len(names)):
        for placed in itertools.combinations(range(len(names)), size):
            before = frozenset(placed)
            for child in set(range(len(names))) - before:
                top = max(local[dw.evidence.Family(child, s)] for s in subsets if s <= before)
                after = before | {child}
                best[after] = max(best.get(after, -np.inf), best[before] + top)
    return best[frozenset(range(len(names)))]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("score", [dw.BIC(), dw.BDeu(ess=2), dw.K2Score(), dw.AIC()], ids=repr)
def test_the_best_of_all_networks_is_found(seed: int, score: Any) -> None:
    data = sample(seed=seed)
    assert dw.learn(data, score=score).score == pytest.approx(best_score(data, score), abs=1e-9)


def test_swaps_and_plain_climbing_find_legal_networks_no_better() -> None:
    data = sample(6, seed=3)
    best = dw.learn(data).score
    for search in (
        dw.OrderSearch(moves="swap"),
        dw.OrderSearch(perturbations=0, chains=1),
        dw.OrderSearch(max_parents=1),
    ):
        found = dw.learn(data, search=search)
        assert found.score <= best + 1e-9
        assert found.score == pytest.approx(dw.score(found.graph, data).total, abs=1e-9)
    assert max(len(found.graph.parents(v)) for v in found.graph.nodes) == 1


def test_seeds_and_threads() -> None:
    data = sample(8, 300, seed=5)
    one = dw.learn(data, random_state=1, threads=1)
    assert dw.learn(data, random_state=1, threads=3).graph == one.graph
    assert dw.learn(data, random_state=2).score == pytest.approx(one.score, abs=1e-9)


def test_a_start_is_never_lost_and_deadlines_are_kept() -> None:
    data = sample(6, seed=2)
    best = dw.learn(data)
    stopped = dw.learn(data, search=dw.OrderSearch(), start=best.graph, time_limit=0.0)
    assert stopped.graph == best.graph
    assert stopped.stopped == "deadline"


def test_auto_says_what_it_chose() -> None:
    assert dw.learn(sample()).notes["chosen"].startswith("Exact(): all ")
    wide = dw.learn(sample(26), score=dw.BIC())
    assert wide.notes["chosen"].startswith("OrderSearch(): ")
    assert wide.optimal == (wide.gap == 0.0)
    assert "proof" in wide.notes

    class Slow:
        def on(self, table: dw.Table) -> Slow:
            self.inner = dw.BIC().on(table)
            return self

        def local(self, families: Any) -> list[float]:
            return self.inner.local(families)

    found = dw.learn(sample(12), score=Slow())
    assert found.notes["chosen"].startswith("OrderSearch(evaluations=2000): a score written in Python")
    found = dw.learn(sample(), score=Slow())
    assert found.optimal
    assert found.score == pytest.approx(dw.learn(sample(), score=dw.BIC()).score, abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_boss_ends_where_its_own_parents_are_and_restarts_only_help(seed: int) -> None:
    data = sample(6, 300, seed=seed)
    bic = dw.BIC()
    once = dw.learn(data, search=dw.BOSS(), score=bic, random_state=seed)
    often = dw.learn(data, search=dw.BOSS(restarts=5), score=bic, random_state=seed, threads=2)
    best = dw.learn(data, score=bic).score
    assert dw.learn(data, search=dw.K2(once.graph.topological_order()), score=bic).score <= once.score + 1e-9
    assert once.score <= often.score + 1e-9 <= best + 2e-9
    assert once.notes["moves of variables"] >= 0
    alone = dw.learn(data, search=dw.BOSS(restarts=5), score=bic, random_state=seed, threads=1)
    assert alone.graph == often.graph
    bounded = dw.learn(data, search=dw.BOSS(max_parents=1))
    assert max(len(bounded.graph.parents(v)) for v in bounded.graph.nodes) <= 1
    stopped = dw.learn(data, search=dw.BOSS(), score=bic, start=often.graph, time_limit=0.0)
    assert stopped.stopped == "deadline"
    assert stopped.score >= often.score - 1e-9


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: dw.OrderSearch(moves="jump"), "unknown moves 'jump'"),
        (lambda: dw.OrderSearch(chains=0), "chains must be at least 1"),
        (lambda: dw.OrderSearch(evaluations=0), "evaluations must be at least 1"),
        (lambda: dw.Auto(max_parents=-1), "max_parents must be at least 0"),
        (lambda: dw.BOSS(restarts=-1), "restarts must not be negative"),
        (lambda: dw.K2("abc"), "not the text 'abc'"),
        (lambda: dw.K2(["a", "b", "a"]), "names 'a' more than once"),
        (lambda: dw.K2(["a"], max_parents=-1), "must not be negative"),
        (lambda: dw.ThickThin(["a"], subset_size=0), "subset_size must be at least 1"),
        (lambda: dw.ThickThin(["a"], max_parents=-2), "must not be negative"),
        (lambda: dw.learn(xor(), search=dw.K2(["a", "b"])), "does not name the variable 'c'"),
        (lambda: dw.learn(xor(), search=dw.ThickThin(["a", "b", "c"], by=7)), "neither a score nor a test"),
    ],
)
def test_wrong_options_are_named(wrong: Any, message: str) -> None:
    with pytest.raises((dw.OptionError, dw.UnknownNameError), match=message):
        wrong()
    with pytest.raises(dw.UnknownNameError, match="variable of the order"):
        dw.learn(xor(), search=dw.K2(["a", "b", "d"]))


def test_k2_keeps_to_order_and_bound_and_accounts_for_itself() -> None:
    data = sample(6, seed=1)
    order = ["v3", "v0", "v5", "v1", "v4", "v2"]
    found = dw.learn(data, search=dw.K2(order, max_parents=2), score=dw.BIC())
    assert all(order.index(a) < order.index(b) for a, b in found.graph.edges)
    assert max(len(found.graph.parents(v)) for v in order) <= 2
    empty = dw.score(dw.Dag(order), data, dw.BIC()).total
    assert found.score == pytest.approx(empty + sum(step.gain for step in found.trace), abs=1e-9)
    assert dw.learn(data, search=dw.K2(order), time_limit=0.0).stopped == "deadline"


def test_knowledge_against_the_order_comes_first_with_a_warning() -> None:
    data = sample(4, seed=1)
    order = ["v0", "v1", "v2", "v3"]
    known = dw.Knowledge(required=[("v3", "v0")])
    for search in (dw.K2(order), dw.ThickThin(order, by=dw.GSquare())):
        found = dw.learn(data, search=search, knowledge=known)
        assert ("v3", "v0") in found.graph.edges
        assert any("which became v1, v2, v3, v0" in warning for warning in found.warnings)


@pytest.mark.parametrize("make", [dw.K2, dw.K3, lambda order: dw.ThickThin(order, by=dw.GSquare())])
def test_the_order_is_kept_where_knowledge_only_forbids(make: Any) -> None:
    data = dw.read(dw.sample_path("asia"))
    order = ["asia", "tub", "smoke", "lung", "bronc", "either", "xray", "dysp"]
    same = [
        dw.Knowledge(forbidden=["asia -> dysp"]),
        dw.Knowledge(tiers=[["dysp"], ["asia"]]),
        dw.Knowledge(order=["dysp", "asia"]),
        dw.Knowledge(partial_order=[("dysp", "asia")]),
    ]
    graphs = [dw.learn(data, search=make(order), knowledge=known) for known in same]
    assert all(found.graph == graphs[0].graph for found in graphs)
    assert all(order.index(a) < order.index(b) for a, b in graphs[0].graph.edges)
    assert not any("contradicts the order" in warning for found in graphs for warning in found.warnings)


def test_only_what_is_required_moves_in_the_order() -> None:
    data = sample(6, seed=1)
    order = ["v5", "v1", "v4", "v0", "v3", "v2"]
    known = dw.Knowledge(required=[("v3", "v1"), ("v2", "--", "v5")])
    found = dw.learn(data, search=dw.K2(order), knowledge=known)
    moved = ["v5", "v4", "v0", "v3", "v1", "v2"]
    assert any(f"which became {', '.join(moved)}" in warning for warning in found.warnings)
    assert ("v5", "v2") in found.graph.edges
    assert all(moved.index(a) < moved.index(b) for a, b in found.graph.edges)
    full = dw.Knowledge(required=[("v2", "--", "v5"), ("v3", "--", "v5")], max_parents={"v2": 0})
    turned = dw.learn(data, search=dw.K2(order), knowledge=full)
    assert ("v2", "v5") in turned.graph.edges


def stable_orders(order: list[str], dag: dw.Dag) -> list[str]:
    """The first topological order by position in ``order``, of all of them."""
    legal = (
        [order[i] for i in places]
        for places in itertools.permutations(range(len(order)))
        if all(places.index(order.index(a)) < places.index(order.index(b)) for a, b in dag.edges)
    )
    return next(legal)


@pytest.mark.parametrize("seed", range(20))
def test_the_stable_order_is_the_first_of_all_topological_orders(seed: int) -> None:
    rng = np.random.default_rng(seed)
    dag = dw.random_dag(5, degree=1.5, random_state=seed)
    order = [str(name) for name in rng.permutation(dag.nodes)]
    assert list(stable_order(order, dag)) == stable_orders(order, dag)


def test_thick_thin_reports_exclusive_or_and_finds_it_with_pairs() -> None:
    order = ["a", "b", "c"]
    single = dw.learn(xor(), search=dw.ThickThin(order, by=dw.GSquare()))
    assert single.graph.edges == ()
    assert single.score is None
    assert (
        single.warnings[-1]
        == "'c' depends on 'a', 'b' together but on none of them alone; subset_size=2 adds them"
    )
    pairs = dw.learn(xor(), search=dw.ThickThin(order, by=dw.GSquare(), subset_size=2))
    assert set(pairs.graph.edges) == {("a", "c"), ("b", "c")}


def test_thick_thin_with_an_oracle_gives_the_graph_of_its_own_order() -> None:
    truth = dw.Dag(["a", "b", "c", "d"], [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")])
    data = {name: [0, 1, 1, 0] for name in truth.nodes}

    class Oracle:
        def test(self, queries: Any) -> list[Any]:
            from dagwright.graph.query import Verdict

            return [Verdict(truth.d_separated(q.x, q.y, q.given)) for q in queries]

    found = dw.learn(data, search=dw.ThickThin(truth.nodes, by=Oracle()))
    assert set(found.graph.edges) == set(truth.edges)
    assert dw.learn(data, search=dw.ThickThin(truth.nodes, by=Oracle()), time_limit=0.0).stopped == "deadline"


def test_all_sets_of_the_asked_size_are_looked_at() -> None:
    """The exclusive or of the last three of 33 predecessors: 5,456 sets of three."""
    rng = np.random.default_rng(0)
    columns = rng.integers(0, 2, (400, 33))
    data = {f"x{at:02}": columns[:, at].tolist() for at in range(33)}
    data["y"] = (columns[:, 30] ^ columns[:, 31] ^ columns[:, 32]).tolist()

    class OnlyThree:
        """Knows the one dependence, so that the test is quick."""

        def test(self, queries: Any) -> list[Any]:
            from dagwright.graph.query import Verdict

            right = {"x30", "x31", "x32"}
            return [
                Verdict(not ({*q.x} == {"y"} and {*q.y, *q.given} >= right and {*q.y} <= right), effect=1.0)
                for q in queries
            ]

    found = dw.learn(data, search=dw.ThickThin(list(data), by=OnlyThree(), subset_size=3))
    assert {("x30", "y"), ("x31", "y"), ("x32", "y")} <= set(found.graph.edges)
