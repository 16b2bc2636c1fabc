"""Convert an argument to a method: the one place for every function that takes a score, test or search.

The argument is a method, or its name as text, with options as in ``"BDeu(ess=10)"``; names of other
libraries, such as ``"hc"``, are understood.
"""

from __future__ import annotations

from typing import Any

from dagwright.errors import refuse_class
from dagwright.methods import registry
from dagwright.methods.entry import Kind


def as_method(given: Any, what: str, *kinds: Kind) -> Any:
    """Build the method that a text names; any other value is returned as it is, but a class is refused.

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
    return registry.parse(given, *kinds)


def read_methods(owner: object, **fields: tuple[Kind, ...]) -> None:
    """Put methods in the place of names in the fields of a frozen dataclass: each field with its kinds."""
    for field, kinds in fields.items():
        object.__setattr__(owner, field, as_method(getattr(owner, field), field, *kinds))
