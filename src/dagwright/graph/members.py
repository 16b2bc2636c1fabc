"""The members of a partially directed graph: listed, counted without listing, and drawn uniformly at random.

An essential graph falls apart into its undirected components, and the members are the products of their
acyclic moral orientations, which clique picking counts in polynomial time (Wienöbst, Bannach & Liśkiewicz
2021, "Polynomial-time algorithms for counting and sampling Markov equivalent DAGs"). With background
knowledge a component may contain arcs as well; counting is then #P-hard in general, and such components are
split edge by edge until they fall apart into the easy kind.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np

from dagwright import _core
from dagwright._core import MixedGraph
from dagwright.base.seeds import RandomState, generator
from dagwright.graph.dag import Dag
from dagwright.graph.named_graph import NO_EDGES
from dagwright.graph.pdag import Pdag

Numbered = tuple[int, int]


def _closed(graph: Pdag) -> MixedGraph:
    """The graph closed under the orientation rules; raises `NoExtensionError` if it has no member."""
    graph.extension()
    return _core.meek_closure(graph._native)


def _with_arc(graph: MixedGraph, edge: Numbered) -> MixedGraph:
    """The graph with one undirected edge directed as given, closed under the orientation rules."""
    undirected = graph.undirected()
    keep = ~np.isin(undirected, edge).all(axis=1)
    arcs = np.concatenate([graph.directed(), np.array([edge], dtype=np.uint32)])
    return _core.meek_closure(MixedGraph(len(graph), arcs, np.ascontiguousarray(undirected[keep])))


def list_members(graph: Pdag) -> Iterator[Dag]:
    """Every consistent extension once.

    In a closed graph either direction of an undirected edge belongs to some member (Meek 1995), so no branch
    is in vain.
    """
    pending = [_closed(graph)]
    while pending:
        closed = pending.pop()
        undirected = closed.undirected()
        if len(undirected) == 0:
            yield Dag._of(graph._nodes, closed)
            continue
        start, end = undirected[0].tolist()
        pending += (_with_arc(closed, (end, start)), _with_arc(closed, (start, end)))


def count_members(graph: Pdag) -> int:
    """The number of consistent extensions."""
    known: Known = {}
    return math.prod(_prepare(part, known).count for part, _ in _components(_closed(graph)))


def sample_member(graph: Pdag, random_state: RandomState = None) -> Dag:
    """One consistent extension, each with the same probability."""
    return MemberSampler(graph).draw(generator(random_state))


class MemberSampler:
    """Draws members of one graph again and again; what can be prepared is prepared once."""

    def __init__(self, graph: Pdag) -> None:
        self._graph = graph
        closed = _closed(graph)
        self._directed = closed.directed()
        known: Known = {}
        self._parts = [(_prepare(part, known), numbers) for part, numbers in _components(closed)]

    def draw(self, rng: np.random.Generator) -> Dag:
        arcs = [self._directed]
        for part, numbers in self._parts:
            local = _draw_component(part, rng)
            arcs.append(np.asarray(numbers, dtype=np.uint32)[local])
        native = MixedGraph(len(self._graph), np.concatenate(arcs), NO_EDGES)
        return Dag._of(self._graph._nodes, native)


def _components(closed: MixedGraph) -> list[tuple[MixedGraph, list[int]]]:
    """The subgraphs induced by the undirected components of two or more nodes, and their node numbers.

    All nodes of a component of a closed graph have the same parents outside it, so components are oriented
    independently of each other.
    """
    parts = []
    directed, undirected = closed.directed(), closed.undirected()
    owner = np.zeros(len(closed), dtype=np.intp)
    local = np.zeros(len(closed), dtype=np.uint32)
    groups = [group for group in _core.components(closed) if len(group) > 1]
    for index, group in enumerate(groups, start=1):
        owner[group] = index
        local[group] = np.arange(len(group), dtype=np.uint32)
    inside = owner[directed[:, 0]] == owner[directed[:, 1]]
    arcs_by_owner = _grouped(directed[inside], owner, len(groups))
    edges_by_owner = _grouped(undirected, owner, len(groups))
    for index, group in enumerate(groups, start=1):
        parts.append(
            (MixedGraph(len(group), local[arcs_by_owner[index]], local[edges_by_owner[index]]), group)
        )
    return parts


def _grouped(edges: np.ndarray, owner: np.ndarray, groups: int) -> list[np.ndarray]:
    """The edges of each group 0, 1, ..., ``groups``, told by the owner of their first node."""
    key = owner[edges[:, 0]]
    order = np.argsort(key, kind="stable")
    borders = np.searchsorted(key[order], np.arange(groups + 2))
    return [edges[order[borders[g] : borders[g + 1]]] for g in range(groups + 1)]


class _Chordal:
    """A component without arcs: its clique-picking plan with all counts."""

    def __init__(self, graph: MixedGraph) -> None:
        self.graph = graph
        subproblems = _core.clique_picking_plan(graph).subproblems
        nodes = [problem.nodes for problem in subproblems]
        self.choices = [problem.choices for problem in subproblems]
        self.index = {tuple(block): number for number, block in enumerate(nodes)}
        self.weights: list[list[int]] = [[] for _ in subproblems]
        self.counts = [1] * len(subproblems)
        # A part is smaller than the problem it belongs to.
        for number in sorted(range(len(subproblems)), key=lambda i: len(nodes[i])):
            self.weights[number] = [
                permutations_avoiding(len(choice.clique), tuple(choice.forbidden))
                * math.prod(self.counts[part] for part in choice.parts)
                for choice in self.choices[number]
            ]
            self.counts[number] = sum(self.weights[number])
        self.count: int = self.counts[0]

    def draw_order(self, rng: np.random.Generator, nodes: Sequence[int]) -> list[int]:
        """A topological order; the orientations it stands for are equally likely."""
        order: list[int] = []
        pending = [nodes]
        while pending:
            block = pending.pop()
            if len(block) == 1:
                order += block
                continue
            number = self.index[tuple(block)]
            choice = self.choices[number][_weighted_index(rng, self.weights[number])]
            order += _draw_permutation(rng, choice.clique, choice.forbidden)
            pending += reversed(_core.blocks_after_clique(self.graph, block, choice.clique))
        return order


class _Mixed:
    """A component with arcs: both ways to direct one of its edges, each giving components again."""

    def __init__(self, graph: MixedGraph, known: Known) -> None:
        edge = tuple(graph.undirected()[0].tolist())
        self.branches = []
        for arc in (edge, edge[::-1]):
            closed = _with_arc(graph, arc)
            parts = [(_prepare(part, known), numbers) for part, numbers in _components(closed)]
            self.branches.append((closed.directed(), parts))
        self.weights = [math.prod(part.count for part, _ in parts) for _, parts in self.branches]
        self.count: int = sum(self.weights)


Known = dict[tuple[bytes, bytes], "_Chordal | _Mixed"]


def _prepare(part: MixedGraph, known: Known) -> _Chordal | _Mixed:
    """A component made ready for counting and drawing; components of equal shape share the work."""
    arcs = part.directed()
    shape = arcs.tobytes(), part.undirected().tobytes()
    if shape not in known:
        known[shape] = _Mixed(part, known) if len(arcs) else _Chordal(part)
    return known[shape]


def _draw_component(part: _Chordal | _Mixed, rng: np.random.Generator) -> np.ndarray:
    if isinstance(part, _Chordal):
        order = np.argsort(part.draw_order(rng, range(len(part.graph))))
        edges = part.graph.undirected()
        turned = order[edges[:, 0]] > order[edges[:, 1]]
        return np.where(turned[:, None], edges[:, ::-1], edges)
    directed, parts = part.branches[_weighted_index(rng, part.weights)]
    arcs = [directed]
    arcs += [np.asarray(numbers, dtype=np.uint32)[_draw_component(inner, rng)] for inner, numbers in parts]
    return np.concatenate(arcs)


@cache
def permutations_avoiding(size: int, forbidden: tuple[int, ...]) -> int:
    """Permutations whose first k things are never exactly the first k, for each k in ``forbidden``.

    Those that do begin so are counted by the smallest such k.

    >>> permutations_avoiding(3, (1, 2))
    3
    """
    counts: list[int] = []
    lengths = (*forbidden, size)
    for length in lengths:
        begun = sum(
            count * math.factorial(length - earlier) for count, earlier in zip(counts, lengths, strict=False)
        )
        counts.append(math.factorial(length) - begun)
    return counts[-1]


def _draw_permutation(rng: np.random.Generator, items: list[int], forbidden: list[int]) -> list[int]:
    """A permutation that begins with no forbidden prefix; at least half of all permutations qualify."""
    while True:
        order: list[int] = rng.permutation(items).tolist()
        if all(set(order[:length]) != set(items[:length]) for length in forbidden):
            return order


def _weighted_index(rng: np.random.Generator, weights: Sequence[int]) -> int:
    """An index with probability exactly proportional to its integer weight, however large."""
    target = _integer_below(rng, sum(weights))
    for index, weight in enumerate(weights):
        if target < weight:
            return index
        target -= weight
    raise AssertionError("the weights add up to their sum")


def _integer_below(rng: np.random.Generator, bound: int) -> int:
    bits = (bound - 1).bit_length()
    while True:
        value = int.from_bytes(rng.bytes((bits + 7) // 8), "little") & ((1 << bits) - 1)
        if value < bound:
            return value
