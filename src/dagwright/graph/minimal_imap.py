"""The smallest DAG along an order in which every separation is an independence (Pearl 1988, section 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from dagwright.errors import CapacityError, GraphError, unknown_name
from dagwright.graph.dag import Dag
from dagwright.graph.oracle import Oracle, OracleSource, as_oracle
from dagwright.graph.query import Query

# 2^15 sets of predecessors for each of 15 nodes.
MOST_NODES = 15


@dataclass(frozen=True, slots=True)
class MinimalImap:
    """A minimal I-map, its order, and for each node the other parent sets that are as small.

    There are none where the distribution is positive (Pearl 1988, Theorem 9).
    """

    dag: Dag
    order: tuple[str, ...]
    ties: dict[str, tuple[tuple[str, ...], ...]]


def minimal_imap(source: OracleSource, order: Sequence[str]) -> MinimalImap:
    """Each node's smallest set of predecessors that makes it independent of the other ones.

    Parameters
    ----------
    source
        What knows the independences: a graph, a network with parameters, statements, an oracle, or a test on
        data such as ``GSquare(alpha=0.01).on(table)``.
    order
        All variables.

    >>> collider = Dag.parse("A -> C <- B")
    >>> print(minimal_imap(collider, ["A", "B", "C"]).dag)
    A -> C; B -> C
    >>> print(minimal_imap(collider, ["C", "A", "B"]).dag)
    A -> B; C -> A; C -> B
    """
    oracle = as_oracle(source)
    for name in order:
        if name not in oracle.nodes:
            raise unknown_name("variable of the order", name, oracle.nodes)
    if sorted(order) != sorted(oracle.nodes):
        raise GraphError(f"the order must name each of {', '.join(oracle.nodes)} once")
    arcs, ties = [], {}
    for at, node in enumerate(order):
        smallest = _smallest_parent_sets(oracle, node, order[:at])
        arcs += [(parent, node) for parent in smallest[0]]
        if len(smallest) > 1:
            ties[node] = tuple(smallest[1:])
    return MinimalImap(Dag(oracle.nodes, arcs), tuple(order), ties)


def best_imap(source: OracleSource) -> MinimalImap:
    """A minimal I-map with the fewest arcs over all orders; the first order by name among equals.

    What a node needs depends on which nodes come before it, not on their order, so 2^n sets stand for n!
    orders. Under faithfulness the answer is in the class that `PC` finds.

    >>> print(best_imap(Dag.parse("A -> C <- B")).dag)
    A -> C; B -> C
    """
    oracle = as_oracle(source)
    names = sorted(oracle.nodes)
    if len(names) > MOST_NODES:
        raise CapacityError(f"all orders of {len(names)} variables are too many; the most is {MOST_NODES}")
    # Fewest arcs among the nodes of a set when they come first, and that order.
    best: dict[frozenset[str], tuple[int, tuple[str, ...]]] = {frozenset(): (0, ())}
    for size in range(1, len(names) + 1):
        for members in map(frozenset, combinations(names, size)):
            choices = []
            for last in sorted(members):
                count, before = best[members - {last}]
                parents = _smallest_parent_sets(oracle, last, sorted(before))[0]
                choices.append((count + len(parents), (*before, last)))
            best[members] = min(choices)
    return minimal_imap(oracle, best[frozenset(names)][1])


def _smallest_parent_sets(oracle: Oracle, node: str, before: Sequence[str]) -> list[tuple[str, ...]]:
    for size in range(len(before)):
        sets = list(combinations(sorted(before), size))
        verdicts = oracle.test([Query(node, set(before) - set(given), given) for given in sets])
        found = [given for given, verdict in zip(sets, verdicts, strict=True) if verdict.independent]
        if found:
            return found
    return [tuple(sorted(before))]
