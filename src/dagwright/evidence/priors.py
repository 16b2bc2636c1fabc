"""Prior distributions for the BDe score, and the measure they make."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from dagwright import _core
from dagwright.data import Table
from dagwright.errors import CapacityError, OptionError
from dagwright.evidence.bound import Bound, difference
from dagwright.evidence.counting import Counting
from dagwright.evidence.protocols import Family, JointDistribution, KnownColumns, SetFit, Triple
from dagwright.graph.query import Verdict

LARGEST_MARGINAL = 10_000_000


class ArrayDistribution:
    """A joint distribution held as an array with one axis per name."""

    def __init__(self, names: Sequence[str], probabilities: NDArray[np.float64]) -> None:
        self.names = tuple(names)
        self.probabilities = probabilities

    def marginal(self, names: Sequence[str]) -> NDArray[np.float64]:
        kept = [self.names.index(name) for name in names]
        others = tuple(i for i in range(len(self.names)) if i not in kept)
        summed = self.probabilities.sum(axis=others)
        return np.transpose(summed, [sorted(kept).index(i) for i in kept])


class TableDistribution:
    """The weighted rows of a table as a joint distribution."""

    def __init__(self, table: Table) -> None:
        self.counting = Counting(table)

    def marginal(self, names: Sequence[str]) -> NDArray[np.float64]:
        columns = [self.counting.table.column_index(name) for name in names]
        return self.counting.contingency_table(columns) / self.counting.N


@runtime_checkable
class NamesStates(Protocol):
    """A distribution that names the states of its variables, as a network does."""

    def states(self, name: str) -> tuple[Hashable, ...]: ...


def as_joint(prior: Any, counting: Counting) -> JointDistribution:
    """The prior as a distribution over the columns of the data, or an error that says what does not match."""
    if isinstance(prior, Table):
        _require_same_states(prior.states_of, counting)
        return TableDistribution(prior)
    if isinstance(prior, JointDistribution):
        if isinstance(prior, NamesStates):
            _require_same_states(prior.states, counting)
        return prior
    probabilities = np.asarray(prior, dtype=np.float64)
    if probabilities.shape != counting.cardinalities:
        raise OptionError(
            f"the prior has shape {probabilities.shape}, the columns have {counting.cardinalities} states"
        )
    if np.any(probabilities < 0) or not math.isclose(
        math.fsum(probabilities.ravel().tolist()), 1.0, abs_tol=1e-9
    ):
        raise OptionError("the prior must hold probabilities that sum to 1")
    return ArrayDistribution(counting.names, probabilities)


def _require_same_states(states_of: Callable[[str], tuple[Hashable, ...]], counting: Counting) -> None:
    for name, states in zip(counting.names, counting.table.states, strict=True):
        if states_of(name) != states:
            raise OptionError(
                f"the prior's states of {name!r} are {states_of(name)}, the data's are {states}; declare the "
                "same states in the same order"
            )


class PriorMeasure:
    """fit = sum over cells of log G(n + a p)/G(a p), p the prior probability of the cell; dim = 0."""

    def __init__(self, counting: Counting, joint: JointDistribution, ess: float) -> None:
        self.counting = counting
        self.joint = joint
        self.ess = ess
        self.N = counting.N
        self.names = counting.names
        self.cardinalities = counting.cardinalities

    def evidence(self, sets: Sequence[frozenset[int]], rows: KnownColumns | None = None) -> list[SetFit]:
        return [SetFit(self._fit(sorted(s), rows), 0.0) for s in sets]

    def _fit(self, variables: list[int], rows: KnownColumns | None) -> float:
        if not variables:
            return _core.log_rising(self.ess, self.counting.rows_known(rows))
        cells = math.prod(self.cardinalities[v] for v in variables)
        if cells > LARGEST_MARGINAL:
            shown = ", ".join(self.names[v] for v in variables[:6])
            raise CapacityError(
                f"the prior over {shown}, ... has {cells:,} cells; bound the number of parents"
            )
        codes, counts = self.counting.cells(variables, rows)
        prior = np.asarray(self.joint.marginal([self.names[v] for v in variables]), dtype=np.float64)
        alpha = self.ess * prior[tuple(codes.T.astype(np.intp))]
        if np.any(alpha <= 0):
            return -math.inf
        return math.fsum(map(_core.log_rising, alpha.tolist(), counts.tolist()))


class BoundBDe(Bound):
    """Differences of a measure that may be -inf: what the prior rules out stays impossible."""

    def __init__(self, spec: object, counting: Counting, measure: PriorMeasure) -> None:
        super().__init__(spec, counting)
        self.measure = measure

    def _fits(self, sets: Sequence[frozenset[int]]) -> dict[frozenset[int], float]:
        distinct = list(dict.fromkeys(sets))
        return {s: e.fit for s, e in zip(distinct, self.measure.evidence(distinct), strict=True)}

    def local(self, families: Sequence[Family]) -> list[float]:
        fits = self._fits([s for x, parents in families for s in (parents | {x}, parents)])
        joint = [fits[parents | {x}] for x, parents in families]
        return [
            j - fits[parents] if math.isfinite(j) else -math.inf
            for j, (_, parents) in zip(joint, families, strict=True)
        ]

    def verdicts(self, triples: Sequence[Triple]) -> list[Verdict]:
        signs = (1.0, 1.0, -1.0, -1.0)
        quads = [(z | x | y, z, z | x, z | y) for x, y, z in triples]
        fits = self._fits([s for quad in quads for s in quad])
        return [
            self._sign(difference(list(zip(signs, (fits[s] for s in quad), strict=True)))) for quad in quads
        ]
