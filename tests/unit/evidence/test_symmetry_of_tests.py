"""Tests do not depend on the order of columns; scores as tests use the score of a known child."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import dagwright as dw
from dagwright.data import Table
from dagwright.errors import CapacityError
from dagwright.evidence import (
    BIC,
    FNML,
    MDL,
    BayesFactor,
    BDeu,
    BDs,
    ChiSquare,
    DirichletScore,
    Family,
    GSquare,
    K2Score,
    Permuted,
    conditional_mutual_information,
    independence_test,
)
from dagwright.evidence.protocols import Triple
from dagwright.testing import check_search_reports_its_score


def table(rows: int, seed: int = 4) -> Table:
    """a -> b, a -> c, d alone; three states for c."""
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 2, rows)
    b = np.where(rng.random(rows) < 0.75, a, 1 - a)
    c = np.where(rng.random(rows) < 0.6, a, rng.integers(0, 3, rows))
    return Table(list("abcd"), [a, b, c, rng.integers(0, 2, rows)], [[0, 1], [0, 1], [0, 1, 2], [0, 1]])


def in_other_order(source: Table, order: list[int]) -> Table:
    """The same table with its columns, and the states of each column, in another order."""
    turned = [np.array(source.codes(source.names[c])) for c in order]
    states = [list(source.states[c]) for c in order]
    reversed_codes = [len(s) - 1 - codes.astype(np.int64) for s, codes in zip(states, turned, strict=True)]
    return Table([source.names[c] for c in order], reversed_codes, [s[::-1] for s in states])


@pytest.mark.parametrize("test", [GSquare(), ChiSquare()], ids=lambda t: t.name)
@pytest.mark.parametrize("query", [("b", "c", ()), ("b", "c", ("a", "d")), (("a", "c"), ("b", "d"), ())])
def test_permuted_p_values_do_not_depend_on_the_order_of_columns(test, query) -> None:
    small = table(40, seed=7)
    answers = [
        independence_test(t, x, y, query[2], Permuted(test, 199))
        for t in (small, in_other_order(small, [3, 1, 0, 2]), in_other_order(small, [2, 3, 1, 0]))
        for x, y in (query[:2], query[1::-1])
    ]
    assert {a.p_value for a in answers} == {answers[0].p_value}
    assert [a.gain for a in answers] == pytest.approx([answers[0].gain] * len(answers), abs=1e-9)


ONE_WAY = [K2Score(), BDs(), FNML(), DirichletScore(0.5)]


@pytest.mark.parametrize("spec", ONE_WAY, ids=lambda s: s.name)
def test_a_question_about_sets_does_not_depend_on_the_order_of_columns(spec) -> None:
    small = table(40, seed=7)
    for x, y, given in (("a", ("b", "c"), ()), (("a", "c"), ("b", "d"), ()), (("b", "c", "d"), "a", ())):
        gains = [
            independence_test(t, *sides, given, spec).gain
            for t in (small, in_other_order(small, [3, 1, 0, 2]), in_other_order(small, [2, 3, 1, 0]))
            for sides in ((x, y), (y, x))
        ]
        assert gains == pytest.approx([gains[0]] * len(gains), abs=1e-9)


@pytest.mark.parametrize("spec", ONE_WAY, ids=lambda s: s.name)
def test_the_score_of_a_set_is_the_mean_over_all_orders(spec) -> None:
    bound = spec.on(table(60, seed=1))

    def along(order: tuple[int, ...], given: frozenset[int]) -> float:
        steps = [Family(x, given | frozenset(order[:at])) for at, x in enumerate(order)]
        return sum(bound.local(steps))

    def mean(members: tuple[int, ...], given: frozenset[int]) -> float:
        return float(np.mean([along(order, given) for order in itertools.permutations(members)]))

    x, y = (1, 2, 3), (0,)
    gains = [
        mean(x, frozenset(y)) - mean(x, frozenset()),
        mean(y, frozenset(x)) - mean(y, frozenset()),
    ]
    (found,) = bound.verdicts([Triple(frozenset(x), frozenset(y), frozenset())])
    assert found.gain == pytest.approx(sum(gains) / 2, abs=1e-9)


@pytest.mark.parametrize("spec", [*ONE_WAY, BIC(), BDeu(), MDL(), BayesFactor(K2Score(), log_odds=-0.5)])
def test_where_the_child_is_known_its_own_local_score_decides(spec) -> None:
    bound = spec.on(table(30, seed=2))
    for child, others, given in ((0, (2,), ()), (2, (0,), ()), (1, (0, 2), (3,)), (3, (0, 1, 2), ())):
        triple = Triple(frozenset([child]), frozenset(others), frozenset(given))
        (verdict,) = bound.arc_verdicts([triple])
        after, before = bound.local([Family(child, triple.y | triple.given), Family(child, triple.given)])
        assert verdict.gain == pytest.approx(after - before, abs=1e-9)
        assert verdict.independent == (verdict.gain <= 0)


def test_too_large_a_set_is_refused_in_words() -> None:
    rng = np.random.default_rng(0)
    names = [f"v{i}" for i in range(14)]
    wide = {name: rng.integers(0, 2, 20).tolist() for name in names}
    with pytest.raises(CapacityError, match=r"set of 13 variables .* at most 12"):
        independence_test(wide, names[0], names[1:], test=K2Score())
    assert independence_test(wide, names[0], names[1:], test=BDeu()).gain is not None


def test_scores_that_average_two_directions_say_so() -> None:
    data = table(60)
    for test, said in ((K2Score(), True), (BayesFactor(BDs()), True), (BIC(), False), (GSquare(), False)):
        found = dw.learn(data, search=dw.PC(test=test))
        assert ("mean of both directions" in found.notes["test"]) == said


@pytest.mark.parametrize("spec", [ChiSquare(), ChiSquare(adjusted=True), Permuted(ChiSquare(), 99)])
@pytest.mark.parametrize("given", [(), ("a",), ("a", "d")])
def test_the_effect_is_the_conditional_mutual_information(spec, given) -> None:
    data = table(80, seed=3)
    found = independence_test(data, "b", "c", given, spec)
    assert found.effect == pytest.approx(conditional_mutual_information(data, "b", "c", given), rel=1e-12)
    assert found.effect != pytest.approx(found.statistic / (2 * data.N), rel=1e-6)


@pytest.mark.parametrize("score", ONE_WAY, ids=lambda s: s.name)
def test_thick_thin_never_adds_an_arc_that_lowers_the_score(score) -> None:
    for seed in range(30):
        rng = np.random.default_rng(seed)
        a = rng.integers(0, 4, 16)
        rows = {"a": a.tolist(), "b": np.where(rng.random(16) < 0.4, a, rng.integers(0, 4, 16)).tolist()}
        found = dw.learn(rows, search=dw.ThickThin(["a", "b"]), score=score)
        empty, arc = (dw.score(dw.Dag(["a", "b"], edges), rows, score).total for edges in ([], [("a", "b")]))
        assert found.graph.edges == ((("a", "b"),) if arc > empty + 1e-9 else ())
        check_search_reports_its_score(dw.ThickThin(["a", "b"]), rows, score=score)
