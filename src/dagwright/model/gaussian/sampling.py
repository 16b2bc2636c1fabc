"""Rows drawn from a network with continuous nodes; evidence on numbers is met exactly.

States come from the native sampler, parents before children. Numbers come from one stream of normal variates
for each node, numbered by name. Given evidence, rows are drawn from the posterior network of `Question`: its
weights are met by rejection, and its regressions need none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dagwright.graph.dag import Dag
from dagwright.model.gaussian.elimination import Elimination
from dagwright.model.gaussian.inference import Question
from dagwright.model.gaussian.rows import Codes, MixedRows
from dagwright.model.inference.findings import Findings
from dagwright.model.inference.sampling import Draw
from dagwright.model.tables.checks import Floats

if TYPE_CHECKING:
    from dagwright.model.network import BayesianNetwork


def drawn_rows(
    network: BayesianNetwork,
    n: int,
    seed: int,
    findings: Findings,
    max_draws: int | None,
    threads: int,
) -> MixedRows:
    """The first n rows that one seed names."""
    if len(findings):
        question = Question(network, network.continuous, findings)
        question.joint_states(())
        system = question.elimination
        states, observed = _with_weights(network, question)
        codes = Draw(states, seed, threads).accepted(n, observed, max_draws)
    else:
        system = Elimination(network, network.continuous, {}, np.inf)
        codes = Draw(discrete_part(network), seed, threads).rows(0, n)
    kept = {node: codes[node].astype(np.intp) for node in network.nodes if node in network._states}
    numbers = {node: np.full(n, value) for node, value in findings.numbers.items()}
    names = {number: node for node, number in system.numbers.continuous.items()}
    of_scope = {number: kept[node] for node, number in system.numbers.discrete.items()}
    streams = {node: rank for rank, node in enumerate(sorted(network.continuous))}
    for number, own in system.in_order():
        node = names[number]

        def at(values: Floats, scope: tuple[int, ...] = own.scope) -> Floats:
            place: list[Codes | int] = [
                of_scope[each] if size > 1 else 0 for each, size in zip(scope, values.shape, strict=False)
            ]
            return np.asarray(values[tuple(place)])

        noise = np.random.default_rng(np.random.SeedSequence([seed, streams[node]])).standard_normal(n)
        column = at(own.intercept) + np.sqrt(at(own.variance)) * noise
        for place, parent in enumerate(own.parents):
            column = column + at(own.slopes[..., place]) * numbers[names[parent]]
        numbers[node] = column
    return MixedRows(n, kept, {node: numbers[node] for node in network.continuous})


def discrete_part(network: BayesianNetwork) -> BayesianNetwork:
    """The network of the discrete nodes, which have no continuous parents."""
    made: BayesianNetwork | None = network._compiled.get("discrete")
    if made is None:
        nodes = [node for node in network.nodes if node in network._states]
        made = network._compiled["discrete"] = type(network)(
            network.graph.subgraph(nodes),
            network._states,
            network._tables,
            parents={node: network._parents[node] for node in nodes},
        )
    return made


def _with_weights(network: BayesianNetwork, question: Question) -> tuple[BayesianNetwork, dict[str, Any]]:
    """The discrete nodes and one child for each weight, with the states that are observed."""
    part = discrete_part(network)
    names = {number: node for node, number in question.states.number.items()}
    observed: dict[str, Any] = {
        node: part.states(node)[code] for node, code in question.findings.hard.items()
    }
    states: dict[str, Any] = dict(part._states)
    tables: dict[str, Any] = dict(part._tables)
    parents = dict(part._parents)
    weights = [(weight.scope, np.exp(weight.log - weight.log.max())) for weight in question.states.kept]
    for node, values in question.findings.soft.items():
        weights.append(((question.states.number[node],), np.array(values) / max(values)))
    for place, (scope, values) in enumerate(weights):
        name = f"weight {place}"
        while name in network.graph:
            name += "'"
        full = np.broadcast_to(values, [question.states.sizes[node] for node in scope])
        states[name], observed[name] = (True, False), True
        tables[name] = np.stack([full, 1.0 - full], axis=-1)
        parents[name] = tuple(names[node] for node in scope)
    graph = Dag(states, [(parent, node) for node, given in parents.items() for parent in given])
    return type(network)(graph, states, tables, parents=parents), observed
