from __future__ import annotations

import datetime
import itertools

import numpy as np
import pytest

from dagwright.data.states import (
    in_natural_order,
    is_missing,
    parse_number,
    plain,
    shown_states,
    states_of_texts,
)


def test_natural_order() -> None:
    assert in_natural_order(["b", "a", "Z", "é"]) == ["Z", "a", "b", "é"]
    assert in_natural_order(["10", "9", "-1.5", "09"]) == ["-1.5", "09", "9", "10"]
    assert in_natural_order([10, 9, 2.5]) == [2.5, 9, 10]
    assert in_natural_order(["x", 1, True, 0.5]) == [True, 0.5, 1, "x"]
    assert in_natural_order([datetime.date(2020, 1, 2), datetime.date(2020, 1, 1)])[0].day == 1
    assert in_natural_order([(2,), ("a",)]) == [("a",), (2,)]


def test_natural_order_is_a_function_of_the_set() -> None:
    values = [True, 1, 1.0, "1", "a", (1,), None.__class__]
    answers = {repr(in_natural_order(order)) for order in itertools.permutations(values)}
    assert len(answers) == 1


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1", 1.0),
        (" -2.5e3 ", -2500.0),
        ("inf", np.inf),
        ("nan", None),
        ("1_000", None),
        ("", None),
        ("x", None),
        ("-", None),
    ],
)
def test_parse_number(text: str, number: float | None) -> None:
    assert parse_number(text) == number


def test_parse_number_with_decimal_comma() -> None:
    assert parse_number("1,5", ",") == 1.5
    assert parse_number("1.5", ",") is None


def test_texts_become_numbers_only_without_loss() -> None:
    assert states_of_texts(["1", "10"]) == [1, 10]
    assert states_of_texts(["1.0", "2.5"]) == [1.0, 2.5]
    for texts in (["1", "2.5"], ["1.10"], ["007"], ["1e5"], ["True"], ["nan", "1.0"], ["+1"]):
        assert states_of_texts(texts) == texts


def test_missing_values() -> None:
    import pandas as pd

    assert all(map(is_missing, [None, float("nan"), np.float32("nan"), pd.NA, pd.NaT, np.datetime64("NaT")]))
    assert not any(map(is_missing, ["", "NA", 0, False, np.int64(0), np.datetime64("2020-01-01")]))
    assert type(plain(np.int8(3))) is int


def test_shown_states() -> None:
    assert shown_states(["a b", "c"]) == "'a b', 'c'"
    assert shown_states(range(9), 2) == "0, 1, ... (9 in all)"
