"""Something method-like, made a method: the one place for every function that takes a score, test or search.

Method-like are the methods themselves and their names as text, with options as in ``"BDeu(ess=10)"``, or by
what other libraries call them, such as ``"hc"``.
"""

from __future__ import annotations

import re
from typing import Any

from dagwright.errors import refuse_class
from dagwright.methods import registry
from dagwright.methods.entry import Kind

SYNONYMS: dict[str, dict[str, str]] = {
    "search": {
        "hc": "HillClimb",
        "hillclimbing": "HillClimb",
        "hillclimbsearch": "HillClimb",
        "tabusearch": "Tabu",
        "simulatedannealing": "Annealing",
        "fges": "GES",
        "pcstable": "PC",
        "gs": "GrowShrink",
        "interiamb": "InterIAMB",
        "fastiamb": "FastIAMB",
        "iambfdr": "FdrIAMB",
        "sihitonpc": "HitonPC",
        "chowliutree": "ChowLiu",
        "exactsearch": "Exact",
        "exhaustivesearch": "Exact",
        "sem": "StructuralEM",
    },
    "score": {
        "k2": "K2Score",
        "loglikelihood": "LogLik",
        "ll": "LogLik",
        "bicd": "BIC",
        "aicd": "AIC",
        "nal": "NodeAverage",
    },
    "test": {
        "mi": "GSquare",
        "g2": "GSquare",
        "gsq": "GSquare",
        "gtest": "GSquare",
        "x2": "ChiSquare",
        "chisq": "ChiSquare",
        "chi2": "ChiSquare",
        "chisquared": "ChiSquare",
        "pearson": "ChiSquare",
    },
}
"""What other libraries call methods, in lower case without signs, by kind."""


def as_method(given: Any, what: str, *kinds: Kind) -> Any:
    """The method that a name stands for; what is no text comes back as it is, but a class is refused.

    Parameters
    ----------
    what
        The name of the argument, for errors.
    kinds
        What the method may be.

    >>> type(as_method("hc", "search", "search")).__name__, as_method("bdeu(ess=10)", "score", "score")
    ('HillClimb', BDeu(ess=10))
    """
    refuse_class(what, given)
    if not isinstance(given, str):
        return given
    name, bracket, options = given.partition("(")
    plain = re.sub(r"[\s._-]", "", name).lower()
    for kind in kinds:
        if plain in SYNONYMS.get(kind, {}):
            return registry.parse(f"{SYNONYMS[kind][plain]}{bracket}{options}", *kinds)
    return registry.parse(given, *kinds)


def read_methods(owner: object, **fields: tuple[Kind, ...]) -> None:
    """Put methods in the place of names in the fields of a frozen dataclass: each field with its kinds."""
    for field, kinds in fields.items():
        object.__setattr__(owner, field, as_method(getattr(owner, field), field, *kinds))
