"""The network that sampling begins from: the caller's, what knowledge requires, or any that is possible."""

from __future__ import annotations

import math

import numpy as np

from dagwright import _core
from dagwright.confidence.setting import Setting
from dagwright.errors import KnowledgeError, OptionError
from dagwright.graph.dag import Dag
from dagwright.sentences import Argument


def starting_network(
    setting: Setting, weights: _core.FamilyWeights, candidates: list[list[int]]
) -> list[list[int]]:
    """For every variable its parents; refused where the caller's graph, or every graph, is impossible."""
    start = setting.first_network()
    impossible = _impossible(weights, candidates, start)
    if impossible is None:
        return start
    if setting.start is None:
        return _possible(setting, weights, candidates)
    child = impossible
    name = setting.names[child]
    if missing := set(start[child]) - set(candidates[child]):
        raise OptionError(
            f"the starting graph gives {name!r} the parent {setting.names[min(missing)]!r}, which is not "
            "among its candidates; add it to them",
        )
    parents = ", ".join(repr(setting.names[p]) for p in start[child]) or "no parents"
    raise OptionError(
        f"the starting graph is impossible: the prior, the score or max_parents rules out {name!r} with "
        f"{parents}; give another ",
        Argument("start"),
    )


def _impossible(
    weights: _core.FamilyWeights, candidates: list[list[int]], parents: list[list[int]]
) -> int | None:
    """A variable whose family has no weight; None if there is none."""
    for child, row in enumerate(parents):
        if not set(row) <= set(candidates[child]):
            return child
        mask = sum(1 << candidates[child].index(parent) for parent in row)
        if weights.logs(child)[mask] == -math.inf:
            return child
    return None


def _possible(setting: Setting, weights: _core.FamilyWeights, candidates: list[list[int]]) -> list[list[int]]:
    """Place variables one after the other, each with the heaviest parents among those before it.

    What a variable can have among some variables it can have among more of them, so that this finds an order
    whenever there is one.
    """
    n = len(setting.names)
    parents: list[list[int]] = [[] for _ in range(n)]
    left, placed = list(range(n)), set[int]()
    while left:
        for child in left:
            row = candidates[child]
            outside = sum(1 << at for at, parent in enumerate(row) if parent not in placed)
            logs = np.where(np.arange(1 << len(row)) & outside, -np.inf, weights.logs(child))
            heaviest = int(np.argmax(logs))
            if logs[heaviest] > -math.inf:
                parents[child] = [parent for at, parent in enumerate(row) if heaviest >> at & 1]
                left.remove(child)
                placed.add(child)
                break
        else:
            names = ", ".join(repr(setting.names[child]) for child in left)
            raise OptionError(
                f"no network is possible under the prior, the knowledge and the candidates: {names} cannot "
                "all have parents that these allow"
            )
    arcs = [(setting.names[p], setting.names[child]) for child in range(n) for p in parents[child]]
    if setting.knowledge.check(Dag(setting.names, arcs)):
        raise KnowledgeError(
            "no network to begin from was found that keeps the required edges; give ",
            Argument("start"),
        )
    return parents
