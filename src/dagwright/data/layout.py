"""What is known of a source after a look at all its rows: its columns, and how many rows there are."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any, Self

from dagwright.data.column_folder import schema_entries, schema_of
from dagwright.data.columns import ValuesSeen
from dagwright.data.plan import Coding, coded_columns, planned_columns
from dagwright.data.schema import Schema
from dagwright.data.sources import Opening
from dagwright.data.states import MAX_STATES
from dagwright.data.united import United
from dagwright.errors import CapacityError, DataError, FormatError
from dagwright.sentences import Argument, Sentence

MOST_ROWS = 1 << 32
"""Rows that the core counts in one table, at least one less."""


@dataclass(frozen=True)
class Layout:
    """What is known of all rows after the first look at them."""

    schema: Schema
    n_rows: int
    notes: tuple[str, ...]
    left_out: dict[str, int]
    """Identifiers with too many values to be states, each with their number."""
    content: str
    """The digest of the rows; "" for files, which have sizes and dates."""

    def entries(self) -> dict[str, Any]:
        """All of it for JSON."""
        rest = {"rows": self.n_rows, "notes": list(self.notes), "left_out": self.left_out}
        return {**schema_entries(self.schema), **rest, "content": self.content}

    def require_kept(self) -> None:
        """Refuse states that a manifest cannot hold."""
        for variable in self.schema:
            try:
                Schema([variable]).entries()
            except FormatError:
                kinds = " and ".join(sorted({type(state).__name__ for state in variable.states}))
                raise DataError(
                    f"column {variable.name!r} holds values of type {kinds}, which are not kept on disk; "
                    "cast them to text or numbers in the source"
                ) from None

    @classmethod
    def of_entries(cls, facts: dict[str, Any]) -> Self:
        """The layout of such entries."""
        return cls(
            schema_of(facts),
            int(facts["rows"]),
            tuple(facts["notes"]),
            dict(facts["left_out"]),
            str(facts["content"]),
        )


def layout_of(
    found: United, how: Opening, coding: Coding, learning: Collection[str] | None, content: str = ""
) -> Layout:
    """The columns to code."""
    if found.n_rows >= MOST_ROWS:
        raise CapacityError(
            f"the source has {found.n_rows:,} rows, and a table has at most {MOST_ROWS - 1:,}; merge equal "
            "rows into weights first"
        )
    shown = without_weights(coding)
    plan = planned_columns(found.columns, how, shown)
    left_out: dict[str, int] = {}
    notes: list[str] = []
    for column, decision in zip(plan.columns, plan.decisions, strict=True):
        why = plan.identifiers.get(column.name)
        distinct = column.distinct if isinstance(column, ValuesSeen) else 0
        named = learning is None or column.name in learning
        if why and not named and decision.kind == "category" and distinct > MAX_STATES:
            left_out[column.name] = distinct
            notes.append(note_on_identifier(column.name, why))
    if len(left_out) < len(plan.columns):
        plan = plan.without(left_out)
    schema, _, more = coded_columns(plan, shown)
    layout = Layout(schema, found.n_rows, (*more, *notes), left_out, content)
    layout.require_kept()
    return layout


def note_on_identifier(name: str, why: str) -> Sentence:
    """The note on a column that learning leaves out."""
    return Sentence(
        f"column {name!r} was left out: it looks like an identifier ({why}); choose it with ",
        Argument("columns"),
        " to keep it",
    )


def without_weights(coding: Coding) -> Coding:
    """The short columns of all values have no weights, and no column that was left out."""
    coding = coding.after_choice()
    if coding.weights is None:
        return coding
    return replace(coding, weights=None, exclude=(str(coding.weights),))
