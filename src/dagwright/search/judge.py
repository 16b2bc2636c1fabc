"""Which score or test judges, and whether it sees numbers or intervals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dagwright.base.wording import count_of
from dagwright.data import Table
from dagwright.data.schema import Variable
from dagwright.defaults import Kind, usual_pair, usual_test
from dagwright.evidence.counting import countable
from dagwright.evidence.numbers import on_kind, takes_numbers
from dagwright.evidence.structure_priors import StructurePrior
from dagwright.methods.notation import as_code
from dagwright.search.problem import Search
from dagwright.search.study import Study
from dagwright.search.traits import own_score, search_traits
from dagwright.sentences import Argument, Literally, Sentence

Usual = Callable[[Kind], Any]


@dataclass(frozen=True)
class Judge:
    """The score or test of a study on given columns, the structure prior, and the columns as it sees them.

    Numbers stay numbers where the score and every test of the search take them; else they are cut into
    intervals. The notes of the table say which, and why.
    """

    score: Any
    structure_prior: StructurePrior | None
    table: Table

    @staticmethod
    def of(
        study: Study,
        rows: Table,
        *,
        search: Search | None,
        usual: Usual | None,
        tested: bool,
        missing: str | None,
    ) -> Judge:
        """Choose for these rows; the arguments are those of `Prepared.of`."""
        score, prior = chosen_judge(study, search, usual, tested, rows.schema.kind)
        if rows.schema.kind == "discrete":
            return Judge(score, prior, rows)
        reason = _reason_to_cut(score, search, rows, missing)
        if reason:
            score, prior = chosen_judge(study, search, usual, tested, "discrete")
            return Judge(score, prior, _noted(countable(rows), reason))
        rows = _varying(rows, study)
        score, prior = chosen_judge(study, search, usual, tested, rows.schema.kind)
        return Judge(score, prior, _noted(rows, _kept(score, rows)))


def chosen_judge(
    study: Study, search: Search | None, usual: Usual | None, tested: bool, kind: Kind
) -> tuple[Any, StructurePrior | None]:
    """The score and structure prior, or the test and None, for columns of a kind."""
    if tested:
        if search is not None:
            test = search_traits(search).usual_test(kind)
        else:
            test = usual_test(kind=kind) if usual is None else usual(kind)
        return on_kind(test, kind), None
    known_by = own_score(search)
    if known_by is None and usual is not None:
        known_by = usual(kind)
    score, prior = usual_pair(study.score, study.structure_prior, known_by, kind=kind)
    return on_kind(score, kind), prior


def _reason_to_cut(score: Any, search: Search | None, rows: Table, missing: str | None) -> str:
    """Why numbers have to be cut into intervals; empty where they can stay."""
    judges = [score, *search_traits(search).further_tests(rows.schema.kind)]
    for judge in (on_kind(judge, rows.schema.kind) for judge in judges):
        if not takes_numbers(judge):
            name = as_code(judge) if hasattr(judge, "on") else type(judge).__name__
            return f"{name} counts states, so columns of numbers were cut into intervals"
    if missing == "state" and any(rows.missing[name] for name in rows.schema.continuous):
        return Sentence(
            Argument("missing", "state"), " needs states, so columns of numbers were cut into intervals"
        )
    return ""


def _varying(rows: Table, study: Study) -> Table:
    """The table without constant columns, unless the knowledge or the starting graph names them."""
    constant = [
        variable.name
        for variable in rows.schema
        if variable.name not in study.named and _is_constant(rows, variable)
    ]
    if not constant or len(constant) == len(rows.names):
        return rows
    left = rows.select([name for name in rows.names if name not in constant])
    names = ", ".join(map(repr, constant))
    were = "column was" if len(constant) == 1 else "columns were"
    return left.with_notes(f"{len(constant)} constant {were} left out: {names}")


def _is_constant(rows: Table, variable: Variable) -> bool:
    return variable.cardinality == 1 if variable.is_discrete else rows.is_constant(variable.name)


def _noted(rows: Table, note: str) -> Table:
    """The table with a note that it may have already, where one verb calls another."""
    return rows if note in rows.notes else rows.with_notes(note)


def _kept(score: Any, rows: Table) -> Sentence:
    """Which columns stay numbers, by what they are judged, and how to have intervals instead."""
    numeric = rows.schema.continuous
    if len(numeric) == len(rows.names):
        which, stay = "all columns hold numbers", "stay"
    else:
        which = f"{len(numeric)} of {count_of(len(rows.names), 'column')} {_hold(len(numeric))} numbers"
        stay = "stays" if len(numeric) == 1 else "stay"
    return Sentence(
        f"{which} and {stay} numbers, judged by {as_code(score)}; ",
        Argument("discretize", Literally("EqualFrequency(bins=3)"), of="read"),
        " cuts them into intervals instead",
    )


def _hold(count: int) -> str:
    return "holds" if count == 1 else "hold"
