"""Where data and a DAG disagree about independence (Jensen & Nielsen 2007, Definition 7.2)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

from dagwright.base.wording import count_of
from dagwright.errors import CapacityError, OptionError
from dagwright.evidence.binding import bind_score
from dagwright.graph.graph_like import GraphLike, as_dag
from dagwright.graph.query import Query, Verdict
from dagwright.graph.separation import separated_all
from dagwright.graph.viewable import Viewable
from dagwright.learning.tested_rows import tested_rows

MOST_QUESTIONS = 500_000


@dataclass(frozen=True, slots=True)
class Faithfulness(Viewable):
    """Disagreements, each with what the test said.

    Attributes
    ----------
    rejected
        Separations of the DAG that the test calls dependent: the DAG is no I-map of the data.
    accepted
        Connections of the DAG that the test calls independent: the data are not faithful, or too few.
    hidden
        (x, y, z): x and y are independent, but not given z, as with a light and its two switches. Tests of
        growing size remove the edge between such x and y though neither may be a child of the other's.
    asked
        How many questions were asked.
    """

    rejected: tuple[tuple[Query, Verdict], ...]
    accepted: tuple[tuple[Query, Verdict], ...]
    hidden: tuple[tuple[str, str, str], ...]
    asked: int

    def __str__(self) -> str:
        said = (
            ("separated in the graph, dependent in the data", [str(query) for query, _ in self.rejected]),
            ("connected in the graph, independent in the data", [str(query) for query, _ in self.accepted]),
            ("independent, but not given a third", [f"{x}, {y} given {z}" for x, y, z in self.hidden]),
        )
        lines = [f"{words}: {'; '.join(found) or 'none'}" for words, found in said]
        return "\n".join([f"{count_of(self.asked, 'question')} asked", *lines])


def faithfulness(
    graph: GraphLike, data: Any, *, test: Any = None, max_size: int = 1, missing: str | None = None
) -> Faithfulness:
    """Ask a test about every pair and every conditioning set up to a size, and compare with d-separation.

    Parameters
    ----------
    graph
        A DAG or a class of DAGs, a learned result, a network, or text such as "A -> B; C". Only its nodes are
        asked about.
    data
        A Table or anything that `read` takes.
    test
        Any test or score; by default that of `dagwright.defaults` for the kind of the columns.

    >>> rows = [(a, b, int(a == b)) for a in (0, 1) for b in (0, 1)] * 50
    >>> switches = dict(zip(["A", "B", "L"], zip(*rows)))
    >>> found = faithfulness("A -> L <- B", switches)
    >>> [str(query) for query, _ in found.accepted], found.rejected
    (['I(A,L|)', 'I(B,L|)'], ())
    >>> found.hidden
    (('A', 'B', 'L'), ('A', 'L', 'B'), ('B', 'L', 'A'))
    >>> print(found)
    6 questions asked
    separated in the graph, dependent in the data: none
    connected in the graph, independent in the data: I(A,L|); I(B,L|)
    independent, but not given a third: A, B given L; A, L given B; B, L given A
    """
    dag = as_dag(graph)
    if len(dag) < 2:
        raise OptionError(f"independence is between two nodes, and the graph has {len(dag)}")
    spec, table = tested_rows(dag.nodes, data, test, missing)
    names = sorted(dag.nodes)
    total = comb(len(names), 2) * sum(comb(len(names) - 2, size) for size in range(max_size + 1))
    if total > MOST_QUESTIONS:
        raise CapacityError(
            f"{total:,} questions are more than {MOST_QUESTIONS:,}; choose a smaller max_size"
        )
    queries = [
        Query(x, y, given)
        for size in range(max_size + 1)
        for x, y in combinations(names, 2)
        for given in combinations([name for name in names if name not in (x, y)], size)
    ]
    bound = bind_score(spec, table, missing=missing)
    verdicts = bound.test(queries)
    separated = separated_all(dag, queries)
    judged = list(zip(queries, verdicts, separated, strict=True))
    alone = {query.key[0] for query, verdict, _ in judged if verdict.independent and not query.given}
    return Faithfulness(
        rejected=tuple((q, verdict) for q, verdict, apart in judged if apart and not verdict.independent),
        accepted=tuple((q, verdict) for q, verdict, apart in judged if verdict.independent and not apart),
        hidden=tuple(
            (min(q.x), min(q.y), min(q.given))
            for q, verdict, _ in judged
            if len(q.given) == 1 and not verdict.independent and q.key[0] in alone
        ),
        asked=len(queries),
    )
