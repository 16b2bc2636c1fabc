"""Oracles answer independence queries like a test does, from a known graph or from a list of statements."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Protocol, cast, runtime_checkable

from dagwright.errors import FormatError, GraphError, shortened, unknown_name
from dagwright.graph.dag import Dag
from dagwright.graph.mag import Mag
from dagwright.graph.query import Names, Query, Verdict
from dagwright.graph.separation import separated_all
from dagwright.graph.undirected import UndirectedGraph

Statement = str | Query | Sequence[Names]


class Oracle(ABC):
    """Answers queries with certainty and keeps the log of what was asked, in order.

    Attributes
    ----------
    nodes
        The variables that may be asked about.
    log
        Every query with its answer (True for independent), in the order asked.
    """

    def __init__(self, nodes: Iterable[str]) -> None:
        self.nodes: tuple[str, ...] = tuple(nodes)
        self.log: list[tuple[Query, bool]] = []

    @property
    def queries(self) -> int:
        """How many queries were asked so far."""
        return len(self.log)

    def test(self, queries: Sequence[Query]) -> list[Verdict]:
        """Answer a batch of queries."""
        known = set(self.nodes)
        for query in queries:
            for name in sorted((query.x | query.y | query.given) - known):
                raise unknown_name("variable", name, self.nodes)
        answers = self._answer(queries)
        self.log.extend(zip(queries, answers, strict=True))
        return [Verdict(independent=answer) for answer in answers]

    def independent(self, x: Names, y: Names, given: Names = ()) -> bool:
        """Answer one query."""
        return self.test([Query(x, y, given)])[0].independent

    @abstractmethod
    def _answer(self, queries: Sequence[Query]) -> list[bool]: ...


class GraphOracle(Oracle):
    """Independence is separation in a graph: d-separation in a `Dag`, m-separation in a `Mag`.

    >>> oracle = GraphOracle(Dag.parse("A -> C <- B"))
    >>> oracle.independent("A", "B"), oracle.independent("A", "B", "C")
    (True, False)
    >>> [str(query) for query, _ in oracle.log]
    ['I(A,B|)', 'I(A,B|C)']
    """

    def __init__(self, graph: Dag | Mag | UndirectedGraph) -> None:
        super().__init__(graph.nodes)
        self.graph = graph

    def _answer(self, queries: Sequence[Query]) -> list[bool]:
        return separated_all(self.graph, queries)


class StatementOracle(Oracle):
    """Independent is what is listed, in either order of x and y; everything else is dependent.

    Parameters
    ----------
    statements
        Texts such as ``I(A,B|C,D)`` or ``I({A,E},B|C)``, `Query` objects, or tuples ``(x, y)`` and ``(x, y,
        given)``.
    nodes
        The variables; by default those that the statements name.

    >>> oracle = StatementOracle(["I(A,B)", ("A", "C", ["B"])], nodes="ABC")
    >>> oracle.independent("C", "A", "B"), oracle.independent("A", "B", "C")
    (True, False)
    """

    def __init__(self, statements: Iterable[Statement], nodes: Iterable[str] | None = None) -> None:
        self.statements = tuple(as_query(statement) for statement in statements)
        named = sorted(frozenset().union(*(query.x | query.y | query.given for query in self.statements)))
        super().__init__(named if nodes is None else nodes)
        for name in named:
            if name not in self.nodes:
                raise unknown_name("variable", name, self.nodes)
        self._true = frozenset(query.key for query in self.statements)

    def _answer(self, queries: Sequence[Query]) -> list[bool]:
        return [query.key in self._true for query in queries]


class TestOracle(Oracle):
    """A test on data in the place of an oracle: what it calls independent is independent."""

    __test__ = False

    def __init__(self, test: BoundTest) -> None:
        super().__init__(test.names)
        self.bound = test

    def _answer(self, queries: Sequence[Query]) -> list[bool]:
        return [verdict.independent for verdict in self.bound.test(queries)]


class BoundTest(Protocol):
    """A test on data, such as ``GSquare(0.01).on(table)``."""

    @property
    def names(self) -> tuple[str, ...]: ...
    def test(self, queries: Sequence[Query]) -> Sequence[Verdict]: ...


@runtime_checkable
class HasOracle(Protocol):
    """Whatever makes an oracle of itself, such as a network with parameters."""

    def oracle(self) -> Oracle: ...


OracleSource = Oracle | Dag | Mag | UndirectedGraph | HasOracle | BoundTest | Iterable[Statement]


def as_oracle(source: OracleSource) -> Oracle:
    """An oracle from whatever knows the independences.

    Takes a graph, statements, a network with parameters, a test on data such as ``GSquare(0.01).on(table)``,
    or an oracle as it is.
    """
    if isinstance(source, Oracle):
        return source
    if isinstance(source, Dag | Mag | UndirectedGraph):
        return GraphOracle(source)
    if isinstance(source, HasOracle):
        return source.oracle()
    if hasattr(source, "names") and hasattr(source, "test"):
        return TestOracle(cast("BoundTest", source))
    if isinstance(source, str) or not isinstance(source, Iterable):
        raise GraphError(
            f"a {type(source).__name__} does not know which variables are independent; give a graph, a "
            "network with parameters, statements such as ['I(A,B|C)'], or a test on data such as "
            "GSquare(alpha=0.01).on(table)"
        )
    return StatementOracle(source)


def pairwise_markov_network(oracle: Oracle) -> UndirectedGraph:
    """The graph that joins two variables unless they are independent given all others."""
    pairs = list(combinations(sorted(oracle.nodes), 2))
    rest = frozenset(oracle.nodes)
    verdicts = oracle.test([Query(a, b, rest - {a, b}) for a, b in pairs])
    return UndirectedGraph(
        oracle.nodes, [pair for pair, verdict in zip(pairs, verdicts, strict=True) if not verdict.independent]
    )


SIDE = re.compile(r'\s*(?:\{(?P<group>[^{}]*)\}|"(?P<quoted>[^"]*)"|(?P<bare>[^,|{}"()]+))\s*')


def as_query(statement: Statement) -> Query:
    """A statement in any of its forms as a `Query`.

    >>> str(as_query("I({A,B}, C | D)"))
    'I({A,B},C|D)'
    """
    if isinstance(statement, Query):
        return statement
    if not isinstance(statement, str):
        if not (isinstance(statement, tuple | list) and len(statement) in (2, 3)):
            raise GraphError(
                f"a statement must be a text such as 'I(A,B|C)', a Query, or a tuple (x, y, given), not "
                f"{shortened(statement)}"
            )
        return Query(*statement)
    match = re.fullmatch(r"\s*I\((.*)\)\s*", statement, flags=re.DOTALL)
    if match is None:
        raise _unreadable(statement)
    sides, _, given = match[1].partition("|")
    groups = _name_groups(sides, statement)
    if len(groups) != 2:
        raise _unreadable(statement)
    return Query(groups[0], groups[1], frozenset().union(*_name_groups(given, statement)))


def _name_groups(text: str, statement: str) -> list[frozenset[str]]:
    groups: list[frozenset[str]] = []
    position = 0
    while position < len(text.rstrip()):
        if groups:
            if text[position] != ",":
                raise _unreadable(statement)
            position += 1
        match = SIDE.match(text, position)
        if match is None:
            raise _unreadable(statement)
        if match["group"] is not None:
            groups.append(frozenset().union(*_name_groups(match["group"], statement)))
        else:
            groups.append(
                frozenset([match["quoted"] if match["quoted"] is not None else match["bare"].strip()])
            )
        position = match.end()
    return groups


def _unreadable(statement: str) -> FormatError:
    return FormatError(f"cannot read the statement {statement!r}; write it as I(A,B|C,D) or I({{A,E}},B|C)")
