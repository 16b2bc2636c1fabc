"""Whether data contradict a graph: its independences tested, beside the same graph with permuted names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, permutations
from math import factorial
from typing import Any

import numpy as np

from dagwright.base.seeds import RandomState, generator
from dagwright.base.wording import count_of
from dagwright.data import Table
from dagwright.errors import CapacityError, GraphError, OptionError
from dagwright.evidence.binding import bind_score
from dagwright.evidence.bound import Bound
from dagwright.evidence.false_discoveries import BenjaminiHochberg, FalseDiscoveryRate, require_procedure
from dagwright.graph.dag import Dag
from dagwright.graph.graph_like import GraphLike, as_dag, as_graph
from dagwright.graph.mag import Mag
from dagwright.graph.pag import Pag
from dagwright.graph.query import Query, Verdict
from dagwright.graph.separation import separated_all
from dagwright.graph.undirected import UndirectedGraph
from dagwright.graph.viewable import Viewable
from dagwright.learning.tested_rows import tested_rows
from dagwright.sentences import Argument

PERMUTATIONS = 100
MOST_QUESTIONS = 500_000
LEVEL = 0.05
SHOWN = 10


@dataclass(frozen=True)
class Plausibility(Viewable):
    """Tests of the independences that a graph implies.

    Attributes
    ----------
    implied
        How many independences were tested.
    violations
        Those that the test rejects, with false-discovery control, strongest first.
    permuted
        The share of violations of the graph with permuted names, for each permutation.
    same_class
        The share of permutations that imply exactly the same independences as the graph.
    rate
        The false-discovery rate; None where the test gives no p-values and decides alone.
    """

    implied: int
    violations: tuple[tuple[Query, Verdict], ...]
    permuted: tuple[float, ...]
    same_class: float
    rate: float | None

    @property
    def share(self) -> float:
        """The share of the implied independences that are violated."""
        return len(self.violations) / self.implied if self.implied else 0.0

    @property
    def p_value(self) -> float:
        """The share of graphs, this one included, with no more violations: small is better than chance."""
        as_good = sum(one <= self.share for one in self.permuted)
        return (1 + as_good) / (1 + len(self.permuted))

    @property
    def conclusion(self) -> str:
        """The answer in a sentence."""
        if not self.implied:
            return "the graph implies no independence, so data cannot contradict it"
        if not self.permuted:
            return "without permutations it is unknown how a random graph of this shape would fare"
        if self.same_class > LEVEL:
            return (
                f"{self.same_class:.0%} of the graphs with permuted names imply the same independences, so "
                "the comparison says little"
            )
        if self.p_value <= LEVEL:
            return "the graph fits better than graphs with permuted names"
        return (
            f"doubtful: {self.p_value:.0%} of graphs with permuted names have no more violations, so the "
            "names in this graph explain nothing that chance does not"
        )

    def to_dict(self) -> dict[str, Any]:
        """The numbers as values that JSON can hold."""
        return {
            "implied": self.implied,
            "violated": len(self.violations),
            "share": self.share,
            "rate": self.rate,
            "violations": [
                {"independence": str(query), "p_value": verdict.p_value, "effect": verdict.effect}
                for query, verdict in self.violations
            ],
            "permutations": len(self.permuted),
            "permuted": list(self.permuted),
            "p_value": self.p_value,
            "same_class": self.same_class,
            "conclusion": self.conclusion,
        }

    def lines(self) -> list[str]:
        """The answer in words, a sentence each."""
        control = "" if self.rate is None else f" (false-discovery rate {self.rate:g})"
        found = [
            f"{len(self.violations)} of {count_of(self.implied, 'implied independence')} violated{control}"
        ]
        for query, verdict in self.violations[:SHOWN]:
            p = "" if verdict.p_value is None else f", p = {verdict.p_value:.3g}"
            found.append(f"{query} is violated{p}")
        if len(self.violations) > SHOWN:
            found.append(f"and {len(self.violations) - SHOWN:,} more")
        if self.permuted:
            found.append(
                f"graphs with permuted names: {np.mean(self.permuted):.0%} violated on average; "
                f"{self.p_value:.3g} of them have no more than this one"
            )
        return [*found, self.conclusion]

    def __str__(self) -> str:
        return "\n".join(self.lines())


def plausibility(
    graph: GraphLike,
    data: Any,
    *,
    test: Any = None,
    fdr: FalseDiscoveryRate | None = None,
    permutations: int | None = None,
    missing: str | None = None,
    random_state: RandomState = None,
) -> Plausibility:
    """Test the independences that a graph implies, and compare with the graph under permuted names.

    With many rows some independences are always rejected, as no graph is exactly right. So the same graph is
    also tested with permuted names (Eulig, Mastakouri, Blöbaum, Hardt & Janzing 2023): a graph that fits
    these variables has fewer violations than its permutations.

    Parameters
    ----------
    graph
        A DAG, a graph with hidden variables (MAG), a class of either, a learned result, or text. A DAG
        implies that each node is independent of its non-descendants given its parents, a MAG that nodes
        without an edge are independent given their other ancestors.
    data
        A Table or anything that `read` takes.
    test
        Any test or score; by default that of `dagwright.defaults` for the kind of the columns.
    fdr
        `BenjaminiHochberg` (with rate 0.05, the default) or `BenjaminiYekutieli`.
    permutations
        How many permutations of the names: 100 by default, or all if there are fewer. 0 leaves it out.
    missing, random_state
        As in `learn`.

    >>> rng = np.random.default_rng(0)
    >>> a, b = rng.normal(size=(2, 300))
    >>> c = a + b + rng.normal(size=300)
    >>> rows = {"a": a, "b": b, "c": c, "d": c + rng.normal(size=300), "e": rng.normal(size=300)}
    >>> print(plausibility("a -> c; b -> c; c -> d; e", rows))
    0 of 9 implied independences violated (false-discovery rate 0.05)
    graphs with permuted names: 53% violated on average; 0.0198 of them have no more than this one
    the graph fits better than graphs with permuted names
    """
    control = BenjaminiHochberg() if fdr is None else fdr
    require_procedure(control)
    often = PERMUTATIONS if permutations is None else permutations
    if often < 0:
        raise OptionError(Argument("permutations", often), ", but must not be negative")
    member = _member(graph)
    spec, table = tested_rows(member.nodes, data, test, missing)
    implied = implied_independences(member)
    if len(implied) * (1 + often) > MOST_QUESTIONS:
        raise CapacityError(
            f"{len(implied):,} independences under {often:,} permutations are more than {MOST_QUESTIONS:,} "
            "questions; choose fewer: ",
            Argument("permutations", max(MOST_QUESTIONS // max(len(implied), 1) - 1, 0)),
        )
    answers = _KeptAnswers(bind_score(spec, table, missing=missing), control)
    own = answers.violated(implied)
    shares, same = [], 0
    for names in _exchanged(member, table, often if implied else 0, random_state):
        renamed = [_renamed(query, names) for query in implied]
        shares.append(len(answers.violated(renamed)) / len(implied))
        same += all(separated_all(member, renamed))
    found = sorted(own, key=lambda one: (one[1].log_p or 0.0, str(one[0])))
    with_p = all(verdict.p_value is not None for verdict in answers.known.values())
    return Plausibility(
        len(implied),
        tuple(found),
        tuple(shares),
        same / len(shares) if shares else 0.0,
        control.rate if with_p else None,
    )


class _KeptAnswers:
    """A test whose answers are kept, as exchanged graphs often ask the same."""

    def __init__(self, bound: Bound, control: FalseDiscoveryRate) -> None:
        self.bound, self.control = bound, control
        self.known: dict[Any, Verdict] = {}

    def violated(self, queries: Sequence[Query]) -> list[tuple[Query, Verdict]]:
        """The independences that are rejected together; without p-values those that the test rejects."""
        fresh = {query.key: query for query in queries if query.key not in self.known}
        self.known.update(zip(fresh, self.bound.test(list(fresh.values())), strict=True))
        verdicts = [self.known[query.key] for query in queries]
        p_values = [one.p_value for one in verdicts if one.p_value is not None]
        if len(p_values) == len(verdicts):
            rejected = self.control.rejected(p_values)
        else:
            rejected = [not one.independent for one in verdicts]
        return [pair for pair, out in zip(zip(queries, verdicts, strict=True), rejected, strict=True) if out]


def _member(graph: GraphLike) -> Dag | Mag:
    known = as_graph(graph)
    if isinstance(known, UndirectedGraph):
        raise GraphError(
            "independences are tested for a DAG, a MAG or a class of such graphs, not for an undirected "
            "graph; give its directed() form"
        )
    if isinstance(known, Pag):
        return known.mag()
    return known if isinstance(known, Mag) else as_dag(graph)


def implied_independences(graph: Dag | Mag) -> list[Query]:
    """Independences from which all others of the graph follow, each once.

    >>> [str(one) for one in implied_independences(Dag.parse("A -> B -> C; D"))]
    ['I(A,D|)', 'I(B,D|A)', 'I(C,A|B)', 'I(C,D|B)', 'I(D,B|)', 'I(D,C|)']
    """
    found: dict[Any, Query] = {}
    if isinstance(graph, Mag):
        for a, b in combinations(sorted(graph.nodes), 2):
            if not graph.adjacent(a, b):
                query = Query(a, b, set(graph.augmented((a, b)).nodes) - {a, b})
                found.setdefault(query.key, query)
        return list(found.values())
    for node in sorted(graph.nodes):
        parents = graph.parents(node)
        below = {node, *graph.descendants(node), *parents}
        for other in sorted(set(graph.nodes) - below):
            query = Query(node, other, parents)
            found.setdefault(query.key, query)
    return list(found.values())


def _exchanged(
    graph: Dag | Mag, table: Table, often: int, random_state: RandomState
) -> Iterator[dict[str, str]]:
    """Permutations of the names: all but the identity where these are few, else random ones."""
    order = [name for name in table.canonical().table.names if name in graph]
    if factorial(min(len(order), 12)) - 1 <= often:
        for names in islice(permutations(order), 1, None):
            yield dict(zip(order, names, strict=True))
        return
    rng = generator(random_state)
    for _ in range(often):
        yield {name: order[at] for name, at in zip(order, rng.permutation(len(order)), strict=True)}


def _renamed(query: Query, names: dict[str, str]) -> Query:
    return Query(*([names[name] for name in part] for part in (query.x, query.y, query.given)))
