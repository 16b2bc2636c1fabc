"""Infinite and undefined numbers in JSON documents, which other programs must be able to read."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import pytest

import dagwright as dw
from dagwright import wire
from dagwright.base.json_numbers import read_numbers, written_numbers

ROWS = {"inf": [0, 1] * 20, "b": [0, 1] * 20, "c": [0, 0, 1, 1] * 10}
HINTS: dict[str, Any] = {
    "score": float | None,
    "name": str | None,
    "trace": list[tuple[str, float]],
    "by_name": dict[str, float],
    "notes": dict[str, Any],
}


def strictly(text: str) -> Any:
    """What a text holds; a constant that is no JSON is refused."""

    def refuse(constant: str) -> Any:
        raise ValueError(constant)

    return json.loads(text, parse_constant=refuse)


@pytest.fixture(scope="module")
def found() -> dw.Learned:
    """A result whose score is minus infinity: the prior rules out the edge that is required."""
    learned = dw.learn(
        ROWS,
        search=dw.HillClimb(),
        score="BIC",
        structure_prior=dw.ParentCount([0.0]),
        knowledge={"required": ["inf -> b"]},
    )
    assert learned.score == -math.inf
    return learned


def test_numbers_survive_as_texts() -> None:
    document = {
        "score": -math.inf,
        "name": "inf",
        "trace": [["nan", math.inf]],
        "by_name": {"inf": math.nan},
        "notes": {"inf": [1.0, -math.inf, "inf", {"best": math.inf}]},
        "unknown": "-inf",
    }
    again = read_numbers(strictly(json.dumps(written_numbers(document), allow_nan=False)), HINTS, ["inf"])
    assert math.isnan(again["by_name"].pop("inf"))
    assert math.isnan(document["by_name"].pop("inf"))  # type: ignore[attr-defined]
    document["notes"]["inf"][3] = {"best": "inf"}  # type: ignore[index]  # a variable has this name
    assert again == document


def test_a_document_of_another_form_stays_as_it_is() -> None:
    for wrong in (3, None, "inf", ["inf"]):
        assert read_numbers(wrong, HINTS) == wrong
    assert read_numbers({"trace": [["a"]], "by_name": "x"}, HINTS) == {"trace": [["a"]], "by_name": "x"}


def test_a_result_with_an_infinite_score(found: dw.Learned) -> None:
    marked = replace(found, gap=math.inf, notes={"best": -math.inf, "first": "inf"})
    document = strictly(marked.to_json())
    assert (document["score"], document["gap"]) == ("-inf", "inf")
    again = dw.Learned.from_json(marked.to_json())
    assert (again.score, again.gap, again.notes) == (-math.inf, math.inf, marked.notes)
    assert again == marked
    assert wire.from_dict(strictly(json.dumps(wire.to_dict(marked), allow_nan=False))) == marked


def test_a_result_of_an_earlier_release(found: dw.Learned) -> None:
    old = found.to_json().replace('"score": "-inf"', '"score": -Infinity')
    assert "-Infinity" in old
    assert dw.Learned.from_json(old) == found


def test_a_confidence() -> None:
    made = dw.bootstrap(ROWS, search=dw.HillClimb(), replicates=5)
    odd = replace(made, effective_samples=math.inf)
    assert strictly(odd.to_json())["effective_samples"] == "inf"
    assert dw.Confidence.from_json(odd.to_json()) == odd


def test_a_report(found: dw.Learned) -> None:
    page = strictly(dw.report(found, rival_seconds=0).to_json())
    assert page["learned"]["score"] == "-inf"
