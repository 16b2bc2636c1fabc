"""Every contradiction is found before any search, listed with the fewest statements that make it."""

from __future__ import annotations

import time

import pytest

from dagwright.errors import KnowledgeError
from dagwright.knowledge import Knowledge

NAMES = tuple("ABCDE")


def said(known: Knowledge, names: tuple[str, ...] = NAMES) -> list[set[str]]:
    return [set(conflict.statements) for conflict in known.conflicts(names)]


def test_required_and_forbidden() -> None:
    known = Knowledge(required=["A -> B", "C -> D"], forbidden=["A -> *"])
    assert said(known) == [{"required: A -> B", "forbidden: A -> *"}]
    with pytest.raises(KnowledgeError, match="A -> B is both required and forbidden"):
        known.resolve(NAMES)


def test_required_against_a_tier_an_order_a_root_and_the_space() -> None:
    assert said(Knowledge(required=["B -> A"], tiers=[["A"], ["B"]])) == [
        {"required: B -> A", "tier 1 before tier 2 (A, B)"}
    ]
    assert said(Knowledge(required=["B -> A"], order=["A", "C", "B"])) == [
        {"required: B -> A", "order: A before B"}
    ]
    assert said(Knowledge(required=["B -> A"], roots=["A"])) == [{"required: B -> A", "root: A"}]
    assert said(Knowledge(required=["B -> A"], leaves=["B"])) == [{"required: B -> A", "leaf: B"}]
    assert said(Knowledge(required=["B -> A"], allowed=["A -> B"])) == [
        {"required: B -> A", "allowed: B -> A is outside the search space"}
    ]
    assert said(Knowledge(required=["A -- B"], independent=["A, B | C"])) == [
        {"required: A -- B", "independent: A, B | C"}
    ]


def test_a_required_cycle_is_the_shortest_one() -> None:
    known = Knowledge(required=["A -> B -> C -> D -> A", "C -> A", "E -> A"])
    assert said(known)[0] == {"required: A -> B", "required: B -> C", "required: C -> A"}


def test_every_cycle_is_listed() -> None:
    known = Knowledge(required=["A -> B -> A", "C -> D -> E -> C"])
    assert said(known) == [
        {"required: A -> B", "required: B -> A"},
        {"required: C -> D", "required: D -> E", "required: E -> C"},
    ]


def test_a_cycle_through_a_link_names_what_turned_the_link() -> None:
    known = Knowledge(required=["A -> B", "B -> C", "A -- C"], forbidden=["A -> C"])
    assert said(known) == [{"required: A -> B", "required: B -> C", "required: A -- C", "forbidden: A -> C"}]
    assert said(Knowledge(required=["A -> B", "B -> C", "A -- C"])) == []


def test_a_link_forbidden_both_ways() -> None:
    known = Knowledge(required=["A -- B"], roots=["A"], leaves=["A"])
    assert said(known) == [{"required: A -- B", "root: A", "leaf: A"}]
    assert said(Knowledge(required=["A -- B"], forbidden=["B -- A"])) == [
        {"required: A -- B", "forbidden: A -- B"}
    ]


def test_more_required_parents_than_the_bound() -> None:
    known = Knowledge(required=["A -> E", "B -> E", "C -> E"], max_parents=1)
    assert said(known) == [
        {"max_parents: at most 1 for every variable", "required: A -> E", "required: B -> E"}
    ]
    turned = Knowledge(required=["A -> E", "B -- E"], leaves=["E"], max_parents={"E": 1})
    assert said(turned) == [
        {"max_parents: at most 1 for E", "required: A -> E", "required: B -- E", "leaf: E"}
    ]


def test_links_that_cannot_be_directed_within_the_bounds() -> None:
    square_with_diagonal = Knowledge(required=["A -- B -- C -- D -- A", "A -- C"], max_parents=1)
    first = said(square_with_diagonal)[0]
    assert "max_parents: at most 1 for every variable" in first
    assert len(first) == 4
    assert said(Knowledge(required=["A -- B -- C -- D -- E"], max_parents=1)) == []
    assert said(Knowledge(required=["A -- B -- C -- A"], max_parents=2)) == []


def test_orders_that_contradict_each_other() -> None:
    assert said(Knowledge(order=["A", "B"], tiers=[["B"], ["A"]])) == [
        {"order: A before B", "tier 1 before tier 2 (B, A)"}
    ]
    assert said(Knowledge(order=["A", "B"]) + Knowledge(order=["B", "C"]) + Knowledge(order=["C", "A"])) == [
        {"order: A before B", "order: B before C", "order: C before A"}
    ]
    assert said(Knowledge(partial_order=["A < B < C", "C < A"])) == [
        {"partial order: A < B", "partial order: B < C", "partial order: C < A"}
    ]
    assert said(Knowledge(partial_order=["A < C < B"], order=["B", "A"])) == [
        {"partial order: A < C", "partial order: C < B", "order: B before A"}
    ]
    reversed_orders = Knowledge(order=NAMES) + Knowledge(order=NAMES[::-1])
    assert len(said(reversed_orders)) == 10


def test_a_variable_in_two_places() -> None:
    problems = [conflict.summary for conflict in Knowledge(tiers=[["A", "B"], ["B"]]).conflicts(NAMES)]
    assert problems == ["'B' is in tier 1 and in tier 2"]
    assert "place 1 and in place 3" in Knowledge(order=["A", "B", "A"]).conflicts(NAMES)[0].summary
    assert "stands for 5 variables" in Knowledge(order=["*"]).conflicts(NAMES)[0].summary
    assert "before itself" in Knowledge(partial_order=["A < *"]).conflicts(NAMES)[0].summary
    assert "both sides of the bar" in Knowledge(independent=["A, B | B"]).conflicts(NAMES)[0].summary
    assert "joined with itself" in Knowledge(required=["A -> A"]).conflicts(NAMES)[0].summary
    assert "of itself" in Knowledge(independent=["A _||_ A, B"]).conflicts(NAMES)[0].summary


def test_unknown_names_are_all_listed_with_the_nearest() -> None:
    known = Knowledge(required=["Smok -> Lung"], roots=["Agee", "lab_*"], max_parents={"Lnug": 2})
    with pytest.raises(KnowledgeError) as caught:
        known.resolve(["Age", "Smoke", "Lung"])
    message = str(caught.value)
    assert "unknown variable 'Smok'; did you mean 'Smoke'?" in message
    assert "unknown variable 'Agee'; did you mean 'Age'?" in message
    assert "unknown variable 'Lnug'; did you mean 'Lung'?" in message
    assert "pattern 'lab_*' matches no variable" in message
    assert len(caught.value.conflicts) == 4


def test_unknown_names_do_not_hide_other_contradictions() -> None:
    known = Knowledge(required=["A -> B", "B -> A", "Z -> A"])
    assert len(known.conflicts(NAMES)) == 2


def test_patterns_show_the_case_that_conflicts() -> None:
    known = Knowledge(required=["x* -> y"], forbidden=["x2 -> y"])
    assert said(known, ("x1", "x2", "y")) == [{"required: x* -> y (x2 -> y)", "forbidden: x2 -> y"}]


def test_large_contradictory_knowledge_is_refused_in_seconds() -> None:
    names = tuple(f"v{i:03}" for i in range(500))
    ring = [(names[i], names[(i + 1) % 500]) for i in range(500)]
    clique = Knowledge(required=["v00? -- v00?"], max_parents=3)
    start = time.perf_counter()
    assert [len(statements) for statements in said(Knowledge(required=ring), names)] == [500]
    assert said(clique, names)
    assert len(said(Knowledge(order=names) + Knowledge(order=names[::-1]), names)) == 101
    assert time.perf_counter() - start < 20
