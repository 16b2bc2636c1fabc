"""Random networks for simulations, tests and benchmarks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from dagwright.base.seeds import RandomState, generator
from dagwright.errors import OptionError, require_a, unknown_name
from dagwright.graph.dag import Dag
from dagwright.graph.graph_like import AnyGraph, GraphLike, as_dag
from dagwright.graph.named_graph import Edge
from dagwright.model.network import BayesianNetwork
from dagwright.model.tables.capacity import require_capacity
from dagwright.model.tables.checks import Floats
from dagwright.model.tables.essential import edge_strength
from dagwright.sentences import Argument

TRIES = 20


def random_network(
    nodes: int | Iterable[str] | GraphLike,
    *,
    arcs: int | None = None,
    density: float | None = None,
    max_parents: int | None = None,
    cardinalities: int | tuple[int, int] | Mapping[str, int] = 2,
    concentration: float = 1.0,
    min_difference: float = 0.01,
    random_state: RandomState = None,
) -> BayesianNetwork:
    """A network with random arcs and random tables, every arc of which is essential.

    Parameters
    ----------
    nodes
        Names, a number of nodes (named X1, X2, ...), or a graph to put random tables on.
    arcs, density
        How many arcs, or which share of the pairs of nodes is joined; as many arcs as nodes, if neither.
    max_parents
        No node gets more.
    cardinalities
        States of every node; a range (low, high) to draw from; or a dict with a number for each node.
    concentration
        Rows of the tables are Dirichlet with this number for every state: small means nearly deterministic,
        large nearly uniform.
    min_difference
        What every parent changes at least in some probability of its child, below 0.5.

    >>> network = random_network(20, arcs=30, max_parents=3, cardinalities=(2, 4), random_state=1)
    >>> len(network.graph.edges), network.inessential_edges()
    (30, ())
    """
    if not (math.isfinite(concentration) and concentration > 0):
        raise OptionError(f"the concentration must be a positive number, not {concentration}")
    if not 0 <= min_difference < 0.5:
        raise OptionError(f"min_difference must be between 0 and 0.5, got {min_difference}")
    rng = generator(random_state)
    if isinstance(nodes, str | AnyGraph) or hasattr(nodes, "graph"):
        if arcs is not None or density is not None or max_parents is not None:
            raise OptionError(
                "a graph has its edges already: leave out ",
                Argument("arcs"),
                ", ",
                Argument("density"),
                " and ",
                Argument("max_parents"),
            )
        graph = as_dag(nodes, differ="random tables belong to one DAG")
    else:
        require_a(int | Iterable, nodes, "nodes", "a number, names or a graph")
        names = [f"X{i + 1}" for i in range(nodes)] if isinstance(nodes, int) else list(nodes)
        graph = Dag(names, _random_arcs(names, arcs, density, max_parents, rng))
    r = _cardinalities(graph, cardinalities, rng)
    parents = {node: graph.parents(node) for node in graph.nodes}
    require_capacity(r, parents)
    tables = {
        node: random_table([r[v] for v in (*parents[node], node)], concentration, min_difference, rng)
        for node in sorted(graph.nodes)
    }
    return BayesianNetwork(graph, {node: [f"s{k}" for k in range(r[node])] for node in graph.nodes}, tables)


def _random_arcs(
    names: Sequence[str],
    arcs: int | None,
    density: float | None,
    max_parents: int | None,
    rng: np.random.Generator,
) -> list[Edge]:
    """Pairs along a random order, drawn one after the other, those past the bound on parents left out."""
    n = len(names)
    if arcs is not None and density is not None:
        raise OptionError(
            "give ",
            Argument("arcs"),
            " or ",
            Argument("density"),
            ", not both",
        )
    if max_parents is not None and max_parents < 0:
        raise OptionError(f"max_parents must be at least 0, not {max_parents}")
    bound = n if max_parents is None else max_parents
    room = sum(min(i, bound) for i in range(n))
    if density is not None:
        if not 0 <= density <= 1:
            raise OptionError(f"the density must be between 0 and 1, got {density}")
        wanted = min(room, int(rng.binomial(math.comb(n, 2), density)))
    else:
        wanted = min(n, room) if arcs is None else arcs
    if not 0 <= wanted <= room:
        raise OptionError(
            f"{n} nodes can have at most {room} arcs"
            + ("" if max_parents is None else f" with {max_parents} parents each")
            + f", not {wanted}"
        )
    order = rng.permutation(n)
    chosen: set[tuple[int, int]] = set()
    parents = [0] * n
    if 2 * wanted > room or n < 100:
        pairs = [(i, j) for j in range(n) for i in range(j)]
        candidates: Iterable[tuple[int, int]] = (pairs[k] for k in rng.permutation(len(pairs)))
    else:
        candidates = _endless_pairs(n, rng)
    if wanted:
        for early, late in candidates:
            if parents[late] < bound and (early, late) not in chosen:
                chosen.add((early, late))
                parents[late] += 1
                if len(chosen) == wanted:
                    break
    return [(names[order[i]], names[order[j]]) for i, j in sorted(chosen)]


def _endless_pairs(n: int, rng: np.random.Generator) -> Iterable[tuple[int, int]]:
    while True:
        for i, j in rng.integers(0, n, size=(1024, 2)).tolist():
            if i != j:
                yield min(i, j), max(i, j)


def _state_range(given: object) -> tuple[int, int]:
    """The fewest and the most states that a node may have."""
    if isinstance(given, int):
        return given, given
    if isinstance(given, tuple | list) and len(given) == 2 and all(isinstance(one, int) for one in given):
        return given[0], given[1]
    raise OptionError(
        Argument("cardinalities"),
        " must be a number of states, a range (low, high), or a dict with a number for each node, not ",
        repr(given),
    )


def _cardinalities(
    graph: Dag, given: int | tuple[int, int] | Mapping[str, int], rng: np.random.Generator
) -> dict[str, int]:
    if isinstance(given, Mapping):
        for node in given:
            if node not in graph:
                raise unknown_name("node", node, graph.nodes)
        r = {node: int(given.get(node, 2)) for node in graph.nodes}
    else:
        low, high = _state_range(given)
        if low > high:
            raise OptionError(
                Argument("cardinalities", (low, high)),
                " is not a range",
            )
        r = {node: int(rng.integers(low, high, endpoint=True)) for node in sorted(graph.nodes)}
    for node, states in r.items():
        if states < 2:
            raise OptionError(f"node {node!r} would have {states} states; random networks need at least two")
    return r


def random_table(
    shape: Sequence[int], concentration: float, min_difference: float, rng: np.random.Generator
) -> Floats:
    """Dirichlet rows in which every parent makes a difference above ``min_difference``."""
    for _ in range(TRIES):
        table: Floats = rng.dirichlet(np.full(shape[-1], concentration), size=tuple(shape[:-1]))
        table = np.nan_to_num(table, nan=1.0 / shape[-1])
        if all(edge_strength(table, axis) > min_difference for axis in range(len(shape) - 1)):
            return table
    # Chance did not do it: against the first configuration, each parent alone now moves all the mass to the
    # state that is least likely there, a difference of at least 1 - 1/r.
    first = (0,) * (len(shape) - 1)
    far = np.zeros(shape[-1])
    far[np.argmin(table[first])] = 1.0
    for axis in range(len(shape) - 1):
        place = tuple(int(other == axis) for other in range(len(shape) - 1))
        table[place] = far
    return table
