"""The continuous part of a network, refused unless sound."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dagwright.errors import GraphError
from dagwright.graph.dag import Dag
from dagwright.model.gaussian.distribution import LinearGaussian
from dagwright.model.tables.checks import States
from dagwright.sentences import Argument


def require_continuous_last(graph: Dag, continuous: set[str]) -> None:
    """Refuse an edge from a continuous to a discrete node, naming it and the ways out."""
    for parent, node in graph.edges:
        if parent in continuous and node not in continuous:
            raise GraphError(
                f"the edge {parent!r} -> {node!r} goes from a continuous to a discrete node, which has no "
                f"conditional linear Gaussian parameters; reverse it, discretize {parent!r}, or learn with "
                "the knowledge rule 'continuous' for the columns of numbers, which rules out such edges"
            )


def own_gaussians(
    graph: Dag, states: Mapping[str, States], given: Mapping[str, Any]
) -> dict[str, LinearGaussian]:
    """The distributions of the continuous nodes in full shape, refused if their parents are others."""
    require_continuous_last(graph, set(given))
    result = {}
    for node, distribution in given.items():
        named, known = sorted(distribution.parents), sorted(graph.parents(node))
        if named != known:
            raise GraphError(f"node {node!r}: the distribution names the parents {named}, the graph {known}")
        for parent in distribution.given:
            if parent in given:
                raise GraphError(
                    f"node {node!r}: its parent {parent!r} is continuous; give it a coefficient instead "
                    "of naming it in ",
                    Argument("given"),
                )
        for parent in distribution.coefficients:
            if parent not in given:
                raise GraphError(
                    f"node {node!r}: its parent {parent!r} is discrete; name it in ",
                    Argument("given"),
                    " and give one regression for each of its states",
                )
        shape = tuple(len(states[parent]) for parent in distribution.given)
        for parent, size, wanted in zip(distribution.given, distribution.shape, shape, strict=True):
            if size not in (1, wanted):
                raise GraphError(
                    f"node {node!r}: {size} regressions along {parent!r}, which has {wanted} states"
                )
        result[node] = distribution.spread(shape)
    return result
