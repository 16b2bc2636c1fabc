"""Rows in which an experiment set variables: which variable was set in which row."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dagwright.errors import DataError, OptionError, unknown_name
from dagwright.sentences import Argument

if TYPE_CHECKING:
    from dagwright.data.stored_rows import StoredRows
    from dagwright.data.table import Table

Mask = npt.NDArray[np.bool_]
Masks = dict[str, Mask]
Conditions = Mapping[str, Mapping[Hashable, "str | Iterable[str]"]]
"""The column that names the condition of each row, and for each condition the variables that it sets."""


def conditions(given: Any) -> dict[str, dict[Hashable, tuple[str, ...]]] | None:
    """The map of a condition column to targets, in one form; None where masks of rows were given."""
    if not isinstance(given, Mapping):
        raise OptionError(
            "interventions must map each variable to a mask of rows, or the column that names the condition "
            "to the targets of each, as in {'condition': {'control': [], 'drug': ['Akt']}}; got "
            f"{type(given).__name__}"
        )
    if not any(isinstance(value, Mapping) for value in given.values()):
        return None
    if len(given) != 1:
        raise OptionError(
            f"interventions has {len(given)} entries, and one of them maps conditions to targets; give that "
            "one alone"
        )
    ((column, targets),) = given.items()
    return {
        str(column): {
            state: (own,) if isinstance(own, str) else tuple(dict.fromkeys(own))
            for state, own in targets.items()
        }
    }


def masks_of_conditions(table: StoredRows, column: str, targets: Mapping[Hashable, tuple[str, ...]]) -> Masks:
    """For each target the rows whose condition sets it."""
    if column not in table.names:
        raise unknown_name("column of conditions", column, table.names)
    if not table.schema[column].is_discrete:
        raise DataError(
            f"column {column!r} names the conditions and holds numbers; read it as states: ",
            Argument("kinds", {column: "category"}, of="read"),
        )
    if table.missing[column]:
        raise DataError(
            f"{table.missing[column]:,} rows have no condition: column {column!r} has missing cells"
        )
    known = dict(targets)
    by_text = {str(state): own for state, own in targets.items()}
    masks: Masks = {}
    codes = table.codes(column)
    for code, state in enumerate(table.states_of(column)):
        own = known.get(state, by_text.get(str(state)))
        rows = codes == code
        if own is None:
            if not rows.any():
                continue
            raise DataError(
                f"the condition {state!r} of column {column!r} has no targets; name the variables that it "
                "sets, or none, in ",
                Argument("interventions"),
            )
        for target in own:
            if target == column or target not in table.names:
                raise unknown_name(
                    f"target of the condition {state!r}",
                    target,
                    [name for name in table.names if name != column],
                )
            masks[target] = masks.get(target, np.zeros(table.n_rows, dtype=np.bool_)) | rows
    return masks


def checked_masks(masks: Mapping[str, npt.ArrayLike], names: tuple[str, ...], n_rows: int) -> Masks:
    """Read-only masks by name; variables that were never set have none."""
    found: Masks = {}
    for name, given in masks.items():
        if name not in names:
            raise unknown_name("target of an intervention", name, names)
        mask = np.array(given)
        if mask.ndim != 1 or len(mask) != n_rows or mask.dtype != np.bool_:
            raise DataError(
                f"the intervention on {name!r} must be {n_rows:,} booleans, one per row, True where it was "
                f"set; got {mask.size:,} of type {mask.dtype}"
            )
        if mask.any():
            mask.flags.writeable = False
            found[name] = mask
    return {name: found[name] for name in sorted(found)}


def targets_of(rows: StoredRows) -> tuple[frozenset[str], ...]:
    """The different sets of variables that were set together in some row, sorted; empty without any."""
    return tuple(target for target, _ in regimes(rows)) if rows.interventions else ()


def regimes(rows: StoredRows) -> list[tuple[frozenset[str], npt.NDArray[np.intp]]]:
    """The rows that have the same variables set, by these variables; one regime without interventions."""
    masks = rows.interventions
    if not masks:
        return [(frozenset(), np.arange(rows.n_rows))]
    names = list(masks)
    patterns = np.stack([masks[name] for name in names], axis=1)
    distinct, of_row = np.unique(patterns, axis=0, return_inverse=True)
    found = [
        (
            frozenset(name for name, is_set in zip(names, pattern, strict=True) if is_set),
            np.flatnonzero(of_row.ravel() == at),
        )
        for at, pattern in enumerate(distinct)
    ]
    return sorted(found, key=lambda regime: (len(regime[0]), sorted(regime[0])))


def require_unset(table: Table) -> None:
    """Refuse a variable that was set in every row: nothing is known of its causes."""
    for name, mask in table.interventions.items():
        free = ~mask if table.weights is None else ~mask & (table.weights > 0)
        if not free.any():
            raise DataError(
                f"{name!r} was set in every row, so its causes cannot be learned; add rows in which it was "
                "not set, or leave it out with ",
                Argument("exclude", [name]),
            )
