"""Knowledge as a value: arguments, equality, repr, merging, pickling."""

from __future__ import annotations

import copy
import pickle

import pytest

import dagwright as dw
from dagwright.errors import KnowledgeError
from dagwright.graph.dag import Dag
from dagwright.knowledge import Knowledge

EVERYTHING = Knowledge(
    required=["A -> B", ("B", "C"), "C -- D"],
    forbidden=[("D", "--", "A"), frozenset({"E", "A"})],
    tiers=[["A"], {"nodes": ["B", "C"], "inner": False}, ["*"]],
    order=["A", "B"],
    partial_order=["A < B < C", ("A", "D")],
    roots="A",
    leaves=["E"],
    max_parents={"*": 3, "A": 0},
    allowed=["A -> B -> C -- D", "x* -- y*"],
    independent=["D, E | A", ("A", ["D", "E"], "B")],
    groups={"pair": ["D", "E"]},
)


def test_repr_reads_back() -> None:
    both = EVERYTHING + Knowledge(order=["A", "C"], tiers=[["A"], ["C"]], allowed=[])
    assert eval(repr(both)) == both
    assert repr(Knowledge()) == "Knowledge()"


def test_is_a_value() -> None:
    same = pickle.loads(pickle.dumps(EVERYTHING))
    assert same == EVERYTHING
    assert hash(same) == hash(EVERYTHING)
    assert copy.deepcopy(EVERYTHING) == EVERYTHING
    with pytest.raises(AttributeError):
        EVERYTHING.groups = ()  # type: ignore[misc]


def test_the_order_of_statements_does_not_matter() -> None:
    one = Knowledge(required=["A -> B", "B -- C"], roots=["A", "D"])
    other = Knowledge(roots=["D", "A", "A"], required=["C -- B", "A -> B"])
    assert one == other
    assert len({one, other}) == 1


def test_nothing_said_is_false() -> None:
    assert not Knowledge()
    assert not Knowledge(required=[], tiers=[], order=[], partial_order=[])
    assert Knowledge(allowed=[])
    assert Knowledge(max_parents=0)


def test_edge_forms() -> None:
    texts = Knowledge(required="A -> B; C <- B\nC -- D")
    pairs = Knowledge(required=[("A", "B"), ["B", "->", "C"], {"C", "D"}])
    assert texts == pairs
    assert Knowledge(required=("A", "B")) == Knowledge(required=["A -> B"])
    assert Knowledge(allowed=Dag(["A", "B", "C"], [("A", "B")])) == Knowledge(allowed=["A -> B"])
    odd = Knowledge(forbidden=[("x -> y", "z"), ("a;b", "--", "c")])
    assert eval(repr(odd)) == odd


@pytest.mark.parametrize(
    "arguments",
    [
        {"required": ["A B"]},
        {"required": ["A ->"]},
        {"required": [("A", 1)]},
        {"required": [("A", "B", "C")]},
        {"required": {"A": "B"}},
        {"required": 3},
        {"tiers": "A"},
        {"tiers": [{"node": ["A"]}]},
        {"tiers": [{"nodes": ["A"], "inner": "no"}]},
        {"order": [1, 2]},
        {"partial_order": ["A"]},
        {"partial_order": 5},
        {"roots": 5},
        {"max_parents": -1},
        {"max_parents": True},
        {"max_parents": {"A": 1.5}},
        {"independent": ["| A"]},
        {"independent": [("A",)]},
        {"independent": 5},
        {"groups": {"g": [3]}},
    ],
)
def test_malformed_arguments_are_refused(arguments: dict[str, object]) -> None:
    with pytest.raises(KnowledgeError):
        Knowledge(**arguments)  # type: ignore[arg-type]


def test_merge_keeps_what_both_say() -> None:
    known = Knowledge(max_parents=3, allowed=["A -- B", "B -- C"]) + Knowledge(
        max_parents=1, allowed=["A -> B"]
    )
    resolved = known.resolve(list("ABC"))
    assert resolved.max_parents_of("C") == 1
    assert [arc for arc in (("A", "B"), ("B", "A"), ("B", "C")) if resolved.allows_arc(*arc)] == [("A", "B")]


def test_merge_refuses_one_group_name_for_two_sets() -> None:
    with pytest.raises(KnowledgeError, match="group 'g'"):
        Knowledge(groups={"g": ["A"]}) + Knowledge(groups={"g": ["B"]})


def test_whitelist_both_ways_is_a_link() -> None:
    known = Knowledge.from_lists(
        whitelist=[("A", "B"), ("B", "A"), ("C", "D")], blacklist=[("D", "A"), ("A", "D")]
    )
    assert known == Knowledge(required=["A -- B", "C -> D"], forbidden=["D -> A", "A -> D"])
    with pytest.raises(KnowledgeError, match="both required and forbidden"):
        Knowledge.from_lists(whitelist=[("A", "B")], blacklist=[("A", "B")]).resolve(list("AB"))


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_from_to_tables(library: str) -> None:
    frames = pytest.importorskip(library)
    frame = frames.DataFrame({"from": ["A", "B"], "to": ["B", "C"]})
    assert Knowledge.from_lists(whitelist=frame) == Knowledge(required=["A -> B", "B -> C"])
    with pytest.raises(ValueError, match="'from' and 'to'"):
        Knowledge.from_lists(blacklist=frames.DataFrame({"a": ["A"], "b": ["B"]}))


def test_an_option_that_is_misspelled_is_named() -> None:
    with pytest.raises(dw.UnknownNameError, match="option of Knowledge 'forbiden'; did you mean 'forbidden'"):
        dw.Knowledge(forbiden=["a -> b"])
    with pytest.raises(dw.OptionError, match="by position; write the others as option=value"):
        dw.Knowledge(["a -> b"])
    with pytest.raises(dw.UnknownNameError, match="option of Study 'serach'; did you mean 'search'"):
        dw.Study(serach="GES")
