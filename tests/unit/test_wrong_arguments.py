"""What is given in place of a method is refused in words, whoever is asked."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.base.argument_types import option_hints
from dagwright.errors import OptionError
from dagwright.methods import registry

DATA = {"a": [0, 1] * 9, "b": [0, 1] * 9, "c": [0, 1, 1] * 6}


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: dw.learn(DATA, search=dw.Exact), r"search=Exact is a class; write Exact\(\)"),
        (lambda: dw.learn(DATA, search=3), "search=3 is not a search"),
        (lambda: dw.independence_test(DATA, "a", "b", test=dw.GSquare), "test=GSquare is a class"),
        (lambda: dw.learn(DATA, score=dw.BIC), "score=BIC is a class"),
        (lambda: dw.candidates(DATA, score=dw.BDeu), "score=BDeu is a class"),
        (lambda: dw.learn(DATA, structure_prior=dw.FanIn), "structure_prior=FanIn is a class"),
        (lambda: dw.posterior(DATA, method=dw.PartitionMCMC), "method=PartitionMCMC is a class"),
        (lambda: dw.forecast(DATA, search=dw.ExactPosterior), "search=ExactPosterior is a class"),
        (lambda: dw.forecast(DATA, search=3), "search=3 is not a search"),
    ],
)
def test_classes_and_numbers_are_no_methods(call: Callable[[], Any], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        call()


@pytest.mark.parametrize("method", [dw.ExactPosterior(max_parents=1), dw.OrderMCMC(max_parents=1)])
def test_more_required_parents_than_a_posterior_allows(method: Any) -> None:
    known = dw.Knowledge(required=[("a", "c"), ("b", "c")])
    with pytest.raises(OptionError, match="max_parents=1, but the knowledge requires 2 parents of 'c'"):
        dw.posterior(DATA, method=method, knowledge=known)


METHODS = [one for one in registry.entries() if isinstance(getattr(dw, one.name, None), type)]


@pytest.mark.parametrize("entry", METHODS, ids=lambda entry: entry.name)
def test_every_plain_option_refuses_another_type_in_words(entry: registry.Entry) -> None:
    method = getattr(dw, entry.name)
    parameters = inspect.signature(method).parameters
    needed = {name: object() for name, one in parameters.items() if one.default is inspect.Parameter.empty}
    hints = option_hints(method)
    for option in parameters:
        if hints.get(option) in (int, float, bool, int | None, float | None):
            with pytest.raises(OptionError, match=f"{entry.name} takes .* as {option}, not 'x'"):
                method(**{**needed, option: "x"})


@pytest.mark.parametrize("make", [lambda: dw.BDeu(ess="x"), lambda: dw.GSquare(alpha="x")])
def test_a_text_in_place_of_a_number(make: Callable[[], Any]) -> None:
    with pytest.raises(OptionError, match="takes a number as"):
        make()


def test_numbers_of_numpy_are_numbers() -> None:
    assert dw.BDeu(ess=np.float32(2)) == dw.BDeu(ess=2)
    assert dw.HillClimb(max_parents=np.int64(3)) == dw.HillClimb(max_parents=3)
