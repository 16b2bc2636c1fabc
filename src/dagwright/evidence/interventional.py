"""Scores on rows that experiments have set: each family on the rows where its child was not set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NoReturn

import numpy as np

from dagwright import _core
from dagwright.data import Table
from dagwright.data.interventions import require_unset
from dagwright.errors import DataError, OptionError
from dagwright.evidence.bound import Bound, is_equivalent, native_local
from dagwright.evidence.counting import Counting
from dagwright.evidence.protocols import Family, Measure, Triple
from dagwright.evidence.structure_priors import BoundWithPrior
from dagwright.graph.query import Verdict
from dagwright.methods.notation import as_code
from dagwright.methods.traits import EvidenceTraits, name_of
from dagwright.sentences import Argument, Call

POOLED = (
    "the rows come from different experiments, and pooling them makes variables dependent that no arc "
    "connects: two children of targets that were set together depend on each other through the experiment "
    "(Mooij, Magliacane & Claassen 2020)"
)


class OnUnsetRows(EvidenceTraits):
    """A score that takes each family on the rows where its child was not set, as one specification."""

    def __init__(self, score: Any, *, equivalent: bool) -> None:
        self.score = score
        self._equivalent = equivalent

    @property
    def name(self) -> str:
        return name_of(self.score)

    @property
    def equivalent(self) -> bool:
        return self._equivalent


class BoundInterventional(Bound):
    """A score for each child, bound to the rows where that child was not set (Cooper & Yoo 1999).

    Penalties are those of all rows. Graphs that are equivalent under ``targets`` score the same where the
    plain score has that property.

    Parameters
    ----------
    scores
        The different bound scores; children that were set in the same rows share one.
    of_child
        The place in ``scores`` of the score of each column.
    """

    def __init__(
        self,
        spec: Any,
        data: Counting | Measure,
        targets: tuple[frozenset[str], ...],
        scores: Sequence[Bound],
        of_child: Sequence[int],
    ) -> None:
        super().__init__(OnUnsetRows(spec, equivalent=all(map(is_equivalent, scores))), data)
        self.plain = spec
        self.scores = tuple(scores)
        self.of_child = tuple(of_child)
        self.targets = targets
        self.tolerance = max(score.tolerance for score in scores)
        self.approximation = scores[0].approximation

    @cached_property
    def native(self) -> _core.LocalScore:
        return _core.ChildScores([score.native for score in self.scores], list(self.of_child))

    def local(self, families: Sequence[Family]) -> list[float]:
        return native_local(self.native, families, self.threads)

    def arc_verdicts(self, triples: Sequence[Triple]) -> list[Verdict]:
        found: dict[Triple, Verdict] = {}
        for at, score in enumerate(self.scores):
            own = [triple for triple in triples if self.of_child[min(triple.x)] == at]
            found.update(zip(own, score.arc_verdicts(own), strict=True))
        return [found[triple] for triple in triples]

    def verdicts(self, triples: Sequence[Triple]) -> list[Verdict]:  # noqa: ARG002
        refuse_pooled(self.plain)


def refuse_pooled(what: Any) -> NoReturn:
    """Refuse an independence test on rows of different experiments."""
    raise OptionError(
        f"{as_code(what)} uses independence tests, but {POOLED}; use a search by score, such as GES() or "
        "HillClimb(), or make the experiments columns of the data with ",
        Call("with_contexts"),
        " and use the table and the knowledge that it gives",
    )


def bind_by_child(spec: Any, table: Table, bind: Callable[[Table], Bound]) -> BoundInterventional:
    """The score of every child on the rows where it was not set.

    Parameters
    ----------
    bind
        Binds the score to some of the rows, with the penalties of all.
    """
    require_unset(table)
    _require_varying(table)
    parts = {id(rows): rows for rows in map(table.unset, table.names)}
    place = {key: at for at, key in enumerate(parts)}
    scores = [bind(rows) for rows in parts.values()]
    of_child = [place[id(table.unset(name))] for name in table.names]
    data = scores[0].data
    whole = Counting(table, threads=data.threads) if isinstance(data, Counting) else data
    return BoundInterventional(spec, whole, table.targets, scores, of_child)


def on_same_rows(spec: Any, bound: Bound) -> Bound:
    """Another score on the rows of a bound one, for each child on those that it has there."""
    inner = bound.inner if isinstance(bound, BoundWithPrior) else bound
    if not isinstance(inner, BoundInterventional):
        found: Bound = spec.on(inner.data)
        return found
    scores = [spec.on(score.data) for score in inner.scores]
    return BoundInterventional(spec, inner.data, inner.targets, scores, inner.of_child)


def _require_varying(table: Table) -> None:
    """Refuse a column of numbers that is constant in all rows where another was not set."""
    for child in table.interventions:
        rows = table.unset(child)
        for name in table.schema.continuous:
            values = rows.reals(name)
            if np.ptp(values) == 0.0 < np.ptp(table.reals(name)):
                raise DataError(
                    f"{name!r} has the value {values[0]:g} in all rows where {child!r} was not set, so its "
                    f"effect on {child!r} cannot be estimated; add rows in which both are free, or leave "
                    "one out with ",
                    Argument("exclude", [name]),
                )
