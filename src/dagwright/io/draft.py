"""From what a reader found in a file to a network: the part that all formats share."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np

from dagwright.data import Origin
from dagwright.data.origin import origin_of
from dagwright.errors import CapacityError, DagwrightError, FormatError, unknown_name
from dagwright.graph.dag import Dag
from dagwright.io.spelling import Speller, as_is, spells, states_from, taken_from
from dagwright.model import BayesianNetwork, LinearGaussian, Metadata
from dagwright.model.tables.capacity import require_capacity
from dagwright.model.tables.checks import SUM_TOLERANCE, Floats, normalized

ROUNDED = 1e-4
"""How far from 1 the sum of figures rounded in print may lie, for each state of the node at most this."""
FREE_CELLS, CELLS_PER_BYTE = 2**20, 64
"""Cells that a file may claim by default rows and the like without writing them out, by its size."""
FREE_STATES, STATES_PER_BYTE = 2**16, 4
"""States that a file may claim by their number alone."""


@dataclass
class NodeDraft:
    """A node as a file gives it: names in the file's spelling, ``table`` one row per configuration.

    A continuous node has a ``regression`` instead of states and table. ``where`` gives line and column, for
    errors that show only when the whole file was read.
    """

    name: str
    states: list[Any]
    parents: list[str] = field(default_factory=list)
    table: Floats | None = None
    properties: dict[str, str] = field(default_factory=dict)
    regression: LinearGaussian | None = None
    where: Callable[[], str] = str


@dataclass
class Draft:
    """A network as a file gives it; ``size`` is that of its text."""

    size: int
    nodes: dict[str, NodeDraft] = field(default_factory=dict)
    name: str = ""
    properties: dict[str, str] = field(default_factory=dict)
    claimed: int = 0

    def claim_states(self, count: int) -> None:
        """Refuse numbers of states, all nodes together, that a file of this size cannot be about."""
        self.claimed += count
        if self.claimed > FREE_STATES + STATES_PER_BYTE * self.size:
            raise FormatError(
                f"more states than a file of this size can be about: {self.claimed:,} are announced"
            )

    def shape(self, node: str) -> list[int]:
        """States of the parents and of the node itself."""
        draft = self.nodes[node]
        return [len(self.nodes[each].states) for each in (*draft.parents, node)]

    def certain_table(self, node: str, outcomes: Sequence[str], codes: Mapping[str, int]) -> Floats | None:
        """The table of a function, from the outcome of each configuration; None if one does not fit."""
        shape = self.shape(node)
        if len(outcomes) != configurations(shape) or not set(outcomes) <= set(codes):
            return None
        table = np.zeros((configurations(shape), shape[-1]))
        table[np.arange(len(outcomes)), [codes[outcome] for outcome in outcomes]] = 1.0
        return table

    def refuse(self, node: str, problem: str) -> NoReturn:
        """Raise an error about a node, with its place if that is known."""
        at = self.nodes[node].where()
        raise FormatError(f"{at}: {problem}" if at else problem) from None

    def require_plausible(self, continuous: Collection[str] = ()) -> None:
        """Refuse parents that do not exist and tables too large for the file they come from."""
        for node, draft in self.nodes.items():
            if not draft.states and node not in continuous:
                self.refuse(node, f"node {node!r} has no states")
            for parent in draft.parents:
                if parent not in self.nodes:
                    self.refuse(node, f"node {node!r}: {unknown_name('parent', parent, self.nodes)}")
            if node in draft.parents:
                self.refuse(node, f"node {node!r} is its own parent")
            if len(set(draft.parents)) < len(draft.parents):
                self.refuse(node, f"node {node!r} names a parent twice")
        # A continuous node has one regression for each configuration, as a table with one column has.
        cardinalities = {node: max(1, len(draft.states)) for node, draft in self.nodes.items()}
        sizes = require_capacity(cardinalities, {node: d.parents for node, d in self.nodes.items()})
        if sum(sizes.cells.values()) > FREE_CELLS + CELLS_PER_BYTE * self.size:
            raise CapacityError(f"the tables it declares are too large for a file of its size: {sizes}")


def unrounded(table: Floats) -> Floats:
    """The table with configurations that were rounded in print divided by their sum; others are left."""
    off = np.abs(table.sum(axis=-1) - 1.0)
    rounded = (off > SUM_TOLERANCE) & (off <= ROUNDED * max(1.0, table.shape[-1] / 10))
    if np.any(rounded):
        table[rounded] = normalized(table[rounded])
    return table


@dataclass(frozen=True)
class Speaking:
    """How a format spells names, so that what was carried can be compared with what stands in the file.

    Attributes
    ----------
    of_node, of_state
        The spellers; None if the format has no names of its own.
    longest
        The most characters of a name.
    label
        The property in which the format shows a name that it cannot spell.
    """

    of_node: Speller | None = as_is
    of_state: Speller | None = as_is
    longest: int | None = None
    label: str = ""


def finished(draft: Draft, speaking: Speaking = Speaking()) -> BayesianNetwork:
    """The network of a draft, with what traveled under the reserved property put back in its place."""
    carried = {node: taken_from(d.properties) for node, d in draft.nodes.items()}
    names = _names(draft, carried, speaking.of_node)
    for node, each in draft.nodes.items():
        kept, label = carried[node].get("properties"), speaking.label
        if each.properties.get(label) == names[node] != node and not (
            isinstance(kept, dict) and label in kept
        ):
            del each.properties[label]
    states: dict[str, Sequence[Hashable]] = {}
    origins: dict[str, Origin] = {}
    for node, each in draft.nodes.items():
        if each.regression is not None:
            continue
        found = states_from(carried[node], each.states, speaking.of_state, speaking.longest)
        states[names[node]] = each.states if found is None else found
        if (origin := _origin(carried[node], states[names[node]])) is not None:
            origins[names[node]] = origin
    parents = {names[node]: [names[p] for p in each.parents] for node, each in draft.nodes.items()}
    about = taken_from(draft.properties)
    texts = {key: value for key, value in about.items() if isinstance(value, str)}
    tables: dict[str, Any] = {}
    for node, each in draft.nodes.items():
        if each.regression is not None:
            tables[names[node]] = each.regression.renamed(names)
            continue
        if each.table is None:
            draft.refuse(node, f"node {node!r} has no probabilities")
        with np.errstate(over="ignore", invalid="ignore"):
            tables[names[node]] = unrounded(each.table).reshape(draft.shape(node))
    try:
        return BayesianNetwork(
            Dag(
                _order(list(names.values()), about.get("nodes")),
                [(p, node) for node, given in parents.items() for p in given],
            ),
            states,
            tables,
            parents={name: given for name, given in parents.items() if name in states},
            origins=origins,
            metadata=Metadata(
                texts.get("name", draft.name),
                texts.get("description", ""),
                texts.get("citation", ""),
                draft.properties,
                {names[node]: each.properties for node, each in draft.nodes.items()},
            ),
        )
    except CapacityError:
        raise
    except DagwrightError as problem:
        for node, name in names.items():
            if str(problem).startswith((f"node {name!r}:", f"node {name!r},", f"node {name!r} ")):
                draft.refuse(node, str(problem))
        raise FormatError(str(problem)) from None


def _names(draft: Draft, carried: Mapping[str, dict[str, Any]], of_node: Speller | None) -> dict[str, str]:
    """The true name of each node by its spelling in the file, which stands if another program changed it."""
    names: dict[str, str] = {}
    for spelled in draft.nodes:
        name = carried[spelled].get("name")
        known = isinstance(name, str) and (of_node is None or spells(spelled, of_node(name)))
        names[spelled] = str(name) if known else spelled
    return names if len(set(names.values())) == len(names) else {spelled: spelled for spelled in draft.nodes}


def _order(names: list[str], carried: object) -> list[str]:
    """The order of nodes that the file gives, if it names exactly these nodes."""
    try:
        known = isinstance(carried, list) and sorted(carried) == sorted(names)
    except TypeError:
        known = False
    return list(carried) if known else names  # type: ignore[call-overload]


def _origin(entry: dict[str, Any], states: Sequence[Hashable]) -> Origin | None:
    try:
        origin = origin_of(entry)
    except (TypeError, ValueError, OverflowError):
        return None
    if origin is None or (origin.bins is not None and len(origin.bins.cuts) + 1 != len(states)):
        return None
    return origin if origin.other is None or origin.other in states else None


def child_last(values: Floats, configurations: int, states: int) -> Floats:
    """One row per configuration, from numbers in which the child's states change slowest."""
    return np.ascontiguousarray(values.reshape(states, configurations).T)


def configurations(shape: Sequence[int]) -> int:
    return math.prod(shape[:-1])
