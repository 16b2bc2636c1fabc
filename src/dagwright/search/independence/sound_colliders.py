"""Colliders and discriminating paths that are tested before they are believed (Colombo et al. 2012)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, combinations, pairwise

from dagwright.search.control import Control
from dagwright.search.independence.colliders import Triplet
from dagwright.search.independence.numbered_knowledge import NumberedKnowledge, Pair, as_pair
from dagwright.search.independence.separation_table import Separated
from dagwright.search.independence.skeleton import Skeleton, separate_forbidden
from dagwright.search.independence.tester import PairTester


class LinkGoneError(Exception):
    """An edge on a discriminating path was removed: the orientation must start over."""


class SoundColliders:
    """Removes edges that do not stand given what separates the ends of a triple or a path."""

    def __init__(
        self,
        tester: PairTester,
        knowledge: NumberedKnowledge,
        control: Control,
        found: Skeleton,
        max_size: int | None,
    ) -> None:
        self.tester, self.knowledge, self.control, self.found = tester, knowledge, control, found
        self.max_size = max_size
        self._standing: set[Triplet] = set()
        self._standing_edges: set[tuple[Pair, frozenset[int]]] = set()

    def colliders(self) -> list[Triplet]:
        """The colliders among the triples whose edges stand (Algorithm 3.2)."""
        separate_forbidden(self.tester, self.knowledge, self.control, self.found, self.max_size)
        try:
            while self.found.stopped is None and self._round():
                separate_forbidden(self.tester, self.knowledge, self.control, self.found, self.max_size)
        except KeyboardInterrupt:
            self.found.stopped = self.control.interrupted()
        return [
            (a, c, b)
            for a, c, b in self.found.unshielded()
            if (a, c, b) in self._standing and c not in self.found.separated[a, b].given
        ]

    def open(self) -> list[Triplet]:
        """Triples whose ends nothing was found to separate."""
        return [(a, c, b) for a, c, b in self.found.unshielded() if (a, b) not in self.found.separated]

    def _round(self) -> bool:
        """Look at every new unshielded triple; whether an edge was removed."""
        new = [
            (a, c, b)
            for a, c, b in self.found.unshielded()
            if (a, b) in self.found.separated and (a, c, b) not in self._standing
        ]
        gone: dict[Pair, Separated] = {}
        for a, c, b in new:
            if self._over():
                break
            given = self.found.separated[a, b].given - {c}
            verdicts = self.tester.ask([(*as_pair(end, c), tuple(sorted(given))) for end in (a, b)])
            removable = [
                as_pair(end, c)
                for end, verdict in zip((a, b), verdicts, strict=True)
                if verdict.independent and as_pair(end, c) not in self.knowledge.required
            ]
            for edge in removable:
                if edge not in gone and (smallest := self._separating(edge, given)) is not None:
                    gone[edge] = smallest
            if not removable:
                self._standing.add((a, c, b))
        for edge, separated in gone.items():
            self.found.unlink(*edge, separated)
        return bool(gone)

    def _separating(self, edge: Pair, within: Iterable[int]) -> Separated | None:
        """The smallest part of a set that separates the ends of an edge."""
        members = sorted(set(within) - set(edge))
        sets = chain.from_iterable(combinations(members, size) for size in range(len(members) + 1))
        for given in sets:
            if self._over():
                return None
            (verdict,) = self.tester.ask([(*edge, given)])
            if verdict.independent:
                return Separated(frozenset(given), verdict)
        return None

    def _over(self) -> bool:
        self.found.stopped = self.found.stopped or self.control.stopped()
        return self.found.stopped is not None

    def on_path(self, path: list[int]) -> bool | None:
        """Whether the last but one node of a discriminating path is a collider, if all its edges stand.

        Raises `LinkGoneError` if one does not (Lemma 3.2, Algorithm 3.3).
        """
        stored = self.found.separated.get(as_pair(path[0], path[-1]))
        if stored is None:
            return None
        for edge in (as_pair(*step) for step in pairwise(path)):
            if edge in self.knowledge.required or (edge, stored.given) in self._standing_edges:
                continue
            try:
                separated = self._separating(edge, stored.given)
            except KeyboardInterrupt:
                self.found.stopped = self.control.interrupted()
                separated = None
            if self.found.stopped is not None:
                return None
            if separated is not None:
                self.found.unlink(*edge, separated)
                raise LinkGoneError
            self._standing_edges.add((edge, stored.given))
        return path[-2] not in stored.given
