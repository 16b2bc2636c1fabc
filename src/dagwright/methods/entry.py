"""One method of the registry: its kind, its name, where it lives; its facts come from its class."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from dagwright.methods.options import Option, options_of
from dagwright.methods.traits import DataKind, EvidenceTraits, GraphKind, Reads

Kind = Literal[
    "score",
    "test",
    "measure",
    "correction",
    "prior",
    "search",
    "posterior",
    "inference",
    "estimation",
    "discretization",
    "resampling",
]


@dataclass(frozen=True)
class Entry:
    """One method.

    Attributes
    ----------
    kind, name
        What it is and what it is called, in Python and on the command line.
    module
        Where it lives below ``dagwright``; imported when a fact is first asked for.
    """

    kind: Kind
    name: str
    module: str

    @cached_property
    def method(self) -> Any:
        """The class itself."""
        return getattr(importlib.import_module(f"dagwright.{self.module}"), self.name)

    @property
    def summary(self) -> str:
        """One line."""
        text: str = self.method.summary
        return text

    @property
    def citation(self) -> str:
        """The work it comes from; empty where there is none to name."""
        work: str = self.method.citation
        return work

    @property
    def equivalent(self) -> bool | None:
        """For scores, measures and priors: whether equivalent graphs score the same.

        None for other kinds, and where that depends on the options.
        """
        if not issubclass(self.method, EvidenceTraits):
            return None
        declared = self.method.equivalent
        return declared if isinstance(declared, bool) else None

    @property
    def exact(self) -> bool | None:
        """For searches: whether the answer is proven optimal; for posteriors and inference: no sample."""
        proven: bool | None = (
            self.method.is_exact if self.kind in ("search", "posterior", "inference") else None
        )
        return proven

    @property
    def gives(self) -> GraphKind | None:
        """For searches: the kind of graph."""
        kind: GraphKind | None = self.method.gives if self.kind == "search" else None
        return kind

    @property
    def takes(self) -> frozenset[DataKind] | None:
        """The kinds of data that it works on as they are; None for a search: those of its score or test."""
        if self.kind not in ("search", "score", "test", "measure"):
            return None
        kinds: frozenset[DataKind] | None = self.method.takes
        return kinds

    @property
    def reads(self) -> Reads:
        """Where the rows of the data may be, with the default options: see `Reads`."""
        declared = self.method.reads
        if isinstance(declared, str):
            return declared  # type: ignore[return-value]
        found: Reads = "counts" if self.needs else self.method().reads
        return found

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """The options with types, defaults and help."""
        return options_of(self.method)

    @property
    def needs(self) -> tuple[str, ...]:
        """Options without a default, for methods that cannot be used by name alone."""
        return tuple(option.name for option in self.options if option.required)

    @property
    def signature(self) -> str:
        """How the method is written, with its options and their defaults.

        >>> from dagwright.methods.registry import entry
        >>> entry("BDeu").signature
        'BDeu(ess=1.0)'
        """
        return f"{self.name}({', '.join(map(str, self.options))})"

    def facts(self) -> dict[str, Any]:
        """Every fact as a plain value, which JSON can hold."""
        return {
            "kind": self.kind,
            "name": self.name,
            "module": self.module,
            "summary": self.summary,
            "citation": self.citation,
            "equivalent": self.equivalent,
            "exact": self.exact,
            "gives": self.gives,
            "takes": None if self.takes is None else sorted(self.takes),
            "reads": self.reads,
            "needs": list(self.needs),
            "signature": self.signature,
        }
