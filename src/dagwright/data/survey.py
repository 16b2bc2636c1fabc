"""The data as people look at them before learning: the report, how values are spread, the first rows."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dagwright.data.bins import Scale
from dagwright.data.columns import SourceColumn
from dagwright.data.plan import Plan, planned, split_options
from dagwright.data.report import DataReport, coded_as_far_as_possible, report_of_plan
from dagwright.data.states import missing_code
from dagwright.data.table import Table

STEPS = 40
"""Bars of a histogram."""


@dataclass(frozen=True)
class Histogram:
    """The numbers of a column before they are cut: rows between each two edges, and the cut points.

    ``cut`` tells columns that are read as intervals from those that stay numbers until a method asks for
    intervals.
    """

    edges: tuple[float, ...]
    counts: tuple[float, ...]
    cut_points: tuple[float, ...]
    scale: Scale
    cut: bool


@dataclass(frozen=True)
class Survey:
    """The result of `survey`.

    Attributes
    ----------
    report
        What `describe` gives.
    table
        The columns that can be coded, numbers cut into intervals; None if there is none.
    counts
        For each of these columns the weight of the rows in each state.
    histograms
        For each column of numbers how they are spread.
    rows
        The first rows as they stand in the source, None where a cell is missing.
    identifiers
        The columns that learning leaves out, each with the reason.
    """

    report: DataReport
    table: Table | None
    counts: dict[str, tuple[float, ...]]
    histograms: dict[str, Histogram]
    rows: list[list[Hashable]]
    identifiers: dict[str, str]


def survey(source: Any, *, first_rows: int = 50, **options: Any) -> Survey:
    """Look at a source that `read` takes, with its options; the source is opened once.

    >>> found = survey({"size": [1.5, 2.5, 9.0] * 20, "sex": ["f", "m", "f"] * 20}, max_number_states=2)
    >>> found.counts["sex"], sum(found.histograms["size"].counts)
    ((40.0, 20.0), 60.0)
    """
    how, coding = split_options(options, "survey()")
    plan = planned(source, how, coding)
    whole, refused = coded_as_far_as_possible(plan, coding)
    table = None if whole is None else whole.discretized()
    counts = {} if table is None else {name: _counts(table, name) for name in table.names}
    return Survey(
        report_of_plan(plan, whole, refused),
        table,
        counts,
        {
            column.name: _histogram(column, plan, table, cut=_is_cut(whole, column.name))
            for column, decision in zip(plan.columns, plan.decisions, strict=True)
            if decision.kind == "continuous" and column.name in counts
        },
        _first_rows(plan.columns, first_rows),
        plan.identifiers,
    )


def _counts(table: Table, name: str) -> tuple[float, ...]:
    codes = table.codes(name)
    known = codes != missing_code(codes)
    weights = None if table.weights is None else table.weights[known]
    found = np.bincount(codes[known].astype(np.intp), weights, len(table.states_of(name)))
    return tuple(found.astype(np.float64).tolist())


def _is_cut(whole: Table | None, name: str) -> bool:
    return whole is not None and name in whole.names and whole.schema[name].is_discrete


def _histogram(column: SourceColumn, plan: Plan, table: Table | None, *, cut: bool) -> Histogram:
    numbers = column.numbers
    known = np.isfinite(numbers)
    weights = None if plan.weights is None else plan.weights[known]
    values = numbers[known]
    span = (float(values.min()), float(values.max())) if values.size else (0.0, 1.0)
    if span[0] == span[1] or not np.isfinite(span[1] - span[0]):
        counts, edges = np.array([float(values.size)]), np.array(span)
    else:
        found, edges = np.histogram(values, min(STEPS, max(1, len(np.unique(values)))), span, weights=weights)
        counts = found.astype(np.float64)
    bins = None if table is None else table.bins.get(column.name)
    return Histogram(
        tuple(edges.tolist()), tuple(counts.tolist()), () if bins is None else bins.cuts, column.scale, cut
    )


def _first_rows(columns: list[SourceColumn], most: int) -> list[list[Hashable]]:
    return [list(row) for row in zip(*(column.cells(most) for column in columns), strict=True)]
