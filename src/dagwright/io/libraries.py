"""Networks from and to the objects of other libraries: pgmpy, pyAgrum, networkx.

Each library is imported only when one of its objects is asked for.
"""

from __future__ import annotations

import importlib
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from dagwright.data.state_values import state_text
from dagwright.errors import DataError, GraphError, OptionError, shortened
from dagwright.graph.dag import Dag
from dagwright.graph.graph_like import GraphLike, as_graph
from dagwright.graph.mag import Mag
from dagwright.graph.pag import Pag
from dagwright.io.draft import unrounded
from dagwright.io.spelling import distinct
from dagwright.model import BayesianNetwork
from dagwright.model.network_like import NetworkLike, as_network


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise OptionError(f"{name} is not installed; install it with: pip install {name}") from None


def to_pgmpy(network: NetworkLike) -> Any:
    """A pgmpy ``DiscreteBayesianNetwork``; states keep their types."""
    network = as_network(network)
    models = _library("pgmpy.models")
    kind = getattr(models, "DiscreteBayesianNetwork", None) or models.BayesianNetwork
    table_of = _library("pgmpy.factors.discrete").TabularCPD
    model = kind()
    model.add_nodes_from(network.nodes)
    model.add_edges_from(network.graph.edges)
    for node in network.nodes:
        parents = network.parents(node)
        columns = network.table(node).reshape(-1, network.cardinality(node)).T
        family = (node, *parents)
        model.add_cpds(
            table_of(
                node,
                network.cardinality(node),
                columns.tolist(),
                evidence=list(parents) or None,
                evidence_card=[network.cardinality(parent) for parent in parents] or None,
                state_names={each: list(network.states(each)) for each in family},
            )
        )
    model.name = network.name
    return model


def from_pgmpy(model: Any) -> BayesianNetwork:
    """The network of a pgmpy model with a table for every node; names that are not texts become so."""
    if not hasattr(model, "get_cpds"):
        raise OptionError(f"from_pgmpy() takes a pgmpy model, not {shortened(model)}")
    names = {node: str(node) for node in model.nodes()}
    tables, states, parents = {}, {}, {}
    for node, name in names.items():
        cpd = model.get_cpds(node)
        if cpd is None:
            raise DataError(f"node {name!r} of the pgmpy model has no CPD")
        parents[name] = [names[parent] for parent in cpd.variables[1:]]
        states[name] = list(cpd.state_names[node])
        tables[name] = unrounded(np.moveaxis(np.array(cpd.values, dtype=np.float64), 0, -1))
    arcs = [(parent, name) for name, given in parents.items() for parent in given]
    return BayesianNetwork(
        Dag(names.values(), arcs), states, tables, parents=parents, metadata=str(model.name or "")
    )


def to_pyagrum(network: NetworkLike) -> Any:
    """A pyAgrum ``BayesNet``.

    States that are ascending integers give a ``RangeVariable`` or ``IntegerVariable``; all others become
    labels, which are texts in pyAgrum.
    """
    network = as_network(network)
    gum = _library("pyagrum")
    result = gum.BayesNet(network.name)
    for node in network.nodes:
        result.add(_pyagrum_variable(gum, node, network.states(node)))
    for node in network.nodes:
        for parent in network.parents(node):
            result.addArc(parent, node)
        order = [name for name in reversed(result.cpt(node).names) if name != node]  # slowest first
        axes = [network.parents(node).index(name) for name in order]
        table = network.table(node).transpose(*axes, len(axes))
        result.cpt(node)[:] = np.ascontiguousarray(table)
    return result


def _pyagrum_variable(gum: Any, node: str, states: Sequence[Hashable]) -> Any:
    numbers = [state for state in states if isinstance(state, int) and not isinstance(state, bool)]
    if len(numbers) == len(states) and numbers == sorted(numbers):
        if numbers == list(range(numbers[0], numbers[0] + len(numbers))):
            return gum.RangeVariable(node, "", numbers[0], numbers[-1])
        return gum.IntegerVariable(node, "", numbers)
    return gum.LabelizedVariable(node, "", list(distinct(map(state_text, states))))


def from_pyagrum(bayes_net: Any) -> BayesianNetwork:
    """The network of a pyAgrum ``BayesNet``; integer variables have integer states, others texts."""
    gum = _library("pyagrum")
    names = [bayes_net.variable(identity).name() for identity in sorted(bayes_net.nodes())]
    integers = (gum.VarType_INTEGER, gum.VarType_RANGE)
    states: dict[str, list[Hashable]] = {}
    tables, parents = {}, {}
    for name in names:
        variable = bayes_net.variable(name)
        labels = variable.labels()
        states[name] = [int(label) if variable.varType() in integers else label for label in labels]
        cpt = bayes_net.cpt(name)
        parents[name] = [each for each in reversed(cpt.names) if each != name]
        tables[name] = unrounded(np.array(cpt.toarray(), dtype=np.float64))
    arcs = [(parent, name) for name, given in parents.items() for parent in given]
    title = bayes_net.property("name") if bayes_net.existsProperty("name") else ""
    return BayesianNetwork(Dag(names, arcs), states, tables, parents=parents, metadata=title)


def to_networkx(network: BayesianNetwork | GraphLike) -> Any:
    """A networkx ``DiGraph``; the nodes of a network have ``states``, ``parents`` (in order) and ``table``.

    A graph or a learned result gives the edges alone: an undirected edge appears in both directions, and an
    undirected graph gives a ``Graph``.
    """
    if not isinstance(network, BayesianNetwork):
        shape = as_graph(network)
        if isinstance(shape, Mag | Pag):
            raise GraphError(f"networkx has no marks at the ends of edges, so no {type(shape).__name__}")
        return shape.to_networkx()
    graph = network.graph.to_networkx()
    graph.graph["name"] = network.name
    for node in network.nodes:
        graph.nodes[node].update(
            states=list(network.states(node)),
            parents=list(network.parents(node)),
            table=network.table(node).tolist(),
        )
    return graph


def from_networkx(graph: Any) -> Any:
    """The network of a networkx ``DiGraph`` as `to_networkx` gives it; ``parents`` may be left out.

    Where no node has ``states`` or ``table``, the graph: a `Dag`, a `Pdag` if there are arcs both ways, or an
    `UndirectedGraph`.
    """
    if not hasattr(graph, "is_directed"):
        raise OptionError(f"from_networkx() takes a networkx graph, not {shortened(graph)}")
    if not any({"states", "table"} & set(attributes) for _, attributes in graph.nodes(data=True)):
        return as_graph(graph)
    for node, attributes in graph.nodes(data=True):
        for field in ("states", "table"):
            if field not in attributes:
                raise DataError(f"node {node!r} of the networkx graph has no attribute {field!r}")
    about = {str(node): attributes for node, attributes in graph.nodes(data=True)}
    return BayesianNetwork(
        Dag(about, ((str(start), str(end)) for start, end in graph.edges)),
        {node: attributes["states"] for node, attributes in about.items()},
        {node: attributes["table"] for node, attributes in about.items()},
        parents={
            node: attributes["parents"] for node, attributes in about.items() if "parents" in attributes
        },
        metadata=str(graph.graph.get("name", "")),
    )
