from __future__ import annotations

import io

import numpy as np
import pandas as pd
import polars as pl
import pytest

from dagwright.data import EqualFrequency, Table, read
from dagwright.errors import DataError, OptionError


@pytest.fixture
def table() -> Table:
    return read(
        {"a": ["x", "y", "z"] * 10, "n": [1, 2, 3] * 10, "v": np.arange(30) / 3},
        discretize=EqualFrequency(2),
    )


def test_new_rows_take_the_same_states_and_bins(table: Table) -> None:
    new = table.encode(
        {"v": [-100.0, 100.0, None], "n": [3, None, 1], "a": ["z", "z", "x"], "more": [1, 2, 3]}
    )
    assert new.names == table.names
    assert new.states == table.states
    assert new.bins == table.bins
    low, high = table.states_of("v")
    assert new.to_dict() == {"a": ["z", "z", "x"], "n": [3, None, 1], "v": [low, high, None]}


def test_same_data_give_the_same_codes(table: Table) -> None:
    assert table.encode(table) == table
    assert table.encode(table.to_pandas()) == table
    assert table.encode(table.to_polars()) == table
    assert table.encode(table.with_weights(np.ones(30))).N == 30
    shuffled = table.select(["v", "n", "a"])
    assert table.encode(shuffled) == table


@pytest.mark.parametrize("column", [pd.Series([3.0, np.nan]), np.array([3, 1]), pl.Series([3, None]), ["3"]])
def test_numbers_match_across_number_types_but_not_text(column: object) -> None:
    table = read({"n": [1, 2, 3]})
    if isinstance(column, list):
        with pytest.raises(DataError, match="unknown state '3'; known states: 1, 2, 3"):
            table.encode({"n": column})
    else:
        assert table.encode({"n": column}).decode("n")[0] == 3


def test_text_files_match_by_spelling() -> None:
    spelled = read({"code": ["007", "12"]})
    assert spelled.encode(io.StringIO("code\n12\n12\n")).decode("code") == ["12", "12"]
    numbers = read({"n": [1, 2, 10]})
    assert numbers.encode(io.StringIO("n\n10\n2.0\n")).decode("n") == [10, 2]


def test_unknown_states_are_refused_by_row(table: Table) -> None:
    with pytest.raises(
        DataError, match=r"column 'a', row 1 \(counted from 0\): unknown state 'w'; known states: x, y, z"
    ):
        table.encode({"a": ["x", "w", "u"], "n": [1, 1, 1], "v": [0.0, 0.0, 0.0]})
    declared = pd.DataFrame({"a": pd.Categorical(["y"], categories=["w", "y"]), "n": [1], "v": [0.0]})
    assert table.encode(declared).decode("a") == ["y"]


def test_absent_columns(table: Table) -> None:
    with pytest.raises(DataError, match="no column 'n' in the new data; add it or pass absent='missing'"):
        table.encode({"a": ["x"], "v": [1.0]})
    assert table.encode({"a": ["x"]}, absent="missing").to_dict() == {"a": ["x"], "n": [None], "v": [None]}
    with pytest.raises(OptionError, match="absent='ignore'"):
        table.encode({"a": ["x"]}, absent="ignore")  # type: ignore[arg-type]


def test_a_missing_state_stays_what_it_was() -> None:
    gaps = read({"v": [*np.arange(29.0), None]}).discretized().complete("state")
    assert gaps.states_of("v")[-1] == "missing"
    assert gaps.encode(gaps) == gaps
    assert gaps.encode({"v": [0.0, None]}).decode("v") == [gaps.states_of("v")[0], None]


def test_unknown_values_join_the_grouped_rare_ones() -> None:
    table = read({"a": ["x"] * 5 + ["y"] * 5 + ["u", "v"]}, rare=2)
    assert table.origins["a"].other == "other"
    assert table.encode({"a": ["u", "new", "x"]}).decode("a") == ["other", "other", "x"]
    assert table.rename({"a": "b"}).select(["b"]).encode({"b": ["new"]}).decode("b") == ["other"]
