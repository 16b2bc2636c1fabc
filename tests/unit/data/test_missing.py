from __future__ import annotations

from typing import Any

import pytest

import dagwright as dw
from dagwright.data import Table, apply_policy, read, require_complete, require_learnable
from dagwright.data.missing import OF_QUESTIONS
from dagwright.errors import DataError, MissingValuesError, OptionError


@pytest.fixture
def gaps() -> Table:
    return read(
        {"a": ["x", None, "y", "x"], "b": [1, 2, None, 1], "c": ["p", "q", "p", "q"]}, weights=[1, 2, 3, 4]
    )


def test_complete_data_pass() -> None:
    whole = read({"a": [1, 2], "b": [3, 4]})
    require_complete(whole)
    assert apply_policy(whole, None) is whole
    assert whole.complete("drop") is whole
    assert whole.complete("state") is whole


def test_refusal_names_columns_counts_and_policies(gaps: Table) -> None:
    with pytest.raises(MissingValuesError) as refused:
        apply_policy(gaps, None, offers=OF_QUESTIONS)
    message = str(refused.value)
    for part in ("'a' (1), 'b' (1)", "4 rows", "missing='drop'", "missing='state'", "missing='available'"):
        assert part in message
    many = read({f"c{i}": [1, None] for i in range(12)})
    with pytest.raises(MissingValuesError, match="and 7 more columns"):
        require_complete(many)


def test_drop_is_recorded(gaps: Table) -> None:
    kept = apply_policy(gaps, "drop")
    assert kept.to_dict() == {"a": ["x", "x"], "b": [1, 1], "c": ["p", "q"]}
    assert kept.N == 5
    assert kept.states == gaps.states
    assert kept.notes == ("dropped 2 of 4 rows because of missing values",)


def test_dropping_everything_is_refused() -> None:
    with pytest.raises(MissingValuesError, match=r"every row has a missing value.*'b' has most"):
        read({"a": [None, 1, 2], "b": [1, None, None]}).complete("drop")


def test_missing_as_a_state(gaps: Table) -> None:
    own = apply_policy(gaps, "state")
    assert own.states == (("x", "y", "missing"), (1, 2, "missing"), ("p", "q"))
    assert own.decode("a") == ["x", "missing", "y", "x"]
    assert sum(own.missing.values()) == 0
    assert own.N == gaps.N
    assert "'missing' in 'a'" in own.notes[0]
    taken = read({"a": ["missing", None]}).complete("state")
    assert taken.states_of("a") == ("missing", "missing_")


def test_the_extra_state_may_need_wider_codes() -> None:
    table = read({"a": [*(f"s{i}" for i in range(255)), None]}).complete("state")
    assert table.codes("a").dtype.itemsize == 2
    assert table.decode("a")[-2:] == ["s254", "missing"]


def test_available_is_for_tests_only(gaps: Table) -> None:
    assert apply_policy(gaps, "available", offers=OF_QUESTIONS) is gaps
    with pytest.raises(OptionError, match="'available' needs an independence test or NodeAverage"):
        apply_policy(gaps, "available")
    with pytest.raises(OptionError, match="missing='guess' is not a policy"):
        apply_policy(gaps, "guess")
    with pytest.raises(OptionError, match="'drop' or 'state'"):
        gaps.complete("available")  # type: ignore[arg-type]


def test_learning_needs_a_column_that_varies() -> None:
    require_learnable(read({"a": [1, 2], "b": [1, 2]}))
    require_learnable(read({"a": [1, 2], "b": [1, 1]}))
    with pytest.raises(DataError, match="of 1 column none has"):
        require_learnable(read({"b": [1, 1]}))


@pytest.mark.parametrize("search", [dw.MIIC(), dw.GFCI(), dw.Averaged()])
def test_searches_that_cannot_work_with_gaps_offer_the_policies_that_help(search: Any) -> None:
    gaps = {"a": [0, 1, None, 1] * 30, "b": [0, 1, 1, None] * 30, "c": [0, 0, 1, 1] * 30}
    with pytest.raises(dw.MissingValuesError, match=r"choose missing='drop' .* or missing='state'"):
        dw.learn(gaps, search=search)
    with pytest.raises(dw.OptionError, match="missing='drop'"):
        dw.learn(gaps, search=search, missing="em")
    with pytest.raises(dw.OptionError, match="choose missing='drop' or missing='state'"):
        dw.learn(gaps, search=search, missing="available")
    assert dw.learn(gaps, search=search, missing="drop").graph.adjacent("a", "b")
