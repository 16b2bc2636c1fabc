"""Statements once their names are numbers: what is forbidden, required, bounded and ordered, and why."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]  # [source, target]


class Prohibition(Protocol):
    """Something that forbids arcs and can say why."""

    def mark(self, mask: Mask) -> None: ...
    def forbids(self, source: int, target: int) -> bool: ...
    def why(self, source: int, target: int) -> str: ...


class Sequencing(Protocol):
    """Something that puts variables before others; `before` need not be transitive."""

    def before(self) -> Mask: ...
    def says(self, first: int, second: int) -> str: ...


@dataclass(frozen=True)
class Block:
    """No arc from any source to any target."""

    words: str
    sources: frozenset[int]
    targets: frozenset[int]

    def mark(self, mask: Mask) -> None:
        mask[np.ix_(sorted(self.sources), sorted(self.targets))] = True

    def forbids(self, source: int, target: int) -> bool:
        return source in self.sources and target in self.targets

    def why(self, source: int, target: int) -> str:  # noqa: ARG002
        return self.words


@dataclass(frozen=True)
class Levels:
    """Tiers or a linear order: arcs only from a level to a higher one, or inside one that is not closed."""

    names: Sequence[str]
    kind: str
    level: NDArray[np.int64]  # -1: not mentioned, free
    closed: frozenset[int] = frozenset()

    def before(self) -> Mask:
        known = self.level >= 0
        return (self.level[:, None] < self.level[None, :]) & known[:, None]

    def mark(self, mask: Mask) -> None:
        mask |= self.before().T
        for level in self.closed:
            members = np.flatnonzero(self.level == level)
            mask[np.ix_(members, members)] = True

    def forbids(self, source: int, target: int) -> bool:
        here, there = int(self.level[source]), int(self.level[target])
        if here < 0 or there < 0:
            return False
        return here > there or (here == there and here in self.closed)

    def why(self, source: int, target: int) -> str:
        if self.level[source] == self.level[target]:
            return f"tier {self.level[source] + 1} has no edges inside it ({self._two(source, target)})"
        return self.says(target, source)

    def says(self, first: int, second: int) -> str:
        if self.kind == "tiers":
            tiers = self.level[first] + 1, self.level[second] + 1
            return f"tier {tiers[0]} before tier {tiers[1]} ({self._two(first, second)})"
        return f"order: {self.names[first]} before {self.names[second]}"

    def _two(self, first: int, second: int) -> str:
        return f"{self.names[first]}, {self.names[second]}"


@dataclass(frozen=True)
class PartialOrdering:
    """Arcs between its members only upwards: X -> Y needs X before Y."""

    names: Sequence[str]
    steps: frozenset[tuple[int, int]]
    members: frozenset[int]
    reach: Mask = field(repr=False)

    @classmethod
    def of(cls, names: Sequence[str], steps: frozenset[tuple[int, int]]) -> PartialOrdering:
        members = frozenset(end for step in steps for end in step)
        reach = dict.fromkeys(members, 0)
        for first, second in steps:
            reach[first] |= 1 << second
        for middle in members:
            for first in members:
                if reach[first] >> middle & 1:
                    reach[first] |= reach[middle]
        closure = np.zeros((len(names), len(names)), dtype=bool)
        for first in members:
            for second in members:
                closure[first, second] = bool(reach[first] >> second & 1)
        return cls(names, steps, members, closure)

    def before(self) -> Mask:
        stated = np.zeros_like(self.reach)
        for first, second in self.steps:
            stated[first, second] = True
        return stated

    def mark(self, mask: Mask) -> None:
        members = np.ix_(sorted(self.members), sorted(self.members))
        mask[members] |= ~self.reach[members]

    def forbids(self, source: int, target: int) -> bool:
        both = source in self.members and target in self.members
        return both and not bool(self.reach[source, target])

    def why(self, source: int, target: int) -> str:
        if self.reach[target, source]:
            return self.says(target, source)
        return f"partial order: {self.names[source]} and {self.names[target]} are not comparable"

    def says(self, first: int, second: int) -> str:
        path = shortest_path(self.steps, first, second)
        return "partial order: " + " < ".join(self.names[at] for at in path)


@dataclass(frozen=True)
class SearchSpace:
    """Only the arcs of the space."""

    names: Sequence[str]
    inside: Mask = field(repr=False)

    def mark(self, mask: Mask) -> None:
        mask |= ~self.inside

    def forbids(self, source: int, target: int) -> bool:
        return not bool(self.inside[source, target])

    def why(self, source: int, target: int) -> str:
        return f"allowed: {self.names[source]} -> {self.names[target]} is outside the search space"


@dataclass(frozen=True)
class Requirement:
    """The arc tail -> head, or an arc either way when not directed."""

    words: str
    tail: int
    head: int
    directed: bool


@dataclass(frozen=True)
class Bound:
    """A bound on the number of parents of one child."""

    words: str
    child: int
    most: int


@dataclass
class Rules:
    """All rules of one knowledge over one list of variables."""

    names: tuple[str, ...]
    prohibitions: list[Prohibition] = field(default_factory=list)
    requirements: list[Requirement] = field(default_factory=list)
    bounds: list[Bound] = field(default_factory=list)
    sequences: list[Sequencing] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def forbidden_mask(self) -> Mask:
        mask = np.zeros((len(self.names), len(self.names)), dtype=bool)
        for rule in self.prohibitions:
            rule.mark(mask)
        np.fill_diagonal(mask, val=False)
        return mask

    def reasons(self, source: int, target: int) -> list[str]:
        """Why the arc is forbidden, each reason once."""
        found = [rule.why(source, target) for rule in self.prohibitions if rule.forbids(source, target)]
        return list(dict.fromkeys(found))

    def tightest_bounds(self) -> dict[int, Bound]:
        tightest: dict[int, Bound] = {}
        for bound in self.bounds:
            if bound.child not in tightest or bound.most < tightest[bound.child].most:
                tightest[bound.child] = bound
        return tightest


def shortest_path(steps: frozenset[tuple[int, int]], start: int, goal: int) -> list[int]:
    """A shortest walk of one step or more from start to goal (a cycle when they are equal); [] if none."""
    after: dict[int, list[int]] = {}
    for first, second in sorted(steps):
        after.setdefault(first, []).append(second)
    came_from: dict[int, int] = {}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        for there in after.get(here, ()):
            if there == goal:
                path = [goal, here]
                while here != start:
                    here = came_from[here]
                    path.append(here)
                return path[::-1]
            if there not in came_from and there != start:
                came_from[there] = here
                waiting.append(there)
    return []
