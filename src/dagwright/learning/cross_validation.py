"""Which search, score or discretization predicts rows it has not seen? Cross-validated log-loss."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from dagwright.base.seeds import RandomState, generator
from dagwright.data import Table
from dagwright.data.missing import apply_policy
from dagwright.data.windows import moments_of
from dagwright.errors import OptionError, require_a, unknown_name
from dagwright.evidence.numbers import with_prior_of
from dagwright.graph.viewable import Viewable
from dagwright.learning.held_out import Loss, accuracy, held_out_loss
from dagwright.learning.learn import learn
from dagwright.learning.task import chosen_search
from dagwright.model.gaussian.orientation import knowledge_for_numbers
from dagwright.model.tables.priors import SMOOTHING
from dagwright.search.control import CancelToken, Event, Progress
from dagwright.search.judge import Judge
from dagwright.search.pipeline import learnable_rows, policies, with_usual_policy
from dagwright.search.problem import Stopped
from dagwright.search.study import Study, requested
from dagwright.search.traits import asks_tests

FEWEST_FOLDS = 2
COMPLETING = ("drop", "state")
"""Policies that complete the table before the rows are divided; the others work on each fold."""
OPTIONS = ("search", "score", "knowledge", "structure_prior", "data")


class Held(NamedTuple):
    """The loss of one candidate on held-out rows.

    ``loss`` is the mean over the folds in nats per row, ``error`` its standard error; ``behind`` the mean
    difference to the best candidate, fold by fold, with its own standard error ``behind_error``. For a target
    of numbers, ``rmse`` is the root mean squared error of its predicted mean over all held-out rows, and
    ``r_squared`` the share of the squared error of the mean of the other folds that it saves.
    """

    name: str
    loss: float
    error: float
    behind: float
    behind_error: float
    rmse: float | None = None
    r_squared: float | None = None

    def __str__(self) -> str:
        behind = "best" if self.behind == 0 else f"behind by {self.behind:.5f} +- {self.behind_error:.5f}"
        numbers = "" if self.rmse is None else f"RMSE {self.rmse:.5g}, R² {self.r_squared:.4f}, "
        return f"{self.name}: {self.loss:.5f} +- {self.error:.5f} nats per row, {numbers}{behind}"


@dataclass(frozen=True)
class CrossValidation(Viewable):
    """Candidates from the best to the worst, and what each lost in each fold.

    Attributes
    ----------
    ranking
        One `Held` per candidate, best first.
    folds
        The loss of each candidate in each fold, in nats per row: minus the log-probability, or the
        log-density where there are numbers.
    target
        The column that was predicted; None for whole rows.
    stopped
        Whether Ctrl-C ended it early; the folds that were complete by then count.
    """

    ranking: tuple[Held, ...]
    folds: Mapping[str, tuple[float, ...]]
    target: str | None
    stopped: Stopped | None = None

    @property
    def best(self) -> str:
        """The candidate with the smallest loss."""
        return self.ranking[0].name

    @property
    def indistinguishable(self) -> tuple[str, ...]:
        """The candidates less than two standard errors behind the best, which is among them."""
        return tuple(one.name for one in self.ranking if one.behind <= 2 * one.behind_error)

    def __str__(self) -> str:
        what = "whole rows" if self.target is None else f"{self.target!r} from the others"
        folds = len(next(iter(self.folds.values())))
        early = ", interrupted" if self.stopped else ""
        return "\n".join([f"log-loss of {what}, {folds} folds{early}", *map(str, self.ranking)])


def cross_validate(
    data: Any,
    candidates: Mapping[str, Mapping[str, Any] | Study] | None = None,
    *,
    study: Study | None = None,
    target: str | None = None,
    folds: int = 10,
    parameter_prior: Any = SMOOTHING,
    missing: str | None = None,
    columns: Iterable[str] | None = None,
    exclude: Iterable[str] = (),
    random_state: RandomState = None,
    threads: int | None = None,
    progress: Progress | None = None,
    cancel: CancelToken | None = None,
) -> CrossValidation:
    """Learn and fit on all folds but one, and measure how well the rows of that one are predicted.

    All candidates use the same folds, so differences between losses are more precise than the losses. Where
    the rows or the target hold numbers, the loss is minus their log-density, which depends on their units.
    For mixed columns only networks without an arc from a number to a category are learned, as these have
    parameters. Windows of time series are split by time: a fold is a stretch of steps, and windows that
    overlap it are not learned from (Racine 2000).

    Parameters
    ----------
    candidates
        By name, a `Study`, or the options of `learn`: ``search``, ``score``, ``knowledge``,
        ``structure_prior``. With options, a candidate may bring its own ``data`` with the same rows, for
        instance another discretization; losses then compare only for a ``target`` whose states all candidates
        share.
    study
        One request instead of candidates, as in `learn`; it is the candidate "study", and its seed assigns
        the folds.
    target
        Score the prediction of this column from all others instead of whole rows.
    parameter_prior
        The prior of the parameters, as in `fit`.
    missing, columns, exclude
        As in `learn`. Rows whose target is missing are not predicted.

    >>> import dagwright as dw
    >>> tried = {"empty": {"search": dw.HillClimb(max_parents=0)}, "climbed": {"search": dw.HillClimb()}}
    >>> cross_validate(dw.sample_path("asia"), tried, folds=3).best
    'climbed'
    """
    shared: dict[str, Any] = {"missing": missing, "columns": columns, "exclude": exclude}
    if study is not None:
        if candidates is not None:
            raise OptionError("candidates and a study were both given; a study can be one of the candidates")
        study = requested(study, **shared, random_state=random_state)
        candidates, shared, random_state = {"study": study}, {}, study.random_state
    if not candidates:
        raise OptionError(
            "cross-validation needs at least one candidate: a dict from names to the options of learn, "
            "such as {'default': {}, 'BIC': {'score': 'BIC'}}"
        )
    require_a(Mapping, candidates, "candidates", "a dict from names to studies or arguments of learn")
    studies = {name: _study(name, one, shared) for name, one in candidates.items()}
    tables = {}
    for name, one in candidates.items():
        given = data if isinstance(one, Study) else one.get("data", data)
        studies[name], tables[name] = _on_rows(studies[name], given, target)
    rows = {table.n_rows for table in tables.values()}
    if len(rows) > 1:
        raise OptionError(f"the candidates have data with different numbers of rows: {sorted(rows)}")
    n_rows = rows.pop()
    if not FEWEST_FOLDS <= folds <= n_rows:
        raise OptionError(f"folds must be between 2 and the number of rows ({n_rows:,}), got {folds}")
    _require_comparable(tables, target)
    rng = generator(random_state)
    parts = _parts(next(iter(tables.values())), folds, rng)
    losses: dict[str, list[Loss]] = {name: [] for name in tables}
    stopped: Stopped | None = None
    try:
        for fold, (kept, left_out) in enumerate(parts):
            lost = {}
            for name, table in tables.items():
                rest, held = table.take(kept), table.take(left_out)
                found = learn(
                    rest, study=_on_a_fold(studies[name], table, fold), threads=threads, cancel=cancel
                )
                if found.stopped is not None:  # a search that was cut short says nothing about its candidate
                    raise KeyboardInterrupt
                network = found.network(parameter_prior=parameter_prior)
                lost[name] = held_out_loss(network, held, rest, target)
                if progress is not None:
                    done = fold * len(tables) + len(lost)
                    of_all = folds * len(tables)
                    progress(Event(f"cross-validation of {name}", done, total=of_all, unit="networks"))
            for name, loss in lost.items():
                losses[name].append(loss)
    except KeyboardInterrupt:
        if min(map(len, losses.values())) < FEWEST_FOLDS:
            raise
        stopped = "cancelled"
    by_fold = {name: tuple(one.nats for one in values) for name, values in losses.items()}
    return CrossValidation(_ranked(losses), by_fold, target, stopped)


def _parts(table: Table, folds: int, rng: np.random.Generator) -> list[tuple[Any, Any]]:
    """For each fold the rows to learn from and those that are left out: at random, or by time for windows."""
    windows = table.windows
    if windows is None:
        fold_of = rng.permutation(table.n_rows) % folds
        return [(fold_of != fold, fold_of == fold) for fold in range(folds)]
    rank = np.empty(table.n_rows, dtype=np.int64)
    rank[np.lexsort((windows.step, windows.run))] = np.arange(table.n_rows)
    fold_of = rank * folds // table.n_rows
    reach = max(moment.lag for moment in moments_of(table.names).values())
    parts = []
    for fold in range(folds):
        held = fold_of == fold
        near = np.zeros(table.n_rows, dtype=np.bool_)
        for run in np.unique(windows.run[held]):
            steps = windows.step[held & (windows.run == run)]
            near |= (windows.run == run) & (windows.step >= steps.min() - reach)
            near &= (windows.run != run) | (windows.step <= steps.max() + reach)
        if not (~near & ~held).any():
            raise OptionError(f"the series are too short for {folds} folds: nothing is left to learn from")
        parts.append((~near & ~held, held))
    return parts


def _study(name: str, given: Mapping[str, Any] | Study, shared: Mapping[str, Any]) -> Study:
    """The request of a candidate, with the options that all candidates share."""
    if isinstance(given, Study):
        return requested(given, **shared)
    require_a(Mapping, given, "each of the candidates", "a Study, or a dict of arguments of learn")
    for option in given:
        if option not in OPTIONS:
            raise unknown_name(f"option of the candidate {name!r}", option, OPTIONS)
    return requested(None, **{option: value for option, value in given.items() if option != "data"}, **shared)


def _on_rows(study: Study, data: Any, target: str | None) -> tuple[Study, Table]:
    """The study with its policy for missing values, and the rows to divide into folds."""
    rows = learnable_rows(study, data, () if target is None else (target,))
    method = chosen_search(study)
    tested = asks_tests(method)
    study, rows = with_usual_policy(study, rows, method, tested=tested, learns=True)
    judge = Judge.of(
        study, rows, search=chosen_search(study), usual=None, tested=tested, missing=study.missing
    )
    offers = policies(study.score, method, tested=tested)
    return study, apply_policy(judge.table, study.missing, offers=offers)


def _on_a_fold(study: Study, table: Table, fold: int) -> Study:
    """The same request for a part of the rows, which are read and complete where that comes first."""
    return replace(
        study,
        score=None if study.score is None else with_prior_of(study.score, table),
        knowledge=knowledge_for_numbers(study.knowledge, table.schema),
        missing=None if study.missing in COMPLETING else study.missing,
        columns=table.names,
        exclude=(),
        interventions=None,
        windows=None,
        reading={},
        random_state=fold,
    )


def _require_comparable(tables: Mapping[str, Table], target: str | None) -> None:
    (first, table), *others = tables.items()
    if target is not None:
        table.column_index(target)
    for name, other in others:
        if target is None and (other.names, other.states) != (table.names, table.states):
            raise OptionError(
                f"{first!r} and {name!r} have other columns or states, so losses of whole rows do not "
                "compare; give a target"
            )
        if target is not None and other.states_of(target) != table.states_of(target):
            raise OptionError(f"{target!r} has other states in {name!r} than in {first!r}")


def _ranked(losses: Mapping[str, list[Loss]]) -> tuple[Held, ...]:
    nats = {name: [one.nats for one in values] for name, values in losses.items()}
    best = min(nats, key=lambda name: float(np.mean(nats[name])))
    rows = []
    for name, values in nats.items():
        behind = np.subtract(values, nats[best])
        rows.append(
            Held(
                name,
                float(np.mean(values)),
                _error(values),
                float(np.mean(behind)),
                _error(behind),
                *accuracy(losses[name]),
            )
        )
    return tuple(sorted(rows, key=lambda one: (one.loss, one.name)))


def _error(values: Any) -> float:
    """Standard error of a mean over folds. The folds share rows, so it is a guide rather than a bound."""
    return float(np.std(values, ddof=1)) / math.sqrt(len(values))
