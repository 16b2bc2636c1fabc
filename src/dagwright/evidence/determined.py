"""Columns that determine each other, such as a duplicate or the sum of others.

Under most measures of numbers a set of such columns has no maximum of the likelihood, and a family that holds
it scores minus infinity. That changes which other edges are found, so results warn.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dagwright.data.collinear import collinear
from dagwright.evidence.bound import Bound
from dagwright.evidence.counting import NativeMeasure
from dagwright.evidence.incomplete import IncompleteScore
from dagwright.evidence.numbers import Numbers
from dagwright.evidence.protocols import Family
from dagwright.graph.dag import Dag
from dagwright.sentences import Argument, Sentence

UNEXPLAINED = 1e-12
"""The share of its variance that rounding leaves of a column that the others determine."""
SHARE = 1e-6
"""The least standardized coefficient of a column that takes part."""
SHOWN = 5


def determined_columns(judge: Bound) -> list[tuple[str, ...]]:
    """Sets of columns without gaps in which each one is a linear function of the others.

    States count by their indicators, where a set with such columns has no score. Empty where rows are counted
    and not summed, and where there are no more rows than numbers in a row, because all columns depend on each
    other then.

    >>> from dagwright import BIC, read
    >>> from dagwright.evidence import Gaussian
    >>> from dagwright.evidence.binding import bind_score
    >>> a, b = [1.0, 2.0, 4.0, 8.0, 5.0], [3.0, 1.0, 4.0, 1.0, 6.0]
    >>> rows = {"a": a, "b": b, "total": [x + y for x, y in zip(a, b)]}
    >>> determined_columns(bind_score(BIC(measure=Gaussian()), read(rows, max_number_states=2)))
    [('a', 'b', 'total')]
    """
    measure = judge.data
    if not isinstance(measure, NativeMeasure) or not isinstance(measure.counting, Numbers):
        return []
    table = measure.counting.table
    covariance = measure.counting.moments.matrix.covariance
    owners = [v for v in table.schema if not table.missing[v.name] for _ in range(v.cardinality or 1)]
    if len(owners) >= table.N:
        return []
    # The indicators of a column add up to 1: all but the first that varies.
    varying = np.flatnonzero(np.diag(covariance) > 0).tolist()
    first = {owners[i].name: i for i in reversed(varying) if owners[i].is_discrete}
    kept = [i for i in varying if first.get(owners[i].name) != i]
    discrete = {owner.name for owner in owners if owner.is_discrete}
    scale = np.sqrt(np.diag(covariance)[kept])
    correlations = covariance[np.ix_(kept, kept)] / np.outer(scale, scale)
    groups: list[frozenset[str]] = []
    for group in collinear(correlations, UNEXPLAINED, SHARE):
        names = frozenset(owners[kept[i]].name for i in group)
        if not names & discrete or not _scores(judge, names):
            groups.append(names)
    whole = [one for one in dict.fromkeys(groups) if not any(one < other for other in groups)]
    return [tuple(name for name in table.names if name in one) for one in whole]


def unscorable_sets(score: Bound, graph: Dag) -> list[frozenset[str]]:
    """The smallest sets of columns for which families of the graph score minus infinity."""
    sets: list[frozenset[str]] = []
    for node in graph.nodes:
        members = frozenset([node, *graph.parents(node)])
        if not _scores(score, members) and not any(known <= members for known in sets):
            for name in sorted(members, key=score.numbering.number.__getitem__):
                if len(members) > 2 and not _scores(score, members - {name}):
                    members -= {name}
            sets.append(members)
    return sets


def _scores(score: Bound, members: frozenset[str]) -> bool:
    """Whether the family of these columns has a score; which of them is the child does not matter."""
    if isinstance(score, IncompleteScore):
        score = score.on_known(members)
    child, *parents = sorted(score.numbering.number[name] for name in members)
    return score.local([Family(child, frozenset(parents))])[0] > -math.inf


def cautions(groups: Sequence[Sequence[str]]) -> list[Sentence]:
    """What a result says about columns that determine each other."""
    return [
        Sentence(
            f"columns {', '.join(map(repr, group))} are exactly collinear, so the data cannot tell their "
            "edges apart; leave one out with ",
            Argument("exclude", [group[-1]]),
        )
        for group in groups[:SHOWN]
    ]
