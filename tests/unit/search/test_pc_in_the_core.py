"""What PC leaves to the core, compared with its plain form."""

from __future__ import annotations

import copy
import pickle
import random
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.evidence import reference
from dagwright.evidence.bound import NativeTest
from dagwright.evidence.protocols import Triple
from dagwright.graph.query import Verdict
from dagwright.search.control import Control
from dagwright.search.independence.account import separations
from dagwright.search.independence.numbered_knowledge import NumberedKnowledge
from dagwright.search.independence.separation_table import Separated, as_columns
from dagwright.search.independence.skeleton import (
    Skeleton,
    native_skeleton,
    separate_edges,
    stable_skeleton,
)
from dagwright.search.independence.tester import EdgeLevels, PairTester
from dagwright.search.independence.uncertain_regions import put_back_strongest, uncertain_regions
from dagwright.testing import knowledge_cases

ASIA = dw.read(dw.sample_path("asia"))
NO_KNOWLEDGE = NumberedKnowledge(dw.Knowledge().resolve(ASIA.names))
YES = Verdict(independent=True)


def random_skeleton(seed: int, n: int = 7) -> Skeleton:
    """Any edges, and any sets for most of the other pairs."""
    rng = random.Random(seed)
    found = Skeleton([set() for _ in range(n)])
    for x, y in combinations(range(n), 2):
        if rng.random() < 0.3:
            found.edge(x, y)
        elif rng.random() < 0.9:
            others = [v for v in range(n) if v not in (x, y)]
            given = rng.sample(others, rng.randrange(3))
            found.separated[x, y] = Separated(frozenset(given), YES)
    return found


def test_regions_and_colliders_are_what_their_definitions_say() -> None:
    some_regions = 0
    for seed in range(300):
        found = random_skeleton(seed)
        given = {pair: sorted(one.given) for pair, one in found.separated.items()}
        regions = uncertain_regions(found)
        assert regions == reference.uncertain_regions(7, found.edges(), given), seed
        some_regions += len(regions)
        decided = found.pairs().colliders()
        triples = list(found.unshielded())
        assert decided.open == [(a, c, b) for a, c, b in triples if (a, b) not in given]
        assert decided.colliders == [(a, c, b) for a, c, b in triples if c not in given.get((a, b), [c])]
    assert some_regions > 100


def test_a_circle_with_paths_through_its_sets_is_not_doubtful() -> None:
    # 0 - 1 - 2 - 3 - 0 is a cycle: 1 and 3 lie between 0 and 2, 0 and 2 between 1 and 3.
    cycle = Skeleton([{1, 3}, {0, 2}, {1, 3}, {0, 2}])
    cycle.separated[0, 2] = Separated(frozenset([1, 3]), YES)
    cycle.separated[1, 3] = Separated(frozenset([0, 2]), YES)
    assert uncertain_regions(cycle) == []
    triangle = Skeleton([set(), set(), set()])
    for x, y, s in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
        triangle.separated[x, y] = Separated(frozenset([s]), YES)
    assert uncertain_regions(triangle) == [[(0, 1), (0, 2), (1, 2)]]
    triangle.edge(0, 1)
    triangle.edge(0, 2)
    assert uncertain_regions(triangle) == []


@pytest.mark.parametrize("least", [None, 5.0])
def test_p_values_of_edges_are_those_of_the_plain_form(least: float | None) -> None:
    test = dw.GSquare(alpha=0.05, min_rows_per_cell=least)
    for case, (data, known) in enumerate(knowledge_cases(20, variables=6, rows=120, seed=9)):
        table = dw.read(data)
        knowledge = NumberedKnowledge((known if case % 2 else dw.Knowledge()).resolve(table.names))
        plain, core = EdgeLevels(test.on(table)), EdgeLevels(test.on(table))
        assert stable_skeleton(plain, knowledge, Control(), None, on_paths=False) == native_skeleton(
            core, knowledge, Control(), None
        )
        assert core.largest == plain.largest, case
        assert core.alone == plain.alone, case
        assert core.tests == plain.tests


@pytest.mark.parametrize("tests", [PairTester, EdgeLevels])
def test_uncertain_regions_are_resolved_as_in_the_plain_form(tests: type[PairTester]) -> None:
    resolved = 0
    for case, (data, known) in enumerate(knowledge_cases(60, variables=7, rows=60, seed=4)):
        table = dw.read(data)
        knowledge = NumberedKnowledge((known if case % 3 == 0 else dw.Knowledge()).resolve(table.names))
        bound = (dw.GSquare, dw.ChiSquare)[case % 2](alpha=0.2).on(table)
        plain, core = tests(bound), tests(bound)
        max_size = 1 if case % 5 == 0 else None
        expected = stable_skeleton(plain, knowledge, Control(), max_size, on_paths=False)
        again = partial(separate_edges, plain, knowledge, Control(), expected, max_size)
        expected.resolved = put_back_strongest(expected, plain.effects, knowledge.may_link, again)
        found = native_skeleton(core, knowledge, Control(), max_size, resolve=True)
        assert found == expected, case
        assert core.tests == plain.tests, case
        if isinstance(core, EdgeLevels) and isinstance(plain, EdgeLevels):
            assert (core.largest, core.alone) == (plain.largest, plain.alone), case
        resolved += len(found.resolved or ())
    assert resolved > 30


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "test",
    [dw.ChiSquare(alpha=0.3), dw.ChiSquare(alpha=0.3, adjusted=True), dw.GSquare(alpha=0.3, adjusted=True)],
)
def test_decisions_are_those_of_the_verdicts(test: Any, weighted: bool) -> None:
    """Most decisions follow from bounds, without the statistic itself."""
    rng = np.random.default_rng(5)
    open_ones = 0
    for _ in range(20):
        codes = rng.integers(0, 3, size=(5, 80))
        codes[1] = np.where(rng.random(80) < 0.4, codes[0], codes[1])
        codes[2] = np.where(rng.random(80) < 0.2, codes[1], codes[2])
        table = dw.read({name: list(map(str, row)) for name, row in zip("abcde", codes, strict=True)})
        if weighted:
            table = table.with_weights(rng.uniform(0.2, 3.0, size=80))
        bound = test.on(table)
        questions = [
            Triple(frozenset([x]), frozenset([y]), frozenset(given))
            for x, y in combinations(range(5), 2)
            for size in range(3)
            for given in combinations([v for v in range(5) if v not in (x, y)], size)
        ]
        verdicts = [one.independent for one in bound.verdicts(questions)]
        assert bound.decisions(questions) == verdicts
        open_ones += sum(verdicts)
    assert open_ones > 50


@pytest.mark.parametrize(
    "test", [dw.FisherZ(alpha=0.2), dw.StudentT(alpha=0.2), dw.LikelihoodRatio(alpha=0.2)], ids=repr
)
@pytest.mark.parametrize("gaps", [False, True])
def test_decisions_on_numbers_are_those_of_the_verdicts(test: Any, gaps: bool) -> None:
    """Most follow from questions of the same form that were decided before, in whatever order."""
    rng = np.random.default_rng(11)
    kinds = set()
    for case in range(12):
        numbers = rng.normal(size=(6, 40))
        numbers[1:] += 0.3 * numbers[:-1]
        if gaps:
            numbers[rng.random(numbers.shape) < 0.03] = np.nan
        data: dict[str, Any] = dict(zip("abcdef", numbers, strict=True))
        if case % 2 and isinstance(test, dw.LikelihoodRatio):
            data["g"] = [str(one) for one in rng.integers(0, 3, 40)]
        table = dw.read(data)
        questions = [
            Triple(frozenset([x]), frozenset([y]), frozenset(given))
            for x, y in combinations(range(len(data)), 2)
            for size in range(3)
            for given in combinations([v for v in range(len(data)) if v not in (x, y)], size)
        ]
        verdicts = [one.independent for one in test.on(table).verdicts(questions)]
        rng.shuffle(places := np.arange(len(questions)))
        decided = test.on(table).decisions([questions[at] for at in places])
        assert decided == [verdicts[at] for at in places]
        kinds |= set(verdicts)
    assert kinds == {False, True}


def test_strengths_are_those_of_the_verdicts() -> None:
    bound = dw.GSquare(alpha=0.01).on(ASIA)
    assert isinstance(bound, NativeTest)
    tester = PairTester(bound)
    pairs = list(combinations(range(len(ASIA.names)), 2))
    assert tester.effects(pairs) == [one.effect for one in tester.ask([(x, y, ()) for x, y in pairs])]
    questions = [(x, y, (z,)) for x, y in pairs for z in range(2, 5) if z not in (x, y)]
    assert tester.clearness(questions) == [-(one.log_p or 0.0) for one in tester.ask(questions)]
    assert tester.tests == {0: 2 * len(pairs), 1: 2 * len(questions)}
    assert tester.clearness([]) == tester.effects([]) == []


def test_columns_follow_what_is_joined_and_separated_again() -> None:
    bound = dw.GSquare(alpha=0.01).on(ASIA)
    plain = stable_skeleton(PairTester(bound), NO_KNOWLEDGE, Control(), None, on_paths=False)
    stored = native_skeleton(PairTester(bound), NO_KNOWLEDGE, Control(), None)

    def sets(skeleton: Skeleton) -> dict[tuple[int, int], list[int]]:
        x, y, members, ends = (column.tolist() for column in as_columns(skeleton.separated))
        starts = [0, *ends]
        return {pair: members[starts[i] : ends[i]] for i, pair in enumerate(zip(x, y, strict=True))}

    assert sets(stored) == sets(plain)
    first, second, third, *_ = sorted(stored.separated)
    for skeleton in (stored, plain):
        skeleton.edge(*first)
        skeleton.edge(*second)
        skeleton.unlink(*second, Separated(frozenset([third[0], third[1]]) - set(second), YES))
    assert sets(stored) == sets(plain)
    assert first not in sets(stored)
    for pair in sorted(stored.separated):
        stored.edge(*pair)
    assert sets(stored) == {}
    assert len(stored.separated) == 0


def test_separations_are_made_when_they_are_read_and_travel_as_a_tuple() -> None:
    bound = dw.GSquare(alpha=0.01).on(ASIA)
    stored = native_skeleton(PairTester(bound), NO_KNOWLEDGE, Control(), None)
    later = separations(ASIA.names, stored)
    plain = separations(
        ASIA.names, stable_skeleton(PairTester(bound), NO_KNOWLEDGE, Control(), None, on_paths=False)
    )
    assert isinstance(plain, tuple)
    assert len(later) == len(plain)
    assert type(pickle.loads(pickle.dumps(later))) is tuple
    assert copy.deepcopy(later) == later == plain
    assert plain == later
    assert later != plain[1:]
    assert hash(later) == hash(plain)
    assert repr(later) == repr(plain)
    assert later[0] in later
    assert later[-2:] == plain[-2:]
    assert list(reversed(later)) == list(reversed(plain))
    found = dw.learn(ASIA, search=dw.PC())
    assert pickle.loads(pickle.dumps(found)) == found
    assert dw.Learned.from_json(found.to_json()) == found


def test_the_false_discovery_rate_gives_one_answer_whatever_the_form() -> None:
    # The path condition keeps the skeleton in Python; on these data it excludes no set that separates.
    fdr = dw.BenjaminiYekutieli(0.01)
    core = dw.learn(ASIA, search=dw.PC(fdr=fdr))
    plain = dw.learn(ASIA, search=dw.PC(fdr=fdr, path_condition=True))
    assert core.graph == plain.graph
    assert core.notes.get("false discoveries") == plain.notes.get("false discoveries")
