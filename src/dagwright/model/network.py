"""The Bayesian network: a graph and one conditional distribution per node."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dagwright.base.numbering import Numbering
from dagwright.data import Origin, Table
from dagwright.data.bins import Scale, shown_number
from dagwright.data.origin import PLAIN
from dagwright.data.states import state_key
from dagwright.errors import DataError, unknown_name
from dagwright.graph.dag import Dag
from dagwright.graph.graph_like import GraphLike, as_dag
from dagwright.model.gaussian.checks import own_gaussians
from dagwright.model.gaussian.distribution import LinearGaussian
from dagwright.model.inference.answers import Answers
from dagwright.model.inference.findings import UnknownStatePolicy
from dagwright.model.network_value import digest_of, same_distribution, shown_network
from dagwright.model.tables.capacity import require_capacity
from dagwright.model.tables.checks import (
    Floats,
    States,
    checked_node_states,
    checked_parents,
    own_array,
    own_counts,
    require_all_nodes,
    require_probabilities,
)
from dagwright.model.tables.metadata import Metadata
from dagwright.model.tables.network_methods import NetworkMethods


class BayesianNetwork(NetworkMethods, Answers):
    """An immutable Bayesian network over discrete and continuous variables.

    Two networks are equal if they have the same graph, the same states in the same order and the same
    probabilities and regressions; the order of nodes and of parents, counts and metadata do not matter.

    Parameters
    ----------
    graph
        The arcs.
    states
        The states of each discrete node, in order.
    tables
        For each discrete node an array with one axis per parent and a last axis for the node itself, holding
        P(node | parents); every configuration sums to 1. For each continuous node a `LinearGaussian`. A
        continuous node cannot be a parent of a discrete one.
    parents
        The order of the parents in each table, for nodes where it is not alphabetical.
    counts
        Counts behind the tables, in the same shape, for nodes that have them.
    pseudo_counts
        Prior counts behind the tables, in any shape that broadcasts to theirs.
    origins
        How new data of a node become states: cut points and grouped values.
    metadata
        Name, citation and free properties, or just a name.

    >>> sprinkler = BayesianNetwork(
    ...     Dag(["Rain", "Lawn"], [("Rain", "Lawn")]),
    ...     {"Rain": ["no", "yes"], "Lawn": ["dry", "wet"]},
    ...     {"Rain": [0.8, 0.2], "Lawn": [[0.9, 0.1], [0.05, 0.95]]},
    ... )
    >>> sprinkler.probability("Lawn", "wet", {"Rain": "yes"})
    0.95
    """

    __slots__ = (
        "_compiled",
        "_counts",
        "_gaussians",
        "_graph",
        "_hash",
        "_metadata",
        "_origins",
        "_parents",
        "_pseudo_counts",
        "_states",
        "_tables",
    )
    _graph: Dag
    _states: dict[str, States]
    _parents: dict[str, tuple[str, ...]]
    _tables: dict[str, Floats]
    _counts: dict[str, Floats]
    _pseudo_counts: dict[str, Floats]
    _origins: dict[str, Origin]
    _metadata: Metadata
    _gaussians: Mapping[str, LinearGaussian]
    _hash: int | None
    _compiled: dict[str, Any]  # what sampling and inference prepare once; never saved, never compared

    def __init__(
        self,
        graph: GraphLike,
        states: Mapping[str, Sequence[Hashable]],
        tables: Mapping[str, ArrayLike],
        *,
        parents: Mapping[str, Sequence[str]] | None = None,
        counts: Mapping[str, ArrayLike] | None = None,
        pseudo_counts: Mapping[str, ArrayLike] | None = None,
        origins: Mapping[str, Origin] | None = None,
        metadata: Metadata | str = "",
    ) -> None:
        graph = as_dag(graph, differ="tables belong to one DAG")
        require_all_nodes("table", graph, tables)
        numeric = {node: own for node, own in tables.items() if isinstance(own, LinearGaussian)}
        known = checked_node_states(graph, states, numeric)
        gaussians = own_gaussians(graph, known, numeric)
        order = checked_parents(
            graph, dict(parents or {}) | {node: own.parents for node, own in gaussians.items()}
        )
        require_capacity(
            {node: len(of_node) for node, of_node in known.items()}, {node: order[node] for node in known}
        )
        shapes = {node: tuple(len(known[v]) for v in (*order[node], node)) for node in known}
        own = {node: own_array(node, "probabilities", tables[node], shapes[node]) for node in known}
        for node, table in own.items():
            require_probabilities(node, table, order[node], known)
        behind = {}
        for node, values in (counts or {}).items():
            self._require_discrete(graph, numeric, node)
            behind[node] = own_counts(node, "counts", values, shapes[node])
        prior = {}
        for node, values in (pseudo_counts or {}).items():
            self._require_discrete(graph, numeric, node)
            prior[node] = own_counts(node, "pseudo-counts", values, shapes[node], broadcast=True)
        about = Metadata(name=metadata) if isinstance(metadata, str) else metadata
        for node in (*(origins or {}), *about.node_properties):
            self._require_node(graph, node)
        self._set(graph, known, order, own, behind, prior, dict(origins or {}), about, gaussians)

    def _set(
        self,
        graph: Dag,
        states: dict[str, States],
        parents: dict[str, tuple[str, ...]],
        tables: dict[str, Floats],
        counts: dict[str, Floats],
        pseudo_counts: dict[str, Floats],
        origins: dict[str, Origin],
        metadata: Metadata,
        gaussians: Mapping[str, LinearGaussian],
    ) -> None:
        parts = (graph, states, parents, tables, counts, pseudo_counts, origins, metadata, gaussians)
        for name, part in zip(_PARTS, parts, strict=True):
            object.__setattr__(self, name, part)
        object.__setattr__(self, "_hash", None)
        object.__setattr__(self, "_compiled", {})

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a BayesianNetwork cannot be changed; its with_... methods give new ones")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a BayesianNetwork cannot be changed; its with_... methods give new ones")

    # What the network holds

    @property
    def graph(self) -> Dag:
        return self._graph

    @property
    def numbering(self) -> Numbering:
        """The nodes and their numbers in the core: as the graph numbers them, by default alphabetically."""
        return self._graph._nodes.numbering

    @property
    def nodes(self) -> tuple[str, ...]:
        """The node names, in the order in which the graph was given."""
        return self._graph.nodes

    @property
    def metadata(self) -> Metadata:
        return self._metadata

    @property
    def name(self) -> str:
        return self._metadata.name

    @property
    def origins(self) -> dict[str, Origin]:
        """Cut points and grouped values of the nodes that have them."""
        return dict(self._origins)

    @property
    def gaussians(self) -> Mapping[str, LinearGaussian]:
        """The distributions of the continuous nodes."""
        return MappingProxyType(self._gaussians)

    @property
    def continuous(self) -> tuple[str, ...]:
        """The continuous nodes, in the order of `nodes`."""
        return tuple(node for node in self.nodes if node in self._gaussians)

    def states(self, node: str) -> States:
        """The states of a discrete node in the order of its table's last axis."""
        return self._states[self._discrete(node)]

    def cardinality(self, node: str) -> int:
        """How many states a discrete node has."""
        return len(self._states[self._discrete(node)])

    def parents(self, node: str) -> tuple[str, ...]:
        """The parents of a node in the order of its table's axes."""
        return self._parents[self._known(node)]

    def table(self, node: str) -> Floats:
        """P(node | parents): read-only, one axis per parent in the order of `parents`, then its own."""
        return self._tables[self._discrete(node)]

    def counts(self, node: str) -> Floats | None:
        """The counts behind the table of a node, in its shape, or None."""
        return self._counts.get(self._known(node))

    def pseudo_counts(self, node: str) -> Floats | None:
        """The prior counts behind the table of a node, in its shape, or None."""
        prior = self._pseudo_counts.get(self._known(node))
        return None if prior is None else np.broadcast_to(prior, self.table(node).shape)

    @property
    def dimension(self) -> int:
        """Number of free parameters: (r - 1) q of a discrete node, (k + 2) q with k numeric parents."""
        of_tables: int = sum(table.size - table.size // table.shape[-1] for table in self._tables.values())
        return of_tables + sum(own.dimension for own in self._gaussians.values())

    @property
    def nbytes(self) -> int:
        """Memory of the tables."""
        return sum(table.nbytes for table in self._tables.values())

    def code(self, node: str, state: Hashable) -> int:
        """The position of a state among the states of a node.

        Where the node has cut points, a number (or a date) is the interval that contains it.
        """
        known = self.states(node)
        for position, each in enumerate(known):
            if state_key(each) == state_key(state):
                return position
        if state in known:  # True for 1, 1.0 for 1: unambiguous unless the states themselves differ so
            equal = [position for position, each in enumerate(known) if each == state]
            if len(equal) == 1:
                return equal[0]
        bins = self._origins[node].bins if node in self._origins else None
        interval = None if bins is None else bins.position(state)
        if interval is not None:
            return interval
        raise unknown_name(f"state of {node!r}", state, known)

    def scale(self, node: str) -> Scale:
        """What the numbers of a continuous node count: themselves, or days or seconds since 1970-01-01."""
        return self._origins.get(node, PLAIN).scale

    def shown(self, node: str, number: float) -> str:
        """A number of a continuous node as text: a date where the node holds dates."""
        return shown_number(number, self.scale(node))

    def probability(
        self, node: str, state: Hashable, configuration: Mapping[str, Hashable] | None = None
    ) -> float:
        """The table entry P(node = state | parents = configuration)."""
        require, given = self.parents(node), configuration or {}
        if set(given) != set(require):
            raise DataError(f"P({node} | ...) needs a state of each of its parents {require}, not {given}")
        place = (*(self.code(parent, given[parent]) for parent in require), self.code(node, state))
        return float(self.table(node)[place])

    def encode(
        self, data: Any, *, missing_columns: bool = False, unknown_states: UnknownStatePolicy = "error"
    ) -> Table:
        """Rows in the states and bins of this network.

        Parameters
        ----------
        data
            A Table or anything that `dagwright.read` takes; further columns are ignored.
        missing_columns
            Whether nodes may be absent from the data; all their cells are then missing.
        unknown_states
            Policy for states that the network does not know: ``"error"``, or ``"ignore"``: they are missing.
        """
        if (
            isinstance(data, Table)
            and all(
                node in data.names
                and list(map(state_key, data.states_of(node))) == list(map(state_key, states))
                for node, states in self._states.items()
            )
            and set(self._gaussians) <= set(data.schema.continuous)
        ):
            return data.select(self.nodes)
        return self.template.encode(
            data, absent="missing" if missing_columns else "error", unknown_states=unknown_states
        )

    @property
    def template(self) -> Table:
        """A table without rows that has the nodes as columns, with their states and cut points."""
        return Table(
            self.nodes,
            [np.empty(0, dtype=np.uint8)] * len(self.nodes),
            [self._states.get(node) for node in self.nodes],
            origins=self._origins,
        )

    def _known(self, node: str) -> str:
        self._require_node(self._graph, node)
        return node

    def _discrete(self, node: str) -> str:
        self._require_discrete(self._graph, self._gaussians, node)
        return node

    @classmethod
    def _require_discrete(cls, graph: Dag, continuous: Mapping[str, Any], node: str) -> None:
        cls._require_node(graph, node)
        if node in continuous:
            raise DataError(
                f"node {node!r} is continuous: it has no states and no table, but a regression, and not "
                f"every method takes such nodes; cpd({node!r}) shows it"
            )

    @staticmethod
    def _require_node(graph: Dag, node: str) -> None:
        if not isinstance(node, str) or node not in graph:
            raise unknown_name("node", node, graph.nodes)

    # New networks from this one

    def _with(self, **changes: Any) -> BayesianNetwork:
        """A copy with some parts replaced by parts already known to be sound."""
        result = object.__new__(BayesianNetwork)
        result._set(**({name[1:]: getattr(self, name) for name in _PARTS} | changes))
        return result

    def with_table(self, node: str, table: ArrayLike) -> BayesianNetwork:
        """The same network with other probabilities at one node; its counts are dropped."""
        own = own_array(node, "probabilities", table, self.table(node).shape)
        require_probabilities(node, own, self._parents[node], self._states)
        return self._with(
            tables=self._tables | {node: own},
            counts=_all_but(node, self._counts),
            pseudo_counts=_all_but(node, self._pseudo_counts),
        )

    def with_states(self, node: str, states: Sequence[Hashable]) -> BayesianNetwork:
        """The same network with the states of a node named otherwise, in the same order."""
        size = self.cardinality(node)  # an unknown name and a number are refused
        new = checked_node_states(self._graph, self._states | {node: tuple(states)}, self.gaussians)
        if len(new[node]) != size:
            raise DataError(f"node {node!r} has {size} states, not {len(new[node])}")
        return self._with(states=new, origins=_all_but(node, self._origins))

    def with_name(self, name: str) -> BayesianNetwork:
        """The same network under another name."""
        return self._with(metadata=replace(self._metadata, name=name))

    def with_metadata(self, metadata: Metadata) -> BayesianNetwork:
        """The same network with another name, citation and properties."""
        for node in metadata.node_properties:
            self._known(node)
        return self._with(metadata=metadata)

    def without_counts(self) -> BayesianNetwork:
        """The same network without the counts behind its tables."""
        return self._with(counts={}, pseudo_counts={})

    def renamed(self, names: Mapping[str, str]) -> BayesianNetwork:
        """The same network with other node names; names that are not mentioned stay."""
        graph = self._graph.renamed(names)

        def new(node: str) -> str:
            return names.get(node, node)

        def under_new(parts: Mapping[str, Any]) -> dict[str, Any]:
            return {new(node): part for node, part in parts.items()}

        properties = under_new(self._metadata.node_properties)
        return self._with(
            graph=graph,
            states=under_new(self._states),
            parents={new(node): tuple(map(new, given)) for node, given in self._parents.items()},
            tables=under_new(self._tables),
            counts=under_new(self._counts),
            pseudo_counts=under_new(self._pseudo_counts),
            origins=under_new(self._origins),
            gaussians={new(node): own.renamed(names) for node, own in self._gaussians.items()},
            metadata=replace(self._metadata, node_properties=properties),
        )

    # As a value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BayesianNetwork):
            return NotImplemented
        return self is other or same_distribution(self, other)

    def __hash__(self) -> int:
        """The same in every process, whatever the hash seed."""
        if self._hash is None:
            object.__setattr__(self, "_hash", digest_of(self))
        return hash(self._hash)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, tuple(getattr(self, name) for name in _PARTS)

    def __copy__(self) -> BayesianNetwork:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> BayesianNetwork:
        return self

    def __repr__(self) -> str:
        return shown_network(self)


_PARTS = (
    "_graph",
    "_states",
    "_parents",
    "_tables",
    "_counts",
    "_pseudo_counts",
    "_origins",
    "_metadata",
    "_gaussians",
)


def _all_but(node: str, parts: dict[str, Any]) -> dict[str, Any]:
    return {other: part for other, part in parts.items() if other != node}


def _restore(*parts: Any) -> BayesianNetwork:
    network = object.__new__(BayesianNetwork)
    for arrays in parts[3:6]:
        for array in arrays.values():
            array.flags.writeable = False
    network._set(*parts)
    return network
