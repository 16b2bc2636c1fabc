"""Permutation tests of numbers: the residuals of one side are shuffled (Freedman & Lane 1983)."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dagwright.data.reach import require_reach
from dagwright.errors import OptionError
from dagwright.evidence.bound import BoundTest
from dagwright.evidence.chi_squared import decided
from dagwright.evidence.counting import NativeMeasure
from dagwright.evidence.numbers import Embedded, Gaussian, Numbers
from dagwright.evidence.protocols import Triple
from dagwright.graph.query import Verdict

if TYPE_CHECKING:
    from dagwright.evidence.permuted import Permuted

Floats = NDArray[np.float64]
NUMBERS_AT_ONCE = 4_000_000
RANK = 1e-9


class BoundPermutedNumbers(BoundTest):
    """The statistic is -N log Wilks' Lambda, of numbers and of the indicators of states."""

    spec: Permuted

    def __init__(self, spec: Permuted, numbers: Numbers) -> None:
        require_reach(spec, numbers.table, 32.0 * len(numbers.names))
        if numbers.table.weights is not None:
            raise OptionError("a permutation test of numbers takes no weights; leave them out")
        measure = Gaussian() if numbers.table.schema.kind == "continuous" else Embedded()
        super().__init__(spec, NativeMeasure(numbers, measure.native(numbers)))
        self.table = numbers.table

    def verdicts(self, triples: Sequence[Triple]) -> list[Verdict]:
        return [self._one(triple) for triple in triples]

    def _one(self, triple: Triple) -> Verdict:
        given = self._blocks(triple.given)
        sides = sorted(map(self._blocks, (triple.x, triple.y)), key=lambda side: side.digest)
        order = np.lexsort([*sides[0].original, *sides[1].original, *given.original])
        basis = np.column_stack([np.ones(self.table.n_rows), *given.columns])[order]
        x, y = (_residual_basis(np.column_stack(side.columns)[order], basis) for side in sides)
        if x.shape[1] == 0 or y.shape[1] == 0:
            facts = Verdict(True, 0.0, 0.0, 1.0, 0.0, log_p=0.0)
            return decided(facts, independent=True, gain=0.0, note="no degrees of freedom")
        digest = hashlib.sha256("".join([sides[0].digest, sides[1].digest, given.digest]).encode()).digest()
        rng = np.random.default_rng([self.spec.seed, *np.frombuffer(digest, dtype="<u4").tolist()])
        statistic = float(_wilks(x[None], y)[0]) * self.N
        null = np.sort(self._null(x, y, rng))[::-1] * self.N
        reached = int(np.count_nonzero(null >= statistic - 1e-9 * (1.0 + statistic)))
        p = (1 + reached) / (1 + len(null))
        df = float(x.shape[1] * y.shape[1])
        facts = Verdict(True, statistic, df, p, statistic / (2.0 * self.N), log_p=math.log(p))
        gain = (statistic - float(null[self.spec.allowed])) / 2.0
        return decided(facts, independent=reached > self.spec.allowed, gain=gain)

    def _null(self, x: Floats, y: Floats, rng: np.random.Generator) -> Floats:
        batch = max(1, NUMBERS_AT_ONCE // x.size)
        values = []
        for start in range(0, self.spec.rounds, batch):
            many = min(batch, self.spec.rounds - start)
            shuffles = rng.permuted(np.broadcast_to(np.arange(len(x)), (many, len(x))), axis=1)
            values.append(_wilks(x[shuffles], y))
        return np.concatenate(values)

    def _blocks(self, members: Iterable[int]) -> Block:
        """The columns of some variables, in an order that follows from their values."""
        parts = sorted(map(self._block, members), key=lambda part: part.digest)
        return Block(
            "".join(part.digest for part in parts),
            [column for part in parts for column in part.columns],
            [column for part in parts for column in part.original],
        )

    def _block(self, number: int) -> Block:
        variable = self.table.schema[self.names[number]]
        if not variable.is_discrete:
            values = self.table.reals(variable.name)
            return Block(_digest(values), [values], [values])
        codes = self.table.codes(variable.name).astype(np.float64)
        indicators = [(codes == state).astype(np.float64) for state in range(1, variable.cardinality)]
        return Block(_digest(codes), indicators, [codes])


class Block(NamedTuple):
    """Columns of one or more variables, with a digest of their values in any order of rows."""

    digest: str
    columns: list[Floats]
    original: list[Floats]


def _digest(values: Floats) -> str:
    return hashlib.sha256(np.sort(values).tobytes()).hexdigest()


def _residual_basis(columns: Floats, given: Floats) -> Floats:
    """An orthonormal basis of what is left of columns given others."""
    if columns.shape[1] == 0:
        return columns
    scaled = columns - columns.mean(axis=0)
    size = np.sqrt(np.sum(scaled**2, axis=0))
    scaled = scaled[:, size > 0] / size[size > 0]
    left = scaled - given @ np.linalg.lstsq(given, scaled, rcond=None)[0]
    vectors, values, _ = np.linalg.svd(left, full_matrices=False)
    kept: Floats = vectors[:, values > RANK]
    return kept


def _wilks(x: Floats, y: Floats) -> Floats:
    """-log det(I - C C'), of each of several orthonormal x with one orthonormal y."""
    products = np.einsum("knp,nq->kpq", x, y)
    inner = np.eye(x.shape[2]) - products @ products.transpose(0, 2, 1)
    found: Floats = -np.linalg.slogdet(inner)[1]
    return found
