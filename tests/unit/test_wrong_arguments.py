"""What is given in place of a method is refused in words, whoever is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import dagwright as dw
from dagwright.errors import OptionError

DATA = {"a": [0, 1] * 9, "b": [0, 1] * 9, "c": [0, 1, 1] * 6}


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: dw.learn(DATA, search=dw.Exact), r"search=Exact is a class; write Exact\(\)"),
        (lambda: dw.learn(DATA, search="Exact"), "search='Exact' is no search"),
        (lambda: dw.learn(DATA, score=dw.BIC), "score=BIC is a class"),
        (lambda: dw.candidates(DATA, score=dw.BDeu), "score=BDeu is a class"),
        (lambda: dw.learn(DATA, structure_prior=dw.FanIn), "structure_prior=FanIn is a class"),
        (lambda: dw.posterior(DATA, method=dw.PartitionMCMC), "method=PartitionMCMC is a class"),
        (lambda: dw.forecast(DATA, search=dw.ExactPosterior), "search=ExactPosterior is a class"),
        (lambda: dw.forecast(DATA, search="Exact"), "search='Exact' is no search"),
    ],
)
def test_classes_and_texts_are_no_methods(call: Callable[[], Any], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        call()


@pytest.mark.parametrize("method", [dw.ExactPosterior(max_parents=1), dw.OrderMCMC(max_parents=1)])
def test_more_required_parents_than_a_posterior_allows(method: Any) -> None:
    known = dw.Knowledge(required=[("a", "c"), ("b", "c")])
    with pytest.raises(OptionError, match="max_parents=1, but the knowledge requires 2 parents of 'c'"):
        dw.posterior(DATA, method=method, knowledge=known)
