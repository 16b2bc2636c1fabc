"""Scores on rows with missing cells: by available cases, or once somebody has completed the rows."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn

from dagwright import _core
from dagwright.data import Table
from dagwright.errors import MissingValuesError, OptionError
from dagwright.evidence.binding import bind_score
from dagwright.evidence.bound import Bound, BoundLocal
from dagwright.evidence.counting import Counting, NativeMeasure
from dagwright.evidence.criteria import Score
from dagwright.evidence.numbers import Numbers
from dagwright.evidence.protocols import Family, Triple
from dagwright.evidence.structure_priors import StructurePrior, WithPrior, with_prior
from dagwright.graph.query import Verdict
from dagwright.methods.traits import evidence_traits
from dagwright.sentences import Argument, Literally


@dataclass(frozen=True)
class NodeAverage(Score):
    """Node-average likelihood, for rows with missing cells (Balov 2013; Bodewes & Scutari 2021).

    Each node counts with N times its mean log-likelihood over the rows on which it and its parents are known,
    so that families counted on different rows can be compared. The penalty is scale * N^(1 - alpha) per
    parameter: values that are missing completely at random need one that grows faster than the square root of
    N, as it does for alpha below 1/2; that of BIC does not (Balov 2013).

    Parameters
    ----------
    alpha
        How fast the penalty grows, above 0 and below 1.
    scale
        Its size. The default comes close to BIC at a thousand rows and is more cautious beyond.

    >>> gaps = {"a": [0, 0, 1, 1, None] * 40, "b": [0, 0, 1, None, 1] * 40}
    >>> from dagwright import learn
    >>> len(learn(gaps, score=NodeAverage()).dag.edges)
    1
    """

    summary: ClassVar[str] = "mean log-likelihood over the rows known at each family"
    citation: ClassVar[str] = "Balov 2013; Bodewes & Scutari 2021"

    alpha: float = 0.45
    scale: float = 0.1
    name: ClassVar[str] = "NodeAverage"
    equivalent = False
    counts_available: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not 0 < self.alpha < 1:
            raise OptionError(f"alpha must lie between 0 and 1, not {self.alpha}")
        if not (math.isfinite(self.scale) and self.scale >= 0):
            raise OptionError(f"the scale of the penalty must be finite and not negative, not {self.scale}")

    def penalty(self, N: float) -> float:
        """Nats per parameter."""
        return self.scale * N ** (1.0 - self.alpha) if N > 0 else 0.0

    def definition(self, N: float) -> str:
        return f"N times the mean over known rows, penalty {self.penalty(N):.6g} per parameter"

    def on(self, data: Any) -> BoundLocal:
        counting = data if isinstance(data, Counting) else Counting(data, missing="available")
        native = _core.NodeAverageScore(counting.table.native, self.penalty(counting.N))
        return BoundLocal(self, counting, native)


def _available(table: Table, threads: int | None, *, numbers: bool) -> Counting | NativeMeasure:
    """The facts about the rows before they are complete: names, sizes and N."""
    if not numbers:
        return Counting(table, missing="available", threads=threads)
    rows = Numbers(table, missing="available", threads=threads)
    return NativeMeasure(rows, _core.GaussianMeasure(rows.moments))


class IncompleteScore(Bound):
    """A score that waits for somebody to complete the rows: structural EM does, again and again."""

    def __init__(
        self, spec: Any, table: Table, prior: StructurePrior | None = None, threads: int | None = None
    ) -> None:
        numbers = evidence_traits(spec).takes_numbers
        if not numbers and (not isinstance(spec, Score) or not spec.decomposable):
            raise OptionError(
                f"structural EM cannot maximize {spec!r}: it needs one of the scores of dagwright that are "
                "sums over nodes, because expected counts have no rows that other scores could read"
            )
        super().__init__(spec, _available(table, threads, numbers=numbers))
        if prior is not None:
            prior = prior.on(self.names, self.cardinalities, self.N)
            self.spec = WithPrior(
                spec, prior, equivalent=prior.equivalent is True and spec.equivalent is True
            )
        if evidence_traits(spec).marginal_likelihood:
            self.approximation = (
                "approximated from expected counts, because rows have missing cells (Cheeseman & Stutz 1996)"
            )
        self.plain = spec
        self.prior = prior
        self.table = table
        self._threads = threads

    def completed(self, table: Table) -> Bound:
        """The score on rows whose missing cells are spread over their states."""
        bound = bind_score(self.plain, table, threads=self._threads)
        return bound if self.prior is None else with_prior(bound, self.prior)

    def on_known(self, names: Collection[str]) -> Bound:
        """The score on columns without gaps alone, which need nobody to complete them."""
        known = self.table.select([name for name in self.table.names if name in names])
        return bind_score(self.plain, known, threads=self._threads)

    def local(self, families: Sequence[Family]) -> list[float]:  # noqa: ARG002
        self._refuse()

    def verdicts(self, triples: Sequence[Triple]) -> list[Verdict]:  # noqa: ARG002
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise MissingValuesError(
            "only StructuralEM can search on rows with missing values: ",
            Argument("search", Literally("StructuralEM()")),
        )
