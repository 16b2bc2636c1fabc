"""The schema of a table: a value of its own, and the only place of what is known of columns."""

from __future__ import annotations

import datetime
import json
import pickle

import pytest

from dagwright.data import Bins, Continuous, Discrete, Origin, Schema
from dagwright.errors import DataError, FormatError, OptionError, UnknownNameError

MIXED = Schema(
    [
        Discrete("sex", ["f", "m"]),
        Discrete("code", [1, 2.0, True, "1", datetime.date(2024, 2, 29)]),
        Discrete("grade", ["low", "high"], Origin(ordered=True)),
        Discrete("size", Bins((1.5,)).labels, Origin(bins=Bins((1.5,)))),
        Discrete("town", ["Bonn", "other"], Origin(other="other")),
        Continuous("height"),
        Continuous("day", "date", Origin(missing_values=("-",), part_of=None)),
    ]
)


def test_kinds() -> None:
    assert MIXED.kind == "mixed"
    assert MIXED.continuous == ("height", "day")
    assert MIXED.select(["height", "day"]).kind == "continuous"
    assert MIXED.select(["sex", "size"]).kind == "discrete"
    assert Schema([]).kind == "discrete"
    assert {v.name: v.kind for v in MIXED}["size"] == "continuous"  # in the source
    assert [v.name for v in MIXED if v.ordered] == ["grade", "size", "height", "day"]
    assert [v.cardinality for v in MIXED] == [2, 5, 2, 2, 2, 0, 0]
    assert MIXED["size"].bins == Bins((1.5,)) and MIXED["height"].bins is None


def test_json_there_and_back() -> None:
    again = Schema.from_json(MIXED.to_json())
    assert again == MIXED and hash(again) == hash(MIXED)
    assert again["day"].origin.missing_values == ("-",)
    assert json.loads(MIXED.select(["height"]).to_json()) == {
        "variables": [{"name": "height", "scale": "number"}]
    }
    assert pickle.loads(pickle.dumps(MIXED)) == MIXED


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"variables": [{}]}', '{"variables": [{"name": "x"}]}', '{"variables": 3}']
)
def test_other_json_is_refused(text: str) -> None:
    with pytest.raises(FormatError, match="schema"):
        Schema.from_json(text)


def test_a_state_that_json_cannot_hold() -> None:
    with pytest.raises(FormatError, match="JSON cannot hold"):
        Schema([Discrete("x", [(1, 2)])]).to_json()


def test_equality_tells_states_of_different_types_apart() -> None:
    one = Schema([Discrete("x", [0, 1])])
    assert one == Schema([Discrete("x", [0, 1])])
    assert one != Schema([Discrete("x", [0.0, 1.0])])
    assert one != Schema([Discrete("x", [False, True])])
    assert one != Schema([Discrete("x", [1, 0])])
    assert one != Schema([Continuous("x")])
    assert Continuous("x") != Continuous("x", "date")


def test_select_and_rename() -> None:
    assert MIXED.select(["height", "sex"]).names == ("height", "sex")
    renamed = MIXED.rename({"sex": "s", "height": "h"})
    assert renamed.names == ("s", "code", "grade", "size", "town", "h", "day")
    assert renamed["s"].states == ("f", "m")
    for schema in (MIXED, renamed):
        assert all(schema[v.name] is v for v in schema)
    assert "sex" in MIXED and "s" not in MIXED and len(MIXED) == 7
    with pytest.raises(UnknownNameError, match="unknown column 'hight'"):
        MIXED["hight"]
    with pytest.raises(UnknownNameError, match="unknown column 'z'"):
        MIXED.rename({"z": "y"})


def test_unsound_schemas_are_refused() -> None:
    with pytest.raises(DataError, match="appears twice"):
        Schema([Continuous("x"), Discrete("x", ["a"])])
    with pytest.raises(DataError, match="declares the state 'a' twice"):
        Discrete("x", ["a", "a"])
    with pytest.raises(OptionError, match="scale='days'"):
        Continuous("x", "days")  # type: ignore[arg-type]


def test_printed_as_code() -> None:
    assert repr(MIXED.select(["sex", "height"])) == (
        "Schema([Discrete(name='sex', states=('f', 'm')), Continuous(name='height')])"
    )
