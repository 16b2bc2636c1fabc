"""The facts that a method declares about itself: each fact once, on its class.

The registry, the command line, the forecast, the tables in the documentation and the citations of reports
read these facts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import Field, fields, is_dataclass
from typing import Any, ClassVar, Literal, Self

DataKind = Literal["discrete", "continuous", "mixed", "missing"]
"""Columns of states, columns of numbers, both together, and rows with missing values."""
TableKind = Literal["discrete", "continuous", "mixed"]
"""Whether the columns of a table hold states, numbers, or some of each."""
Reads = Literal["counts", "rows", "rows in memory"]
"""What a method needs of the data: counts of cells and sums of products, which a cluster or a database gives
too; rows here, in memory or on disk; or rows in memory, which are copied from disk within ``memory_mib``.
"""
GraphKind = Literal["dag", "cpdag", "pag", "undirected"]

COUNTS: frozenset[DataKind] = frozenset({"discrete"})
NUMBERS: frozenset[DataKind] = frozenset({"continuous"})
MIXED: frozenset[DataKind] = frozenset({"discrete", "continuous", "mixed"})


class MethodTraits:
    """The facts of every method.

    ``summary`` is one line; ``citation`` names the work that the method comes from; ``is_exact`` says whether
    the answer is proven or computed, not sampled or found by chance, where that is a question; ``reads`` says
    where the rows of the data may be.
    """

    __slots__ = ()
    summary: ClassVar[str] = ""
    citation: ClassVar[str] = ""
    is_exact: ClassVar[bool] = False

    @property
    def reads(self) -> Reads:
        """What this method, with its options, needs of the data; not what methods inside it need."""
        return "counts"


class EvidenceTraits(MethodTraits):
    """The facts of scores, tests, measures and structure priors.

    Your own score needs none of them: an object without them counts as one that declares nothing.

    Attributes
    ----------
    name
        How results call it.
    equivalent
        Whether equivalent graphs score the same; None where that is not known.
    decomposable
        Whether the score of a graph is a sum over its nodes.
    marginal_likelihood
        Whether the score is ln P(data | graph) under some prior.
    counts_available
        Whether a family is counted on the rows where it is known.
    takes
        The kinds of data that it works on as they are; others see numbers cut into intervals.
    takes_numbers
        Whether this specification, with its options, works on numbers as they are.
    """

    __slots__ = ()
    decomposable: ClassVar[bool] = True
    marginal_likelihood: ClassVar[bool] = False
    counts_available: ClassVar[bool] = False
    takes: ClassVar[frozenset[DataKind]] = COUNTS

    @property
    def name(self) -> str:
        return type(self).__name__

    @property
    def equivalent(self) -> bool | None:
        return None

    @property
    def takes_numbers(self) -> bool:
        return "continuous" in self.takes

    def on_kind(self, kind: TableKind) -> Self:  # noqa: ARG002
        """The same for columns of a kind; a criterion without a measure gets the usual one."""
        return self


UNDECLARED = EvidenceTraits()
"""What is known of a score that declares nothing."""


def evidence_traits(spec: object) -> EvidenceTraits:
    """The facts of a score, test, measure or prior; those of your own objects may be undeclared."""
    return spec if isinstance(spec, EvidenceTraits) else UNDECLARED


def name_of(spec: object) -> str:
    """The name of a score or test; of your own objects the name of their class."""
    return spec.name if isinstance(spec, EvidenceTraits) else type(spec).__name__


def works_of(*methods: Any) -> tuple[str, ...]:
    """Whom to cite for methods and for those inside them, each as "method: work", in order and once.

    >>> from dagwright import BIC, MMPC, Restrict, Tabu
    >>> works_of(Restrict(MMPC(), Tabu()))
    ('Restrict: Tsamardinos et al. 2006', 'MMPC: Tsamardinos et al. 2006', 'Tabu: Glover 1989')
    """
    found: dict[str, None] = {}
    for method in methods:
        if not isinstance(method, MethodTraits):
            continue
        if method.citation:
            found[f"{type(method).__name__}: {method.citation}"] = None
        inner: Iterable[Field[Any]] = fields(method) if is_dataclass(method) else ()
        found |= dict.fromkeys(works_of(*(getattr(method, one.name) for one in inner if one.init)))
    return tuple(found)
