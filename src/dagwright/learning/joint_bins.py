"""A network and the bins of its columns, learned in turns (Friedman & Goldszmidt 1996)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dagwright.data import NetworkMDL, Table
from dagwright.data.read import read_to_learn
from dagwright.errors import OptionError, require_a
from dagwright.evidence.criteria import BIC, LogLik
from dagwright.evidence.units import in_unit
from dagwright.graph.dag import Dag
from dagwright.learning.learn import learn
from dagwright.learning.learned import Learned
from dagwright.sentences import Argument


def learn_with_bins(
    source: Any,
    *,
    rule: NetworkMDL | None = None,
    turns: int = 5,
    reading: Mapping[str, Any] | None = None,
    **how: Any,
) -> Learned:
    """Learn a network and the discretization of its numbers together.

    The first bins are chosen for a forest. Then the network is learned from the bins, and new bins are chosen
    for that network, alternately, as long as the description of bins, network and data becomes shorter. The
    table of the result has the bins with the shortest description. ``notes["bits by turn"]`` lists the
    lengths, each less the length of the data without bins and network.

    Parameters
    ----------
    source
        Anything that `read` takes; a `Table` needs a column of numbers.
    rule
        `NetworkMDL` with other limits, or with a graph to begin with.
    turns
        Most turns of bins and network.
    reading
        Options of `read`.
    how
        Options of `learn`. The search must give a DAG, or a class of DAGs.

    >>> rows = {"dose": [i / 10 for i in range(200)], "ill": ["no" if i < 60 else "yes" for i in range(200)]}
    >>> found = learn_with_bins(rows)
    >>> found.table.states_of("dose"), len(found.dag.edges)
    (('<=5.95', '>5.95'), 1)
    """
    if isinstance(turns, bool) or not isinstance(turns, int) or turns < 1:
        raise OptionError(Argument("turns", turns), " must be a whole number of at least 1")
    options = {name: value for name, value in (reading or {}).items() if name != "discretize"}
    numbers = read_to_learn(source, **options)
    if isinstance(source, Table) and not numbers.schema.continuous:
        raise OptionError("no column of this Table holds numbers; give the original data to choose bins")
    best: Learned | None = None
    rule = NetworkMDL() if rule is None else rule
    require_a(NetworkMDL, rule, "rule", "a NetworkMDL()")
    lengths: list[float] = []
    for _ in range(turns):
        table = numbers.discretized(rule)
        found = learn(table, **how)
        if found.dag is None:
            raise OptionError(
                "bins are chosen for a DAG, and this search finds none; use a score-based search, or PC()"
            )
        used = found.table or table
        lengths.append(_bits(found.dag, used, rule))
        if best is not None and lengths[-1] >= min(lengths[:-1]) - 1e-9 * max(1.0, used.N):
            break
        best, rule = found, replace(rule, graph=found.dag)
        if found.stopped == "cancelled":
            break
    assert best is not None  # there is at least one turn
    return replace(best, notes={**best.notes, "bits by turn": lengths})


def _bits(dag: Dag, table: Table, rule: NetworkMDL) -> float:
    """Bins, parameters and what the arcs save; the places of cuts are among the initial fine intervals."""
    arcs = BIC().on(table).total(dag) - LogLik().on(table).total(Dag(dag.nodes))
    places = 0.0
    for bins in table.bins.values():
        k = len(bins.cuts) + 1
        m = max(rule.initial, k)
        places += math.log(k) + math.lgamma(m) - math.lgamma(k) - math.lgamma(m - k + 1)
    return in_unit(places - arcs, "bits")
