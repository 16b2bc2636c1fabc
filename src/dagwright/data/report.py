"""The data report: what is in the data, what will be done with each column, and why."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import asdict, dataclass
from itertools import zip_longest
from textwrap import wrap
from typing import Any

import numpy as np

from dagwright.base.wording import count_of
from dagwright.data.coding import Decision
from dagwright.data.column_folder import is_read_to_disk
from dagwright.data.columns import SourceColumn
from dagwright.data.dates import PARTS, unread_date
from dagwright.data.discretize import EqualFrequency
from dagwright.data.identifiers import nearly_unique
from dagwright.data.number_report import NumberReport, NumberSummary, number_lines
from dagwright.data.number_rows import DiskRows, MemoryRows
from dagwright.data.plan import Coding, Plan, coded_table, planned, split_options
from dagwright.data.read import read
from dagwright.data.repeats import distinct_rows, repeats_in, twins_in
from dagwright.data.schema import Continuous, Variable
from dagwright.data.states import MISSING_MARKERS, MISSING_U8, gaps_of, shown_states
from dagwright.data.table import Table
from dagwright.defaults import DEFAULTS, Defaults, Kind
from dagwright.errors import DataError, OptionError
from dagwright.graph.viewable import Viewable
from dagwright.sentences import Argument, Part, Sentence, ways

MANY_STATES = 50
FEW_NUMBERS = 5
FOLD = 60
"""Remarks and actions longer than this go on in the next line."""

_MARKS = frozenset(
    (
        "#n/a",
        "#na",
        ".",
        "..",
        "-",
        "--",
        "missing",
        "unknown",
        "don't know",
        "dont know",
        "refused",
        "no answer",
    )
) | {mark.casefold() for mark in MISSING_MARKERS if mark}
_CODES = ("-9", "-99", "-999", "-9999", "-9.0", "-99.0", "-999.0")
_COUNTS = ("freq", "frequency", "count", "counts", "n")


@dataclass(frozen=True)
class ColumnReport:
    """One column: what it holds, what is odd about it, what will be done with it."""

    name: str
    kind: str
    why: str
    distinct: int
    states: tuple[Hashable, ...]
    missing: int
    flags: tuple[str, ...]
    action: str
    usable: bool
    numbers: NumberSummary | None = None
    """The distribution, for a column of numbers."""

    @property
    def kind_in_words(self) -> str:
        """The kind and the reason for it."""
        return f"{self.kind} ({self.why})" if self.why else self.kind


@dataclass(frozen=True)
class DataReport(Viewable):
    """Everything that reading finds out about a table."""

    n_rows: int
    N: float
    distinct_rows: int
    columns: tuple[ColumnReport, ...]
    notes: tuple[str, ...]

    @property
    def numbers(self) -> dict[str, NumberSummary]:
        """The distributions of the columns of numbers."""
        return {column.name: column.numbers for column in self.columns if column.numbers is not None}

    @property
    def kind(self) -> Kind:
        """The kind of the columns that learning keeps; identifiers are left out, constants do not count."""
        kept = [c for c in self.columns if c.usable and not {"identifier", "constant"} & set(c.flags)]
        numbers = {c.kind == "continuous" and not c.states for c in kept}  # numbers that are cut have states
        return "mixed" if len(numbers) == 2 else "continuous" if True in numbers else "discrete"

    @property
    def defaults(self) -> Defaults:
        """What learning takes for these columns where nothing is named."""
        return DEFAULTS[self.kind]

    @property
    def merged_rows(self) -> int:
        """Rows that are repetitions of another row and are counted with it."""
        return self.n_rows - self.distinct_rows

    def to_dict(self) -> dict[str, Any]:
        """The report as plain values that JSON can hold."""
        result = asdict(self)
        result["merged_rows"] = self.merged_rows
        for column in result["columns"]:
            column["states"] = [
                state if isinstance(state, str | int | float) else str(state) for state in column["states"]
            ]
        return result

    @property
    def summary(self) -> str:
        """The size of the data in one line."""
        weighed = "" if self.n_rows == self.N else f" (weights sum to {self.N:g})"
        return (
            f"{count_of(self.n_rows, 'row')}{weighed}, {count_of(len(self.columns), 'column')}, "
            f"{count_of(self.merged_rows, 'row repeats', 'rows repeat')} another row"
        )

    def __str__(self) -> str:
        rows = [("column", "kind", "distinct", "missing", "remarks", "what will be done")]
        rows += [
            (
                c.name,
                c.kind_in_words,
                f"{c.distinct:,}",
                f"{c.missing:,}",
                ", ".join(c.flags) or "-",
                c.action,
            )
            for c in self.columns
        ]
        folded: list[tuple[str, ...]] = []
        for *plain, remarks, action in rows:
            columns = [*([cell] for cell in plain), wrap(remarks, FOLD), wrap(action, FOLD)]
            folded += zip_longest(*columns, fillvalue="")
        widths = [max(len(row[i]) for row in folded) for i in range(5)]
        lines = [
            "  ".join([*(cell.ljust(w) for cell, w in zip(row, widths, strict=False)), row[5]]).rstrip()
            for row in folded
        ]
        numbers = number_lines(self.numbers)
        more = ["", *numbers, ""] if numbers else []
        notes = [wrap(f"note: {note}", 2 * FOLD, subsequent_indent="  ") for note in self.notes]
        more += [line for note in notes for line in note]
        usual = [f"defaults for {self.kind} data", *str(self.defaults).splitlines()]
        return "\n".join([self.summary, "", *lines, *more, *([] if more[-1:] == [""] else [""]), *usual])


def describe(data: Any, **options: Any) -> DataReport:
    """Report on a Table or on anything that :func:`read` takes, with the options of :func:`read`.

    Columns that reading would refuse are listed with the reason instead of an error.

    >>> print(describe({"id": list(range(30)), "sex": ["f", "m"] * 15}).columns[0].flags)
    ('identifier',)
    """
    if isinstance(data, Table):
        if options:
            raise OptionError("a Table is coded already; give the original data to use options")
        return _report_of_table(data)
    if is_read_to_disk(data, options):
        return _report_of_table(read(data, **options))
    how, coding = split_options(options, "describe()")
    plan = planned(data, how, coding)
    return report_of_plan(plan, *coded_as_far_as_possible(plan, coding))


def _gap_notes(table: Table) -> tuple[str, ...]:
    """How many cells are missing and how many rows are complete; nothing without gaps."""
    cells = sum(table.missing.values())
    if not cells:
        return ()
    complete = 0
    for first, end in table.spans(len(table.names)):
        whole = np.ones(end - first, dtype=np.bool_)
        for one in table.schema:
            column = table.codes(one.name) if one.is_discrete else table.reals(one.name)
            whole &= ~gaps_of(column[first:end])
        complete += int(whole.sum())
    return (
        f"{cells:,} of {table.n_rows * len(table.names):,} cells are missing; {complete:,} of "
        f"{table.n_rows:,} rows are complete",
    )


def report_of_plan(plan: Plan, table: Table | None, refused: Mapping[str, str]) -> DataReport:
    """The report on columns, the table of those that can be coded, and the reasons against the others."""
    twins = twins_in(table) if table is not None else {}
    numbers = {
        column.name: column.numbers
        for column, decision in zip(plan.columns, plan.decisions, strict=True)
        if decision.kind == "continuous" and column.name not in refused
    }
    about = NumberReport(
        MemoryRows(numbers, plan.weights), {column.name: column.scale for column in plan.columns}
    )
    reports = []
    for column, decision in zip(plan.columns, plan.decisions, strict=True):
        flags = _flags(column, decision, column.name in plan.identifiers)
        states: tuple[Hashable, ...] = ()
        if column.name in twins:
            flags.append(f"same as {twins[column.name]!r}")
        distinct = len(column.factor.values)
        flags += about.flags(column.name, twins)
        if column.name in refused:
            action = Sentence("refused: ", refused[column.name])
        elif table is not None:
            states = table.states_of(column.name)
            action = _action(column.name, table, flags, distinct)
        usable = column.name not in refused and distinct > 1
        reports.append(
            ColumnReport(
                column.name,
                decision.kind,
                decision.why,
                distinct,
                states,
                column.missing,
                tuple(flags),
                action,
                usable,
                about.summaries.get(column.name),
            )
        )
    n_rows = plan.columns[0].n_rows
    N = float(n_rows) if table is None else table.N
    notes = () if table is None else (*table.notes, *about.notes, *_gap_notes(table))
    # Rows are told apart by their values: two that fall into the same intervals do not repeat each other.
    cells = [(column.factor.codes, len(column.factor.values) + 1) for column in plan.columns]
    different = 0 if table is None else distinct_rows(n_rows, cells)
    return DataReport(n_rows, N, different, tuple(reports), notes)


def coded_as_far_as_possible(plan: Plan, coding: Coding) -> tuple[Table | None, dict[str, Sentence]]:
    """The table of the columns that can be coded, and for the others the reason why not."""
    refused: dict[str, Sentence] = {}
    try:
        return coded_table(plan, coding), refused
    except DataError:
        good: list[int] = []
        for position, column in enumerate(plan.columns):
            try:
                coded_table(plan.only([position]), coding)
                good.append(position)
            except DataError as problem:
                refused[column.name] = problem.sentence
    return (coded_table(plan.only(good), coding) if good else None), refused


def _report_of_table(table: Table) -> DataReport:
    repeats = repeats_in(table)
    numbers = {name: table.reals(name) for name in table.schema.continuous}
    rows = DiskRows(table) if table.blocks is not None else MemoryRows(numbers, table.weights)
    about = NumberReport(rows, {one.name: one.scale for one in table.schema if isinstance(one, Continuous)})
    reports = []
    for name, states in zip(table.names, table.states, strict=True):
        distinct = repeats.distinct[name]
        variable = table.schema[name]
        flags = ["constant"] if distinct <= 1 else []
        if variable.origin.identifier:
            flags.append("identifier")
        if variable.bins is None and len(states) > MANY_STATES:
            flags.append("many states")
        if variable.is_discrete and distinct < len(states):
            flags.append(f"{len(states) - distinct} states never seen")
        if name in repeats.twins:
            flags.append(f"same as {repeats.twins[name]!r}")
        flags += about.flags(name, repeats.twins)
        reports.append(
            ColumnReport(
                name,
                variable.kind,
                variable.origin.why or "coded already",
                distinct,
                states,
                table.missing[name],
                tuple(flags),
                _action(name, table, flags, distinct),
                distinct > 1,
                about.summaries.get(name),
            )
        )
    notes = (*table.notes, *about.notes, *_gap_notes(table))
    return DataReport(table.n_rows, table.N, repeats.distinct_rows, tuple(reports), notes)


def _flags(column: SourceColumn, decision: Decision, identifies: bool) -> list[str]:
    values = column.factor.values
    distinct, present = len(values), column.n_rows - column.missing
    flags = []
    if present == 0:
        flags.append("no values")
    elif distinct == 1:
        flags.append("constant")
    if identifies:
        flags.append("identifier")
    elif column.content not in ("float", "date", "datetime") and nearly_unique(distinct, present):
        flags.append("nearly unique")
    if column.content in ("date", "datetime"):
        flags.append("dates" if column.content == "date" else "dates with times")
    elif unread_date(column) is not None:
        flags.append("dates that are not ISO")
    if decision.kind == "category" and distinct > MANY_STATES:
        flags.append("many states")
    texts = [value for value in values if isinstance(value, str)]
    if len({text.strip().casefold() for text in texts}) < len(texts):
        flags.append("states differ only in case or spaces")
    if marks := _likely_marks(column):
        flags.append(f"may mark missing values: {', '.join(map(repr, marks))}")
    if column.content == "integer" and column.name.strip().lower() in _COUNTS:
        flags.append("may hold counts")
    return flags


def _likely_marks(column: SourceColumn) -> list[str]:
    """Values that often stand for a missing one: words, and -9 or -99 where no other is below zero."""
    texts = [str(value).strip() for value in column.factor.values]
    words = [text for text in texts if text.casefold() in _MARKS]
    codes = [text for text in texts if text in _CODES]
    below = [text for text in texts if text.startswith("-")]
    whole = column.content in ("integer", "float") and len(texts) > 2
    return sorted(words) + (codes if whole and len(below) == len(codes) == 1 else [])


def _action(name: str, table: Table, flags: list[str], distinct: int) -> Sentence:
    variable = table.schema[name]
    states = variable.states
    if "constant" in flags:
        kept = "used, but" if table.schema.kind == "discrete" else "left out beside columns of numbers:"
        return Sentence(f"{kept} a constant column carries no information")
    if "identifier" in flags:
        why = variable.origin.identifier
        return Sentence(f"left out of learning: looks like an identifier ({why})")
    if isinstance(variable, Continuous):
        how = "kept as numbers; cut where intervals are needed"
        if table.blocks is None:
            states = table.discretized({name: EqualFrequency()}).states_of(name)
    elif variable.bins is not None:
        how = f"cut into {len(states)} intervals"
    else:
        how = f"used with {len(states):,} states"
    said: list[Part] = [f"{how}: {shown_states(states, 5)}" if states else how]
    if "nearly unique" in flags:
        said += ["; if it is an identifier, leave it out with ", Argument("exclude", [name])]
    elif "many states" in flags:
        said += ["; consider ", Argument("rare"), " to group the rare ones"]
    elif any(flag.startswith(("same as", "nearly the same")) for flag in flags):
        said += ["; carries the same information twice, consider leaving one out"]
    said += _other_kind(variable, distinct)
    if "dates" in flags or "dates with times" in flags:
        offered = [part for part in PARTS if part != "hour" or "dates" not in flags]
        dates = Argument("dates", {name: "month"})
        said.append(ways("; ", Sentence(dates, f" takes a part instead ({', '.join(offered)})")))
    if "dates that are not ISO" in flags:
        said += ["; write them like 2024-02-29 to have them read as dates"]
    for flag in flags:
        if flag.startswith("may mark"):
            said += [
                "; if they do, name them in ",
                Argument("missing_values"),
                f" ({flag.partition(': ')[2]})",
            ]
    if "may hold counts" in flags:
        said += ["; if each row stands for that many cases, read with ", Argument("weights", name)]
    if table.missing[name]:
        said.append("; its gaps fall under the policy for missing values")
    return Sentence(*said)


def _other_kind(variable: Variable, distinct: int) -> list[Part]:
    """How to have a column of numbers as the other kind, where that makes sense."""
    if isinstance(variable, Continuous):
        if variable.scale == "number" and distinct <= MISSING_U8:
            categories = Argument("kinds", {variable.name: "category"})
            return [ways("; ", Sentence(categories, " takes its values as states"))]
        return []
    numbers = all(isinstance(state, int | float) and not isinstance(state, bool) for state in variable.states)
    if variable.bins is None and numbers and distinct >= FEW_NUMBERS:
        numbers_kind = Argument("kinds", {variable.name: "continuous"})
        return [ways("; ", Sentence(numbers_kind, " takes it as numbers"))]
    return []
