"""Graphs from and to other libraries: NumPy matrices, networkx graphs and edge tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dagwright.errors import GraphError

if TYPE_CHECKING:
    from dagwright.graph.named_graph import NamedGraph

Pair = tuple[str, str]
ARROWS = {"->": True, "--": False}


def adjacency_matrix(graph: NamedGraph) -> NDArray[np.int8]:
    """Entry (i, j) is 1 for ``i -> j`` and, both ways, for ``i -- j``; rows as in ``graph.nodes``."""
    place = np.argsort(np.array([graph._nodes.number(name) for name in graph.nodes], dtype=np.intp))
    matrix = np.zeros((len(graph), len(graph)), dtype=np.int8)
    directed, undirected = place[graph._native.directed()], place[graph._native.undirected()]
    matrix[directed[:, 0], directed[:, 1]] = 1
    matrix[undirected[:, 0], undirected[:, 1]] = 1
    matrix[undirected[:, 1], undirected[:, 0]] = 1
    return matrix


def matrix_edges(matrix: ArrayLike, nodes: Sequence[str] | None) -> tuple[list[str], list[Pair], list[Pair]]:
    """Nodes, arcs and undirected edges (entries both ways) of an adjacency matrix."""
    values = np.asarray(matrix)
    if values.ndim != 2 or values.shape[0] != values.shape[1]:
        raise GraphError(f"an adjacency matrix is square, but this one has the shape {values.shape}")
    names = [f"X{i + 1}" for i in range(len(values))] if nodes is None else list(nodes)
    if len(names) != len(values):
        raise GraphError(f"the adjacency matrix has {len(values)} rows but {len(names)} node names are given")
    present = values != 0
    mutual = np.triu(present & present.T)
    directed = [(names[i], names[j]) for i, j in np.argwhere(present & ~present.T).tolist()]
    undirected = [(names[i], names[j]) for i, j in np.argwhere(mutual).tolist()]
    return names, directed, undirected


def networkx_graph(graph: NamedGraph, *, directed: bool) -> Any:
    """A networkx graph; in a directed one an undirected edge appears in both directions."""
    import networkx as nx  # type: ignore[import-untyped]

    result: Any = nx.DiGraph() if directed else nx.Graph()
    result.add_nodes_from(graph.nodes)
    edges = graph._nodes.edges(graph._native.undirected())
    result.add_edges_from(graph._nodes.edges(graph._native.directed()))
    result.add_edges_from(edges)
    if directed:
        result.add_edges_from((end, start) for start, end in edges)
    return result


def networkx_edges(graph: Any) -> tuple[list[str], list[Pair], list[Pair]]:
    """Nodes, arcs and undirected edges (both ways, or of an undirected graph); node names become strings."""
    names = {node: str(node) for node in graph.nodes}
    pairs = {(names[start], names[end]): None for start, end, *_ in graph.edges}
    if not graph.is_directed():
        return list(names.values()), [], list(pairs)
    directed = [pair for pair in pairs if pair[::-1] not in pairs]
    undirected = [pair for pair in pairs if pair[::-1] in pairs and pair[0] <= pair[1]]
    return list(names.values()), directed, undirected


def edge_table(
    directed: Iterable[Pair], undirected: Iterable[Pair], library: Literal["polars", "pandas"]
) -> Any:
    """A data frame with the columns ``from``, ``edge`` (``->`` or ``--``) and ``to``, one row per edge."""
    rows = sorted([(a, b, "->") for a, b in directed] + [(a, b, "--") for a, b in undirected])
    columns = {
        "from": [start for start, _, _ in rows],
        "edge": [arrow for _, _, arrow in rows],
        "to": [end for _, end, _ in rows],
    }
    if library == "pandas":
        import pandas as pd

        return pd.DataFrame(columns, dtype=str)
    import polars as pl

    return pl.DataFrame(columns, schema={"from": pl.String, "edge": pl.String, "to": pl.String})


def table_edges(frame: Any) -> tuple[list[str], list[Pair], list[Pair]]:
    """Nodes, arcs and undirected edges of an edge table: ``from`` and ``to``, optionally ``edge``."""
    import narwhals.stable.v1 as nw

    table = nw.from_native(frame, eager_only=True)
    if not {"from", "to"}.issubset(table.columns):
        found = ", ".join(repr(name) for name in table.columns)
        raise GraphError(
            f"an edge table has the columns 'from' and 'to' (and 'edge'), but this one has {found}"
        )
    starts, ends = (list(map(str, table[name].to_list())) for name in ("from", "to"))
    arrows = table["edge"].to_list() if "edge" in table.columns else ["->"] * len(starts)
    for arrow in arrows:
        if arrow not in ARROWS:
            raise GraphError(f"an edge is '->' or '--', but the table has {arrow!r}")
    nodes = list(dict.fromkeys(name for pair in zip(starts, ends, strict=True) for name in pair))
    rows = list(zip(starts, ends, arrows, strict=True))
    directed = [(start, end) for start, end, arrow in rows if ARROWS[arrow]]
    return nodes, directed, [(start, end) for start, end, arrow in rows if not ARROWS[arrow]]
