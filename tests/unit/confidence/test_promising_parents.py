"""The few candidate parents that sampling starts from, against a plain search for them."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

import dagwright as dw
from dagwright import _core
from dagwright.confidence.candidate_parents import SHORTLIST, WITHIN_NATS, candidate_parents
from dagwright.confidence.setting import Setting
from dagwright.search.control import Control

TABLE = dw.load("insurance").sample(300, random_state=1)


def setting(table: dw.Table = TABLE, knowledge: dw.Knowledge | None = None) -> Setting:
    return Setting.of(dw.Study(knowledge=knowledge or dw.Knowledge()), table, Control())


def promising(made: Setting, most: int, shortlist: int, **options: Any) -> _core.PromisingParents:
    given = {"max_parents": None, "within": WITHIN_NATS, "most": most, "shortlist": shortlist, **options}
    return _core.promising_parents(made.score.native, made.knowledge.native, **given)


def native(made: Setting, most: int, shortlist: int, max_parents: int | None = None) -> list[list[int]]:
    found = promising(made, most, shortlist, max_parents=max_parents)
    assert found.stopped is None
    return found.parents


def plainly(made: Setting, child: int, most: int, shortlist: int, max_parents: int = 3) -> list[int]:
    """Greedy shortlist, then all its sets of up to three, each against its subsets."""
    others = [other for other in range(len(made.names)) if other != child]

    def score(parents: Any) -> float:
        return float(made.score.local([(child, frozenset(parents))])[0])

    listed: list[int] = []
    best = {other: score({other}) for other in others}
    while len(listed) < min(shortlist, len(others)):
        newcomer = max((other for other in others if other not in listed), key=lambda one: (best[one], -one))
        listed.append(newcomer)
        for other in others:
            best[other] = max(best[other], score({other, newcomer}) if other != newcomer else best[other])
    known = {frozenset[int](): score(())}
    top = dict(known)
    kept = []
    for size in range(1, max_parents + 1):
        for members in combinations(sorted(listed), size):
            one = frozenset(members)
            known[one] = score(one)
            below = max(top[one - {member}] for member in one)
            top[one] = max(below, known[one])
            if known[one] > below - WITHIN_NATS:
                kept.append((-known[one], size, members))
    ranked: dict[int, None] = {}
    for _, _, members in sorted(kept):
        ranked |= dict.fromkeys(members)
    return sorted(list(ranked)[:most])


@pytest.mark.parametrize("shortlist", [5, 9])
def test_as_a_plain_search_finds_them(shortlist: int) -> None:
    made = setting()
    found = native(made, 4, shortlist)
    for child in range(0, len(made.names), 4):
        assert found[child] == plainly(made, child, 4, shortlist)


def test_a_long_shortlist_leaves_nothing_out() -> None:
    made = setting()
    assert native(made, 5, SHORTLIST) == native(made, 5, len(made.names))
    assert native(made, 5, SHORTLIST) != native(made, 5, 6)


def test_knowledge_and_bounds_count() -> None:
    names = TABLE.names
    known = dw.Knowledge(required=[(names[0], names[9])], forbidden=[(name, names[3]) for name in names[4:]])
    made = setting(knowledge=known)
    at = {name: number for number, name in enumerate(made.names)}
    for shortlist in (6, SHORTLIST):
        found = native(made, 4, shortlist)
        assert at[names[0]] in found[at[names[9]]]
        assert set(found[at[names[3]]]) <= {at[name] for name in names[:3]}
        assert all(len(row) <= 4 for row in found)
        assert native(made, 4, shortlist, max_parents=0) == [[]] * at[names[9]] + [[at[names[0]]]] + [[]] * (
            len(names) - 1 - at[names[9]]
        )


def test_columns_and_threads_change_nothing() -> None:
    chosen = []
    for names in (TABLE.names, TABLE.names[::-1]):
        made = setting(dw.read({name: TABLE.decode(name) for name in names}))
        found = native(made, 4, 8)
        chosen.append({made.names[v]: {made.names[p] for p in row} for v, row in enumerate(found)})
    assert chosen[0] == chosen[1]
    made = setting()
    assert promising(made, 4, 8, threads=2).parents == native(made, 4, 8)


def test_ten_candidates_of_a_hundred_and_fifty_variables() -> None:
    network = dw.random_network(150, arcs=200, max_parents=3, cardinalities=2, random_state=4)
    table = network.sample(500, random_state=5)
    made = setting(table)
    found = candidate_parents(made, dw.PartitionMCMC(candidates=10))
    assert max(map(len, found)) == 10
    at = {name: number for number, name in enumerate(made.names)}
    named = [at[parent] in found[at[child]] for parent, child in network.graph.edges]
    assert sum(named) > 0.8 * len(named)


def test_the_time_limit_ends_it() -> None:
    found = promising(setting(), 4, 8, seconds=0.0)
    assert found.stopped == _core.Stop.deadline
    assert found.evaluations < 2000
