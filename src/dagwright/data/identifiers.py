"""Columns that number or name the rows, and so tell nothing about the next row."""

from __future__ import annotations

import numpy as np

from dagwright.data.columns import SourceColumn

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
    if column.content in ("text", "mixed", "declared"):
        distinct, present = len(column.factor.values), column.n_rows - column.missing
        return f"{distinct:,} distinct texts in {present:,} rows" if nearly_unique(distinct, present) else ""
    if column.content != "integer":
        return ""
    numbers = column.numbers
    known = numbers[np.isfinite(numbers)]
    if len(known) <= FEW_STATES:
        return ""
    low, high = float(known.min()), float(known.max())
    span = high - low + 1
    if not len(known) <= span < len(known) / NEARLY_UNIQUE:
        return ""
    if np.bincount((known - low).astype(np.intp)).max() > 1:
        return ""
    return f"{len(known):,} consecutive whole numbers, from {low:.0f} to {high:.0f}"
