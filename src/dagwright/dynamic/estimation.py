"""Dynamic networks from windows of time series."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np

from dagwright.base.wording import count_of
from dagwright.data import Table
from dagwright.data.windows import moments_of
from dagwright.dynamic.network import DynamicNetwork
from dagwright.dynamic.structure import Step
from dagwright.errors import DataError, unknown_name
from dagwright.evidence.criteria import BIC
from dagwright.evidence.numbers import ConditionalGaussian, Gaussian
from dagwright.graph.dag import Dag
from dagwright.graph.graph_like import GraphLike, as_dag
from dagwright.knowledge import Knowledge
from dagwright.learning.learn import learn
from dagwright.learning.learned import Learned
from dagwright.model import BayesianNetwork, fit
from dagwright.search.hill_climb import HillClimb

Start = Literal["auto", "first", "stationary"]
FEWEST_RUNS, RUNS_PER_NODE = 30, 5


def fitted(
    transition: GraphLike,
    windows: Table,
    *,
    initial: GraphLike | None,
    start: Start,
    parameter_prior: Any,
    missing: Any,
) -> DynamicNetwork:
    """See `DynamicNetwork.fit`."""
    _require_windows(windows)
    how = {"missing": missing} | (
        {}
        if isinstance(parameter_prior, str) and parameter_prior == "default"
        else {"parameter_prior": parameter_prior}
    )
    rows, note = initial_rows(windows, start)
    if initial is None:
        begin = _learned_initial(rows, None, missing).network(
            **{key: value for key, value in how.items() if key == "parameter_prior"}
        )
    else:
        begin = fit(initial, rows, **how)
    graph = as_dag(transition, names=windows.names)
    return DynamicNetwork(begin, fit(graph, windows, **how), (*windows.notes, note))


def of_learned(
    found: Learned, windows: Table | None, *, initial: GraphLike | None, start: Start
) -> DynamicNetwork:
    """See `DynamicNetwork.from_learned`."""
    table = found.rows(windows)
    _require_windows(table)
    transition = _without_unused_lags(found.network(windows))
    table = table.select(name for name in table.names if name in transition.nodes)
    rows, note = initial_rows(table, start)
    begin: BayesianNetwork
    if initial is None:
        begin = _learned_initial(rows, found.score_spec, found.study.missing).network()
    else:
        begin = fit(initial, rows)
    return DynamicNetwork(begin, transition, (*table.notes, note))


def _without_unused_lags(network: BayesianNetwork) -> BayesianNetwork:
    """The network without the columns that are longer ago than any parent, but for one lag at least."""
    moments = moments_of(network.nodes)
    used = {parent for parent, _ in network.graph.edges}
    longest = max([1, *(moment.lag for name, moment in moments.items() if name in used)])
    kept = [name for name in network.nodes if name not in moments or moments[name].lag <= longest]
    if len(kept) == len(network.nodes):
        return network
    numeric = network.gaussians
    discrete = [name for name in kept if name not in numeric]
    tables: dict[str, Any] = {
        name: numeric[name] if name in numeric else network.table(name) for name in kept
    }
    return BayesianNetwork(
        Dag(kept, network.graph.edges),
        {name: network.states(name) for name in discrete},
        tables,
        parents={name: network.parents(name) for name in discrete},
        origins={name: origin for name, origin in network.origins.items() if name in kept},
    )


def _require_windows(table: Table) -> None:
    if table.windows is None:
        raise DataError("a dynamic network needs windows of time series; make them with Table.lagged")


def initial_rows(windows: Table, start: Start) -> tuple[Table, str]:
    """The rows from which the first steps are learned, as columns ``x[0]``, ``x[1]``, ..., and a note."""
    if start not in get_args(Start):
        raise unknown_name("value of start", start, get_args(Start))
    moments = moments_of(windows.names)
    lags = max(moment.lag for moment in moments.values())
    static = [name for name in windows.names if name not in moments]
    names = {
        name: str(Step(moment.series, lags - moment.lag))
        for name, moment in moments.items()
        if moment.lag > 0
    }
    assert windows.windows is not None
    firsts = np.unique(windows.windows.run, return_index=True)[1]
    enough = len(firsts) >= max(FEWEST_RUNS, RUNS_PER_NODE * (len(names) + len(static)))
    plain = windows.with_windows(None).select([*static, *names]).rename(names)
    if start == "first" or (start == "auto" and enough):
        return plain.take(
            firsts
        ), f"the initial network is fitted to the first {len(firsts):,} windows of runs"
    return plain, (
        f"the initial network is fitted to all windows, as if {count_of(len(firsts), 'run')} began within a "
        "long stationary process"
    )


def _learned_initial(rows: Table, score: Any, missing: str | None) -> Learned:
    """A network over the first steps by hill climbing; arcs do not point back in time."""
    from dagwright.dynamic.structure import step_of

    by_step: dict[int, list[str]] = {}
    for name in rows.names:
        step = step_of(name)
        by_step.setdefault(-1 if step is None else step.step, []).append(name)
    known = Knowledge(tiers=[sorted(by_step[step]) for step in sorted(by_step)])
    kind = rows.schema.kind
    if kind == "mixed":
        known += Knowledge(continuous=rows.schema.continuous)
    if score is None:
        score = {
            "discrete": BIC(),
            "continuous": BIC(measure=Gaussian()),
            "mixed": BIC(measure=ConditionalGaussian()),
        }[kind]
    return learn(rows, search=HillClimb(), score=score, knowledge=known, missing=missing, columns=rows.names)
