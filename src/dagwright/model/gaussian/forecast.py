"""The cost of exact inference in a network with continuous nodes, by its strong elimination width.

Continuous nodes are eliminated first. Evidence can make all discrete parents of a connected continuous part
meet in one clique, so the forecast takes each such set as one (Lauritzen & Jensen 2001; Cowell 2005).
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np

from dagwright import _core
from dagwright.model.gaussian.elimination import numbering
from dagwright.model.tables.native_tables import TRIES, InferenceForecast

if TYPE_CHECKING:
    from dagwright.model.network import BayesianNetwork


def boundaries(network: BayesianNetwork) -> list[frozenset[str]]:
    """The discrete parents of each connected continuous part."""
    part = {node: {node} for node in network.gaussians}
    for node, own in network.gaussians.items():
        for parent in own.coefficients:
            if part[parent] is not part[node]:
                joined = part[parent] | part[node]
                for member in joined:
                    part[member] = joined
    found = {id(members): members for members in part.values()}
    return [
        frozenset(parent for node in members for parent in network.gaussians[node].given)
        for members in found.values()
    ]


def forecast_strong(network: BayesianNetwork) -> InferenceForecast:
    """Width and size of the junction tree of the discrete nodes, with every boundary in one clique."""
    number = numbering(network).discrete
    if not number:
        return InferenceForecast(0, 0, 0.0, (), 0.0)
    names = list(number)
    sizes = [network.cardinality(node) for node in names]
    axes = [[*(number[parent] for parent in network.parents(node)), number[node]] for node in names]
    tables = [network.table(node).reshape(-1) for node in names]
    pairs = {
        tuple(sorted(number[node] for node in pair))
        for boundary in boundaries(network)
        for pair in itertools.combinations(boundary, 2)
    }
    for first, second in sorted(pairs):  # a child of one state joins two nodes without cells of its own
        axes.append([first, second, len(sizes)])
        tables.append(np.ones(sizes[first] * sizes[second]))
        sizes.append(1)
    all_names = [*names, *(f"pair {i}" for i in range(len(pairs)))]
    tree = _core.JunctionTree.make(_core.NetworkTables.make(all_names, sizes, axes, tables), TRIES, 1)
    kept = [frozenset(node for node in clique if node < len(names)) for clique in tree.cliques]
    cliques = {clique for clique in kept if not any(clique < other for other in kept)}
    cells = {clique: math.prod(float(sizes[node]) for node in clique) for clique in cliques}
    largest = max(cliques, key=lambda clique: (cells[clique], sorted(clique)))
    return InferenceForecast(
        cliques=len(cliques),
        width=max(map(len, cliques)) - 1,
        cells=sum(cells.values()),
        largest=tuple(names[node] for node in sorted(largest)),
        largest_cells=cells[largest],
    )
