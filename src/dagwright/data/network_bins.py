"""Cut points that serve a network: description length of bins and network together.

After Friedman & Goldszmidt (1996): a cut of a column pays where the column then tells more of its parents and
children than the cut and the further parameters cost. For the other columns as they are, the best cuts of one
column are found exactly by dynamic programming over neighboring intervals; columns are visited in turn until
nothing changes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from dagwright import _core
from dagwright.data.bins import Bins
from dagwright.data.columns import Floats
from dagwright.data.discretize import NetworkMDL, Rule, equal_frequency
from dagwright.data.states import Codes, missing_code
from dagwright.data.table import Table
from dagwright.data.tallies import Counts, n_log_n, tally
from dagwright.errors import unknown_name
from dagwright.graph.dag import Dag

Groups = npt.NDArray[np.intp]
_START = 3


def network_bins(
    codes: Mapping[str, Codes], bins: Mapping[str, Bins], rules: Mapping[str, Rule], weights: Floats | None
) -> dict[str, Bins]:
    """Final cut points of the columns under a :class:`NetworkMDL` rule, given their initial fine ones."""
    found: dict[str, Bins] = {}
    for rule in dict.fromkeys(rule for rule in rules.values() if isinstance(rule, NetworkMDL)):
        own = [name for name in rules if rules[name] == rule]
        found |= _Chooser({**codes}, {name: bins[name] for name in own}, rule, weights).run()
    return found


class _Chooser:
    """The columns with the bins they have so far."""

    def __init__(
        self, codes: dict[str, Codes], fine: dict[str, Bins], rule: NetworkMDL, weights: Floats | None
    ) -> None:
        self.rule, self.fine, self.weights = rule, fine, weights
        self.codes = codes
        # Columns are visited in an order that follows from the data.
        names = sorted(codes)
        table = Table(
            names,
            [codes[name] for name in names],
            [[str(state) for state in range(_states(codes[name], fine.get(name)))] for name in names],
            weights=weights,
        )
        self.names, self.N = table.canonical()[0].names, table.N
        self.present = {name: codes[name] != missing_code(codes[name]) for name in names}
        self.groups: dict[str, Groups] = {}
        self.sizes = {name: _states(codes[name], fine.get(name)) for name in names}
        self.groups = {name: self._start(name) for name in fine}

    def run(self) -> dict[str, Bins]:
        graph = self._graph()
        for _ in range(self.rule.rounds):
            before = dict(self.groups)
            for name in self.names:
                if name in self.fine:
                    self.groups[name] = self._best(name, graph)
            again = self._graph()
            same = all(np.array_equal(before[name], self.groups[name]) for name in before)
            if same and again.edges == graph.edges:
                break
            graph = again
        return {name: self._bins(name) for name in self.fine}

    def _start(self, name: str) -> Groups:
        """A few intervals of equal frequency, made of the fine ones."""
        mass = self._counts(name, ())[:, 0]
        return _groups_of(equal_frequency(mass, _START), len(mass))

    def _bins(self, name: str) -> Bins:
        fine = self.fine[name]
        changes = np.flatnonzero(np.diff(self.groups[name]))
        return Bins(tuple(fine.cuts[i] for i in changes), fine.scale)

    def _size(self, name: str) -> int:
        return int(self.groups[name][-1]) + 1 if name in self.groups else self.sizes[name]

    def _coded(self, name: str, rows: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
        codes = self.codes[name][rows].astype(np.intp)
        return self.groups[name][codes] if name in self.groups else codes

    def _graph(self) -> Dag:
        """The given graph, or the heaviest forest of edges that pay for their parameters."""
        given = self.rule.dag
        if given is not None:
            for node in given.nodes:
                if node not in self.codes:
                    raise unknown_name("column", node, sorted(self.codes))
            return Dag([*given.nodes, *(x for x in self.names if x not in given.nodes)], given.edges)
        n = len(self.names)
        gains = np.zeros((n, n))
        for i in range(n):
            for j in range(i):
                gains[i, j] = gains[j, i] = self._gain(self.names[i], self.names[j])
        links = _core.maximum_spanning_forest(gains, 0.0)
        return Dag(self.names, [(self.names[a], self.names[b]) for a, b in links])

    def _gain(self, one: str, other: str) -> float:
        """N times the mutual information of two columns, less the parameters of an edge."""
        rows = self.present[one] & self.present[other]
        shape = (self._size(one), self._size(other))
        cells = self._coded(one, rows) * shape[1] + self._coded(other, rows)
        counts = self._tally(cells, rows, shape[0] * shape[1]).reshape(shape)
        information = (
            n_log_n(counts).sum()
            + float(n_log_n(counts.sum(keepdims=True)).sum())
            - n_log_n(counts.sum(axis=0)).sum()
            - n_log_n(counts.sum(axis=1)).sum()
        )
        return float(information) - math.log(max(self.N, 1.0)) / 2 * (shape[0] - 1) * (shape[1] - 1)

    def _best(self, name: str, graph: Dag) -> Groups:
        """The intervals of one column that shorten the description most, all others as they are."""
        m = len(self.fine[name].cuts) + 1
        value = np.zeros((m + 1, m + 1))
        half = math.log(max(self.N, 1.0)) / 2
        parents = graph.parents(name)
        per_group = half * math.prod(self._size(parent) for parent in parents)
        if parents:
            value += _interval_sums(self._counts(name, parents))
            value -= _interval_sums(self._counts(name, parents).sum(axis=1, keepdims=True))
        for child in graph.children(name):
            others = [parent for parent in graph.parents(child) if parent != name]
            with_child = self._counts(name, [*others, child])
            split = with_child.reshape(m, -1, self._size(child)).sum(axis=2)
            value += _interval_sums(with_child) - _interval_sums(split)
            others_states = math.prod(self._size(other) for other in others)
            per_group += half * (self._size(child) - 1) * others_states
        most = min(self.rule.max_bins, m)
        return _groups_of(_best_partition(value, per_group, most), m)

    def _counts(self, name: str, context: Sequence[str]) -> Counts:
        """Counts of fine intervals by configurations of the context; the last column varies fastest."""
        rows = self.present[name].copy()
        for other in context:
            rows &= self.present[other]
        cells = self.codes[name][rows].astype(np.intp)
        width = 1
        for other in context:
            cells = cells * self._size(other) + self._coded(other, rows)
            width *= self._size(other)
        m = len(self.fine[name].cuts) + 1
        return self._tally(cells, rows, m * width).reshape(m, width)

    def _tally(self, cells: npt.NDArray[np.intp], rows: npt.NDArray[np.bool_], length: int) -> Counts:
        return tally(cells, None if self.weights is None else self.weights[rows], length)


def _states(codes: Codes, bins: Bins | None) -> int:
    if bins is not None:
        return len(bins.cuts) + 1
    present = codes[codes != missing_code(codes)]
    return int(present.max(initial=0)) + 1


def _groups_of(boundaries: Iterable[int], m: int) -> Groups:
    """The group of each fine interval, with a new group after each of the boundaries."""
    steps = np.zeros(m, dtype=np.intp)
    steps[[boundary + 1 for boundary in boundaries]] = 1
    groups: Groups = np.cumsum(steps)
    return groups


def _interval_sums(counts: Counts) -> Counts:
    """Entry (a, b): sum of n log n over the cells of the fine intervals a to b - 1 taken together."""
    m = len(counts)
    below = np.vstack([np.zeros(counts.shape[1]), np.cumsum(counts, axis=0)])
    sums = np.zeros((m + 1, m + 1))
    for a in range(m):
        sums[a, a + 1 :] = n_log_n(below[a + 1 :] - below[a]).sum(axis=1)
    return sums


def _best_partition(value: Counts, per_group: float, most: int) -> list[int]:
    """Boundaries of the intervals of largest value less their cost; at least two where there are two.

    The cost of k intervals is k ``per_group``, log k for the number, and log C(m - 1, k - 1) for the places.
    """
    m = len(value) - 1
    if m < 2:
        return []
    best = value[0].copy()
    starts = np.zeros((most + 1, m + 1), dtype=np.intp)
    found = (-math.inf, 2)
    tolerance = 1e-12 * max(1.0, float(np.abs(value).max()))
    for k in range(2, most + 1):
        previous, best = best, np.full(m + 1, -math.inf)
        for end in range(k, m + 1):
            choices = previous[k - 1 : end] + value[k - 1 : end, end]
            at = int(np.flatnonzero(choices >= choices.max() - tolerance)[0])
            best[end], starts[k, end] = choices[at], k - 1 + at
        places = math.lgamma(m) - math.lgamma(k) - math.lgamma(m - k + 1)
        total = float(best[m]) - k * per_group - math.log(k) - places
        if total > found[0] + tolerance:
            found = (total, k)
    boundaries, end = [], m
    for k in range(found[1], 1, -1):
        end = int(starts[k, end])
        boundaries.append(end - 1)
    return boundaries[::-1]
