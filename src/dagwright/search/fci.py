"""FCI: what independence questions tell when causes may be hidden and rows may be selected."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from dagwright.errors import unknown_name
from dagwright.graph.edge_marks import EdgeMarks
from dagwright.graph.mark_notation import ARROWS
from dagwright.graph.pag import Pag
from dagwright.graph.zhang_rules import close
from dagwright.methods.traits import GraphKind
from dagwright.search.control import Control
from dagwright.search.costs import Usual
from dagwright.search.independence.account import Account, separations
from dagwright.search.independence.by_tests import ByTests
from dagwright.search.independence.colliders import ColliderRule, Triplet, decide_colliders
from dagwright.search.independence.consistent_mag import is_consistent, overruled, put_knowledge, settled
from dagwright.search.independence.numbered_knowledge import NumberedKnowledge, as_pair
from dagwright.search.independence.possible_d_sep import (
    narrow_sides,
    separate_by_possible_d_sep,
    textbook_sides,
)
from dagwright.search.independence.skeleton import Skeleton, order_independent_skeleton, separate_forbidden
from dagwright.search.independence.sound_colliders import LinkGoneError, SoundColliders
from dagwright.search.independence.tester import PairTester
from dagwright.search.independence.uncertain_regions import put_back_strongest, uncertain_regions
from dagwright.search.problem import Found, Problem
from dagwright.search.walks import require_at_least

SecondLook = Literal["narrow", "textbook"]


@dataclass(frozen=True, slots=True)
class FCI(ByTests):
    """Like `PC`, without the assumption that every common cause is measured; the result is a `Pag`.

    It finds the skeleton of PC, then in a second stage tests the larger sets that hidden variables can
    require (Possible-D-Sep; Spirtes et al. 1999), then orients colliders and applies the ten rules of Zhang
    (2008), which are complete. If test results contradict each other, the graph is still a class of ancestral
    graphs; ``notes`` lists the overruled results and the number of marks from each rule. Bounds on parents in
    the knowledge do not apply, since parents may be hidden.

    Parameters
    ----------
    test
        Any test or score; `GSquare` at level 0.01 by default. Not used when `learn` is given an oracle.
    colliders, uncertain
        As in `PC`.
    max_size
        Largest conditioning set; None means no bound.
    max_path
        Longest path of the second stage; None means no bound. 0 skips the second stage.
    second_look
        "narrow" first runs `RFCI` and skips the conditioning sets of the second stage that its marks show to
        be unnecessary. "textbook" tests all of them, which can be very many. With an oracle both give the
        same result; with data, more tests remove more edges by chance.

    >>> from dagwright import Dag, learn
    >>> truth = Dag.parse("A -> B <- H -> C <- D").latent_projection(hidden="H")
    >>> print(learn(oracle=truth, search=FCI()).graph)
    A o-> B; B <-> C; D o-> C
    """

    summary: ClassVar[str] = "PC for hidden common causes and selection"
    citation: ClassVar[str] = "Spirtes et al. 1999; Zhang 2008"
    gives: ClassVar[GraphKind] = "pag"
    usual: ClassVar[Usual] = Usual(2.7, 6e-6)

    colliders: ColliderRule = "standard"
    uncertain: str = "resolve"
    max_size: int | None = None
    max_path: int | None = None
    second_look: SecondLook = "narrow"

    def __post_init__(self) -> None:
        ByTests.__post_init__(self)
        check_options(self.colliders, self.uncertain, self.max_size)
        require_at_least("max_path", self.max_path, 0)
        if self.second_look not in get_args(SecondLook):
            raise unknown_name("value of second_look", self.second_look, get_args(SecondLook))

    def run(self, problem: Problem, control: Control) -> Found:
        run = HiddenCauses.by_tests(problem, control, self.colliders, self.uncertain, self.max_size)
        if self.max_path != 0:
            run.look_again(self.second_look, self.max_path)
        return run.closed()


def check_options(colliders: ColliderRule, uncertain: str, max_size: int | None) -> None:
    """Refuse values that no search with hidden causes knows."""
    if colliders not in get_args(ColliderRule):
        raise unknown_name("value of colliders", colliders, get_args(ColliderRule))
    if uncertain not in ("resolve", "report"):
        raise unknown_name("value of uncertain", uncertain, ("resolve", "report"))
    require_at_least("max_size", max_size, 0)


class HiddenCauses:
    """The part that FCI, RFCI and GFCI share: from a first skeleton to an answer made of marks."""

    def __init__(
        self,
        problem: Problem,
        control: Control,
        rule: ColliderRule,
        max_size: int | None,
        tester: PairTester,
        skeleton: Skeleton,
    ) -> None:
        self.problem, self.control, self.rule, self.max_size = problem, control, rule, max_size
        self.knowledge = NumberedKnowledge(problem.knowledge)
        self.tester, self.skeleton = tester, skeleton
        self.account = Account(problem.names)
        self.open: list[Triplet] = []

    @staticmethod
    def by_tests(
        problem: Problem, control: Control, rule: ColliderRule, uncertain: str, max_size: int | None
    ) -> HiddenCauses:
        """From the skeleton of PC."""
        tester = PairTester(problem.score, control.cancel)
        known = NumberedKnowledge(problem.knowledge)
        skeleton = order_independent_skeleton(tester, known, control, max_size)
        run = HiddenCauses(problem, control, rule, max_size, tester, skeleton)
        if uncertain == "resolve":
            run._resolve()
        return run

    def _resolve(self) -> None:
        """Put edges back where removals rely on each other."""
        try:
            for region, edge in put_back_strongest(
                self.skeleton, self.tester.effects, self.knowledge.may_link
            ):
                self.account.region(region, edge)
        except KeyboardInterrupt:
            self.skeleton.stopped = self.control.interrupted()

    def decided(self) -> list[Triplet]:
        """The colliders of the skeleton as it is."""
        separate_forbidden(self.tester, self.knowledge, self.control, self.skeleton, self.max_size)
        found = decide_colliders(
            self.tester, self.knowledge, self.control, self.skeleton, self.rule, self.max_size
        )
        self.open = found.open
        return found.colliders

    def closed(self) -> Found:
        """The colliders of the skeleton and all that the rules conclude from them."""
        colliders = self.decided()
        marks = self.with_knowledge(colliders)
        made = close(marks, self.by_separation)
        alone = self.without_knowledge(colliders)
        close(alone, self.by_separation)
        return self.answer(marks, made, alone)

    def tested_marks(self) -> tuple[EdgeMarks, Counter[int]]:
        """Marks from colliders and paths whose edges were tested, and how many each rule made."""
        sound = SoundColliders(self.tester, self.knowledge, self.control, self.skeleton, self.max_size)
        while True:
            marks = self.with_knowledge(sound.colliders())
            try:
                made = close(marks, sound.on_path)
            except LinkGoneError:
                continue
            self.open = sound.open()
            return marks, made

    def look_again(self, form: SecondLook, longest: int | None) -> None:
        """Possible-D-Sep; says so if it was cut short."""
        if form == "narrow":
            sides = narrow_sides(self.tested_marks()[0], longest)
        else:
            sides = textbook_sides(self.without_knowledge(self.decided()), longest)
        size = separate_by_possible_d_sep(
            self.tester, self.knowledge, self.control, self.skeleton, sides, self.max_size
        )
        if self.skeleton.stopped is not None:
            self.account.second_look_cut(size)

    def without_knowledge(self, colliders: list[Triplet]) -> EdgeMarks:
        """Circles, then the colliders."""
        marks = EdgeMarks(self.knowledge.n, self.skeleton.edges())
        marks.put_colliders(colliders)
        return marks

    def with_knowledge(self, colliders: list[Triplet]) -> EdgeMarks:
        """Circles, then what knowledge says, then the colliders."""
        marks = EdgeMarks(self.knowledge.n, self.skeleton.edges())
        put_knowledge(marks, self.knowledge)
        marks.put_colliders(colliders)
        return marks

    def by_separation(self, path: list[int]) -> bool | None:
        """For a discriminating path, whether the set that separates its ends lacks the last but one node."""
        stored = self.skeleton.separated.get(as_pair(path[0], path[-1]))
        return None if stored is None else path[-2] not in stored.given

    def answer(
        self, marks: EdgeMarks, made: Counter[int], without_knowledge: EdgeMarks | None = None
    ) -> Found:
        """The result; marks that no graph can have are settled first.

        With ``without_knowledge``, the marks from the answers alone, the marks should be all that a
        class shares.
        Otherwise they need only not contradict each other.
        """
        account, skeleton, names = self.account, self.skeleton, self.problem.names
        kept = marks
        if without_knowledge is not None or not is_consistent(marks):
            kept = settled(marks, self.knowledge, self.tester.effects, without_knowledge)
        account.settled(overruled(marks, kept), marks, kept)
        account.undecided(self.open)
        for region in uncertain_regions(skeleton):
            account.region(region, None)
        account.questions(self.tester, self.knowledge.n)
        account.notes["marks by rule"] = {str(rule): made[rule] for rule in sorted(made)}
        graph = Pag(
            names,
            [(names[a], ARROWS[at_a, at_b], names[b]) for a, at_a, at_b, b in kept.ends()],
        )
        return Found(
            graph=graph,
            evaluations=self.tester.tests.total(),
            stopped=skeleton.stopped,
            warnings=account.warnings(),
            notes=account.notes,
            separations=separations(names, skeleton),
        )
