"""The neighborhood of one variable, without learning the whole graph."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from dagwright.base.wording import count_of
from dagwright.errors import OptionError, shortened, unknown_name
from dagwright.evidence.binding import describe_test
from dagwright.evidence.bound import Bound
from dagwright.evidence.oracle_evidence import BoundOracle
from dagwright.graph.oracle import as_oracle
from dagwright.graph.query import Query, Verdict
from dagwright.graph.viewable import Viewable
from dagwright.knowledge import Knowledge
from dagwright.methods.method_like import as_method
from dagwright.methods.notation import as_code
from dagwright.search.control import CancelToken, Control, Progress
from dagwright.search.independence.account import separations
from dagwright.search.independence.numbered_knowledge import NumberedKnowledge
from dagwright.search.independence.skeleton import Skeleton
from dagwright.search.local.hpc import neighbors_in_blanket
from dagwright.search.local.iamb import IAMB
from dagwright.search.local.method import LocalMethod
from dagwright.search.local.mmpc import MMPC
from dagwright.search.local.questions import Finds, Questions, halted
from dagwright.search.pipeline import Prepared
from dagwright.search.problem import Separation, Stopped
from dagwright.search.study import Study, requested
from dagwright.sentences import Argument, Call


@dataclass(frozen=True)
class Neighborhood(Viewable):
    """The variables around a target, and how they were found.

    Attributes
    ----------
    members
        The names found, sorted.
    finds
        "blanket": the members make the target independent of all other variables. "neighbors": its parents
        and children.
    method, test
        How they were found.
    one_sided
        Candidates that the target found, but that did not find the target when asked back; left out.
    separations
        What separated the target from others.
    tests
        How many independence tests were made.
    tests_by_size
        The same by the size of the conditioning set.
    stopped
        Why the search ended early, or None. What was found until then is not reliable, so `members` are then
        only those that knowledge requires.
    log
        Every question with its answer, in the order asked, if that was wanted.
    note
        Notes about the target, or None.
    """

    target: str
    members: tuple[str, ...]
    finds: Finds
    method: str
    test: str
    one_sided: tuple[str, ...]
    separations: tuple[Separation, ...]
    tests: int
    tests_by_size: dict[int, int]
    seconds: float
    stopped: Stopped | None = None
    log: tuple[tuple[Query, Verdict], ...] | None = None
    note: str = ""

    def __str__(self) -> str:
        kind = "Markov blanket" if self.finds == "blanket" else "parents and children"
        lines = [
            f"{kind} of {self.target}: {', '.join(self.members) or 'none'}",
            f"found by {self.method}, {self.test}: {count_of(self.tests, 'test')}, {self.seconds:.3g} s",
        ]
        if self.one_sided:
            lines.append(f"found from one end only, left out: {', '.join(self.one_sided)}")
        if self.stopped:
            lines.append(f"stopped by {self.stopped}: only what knowledge requires is listed")
        if self.note:
            lines.append(f"note: {self.note}")
        return "\n".join(lines)


def blanket(
    data: Any = None,
    target: str | None = None,
    *,
    oracle: Any = None,
    method: LocalMethod | None = None,
    knowledge: Knowledge | None = None,
    missing: str | None = None,
    columns: Iterable[str] | None = None,
    exclude: Iterable[str] = (),
    study: Study | None = None,
    time_limit: float | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    cancel: CancelToken | None = None,
    log: bool = False,
) -> Neighborhood:
    """The Markov blanket of one variable: parents, children and the other parents of its children.

    Parameters
    ----------
    data, oracle, missing, columns, exclude, study, time_limit, threads, progress, cancel
        As in `learn`.
    target
        The target variable.
    log
        Whether to keep every test and its result.
    method
        `IAMB` by default; `GrowShrink`, `InterIAMB`, `FastIAMB` or `FdrIAMB`.
    knowledge
        Required neighbors are members. Variables that can be neither a neighbor nor share a child are not.

    >>> from dagwright import Dag
    >>> blanket(oracle=Dag.parse("A -> C <- B; C -> D -> E"), target="A").members
    ('B', 'C')
    """
    request = requested(
        study, search=method, knowledge=knowledge, missing=missing, columns=columns, exclude=exclude
    )
    chosen = _local_method(IAMB() if request.search is None else request.search)
    if chosen.finds != "blanket":
        raise OptionError(
            f"{as_code(chosen)} finds parents and children: call ",
            Call("neighbors"),
            ", or choose GrowShrink, IAMB, InterIAMB, FastIAMB or FdrIAMB",
        )
    control = Control.of(threads, time_limit, progress, cancel)
    place = _Place(request, data, target, oracle, chosen, control, log=log)
    return place.look(control, "blanket", lambda ask: (chosen.around(place.at, ask), set()))


def neighbors(
    data: Any = None,
    target: str | None = None,
    *,
    oracle: Any = None,
    method: LocalMethod | None = None,
    knowledge: Knowledge | None = None,
    missing: str | None = None,
    columns: Iterable[str] | None = None,
    exclude: Iterable[str] = (),
    study: Study | None = None,
    time_limit: float | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    cancel: CancelToken | None = None,
    log: bool = False,
) -> Neighborhood:
    """The parents and children of one variable.

    Parameters
    ----------
    data, oracle, missing, columns, exclude, study, time_limit, threads, progress, cancel
        As in `learn`.
    target
        The target variable.
    log
        Whether to keep every test and its result.
    method
        `MMPC` by default; `HitonPC` or `HPC`. Each candidate must then also find the target, unless the
        method's ``symmetry`` is "or". With a method for blankets, the members of the blanket that no subset
        of the others separates from the target.
    knowledge
        Required neighbors are members; variables that may not be adjacent are not.

    >>> from dagwright import Dag
    >>> neighbors(oracle=Dag.parse("A -> C <- B; C -> D -> E"), target="C").members
    ('A', 'B', 'D')
    """
    request = requested(
        study, search=method, knowledge=knowledge, missing=missing, columns=columns, exclude=exclude
    )
    chosen = _local_method(MMPC() if request.search is None else request.search)
    control = Control.of(threads, time_limit, progress, cancel)
    place = _Place(request, data, target, oracle, chosen, control, log=log)

    def look(ask: Questions) -> tuple[set[int], set[int]]:
        found = chosen.around(place.at, ask)
        if chosen.finds == "blanket":
            near = neighbors_in_blanket(place.at, found, ask)
            return {x for x in near if ask.knowledge.may_link(x, place.at)}, set()
        asked_back = found - set(ask.required(place.at)) if chosen.symmetry == "and" else set()
        alone = {x for x in sorted(asked_back) if place.at not in chosen.around(x, ask)}
        return found - alone, alone

    return place.look(control, "neighbors", look)


def _local_method(method: Any) -> LocalMethod:
    method = as_method(method, "method", "search")
    if not isinstance(method, LocalMethod):
        raise OptionError(
            f"{getattr(method, '__name__', repr(method))} is not a local method; give IAMB(), "
            "MMPC(), GrowShrink() or another local method, with its parentheses"
        )
    return method


class _Place:
    """A target among the variables of data or of an oracle, in the canonical numbering."""

    def __init__(
        self,
        study: Study,
        data: Any,
        target: str | None,
        oracle: Any,
        method: LocalMethod,
        control: Control,
        *,
        log: bool,
    ) -> None:
        self.log = log
        self.began = time.perf_counter()
        self.method = method
        self.test: Bound
        if oracle is not None:
            if data is not None or study.missing is not None:
                raise OptionError("an oracle takes the place of data: give one or the other")
            known = as_oracle(oracle)
            self.names = known.nodes
            self.test, self.decides = BoundOracle(known), "an oracle"
        else:
            if data is None:
                raise OptionError("a local method needs data, or an oracle")
            named = (target,) if isinstance(target, str) else ()
            prepared = Prepared.of(study, data, usual=method.usual_test, tested=True, named=named)
            study = prepared.study
            canonical = prepared.canonical(control).table
            self.names = canonical.names
            self.test = prepared.bound(canonical, control.threads)
            self.decides = describe_test(self.test)
        if not isinstance(target, str):
            raise OptionError(
                "name the target variable: ",
                Argument("target"),
                f", not {shortened(target)}",
            )
        if target not in self.names:
            raise unknown_name("target", target, self.names)
        self.at = self.names.index(target)
        self.numbered = NumberedKnowledge(study.knowledge.resolve(self.names))

    def look(
        self, control: Control, finds: Finds, work: Callable[[Questions], tuple[set[int], set[int]]]
    ) -> Neighborhood:
        """Do the work; when it is stopped, only what knowledge requires is sure."""
        ask = Questions(self.test, self.numbered, control, self.method.finds)
        ask.log = [] if self.log else None
        members, alone = set(ask.required(self.at)), set[int]()

        def look() -> None:
            nonlocal members, alone
            members, alone = work(ask)

        stopped = halted(look, control)
        apart = {
            pair: one
            for pair, one in ask.separated.items()
            if self.at in pair and sum(pair) - self.at not in members
        }
        return Neighborhood(
            target=self.names[self.at],
            members=self._named(members),
            finds=finds,
            method=as_code(self.method),
            test=self.decides,
            one_sided=self._named(alone),
            separations=tuple(separations(self.names, Skeleton([], apart))),
            tests=ask.tests.total(),
            tests_by_size={size: ask.tests[size] for size in sorted(ask.tests)},
            seconds=time.perf_counter() - self.began,
            stopped=stopped,
            log=None if ask.log is None else tuple(map(self._answered, ask.log)),
            note=self._note(),
        )

    def _note(self) -> str:
        constant = not isinstance(self.test, BoundOracle) and self.test.cardinalities[self.at] == 1
        return f"{self.names[self.at]} has one state only, so it depends on nothing" if constant else ""

    def _answered(self, one: tuple[int, int, frozenset[int], Verdict]) -> tuple[Query, Verdict]:
        target, x, given, verdict = one
        return Query(self.names[target], self.names[x], [self.names[v] for v in given]), verdict

    def _named(self, numbers: set[int]) -> tuple[str, ...]:
        return tuple(sorted(self.names[x] for x in numbers))
