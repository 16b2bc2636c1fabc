"""Total causal effects with their uncertainty: on a graph, on a class, over resampled or sampled networks."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dagwright.base.seeds import RandomState, seed_sequence
from dagwright.confidence import Confidence, StructurePosterior
from dagwright.data import Table, read
from dagwright.data.interventions import regimes
from dagwright.errors import DagwrightError, DataError, NotIdentifiableError, OptionError
from dagwright.graph.dag import Dag
from dagwright.graph.graph_like import GraphLike, as_graph
from dagwright.graph.pdag import Pdag
from dagwright.graph.viewable import Viewable
from dagwright.learning.effect_estimates import (
    NO_EFFECT,
    Estimate,
    Question,
    Stratum,
    estimated,
    positivity,
    question,
)
from dagwright.learning.learn import learn
from dagwright.learning.learned import Learned
from dagwright.learning.resampling import CaseBootstrap
from dagwright.model.causal.adjustment import adjustment, parent_sets
from dagwright.search.study import Study
from dagwright.sentences import Argument, Call

REPLICATES = 100
NO_HIDDEN_CAUSE = "no common cause of two variables is left out, and no row was selected by a variable"
LINEAR = "the mean of the outcome is linear in the numbers that it is adjusted for"
GRAPH_GIVEN = "the graph is right"


@dataclass(frozen=True)
class Effect(Viewable):
    """The total effect of one variable on another.

    Attributes
    ----------
    value
        The effect; None where the members of the class of graphs disagree.
    low, high
        The interval of this ``level``; without a value, the range over the members with its uncertainty.
    identified
        The share of the graphs in which adjustment gives the effect: of the graph given, of resampled or of
        sampled networks.
    possible
        The effects in the members of the class (Maathuis, Kalisch & Bühlmann 2009), one for each set of
        parents that the cause can have; with a value, that value alone.
    adjusted_for
        The variables that were adjusted for; None without a value.
    words
        The effect in words: of what, from what to what.
    source
        The uncertainty that the interval holds.
    assumptions
        The conditions under which the numbers mean that.
    positivity
        For a discrete cause, how often each of its states occurs in each configuration of the discrete
        variables that were adjusted for.
    """

    cause: str
    outcome: str
    value: float | None
    low: float
    high: float
    identified: float
    possible: tuple[float, ...]
    adjusted_for: tuple[str, ...] | None
    words: str
    level: float
    source: str
    assumptions: tuple[str, ...]
    positivity: tuple[Stratum, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The effect as values that JSON knows."""
        return {
            "cause": self.cause,
            "outcome": self.outcome,
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "level": self.level,
            "identified": self.identified,
            "possible": list(self.possible),
            "adjusted_for": None if self.adjusted_for is None else list(self.adjusted_for),
            "words": self.words,
            "source": self.source,
            "assumptions": list(self.assumptions),
            "positivity": [
                {
                    "given": {name: str(state) for name, state in one.given},
                    "counts": {str(state): count for state, count in one.counts.items()},
                }
                for one in self.positivity
            ],
        }

    def __str__(self) -> str:
        if self.value is None:
            count = len(self.possible)
            first = f"not identified; {count} possible values, between {self.low:.4g} and {self.high:.4g}"
        else:
            first = f"{self.value:.4g} ({self.level:.0%} interval {self.low:.4g} to {self.high:.4g})"
        lines = [f"{self.words}: {first}"]
        if self.adjusted_for is not None:
            lines.append(f"adjusted for: {', '.join(self.adjusted_for) or 'nothing'}")
        lines.append(f"identified in {self.identified:.0%} of the graphs; interval: {self.source}")
        return "\n".join([*lines, *(f"assumes: {one}" for one in self.assumptions)])


def effect(
    graph: GraphLike | Learned | StructurePosterior,
    cause: str,
    outcome: str,
    data: Any = None,
    *,
    states: Sequence[Hashable] | None = None,
    values: Mapping[Hashable, float] | None = None,
    observed: Iterable[str] | None = None,
    level: float = 0.95,
    replicates: int | None = None,
    random_state: RandomState = None,
    threads: int | None = None,
) -> Effect:
    """The total causal effect of one variable on another, with an interval.

    Numbers and states may be mixed. Where cause and adjustment set are discrete, the effect is standardized
    over the adjustment set; otherwise it is a coefficient of a linear regression, with errors that allow
    unequal variances. Rows in which experiments set variables are left out.

    Parameters
    ----------
    graph
        A result of `learn`: rows are resampled and learned from again, so that the interval holds the
        uncertainty of the graph. The answer of `posterior`: the interval is over its networks. Or a graph, a
        DAG or a class of DAGs, which is taken as right.
    data
        Rows; a result of `learn` has its own.
    states
        The two states of a discrete cause to compare, from and to; needed where it has more than two.
    values
        A number for each state of a discrete outcome. By default, of two states the second counts 1.
    observed
        The variables that may be adjusted for; all by default.
    level
        The level of the interval.
    replicates
        How often to learn again from resampled rows, 100 by default; 0 takes the learned graph as right.
    random_state, threads
        As in `learn`.

    >>> rng = np.random.default_rng(0)
    >>> z = rng.normal(size=500)
    >>> x = z + rng.normal(size=500)
    >>> rows = {"z": z, "x": x, "y": 2.0 * x - z + rng.normal(size=500)}
    >>> found = effect("z -> x; z -> y; x -> y", "x", "y", rows)
    >>> found.adjusted_for, found.low < 2.0 < found.high
    (('z',), True)
    """
    if not 0 < level < 1:
        raise OptionError(f"level must be between 0 and 1, got {level}")
    if isinstance(graph, Confidence):
        raise OptionError(
            "a confidence holds the strengths of edges, not the graphs behind them; give the result of ",
            Call("learn"),
            " or of ",
            Call("posterior"),
        )
    table = _rows(graph, data)
    asked = question(table, cause, outcome, states, values)
    if isinstance(graph, StructurePosterior):
        return _over_posterior(graph, table, asked, observed, level)
    known = graph.essential if isinstance(graph, Learned) else as_graph(graph)
    if not isinstance(known, Dag | Pdag):
        raise NotIdentifiableError(
            f"effects are found in a DAG or a class of DAGs, and this is a {type(known).__name__}, in which "
            "hidden common causes may open paths"
        )
    found = _given_graph(known, table, asked, observed, level)
    again = REPLICATES if replicates is None else replicates
    if not isinstance(graph, Learned) or again == 0:
        return found
    if graph.table is None:
        raise OptionError(
            "this result holds no rows to learn from again; pass ",
            Argument("replicates", 0),
            " to take its graph as right",
        )
    return _over_replicates(graph, found, asked, observed, level, again, random_state, threads)


def _rows(graph: Any, data: Any) -> Table:
    """The rows to estimate from: those in which nothing was set."""
    rows = graph.table if data is None and isinstance(graph, Learned) else data
    if rows is None:
        raise DataError("an effect needs rows: give ", Argument("data"))
    table: Table = rows if isinstance(rows, Table) else read(rows)
    return _unset_rows(table)


def _unset_rows(table: Table) -> Table:
    if not table.interventions:
        return table
    free = next((rows for target, rows in regimes(table) if not target), None)
    if free is None:
        raise DataError(
            "experiments set some variable in every row, and effects are estimated from the others"
        )
    return table.take(free).with_interventions({})


def _estimates(
    graph: Dag | Pdag, table: Table, asked: Question, observed: Iterable[str] | None
) -> tuple[list[Estimate], frozenset[str] | None]:
    """The effect, with what was adjusted for; or the effects in the members of the class, and None."""
    seen = None if observed is None else [*observed, asked.cause, asked.outcome]
    sets = adjustment(graph, asked.cause, asked.outcome, seen)
    if not sets.has_effect:
        return [NO_EFFECT], frozenset()
    try:
        chosen = sets.chosen()
    except NotIdentifiableError:
        if isinstance(graph, Dag) or observed is not None or sets.undecided is None:
            raise
        possible = parent_sets(graph, asked.cause)
        return [
            NO_EFFECT if asked.outcome in parents else estimated(table, asked, parents)
            for parents in possible
        ], None
    return [estimated(table, asked, chosen)], chosen


def _given_graph(
    graph: Dag | Pdag, table: Table, asked: Question, observed: Iterable[str] | None, level: float
) -> Effect:
    found, chosen = _estimates(graph, table, asked, observed)
    intervals = [one.interval(level) for one in found]
    numbers = [name for name in chosen or () if not table.schema[name].is_discrete]
    linear = chosen is None or bool(numbers) or asked.states is None
    return Effect(
        asked.cause,
        asked.outcome,
        None if chosen is None else found[0].value,
        min(low for low, _ in intervals),
        max(high for _, high in intervals),
        0.0 if chosen is None else 1.0,
        tuple(sorted(one.value for one in found)),
        None if chosen is None else tuple(sorted(chosen)),
        asked.words,
        level,
        "the rows, given the graph",
        (GRAPH_GIVEN, NO_HIDDEN_CAUSE, *([LINEAR] if linear else [])),
        () if chosen is None else positivity(table, asked.cause, chosen),
    )


def _over_replicates(
    learned: Learned,
    found: Effect,
    asked: Question,
    observed: Iterable[str] | None,
    level: float,
    replicates: int,
    random_state: RandomState,
    threads: int | None,
) -> Effect:
    """The interval over graphs that were learned again from resampled rows."""
    assert learned.table is not None
    plain: Study = replace(learned.study, interventions=None, columns=None, exclude=())
    root = seed_sequence(random_state)
    lows, highs, identified = [], [], 0
    for number in range(replicates):
        seed = np.random.SeedSequence(root.entropy, spawn_key=(*root.spawn_key, number))
        drawn = CaseBootstrap().replicate(learned.table, number, np.random.default_rng(seed))
        graph = learn(drawn, study=plain, threads=threads).essential
        try:
            values, chosen = _estimates(graph, _unset_rows(drawn), asked, observed)  # type: ignore[arg-type]
        except DagwrightError:
            continue
        identified += chosen is not None
        lows.append(min(one.value for one in values))
        highs.append(max(one.value for one in values))
    if not lows:
        raise NotIdentifiableError(
            f"the effect of {asked.cause!r} on {asked.outcome!r} could be estimated in none of {replicates} "
            "resampled networks"
        )
    tail = (1 - level) / 2
    assumptions = tuple(one for one in found.assumptions if one != GRAPH_GIVEN)
    return replace(
        found,
        low=float(np.quantile(lows, tail)),
        high=float(np.quantile(highs, 1 - tail)),
        identified=identified / replicates,
        source=f"the rows and the graph, {replicates} networks learned again from resampled rows",
        assumptions=("the true graph is among those that the search can find", *assumptions),
    )


def _over_posterior(
    posterior: StructurePosterior, table: Table, asked: Question, observed: Iterable[str] | None, level: float
) -> Effect:
    """The mixture over the networks of a posterior, each with the uncertainty of its estimate."""
    known: dict[Dag, Estimate | None] = {}

    def of(dag: Dag) -> Estimate | None:
        if dag not in known:
            try:
                known[dag] = _estimates(dag, table, asked, observed)[0][0]
            except NotIdentifiableError:
                known[dag] = None
        return known[dag]

    share = posterior.feature(lambda dag: of(dag) is not None).probability
    if share <= 0:
        raise NotIdentifiableError(
            f"the effect of {asked.cause!r} on {asked.outcome!r} cannot be had by adjustment in any network "
            "of the posterior"
        )

    def mean(number: Any) -> float:
        return float(
            posterior.feature(lambda dag: 0.0 if (one := of(dag)) is None else number(one)).probability
            / share
        )

    def below(t: float) -> float:
        return mean(lambda one: _normal_below((t - one.value), one.error))

    value = mean(lambda one: one.value)
    ends = [one for one in known.values() if one is not None]
    span = (
        min(e.value - 9 * e.error for e in ends) - 1e-12,
        max(e.value + 9 * e.error for e in ends) + 1e-12,
    )
    tail = (1 - level) / 2
    low, high = (_crossing(below, probability, *span) for probability in (tail, 1 - tail))
    return Effect(
        asked.cause,
        asked.outcome,
        value,
        low,
        high,
        float(share),
        (value,),
        None,
        asked.words,
        level,
        f"the rows and the graph, {len(known):,} networks of the posterior",
        ("the prior over networks holds the true one", NO_HIDDEN_CAUSE, LINEAR),
    )


def _normal_below(distance: float, error: float) -> float:
    if error == 0.0:
        return float(distance >= 0)
    return 0.5 * math.erfc(-distance / (error * math.sqrt(2)))


def _crossing(below: Any, probability: float, low: float, high: float) -> float:
    """Where a distribution function reaches a probability, by bisection."""
    for _ in range(60):
        middle = 0.5 * (low + high)
        if below(middle) < probability:
            low = middle
        else:
            high = middle
    return high
