"""Groups of options that many commands share: how to read, how to learn, how to run."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

from dagwright.cli import inputs, options, per_column
from dagwright.cli.methods_from_text import method
from dagwright.errors import OptionError

Given = dict[str, Any]
"""The values of a group, under the names that the library gives them."""


def reading(
    *,
    format: options.Format = None,  # noqa: A002
    connection: options.Connection = None,
    engine: options.Engine = None,
    into: options.Into = None,
    memory_mib: options.MemoryMib = None,
    sheet: options.Sheet = None,
    separator: options.Separator = None,
    decimal: options.Decimal = None,
    quote: options.Quote = None,
    encoding: options.Encoding = None,
    header: options.Header = True,
    missing_value: options.MissingValues = None,
    name: options.Names = None,
    column: options.Columns = None,
    exclude: options.Exclude = None,
    weights: options.Weights = None,
    kind: options.Kinds = None,
    states: options.States = None,
    discretize: options.Discretize = None,
    rare: options.Rare = None,
    max_number_states: options.MaxNumberStates = None,
    ordered: options.Ordered = None,
    dates: options.Dates = None,
) -> Given:
    """The options of `read` that were given."""
    given: Given = {
        "format": format,
        "connection": connection,
        "engine": engine,
        "into": into,
        "memory_mib": memory_mib,
        "sheet": int(sheet) if sheet is not None and sheet.isdecimal() else sheet,
        "separator": "\t" if separator == "\\t" else separator,
        "decimal": decimal,
        "quote": quote or None,
        "encoding": encoding,
        "header": None if header else False,
        "missing_values": missing_value or None,
        "names": name or None,
        "columns": column or None,
        "exclude": exclude or None,
        "weights": weights,
        "kinds": per_column.kinds(kind),
        "states": per_column.states(states),
        "discretize": per_column.for_columns(
            discretize, "--discretize", lambda text: method(text, "discretization")
        ),
        "rare": per_column.for_columns(rare, "--rare", per_column.number_of("--rare")),
        "max_number_states": max_number_states,
        "ordered": tuple(ordered) if ordered else None,
        "dates": per_column.dates(dates),
    }
    kept = {name: value for name, value in given.items() if value is not None}
    return kept | {"quote": None} if quote == "" else kept


def series(
    *,
    lags: options.Lags = None,
    time: options.Time = None,
    sequence: options.Sequence = None,
    static: options.Static = None,
    contemporaneous: options.Contemporaneous = True,
    gaps: options.TimeGaps = "break",
) -> Given:
    """The windows of time series, as `Table.lagged` takes them; empty for rows that are not time steps."""
    named = {"--time": time, "--sequence": sequence, "--static": static}
    if lags is None:
        for flag, value in named.items():
            if value:
                raise OptionError(f"{flag} belongs to time series; say how many steps back to look: --lags 1")
        return {}
    return {
        "lags": lags,
        "time": time,
        "sequence": sequence,
        "static": tuple(static or ()),
        "contemporaneous": contemporaneous,
        "gaps": gaps,
    }


def learning(
    *,
    score: options.Score = None,
    search: options.Search = None,
    structure_prior: options.StructurePrior = None,
    missing: options.Missing = None,
) -> Given:
    """The options of `learn`."""
    return {
        "score": method(score, "score", "test", "measure"),
        "search": method(search, "search"),
        "structure_prior": method(structure_prior, "prior"),
        "missing": missing,
    }


def known(
    *,
    knowledge: options.Knowledge = None,
    require: options.Require = None,
    forbid: options.Forbid = None,
    tier: options.Tier = None,
) -> Given:
    """The options for knowledge, the same for every command that takes it."""
    return {"knowledge": inputs.read_knowledge(knowledge, require or (), forbid or (), tier or ())}


def experiments(*, condition: options.Condition = None, sets: options.Sets = None) -> Given:
    """Which variables the experiment of a row sets, as `Table.with_interventions` takes it."""
    return {"interventions": inputs.read_interventions(condition, sets or ())}


def parent_sets(
    *,
    score: options.Score = None,
    max_parents: Annotated[
        int | None, typer.Option(min=0, help="The largest number of parents of a node.")
    ] = None,
    structure_prior: options.StructurePrior = None,
    missing: options.Missing = None,
    memory: Annotated[
        int | None, typer.Option(min=1, help="The memory limit for parent sets in bytes.")
    ] = None,
    time_limit: options.TimeLimit = None,
    threads: options.Threads = None,
) -> Given:
    """The options of `candidates`: the score of parent sets and the bound on their size."""
    return {
        "score": method(score, "score", "measure"),
        "max_parents": max_parents,
        "structure_prior": method(structure_prior, "prior"),
        "missing": missing,
        "memory": memory,
        "time_limit": time_limit,
        "threads": threads,
    }


def running(
    *,
    seed: options.Seed = 0,
    threads: options.Threads = None,
    time_limit: options.TimeLimit = None,
) -> Given:
    """Chance, threads and time, as `learn` takes them."""
    return {"random_state": seed, "threads": threads, "time_limit": time_limit}


def takes(*groups: Callable[..., Given]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of groups; it gets the values of each as an argument of the group's name."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command, eval_str=True).parameters
        shared = {group.__name__: inspect.signature(group, eval_str=True).parameters for group in groups}
        parameters = [option for name, option in own.items() if name not in shared]
        parameters += [option for of_group in shared.values() for option in of_group.values()]

        @functools.wraps(command)
        def with_options(**values: Any) -> None:
            made = {
                group.__name__: group(**{name: values.pop(name) for name in shared[group.__name__]})
                for group in groups
            }
            command(**values, **made)

        with_options.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        with_options.__annotations__ = {option.name: option.annotation for option in parameters}
        return with_options

    return decorate
