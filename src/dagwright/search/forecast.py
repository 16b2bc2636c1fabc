"""The cost of a search, before it starts."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from dagwright.defaults import usual_search
from dagwright.evidence.bound import Bound
from dagwright.evidence.protocols import Family
from dagwright.evidence.structure_priors import StructurePrior
from dagwright.graph.viewable import Viewable
from dagwright.knowledge import Knowledge
from dagwright.methods.method_like import as_method
from dagwright.methods.notation import as_code
from dagwright.search.auto import written_in_python
from dagwright.search.control import Control
from dagwright.search.costs import Forecasting, cost_of
from dagwright.search.pipeline import problem_of
from dagwright.search.problem import Search, require_search
from dagwright.search.set_counts import count_in_words
from dagwright.search.study import Study, requested
from dagwright.search.traits import search_traits


@dataclass(frozen=True)
class Forecast(Viewable):
    """The cost of a search on given data.

    Attributes
    ----------
    search
        The search with its options.
    evaluations
        Families to be scored, or questions to be asked.
    memory
        Bytes beside the data and the memo of counts.
    seconds
        For the scoring, by what a few families took just now, and for the search itself. A time limit caps
        it.
    upper
        Whether the search cannot take more; otherwise the numbers are those of its usual course.
    basis
        How the numbers come about.
    """

    search: str
    evaluations: int
    memory: int
    seconds: float
    upper: bool
    basis: str

    def __str__(self) -> str:
        most = "at most " if self.upper else "about "
        return (
            f"{self.search}: {most}{count_in_words(self.evaluations)} families, "
            f"{self.memory / 2**20:,.1f} MiB, {self.seconds:.3g} s ({self.basis})"
        )


def forecast(
    data: Any,
    *,
    search: Search | Forecasting | None = None,
    score: Any = None,
    knowledge: Knowledge | None = None,
    structure_prior: StructurePrior | None = None,
    missing: str | None = None,
    columns: Iterable[str] | None = None,
    exclude: Iterable[str] = (),
    study: Study | None = None,
    threads: int | None = None,
) -> Forecast:
    """Forecast the cost of a search on these data: families to score, memory, time.

    Takes the parameters of `learn`. A few families are scored to see how long one takes.

    >>> print(forecast({"rain": [0, 0, 1, 1] * 25, "wet": [0, 0, 1, 1] * 25, "coin": [0, 1] * 50}))
    Exact(): at most 57 families, 0.0 MiB, ... s (hill climbing; all 12 parent sets; 8 * 2^3 bytes ...)
    """
    asked = requested(
        study,
        search=as_method(search, "search", "search", "posterior"),
        score=score,
        knowledge=knowledge,
        structure_prior=structure_prior,
        missing=missing,
        columns=columns,
        exclude=exclude,
    )
    if asked.missing in ("em", "available"):  # every row is counted, gaps or not
        asked = replace(asked, missing="state")
    control = Control.of(threads, None, None)
    problem, _ = problem_of(asked, data, control)
    method: Any = usual_search() if asked.search is None else asked.search
    if not isinstance(method, Forecasting):
        require_search(method)
    method = search_traits(method).chosen(problem) or method
    cost = cost_of(method, problem)
    each = _seconds_per_family(problem.score)
    return Forecast(
        as_code(method),
        math.ceil(cost.evaluations),
        math.ceil(cost.memory),
        (cost.evaluations if cost.one_by_one is None else cost.one_by_one) * each
        + cost.seconds / control.threads,
        cost.upper,
        cost.basis,
    )


def _seconds_per_family(score: Bound) -> float:
    """Seconds for a family with three parents, from some that were scored just now.

    Others come before, because the first ones also make the tables of logarithms.
    """
    n = len(score.names)
    size = min(3, n - 1)
    count = 8 if written_in_python(score) else 200
    families = []
    for at in range(2 * count):
        child = at % n
        # Parents that differ from family to family, so that few sums are remembered.
        parents = {(child + 1 + (at // n * 7 + k * (at % 5 + 1)) % (n - 1)) % n for k in range(size)}
        families.append(Family(child, frozenset(parents - {child})))
    score.local(families[:count])
    began = time.perf_counter()
    score.local(families[count:])
    return (time.perf_counter() - began) / count
