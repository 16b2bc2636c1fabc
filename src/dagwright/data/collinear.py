"""Groups of columns in which each is a linear combination of the others, from their correlations."""

from __future__ import annotations

import numpy as np

from dagwright.data.columns import Floats


def collinear(correlations: Floats, residue: float, share: float) -> list[list[int]]:
    """The numbers of the columns of each group, overlapping dependences as one group.

    Parameters
    ----------
    correlations
        A column with zeros alone is constant and in no group.
    residue
        The share of its variance that the others leave of a column in a group, at most.
    share
        The least standardized coefficient of a column that takes part.

    >>> collinear(np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 1.0]]), 1e-9, 1e-6)
    [[0, 2]]
    """
    varying = np.flatnonzero(np.diag(correlations) > 0)
    left = correlations[np.ix_(varying, varying)].copy()
    # No column leaves less than the smallest eigenvalue.
    if not len(varying) or np.linalg.eigvalsh(left)[0] > 2 * residue:
        return []
    root = list(range(len(varying)))
    basis: list[int] = []
    for at in range(len(varying)):  # Gauss-Jordan: columns that are left over end as their coefficients
        if left[at, at] > residue:
            row = left[at] / left[at, at]
            left -= np.outer(left[:, at], row)
            left[at] = row
            basis.append(at)
            continue
        members = {root[at], *(root[i] for i in basis if abs(left[i, at]) > share)}
        root = [min(members) if one in members else one for one in root]
    groups: dict[int, list[int]] = {}
    for at, one in enumerate(root):
        groups.setdefault(one, []).append(int(varying[at]))
    return [members for members in groups.values() if len(members) > 1]
