"""An oracle in the place of a test that is bound to data."""

from __future__ import annotations

from collections.abc import Sequence

from dagwright.errors import OptionError
from dagwright.evidence.bound import Bound, Triple
from dagwright.evidence.protocols import Evidence, Family, Rows
from dagwright.graph.oracle import Oracle
from dagwright.graph.query import Query, Verdict


class NoRows:
    """Variables that have names but no data."""

    def __init__(self, names: Sequence[str]) -> None:
        self.N = 0.0
        self.names = tuple(names)
        self.cardinalities = (0,) * len(self.names)

    def evidence(self, sets: Sequence[frozenset[int]], rows: Rows | None = None) -> list[Evidence]:
        raise OptionError(
            f"an oracle has no data to count {len(sets)} sets of variables on ({rows or 'all'})"
        )


class BoundOracle(Bound):
    """Answers independence questions by column number; there is nothing to score."""

    def __init__(self, oracle: Oracle) -> None:
        super().__init__(oracle, NoRows(oracle.nodes))
        self.oracle = oracle

    def local(self, families: Sequence[Family]) -> list[float]:
        raise OptionError(
            f"an oracle answers independence questions and cannot score {len(families)} families"
        )

    def verdicts(self, triples: Sequence[Triple]) -> list[Verdict]:
        return self.oracle.test([Query(*map(self._names_of, triple)) for triple in triples])

    def _names_of(self, columns: frozenset[int]) -> frozenset[str]:
        return frozenset(self.names[column] for column in columns)
