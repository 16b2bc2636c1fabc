"""The networks that come close to the best: the k best, or all within a Bayes factor, counted one by one."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dagwright import _core
from dagwright.base.memory import budget, shown_bytes
from dagwright.errors import CapacityError, KnowledgeError, OptionError
from dagwright.evidence.structure_priors import StructurePrior
from dagwright.graph.dag import Dag
from dagwright.graph.pdag import Pdag
from dagwright.graph.viewable import Viewable
from dagwright.knowledge import Knowledge
from dagwright.search.candidates import NO_GRAPH, CandidateSets, find_candidates
from dagwright.search.control import CancelToken, Control, Progress, stopped_by
from dagwright.search.pipeline import problem_of
from dagwright.search.problem import Problem, Stopped
from dagwright.search.study import Study, requested
from dagwright.search.walks import require_at_least
from dagwright.sentences import Argument, Call

MOST_NETWORKS = 100_000
"""More networks than this are asked for on purpose only."""


@dataclass(frozen=True)
class RivalClass:
    """An equivalence class with members among the rivals.

    ``score`` is that of its best member, ``members`` are the rivals that belong to it. A score that gives
    equivalent networks the same value has whole classes, unless knowledge forbids some members.
    """

    graph: Pdag
    score: float
    members: tuple[Dag, ...]


@dataclass(frozen=True)
class Rivals(Viewable):
    """Networks near the best, best first.

    Attributes
    ----------
    networks, scores
        The networks and their scores in nats, descending.
    best
        The highest score of all.
    within
        All networks within this distance (nats) of the best are here; None if there may be more, because
        fewer were asked for or the enumeration was stopped.
    stopped
        Why the enumeration ended early, or None. Interrupted during parent-set scoring, it has no networks,
        and `best` is minus infinity.
    """

    networks: tuple[Dag, ...]
    scores: tuple[float, ...]
    best: float
    within: float | None
    tolerance: float
    stopped: Stopped | None = None
    targets: tuple[frozenset[str], ...] = ()

    def __len__(self) -> int:
        return len(self.networks)

    @property
    def optima(self) -> tuple[Dag, ...]:
        """The networks that score most, up to rounding."""
        least = self.best - self.tolerance
        return tuple(dag for dag, score in zip(self.networks, self.scores, strict=True) if score >= least)

    def classes(self) -> tuple[RivalClass, ...]:
        """The networks by equivalence class, best first; under interventions, by interventional class."""
        members: dict[Pdag, list[tuple[float, Dag]]] = {}
        for dag, score in zip(self.networks, self.scores, strict=True):
            members.setdefault(dag.cpdag(self.targets), []).append((score, dag))
        return tuple(
            RivalClass(graph, found[0][0], tuple(dag for _, dag in found)) for graph, found in members.items()
        )

    def posterior(self) -> tuple[float, ...]:
        """The posterior probabilities of the networks, under a uniform prior on exactly these networks."""
        weights = np.exp(np.asarray(self.scores) - self.best)
        return tuple((weights / weights.sum()).tolist())

    def probability(self, feature: Callable[[Dag], bool]) -> float:
        """The share of the networks' posterior that has a feature, for instance an arc.

        >>> rows = {"rain": [0, 0, 1, 1] * 25, "wet": [0, 0, 1, 1] * 25, "coin": [0, 1] * 50}
        >>> found = credible_set(rows, score="BIC")
        >>> found.probability(lambda dag: ("rain", "wet") in dag.edges)
        0.5
        """
        shares = zip(self.networks, self.posterior(), strict=True)
        return math.fsum(share for dag, share in shares if feature(dag))


def credible_set(
    data: Any,
    *,
    bayes_factor: float = 3.0,
    score: Any = None,
    max_parents: int | None = None,
    knowledge: Knowledge | None = None,
    structure_prior: StructurePrior | None = None,
    most: int = MOST_NETWORKS,
    missing: str | None = None,
    columns: Iterable[str] | None = None,
    exclude: Iterable[str] = (),
    study: Study | None = None,
    memory: int | None = None,
    time_limit: float | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    cancel: CancelToken | None = None,
) -> Rivals:
    """All networks whose score is within a Bayes factor of the best, by complete enumeration.

    The factor is a ratio of probabilities: networks within ``log(bayes_factor)`` nats of the best (Liao,
    Sharma, Cussens & van Beek 2019).

    Parameters
    ----------
    data, score, knowledge, structure_prior, missing, columns, exclude, study
        As in `learn`.
    time_limit, threads, progress, cancel
        As in `learn`.
    bayes_factor
        At least 1; 1 asks for the ties alone.
    max_parents
        Most parents a variable may have; None means no bound.
    most
        The most networks to list; if there are more the call fails and says so.
    memory
        Bytes that may be used: 8 * 2^n for the best score of every subset of the n variables, and the
        networks. None means 4 GiB, or half of the memory that is left where that is less.

    >>> rows = {"rain": [0, 0, 1, 1] * 25, "wet": [0, 0, 1, 1] * 25, "coin": [0, 1] * 50}
    >>> found = credible_set(rows, score="BIC")
    >>> len(found), len(found.classes())
    (2, 1)
    """
    if not bayes_factor >= 1:
        raise OptionError(f"bayes_factor must be at least 1, not {bayes_factor}")
    require_at_least("most", most, 1)
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
    problem, order = problem_of(request, data, control)
    within = math.log(bayes_factor)
    memory = budget(memory)
    _refuse_too_large(problem, memory)
    sets = find_candidates(problem, control, max_parents=max_parents, within=within, memory=memory)
    if sets.stopped is not None:
        return _nothing(problem, sets)
    fitting = max(1, memory // _network_bytes(problem))
    found = _find(sets, control, within + problem.score.tolerance, min(most, fitting), best_only=False)
    if found.full and not found.stopped:
        raise CapacityError(
            f"more than {min(most, fitting):,} networks are within a Bayes factor of {bayes_factor:g} of the "
            "best; ask for a smaller factor, for more with ",
            Argument("most" if most <= fitting else "memory"),
            ", or for ",
            Call("rivals"),
        )
    return _rivals(problem, sets, found, order, within)


def rivals(
    data: Any,
    k: int = 10,
    *,
    score: Any = None,
    max_parents: int | None = None,
    knowledge: Knowledge | None = None,
    structure_prior: StructurePrior | None = None,
    missing: str | None = None,
    columns: Iterable[str] | None = None,
    exclude: Iterable[str] = (),
    study: Study | None = None,
    memory: int | None = None,
    time_limit: float | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    cancel: CancelToken | None = None,
) -> Rivals:
    """The k highest-scoring networks; ties for the k-th place are broken arbitrarily.

    Takes the parameters of `credible_set`.

    >>> found = rivals({"rain": [0, 0, 1, 1] * 25, "wet": [0, 0, 1, 1] * 25, "coin": [0, 1] * 50}, 3)
    >>> [len(dag.edges) for dag in found.networks]
    [1, 1, 2]
    """
    require_at_least("k", k, 1)
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
    problem, order = problem_of(request, data, control)
    memory = budget(memory)
    _refuse_too_large(problem, memory)
    n = len(problem.names)
    needed = min(k, 3 ** (n * (n - 1) // 2)) * _network_bytes(problem)  # no pair, one arc or the other
    if needed > memory:
        raise CapacityError(
            f"{k:,} networks would take about {shown_bytes(needed)}, more than the {shown_bytes(memory)} "
            f"allowed; ask for {memory // _network_bytes(problem):,} or fewer, or raise ",
            Argument("memory"),
        )
    # The distance of the k-th network is not known beforehand; a wrong guess costs another enumeration.
    within = 1.0
    while True:
        sets = find_candidates(problem, control, max_parents=max_parents, within=within, memory=memory)
        if sets.stopped is not None:
            return _nothing(problem, sets)
        found = _find(sets, control, within + problem.score.tolerance, k, best_only=True)
        enough = len(found.scores) >= k or not math.isfinite(within)
        if enough or found.stopped:
            distance = None if found.full else within
            return _rivals(problem, sets, found, order, distance)
        # Everything there is, once a whole data set cannot make up for the distance.
        within = within * 4 if within < _worst_distance(sets) else math.inf


def _worst_distance(sets: CandidateSets) -> float:
    """How much the worst choice of candidate sets scores below the best."""
    finite = [
        sets.scores[begin:end][np.isfinite(sets.scores[begin:end])]
        for begin, end in zip(sets.offsets[:-1], sets.offsets[1:], strict=True)
    ]
    return math.fsum(part[0] - part[-1] for part in finite if len(part))


def _network_bytes(problem: Problem) -> int:
    """Bytes of one listed network, measured on sparse graphs: the graph, and its row of candidate sets."""
    return 512 + 96 * len(problem.names)


def _refuse_too_large(problem: Problem, memory: int) -> None:
    n = len(problem.names)
    if 8 * 2**n > memory:
        raise CapacityError(
            f"enumerating rivals needs 8 * 2^n bytes, {8 * 2**n / 2**30:,.3g} GiB for {n} variables; the "
            f"limit is {memory / 2**30:.3g} GiB: raise ",
            Argument("memory"),
            ", take fewer variables, or sample networks with ",
            Call("posterior"),
        )


def _find(
    sets: CandidateSets, control: Control, within: float, most: int, *, best_only: bool
) -> _core.RivalsFound:
    return _core.find_rivals(
        sets.native,
        within=within,
        most=most,
        best_only=best_only,
        threads=control.threads,
        seconds=control.seconds_left(),
        progress=control.native_progress,
        cancel=control.cancel,
    )


def _rivals(
    problem: Problem,
    sets: CandidateSets,
    found: _core.RivalsFound,
    columns: tuple[str, ...],
    within: float | None,
) -> Rivals:
    stopped = stopped_by(found.stopped)
    if not found.scores and stopped is None:
        raise KnowledgeError(NO_GRAPH)
    rows = np.reshape(found.entries, (-1, len(sets.nodes))).tolist()
    arcs = {
        entry: [(sets.nodes[parent], sets.nodes[child]) for parent in sets.parents(entry)]
        for child in range(len(sets.nodes))
        for entry in {row[child] for row in rows}
    }
    return Rivals(
        tuple(Dag(columns, [arc for entry in row for arc in arcs[entry]]) for row in rows),
        tuple(found.scores),
        found.best,
        within if stopped is None else None,
        _tolerance(problem),
        stopped,
        problem.score.targets,
    )


def _nothing(problem: Problem, sets: CandidateSets) -> Rivals:
    """Parent sets that are not all say nothing of the best network, and so of none near it."""
    return Rivals((), (), -math.inf, None, _tolerance(problem), sets.stopped)


def _tolerance(problem: Problem) -> float:
    return 2 * len(problem.names) * problem.score.tolerance
