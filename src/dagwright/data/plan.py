"""From the columns of a source to those of a Table: which to take, the kind of each, and its cells."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from dagwright.data.checks import checked_names, checked_weights
from dagwright.data.coding import Decision, code_category, decide_kind
from dagwright.data.columns import Floats, SourceColumn
from dagwright.data.cutting import checked_rules, cut
from dagwright.data.dates import Dates, part_name, parts_of, recognized, unread_date, with_parts
from dagwright.data.discretize import Rule
from dagwright.data.identifiers import identifier
from dagwright.data.origin import Origin
from dagwright.data.schema import Continuous, Discrete, Schema, Variable
from dagwright.data.sources import Opening, open_source
from dagwright.data.states import no_values
from dagwright.data.table import Table
from dagwright.errors import DataError, OptionError, unknown_name
from dagwright.sentences import Argument, Literally

MAX_NUMBER_STATES = 20


@dataclass(frozen=True)
class Coding:
    """How to code the columns of a source; the fields are explained at :func:`read`."""

    columns: Sequence[str] | None = None
    exclude: Iterable[str] = ()
    weights: str | npt.ArrayLike | None = None
    kinds: Mapping[str, str] = field(default_factory=dict)
    states: Mapping[str, Sequence[Hashable]] = field(default_factory=dict)
    discretize: Rule | Mapping[str, Rule] | None = None
    rare: float | Mapping[str, float] | None = None
    max_number_states: int = MAX_NUMBER_STATES
    ordered: Collection[str] = ()
    dates: Dates = field(default_factory=dict)

    def asks_for(self, name: str) -> bool:
        """Whether an option names the column, so that it must be kept."""
        listed = self.columns is not None and name in self.columns
        return listed or self.wish(name) is not None

    def __post_init__(self) -> None:
        checked_rules(self.discretize)
        if not isinstance(self.exclude, str):
            object.__setattr__(self, "exclude", tuple(self.exclude))

    def after_choice(self) -> Coding:
        """The coding of columns among which no excluded one is left."""
        if not self.exclude:
            return self
        left_out = set(self.exclude)
        kept = None if self.columns is None else tuple(name for name in self.columns if name not in left_out)
        return replace(self, columns=kept, exclude=())

    def before_cutting(self) -> Coding:
        """The coding that leaves the columns to be cut as numbers."""
        named = self.discretize if isinstance(self.discretize, Mapping) else ()
        kinds = {name: kind for name in named if (kind := self.wish(name)) is not None}
        return replace(self, kinds={**self.kinds, **kinds}, discretize=None)

    def wish(self, name: str) -> str | None:
        """The kind that the options ask for, by name or by an option that fits one kind only."""
        wishes = {self.kinds[name]} if name in self.kinds else set()
        if (
            name in self.states
            or name in self.ordered
            or (isinstance(self.rare, Mapping) and name in self.rare)
        ):
            wishes.add("category")
        if isinstance(self.discretize, Mapping) and name in self.discretize:
            wishes.add("continuous")
        if len(wishes) > 1:
            raise OptionError(
                f"column {name!r} cannot be both category and continuous: ",
                Argument("kinds"),
                ", ",
                Argument("states"),
                ", ",
                Argument("ordered"),
                ", ",
                Argument("rare"),
                " and ",
                Argument("discretize"),
                " contradict each other",
            )
        return wishes.pop() if wishes else None

    def cut_now(self, name: str) -> bool:
        """Whether a column of numbers is to be cut while it is read."""
        if isinstance(self.discretize, Mapping):
            return name in self.discretize
        return self.discretize is not None

    def rare_below(self, name: str) -> float | None:
        """The limit under which the values of a column are rare."""
        return self.rare.get(name) if isinstance(self.rare, Mapping) else self.rare


def split_options(options: Mapping[str, Any], who: str) -> tuple[Opening, Coding]:
    """The options of :func:`read` as those of opening a source and those of coding its columns."""
    opening = {option.name for option in fields(Opening)}
    coding = {option.name for option in fields(Coding)}
    for name in options:
        if name not in opening | coding:
            raise OptionError(f"{who} has no option {name!r}")
    given = {name: value for name, value in options.items() if name in coding and value is not None}
    if "columns" in given:
        given["columns"] = tuple(given["columns"])
    return (
        Opening(**{name: value for name, value in options.items() if name in opening}),
        Coding(**given),
    )


@dataclass(frozen=True)
class Plan:
    """The columns to code, what each will become, and the weights of the rows."""

    columns: list[SourceColumn]
    decisions: list[Decision]
    weights: Floats | None
    identifiers: dict[str, str]
    """The columns that look like identifiers, each with the reason."""
    reading: dict[str, Any]
    """How the source was opened, and the column of weights."""
    parts: dict[str, tuple[str, str]] = field(default_factory=dict)
    """The columns that hold a part of dates, each with the column of dates and the part."""

    def only(self, positions: Iterable[int]) -> Plan:
        """The plan for some of the columns."""
        kept = list(positions)
        return Plan(
            [self.columns[i] for i in kept],
            [self.decisions[i] for i in kept],
            self.weights,
            self.identifiers,
            self.reading,
            self.parts,
        )

    def without(self, names: Collection[str]) -> Plan:
        """The plan for all columns but these."""
        return self.only(i for i, column in enumerate(self.columns) if column.name not in names)


def planned(source: Any, how: Opening, coding: Coding) -> Plan:
    """Open a source and decide on the kind of every column."""
    return planned_columns(open_source(source, how), how, coding)


def planned_columns(opened: list[SourceColumn], how: Opening, coding: Coding) -> Plan:
    """Decide on the kind of every column of an open source."""
    columns, weights = chosen_columns(opened, coding)
    parts = parts_of(coding.dates)
    for name in parts:
        if name not in (names := [column.name for column in columns]):
            raise unknown_name("column", name, names)
    made = {part_name(name, part): (name, part) for name in parts for part in parts[name]}
    columns = [_with_dates(column, coding) for column in with_parts(columns, parts)]
    known = [column.name for column in columns]
    for option in (coding.kinds, coding.states, coding.discretize, coding.rare, tuple(coding.ordered)):
        if isinstance(option, Mapping | tuple):
            for name in option:
                if name not in known:
                    raise unknown_name("column", name, known)
    decisions = [
        decide_kind(column, coding.wish(column.name), coding.max_number_states) for column in columns
    ]
    reasons = {
        column.name: identifier(column)
        for column in columns
        if column.name not in made and not coding.asks_for(column.name)
    }
    found = {name: why for name, why in reasons.items() if why}
    return Plan(columns, decisions, weights, found, reading_of(how, coding), made)


def _with_dates(column: SourceColumn, coding: Coding) -> SourceColumn:
    """The column, its texts as dates where they are; not where its states are declared as texts."""
    texts = any(isinstance(state, str) for state in coding.states.get(column.name, ()))
    return column if texts else recognized(column)


def reading_of(how: Opening, coding: Coding) -> dict[str, Any]:
    """The options to open the source again, as far as they can be written down."""
    given = {
        option.name: list(value) if isinstance(value, tuple) else value
        for option in fields(how)
        if (value := getattr(how, option.name)) != option.default and option.name != "connection"
    }
    return given | ({"weights": coding.weights} if isinstance(coding.weights, str) else {})


def kept_positions(names: Sequence[str], how: Opening, coding: Coding) -> list[int]:
    """The positions of the columns that are coded or hold the weights, of all columns of a source."""
    if how.names is not None and len(how.names) != len(names):
        raise DataError(f"{len(how.names)} names for {len(names)} columns")
    given = checked_names(how.names if how.names is not None else names)
    weights = coding.weights if isinstance(coding.weights, str) else None
    require_columns(given, coding)
    listed = set(given if coding.columns is None else coding.columns) - set(coding.exclude)
    kept = [at for at, name in enumerate(given) if name in listed or name == weights]
    if not listed - {weights}:
        raise no_column_left()
    return kept


def require_columns(names: Collection[str], coding: Coding) -> None:
    """Refuse an option that names a column that is not there."""
    weights = (coding.weights,) if isinstance(coding.weights, str) else ()
    for name in (*(coding.columns or ()), *coding.exclude, *weights):
        if name not in names:
            raise unknown_name("column", name, names)


def no_column_left() -> DataError:
    """The error where options leave out every column."""
    return DataError(
        "no column is left to read; check ",
        Argument("columns"),
        ", ",
        Argument("exclude"),
        " and ",
        Argument("weights"),
    )


def chosen_columns(columns: list[SourceColumn], coding: Coding) -> tuple[list[SourceColumn], Floats | None]:
    """The columns to code, and the weights of the rows."""
    by_name = dict(zip(checked_names([column.name for column in columns]), columns, strict=True))
    wanted = list(by_name) if coding.columns is None else list(coding.columns)
    left_out = set(coding.exclude)
    weights = coding.weights
    require_columns(by_name, coding)
    n_rows = columns[0].n_rows
    row_weights = None
    if isinstance(weights, str):
        left_out.add(weights)
        row_weights = checked_weights(by_name[weights].numbers, n_rows, by_name[weights].first_row)
    elif weights is not None:
        row_weights = checked_weights(weights, n_rows)
    chosen = [by_name[name] for name in wanted if name not in left_out]
    if not chosen:
        raise no_column_left()
    return chosen, row_weights


def coded_table(plan: Plan, coding: Coding) -> Table:
    """The table of the columns as planned: categories as codes, numbers as such or cut as asked for."""
    schema, cells, notes = coded_columns(plan, coding)
    return Table.from_schema(schema, cells, weights=plan.weights, notes=notes, reading=plan.reading)


def coded_columns(plan: Plan, coding: Coding) -> tuple[Schema, list[npt.NDArray[Any]], tuple[str, ...]]:
    """The variables of the columns as planned, their cells, and notes on what was done."""
    variables: list[Variable] = []
    columns: list[npt.NDArray[Any]] = []
    notes: list[str] = []
    on_dates: list[str] = []
    for column, decision in zip(plan.columns, plan.decisions, strict=True):
        name = column.name
        origin = Origin(
            identifier=plan.identifiers.get(name, ""),
            missing_values=tuple(plan.reading.get("missing_values", ())),
            part_of=plan.parts.get(name),
            utc=column.utc,
            why=decision.why,
        )
        if decision.kind == "continuous":
            if np.isnan(column.numbers).all():
                raise no_values(name)
            variables.append(Continuous(name, column.scale, origin))
            columns.append(column.numbers)
            continue
        coded = code_category(column, coding.states.get(name), coding.rare_below(name))
        ordered = is_ordered(column, coding)
        if ordered and coded.other is not None:
            # The grouped values had different places in the order.
            notes.append(f"column {name!r}: no order of states, since {coded.other!r} has no place in one")
            ordered = False
        variables.append(Discrete(name, coded.states, replace(origin, other=coded.other, ordered=ordered)))
        columns.append(coded.codes)
        notes += coded.notes
        if column.content == "text" and len(column.factor.values) > coding.max_number_states:
            on_dates += _note_on_dates(column)
    wanted = [known.name for known in variables if not known.is_discrete and coding.cut_now(known.name)]
    made, cells, on_cuts = cut(variables, columns, wanted, coding.discretize, plan.weights)
    return Schema(made), list(cells), (*notes, *on_dates, *on_cuts)


def is_ordered(column: SourceColumn, coding: Coding) -> bool:
    """Whether the states of a category were declared to have an order."""
    if column.name not in coding.ordered:
        return column.ordered
    if column.name not in coding.states and column.content in ("text", "mixed"):
        raise OptionError(
            f"column {column.name!r} holds text, which does not say in what order; declare it with ",
            Argument("states", {column.name: [Literally("lowest"), Literally("..."), Literally("highest")]}),
        )
    return True


def _note_on_dates(column: SourceColumn) -> list[str]:
    """A sentence on dates that are not written in a way that is read as dates."""
    example = unread_date(column)
    if example is None:
        return []
    return [
        f"column {column.name!r} looks like dates, but {example!r} is not an ISO date such as 2024-02-29, "
        f"so its {len(column.factor.values):,} values are categories; write the dates in that way"
    ]
