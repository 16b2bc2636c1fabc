"""No continuous parent of a discrete child: a rule of knowledge, and the member of a class that obeys it."""

from __future__ import annotations

from pathlib import Path

import pytest

import dagwright as dw
from dagwright.errors import FormatError, GraphError, KnowledgeError
from dagwright.model.gaussian.orientation import member_for_numbers

NAMES = ["height", "sex", "smoker", "weight"]


def test_what_the_rule_forbids() -> None:
    known = dw.Knowledge(continuous=["height", "weight"]).resolve(NAMES)
    assert known.allows("weight", ["height", "sex", "smoker"])
    assert known.allows("height", ["weight"])
    assert known.allows("smoker", ["sex"])
    assert not known.allows("smoker", ["height"])
    assert (
        known.reason("height", "sex")
        == "forbidden by continuous: no arc from a continuous to a discrete variable"
    )
    with pytest.raises(KnowledgeError, match="no arc from a continuous to a discrete variable"):
        dw.Knowledge(continuous=["height"], required=["height -> sex"]).resolve(NAMES)


def test_two_statements_are_one() -> None:
    both = dw.Knowledge(continuous="height") + dw.Knowledge(continuous=["weight"])
    assert both == dw.Knowledge(continuous=["weight", "height"])
    assert both.resolve(NAMES).allows("height", ["weight"])


@pytest.mark.parametrize("suffix", ["toml", "json"])
def test_the_rule_in_files(suffix: str, tmp_path: Path) -> None:
    known = dw.Knowledge(continuous=["height", "weight"], forbidden=["sex -> smoker"])
    known.save(tmp_path / f"known.{suffix}")
    assert dw.Knowledge.load(tmp_path / f"known.{suffix}") == known
    assert eval(repr(known), {"Knowledge": dw.Knowledge}) == known
    with pytest.raises(FormatError, match="cannot say 'continuous: height, weight'"):
        known.save(tmp_path / "known.txt")


def test_searches_obey_the_rule() -> None:
    rows = dw.load("asia").sample(500, random_state=1)
    found = dw.learn(rows, knowledge=dw.Knowledge(continuous=["xray", "smoke", "tub"]))
    assert not [
        (a, b)
        for a, b in found.dag.edges
        if a in ("xray", "smoke", "tub") and b not in ("xray", "smoke", "tub")
    ]


def test_a_member_that_obeys_is_taken_from_the_class() -> None:
    chain = dw.Pdag.parse("height -- sex; height -- weight")
    member = member_for_numbers(chain, ["height", "weight"])
    assert member == dw.Dag.parse("sex -> height; height -> weight")
    assert member.cpdag() == chain


def test_an_edge_that_cannot_be_turned_is_named() -> None:
    collider = dw.Dag.parse("height -> sex; weight -> sex").cpdag()
    with pytest.raises(
        GraphError, match=r"no equivalent graph avoids the edge 'height' -> 'sex'.*knowledge rule"
    ):
        member_for_numbers(collider, ["height", "weight"])
    with pytest.raises(GraphError, match="the edge 'height' -> 'sex' goes from a continuous to a discrete"):
        member_for_numbers(dw.Dag.parse("height -> sex"), ["height"])
