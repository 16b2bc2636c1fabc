"""A question about conditional independence and its answer: what every test and oracle speaks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dagwright.errors import GraphError, OptionError, shortened

Names = str | Iterable[str]


def name_set(names: Names) -> frozenset[str]:
    """One name or several, as a set."""
    if isinstance(names, str):
        return frozenset([names])
    try:
        return frozenset(names)
    except TypeError:
        raise OptionError(f"give one name or a list of names, not {shortened(names)}") from None


@dataclass(frozen=True, slots=True)
class Query:
    """Is ``x`` independent of ``y`` given ``given``? Each may be one name or a set of names.

    Queries that differ only in the order of ``x`` and ``y`` are kept apart, so that a log shows what was
    asked; `key` is the same for both.

    >>> str(Query("A", "B", ["D", "C"]))
    'I(A,B|C,D)'
    """

    x: frozenset[str]
    y: frozenset[str]
    given: frozenset[str]

    def __init__(self, x: Names, y: Names, given: Names = ()) -> None:
        for field, names in (("x", x), ("y", y), ("given", given)):
            object.__setattr__(self, field, name_set(names))
        if not self.x or not self.y:
            raise GraphError(f"the query {self} must name at least one variable on each side")
        shared = (self.x & self.y) | (self.x & self.given) | (self.y & self.given)
        if shared:
            raise GraphError(f"the query {self} names {min(shared)!r} twice; x, y and given must be disjoint")

    @property
    def key(self) -> tuple[frozenset[frozenset[str]], frozenset[str]]:
        return frozenset((self.x, self.y)), self.given

    def __str__(self) -> str:
        x, y, given = (",".join(sorted(names)) for names in (self.x, self.y, self.given))
        x, y = (f"{{{side}}}" if len(names) > 1 else side for side, names in ((x, self.x), (y, self.y)))
        return f"I({x},{y}|{given})"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to a `Query`; an oracle knows only ``independent``, a test also says why.

    ``effect`` is the strength of the dependence in nats per row (the conditional mutual information).
    ``gain`` is what an arc between x and y would be worth in nats: positive exactly when they are dependent.
    ``log_p`` is the logarithm of ``p_value``, also where that is too small to be a number.
    ``note`` says what limits the answer, for instance too few rows.
    """

    independent: bool
    statistic: float | None = None
    df: float | None = None
    p_value: float | None = None
    effect: float | None = None
    gain: float | None = None
    log_p: float | None = None
    note: str = ""
