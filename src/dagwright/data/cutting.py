"""Columns of numbers cut into intervals, one at a time or together with others."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from dagwright.base.wording import count_of
from dagwright.data.bins import Bins
from dagwright.data.columns import Floats
from dagwright.data.discretize import (
    MDLP,
    ByBlock,
    EqualFrequency,
    Hartemink,
    NetworkMDL,
    Rule,
    cut_by_block,
    cut_column,
)
from dagwright.data.number_rows import BLOCK_BYTES, DiskRows
from dagwright.data.reach import require_reach
from dagwright.data.schema import Continuous, Schema, Variable
from dagwright.data.scratch_files import mapped_scratch
from dagwright.data.states import Codes, code_dtype
from dagwright.data.windows import Moment, moments_of
from dagwright.errors import OptionError, require_a
from dagwright.sentences import Argument

if TYPE_CHECKING:
    from dagwright.data.table import Table

Rules = Rule | Mapping[str, Rule] | None
"""One rule for all columns of numbers, or rules by name; None is three intervals of equal frequency."""


def checked_rules(rules: Rules) -> Rules:
    """The rules, refused if one is none."""
    for rule in rules.values() if isinstance(rules, Mapping) else [rules]:
        require_a(Rule | None, rule, "discretize", "a rule such as EqualWidth(bins=4), or a dict of rules")
    return rules


def wanted_columns(schema: Schema, rules: Rules) -> tuple[str, ...]:
    """The columns of numbers that rules are about; a name that is none is refused."""
    checked_rules(rules)
    if not isinstance(rules, Mapping):
        return schema.continuous
    for name in rules:
        if schema[name].is_discrete:
            raise OptionError(
                f"column {name!r} holds states, not numbers, and cannot be cut; read it with ",
                Argument("kinds", {name: "continuous"}, of="read"),
            )
    return tuple(rules)


def cut_table(
    table: Table, wanted: Collection[str], rules: Rules
) -> tuple[list[Variable], list[npt.NDArray[Any]], list[str]]:
    """`cut` for the rows of a table: on disk block by block where the rules allow it."""
    for name in wanted:
        require_reach(_rule(name, rules), table, what="cutting numbers into intervals")
    columns = [table.codes(one.name) if one.is_discrete else table.reals(one.name) for one in table.schema]
    if table.blocks is not None and table.windows is None:
        own = {name: rule for name in wanted if isinstance(rule := _rule(name, rules), ByBlock)}
        if len(own) == len(wanted):
            return _cut_by_block(table, columns, own)
        table.blocks.require_memory("cutting numbers into intervals", table.n_rows, columns)
    return cut(table.schema, columns, wanted, rules, table.weights, windows=table.windows is not None)


def _cut_by_block(
    table: Table, columns: list[npt.NDArray[Any]], rules: Mapping[str, ByBlock]
) -> tuple[list[Variable], list[npt.NDArray[Any]], list[str]]:
    rows = DiskRows(table)
    variables, notes = list(table.schema), []
    for at, variable in enumerate(table.schema):
        if isinstance(variable, Continuous) and variable.name in rules:
            rule, numbers = rules[variable.name], columns[at]
            bins = cut_by_block(variable.name, rows.column(variable.name), rule, variable.scale)
            codes = (bins.code(numbers[first:end]) for first, end in table.spans(BLOCK_BYTES))
            columns[at] = mapped_scratch(codes, code_dtype(len(bins.labels)), table.n_rows)
            variables[at] = variable.cut(bins)
            notes.append(_note(variable, bins, rule))
    return variables, columns, notes


def cut(
    variables: Iterable[Variable],
    columns: Sequence[npt.NDArray[Any]],
    wanted: Collection[str],
    rules: Rules,
    weights: Floats | None,
    *,
    windows: bool = False,
) -> tuple[list[Variable], list[npt.NDArray[Any]], list[str]]:
    """The variables and columns with the wanted ones cut, and one sentence about each of these.

    Rules that look at several columns see all of them; numbers that are not wanted take part as the
    intervals that they would get. In ``windows`` all lags of a series have the cut points of its current
    step.
    """
    variables = tuple(variables)
    by_name = dict(zip([variable.name for variable in variables], columns, strict=True))
    numeric = {variable.name: variable for variable in variables if isinstance(variable, Continuous)}
    chosen = {name: _rule(name, rules) for name in numeric}
    joint = any(isinstance(chosen[name], Hartemink | MDLP | NetworkMDL) for name in wanted)
    cut_now = {name: rule for name, rule in chosen.items() if joint or name in wanted}
    bins = {
        name: cut_column(name, by_name[name], weights, rule, numeric[name].scale)
        for name, rule in cut_now.items()
    }
    codes: dict[str, Codes] = {name: column for name, column in by_name.items() if name not in numeric}
    codes |= {name: bins[name].code(by_name[name]) for name in bins}
    for refined in _refinements(codes, by_name, bins, cut_now, weights):
        bins |= refined
        codes |= {name: bins[name].code(by_name[name]) for name in refined}
    shared = {
        name: bins[str(Moment(moment.series, 0))]
        for name, moment in moments_of(bins).items()
        if windows and str(Moment(moment.series, 0)) in bins
    }
    bins |= shared
    codes |= {name: own.code(by_name[name]) for name, own in shared.items()}
    result: list[Variable] = [
        numeric[variable.name].cut(bins[variable.name]) if variable.name in wanted else variable
        for variable in variables
    ]
    cells = [codes[name] if name in wanted or name not in numeric else by_name[name] for name in by_name]
    notes = [_note(numeric[name], bins[name], chosen[name]) for name in numeric if name in wanted]
    return result, cells, notes


def _rule(name: str, rules: Rules) -> Rule:
    rule = rules.get(name) if isinstance(rules, Mapping) else rules
    return EqualFrequency() if rule is None else rule


def _refinements(
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


def _note(variable: Continuous, bins: Bins, rule: Rule) -> str:
    """One sentence on how a column of numbers was cut."""
    why = f" ({variable.origin.why})" if variable.origin.why else ""
    intervals = count_of(len(bins.labels), "interval")
    return f"column {variable.name!r} is continuous{why} and was cut into {intervals} by {rule}"
