"""Candidate parent sets: for every node those that a best network can need, with their scores."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dagwright import _core
from dagwright.base.memory import budget
from dagwright.errors import CapacityError, OptionError, unknown_name
from dagwright.evidence.binding import describe_score
from dagwright.evidence.structure_priors import StructurePrior
from dagwright.graph.dag import Dag
from dagwright.graph.viewable import Viewable
from dagwright.knowledge import Knowledge
from dagwright.search.control import CancelToken, Control, Progress, stopped_by
from dagwright.search.pipeline import problem_of
from dagwright.search.problem import Problem, Stopped
from dagwright.search.set_counts import all_sets, count_in_words, gib_in_words, sets_within
from dagwright.search.study import Study, requested
from dagwright.search.walks import require_at_least
from dagwright.sentences import Argument, Part

MOST_MEMORY = 2**40
"""More than this is not proposed to anyone."""

NO_GRAPH = "no graph that the knowledge and the structure prior allow has a score above minus infinity"

BYTES_PER_SET = 88
"""A set with its key, its score and its place in the index."""


class SetsDoNotFitError(CapacityError):
    """Raised when the memory was used up while parent sets were scored; holds what is known by then."""

    def __init__(self, *parts: Part, sets: CandidateSets) -> None:
        super().__init__(*parts)
        self.sets = sets


class Candidate(NamedTuple):
    """One parent set and its local score in nats."""

    parents: tuple[str, ...]
    score: float


@dataclass(frozen=True, eq=False)
class CandidateSets(Viewable):
    """Parent sets with local scores for every node, best first.

    Sets that no optimal network needs are left out: a set that scores no better than one of its subsets.
    Equal scores are ordered by size and node numbers.

    Attributes
    ----------
    nodes
        The variables; node number i is ``nodes[i]``.
    score_name
        What was scored, None if unknown, as in a file.
    native
        The sets in the form that native code takes; ``offsets``, ``scores``, ``starts`` and ``members`` are
        views into it.
    max_parents
        The parent bound that was asked for; None without one.
    within
        None if only best networks matter; else all sets are there that a network within this distance (nats)
        of the best can need.
    evaluations
        How many families were scored.
    stopped
        Why scoring ended early; None if it did not.
    limits
        If scoring ended early, for every node an upper bound on the scores of all its parent sets, also the
        unvisited ones; else None.
    most
        If scoring ended early, an upper bound on the score of any network; it can be below the sum of
        ``limits``.

    >>> from dagwright import candidates
    >>> rows = {"rain": [0, 0, 1, 1] * 25, "wet": [0, 0, 1, 1] * 25, "coin": [0, 1] * 50}
    >>> found = candidates(rows, score="BIC")
    >>> [(one.parents, round(one.score, 2)) for one in found.of("wet")]
    [(('rain',), -4.61), ((), -71.62)]
    """

    nodes: tuple[str, ...]
    score_name: str | None
    native: _core.CandidateSets
    max_parents: int | None = None
    within: float | None = None
    evaluations: int = 0
    stopped: Stopped | None = None
    limits: tuple[float, ...] | None = None
    most: float | None = None

    @staticmethod
    def from_arrays(
        nodes: Sequence[str],
        offsets: NDArray[np.int64],
        scores: NDArray[np.float64],
        starts: NDArray[np.int64],
        members: NDArray[np.int32],
        *,
        required_edges: Sequence[tuple[int, int]] = (),
        **facts: Any,
    ) -> CandidateSets:
        """Candidate sets of your own, in the compressed form of the attributes, which is checked."""
        native = _core.CandidateSets(
            np.ascontiguousarray(offsets, dtype=np.int64),
            np.ascontiguousarray(scores, dtype=np.float64),
            np.ascontiguousarray(starts, dtype=np.int64),
            np.ascontiguousarray(members, dtype=np.int32),
            list(required_edges),
        )
        if native.variables != len(nodes):
            raise OptionError(f"candidate sets of {native.variables} variables for {len(nodes)} nodes")
        return CandidateSets(tuple(nodes), facts.pop("score_name", None), native, **facts)

    @property
    def offsets(self) -> NDArray[np.int64]:
        """The sets of node i are number ``offsets[i]`` up to ``offsets[i + 1]``."""
        return self.native.offsets

    @property
    def scores(self) -> NDArray[np.float64]:
        """The local score of every set."""
        return self.native.scores

    @property
    def starts(self) -> NDArray[np.int64]:
        """The members of set e are ``members[starts[e]:starts[e + 1]]``."""
        return self.native.starts

    @property
    def members(self) -> NDArray[np.int32]:
        """Node numbers, ascending within each set."""
        return self.native.members

    @property
    def required_edges(self) -> tuple[tuple[int, int], ...]:
        """Pairs of node numbers that must be adjacent, either way; a solver has to see to it."""
        return tuple((a, b) for a, b in self.native.links)

    def of(self, node: str) -> list[Candidate]:
        """The candidate sets of a node, best first."""
        if node not in self.nodes:
            raise unknown_name("node", node, self.nodes)
        at = self.nodes.index(node)
        return [
            Candidate(tuple(self.nodes[v] for v in self.parents(e)), float(self.scores[e]))
            for e in range(self.offsets[at], self.offsets[at + 1])
        ]

    def parents(self, entry: int) -> list[int]:
        """The node numbers of one set."""
        members: list[int] = self.members[self.starts[entry] : self.starts[entry + 1]].tolist()
        return members

    def __len__(self) -> int:
        return len(self.native)

    def sizes(self) -> dict[str, int]:
        """How many sets each node has."""
        return dict(zip(self.nodes, np.diff(self.offsets).tolist(), strict=True))

    def bound(self) -> float:
        """No network scores more: the sum of the best scores, cycles allowed, or `most`."""
        total = math.fsum(self.scores[self.offsets[:-1]] if self.limits is None else self.limits)
        return total if self.most is None else min(total, self.most)

    def gap_of(self, score: float | None) -> float | None:
        """By how much the best network can score more than one with this score; None if nothing is known."""
        bound = self.bound()
        return None if score is None or bound == math.inf else max(0.0, bound - score)

    def best_in(self, child: int, available: frozenset[int]) -> int:
        """The best set of a node with all members among the available; -1 if there is none."""
        joined = {b if a == child else a for a, b in self.required_edges if child in (a, b)} & available
        for entry in range(self.offsets[child], self.offsets[child + 1]):
            members = frozenset(self.parents(entry))
            if members <= available and joined <= members:
                return entry
        return -1

    def dag(self, chosen: Sequence[int]) -> Dag:
        """The graph in which node i has the parents of set ``chosen[i]``."""
        arcs = [
            (self.nodes[parent], self.nodes[child])
            for child, entry in enumerate(chosen)
            for parent in self.parents(entry)
        ]
        return Dag(self.nodes, arcs)

    def save(self, path: str | Path) -> list[str]:
        """Write a score file (``.jkl``, as Jaakkola and GOBNILP have it); returns what it cannot hold."""
        from dagwright.search.score_file import write_jkl

        return write_jkl(self, path)

    @staticmethod
    def load(path: str | Path) -> CandidateSets:
        """Read a score file (``.jkl``, as Jaakkola and GOBNILP have it)."""
        from dagwright.search.score_file import read_jkl

        return read_jkl(path)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CandidateSets):
            return NotImplemented
        return (
            self.nodes == other.nodes
            and self.required_edges == other.required_edges
            and all(
                np.array_equal(mine, theirs)
                for mine, theirs in zip(self._arrays(), other._arrays(), strict=True)
            )
        )

    def __hash__(self) -> int:
        return hash((self.nodes, len(self), self.bound()))

    def __repr__(self) -> str:
        score = self.score_name or "any score"
        return f"<{len(self):,} candidate parent sets of {len(self.nodes)} nodes, {score}>"

    def _arrays(self) -> tuple[NDArray[Any], ...]:
        return self.offsets, self.scores, self.starts, self.members

    def __reduce__(self) -> tuple[Any, ...]:
        facts = {
            "score_name": self.score_name,
            "max_parents": self.max_parents,
            "within": self.within,
            "evaluations": self.evaluations,
            "stopped": self.stopped,
            "limits": self.limits,
            "most": self.most,
        }
        return _rebuilt, (self.nodes, tuple(map(np.array, self._arrays())), self.required_edges, facts)


def _rebuilt(
    nodes: tuple[str, ...],
    arrays: tuple[NDArray[Any], ...],
    required_edges: tuple[tuple[int, int], ...],
    facts: dict[str, Any],
) -> CandidateSets:
    return CandidateSets.from_arrays(nodes, *arrays, required_edges=required_edges, **facts)


def candidates(
    data: Any,
    *,
    score: Any = None,
    max_parents: int | None = None,
    knowledge: Knowledge | None = None,
    structure_prior: StructurePrior | None = None,
    within: float | None = None,
    missing: str | None = None,
    columns: Iterable[str] | None = None,
    exclude: Iterable[str] = (),
    study: Study | None = None,
    memory: int | None = None,
    time_limit: float | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    cancel: CancelToken | None = None,
) -> CandidateSets:
    """Score the candidate parent sets for exact search, for every node.

    Sets that a bound of the score excludes are not scored: by the penalty of BIC, qNML and similar scores (de
    Campos & Ji 2011), or by the occupied cells for Bayesian scores (Correia, Cussens & de Campos 2020). If
    many sets remain, and there is memory for it (6 * 2^n bytes), all sets of variables are counted once (for
    numbers, all determinants are computed), and local scores are differences. Scores without a bound need all
    2^(n-1) sets of every node, or ``max_parents``: log-likelihood and BGe take them from that table, custom
    scores are called for each.

    Parameters
    ----------
    data, score, knowledge, structure_prior, missing, columns, exclude, study
        As in `learn`.
    time_limit, threads, progress, cancel
        As in `learn`.
    max_parents
        Most parents a node may have; None means no bound.
    within
        Also keep the sets for all networks within this distance (nats) of the best; 0 keeps all ties. None
        keeps only the sets for one optimal network.
    memory
        Bytes that the sets may take; more is refused. None means 4 GiB, or half of the memory that is left
        where that is less.
    """
    control = Control.of(threads, time_limit, progress, cancel)
    request = requested(
        study,
        score=score,
        knowledge=knowledge,
        structure_prior=structure_prior,
        missing=missing,
        columns=columns,
        exclude=exclude,
    )
    problem, _ = problem_of(request, data, control)
    return find_candidates(problem, control, max_parents=max_parents, within=within, memory=memory)


def find_candidates(
    problem: Problem,
    control: Control,
    *,
    max_parents: int | None = None,
    within: float | None = None,
    memory: int | None = None,
    families: int | None = None,
) -> CandidateSets:
    """The candidate sets of a problem; refused beforehand where they cannot fit.

    ``families`` is for attempts: if more parent sets have to be scored, the error is the one for sets that do
    not fit, and no table of all sets is made.
    """
    require_at_least("max_parents", max_parents, 0)
    if within is not None and not within >= 0:
        raise OptionError(f"within must be a distance in nats of at least 0, not {within}")
    problem = problem.bounded(max_parents)
    memory = budget(memory)
    refuse_unbounded(problem, max_parents, memory)
    tolerance = problem.score.tolerance
    scored = _core.find_candidates(
        problem.score.native,
        problem.knowledge.native,
        max_parents=max_parents,
        least_gain=tolerance if within is None else -(within + tolerance),
        most_sets=max(memory // BYTES_PER_SET, 1),
        table_bytes=memory if families is None else 0.0,
        most_families=families,
        threads=control.threads,
        seconds=control.seconds_left(),
        progress=control.native_progress,
        cancel=control.cancel,
    )
    stopped = stopped_by(scored.stopped)
    cut_short = stopped is not None or scored.full
    found = CandidateSets(
        problem.names,
        describe_score(problem.score)[0],
        scored.sets,
        max_parents,
        within,
        scored.evaluations,
        stopped,
        tuple(scored.bounds) if cut_short else None,
        scored.bound if cut_short and math.isfinite(scored.bound) else None,
    )
    if scored.full:
        child, size = scored.full_child, scored.full_size
        raise SetsDoNotFitError(
            f"the parent sets of {problem.names[child]!r} with {size} members do not fit into "
            f"{memory / 2**30:.3g} GiB at {BYTES_PER_SET} bytes a set; bound them with ",
            Argument("max_parents", size - 1),
            f", or give more memory{_table_hint(problem, memory)}",
            sets=found,
        )
    return found


def _table_hint(problem: Problem, memory: int) -> str:
    """From what memory on a table of all sets settles it, where that is in reach."""
    table = _core.table_bytes(problem.score.native, problem.knowledge.native)
    if not memory < table < MOST_MEMORY:
        return ""
    return f": with 6 * 2^{len(problem.names)} bytes, {table / 2**30:.3g} GiB, all sets go into a table"


def refuse_unbounded(problem: Problem, max_parents: int | None, memory: int | None) -> None:
    """An error where all parent sets would have to be scored and cannot fit."""
    if problem.score.native.bounded:
        return
    memory = budget(memory)
    needed = sum(all_sets(problem, max_parents))
    in_a_table = _core.table_bytes(problem.score.native, problem.knowledge.native) <= memory
    if in_a_table and needed > 2 ** len(problem.names):
        return
    if needed * BYTES_PER_SET > memory:
        raise _too_many(problem, max_parents, needed, memory)


def _too_many(problem: Problem, max_parents: int | None, needed: int, memory: int) -> CapacityError:
    name = describe_score(problem.score)[0]
    bound = "without a parent bound" if max_parents is None else f"with up to {max_parents} parents"
    budget = memory // BYTES_PER_SET
    sizes = range(len(problem.names))
    fits = max(takewhile(lambda most: sets_within(problem, most, budget) is not None, sizes), default=0)
    return CapacityError(
        f"no bound is known for {name}, so all sum over nodes of sum_k C(n-1, k) = {count_in_words(needed)} "
        f"parent sets {bound} would be scored: {gib_in_words(needed * BYTES_PER_SET)} GiB at {BYTES_PER_SET} "
        f"bytes a set, more than {memory / 2**30:.3g} GiB; use ",
        Argument("max_parents", fits),
        ", BIC or BDeu, or OrderSearch()",
    )
