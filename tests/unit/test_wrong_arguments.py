"""What is given in place of a method is refused in words, whoever is asked."""

from __future__ import annotations

import inspect
import pickle
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


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: dw.learn(DATA, serach="PC"), "unknown option of learn 'serach'; did you mean 'search'"),
        (lambda: dw.learn(DATA, columns="ab"), r"learn\(\) takes a list or None as columns, not 'ab'"),
        (lambda: dw.learn(DATA, exclude=3), r"learn\(\) takes a list as exclude, not 3"),
        (lambda: dw.learn(DATA, threads="2"), "takes a whole number or None as threads, not '2'"),
        (lambda: dw.learn(DATA, time_limit="soon"), "takes a number or None as time_limit, not 'soon'"),
        (lambda: dw.learn(DATA, checkpoint=3), "takes a text or a path or None as checkpoint, not 3"),
        (lambda: dw.learn(DATA, "PC"), "learn takes only data by position; write the others as"),
        (lambda: dw.read(DATA, states=3), r"read\(\) takes a dict or None as states, not 3"),
        (lambda: dw.read(DATA, missing_values="-999"), "takes a list or None as missing_values, not '-999'"),
        (lambda: dw.read(DATA, max_number_states=None), "takes a whole number as max_number_states"),
        (lambda: dw.bootstrap(DATA, replicates=2.5), "takes a whole number or None as replicates, not 2.5"),
        (lambda: dw.bootstrap(DATA, draw=3), "takes a Draw or a text or None as draw, not 3"),
        (lambda: dw.bootstrap(DATA, draw=dw.Jackknife), "draw=Jackknife is a class"),
        (lambda: dw.posterior(DATA, cancel=3), "takes a CancelToken or None as cancel, not 3"),
        (lambda: dw.effect(DATA), r"effect needs cause and outcome: give effect\(cause="),
        (lambda: dw.rivals(DATA, k=None), "takes a whole number as k, not None"),
    ],
)
def test_functions_refuse_other_arguments_in_words(call: Callable[[], Any], words: str) -> None:
    """These were errors of Python (TypeError, AttributeError), or a text was taken for a list of letters."""
    with pytest.raises(dw.DagwrightError, match=words):
        call()


def test_checked_functions_are_those_of_their_modules() -> None:
    """So they pickle, and have the signature and the docstring of what they check."""
    from dagwright.learning.learn import learn

    assert dw.learn is learn
    assert pickle.loads(pickle.dumps(dw.learn)) is learn
    assert "columns" in inspect.signature(dw.learn).parameters
    assert dw.learn.__doc__ and dw.learn.__module__ == "dagwright.learning.learn"


def test_errors_inside_a_call_with_fitting_arguments_stay_as_they_are() -> None:
    class Broken:
        def run(self, problem: Any, control: Any) -> Any:  # noqa: ARG002
            raise TypeError("a fault of this search")

    with pytest.raises(TypeError, match="a fault of this search"):
        dw.learn(DATA, search=Broken())
