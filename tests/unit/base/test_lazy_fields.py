"""Fields that are computed when they are first read."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass, field, replace

import pytest

import dagwright as dw
from dagwright.base.lazy_fields import LazyFields

ASIA = dw.sample_path("asia")


@dataclass(frozen=True)
class Pair(LazyFields):
    first: int
    second: int = field(default_factory=int)


def counted(made: list[int]) -> Pair:
    def make() -> int:
        made.append(1)
        return 7

    return Pair(1, 0).with_later({"second": make})


def test_a_field_is_computed_once_and_only_when_it_is_read() -> None:
    made: list[int] = []
    pair = counted(made)
    assert (pair.first, made) == (1, [])
    assert (pair.second, pair.second, made) == (7, 7, [1])
    assert "second=7" in repr(pair)


def test_values_with_lazy_fields_are_values_like_others() -> None:
    for same in (
        counted([]),
        copy.copy(counted([])),
        copy.deepcopy(counted([])),
        pickle.loads(pickle.dumps(counted([]))),
        replace(counted([]), first=1),
    ):
        assert same == Pair(1, 7)
        assert hash(same) == hash(Pair(1, 7))


def test_other_attributes_are_missing_as_ever() -> None:
    with pytest.raises(AttributeError, match="'Pair' object has no attribute 'third'"):
        _ = counted([]).third


def test_a_function_that_fails_is_asked_again() -> None:
    answers = iter([ValueError("not yet"), 3])

    def make() -> int:
        found = next(answers)
        if isinstance(found, Exception):
            raise found
        return found

    pair = Pair(1, 0).with_later({"second": make})
    with pytest.raises(ValueError, match="not yet"):
        _ = pair.second
    assert pair.second == 3


def test_a_result_hashes_its_data_when_it_is_asked_to(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    hashed = dw.Table.fingerprint.fget  # type: ignore[attr-defined]
    monkeypatch.setattr(dw.Table, "fingerprint", property(lambda self: calls.append(1) or hashed(self)))
    table = dw.read(ASIA)
    found = dw.learn(table, search=dw.PC())
    assert calls == []
    assert found.study.fingerprint == found.data["fingerprint"] == hashed(table)
    assert list(found.data) == ["rows", "N", "fingerprint", "reading", "columns"]
    assert found.study.repeatable
    again = pickle.loads(pickle.dumps(dw.learn(table, search=dw.PC())))
    assert (again.data, again.study.fingerprint) == (found.data, found.study.fingerprint)
