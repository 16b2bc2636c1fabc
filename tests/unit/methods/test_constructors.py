"""The constructor of every registered method refuses what it cannot take in words."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import dagwright as dw
from dagwright.methods.registry import entries

METHODS = sorted({entry.name for entry in entries() if hasattr(dw, entry.name)})
WRONG: list[Any] = [object(), "?", -7, [1], 1.5, b"x", {"?": "?"}]


@pytest.mark.parametrize("name", METHODS)
def test_a_method_without_its_options_is_made_or_says_what_it_needs(name: str) -> None:
    method = getattr(dw, name)
    needed = [one for one in inspect.signature(method).parameters.values() if one.default is one.empty]
    if not needed:
        assert repr(method()).startswith(name)
        return
    with pytest.raises(dw.OptionError, match=f"^{name} needs {needed[0].name}"):
        method()


@pytest.mark.parametrize("name", METHODS)
def test_wrong_values_and_unknown_options_are_refused_in_words(name: str) -> None:
    method = getattr(dw, name)
    with pytest.raises(dw.DagwrightError, match=f"unknown option of {name}"):
        method(no_such_option=1)
    for option in inspect.signature(method).parameters:
        for value in WRONG:
            try:
                method(**{option: value})
            except dw.DagwrightError as problem:
                assert str(problem)


def test_permuted_has_the_usual_test() -> None:
    assert dw.Permuted() == dw.Permuted(dw.GSquare())
    with pytest.raises(dw.OptionError, match="takes only test and rounds and seed by position"):
        dw.Permuted(dw.GSquare(), 99, 0, 1, 2)
    with pytest.raises(dw.OptionError, match="K2 takes a list as order, not 5"):
        dw.K2(5)  # type: ignore[arg-type]
