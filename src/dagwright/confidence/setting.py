"""The input of every posterior method: data, score, prior and knowledge in canonical numbering."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dagwright import _core
from dagwright.data import Table
from dagwright.defaults import usual_posterior_score
from dagwright.evidence.binding import describe_score
from dagwright.evidence.bound import Bound
from dagwright.evidence.protocols import Family
from dagwright.evidence.structure_priors import StructurePrior, UniformPrior, native_prior, with_prior
from dagwright.graph.dag import Dag
from dagwright.knowledge import ResolvedKnowledge
from dagwright.methods.traits import evidence_traits
from dagwright.search.control import Control
from dagwright.search.pipeline import Prepared
from dagwright.search.problem import Problem
from dagwright.search.starting import starting_dag
from dagwright.search.study import Study
from dagwright.search.walks import first_parents


@dataclass(frozen=True)
class Setting:
    """A posterior to be computed; numbers of variables are those of ``names``.

    ``likelihood`` is the score alone, ``score`` the score with the prior.
    """

    table: Table
    names: tuple[str, ...]
    likelihood: Bound
    score: Bound
    prior: StructurePrior
    knowledge: ResolvedKnowledge
    seed: np.random.SeedSequence
    start: Dag | None
    control: Control

    @staticmethod
    def of(study: Study, data: Any, control: Control) -> Setting:
        """The setting of a study; the posterior score of `dagwright.defaults` where it names none."""
        prepared = Prepared.of(study, data, usual=lambda kind: usual_posterior_score(kind=kind))
        canonical = prepared.canonical(control).table
        likelihood = prepared.bound(canonical, control.threads)
        prior = study.structure_prior
        resolved = prepared.study.knowledge.resolve(canonical.names)
        return Setting(
            prepared.table,
            canonical.names,
            likelihood,
            likelihood if prior is None else with_prior(likelihood, prior),
            (prior or UniformPrior()).on(canonical.names, likelihood.cardinalities, likelihood.N),
            resolved,
            study.seed,
            starting_dag(study.start, canonical.names, resolved),
            control,
        )

    @property
    def problem(self) -> Problem:
        return Problem(self.names, self.score, self.knowledge, self.seed, self.start)

    def first_network(self) -> list[list[int]]:
        """The parents to begin from: the start graph's, or only what knowledge requires."""
        return first_parents(self.problem)

    def score_in_words(self) -> str:
        return describe_score(self.likelihood)[1]

    def evidence_in_words(self) -> str:
        """The meaning of the mean of the exponential of the score over the prior, in words."""
        spec = self.likelihood.spec
        if evidence_traits(spec).marginal_likelihood:
            return "ln P(data)"
        return f"log of the prior mean of exp({describe_score(self.likelihood)[0]}), not ln P(data)"

    def prior_in_words(self, over: str) -> str:
        per_order = "each network once per order it fits"
        if isinstance(self.prior, UniformPrior):
            return "uniform over networks" if over == "networks" else per_order
        return self.prior.describe() + ("" if over == "networks" else f", {per_order}")

    def prior_score(self) -> _core.LocalScore:
        """The logarithm of the prior as a score of its own."""
        n = len(self.names)
        flat = _core.FlatScore(n)
        if isinstance(self.prior, UniformPrior):
            return flat
        added = native_prior(flat, self.prior, self.names)
        return _core.PythonLocalScore(_PriorOnly(self.prior, self.names), n, 0.0) if added is None else added

    def log_prior(self, dag: Dag) -> float:
        """Not normalized; -inf where knowledge or the prior rules the graph out."""
        return -math.inf if self.knowledge.check(dag) else self.prior.log_prior(dag)


class _PriorOnly:
    def __init__(self, prior: StructurePrior, names: Sequence[str]) -> None:
        self.prior = prior
        self.names = names

    def local(self, families: Sequence[Family]) -> list[float]:
        return [
            self.prior.log_family(self.names[child], frozenset(self.names[p] for p in parents))
            for child, parents in families
        ]
