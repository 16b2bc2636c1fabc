"""The tables and the junction tree of a network in the native core, made once per network."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dagwright import _core
from dagwright.base.memory import shown_bytes
from dagwright.model.inference.findings import Findings
from dagwright.model.tables.capacity import CELL_BYTES

if TYPE_CHECKING:
    from dagwright.model.network import BayesianNetwork

TRIES = 9
"""Elimination orders tried for a junction tree; the cheapest is taken."""


@dataclass(frozen=True)
class NumberedTables:
    """The native tables; nodes are numbered as in the graph, by default alphabetically.

    So the order in which nodes were given cannot show in an answer.
    """

    native: _core.NetworkTables
    number: Mapping[str, int]

    def hard(self, findings: Findings) -> list[tuple[int, int]]:
        return [(self.number[node], code) for node, code in findings.hard.items()]

    def soft(self, findings: Findings) -> list[tuple[int, list[float]]]:
        return [(self.number[node], list(values)) for node, values in findings.soft.items()]


@dataclass(frozen=True)
class InferenceForecast:
    """Upper bounds on the cost of exact inference; evidence and pruning only lower it.

    Attributes
    ----------
    cliques
        How many cliques the junction tree has.
    width
        Variables of the largest clique minus one.
    cells
        Cells of all cliques together.
    largest
        The variables of the clique with the most cells.
    largest_cells
        How many these are.
    """

    cliques: int
    width: int
    cells: float
    largest: tuple[str, ...]
    largest_cells: float

    def __str__(self) -> str:
        return (
            f"{self.cliques} cliques, width {self.width}, {shown_bytes(CELL_BYTES * self.cells)}; largest: "
            f"{self.largest_cells:,.0f} cells over {', '.join(self.largest)}"
        )


def numbered_tables(network: BayesianNetwork) -> NumberedTables:
    """The native tables of a network, made at the first call."""
    made = network._compiled.get("tables")
    if made is None:
        names, number = network.numbering.names, network.numbering.number
        native = _core.NetworkTables.make(
            names,
            [network.cardinality(node) for node in names],
            [[*map(number.__getitem__, network._parents[node]), i] for i, node in enumerate(names)],
            [network._tables[node].reshape(-1) for node in names],
        )
        made = network._compiled["tables"] = NumberedTables(native, number)
    return made


def junction_tree(network: BayesianNetwork) -> _core.JunctionTree:
    """The junction tree of a network, made at the first call."""
    made = network._compiled.get("tree")
    if made is None:
        made = network._compiled["tree"] = _core.JunctionTree.make(numbered_tables(network).native, TRIES, 1)
    return made


def forecast_inference(network: BayesianNetwork) -> InferenceForecast:
    """Width and size of the junction tree of a network."""
    if network.gaussians:
        from dagwright.model.gaussian.forecast import forecast_strong

        return forecast_strong(network)
    tree = junction_tree(network)
    return InferenceForecast(
        cliques=len(tree.cliques),
        width=max(map(len, tree.cliques), default=1) - 1,
        cells=tree.cells,
        largest=network.numbering.name_all(tree.largest),
        largest_cells=tree.largest_cells,
    )
