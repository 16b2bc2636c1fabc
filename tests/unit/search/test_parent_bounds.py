"""A bound on parents is kept: what contradicts it is refused, not exceeded."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.methods.registry import Entry, entries

NAMES = ("a", "b", "c", "d")
FULL = dw.Dag(NAMES, [("a", "b"), ("a", "c"), ("b", "c"), ("c", "d")])


def data() -> dw.Table:
    rng = np.random.default_rng(0)
    base = rng.integers(0, 2, (200, 4))
    base[:, 2] = np.where(rng.random(200) < 0.8, base[:, 0] ^ base[:, 1], base[:, 2])
    return dw.read({name: base[:, at].tolist() for at, name in enumerate(NAMES)})


BOUNDED = [
    entry for entry in entries("search") if "max_parents" in {option.name for option in fields(entry.method)}
]


def made(entry: Entry, most: int) -> Any:
    if entry.name == "BranchAndCut":
        pytest.importorskip("highspy")
    return entry.method(**dict.fromkeys(entry.needs, NAMES), max_parents=most)


def test_the_searches_with_a_bound_are_known() -> None:
    assert len(BOUNDED) == 13


@pytest.mark.parametrize("entry", BOUNDED, ids=lambda entry: entry.name)
def test_required_parents_beyond_the_bound_are_refused(entry: Entry) -> None:
    known = dw.Knowledge(required=["a -> c", "b -> c"])
    with pytest.raises(dw.OptionError, match="max_parents=1, but the knowledge requires 2 parents of 'c'"):
        dw.learn(data(), search=made(entry, 1), knowledge=known)
    found = dw.learn(data(), search=made(entry, 2), knowledge=known)
    assert max(len(found.dag.parents(name)) for name in NAMES) == 2


@pytest.mark.parametrize("entry", BOUNDED, ids=lambda entry: entry.name)
def test_required_edges_are_directed_within_the_bound(entry: Entry) -> None:
    joined = dw.Knowledge(required=["a -- d", "b -- d", "c -- d"])
    found = dw.learn(data(), search=made(entry, 1), knowledge=joined)
    assert all(len(found.dag.parents(name)) <= 1 for name in NAMES)
    triangle = dw.Knowledge(required=["a -- d", "b -- d", "a -- b"])
    with pytest.raises(dw.OptionError, match="max_parents=1, but the edges that the knowledge requires"):
        dw.learn(data(), search=made(entry, 1), knowledge=triangle)


@pytest.mark.parametrize("entry", BOUNDED, ids=lambda entry: entry.name)
def test_a_start_beyond_the_bound_is_refused(entry: Entry) -> None:
    with pytest.raises(dw.OptionError, match="max_parents=1, but 'c' has 2 parents in the starting graph"):
        dw.learn(data(), search=made(entry, 1), start=FULL)


def test_searches_inside_others_keep_their_bound() -> None:
    gaps = data().select(NAMES)
    rows = {
        name: [None if at % 9 == 4 else v for at, v in enumerate(gaps.codes(name).tolist())] for name in "ab"
    }
    rows |= {name: gaps.codes(name).tolist() for name in "cd"}
    search = dw.StructuralEM(dw.HillClimb(max_parents=1), restarts=3)
    found = dw.learn(rows, search=search, missing="em")
    assert all(len(found.dag.parents(name)) <= 1 for name in NAMES)
    known = dw.Knowledge(required=["a -> c", "b -> c"])
    for search in (
        dw.StructuralEM(dw.MMHC(maximize=dw.Tabu(max_parents=1))),
        dw.Restrict(dw.MMPC(), dw.HillClimb(max_parents=1)),
        dw.MMHC(maximize=dw.Maximize(by=dw.HillClimb(max_parents=1))),
    ):
        assert getattr(search, "search", search).max_parents == 1
        with pytest.raises(dw.OptionError, match="requires 2 parents of 'c'"):
            dw.learn(rows if isinstance(search, dw.StructuralEM) else data(), search=search, knowledge=known)


@pytest.mark.parametrize("ask", [dw.rivals, dw.credible_set, dw.search.enumerate_networks, dw.candidates])
def test_other_questions_with_a_bound_refuse_too(ask: Any) -> None:
    with pytest.raises(dw.OptionError, match="requires 2 parents of 'c'"):
        ask(data(), max_parents=1, knowledge=dw.Knowledge(required=["a -> c", "b -> c"]))
