"""Total causal effects with their uncertainty: on a graph, on a class, over resampled or sampled networks."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dagwright.base.seeds import RandomState, seed_sequence
from dagwright.base.wording import count_of
from dagwright.confidence import Confidence, StructurePosterior
from dagwright.data import Table, read
from dagwright.data.interventions import regimes
from dagwright.errors import DagwrightError, DataError, NotIdentifiableError, OptionError
from dagwright.graph.dag import Dag
from dagwright.graph.graph_like import GraphLike, as_graph
from dagwright.graph.mag import Mag
from dagwright.graph.pag import Pag
from dagwright.graph.pdag import Pdag
from dagwright.graph.undirected import UndirectedGraph
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
from dagwright.learning.effect_mixture import Part, interval, mean
from dagwright.learning.learn import learn
from dagwright.learning.learned import Learned
from dagwright.learning.resampling.draws import usual_draw
from dagwright.model.causal.adjustment import CausalGraph, adjustment, parent_sets
from dagwright.search.control import CancelToken, Event, Progress
from dagwright.search.study import Study
from dagwright.sentences import Argument, Call

REPLICATES = 100
FEWEST_REPLICATES = 20
"""An interrupt before this many networks leaves no interval worth a name."""
SEARCHABLE = "the true graph is among those that the search can find"
PRIOR_HOLDS = "the prior allows the true network"
NO_SELECTION = "no selection bias"
NO_HIDDEN_CAUSE = "no unmeasured common cause of two variables, and no selection bias"
LINEAR = "the mean of the outcome is linear in the numbers that it is adjusted for"
GRAPH_GIVEN = "the graph is correct"


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
        The share of the graphs in which adjustment gives the effect: of the graph given, of graphs learned
        from resampled rows, or of the probability of networks.
    possible
        The effects in the members of the class (Maathuis, Kalisch & Bühlmann 2009), one for each set of
        parents that the cause can have; with a value, that value alone.
    adjusted_for
        The variables that were adjusted for; None without a value, and where graphs differ in them.
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
        """A dict of values that JSON can hold."""
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
    graph: GraphLike | Learned | Confidence | StructurePosterior,
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
    progress: Progress | None = None,
    cancel: CancelToken | None = None,
) -> Effect:
    """The total causal effect of one variable on another, with an interval.

    Numbers and states may be mixed. Where cause and adjustment set are discrete, the effect is standardized
    over the adjustment set; otherwise it is a coefficient of a linear regression, with errors that allow
    unequal variances. Rows in which experiments set variables are left out.

    Parameters
    ----------
    graph
        A result of `learn`: rows are resampled and learned from again, so that the interval holds the
        uncertainty of the graph. The answer of `bootstrap` or of `posterior`: the interval is over its
        graphs, each with the uncertainty of its estimate from all rows. Or a graph that is taken as right: a
        DAG, a graph with hidden variables (MAG), or a class of either.
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
    progress, cancel
        As in `learn`. After an interrupt the interval is over the networks that were learned again by then.

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
    table = _unset_rows(_given_rows(graph, data))
    request = question(table, cause, outcome, states, values)
    if isinstance(graph, StructurePosterior):
        return _over_graphs(
            graph.networks(), "of the posterior", PRIOR_HOLDS, table, request, observed, level
        )
    if isinstance(graph, Confidence):
        weighed = [(one, 1.0 / len(graph.graphs)) for one in _kept_graphs(graph)]
        return _over_graphs(weighed, f"from {graph.source}", SEARCHABLE, table, request, observed, level)
    found = _given_graph(_causal_graph(graph), table, request, observed, level)
    again = REPLICATES if replicates is None else replicates
    if not isinstance(graph, Learned) or again == 0:
        return found
    rows = _given_rows(graph, data)
    token = CancelToken() if cancel is None else cancel
    graphs = _learned_again(graph.study, rows, again, random_state, threads, progress, token)
    return _over_replicates(graphs, again, found, request, observed, level)


def _causal_graph(graph: GraphLike | Learned) -> CausalGraph:
    known = graph.essential if isinstance(graph, Learned) else as_graph(graph)
    if isinstance(known, UndirectedGraph):
        raise NotIdentifiableError(
            "an undirected graph says nothing about causes; learn a DAG or a class of DAGs"
        )
    return known


def _kept_graphs(confidence: Confidence) -> tuple[Pdag, ...]:
    if not confidence.graphs:
        raise OptionError(
            f"this confidence ({confidence.source}) holds the strengths of edges without their graphs; "
            "give the result of ",
            Call("learn"),
            ", of ",
            Call("bootstrap"),
            " with a search for DAGs or their classes, or of ",
            Call("posterior"),
        )
    return confidence.graphs


def _given_rows(graph: Any, data: Any) -> Table:
    rows = graph.table if data is None and isinstance(graph, Learned) else data
    if rows is None:
        raise DataError("an effect needs rows: give ", Argument("data"))
    return rows if isinstance(rows, Table) else read(rows)


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
    graph: CausalGraph, table: Table, request: Question, observed: Iterable[str] | None
) -> tuple[list[Estimate], frozenset[str] | None]:
    """The effect, with what was adjusted for; or the effects in the members of the class, and None."""
    seen = None if observed is None else [*observed, request.cause, request.outcome]
    sets = adjustment(graph, request.cause, request.outcome, seen)
    if not sets.has_effect:
        return [NO_EFFECT], frozenset()
    try:
        chosen = sets.chosen()
    except NotIdentifiableError:
        if not isinstance(graph, Pdag) or observed is not None or sets.undecided is None:
            raise
        possible = parent_sets(graph, request.cause)
        return [
            NO_EFFECT if request.outcome in parents else estimated(table, request, parents)
            for parents in possible
        ], None
    return [estimated(table, request, chosen)], chosen


def _is_linear(table: Table, request: Question, adjusted_for: Iterable[str]) -> bool:
    """Whether a regression is behind an effect: the cause or what it is adjusted for has numbers."""
    return not all(table.schema[name].is_discrete for name in (request.cause, *adjusted_for))


def _given_graph(
    graph: CausalGraph, table: Table, request: Question, observed: Iterable[str] | None, level: float
) -> Effect:
    found, chosen = _estimates(graph, table, request, observed)
    intervals = [one.interval(level) for one in found]
    linear = _is_linear(table, request, graph.nodes if chosen is None else chosen)
    hidden = NO_SELECTION if isinstance(graph, Mag | Pag) else NO_HIDDEN_CAUSE
    return Effect(
        request.cause,
        request.outcome,
        None if chosen is None else found[0].value,
        min(low for low, _ in intervals),
        max(high for _, high in intervals),
        0.0 if chosen is None else 1.0,
        tuple(sorted(one.value for one in found)),
        None if chosen is None else tuple(sorted(chosen)),
        request.words,
        level,
        "the rows, given the graph",
        (GRAPH_GIVEN, hidden, *([LINEAR] if linear else [])),
        () if chosen is None else positivity(table, request.cause, chosen),
    )


def _learned_again(
    study: Study,
    rows: Table,
    replicates: int,
    random_state: RandomState,
    threads: int | None,
    progress: Progress | None,
    cancel: CancelToken,
) -> Iterator[tuple[Table, CausalGraph]]:
    """Resampled rows with the graph that was learned from them, until all are done or Ctrl-C comes."""
    plain = replace(study, interventions=None, columns=None, exclude=())
    root, draw = seed_sequence(random_state), usual_draw(rows)
    try:
        for number in range(replicates):
            seed = np.random.SeedSequence(root.entropy, spawn_key=(*root.spawn_key, number))
            drawn = draw.replicate(rows, number, np.random.default_rng(seed))
            found = learn(drawn, study=plain, threads=threads, cancel=cancel)
            if cancel.cancelled:
                return
            yield drawn, _causal_graph(found)
            if progress is not None:
                progress(Event("resampled networks", number + 1, total=replicates, unit="networks"))
    except KeyboardInterrupt:
        cancel.cancel()


def _over_replicates(
    graphs: Iterator[tuple[Table, CausalGraph]],
    replicates: int,
    found: Effect,
    request: Question,
    observed: Iterable[str] | None,
    level: float,
) -> Effect:
    """The interval over graphs that were learned again from resampled rows."""
    lows, highs, identified, done = [], [], 0, 0
    for drawn, graph in graphs:
        done += 1
        try:
            values, chosen = _estimates(graph, _unset_rows(drawn), request, observed)
        except DagwrightError:
            continue
        identified += chosen is not None
        lows.append(min(one.value for one in values))
        highs.append(max(one.value for one in values))
    if done < min(replicates, FEWEST_REPLICATES):
        raise KeyboardInterrupt
    if not lows:
        raise NotIdentifiableError(
            f"the effect of {request.cause!r} on {request.outcome!r} could be estimated in none of "
            f"{done} resampled networks"
        )
    tail = (1 - level) / 2
    assumptions = tuple(one for one in found.assumptions if one != GRAPH_GIVEN)
    early = "" if done == replicates else f" of {replicates}, interrupted"
    return replace(
        found,
        low=float(np.quantile(lows, tail)),
        high=float(np.quantile(highs, 1 - tail)),
        identified=identified / done,
        source=f"the rows and the graph, {done} networks learned again from resampled rows{early}",
        assumptions=(SEARCHABLE, *assumptions),
    )


def _over_graphs(
    weighed: Sequence[tuple[Dag | Pdag, float]],
    words: str,
    assumption: str,
    table: Table,
    request: Question,
    observed: Iterable[str] | None,
    level: float,
) -> Effect:
    """The mixture over graphs, each with its weight and the uncertainty of its estimate."""
    known: dict[Dag | Pdag, tuple[list[Estimate], frozenset[str] | None] | None] = {}
    parts = []
    for graph, weight in weighed:
        if graph not in known:
            try:
                known[graph] = _estimates(graph, table, request, observed)
            except DagwrightError:
                known[graph] = None
        found = known[graph]
        if found is not None and weight > 0:
            parts.append(Part(weight, *found))
    if not parts:
        raise NotIdentifiableError(
            f"the effect of {request.cause!r} on {request.outcome!r} cannot be found by adjustment in any of "
            f"{count_of(len(weighed), 'graph')} {words}"
        )
    sure = {part.adjusted_for for part in parts if part.adjusted_for is not None}
    shared = next(iter(sure)) if len(sure) == 1 else None
    value, (low, high) = mean(parts), interval(parts, level)
    return Effect(
        request.cause,
        request.outcome,
        value,
        low,
        high,
        math.fsum(part.weight for part in parts if part.adjusted_for is not None),
        tuple(sorted({one.value for part in parts for one in part.estimates})) if value is None else (value,),
        None if shared is None else tuple(sorted(shared)),
        request.words,
        level,
        f"the rows and the graph, {count_of(len(weighed), 'graph')} {words}",
        (
            assumption,
            NO_HIDDEN_CAUSE,
            *([LINEAR] if _is_linear(table, request, shared or table.names) else []),
        ),
        () if shared is None else positivity(table, request.cause, shared),
    )
