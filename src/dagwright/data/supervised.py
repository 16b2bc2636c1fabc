"""Cut points that tell the states of a target apart (Fayyad & Irani 1993)."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from dagwright.data.bins import Bins, Scale
from dagwright.data.columns import Floats
from dagwright.data.discretize import MDLP, Rule, between
from dagwright.data.states import Codes, missing_code
from dagwright.data.tallies import Counts, n_log_n, tally
from dagwright.errors import unknown_name


def supervised_bins(
    codes: Mapping[str, Codes],
    numbers: Mapping[str, Floats],
    bins: Mapping[str, Bins],
    rules: Mapping[str, Rule],
    weights: Floats | None,
) -> dict[str, Bins]:
    """Cut points of the columns under an :class:`MDLP` rule, given the codes of their targets.

    A target that is itself under the rule keeps the cut points it has.
    """
    done = {}
    for name, rule in rules.items():
        if not isinstance(rule, MDLP) or rule.target == name:
            continue
        if rule.target not in codes:
            raise unknown_name("column", rule.target, sorted(codes))
        values, counts = class_counts(numbers[name], codes[rule.target], weights)
        done[name] = Bins(mdlp_cuts(values, counts, bins[name].scale), bins[name].scale)
    return done


def class_counts(values: Floats, target: Codes, weights: Floats | None) -> tuple[Floats, Counts]:
    """The distinct values in order, and how often each state of the target goes with each of them."""
    present = ~np.isnan(values) & (target != missing_code(target))
    distinct, at = np.unique(values[present], return_inverse=True)
    states = int(target[present].max(initial=0)) + 1
    cells = at.astype(np.intp) * states + target[present]
    given = None if weights is None else weights[present]
    return distinct, tally(cells, given, len(distinct) * states).reshape(len(distinct), states)


def mdlp_cuts(values: Floats, counts: Counts, scale: Scale = "number") -> tuple[float, ...]:
    """Recursive two-way splits of least class entropy, as long as each shortens the description."""
    cuts = []
    open_ranges = [(0, len(values))]
    below = np.vstack([np.zeros(counts.shape[1]), np.cumsum(counts, axis=0)])
    while open_ranges:
        first, end = open_ranges.pop()
        at = _best_split(below, first, end)
        if at is not None:
            cuts.append(between(values[at - 1], values[at], scale))
            open_ranges += [(first, at), (at, end)]
    return tuple(sorted(cuts))


def _best_split(below: Counts, first: int, end: int) -> int | None:
    """Where to split the values from ``first`` to before ``end``; None where no split is worth its bits."""
    if end - first < 2:
        return None
    whole = below[end] - below[first]
    left = below[first + 1 : end] - below[first]
    right = whole - left
    N = float(whole.sum())
    information = _entropy_bits(left) + _entropy_bits(right)
    # Of equal splits, within rounding, the one nearest to the middle, then the lowest.
    ties = np.flatnonzero(information <= information.min() + 1e-12 * max(1.0, N))
    halves = np.round(np.abs(left[ties].sum(axis=1) - N / 2), 9)
    best = int(ties[np.lexsort((ties, halves))[0]])
    parts = (whole, left[best], right[best])
    entropies = [float(_entropy_bits(part[None, :])[0]) for part in parts]
    classes = [int((part > 0).sum()) for part in parts]
    mixed = [k * e / float(part.sum()) for k, e, part in zip(classes, entropies, parts, strict=True)]
    # log2(3^k - 2), for any k
    delta = classes[0] * math.log2(3) + math.log2(1 - 2 * 3.0 ** -classes[0]) - mixed[0] + mixed[1] + mixed[2]
    gain = entropies[0] - float(information[best])
    return first + 1 + best if gain > math.log2(max(N - 1, 1.0)) + delta else None


def _entropy_bits(counts: Counts) -> Floats:
    """N times the class entropy of each row, in bits."""
    result: Floats = (n_log_n(counts.sum(axis=1)) - n_log_n(counts).sum(axis=1)) / math.log(2)
    return result
