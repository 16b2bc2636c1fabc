"""Learning from rows that experiments have set: scores, searches, what is refused."""

from __future__ import annotations

import math
import pickle
from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright import _core
from dagwright.evidence.binding import bind_score
from dagwright.evidence.bound import is_equivalent
from dagwright.evidence.protocols import Family
from interventional_classes import Arcs, Target, all_dags, essential, signature

TARGETS: list[Target] = [frozenset(), frozenset({0}), frozenset({1, 2})]
CONDITIONS = {"condition": {"none": [], "first": ["v0"], "second": ["v1", "v2"]}}


def experiments(n: int, rows: int, seed: int, *, numbers: bool = False) -> dw.Table:
    """Rows of a random network over v0, v1, ... in three conditions, of unequal numbers."""
    rng = np.random.default_rng(seed)
    parents = [[p for p in range(v) if rng.random() < 0.7] for v in range(n)]
    weights = rng.uniform(0.7, 1.5, (n, n)) * rng.choice([-1, 1], (n, n))
    tables = [rng.dirichlet([1.0, 1.0], size=2 ** len(own))[:, 1] for own in parents]
    columns: dict[str, Any] = {f"v{v}": [] for v in range(n)} | {"condition": []}
    for name, target in zip(("none", "first", "second"), TARGETS, strict=True):
        count = rows + int(rng.integers(0, rows))
        here: list[Any] = []
        for v in range(n):
            if numbers:
                mean = sum((weights[p, v] * here[p] for p in parents[v]), np.zeros(count))
                value = 2.0 * rng.normal(size=count) if v in target else mean + rng.normal(size=count)
            else:
                code = sum((here[p] << at for at, p in enumerate(parents[v])), np.zeros(count, dtype=int))
                chance = np.full(count, 0.5) if v in target else tables[v][code]
                value = (rng.random(count) < chance).astype(int)
            here.append(value)
            columns[f"v{v}"] += value.tolist()
        columns["condition"] += [name] * count
    kinds = {f"v{v}": "continuous" for v in range(n)} if numbers else None
    return dw.read(columns, kinds=kinds)


def free_rows(table: dw.Table, child: str) -> np.ndarray[Any, Any]:
    return ~table.interventions.get(child, np.zeros(table.n_rows, dtype=bool))


def plain_bic(table: dw.Table, child: int, parents: list[int]) -> float:
    """BIC of a family of states with NumPy alone: the rows where the child was not set, N of all rows."""
    rows = free_rows(table, table.names[child])
    codes = np.stack([table.codes(name)[rows].astype(int) for name in table.names], axis=1)
    total, q = 0.0, math.prod(table.cardinalities[p] for p in parents)
    for configuration in {tuple(row) for row in codes[:, parents].tolist()}:
        chosen = np.all(codes[:, parents] == list(configuration), axis=1)
        counts = np.bincount(codes[chosen, child])
        counts = counts[counts > 0]
        total += float((counts * np.log(counts / counts.sum())).sum())
    return total - 0.5 * math.log(table.N) * (table.cardinalities[child] - 1) * q


def plain_gaussian_bic(table: dw.Table, child: int, parents: list[int]) -> float:
    """BIC of a regression with NumPy alone."""
    rows = free_rows(table, table.names[child])
    y = table.reals(table.names[child])[rows]
    x = np.stack([np.ones(len(y)), *(table.reals(table.names[p])[rows] for p in parents)], axis=1)
    rest = y - x @ np.linalg.lstsq(x, y, rcond=None)[0]
    fit = -0.5 * len(y) * (math.log(2 * math.pi * float(np.mean(rest**2))) + 1)
    return fit - 0.5 * math.log(table.N) * (len(parents) + 2)


@pytest.mark.parametrize("numbers", [False, True])
def test_a_family_is_scored_on_the_rows_where_its_child_was_not_set(numbers: bool) -> None:
    table = experiments(4, 60, 1, numbers=numbers).with_interventions(CONDITIONS)
    score = dw.BIC(measure=dw.Gaussian()) if numbers else dw.BIC()
    twin = plain_gaussian_bic if numbers else plain_bic
    bound = bind_score(score, table)
    families = [Family(c, frozenset(p)) for c in range(4) for p in ((), ((c + 1) % 4,), {0, 1, 2, 3} - {c})]
    wanted = [twin(table, child, sorted(parents)) for child, parents in families]
    assert bound.local(families) == pytest.approx(wanted, abs=1e-6)


@pytest.mark.parametrize("numbers", [False, True])
def test_exact_search_is_enumeration(numbers: bool) -> None:
    table = experiments(4, 40, 3, numbers=numbers)
    score = dw.BIC(measure=dw.Gaussian()) if numbers else dw.BDeu(ess=2)
    found = dw.learn(table, interventions=CONDITIONS, score=score, search=dw.Exact())
    bound = bind_score(score, table.with_interventions(CONDITIONS))
    totals = {
        arcs: sum(bound.local([Family(v, frozenset(a for a, b in arcs if b == v)) for v in range(4)]))
        for arcs in all_dags(4)
    }
    best = max(totals.values())
    assert found.score == pytest.approx(best, abs=1e-8)
    assert found.optimal
    members = [arcs for arcs, total in totals.items() if total > best - 1e-7]
    directed, undirected = essential(members)
    name = table.names.__getitem__
    assert set(found.essential.directed_edges) == {(name(a), name(b)) for a, b in directed}
    assert set(map(frozenset, found.essential.undirected_edges)) == {
        frozenset(map(name, pair)) for pair in undirected
    }
    for search in (dw.BranchAndCut(), dw.HillClimb(restarts=20), dw.OrderSearch(), dw.BOSS()):
        other = dw.learn(table, interventions=CONDITIONS, score=score, search=search)
        assert other.score == pytest.approx(best, abs=1e-8)


@pytest.mark.parametrize("score", [dw.BIC(), dw.BDeu(ess=3), dw.MDL(), dw.QNML()])
def test_equivalent_under_interventions_is_equal_in_score(score: Any) -> None:
    table = experiments(4, 30, 5).with_interventions(CONDITIONS)
    bound = bind_score(score, table)
    assert is_equivalent(bound)
    classes: dict[object, list[float]] = {}
    for arcs in all_dags(4):
        total = sum(bound.local([Family(v, frozenset(a for a, b in arcs if b == v)) for v in range(4)]))
        classes.setdefault(signature(arcs, TARGETS), []).append(total)
    assert max(max(own) - min(own) for own in classes.values()) < 1e-8
    plain = {len(own) for own in classes.values()}
    assert max(plain) > 1


class Classes:
    """All interventional classes over n nodes, and which are a single arc of some member apart."""

    def __init__(self, n: int) -> None:
        self.of = {arcs: signature(arcs, TARGETS) for arcs in all_dags(n)}
        self.members: dict[Any, list[Arcs]] = {}
        for arcs, here in self.of.items():
            self.members.setdefault(here, []).append(arcs)
        self.n = n

    @cache  # noqa: B019
    def neighbors(self, here: Any, move: str) -> frozenset[Any]:
        found = set()
        for member in self.members[here]:
            for arc in permutations(range(self.n), 2):
                if move == "insert" and arc not in member and member | {arc} in self.of:
                    found.add(self.of[member | {arc}])
                if move == "delete" and arc in member:
                    found.add(self.of[member - {arc}])
                if move == "turn" and arc in member and (turned := member - {arc} | {arc[::-1]}) in self.of:
                    found.add(self.of[turned])
        return frozenset(found - {here})


EVERY = Classes(4)


@pytest.mark.parametrize("seed", range(12))
def test_each_step_of_gies_is_to_the_best_neighboring_class(seed: int) -> None:
    table = experiments(4, 20 + 10 * seed, seed).with_interventions(CONDITIONS)
    score = bind_score(dw.BIC() if seed % 2 else dw.BDeu(), table).native
    nothing, empty = _core.Knowledge(4), [[] for _ in range(4)]
    targets = [sorted(target) for target in TARGETS]

    @cache
    def total(here: Any) -> float:
        member = EVERY.members[here][0]
        return float(sum(score.local([(v, sorted(a for a, b in member if b == v)) for v in range(4)])))

    def taken(step: _core.ClassMove) -> tuple[str, int, int, float]:
        return step.move.name, step.source, step.target, step.gain

    def walk(**options: Any) -> _core.ClassFound:
        return _core.ges(score, nothing, empty, turning=True, targets=targets, **options)

    whole = walk()
    assert list(map(taken, whole.trace)) == list(map(taken, walk(reuse=False).trace))
    here = EVERY.of[frozenset()]
    for steps, (move, _, _, gain) in enumerate(map(taken, whole.trace), start=1):
        member = walk(max_steps=steps).parents
        there = EVERY.of[frozenset((p, v) for v, own in enumerate(member) for p in own)]
        around = EVERY.neighbors(here, move)
        assert there in around
        assert total(there) == pytest.approx(max(map(total, around)), abs=1e-8)
        assert gain == pytest.approx(total(there) - total(here), abs=1e-8)
        here = there
    for move in ("insert", "delete", "turn"):
        assert all(total(there) <= total(here) + 1e-8 for there in EVERY.neighbors(here, move))


def test_ges_answers_with_the_interventional_essential_graph() -> None:
    table = experiments(4, 400, 2)
    found = dw.learn(table, interventions=CONDITIONS, search=dw.GES())
    assert found.dag is not None
    assert found.graph == found.dag.cpdag(found.targets)
    assert found.warnings == ()
    assert dw.Learned.from_json(found.to_json()) == found
    assert pickle.loads(pickle.dumps(found)) == found


def test_masks_and_conditions_say_the_same() -> None:
    table = experiments(4, 50, 7)
    named = dw.learn(table, interventions=CONDITIONS)
    masks = table.with_interventions(CONDITIONS).interventions
    rest = table.select(name for name in table.names if name != "condition")
    masked = dw.learn(rest, interventions=masks)
    assert masked.score == named.score
    assert masked.essential == named.essential
    assert masked.targets == named.targets == tuple(frozenset(f"v{v}" for v in target) for target in TARGETS)
    again = dw.Study.from_json(named.study.to_json())
    assert again.learn(table).essential == named.essential
    assert "not set" in str(named)
    with pytest.raises(dw.OptionError, match="holds no rows"):
        dw.Study(interventions=masks)


def test_neither_names_nor_orders_matter() -> None:
    table = experiments(4, 60, 9).with_interventions(CONDITIONS)
    found = dw.learn(table)
    other = {"v0": "z", "v1": "y", "v2": "x", "v3": "w"}
    rng = np.random.default_rng(0)
    shuffled = table.take(rng.permutation(table.n_rows)).select(["v2", "v0", "v3", "v1"]).rename(other)
    again = dw.learn(shuffled)
    assert again.score == found.score
    assert again.essential.directed_edges == tuple(
        sorted((other[a], other[b]) for a, b in found.essential.directed_edges)
    )


def test_columns_that_only_experiments_tell_apart_are_no_ties() -> None:
    table = dw.read({"a": [0, 1] * 20, "b": [0, 1] * 20})
    assert table.canonical().ties
    assert not table.with_interventions({"b": [True] * 5 + [False] * 35}).canonical().ties


def test_parameters_come_from_the_rows_that_did_not_set_the_node() -> None:
    rows = dw.read({"a": [0, 1] * 10, "b": [0, 1] * 5 + [0] * 10}).with_interventions(
        {"b": [False] * 10 + [True] * 10}
    )
    network = dw.fit("a -> b", rows, parameter_prior=None)
    assert network.table("b").tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert network.log_likelihood(rows) == pytest.approx(20 * math.log(0.5))
    numbers = experiments(3, 50, 4, numbers=True).with_interventions(CONDITIONS)
    fitted = dw.fit("v0 -> v1; v2", numbers)
    free = free_rows(numbers, "v1")
    x, y = numbers.reals("v0")[free], numbers.reals("v1")[free]
    slope = np.polyfit(x, y, 1)[0]
    assert fitted.gaussians["v1"].coefficients["v0"] == pytest.approx(slope)


def test_what_is_refused() -> None:
    table = experiments(4, 30, 1)
    with pytest.raises(dw.OptionError, match=r"with_contexts"):
        dw.learn(table, interventions=CONDITIONS, search=dw.PC())
    with pytest.raises(dw.OptionError, match=r"with_contexts"):
        dw.learn(table, interventions=CONDITIONS, search=dw.MMHC())
    with pytest.raises(dw.OptionError, match=r"Exact\(max_parents=1\)"):
        dw.learn(table, interventions=CONDITIONS, search=dw.ChowLiu())
    with pytest.raises(dw.DataError, match="'v0' was set in every row"):
        dw.learn(table, interventions={"v0": np.ones(table.n_rows, dtype=bool)})
    with pytest.raises(dw.DataError, match="'second' of column 'condition' has no targets"):
        dw.learn(table, interventions={"condition": {"none": [], "first": ["v0"]}})
    with pytest.raises(dw.DagwrightError, match="v9"):
        dw.learn(table, interventions={"condition": {"none": [], "first": ["v9"], "second": []}})
    with pytest.raises(dw.DataError, match="one per row"):
        dw.learn(table, interventions={"v0": [True]})
    with pytest.raises(dw.OptionError, match="map each variable"):
        dw.learn(table, interventions=["v0"])
    both = {"a": [1.0, 2.0, 3.0, 5.0], "b": [1.0, 1.5, 4.0, 4.0]}
    data = dw.read(both, kinds=dict.fromkeys("ab", "continuous"))
    alternating = {"a": [False, False, True, True], "b": [False, False, True, True]}
    dw.learn(data, interventions=alternating, score=dw.BIC(measure=dw.Gaussian()))
    with pytest.raises(dw.DataError, match="'b' has the value 4 in all rows where 'a' was not set"):
        dw.learn(data, interventions={"a": [True, True, False, False]}, score=dw.BIC(measure=dw.Gaussian()))


def test_contexts_let_tests_pool_the_rows() -> None:
    table = experiments(4, 400, 6)
    contexts = dw.with_contexts(table.with_interventions(CONDITIONS))
    assert contexts.table.interventions == {}
    found = dw.learn(contexts.table, search=dw.PC(), knowledge=contexts.knowledge)
    assert isinstance(found.graph, dw.Pdag)
    assert all(end != "experiment" for _, end in found.graph.directed_edges)
    assert all("experiment" not in edge for edge in found.graph.undirected_edges)
    assert set(found.graph.children("experiment")) <= {"v0", "v1", "v2"}
    named = dw.with_contexts(table, columns=["condition"])
    assert named.columns == ("condition",)
    with pytest.raises(dw.OptionError, match="name no experiments"):
        dw.with_contexts({"a": [0, 1]})


def test_resampling_keeps_the_number_of_rows_of_each_experiment() -> None:
    table = experiments(4, 30, 2).with_interventions(CONDITIONS)
    sizes = {name: int(mask.sum()) for name, mask in table.interventions.items()}
    for draw in (dw.CaseBootstrap(), dw.BayesianWeights()):
        drawn = draw.replicate(table, 0, np.random.default_rng(1))
        assert {name: int(mask.sum()) for name, mask in drawn.interventions.items()} == sizes
    weighted = table.with_weights(np.full(table.n_rows, 2.0))
    drawn = dw.CaseBootstrap().replicate(weighted, 0, np.random.default_rng(1))
    assert drawn.weights is not None
    for name, mask in drawn.interventions.items():
        assert drawn.weights[mask].sum() == 2 * sizes[name]
    sure = dw.bootstrap(table, search=dw.HillClimb(), replicates=5)
    assert sure.strength("v0", "v1") >= 0


def test_cards_say_what_an_intervention_decides() -> None:
    rng = np.random.default_rng(0)
    a = rng.random(300) < 0.5
    b = np.where(rng.random(300) < 0.9, a, ~a)
    b[200:] = rng.random(100) < 0.5
    data = dw.read({"a": a.astype(int).tolist(), "b": b.astype(int).tolist()})
    found = dw.learn(data, interventions={"b": [False] * 200 + [True] * 100})
    card = dw.evidence_card(found, "a", "b")
    assert found.essential == dw.Pdag.parse("a -> b")
    assert card.decided_by == "intervention"
    assert (card.rows, card.rows_in_all) == (200, 300)
    assert "oriented by intervention" in str(card)
    assert "where b was not set" in str(card)
    assert dw.compare("a -> b", found).shd == 0
    assert dw.compare("b -> a", found).shd == 1


def test_a_table_keeps_its_interventions() -> None:
    table = experiments(4, 10, 2).with_interventions(CONDITIONS)
    plain = table.with_interventions({})
    assert table != plain
    assert table.fingerprint != plain.fingerprint
    assert pickle.loads(pickle.dumps(table)) == table
    assert table.rename({"v0": "x"}).interventions["x"].sum() == table.interventions["v0"].sum()
    assert "v0" not in table.select(["v1", "v3"]).interventions
    assert "3 variables set in some rows" in repr(table)
    assert plain.encode(table).interventions.keys() == table.interventions.keys()
    assert table.complete("state") is table
