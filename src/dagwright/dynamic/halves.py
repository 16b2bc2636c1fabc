"""Does the same transition hold at all times? First halves of runs against second halves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dagwright import _core
from dagwright.base.wording import aligned
from dagwright.data import Table
from dagwright.data.windows import moments_of
from dagwright.errors import DataError, require_a
from dagwright.evidence.criteria import AIC, LogLik
from dagwright.evidence.numbers import ConditionalGaussian, Gaussian
from dagwright.evidence.report import score
from dagwright.graph.graph_like import GraphLike, as_dag
from dagwright.graph.viewable import Viewable


@dataclass(frozen=True)
class SeriesStationarity:
    """The likelihood-ratio test of one series: two transitions against one."""

    series: str
    statistic: float
    df: float
    p_value: float


@dataclass(frozen=True)
class Stationarity(Viewable):
    """The answer of `stationarity`.

    Attributes
    ----------
    series
        The test of each series, the smallest p-value first.
    """

    series: tuple[SeriesStationarity, ...]

    @property
    def p_value(self) -> float:
        """The smallest p-value times the number of series (Bonferroni), at most 1."""
        return min(1.0, len(self.series) * min(one.p_value for one in self.series))

    def __str__(self) -> str:
        rows = [("series", "statistic", "df", "p")]
        rows += [
            (one.series, f"{one.statistic:.4g}", f"{one.df:g}", f"{one.p_value:.3g}") for one in self.series
        ]
        head = f"first against second halves of the runs: p = {self.p_value:.3g} for all series together"
        return "\n".join([head, *aligned(rows)])

    __repr__ = __str__


def stationarity(graph: GraphLike, windows: Table) -> Stationarity:
    """Test whether the transition of the first half of each run is that of the second half.

    For each series the likelihood of two sets of parameters, one for each half, is compared with the
    likelihood of one set, by chi-squared. Trends, seasons and changes of regime show as small p-values.

    Parameters
    ----------
    graph
        The transition graph: a result of `learn`, or a graph over the columns of the windows.
    windows
        What `Table.lagged` gives.
    """
    require_a(Table, windows, "windows", "a table that Table.lagged made")
    if windows.windows is None:
        raise DataError("stationarity needs windows of time series; make them with Table.lagged")
    dag = as_dag(graph, names=windows.names)
    late = _second_halves(windows)
    parts = [windows, windows.take(~late), windows.take(late)]
    if min(part.n_rows for part in parts) == 0:
        raise DataError("every run has a single window, so there are no halves to compare")
    measures: dict[str, Any] = {"continuous": Gaussian(), "mixed": ConditionalGaussian()}
    measure = measures.get(windows.schema.kind)
    whole, first, second = (score(dag, part, LogLik(measure=measure)).by_node for part in parts)
    charged = score(dag, windows, AIC(measure=measure)).by_node
    tests = []
    for node, moment in moments_of(windows.names).items():
        if moment.lag:
            continue
        statistic = max(0.0, 2 * (first[node] + second[node] - whole[node]))
        df = float(round(whole[node] - charged[node]))
        tests.append(SeriesStationarity(moment.series, statistic, df, _core.chi2_sf(statistic, df)))
    return Stationarity(tuple(sorted(tests, key=lambda one: (one.p_value, one.series))))


def _second_halves(windows: Table) -> Any:
    assert windows.windows is not None
    run, step = windows.windows.run, windows.windows.step
    numbers, of_row = np.unique(run, return_inverse=True)
    lowest, highest = np.full(len(numbers), np.inf), np.full(len(numbers), -np.inf)
    np.minimum.at(lowest, of_row, step)
    np.maximum.at(highest, of_row, step)
    return step > ((lowest + highest) / 2)[of_row]
