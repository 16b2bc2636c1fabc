"""An oracle, or a test of somebody's own, in the place of a test of the library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from dagwright.errors import OptionError
from dagwright.evidence.bound import Bound
from dagwright.evidence.counting import Counting
from dagwright.evidence.protocols import Family, KnownColumns, Measure, SetFit, Triple
from dagwright.graph.oracle import Oracle
from dagwright.graph.query import Query, Verdict


class Answers(Protocol):
    """A user-defined test, or an oracle."""

    def test(self, queries: Sequence[Query]) -> Sequence[Verdict]: ...


class NoRows:
    """Variables that have names but no data."""

    def __init__(self, names: Sequence[str]) -> None:
        self.N = 0.0
        self.names = tuple(names)
        self.cardinalities = (0,) * len(self.names)

    def evidence(self, sets: Sequence[frozenset[int]], rows: KnownColumns | None = None) -> list[SetFit]:
        raise OptionError(
            f"an oracle has no data to count {len(sets)} sets of variables on ({rows or 'all'})"
        )


class BoundAnswers(Bound):
    """Whatever answers independence questions by name, asked by column number; it scores nothing."""

    def __init__(self, spec: object, data: Counting | Measure, answers: Answers) -> None:
        super().__init__(spec, data)
        self.answers = answers

    def local(self, families: Sequence[Family]) -> list[float]:
        raise OptionError(
            f"{self.spec!r} answers independence questions and cannot score {len(families)} families"
        )

    def verdicts(self, triples: Sequence[Triple]) -> list[Verdict]:
        return list(self.answers.test([Query(*map(self._names_of, triple)) for triple in triples]))

    def _names_of(self, columns: frozenset[int]) -> frozenset[str]:
        return frozenset(self.names[column] for column in columns)


class BoundOracle(BoundAnswers):
    """An oracle: it has no rows."""

    def __init__(self, oracle: Oracle) -> None:
        super().__init__(oracle, NoRows(oracle.nodes), oracle)
