"""From a study and data to a problem that a search can solve: the one way, for every verb.

rows -> the columns to learn from -> score or test for their kind -> missing values -> canonical order ->
score on these columns -> structure prior -> knowledge over these columns. Each step is decided here and
nowhere else.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from dagwright.data import Table, read, read_to_learn
from dagwright.data.canonical import Canonical
from dagwright.data.missing import (
    OF_QUESTIONS,
    OF_ROWS,
    POLICIES,
    apply_policy,
    incomplete_rows,
    require_learnable,
    usable,
)
from dagwright.data.reach import require_reach
from dagwright.data.read import reading_of_other
from dagwright.defaults import DEFAULTS, Kind
from dagwright.errors import OptionError
from dagwright.evidence.binding import bind_score
from dagwright.evidence.bound import Bound
from dagwright.evidence.counting import learnable_table
from dagwright.evidence.incomplete import IncompleteScore
from dagwright.evidence.interventional import refuse_pooled
from dagwright.evidence.structure_priors import StructurePrior, with_prior
from dagwright.graph.dag import Dag
from dagwright.knowledge import Knowledge
from dagwright.methods.notation import as_code
from dagwright.methods.traits import evidence_traits, name_of
from dagwright.search.control import Control
from dagwright.search.judge import Judge, chosen_judge
from dagwright.search.other_rows import OtherRows
from dagwright.search.problem import Problem, Search
from dagwright.search.starting import starting_dag
from dagwright.search.study import Study
from dagwright.search.traits import asks_tests, completes_rows, own_score, search_traits
from dagwright.sentences import Argument


def learnable_rows(study: Study, data: Any, named: Iterable[str] = ()) -> Table:
    """The columns that a study learns from, as they are before a policy for missing values."""
    if study.windows is not None:
        data = _windows(study, data)
    elif study.reading and isinstance(data, str | os.PathLike):
        data = read(data, **reading_of_other(data, study.reading))
    if study.interventions is not None:
        data = (data if isinstance(data, Table) else read(data)).with_interventions(study.interventions)
    return learnable_table(data, study.columns, study.exclude, {*study.named, *named})


NUMBERS_LAST = "no arc leads from a number to a state: structural EM fits conditional Gaussian networks"


@dataclass(frozen=True)
class Prepared:
    """A study on data: the rows to work on, and the score or test that judges.

    ``table`` holds the columns to learn from after the policy for missing values; ``template`` the same
    columns as they were read, without rows. ``score`` is never None; score and structure prior are those of
    the study, or by default those of `dagwright.defaults`.
    """

    study: Study
    search: Search | None
    score: Any
    structure_prior: StructurePrior | None
    missing: str | None
    table: Table = field(repr=False)
    template: Table = field(repr=False)

    @staticmethod
    def of(
        study: Study,
        data: Any,
        *,
        search: Search | None = None,
        usual: Callable[[Kind], Any] | None = None,
        tested: bool = False,
        named: Iterable[str] = (),
    ) -> Prepared:
        """Read the columns to learn from, then as `on_rows`.

        Columns that look like identifiers are left out unless ``columns=``, the knowledge, the starting graph
        or ``named`` names them.

        Parameters
        ----------
        search
            The search that will run; it says whether tests decide and which score is usual for it.
        usual
            The score, or the test, for columns of a kind, where neither the study nor the search names one;
            None means the default pair of score and structure prior.
        tested
            Whether tests decide although no search is given.
        """
        rows = learnable_rows(study, data, named)
        return Prepared.on_rows(study, rows, search=search, usual=usual, tested=tested)

    @staticmethod
    def on_rows(
        study: Study,
        rows: Table,
        *,
        search: Search | None = None,
        usual: Callable[[Kind], Any] | None = None,
        tested: bool = False,
    ) -> Prepared:
        """Apply the policy for missing values to the columns to learn from, and choose the score or test.

        Parameters are those of `of`.
        """
        tested = tested or asks_tests(search)
        if tested:
            refuse_for_tests(
                search, score=study.score, structure_prior=study.structure_prior, start=study.start
            )
        completes = completes_rows(search)
        if not completes or counts_available(study.score):
            study, rows = with_usual_policy(study, rows, search, tested=tested)
        score, missing = study.score, study.missing
        available = counts_available(score)
        judge = Judge.of(study, rows, search=search, usual=usual, tested=tested, missing=missing)
        rows = judge.table
        if rows.interventions:
            if tested:
                refuse_pooled(search)
            if completes or missing == "em":
                raise OptionError(
                    "missing values and interventions do not go together in structural EM; choose ",
                    Argument("missing", "drop"),
                )
        table = apply_policy(
            rows,
            missing,
            offers=policies(score, search, tested=tested, learns=search is not None),
            completes=completes,
        )
        table = _with_gap_notes(table, available, completes)
        table = search_traits(search).with_hidden(table)
        if completes and missing is None and not available and any(table.missing.values()):
            study = replace(study, missing="em")  # `score` has to know how the score of the result was found
        require_learnable(table)
        judged_by, prior = chosen_judge(study, search, usual, tested, rows.schema.kind)
        if table.windows is not None:
            time = table.windows.knowledge(table.names)
            study = replace(study, knowledge=study.knowledge + time)
        if completes and table.schema.kind == "mixed" and any(table.missing.values()):
            # As knowledge, because it directs edges, and results say what does.
            rule = Knowledge(continuous=table.schema.continuous)
            study = replace(study, knowledge=study.knowledge + rule)
            table = table.with_notes(NUMBERS_LAST)
        template = rows.with_weights(None).take([])
        return Prepared(study, search, judged_by, prior, missing, table, template)

    @property
    def by_default(self) -> str:
        """Which score and prior judge, where the default score does, and why; "" where tests or others do."""
        if self.study.score is not None or asks_tests(self.search) or own_score(self.search) is not None:
            return ""
        usual = DEFAULTS[self.table.schema.kind]
        if self.study.structure_prior is None:
            return usual.why
        return f"{usual.score}, the default score, with the prior {name_of(self.structure_prior)}"

    def identity(self, *further: str) -> dict[str, Any]:
        """The facts that the checkpoint of a run must agree on, those first that a person can read.

        ``further`` has settings that are not in the study.
        """
        study, seed = self.study, self.study.seed
        stream = f", spawned as {seed.spawn_key}" if seed.spawn_key else ""
        methods = {
            "search": self.search,
            "score or test": self.score,
            "structure prior": self.structure_prior,
        }
        options = {
            "starting graph": study.start,
            "choice of columns": None if study.columns is None else list(study.columns),
            "choice of columns to leave out": list(study.exclude),
            "interventions": study.interventions,
            "windows": study.windows,
            "options of reading": study.reading or None,
        }
        return {
            **{name: None if method is None else as_code(method) for name, method in methods.items()},
            "knowledge": repr(study.knowledge) if study.knowledge else None,
            "policy for missing values": self.missing,
            **{
                name: value if value is None or isinstance(value, list) else repr(value)
                for name, value in options.items()
            },
            "random_state": f"{seed.entropy}{stream}",
            "list of columns": list(self.table.names),
            "number of rows": self.table.n_rows,
            "data": self.table.fingerprint,
            "settings": " ".join((repr(self), *further)),
        }

    def canonical(self, control: Control) -> Canonical:
        """The columns in the order that follows from the data."""
        return self.table.canonical(control.threads, control.seconds_left(), control.cancel)

    def bound(self, ordered: Table, threads: int) -> Bound:
        """The score or test on the columns of ``ordered``, without the structure prior."""
        return self._bind(ordered, threads)(self.score)

    def problem(
        self,
        ordered: Table,
        control: Control,
        *,
        seed: np.random.SeedSequence | None = None,
        from_start: bool = True,
    ) -> Problem:
        """The problem on a table with these columns; where scores are equal, their order decides.

        Parameters
        ----------
        seed
            In place of the seed of the study, for replicates.
        from_start
            Whether the search begins at the starting graph of the study.
        """
        prior = self.structure_prior
        complete = not self._waits_for_completion(ordered)
        if complete:
            score = self._with_prior(ordered, control.threads)
        else:
            require_reach(self.search, ordered, 8.0 * len(ordered.names))
            score = IncompleteScore(self.score, ordered, prior, control.threads)
        known = self.study.knowledge.resolve(ordered.names)
        start: Dag | None = None
        if from_start:
            start = starting_dag(self.study.start, ordered.names, known)
        return Problem(
            ordered.names,
            score,
            known,
            self.study.seed if seed is None else seed,
            start,
            self._bind(ordered, control.threads),
            ordered.schema.kind,
            OtherRows(ordered, partial(self._with_prior, threads=control.threads))
            if complete and self.can_rebind
            else None,
        )

    def _with_prior(self, ordered: Table, threads: int) -> Bound:
        score = self.bound(ordered, threads)
        return score if self.structure_prior is None else with_prior(score, self.structure_prior)

    def _bind(self, ordered: Table, threads: int) -> Callable[[Any], Bound]:
        return partial(bind_score, table=ordered, threads=threads, original=self.table, missing=self.missing)

    def _waits_for_completion(self, table: Table) -> bool:
        gaps = any(table.missing.values())
        return gaps and completes_rows(self.search) and not counts_available(self.score)

    @property
    def can_rebind(self) -> bool:
        """Whether the score can be computed on other rows too, or is bound to these data."""
        return hasattr(self.score, "on")

    def require_rebinding(self, who: str) -> None:
        """Refuse a score that is bound to these data, for a verb that needs it on other rows too."""
        if not self.can_rebind:
            raise OptionError(
                f"{who} needs a score that can be computed on other rows, with on(table), not {self.score!r}"
            )


def problem_of(study: Study, data: Any, control: Control) -> tuple[Problem, tuple[str, ...]]:
    """The problem in canonical numbering, and the names in the order of the columns."""
    prepared = Prepared.of(study, data)
    return prepared.problem(prepared.canonical(control).table, control), prepared.table.names


def refuse_for_tests(method: object, **given: object) -> None:
    """Refuse options that mean nothing to a search that asks tests."""
    for option, value in given.items():
        if value is not None:
            raise OptionError(
                f"{as_code(method)} uses a test and takes no {option}; give it a test instead, as in "
                f"{type(method).__name__}(test=GSquare())"
            )


def policies(
    score: Any, search: Search | None = None, *, tested: bool, learns: bool = True
) -> tuple[str, ...]:
    """The policies for missing values that go with a score, or with tests; only learning alternates by EM."""
    offered = OF_QUESTIONS if tested or counts_available(score) else OF_ROWS
    if learns and not tested:
        offered = (*offered, "em")
    return tuple(policy for policy in offered if policy not in search_traits(search).refuses)


def with_usual_policy(
    study: Study, rows: Table, search: Search | None = None, *, tested: bool, learns: bool = False
) -> tuple[Study, Table]:
    """The study with the default policy where values are missing and it names none; the rows note it."""
    if study.missing is not None or not any(rows.missing.values()):
        return study, rows
    offers = policies(study.score, search, tested=tested, learns=learns)
    policy, why = _usual_policy(study, rows, offers)
    if policy is None:
        return study, rows
    note = f"{why}: {policy} by default ({POLICIES[policy]})"
    return replace(study, missing=policy), rows.with_notes(note)


def _usual_policy(study: Study, rows: Table, offers: Collection[str]) -> tuple[str | None, str]:
    """The default policy among those that a call takes, and why; None where a person has to choose."""
    if counts_available(study.score):
        return "available", "some values are missing"
    offers = usable(rows, offers)
    lost = incomplete_rows(rows)
    if lost is None:  # which rows have gaps is known elsewhere
        return ("available", "some values are missing") if "available" in offers else (None, "")
    usual = DEFAULTS[rows.schema.kind]
    why = f"values are missing in {lost:,} of {rows.n_rows:,} rows"
    if lost <= usual.few_gaps * rows.n_rows:
        return "drop", why
    if "available" in offers:
        return "available", why
    taken = usual.missing in offers and not (rows.interventions or rows.windows)
    return (usual.missing if taken else None), why


def counts_available(score: Any) -> bool:
    """Whether a score counts each family on the rows where it is known, as `NodeAverage` does."""
    return evidence_traits(score).counts_available


def _windows(study: Study, data: Any) -> Table:
    """The windows of the study's series; a table that already holds windows stays as it is."""
    options = dict(study.windows or {})
    roles = {options.get("time"), options.get("sequence"), *options.get("static", ())} - {None}
    reading = reading_of_other(data, study.reading) if isinstance(data, str | os.PathLike) else {}
    table = data if isinstance(data, Table) else read_to_learn(data, roles, **reading)
    return table if table.windows is not None else table.lagged(**options)


def _with_gap_notes(table: Table, available: bool, completes: bool) -> Table:
    gaps = sum(table.missing.values())
    if gaps and available:
        return table.with_notes(
            f"values are missing completely at random ({gaps:,} cells): each family is counted on the "
            "rows where it is known"
        )
    if gaps and completes:
        return table.with_notes(
            f"values are missing at random ({gaps:,} cells): missingness depends on observed "
            "values, not on the missing ones"
        )
    return table
