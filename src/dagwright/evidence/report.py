"""The score of a given graph, with what it means."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dagwright.data import Table
from dagwright.data.missing import OF_QUESTIONS, OF_ROWS, apply_policy
from dagwright.defaults import usual_pair
from dagwright.errors import OptionError
from dagwright.evidence.binding import bind_score, describe_score
from dagwright.evidence.counting import Counting, as_rows
from dagwright.evidence.criteria import Score
from dagwright.evidence.numbers import on_kind, takes_numbers
from dagwright.evidence.structure_priors import StructurePrior, with_prior
from dagwright.evidence.units import Unit, in_unit
from dagwright.graph.graph_like import GraphLike
from dagwright.graph.holders import HoldsJudges, HoldsScore, HoldsTable
from dagwright.sentences import Argument


@dataclass(frozen=True)
class GraphScore:
    """The score of a graph: its total, its part at each node, and its definition.

    ``by_node`` is empty for scores that are not a sum over nodes.
    """

    total: float
    by_node: dict[str, float]
    unit: str
    definition: str

    def __float__(self) -> float:
        return self.total

    def __str__(self) -> str:
        width = max(map(len, self.by_node), default=0)
        rows = [f"  {node:<{width}}  {value:.6f}" for node, value in self.by_node.items()]
        return "\n".join([f"{self.total:.6f} ({self.definition})", *rows])


def score(
    graph: GraphLike,
    data: Any = None,
    score: Any = None,
    *,
    structure_prior: StructurePrior | None = None,
    unit: Unit = "nats",
    missing: str | None = None,
) -> GraphScore:
    """As `dagwright.score`, without EM: of a result that was learned by EM only its own score.

    >>> rain = {"rain": ["no", "no", "yes", "yes"], "lawn": ["dry", "dry", "wet", "wet"]}
    >>> found = score("rain -> lawn", rain, "BIC")
    >>> print(found)
    -4.852030 (BIC, nats, larger is better, penalty log(N)/2 per parameter, N = 4)
      rain  -3.465736
      lawn  -1.386294
    """
    if data is None and missing is None and isinstance(graph, HoldsScore):
        missing = graph.study.missing
        if missing == "em" and score is None and structure_prior is None and graph.score is not None:
            return GraphScore(
                in_unit(graph.score, unit), {}, unit, in_words(graph.score_definition or "", unit)
            )
    if data is None:
        data = graph.table if isinstance(graph, HoldsTable) else None
    if data is None:
        raise OptionError(
            "score() needs data: only a result of learn() has its own, unless it was loaded from a file"
        )
    if score is None and structure_prior is None and isinstance(graph, HoldsJudges):
        score, structure_prior = graph.score_spec, graph.structure_prior
    rows = as_rows(data)
    kind = rows.schema.kind
    spec, prior = usual_pair(score, structure_prior, kind=kind)
    spec = on_kind(spec, kind)
    if takes_numbers(spec):
        return _score_of_numbers(graph, rows, spec, prior, unit, missing)
    if not isinstance(spec, Score):
        raise OptionError(
            Argument("score", spec),
            " is not a score, such as BIC() or BDeu(ess=10)",
        )
    if missing is None and spec.counts_available:
        missing = "available"
    counting = Counting(rows, missing=missing, offers=OF_QUESTIONS if spec.counts_available else OF_ROWS)
    if score is None:
        spec = usual_pair(None, structure_prior).score
    if counting.table.interventions:
        bound = bind_score(spec, counting.table)
        definition = describe_score(bound)[1]
    else:
        bound = spec.on(counting)
        definition = spec.describe(counting)
    if not spec.decomposable:
        if prior is not None:
            raise OptionError(f"{spec.name} is a distance, to which no logarithm of a prior can be added")
        if unit != "nats":
            raise OptionError(
                f"{spec.name} is a distance and has no unit of information; leave out ",
                Argument("unit"),
            )
        return GraphScore(bound.total(graph), {}, "none", definition)
    if prior is not None:
        bound = with_prior(bound, prior)
        definition = describe_score(bound)[1]
    by_node = {node: in_unit(value, unit) for node, value in bound.by_node(graph).items()}
    return GraphScore(math.fsum(by_node.values()), by_node, unit, in_words(definition, unit))


def in_words(definition: str, unit: Unit) -> str:
    """The definition of a score with the unit that was asked for."""
    return definition.replace(", nats,", f", {unit},")


def _score_of_numbers(
    graph: GraphLike, rows: Table, spec: Any, prior: StructurePrior | None, unit: Unit, missing: str | None
) -> GraphScore:
    table = apply_policy(rows, missing)
    bound = bind_score(spec, table)
    if prior is not None:
        bound = with_prior(bound, prior)
    by_node = {node: in_unit(value, unit) for node, value in bound.by_node(graph).items()}
    definition = in_words(describe_score(bound)[1], unit)
    return GraphScore(math.fsum(by_node.values()), by_node, unit, definition)


def equivalence_gap(spec: Score, data: Any, graphs: Iterable[GraphLike]) -> float:
    """The largest difference of a score between graphs; rounding only, for equivalent graphs and scores.

    >>> from dagwright.evidence.criteria import BIC
    >>> equivalence_gap(BIC(), {"a": [0, 0, 1], "b": [0, 1, 1]}, ["a -> b", "b -> a"]) < 1e-9
    True
    """
    bound = spec.on(data)
    totals = [bound.total(graph) for graph in graphs]
    return max(totals) - min(totals) if totals else 0.0
