"""Columns that number or name the rows, and so tell nothing about the next row."""

from __future__ import annotations

import numpy as np

from dagwright.data.columns import SourceColumn, ValuesSeen

FEW_STATES = 20
NEARLY_UNIQUE = 0.9


def nearly_unique(distinct: int, present: int) -> bool:
    """Whether the distinct values are nearly as many as the cells."""
    return distinct > FEW_STATES and distinct > NEARLY_UNIQUE * present


def identifier(column: SourceColumn) -> str:
    """Why a column looks like an identifier of the rows, or "" if it does not.

    Text is an identifier if hardly any value repeats. Whole numbers are if they number the rows, in any
    order: no value repeats, and at most a tenth of the numbers between the smallest and the largest do not
    occur. Real numbers and dates never are.
    """
    if isinstance(column, ValuesSeen):
        return column.identifier
    if column.content in ("text", "mixed", "declared"):
        distinct, present = len(column.factor.values), column.n_rows - column.missing
        return texts_naming_rows(distinct, present)
    if column.content != "integer":
        return ""
    numbers = column.numbers
    known = numbers[np.isfinite(numbers)]
    if len(known) <= FEW_STATES:
        return ""
    low, high = float(known.min()), float(known.max())
    if not may_number_rows(len(known), low, high):
        return ""
    if np.bincount((known - low).astype(np.intp)).max() > 1:
        return ""
    return numbers_of_rows(len(known), low, high)


def texts_naming_rows(distinct: int, present: int) -> str:
    """The reason for a column of text, or "" if its values repeat."""
    return f"{distinct:,} distinct texts in {present:,} rows" if nearly_unique(distinct, present) else ""


def may_number_rows(present: int, low: float, high: float) -> bool:
    """Whether this many whole numbers in this range number the rows if none repeats."""
    return present > FEW_STATES and present <= high - low + 1 < present / NEARLY_UNIQUE


def numbers_of_rows(present: int, low: float, high: float) -> str:
    """The reason for a column of whole numbers."""
    return f"{present:,} consecutive whole numbers, from {low:.0f} to {high:.0f}"
