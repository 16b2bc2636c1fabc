"""Sums of products of tables by variable elimination, in NumPy, for many instantiations at once.

For single questions `dagwright.model.inference` is faster; here one pass serves thousands of rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dagwright.errors import CapacityError
from dagwright.model.capacity import MAX_AXES
from dagwright.model.checks import Floats

if TYPE_CHECKING:
    from dagwright.model.network import BayesianNetwork

LARGEST_FACTOR = 1 << 26
ROWS = "\0rows"
"""The name of the axis that runs over instantiations; no node is called so."""

Factor = tuple[tuple[str, ...], Floats]
Codes = NDArray[Any]


def joint_with_rows(network: BayesianNetwork, node: str, given: Mapping[str, Codes]) -> Floats:
    """P(node = k, given = row) for many instantiations at once: one row each, one column per state k."""
    asked = (node, *given)
    relevant = sorted({*asked, *network.graph.ancestors(asked)})
    factors = [((*network.parents(each), each), network.table(each)) for each in relevant]
    return eliminate_rows(factors, given, (ROWS, node))


def eliminate_rows(factors: Sequence[Factor], given: Mapping[str, Codes], kept: Sequence[str]) -> Floats:
    """`eliminate` at many instantiations, `ROWS` the first name kept; in halves where memory is short."""
    try:
        return eliminate(with_rows(factors, given), kept)
    except CapacityError:
        rows = len(next(iter(given.values()))) if given else 1
        if rows == 1:
            raise
    halves = (slice(None, rows // 2), slice(rows // 2, None))
    parts = [eliminate_rows(factors, {name: c[half] for name, c in given.items()}, kept) for half in halves]
    return np.concatenate(parts)


def with_rows(factors: Iterable[Factor], given: Mapping[str, Codes]) -> list[Factor]:
    """The factors at many instantiations: the given names become one axis, `ROWS`."""
    rows = len(next(iter(given.values()))) if given else 1
    result: list[Factor] = [((ROWS,), np.ones(rows))]
    for names, table in factors:
        fixed = [axis for axis, name in enumerate(names) if name in given]
        free = [axis for axis, name in enumerate(names) if name not in given]
        if fixed:
            chosen = table.transpose(*fixed, *free)[tuple(given[names[axis]] for axis in fixed)]
            result.append(((ROWS, *(names[axis] for axis in free)), chosen))
        else:
            result.append((names, table))
    return result


def eliminate(factors: Iterable[Factor], kept: Sequence[str]) -> Floats:
    """The product of the factors with every name summed out that is not kept.

    The name whose elimination makes the smallest factor goes first, by name among equals.
    """
    remaining = dict(enumerate(factors))
    size: dict[str, int] = {}
    uses: dict[str, set[int]] = {}
    for number, (names, values) in remaining.items():
        for name, length in zip(names, values.shape, strict=True):
            size[name] = length
            uses.setdefault(name, set()).add(number)

    def scope_of(name: str) -> set[str]:
        return {other for number in uses[name] for other in remaining[number][0]} - {name}

    def cells(name: str) -> int:
        return math.prod(size[other] for other in scope_of(name))

    cost = {name: cells(name) for name in uses if name not in kept}
    following = len(remaining)
    while cost:
        name = min(cost, key=lambda each: (cost[each], each))
        scope = sorted(scope_of(name))
        _require_small(name, [size[other] for other in scope])
        touched = sorted(uses.pop(name))
        combined = product([remaining.pop(number) for number in touched], scope)
        for other in scope:
            uses[other].difference_update(touched)
            uses[other].add(following)
        remaining[following] = (tuple(scope), combined)
        following += 1
        del cost[name]
        cost |= {other: cells(other) for other in scope if other in cost}
    _require_small(kept[0] if kept else "", [size[name] for name in kept])
    return product(remaining.values(), kept)


def product(factors: Iterable[Factor], kept: Sequence[str]) -> Floats:
    """The product of a few factors, summed over the names that are not kept."""
    letters: dict[str, int] = {}
    operands: list[Any] = []
    constant = 1.0
    for names, values in factors:
        if names:
            operands += [values, [letters.setdefault(name, len(letters)) for name in names]]
        else:
            constant *= float(values)
    if not operands:
        return np.array(constant)
    result = np.einsum(*operands, [letters[name] for name in kept], optimize="greedy")
    return np.asarray(constant * result, dtype=np.float64, order="C")


def _require_small(name: str, lengths: Sequence[int]) -> None:
    if math.prod(lengths) > LARGEST_FACTOR or len(lengths) >= MAX_AXES:
        raise CapacityError(
            f"the exact sum around node {name!r} needs a table of {len(lengths)} variables and "
            f"{math.prod(lengths):,} cells; ask for fewer nodes at once or for an estimate"
        )
