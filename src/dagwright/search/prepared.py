"""Data, a score and knowledge made into a problem in canonical numbering, for methods beside `learn`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from dagwright.data.missing import apply_policy, require_learnable
from dagwright.evidence.binding import bind_score
from dagwright.evidence.counting import learnable_table
from dagwright.evidence.criteria import BIC
from dagwright.evidence.structure_priors import StructurePrior, with_prior
from dagwright.knowledge import Knowledge, as_knowledge
from dagwright.search.control import CancelToken, Control, Progress
from dagwright.search.problem import Problem


class Prepared(NamedTuple):
    """A problem, how to steer its solution, and the names in the order of the columns."""

    problem: Problem
    control: Control
    columns: tuple[str, ...]


def prepare(
    data: Any,
    *,
    score: Any = None,
    knowledge: Knowledge | None = None,
    structure_prior: StructurePrior | None = None,
    missing: str | None = None,
    columns: Iterable[str] | None = None,
    exclude: Iterable[str] = (),
    time_limit: float | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    cancel: CancelToken | None = None,
) -> Prepared:
    """The problem that these arguments of `learn` describe."""
    control = Control.of(threads, time_limit, progress, cancel)
    known = as_knowledge(knowledge)
    table = apply_policy(learnable_table(data, columns, exclude, known.named), missing)
    require_learnable(table)
    canonical = table.canonical(control.threads, control.seconds_left(), control.cancel).table
    bound = bind_score(
        BIC() if score is None else score,
        canonical,
        threads=control.threads,
        original=table,
        missing=missing,
    )
    if structure_prior is not None:
        bound = with_prior(bound, structure_prior)
    resolved = known.resolve(canonical.names)
    problem = Problem(canonical.names, bound, resolved, np.random.SeedSequence(0))
    return Prepared(problem, control, table.names)
