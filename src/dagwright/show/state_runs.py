"""Many states in few bars: the likeliest and the rest, or neighbors together where states have an order."""

from __future__ import annotations

from collections.abc import Sequence


def state_groups(shares: Sequence[float], most: int, *, ordered: bool) -> list[range | list[int]]:
    """The states of each bar, at most ``most`` bars.

    States with an order are joined to neighbors, the two rarest neighbors first, so that the bars keep the
    order. Of states without one the likeliest stay alone, and the last bar holds the others.

    >>> state_groups([0.4, 0.1, 0.1, 0.4], 3, ordered=True)
    [range(0, 1), range(1, 3), range(3, 4)]
    >>> state_groups([0.1, 0.4, 0.1, 0.4], 3, ordered=False)
    [range(1, 2), range(3, 4), [0, 2]]
    """
    alone = [range(at, at + 1) for at in range(len(shares))]
    if len(shares) <= most:
        return [*alone]
    if not ordered:
        likely = set(sorted(range(len(shares)), key=lambda at: (-shares[at], at))[: most - 1])
        rest = [at for at in range(len(shares)) if at not in likely]
        return [*(one for one in alone if one[0] in likely), rest]
    runs, sums = alone, list(shares)
    while len(runs) > most:
        at = min(range(len(runs) - 1), key=lambda k: (sums[k] + sums[k + 1], k))
        runs[at : at + 2] = [range(runs[at].start, runs[at + 1].stop)]
        sums[at : at + 2] = [sums[at] + sums[at + 1]]
    return [*runs]


def group_label(labels: Sequence[str], group: range | list[int]) -> str:
    """The state itself, "first to last" of a run, or how many others there are."""
    if isinstance(group, list):
        return f"{len(group)} others"
    return labels[group[0]] if len(group) == 1 else f"{labels[group[0]]} to {labels[group[-1]]}"
