"""Differences between two classes of ancestral graphs, mark by mark."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from dagwright.graph.accuracy import Accuracies, Accuracy, difference_lines
from dagwright.graph.graph_like import AnyGraph, as_dag
from dagwright.graph.mag import Mag
from dagwright.graph.mark_notation import MarkedEdge, quoted_name
from dagwright.graph.named_graph import Edge
from dagwright.graph.pag import Pag


def as_pag(graph: AnyGraph) -> Pag:
    """The class of a graph; that of a DAG allows for hidden variables that change no independence."""
    if isinstance(graph, Pag):
        return graph
    if isinstance(graph, Mag):
        return graph.pag()
    dag = as_dag(graph)
    return Mag(dag.nodes, [(start, "->", end) for start, end in dag.edges]).pag()


@dataclass(frozen=True)
class MarkComparison(Accuracies):
    """Changes from the reference ``a`` to ``b``, with ``b`` seen as an estimate of ``a``.

    A pair of nodes counts once in ``shd``, the structural Hamming distance: as missing, extra, or changed,
    that is adjacent in both with another mark at either end.
    """

    a: Pag
    b: Pag

    @cached_property
    def _edges(self) -> tuple[dict[Edge, MarkedEdge], dict[Edge, MarkedEdge]]:
        first, second = (
            {(min(s, e), max(s, e)): (s, arrow, e) for s, arrow, e in graph.edges}
            for graph in (self.a, self.b)
        )
        return first, second

    @property
    def missing(self) -> tuple[MarkedEdge, ...]:
        """Edges of ``a`` between nodes that are not adjacent in ``b``."""
        a, b = self._edges
        return tuple(sorted(edge for pair, edge in a.items() if pair not in b))

    @property
    def extra(self) -> tuple[MarkedEdge, ...]:
        """Edges of ``b`` between nodes that are not adjacent in ``a``."""
        a, b = self._edges
        return tuple(sorted(edge for pair, edge in b.items() if pair not in a))

    @property
    def changed(self) -> tuple[MarkedEdge, ...]:
        """Edges of both graphs with other marks in ``b``; as they are in ``a``."""
        a, b = self._edges
        return tuple(sorted(edge for pair, edge in a.items() if b.get(pair, edge) != edge))

    @property
    def shd(self) -> int:
        """Structural Hamming distance: how many pairs are joined otherwise."""
        return len(self.missing) + len(self.extra) + len(self.changed)

    @property
    def equivalent(self) -> bool:
        return self.shd == 0

    @property
    def skeleton(self) -> Accuracy:
        """Adjacent pairs of ``b`` compared with ``a``."""
        a, b = self._edges
        return Accuracy(len(a.keys() & b.keys()), len(b), len(a))

    @property
    def arrowheads(self) -> Accuracy:
        """Arrowheads of ``b`` compared with ``a``."""
        return self._ends("arrow")

    @property
    def tails(self) -> Accuracy:
        """Tails of ``b`` compared with ``a``."""
        return self._ends("tail")

    def _ends(self, wanted: Literal["arrow", "tail"]) -> Accuracy:
        a, b = (
            {
                (start, end)
                for one, _, other in graph.edges
                for start, end in ((one, other), (other, one))
                if graph.mark(start, end) == wanted
            }
            for graph in (self.a, self.b)
        )
        return Accuracy(len(a & b), len(b), len(a))

    @property
    def tail_precision(self) -> float:
        return self.tails.precision

    @property
    def tail_recall(self) -> float:
        return self.tails.recall

    @property
    def tail_f1(self) -> float:
        return self.tails.f1

    @property
    def diff(self) -> str:
        """One line per difference: ``-`` missing, ``+`` extra, ``~`` other marks in ``b``."""
        a, b = self._edges
        return difference_lines(a, b, _text)

    def __str__(self) -> str:
        summary = (
            f"structural Hamming distance {self.shd} between classes; {len(self.missing)} missing, "
            f"{len(self.extra)} extra, {len(self.changed)} with other marks; "
            f"skeleton F1 {self.skeleton_f1:.3f}, arrowhead F1 {self.arrowhead_f1:.3f}, "
            f"tail F1 {self.tail_f1:.3f}"
        )
        return f"{summary}\n{self.diff}" if self.diff else summary


def _text(_: Edge, edge: MarkedEdge) -> str:
    start, arrow, end = edge
    return f"{quoted_name(start)} {arrow} {quoted_name(end)}"
