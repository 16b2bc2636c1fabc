"""From any source to a Table."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal

import numpy.typing as npt

from dagwright.data.bins import Bins
from dagwright.data.checks import checked_names, checked_weights
from dagwright.data.coding import Coded, Decision, code_category, decide_kind
from dagwright.data.columns import Floats, SourceColumn
from dagwright.data.dates import Dates, part_name, parts_of, recognized, unread_date, with_parts
from dagwright.data.discretize import MDLP, EqualFrequency, Hartemink, NetworkMDL, Rule, cut_column
from dagwright.data.identifiers import identifier
from dagwright.data.origin import Origin
from dagwright.data.sources import Opening, open_source
from dagwright.data.states import Codes
from dagwright.data.table import Table
from dagwright.errors import DataError, OptionError, require_a, unknown_name
from dagwright.wording import counted

MAX_NUMBER_STATES = 20
Format = Literal["csv", "tsv", "parquet", "arrow", "jsonl", "excel", "stata", "spss", "sas"]


@dataclass(frozen=True)
class Coding:
    """What to do with the columns of a source; the fields are explained at :func:`read`."""

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
        """Whether an option names the column, which says that it is wanted."""
        listed = self.columns is not None and name in self.columns
        return listed or self.wish(name) is not None

    def __post_init__(self) -> None:
        rules = self.discretize.values() if isinstance(self.discretize, Mapping) else [self.discretize]
        for rule in rules:
            require_a(
                Rule | None, rule, "discretize", "a rule such as EqualWidth(bins=4), or a dict of rules"
            )

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
                f"column {name!r} cannot be both category and continuous: "
                "kinds=, states=, ordered=, rare= and discretize= contradict each other"
            )
        return wishes.pop() if wishes else None

    def rule(self, name: str) -> Rule:
        """The rule that cuts a continuous column."""
        if isinstance(self.discretize, Mapping):
            return self.discretize.get(name, EqualFrequency())
        return EqualFrequency() if self.discretize is None else self.discretize

    def rare_below(self, name: str) -> float | None:
        """The limit under which the values of a column are rare."""
        return self.rare.get(name) if isinstance(self.rare, Mapping) else self.rare


def read(
    source: Any,
    *,
    engine: Literal["polars", "python", "duckdb"] | None = None,
    format: Format | None = None,  # noqa: A002
    connection: Any = None,
    sheet: str | int | None = None,
    separator: str | None = None,
    decimal: Literal[".", ","] | None = None,
    quote: str | None = '"',
    encoding: str | None = None,
    header: bool = True,
    missing_values: Sequence[str] | None = None,
    names: Sequence[str] | None = None,
    columns: Iterable[str] | None = None,
    exclude: Iterable[str] = (),
    weights: str | npt.ArrayLike | None = None,
    kinds: Mapping[str, str] | None = None,
    states: Mapping[str, Sequence[Hashable]] | None = None,
    discretize: Rule | Mapping[str, Rule] | None = None,
    rare: float | Mapping[str, float] | None = None,
    max_number_states: int = MAX_NUMBER_STATES,
    ordered: Collection[str] = (),
    dates: Dates | None = None,
) -> Table:
    """Read a table from a file, a query, a frame or plain Python data.

    Parameters
    ----------
    source
        Path of a CSV or TSV (also .gz, .zst), Parquet, Arrow, Feather, JSON lines, Excel, Stata, SPSS or SAS
        file; the name of a sample, such as ``"sample:asia"``; an open file; an SQL query; a pandas, polars or
        pyarrow table or any frame that narwhals knows; a dict of columns; a list of dicts; a NumPy array of
        rows by columns with ``names``.
    engine
        Reader of files: polars (default), the standard library (delimited text), or DuckDB.
    connection
        For queries: an open connection, or the path of an SQLite or DuckDB file.
    separator, decimal, encoding
        Found out from the file where not given; the encoding is UTF-8 unless a byte-order mark says other.
    header
        Whether the first line holds names; without it columns are called V1, V2 and so on.
    missing_values
        Texts that mark a missing cell, in any source. In text files the default is the empty cell, ``?``,
        ``NA``, ``N/A``, ``NaN`` and ``NULL``; elsewhere no text does.
    columns, exclude
        The columns to keep, respectively to leave out.
    weights
        Frequency weights, or the name of the column that holds them.
    kinds
        ``"category"`` or ``"continuous"`` for columns where the rule of :func:`decide_kind` is not wanted;
        naming a column in ``states``, ``rare`` or ``discretize`` decides it too.
    states
        Declared states in order; other values are refused.
    discretize
        Rule for continuous columns, one for all or by name; :class:`EqualFrequency` by default.
    rare
        Group the values in fewer rows than this as one state: a share below 1, or a number of rows.
    max_number_states
        A column of numbers with more distinct values is continuous.
    ordered
        Categories whose states have an order: that of ``states``, of a pandas categorical, or of numbers.
        Ordered categoricals of pandas are marked without being named. Pictures and exports keep the order.
    dates
        Parts to take from columns of dates, for instance ``{"day": "month"}`` or ``{"day": ["year",
        "weekday"]}``: ``"year"``, ``"quarter"``, ``"month"``, ``"weekday"``, ``"day"`` or ``"hour"``. Each
        part becomes a column such as ``day_month`` in place of the dates. Other dates are discretized like
        numbers. Text is a date where every value is an ISO date or date-time.

    >>> read({"rain": ["no", "yes", "yes"], "drops": [0, 3, 2]})
    Table: 3 rows, 2 columns
      rain   2 states: no, yes
      drops  3 states: 0, 2, 3
      rain  drops
      no    0
      yes   3
      yes   2
    """
    chosen = None if columns is None else tuple(columns)
    coding = Coding(
        chosen,
        exclude,
        weights,
        kinds or {},
        states or {},
        discretize,
        rare,
        max_number_states,
        tuple(ordered),
        dates or {},
    )
    if isinstance(source, Table):
        return _reselected(source, coding)
    how = Opening(
        engine=engine,
        format=format,
        connection=connection,
        sheet=sheet,
        separator=separator,
        decimal=decimal,
        quote=quote,
        encoding=encoding,
        header=header,
        missing_values=missing_values,
        names=names,
    )
    return coded_table(planned(source, how, coding), coding)


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
    columns, weights = chosen_columns(open_source(source, how), coding)
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
    return Plan(columns, decisions, weights, found, _reading(how, coding), made)


def _with_dates(column: SourceColumn, coding: Coding) -> SourceColumn:
    """The column, its texts as dates where they are; not where its states are declared as texts."""
    texts = any(isinstance(state, str) for state in coding.states.get(column.name, ()))
    return column if texts else recognized(column)


def _reading(how: Opening, coding: Coding) -> dict[str, Any]:
    """The options to open the source again, as far as they can be written down."""
    given = {
        option.name: list(value) if isinstance(value, tuple) else value
        for option in fields(how)
        if (value := getattr(how, option.name)) != option.default and option.name != "connection"
    }
    return given | ({"weights": coding.weights} if isinstance(coding.weights, str) else {})


def read_to_learn(source: Any, named: Collection[str] = (), **options: Any) -> Table:
    """Like :func:`read`, but without the columns that look like identifiers.

    Parameters
    ----------
    named
        Columns that knowledge, a starting graph or a target names. These, and the columns that ``columns=``
        or another option names, are kept.
    options
        Those of :func:`read`.
    """
    how, coding = split_options(options, "read()")
    asked = {*named, *(coding.columns or ())}
    if isinstance(source, Table):
        table = _reselected(source, coding)
        found = {name: origin.identifier for name, origin in table.origins.items() if origin.identifier}
    else:
        plan = planned(source, how, coding)
        found = plan.identifiers
    left_out = {name: why for name, why in found.items() if name not in asked}
    notes = [
        f"column {name!r} was left out: it looks like an identifier ({why}); name it among the columns "
        "to keep it"
        for name, why in left_out.items()
    ]
    if isinstance(source, Table):
        kept = [name for name in table.names if name not in left_out]
        return table.select(kept).with_notes(*notes) if left_out and kept else table
    rest = plan.without(left_out)
    return coded_table(rest, coding).with_notes(*notes) if rest.columns else coded_table(plan, coding)


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


def _reselected(table: Table, coding: Coding) -> Table:
    recoding = coding.kinds or coding.states or coding.ordered or coding.dates
    if recoding or coding.discretize is not None or coding.rare is not None:
        raise OptionError("a Table is coded already; give the original data to code them in another way")
    if isinstance(coding.weights, str):
        raise OptionError("the weights of a Table are numbers, not a column; use with_weights()")
    wanted = table.names if coding.columns is None else coding.columns
    left_out = set(coding.exclude)
    for name in left_out:
        table.column_index(name)
    kept = tuple(name for name in wanted if name not in left_out)
    result = table if kept == table.names else table.select(kept)
    return result if coding.weights is None else result.with_weights(coding.weights)


def chosen_columns(columns: list[SourceColumn], coding: Coding) -> tuple[list[SourceColumn], Floats | None]:
    """The columns to code, and the weights of the rows."""
    by_name = dict(zip(checked_names([column.name for column in columns]), columns, strict=True))
    wanted = list(by_name) if coding.columns is None else list(coding.columns)
    left_out = set(coding.exclude)
    weights = coding.weights
    for name in (*wanted, *left_out, *((weights,) if isinstance(weights, str) else ())):
        if name not in by_name:
            raise unknown_name("column", name, by_name)
    n_rows = columns[0].n_rows
    row_weights = None
    if isinstance(weights, str):
        left_out.add(weights)
        row_weights = checked_weights(by_name[weights].numbers, n_rows)
    elif weights is not None:
        row_weights = checked_weights(weights, n_rows)
    chosen = [by_name[name] for name in wanted if name not in left_out]
    if not chosen:
        raise DataError("no column is left to read; check columns=, exclude= and weights=")
    return chosen, row_weights


def coded_table(plan: Plan, coding: Coding) -> Table:
    """Code every column as planned."""
    coded: dict[str, Coded] = {}
    bins: dict[str, Bins] = {}
    numbers: dict[str, Floats] = {}
    ordered: set[str] = set()
    for column, decision in zip(plan.columns, plan.decisions, strict=True):
        name = column.name
        if decision.kind == "continuous":
            numbers[name] = column.numbers
            bins[name] = cut_column(name, column.numbers, plan.weights, coding.rule(name), column.scale)
        else:
            coded[name] = code_category(column, coding.states.get(name), coding.rare_below(name))
            if is_ordered(column, coding):
                ordered.add(name)
    codes: dict[str, Codes] = {name: done.codes for name, done in coded.items()}
    codes |= {name: bins[name].code(numbers[name]) for name in bins}
    rules = {name: coding.rule(name) for name in bins}
    for refined in refinements(codes, numbers, bins, rules, plan.weights):
        bins |= refined
        codes |= {name: bins[name].code(numbers[name]) for name in refined}
    for array in codes.values():
        array.flags.writeable = False
    notes = [note for done in coded.values() for note in done.notes]
    for column, decision in zip(plan.columns, plan.decisions, strict=True):
        if column.name in bins:
            notes.append(cut_note(column.name, decision, bins[column.name], rules[column.name]))
        elif column.content == "text" and len(column.factor.values) > coding.max_number_states:
            notes += _note_on_dates(column)
    order = [column.name for column in plan.columns]
    return Table(
        order,
        [codes[name] for name in order],
        [bins[name].labels if name in bins else coded[name].states for name in order],
        weights=plan.weights,
        origins={
            name: Origin(
                bins.get(name),
                coded[name].other if name in coded else None,
                plan.identifiers.get(name, ""),
                tuple(plan.reading.get("missing_values", ())),
                name in ordered and coded[name].other is None,
                plan.parts.get(name),
            )
            for name in order
        },
        notes=notes,
        reading=plan.reading,
    )


def is_ordered(column: SourceColumn, coding: Coding) -> bool:
    """Whether the states of a category were declared to have an order."""
    if column.name not in coding.ordered:
        return column.ordered
    if column.name not in coding.states and column.content in ("text", "mixed"):
        raise OptionError(
            f"column {column.name!r} holds text, which does not say in what order; declare it with "
            f"states={{{column.name!r}: [lowest, ..., highest]}}"
        )
    return True


def refinements(
    codes: Mapping[str, Codes],
    numbers: Mapping[str, Floats],
    bins: Mapping[str, Bins],
    rules: Mapping[str, Rule],
    weights: Floats | None,
) -> Iterator[dict[str, Bins]]:
    """The cut points of the rules that look at several columns, one kind of rule after the other."""
    kinds = {type(rule) for rule in rules.values()}
    if Hartemink in kinds:
        from dagwright.data.hartemink import merged_bins

        yield merged_bins(codes, bins, rules, weights)
    if MDLP in kinds:
        from dagwright.data.supervised import supervised_bins

        yield supervised_bins(codes, numbers, bins, rules, weights)
    if NetworkMDL in kinds:
        from dagwright.data.network_bins import network_bins

        yield network_bins(codes, bins, rules, weights)


def _note_on_dates(column: SourceColumn) -> list[str]:
    """A sentence on dates that are not written in a way that is read as dates."""
    example = unread_date(column)
    if example is None:
        return []
    return [
        f"column {column.name!r} looks like dates, but {example!r} is not an ISO date such as 2024-02-29, "
        f"so its {len(column.factor.values):,} values are categories; write the dates in that way"
    ]


def cut_note(name: str, decision: Decision, bins: Bins, rule: Rule) -> str:
    """One sentence on how a continuous column was cut."""
    intervals = counted(len(bins.labels), "interval")
    return f"column {name!r} is continuous ({decision.why}) and was cut into {intervals} by {rule}"
