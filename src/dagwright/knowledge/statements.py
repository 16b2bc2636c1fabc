"""The kinds of statement a knowledge is made of; each can say itself and add its rules."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product
from typing import ClassVar, Protocol

import numpy as np

from dagwright.errors import KnowledgeError
from dagwright.knowledge.edges import Edge
from dagwright.knowledge.rules import Block, Bound, Levels, PartialOrdering, Requirement, Rules, SearchSpace
from dagwright.knowledge.scope import Scope


class Statement(Protocol):
    """One thing the user said."""

    kind: ClassVar[str]

    def add_to(self, rules: Rules, scope: Scope) -> None: ...


def _pairs(edge: Edge, scope: Scope, words: str) -> list[tuple[int, int]]:
    tails, heads = scope.select(edge.tail, words), scope.select(edge.head, words)
    return [(tail, head) for tail, head in product(tails, heads) if tail != head]


@dataclass(frozen=True, slots=True)
class Required:
    kind: ClassVar[str] = "required"
    edge: Edge

    def __str__(self) -> str:
        return f"required: {self.edge}"

    def add_to(self, rules: Rules, scope: Scope) -> None:
        words = str(self)
        for tail, head in _pairs(self.edge, scope, words):
            one = Edge(scope.names[tail], scope.names[head], self.edge.directed)
            if not one.directed and one.tail > one.head and self.edge.tail == self.edge.head:
                continue  # an edge inside one set: each pair once
            said = words if {one.tail, one.head} == {self.edge.tail, self.edge.head} else f"{words} ({one})"
            rules.requirements.append(Requirement(said, tail, head, self.edge.directed))
        if self.edge.tail == self.edge.head and self.edge.tail in scope.number:
            rules.problems.append(f"{words}: a variable cannot be joined with itself")


@dataclass(frozen=True, slots=True)
class Forbidden:
    kind: ClassVar[str] = "forbidden"
    edge: Edge

    def __str__(self) -> str:
        return f"forbidden: {self.edge}"

    def add_to(self, rules: Rules, scope: Scope) -> None:
        words = str(self)
        tails = frozenset(scope.select(self.edge.tail, words))
        heads = frozenset(scope.select(self.edge.head, words))
        rules.prohibitions.append(Block(words, tails, heads))
        if not self.edge.directed:
            rules.prohibitions.append(Block(words, heads, tails))


@dataclass(frozen=True, slots=True)
class Tier:
    """One tier: what it holds, and whether arcs inside it are allowed."""

    nodes: tuple[str, ...]
    inner: bool = True


@dataclass(frozen=True, slots=True)
class Tiers:
    kind: ClassVar[str] = "tiers"
    tiers: tuple[Tier, ...]

    def __str__(self) -> str:
        return "tiers: " + " | ".join(", ".join(tier.nodes) for tier in self.tiers)

    def add_to(self, rules: Rules, scope: Scope) -> None:
        layers = scope.layers([tier.nodes for tier in self.tiers], "tiers")
        closed = frozenset(at for at, tier in enumerate(self.tiers) if not tier.inner)
        _add_levels(rules, scope, Levels(scope.names, "tiers", _levels(rules, scope, layers, "tier"), closed))


@dataclass(frozen=True, slots=True)
class Order:
    kind: ClassVar[str] = "order"
    nodes: tuple[str, ...]

    def __str__(self) -> str:
        return "order: " + ", ".join(self.nodes)

    def add_to(self, rules: Rules, scope: Scope) -> None:
        layers = scope.layers([(node,) for node in self.nodes], "order")
        for node, layer in zip(self.nodes, layers, strict=True):
            if len(layer) > 1:
                rules.problems.append(
                    f"order: {node!r} stands for {len(layer)} variables; use tiers for sets"
                )
        _add_levels(rules, scope, Levels(scope.names, "order", _levels(rules, scope, layers, "place")))


def _levels(rules: Rules, scope: Scope, layers: list[set[int]], place: str) -> np.typing.NDArray[np.int64]:
    level = np.full(len(scope.names), -1, dtype=np.int64)
    for at, layer in enumerate(layers):
        for variable in sorted(layer):
            if level[variable] >= 0:
                first = f"{place} {level[variable] + 1}"
                rules.problems.append(f"{scope.names[variable]!r} is in {first} and in {place} {at + 1}")
            else:
                level[variable] = at
    return level


def _add_levels(rules: Rules, scope: Scope, levels: Levels) -> None:
    if scope.names:
        rules.prohibitions.append(levels)
        rules.sequences.append(levels)


@dataclass(frozen=True, slots=True)
class PartialOrder:
    kind: ClassVar[str] = "partial_order"
    pairs: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return "partial order: " + ", ".join(f"{first} < {second}" for first, second in self.pairs)

    def add_to(self, rules: Rules, scope: Scope) -> None:
        steps = set()
        for first, second in self.pairs:
            words = f"partial order: {first} < {second}"
            earlier, later = scope.select(first, words), scope.select(second, words)
            for both in sorted(set(earlier) & set(later)):
                rules.problems.append(f"{words}: {scope.names[both]!r} would come before itself")
            steps |= {(a, b) for a, b in product(earlier, later) if a != b}
        ordering = PartialOrdering.of(scope.names, frozenset(steps))
        rules.prohibitions.append(ordering)
        rules.sequences.append(ordering)


@dataclass(frozen=True, slots=True)
class Root:
    kind: ClassVar[str] = "roots"
    node: str

    def __str__(self) -> str:
        return f"root: {self.node}"

    def add_to(self, rules: Rules, scope: Scope) -> None:
        roots = frozenset(scope.select(self.node, str(self)))
        rules.prohibitions.append(Block(str(self), frozenset(range(len(scope.names))), roots))


@dataclass(frozen=True, slots=True)
class Leaf:
    kind: ClassVar[str] = "leaves"
    node: str

    def __str__(self) -> str:
        return f"leaf: {self.node}"

    def add_to(self, rules: Rules, scope: Scope) -> None:
        leaves = frozenset(scope.select(self.node, str(self)))
        rules.prohibitions.append(Block(str(self), leaves, frozenset(range(len(scope.names)))))


@dataclass(frozen=True, slots=True)
class Continuous:
    """Variables that hold numbers: they cannot be parents of the others (conditional linear Gaussian)."""

    kind: ClassVar[str] = "continuous"
    nodes: tuple[str, ...]

    def __str__(self) -> str:
        return "continuous: " + ", ".join(self.nodes)

    def add_to(self, rules: Rules, scope: Scope) -> None:
        numbers = frozenset(scope.select_all(self.nodes, str(self)))
        others = frozenset(range(len(scope.names))) - numbers
        words = "continuous: no arc from a continuous to a discrete variable"
        rules.prohibitions.append(Block(words, numbers, others))


@dataclass(frozen=True, slots=True)
class MaxParents:
    kind: ClassVar[str] = "max_parents"
    node: str
    most: int

    def __post_init__(self) -> None:
        if isinstance(self.most, bool) or not isinstance(self.most, int) or self.most < 0:
            raise KnowledgeError(f"max_parents must be a whole number from 0 up, not {self.most!r}")

    def __str__(self) -> str:
        return f"max_parents: at most {self.most} for {'every variable' if self.node == '*' else self.node}"

    def add_to(self, rules: Rules, scope: Scope) -> None:
        everyone = self.node == "*" and "*" not in scope.number
        children = range(len(scope.names)) if everyone else scope.select(self.node, str(self))
        rules.bounds.extend(Bound(str(self), child, self.most) for child in children)
        if self.most == 0:
            rules.prohibitions.append(
                Block(str(self), frozenset(range(len(scope.names))), frozenset(children))
            )


@dataclass(frozen=True, slots=True)
class Allowed:
    kind: ClassVar[str] = "allowed"
    edges: tuple[Edge, ...]

    def __str__(self) -> str:
        return "allowed: " + ("; ".join(map(str, self.edges)) or "no edges")

    def add_to(self, rules: Rules, scope: Scope) -> None:
        inside = np.zeros((len(scope.names), len(scope.names)), dtype=bool)
        for edge in self.edges:
            for tail, head in _pairs(edge, scope, f"allowed: {edge}"):
                inside[tail, head] = True
                inside[head, tail] |= not edge.directed
        rules.prohibitions.append(SearchSpace(scope.names, inside))


@dataclass(frozen=True, slots=True)
class Independent:
    """Variables independent of each other: no two are adjacent (Jensen & Nielsen 2007, section 7.3.2).

    One side: each pair inside it; several sides: each pair across them.
    """

    kind: ClassVar[str] = "independent"
    sides: tuple[tuple[str, ...], ...]
    given: tuple[str, ...] = ()

    def __str__(self) -> str:
        said = " _||_ ".join(", ".join(side) for side in self.sides)
        return f"independent: {said}" + (f" | {', '.join(self.given)}" if self.given else "")

    def add_to(self, rules: Rules, scope: Scope) -> None:
        words = str(self)
        sides = [frozenset(scope.select_all(side, words)) for side in self.sides]
        given = frozenset(scope.select_all(self.given, words))
        for variable in sorted(given & frozenset().union(*sides)):
            rules.problems.append(f"{words}: {scope.names[variable]!r} is on both sides of the bar")
        if len(sides) == 1:
            rules.prohibitions.append(Block(words, sides[0], sides[0]))
        for one, other in combinations(sides, 2):
            for variable in sorted(one & other):
                rules.problems.append(f"{words}: {scope.names[variable]!r} cannot be independent of itself")
            rules.prohibitions.append(Block(words, one, other))
            rules.prohibitions.append(Block(words, other, one))
