"""How far apart two networks are, node by node (Lam & Bacchus 1994, Eq. 10).

For each node X and each instantiation f of its Markov blanket in the first network, D compares P1(X | f) with
P2(X | f); the mean over all f, plus the same with the roles exchanged, is the node's part; the distance is
the mean over the nodes. Identical networks have distance 0, and the distance is symmetric.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from dagwright.base.seeds import RandomState, generator
from dagwright.data import Table
from dagwright.data.states import code_dtype
from dagwright.errors import DataError, OptionError
from dagwright.model.distances.alignment import aligned
from dagwright.model.inference.batches import posterior_rows, row_log_probabilities
from dagwright.model.network import BayesianNetwork
from dagwright.model.network_like import NetworkLike, as_network
from dagwright.model.tables.checks import Floats
from dagwright.sentences import Argument

Comparison = Literal["absolute", "kl"]
Codes = NDArray[Any]
ROWS_AT_ONCE = 4096


@dataclass(frozen=True)
class NetworkDistance:
    """A distance between networks and how it came about.

    Attributes
    ----------
    total
        The mean over the nodes.
    by_node
        The part of each node.
    measure
        "absolute" (mean absolute difference of the probabilities) or "kl" (bits).
    impossible
        Instantiations left out because one of the networks rules them out, so that it has no conditional.
    exact
        Whether all instantiations were taken; otherwise some were drawn, and ``standard_error`` says how far
        the total may be off.
    """

    total: float
    by_node: dict[str, float]
    measure: Comparison
    impossible: int
    exact: bool
    standard_error: float

    def __float__(self) -> float:
        return self.total


def distance(
    first: NetworkLike,
    second: NetworkLike,
    measure: Comparison = "absolute",
    *,
    impossible: Literal["skip", "error"] = "skip",
    max_instantiations: int = 100_000,
    samples: int = 2_000,
    random_state: RandomState = None,
) -> NetworkDistance:
    """The distance of Lam & Bacchus (1994, Eq. 10) between two networks over the same variables.

    Parameters
    ----------
    measure
        What compares two distributions of a node: "absolute", the mean absolute difference over its states,
        or "kl", the Kullback-Leibler divergence in bits, which may be infinite.
    impossible
        What to do with an instantiation that has probability zero in one of the networks, so that a
        conditional is undefined there: leave it out and count it, or refuse.
    max_instantiations
        Blankets with more instantiations are not listed but drawn from, ``samples`` times.

    >>> from dagwright import load
    >>> distance(load("asia"), load("asia")).total
    0.0
    """
    if measure not in get_args(Comparison):
        raise OptionError(
            Argument("measure", measure),
            "; choose 'absolute' or 'kl'",
        )
    if impossible not in ("skip", "error"):
        raise OptionError(
            Argument("impossible", impossible),
            "; choose 'skip' or 'error'",
        )
    if samples < 2:
        raise OptionError(f"an estimate needs at least two samples, not {samples}")
    first = as_network(first, "first network")
    other = aligned(first, as_network(second, "second network"))
    rng = generator(random_state)
    by_node, skipped, exact, variance = {}, 0, True, 0.0
    for node in sorted(first.nodes):
        parts = []
        for here, there in ((first, other), (other, first)):
            blanket = here.graph.markov_blanket(node)
            size = math.prod(map(here.cardinality, blanket))
            listed = size <= max_instantiations
            rows = list(_listed(here, blanket, size) if listed else _drawn(here, blanket, samples, rng))
            values = np.concatenate([_differences(here, there, node, given, measure) for given in rows])
            undefined = np.isnan(values)
            for network in (here, there):
                undefined |= _impossible(network, blanket, None if listed else rows)
            if impossible == "error" and np.any(undefined):
                raise DataError(
                    f"{int(undefined.sum()):,} states of the Markov blanket of {node!r} have probability "
                    "zero in one of the networks; ",
                    Argument("impossible", "skip"),
                    " leaves them out",
                )
            values = values[~undefined]
            skipped += int(undefined.sum())
            exact &= listed
            parts.append(math.fsum(values.tolist()) / len(values) if len(values) else 0.0)
            if not listed and len(values) > 1 and np.all(np.isfinite(values)):
                variance += float(np.var(values, ddof=1)) / len(values)
        by_node[node] = parts[0] + parts[1]
    n = max(len(first.nodes), 1)
    total = math.fsum(by_node.values()) / n
    ordered = {node: by_node[node] for node in first.nodes}
    return NetworkDistance(total, ordered, measure, skipped, exact, math.sqrt(variance) / n)


def _listed(network: BayesianNetwork, blanket: tuple[str, ...], size: int) -> Iterator[dict[str, Codes]]:
    """Every instantiation of the blanket, in portions; one empty instantiation for an empty blanket."""
    shape = [network.cardinality(name) for name in blanket]
    for start in range(0, size, ROWS_AT_ONCE):
        numbers = np.arange(start, min(start + ROWS_AT_ONCE, size))
        places: Any = np.unravel_index(numbers, shape) if shape else ()
        yield dict(zip(blanket, places, strict=True))


def _drawn(
    network: BayesianNetwork, blanket: tuple[str, ...], samples: int, rng: np.random.Generator
) -> Iterator[dict[str, Codes]]:
    """Instantiations drawn with equal chances, in portions."""
    for start in range(0, samples, ROWS_AT_ONCE):
        rows = min(ROWS_AT_ONCE, samples - start)
        yield {name: rng.integers(0, network.cardinality(name), rows) for name in blanket}


def _differences(
    here: BayesianNetwork, there: BayesianNetwork, node: str, given: dict[str, Codes], measure: Comparison
) -> Floats:
    """D(P_here(node | f), P_there(node | f)) of each instantiation f; NaN where one is undefined."""
    p, q = (_conditional(network, node, given) for network in (here, there))
    if measure == "absolute":
        means: Floats = np.abs(p - q).mean(axis=1)
        return means
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(p > 0, p * np.log2(p / q), 0.0)
    undefined = np.isnan(p[:, 0]) | np.isnan(q[:, 0])
    return np.where(undefined, np.nan, np.maximum(terms.sum(axis=1), 0.0))


def _conditional(network: BayesianNetwork, node: str, given: Mapping[str, Codes]) -> Floats:
    """P(node | these states) of each row; other nodes are summed out."""
    if set(network.graph.markov_blanket(node)) <= set(given):
        return conditional_given_blanket(network, node, given)
    if not given:
        return np.array([list(network.query(node).values())])
    return posterior_rows(network, _as_rows(network, given), node, "missing", "error", None)


def _impossible(
    network: BayesianNetwork, blanket: tuple[str, ...], rows: Sequence[Mapping[str, Codes]] | None
) -> NDArray[np.bool_] | bool:
    """Whether an instantiation has probability zero; all instantiations of the blanket where rows is None.

    The rows of a table that belong to impossible parents are arbitrary: they say nothing about a network.
    """
    if not blanket or all(network.table(node).all() for node in network.nodes):
        return False
    if rows is None:
        return np.equal(network.marginal(blanket).ravel(), 0.0)
    found = [row_log_probabilities(network, _as_rows(network, given), "error", None) for given in rows]
    return np.isneginf(np.concatenate(found))


def _as_rows(network: BayesianNetwork, given: Mapping[str, Codes]) -> Table:
    codes = [given[name].astype(code_dtype(network.cardinality(name))) for name in given]
    return Table(tuple(given), codes, [network.states(name) for name in given])


def conditional_given_blanket(
    network: BayesianNetwork, node: str, given: Mapping[str, NDArray[Any]]
) -> Floats:
    """P(node | its Markov blanket) of each row of states: the node's and its children's tables suffice.

    NaN where no state of the node is possible.
    """
    r = network.cardinality(node)
    rows = len(next(iter(given.values()))) if given else 1
    weight = np.ones((rows, r))
    own = np.arange(r)
    for member in (node, *network.graph.children(node)):
        place = tuple(
            own[None, :] if name == node else given[name][:, None]
            for name in (*network.parents(member), member)
        )
        weight *= network.table(member)[place]
    return _normalized_rows(weight)


def _normalized_rows(weight: Floats) -> Floats:
    sums = weight.sum(axis=1, keepdims=True)
    result = np.full_like(weight, np.nan)
    np.divide(weight, sums, out=result, where=sums > 0)
    return result
