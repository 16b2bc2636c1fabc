"""The account of a search by tests: separating sets, overruled answers, open questions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

from dagwright import _core
from dagwright.base.wording import count_of
from dagwright.evidence.bound import Bound
from dagwright.evidence.chi_squared import BoundChiSquared
from dagwright.evidence.false_discoveries import FalseDiscoveryRate
from dagwright.graph.edge_marks import EdgeMarks
from dagwright.graph.mark_notation import ARROWS
from dagwright.search.independence.colliders import Triplet
from dagwright.search.independence.numbered_knowledge import Pair, PairQuestion
from dagwright.search.independence.separation_table import (
    LazySeparations,
    SeparationTable,
    by_size,
    separation,
)
from dagwright.search.independence.skeleton import Skeleton, question_bound
from dagwright.search.independence.tester import PairTester
from dagwright.search.problem import Separation

PAIRS_SHOWN = 5
NO_STRENGTHS: Mapping[Triplet, float] = MappingProxyType({})


def separations(names: Sequence[str], skeleton: Skeleton) -> Sequence[Separation]:
    """The separating set of each pair, by name; small sets first."""
    stored = skeleton.separated
    if isinstance(stored, SeparationTable):
        return LazySeparations(len(stored), lambda: stored.listed(names))
    return tuple(sorted((separation(names, pair, one) for pair, one in stored.items()), key=by_size))


def few_rows_warning(test: Bound, found: Sequence[Separation]) -> tuple[str, ...]:
    """Pairs that were separated for want of rows only, although their p-value says that they depend."""
    if not isinstance(test, BoundChiSquared) or test.least is None:
        return ()
    against = sorted(
        (one for one in found if one.p_value is not None and one.p_value <= test.alpha),
        key=lambda one: (one.p_value, one.x, one.y),
    )
    if not against:
        return ()
    shown = ", ".join(f"{one.x} - {one.y} (p = {one.p_value:.3g})" for one in against[:PAIRS_SHOWN])
    more = f" and {len(against) - PAIRS_SHOWN} more" if len(against) > PAIRS_SHOWN else ""
    return (
        f"{count_of(len(against), 'pair')} were taken as independent for fewer than {test.least:g} rows per "
        f"cell although p <= {test.alpha:g}: {shown}{more}; a lower min_rows_per_cell asks the data",
    )


class Account:
    """The account of a run, in words."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.notes: dict[str, Any] = {}

    def _edge(self, pair: Pair) -> str:
        return " - ".join(sorted(self.names[at] for at in pair))

    def _collider(self, triple: Triplet) -> str:
        a, c, b = triple
        ends = sorted((self.names[a], self.names[b]))
        return f"{ends[0]} -> {self.names[c]} <- {ends[1]}"

    def _list(self, key: str, items: Iterable[str]) -> None:
        listed = [*self.notes.get(key, []), *items]
        if listed:
            self.notes[key] = listed

    def region(self, region: Sequence[Pair], back: Pair | None) -> None:
        edges = ", ".join(sorted(map(self._edge, region)))
        end = "all are left out" if back is None else f"{self._edge(back)} is put back"
        self._list("uncertain regions", [f"any of {edges} may be missing, but not all; {end}"])

    def doubtful(self, edges: Sequence[Pair], fdr: FalseDiscoveryRate) -> None:
        self._list(
            "false discoveries", [f"no edge {self._edge(pair)}: not believed by {fdr}" for pair in edges]
        )

    def conflicts(
        self,
        conflicts: Sequence[_core.ColliderConflict],
        strengths: Mapping[Triplet, float] = NO_STRENGTHS,
        *,
        marked: bool,
    ) -> None:
        """Edges that are to point both ways; how strongly each side wants it, where that is known."""

        @cache  # a collider may be disputed at both its edges
        def words(triple: Triplet) -> str:
            text, value = self._collider(triple), strengths.get(triple)
            return f"{text} ({value:.3g})" if value else text

        def side(triples: Sequence[Triplet]) -> str:
            return ", ".join(map(words, triples))

        self._list(
            "conflicts",
            [
                f"{self._edge(one.edge)}: {side(one.forward)} against {side(one.backward)}"
                for one in conflicts
            ],
        )
        if marked:
            self._list("bidirected", [self._edge(one.edge) for one in conflicts])

    def undecided(self, triples: Sequence[Triplet]) -> None:
        self._list("undecided", [self._collider(triple) for triple in triples])

    def settled(self, pairs: Iterable[Pair], before: EdgeMarks, after: EdgeMarks) -> None:
        """Pairs of a marked graph that could not stay as the answers had them."""

        def words(marks: EdgeMarks, a: int, b: int) -> str:
            if not marks.joined(a, b):
                return "no edge"
            return f"{self.names[a]} {ARROWS[marks.at[b][a], marks.at[a][b]]} {self.names[b]}"

        self._list("overruled", [f"{words(before, a, b)}: now {words(after, a, b)}" for a, b in pairs])

    def overruled(
        self, undecided: Sequence[Triplet], overruled: _core.OverruledTriples, dropped: Sequence[Pair]
    ) -> None:
        """Where the graph says otherwise than the answers that led to it."""
        self._list(
            "undecided",
            [
                self._collider(one) + (" is in the graph" if made else "")
                for one, made in zip(undecided, overruled.open_made, strict=True)
            ],
        )
        self._list("overruled", [f"no {self._collider(triple)}" for triple in overruled.lost])
        self._list(
            "overruled",
            [
                f"{self._collider(triple)} although {self.names[triple[1]]} separates"
                for triple in overruled.gained
            ],
        )
        self._list("overruled", [f"no edge {self._edge(pair)}: knowledge forbids it" for pair in dropped])

    def unexplained(self, questions: Iterable[PairQuestion]) -> None:
        """Pairs that a polytree separates and the test calls dependent."""
        self._list(
            "not a polytree",
            [
                " and ".join(sorted((self.names[x], self.names[y])))
                + " depend on each other"
                + "".join(f" given {self.names[at]}" for at in given)
                for x, y, given in questions
            ],
        )

    def second_look_cut(self, size: int) -> None:
        """The second look of FCI did not end; ``size`` is that of the sets it was at."""
        where = f"at sets of size {size}" if size else "before it began"
        self._list("second look", [f"stopped {where}: edges that it would have removed may be left"])

    def questions(self, tester: PairTester, n: int) -> None:
        self.notes["tests by size"] = {str(size): tester.tests[size] for size in sorted(tester.tests)}
        self.notes["bound on tests"] = question_bound(n, tester.tests)

    def warnings(self) -> tuple[str, ...]:
        said = {
            "conflicts": "{} edge{} with conflicting collider orientations, perhaps a hidden common cause",
            "uncertain regions": "{} group{} of edges whose removals depend on each other",
            "undecided": "{} triple{} that could not be decided to be a collider or not",
            "overruled": "{} answer{} of the test that the graph overrules",
            "not a polytree": "the data do not come from a polytree: {} pair{} of variables that the tree "
            "separates depend on each other",
        }
        listed = [
            f"{words.format(count, '' if count == 1 else 's')}: see the notes under {key!r}"
            for key, words in said.items()
            if (count := len(self.notes.get(key, ())))
        ]
        return (*listed, *(f"the second look {words}" for words in self.notes.get("second look", ())))
