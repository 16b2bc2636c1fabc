"""How large the tables of a network would be, known before any is made."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dagwright.base.memory import budget, require_memory, shown_bytes
from dagwright.errors import CapacityError

CELL_BYTES = 8
MAX_AXES = 32  # of a NumPy 1 array


@dataclass(frozen=True)
class TableSizes:
    """Cells of the table of each node, largest first."""

    cells: dict[str, int]

    @property
    def total_bytes(self) -> int:
        return CELL_BYTES * sum(self.cells.values())

    def __str__(self) -> str:
        largest = ", ".join(f"{node} {cells:,}" for node, cells in list(self.cells.items())[:5])
        return f"{shown_bytes(self.total_bytes)} in {len(self.cells)} tables; largest (cells): {largest}"


def table_sizes(cardinalities: Mapping[str, int], parents: Mapping[str, Sequence[str]]) -> TableSizes:
    """The sizes of the tables of a network.

    >>> print(table_sizes({"a": 2, "b": 3}, {"a": (), "b": ("a",)}))
    64 bytes in 2 tables; largest (cells): b 6, a 2
    """
    sizes = {
        node: cardinalities[node] * math.prod(cardinalities[parent] for parent in given)
        for node, given in parents.items()
    }
    return TableSizes(dict(sorted(sizes.items(), key=lambda item: (-item[1], item[0]))))


def require_capacity(
    cardinalities: Mapping[str, int],
    parents: Mapping[str, Sequence[str]],
    max_bytes: float | None = None,
    *,
    copies: int = 1,
) -> TableSizes:
    """The sizes of the tables, or an error naming the largest if this many copies exceed the bound.

    Without a bound they may take what `dagwright.base.memory.budget` leaves to one piece of work.
    """
    for node, given in parents.items():
        if len(given) >= MAX_AXES:
            raise CapacityError(
                f"node {node!r} has {len(given)} parents, more than the {MAX_AXES - 1} a table can hold; "
                "bound the number of parents"
            )
    sizes = table_sizes(cardinalities, parents)
    most = budget() if max_bytes is None else max_bytes
    if copies * sizes.total_bytes > most:
        node, cells = next(iter(sizes.cells.items()))
        raise CapacityError(
            f"the tables would need {shown_bytes(copies * sizes.total_bytes)}, more than "
            f"{shown_bytes(most)}; that of node {node!r} with {len(parents[node])} parents alone has "
            f"{cells:,} cells: bound its parents or merge states"
        )
    require_memory(
        copies * sizes.total_bytes,
        "the tables of the network",
        "bound the number of parents, or merge states",
    )
    return sizes
