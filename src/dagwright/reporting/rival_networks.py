"""The networks that come close to the one of a report, by class, where listing them is affordable."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dagwright.base.memory import budget
from dagwright.base.wording import count_of
from dagwright.data import Table
from dagwright.errors import DagwrightError
from dagwright.graph.comparison import Comparison
from dagwright.graph.dag import Dag
from dagwright.graph.pdag import Pdag
from dagwright.learning.forecasting import forecast
from dagwright.learning.learned import Learned
from dagwright.search.control import CancelToken, Progress
from dagwright.search.exact import Exact
from dagwright.search.rivals import Rivals
from dagwright.search.rivals import rivals as find_rivals

MOST_CLASSES = 8
ENOUGH = (200, 2_000)
"""How many networks to ask for; more if the first few are of too few classes."""

CREDIBLE = (20, 3)
"""Bayes factors of credible sets, the first that is known to be listed completely is told."""
LONGER = "dw.rivals(data) lists them; a larger rival_seconds gives a report more time"


@dataclass(frozen=True)
class RivalNetwork:
    """A class of networks, and what sets it apart from the network of the report.

    Attributes
    ----------
    behind
        Nats that it scores less than the best.
    members
        How many networks of the class are known to score so.
    apart
        The class of the report's network against this one.
    """

    graph: Pdag
    behind: float
    members: int
    apart: Comparison

    @property
    def bayes_factor(self) -> float:
        """How many times more probable the best is; for penalized likelihoods, approximately."""
        return math.exp(min(self.behind, 700.0))

    @property
    def same(self) -> bool:
        """Whether this is the class of the report's network."""
        return self.apart.dag_shd == 0

    def difference(self) -> str:
        """The differences from the report's network, in words."""
        return self.apart.in_words or "the network of this report"

    def to_dict(self) -> dict[str, Any]:
        """The class as values that JSON can hold."""
        return {
            "graph": self.graph.to_string(),
            "behind": self.behind,
            "bayes_factor": self.bayes_factor,
            "members": self.members,
            "without": self.apart.missing,
            "instead": self.apart.extra,
            "turned": self.apart.reversed,
        }


@dataclass(frozen=True)
class RivalNetworks:
    """The best classes of networks, best first, and how complete the list is or why there is none."""

    classes: tuple[RivalNetwork, ...]
    note: str

    def to_dict(self) -> dict[str, Any]:
        """The list as values that JSON can hold."""
        return {"note": self.note, "classes": [one.to_dict() for one in self.classes]}


def rival_networks(
    found: Learned,
    graph: Dag,
    table: Table,
    *,
    missing: str | None,
    seconds: float,
    threads: int | None,
    progress: Progress | None,
    cancel: CancelToken | None,
) -> RivalNetworks:
    """The best classes beside that of ``graph``, if the forecast is at most ``seconds``."""
    if seconds <= 0 or found.score is None or found.score_spec is None:
        return RivalNetworks((), "")
    task: dict[str, Any] = {
        "score": found.score_spec,
        "knowledge": found.knowledge,
        "missing": missing,
        "columns": table.names,
        "structure_prior": found.structure_prior,
        "threads": threads,
    }
    n = len(table.names)
    if 8 * 2**n > budget():
        return _none(
            f"that takes 8 · 2^{n} bytes for {n} variables. dw.posterior(data) samples networks instead"
        )
    try:
        cost = forecast(table, search=Exact(method="dp"), **task).seconds
        if cost > seconds:
            return _none(f"the forecast is {cost:,.0f} seconds, and {seconds:g} were allowed. {LONGER}")
        for k in ENOUGH:
            rivals = find_rivals(table, k, time_limit=seconds, progress=progress, cancel=cancel, **task)
            if len(rivals.classes()) > MOST_CLASSES or len(rivals) < k:
                break
    except DagwrightError as problem:
        return _none(str(problem))
    if not rivals.networks:
        return _none(f"{seconds:g} seconds were not enough. {LONGER}")
    listed = tuple(_ranked(rivals, graph.cpdag(found.targets)))
    return RivalNetworks(listed[:MOST_CLASSES], _note(rivals, found.score, listed))


def _are(classes: int) -> str:
    return f"{count_of(classes, 'class', 'classes')} {'is' if classes == 1 else 'are'}"


def _none(why: str) -> RivalNetworks:
    return RivalNetworks((), f"Not listed: {why}.")


def _ranked(rivals: Rivals, own: Pdag) -> Iterator[RivalNetwork]:
    for one in rivals.classes():
        behind = max(0.0, rivals.best - one.score)
        yield RivalNetwork(one.graph, behind, len(one.members), Comparison(own, one.graph))


def _note(rivals: Rivals, score: float, listed: tuple[RivalNetwork, ...]) -> str:
    classes = len(listed)
    many = (
        f"The {len(rivals):,} best networks"
        if rivals.stopped is None
        else f"{len(rivals):,} networks, stopped early"
    )
    note = f"{many}, in {count_of(classes, 'equivalence class', 'equivalence classes')}."
    if classes > MOST_CLASSES:
        note += f" The first {MOST_CLASSES} are shown."
    reach = rivals.best - rivals.scores[-1] if rivals.stopped is None else 0.0
    for factor in CREDIBLE:
        if math.log(factor) < reach:  # beyond it there are others, so all up to it are here
            within = sum(one.behind <= math.log(factor) for one in listed)
            note += f" {_are(within)} within a Bayes factor of {factor} of the best."
            break
    ahead = rivals.best - score
    if ahead > rivals.tolerance:
        note += (
            f" The best scores {ahead:.2f} nats higher than the network of this report: the search missed it."
        )
    return note
