"""Information-preserving discretization of several columns at once (Hartemink 2001, chapter 4).

All columns merge on the same picture of the others and then change together, so the order of columns has
no influence.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from dagwright.data.bins import Bins
from dagwright.data.columns import Floats
from dagwright.data.discretize import Hartemink, Rule
from dagwright.data.states import Codes, missing_code
from dagwright.data.tallies import n_log_n, tally

Joint = npt.NDArray[np.float64]


def merged_bins(
    codes: Mapping[str, Codes], bins: Mapping[str, Bins], rules: Mapping[str, Rule], weights: Floats | None
) -> dict[str, Bins]:
    """Final cut points of the columns under a :class:`Hartemink` rule, given their initial fine ones.

    Columns under other rules, and categories, take part as they are.
    """
    targets = {name: rule.bins for name, rule in sorted(rules.items()) if isinstance(rule, Hartemink)}
    names = sorted(codes)
    joints: dict[tuple[str, str], Joint] = {}
    for a in targets:
        for b in names:
            if a != b and (b, a) not in joints:
                joints[a, b] = _joint(codes[a], codes[b], weights)
    mass = {a: _joint(codes[a], np.zeros_like(codes[a]), weights)[:, 0] for a in targets}
    cuts = {a: list(bins[a].cuts) for a in targets}
    for a in targets:  # a bin may be empty only above or below all values
        mass[a] = np.pad(mass[a], (0, len(cuts[a]) + 1 - len(mass[a])))
    while True:
        merges = {
            a: _cheapest_merge(a, [b for b in names if b != a], joints, mass[a])
            for a, target in targets.items()
            if len(cuts[a]) + 1 > target
        }
        if not merges:
            return {a: Bins(tuple(cuts[a]), bins[a].scale) for a in targets}
        for a, at in merges.items():
            del cuts[a][at]
            mass[a] = _merge(mass[a], at, 0)
            for pair, joint in joints.items():
                if a in pair:
                    joints[pair] = _merge(joint, at, pair.index(a))


def _joint(a: Codes, b: Codes, weights: Floats | None) -> Joint:
    present = (a != missing_code(a)) & (b != missing_code(b))
    rows = (int(a[present].max(initial=0)) + 1, int(b[present].max(initial=0)) + 1)
    cell = a[present].astype(np.intp) * rows[1] + b[present]
    return tally(cell, None if weights is None else weights[present], rows[0] * rows[1]).reshape(rows)


def _merge(table: Joint, at: int, axis: int) -> Joint:
    """Positions ``at`` and ``at + 1`` of an axis added up; a table that ends before has nothing to add."""
    if at + 1 >= table.shape[axis]:
        return table
    merged = np.delete(table, at + 1, axis=axis)
    index = [slice(None)] * table.ndim
    source = index.copy()
    index[axis], source[axis] = slice(at, at + 1), slice(at + 1, at + 2)
    merged[tuple(index)] += table[tuple(source)]
    return merged


def _cheapest_merge(a: str, others: list[str], joints: Mapping[tuple[str, str], Joint], mass: Floats) -> int:
    """The cut of ``a`` whose removal loses least information; ties go to the least populated neighbors."""
    loss = np.zeros(len(mass) - 1)
    for b in others:
        joint = joints[a, b] if (a, b) in joints else joints[b, a].T
        part = _loss_of_merges(joint)
        loss[: len(part)] += part
    rounded = np.round(loss / max(float(np.abs(loss).max()), 1e-300), 12)
    return int(np.lexsort((np.arange(len(loss)), mass[:-1] + mass[1:], rounded))[0])


def _loss_of_merges(joint: Joint) -> Floats:
    """Loss of mutual information, in nats times the number of cases, for merging each row with the next."""

    def terms(rows: Joint) -> Floats:
        inside: Floats = n_log_n(rows).sum(axis=1)
        return inside - n_log_n(rows.sum(axis=1))

    apart = terms(joint)
    loss: Floats = np.maximum(apart[:-1] + apart[1:] - terms(joint[:-1] + joint[1:]), 0.0)
    return loss
