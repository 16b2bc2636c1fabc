"""The base of searches by independence tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dagwright.defaults import Kind, usual_test
from dagwright.methods.method_like import read_methods
from dagwright.search.traits import Decides, SearchTraits


@dataclass(frozen=True, slots=True)
class ByTests(SearchTraits):
    """A search that a test decides, or an oracle in its place.

    Parameters
    ----------
    test
        Any test or score; `GSquare` at level 0.01 by default. Not used when `learn` is given an oracle.
    """

    decides_by: ClassVar[Decides] = "test"

    test: Any = None

    def __post_init__(self) -> None:
        read_methods(self, test=("test", "score"))

    def usual_test(self, kind: Kind = "discrete") -> Any:
        """The test that decides when there are data, for columns of a kind."""
        return usual_test(kind=kind) if self.test is None else self.test
