"""Exact probabilities of arcs by dynamic programming, with a forecast first."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dagwright import _core
from dagwright.confidence.confidence import Confidence
from dagwright.confidence.methods import ExactPosterior, Over
from dagwright.confidence.setting import Setting
from dagwright.errors import CapacityError, NotFinishedError
from dagwright.evidence.structure_priors import UniformPrior
from dagwright.graph.counting import count_dags
from dagwright.search.forecast import Cost

MOST_VARIABLES = 26
SECONDS_PER_FAMILY = 3e-6
SECONDS_PER_TERM = {"networks": 15e-9, "orders": 5e-9}


class PosteriorForecast(NamedTuple):
    """What an exact posterior will cost: families to score, bytes, and seconds on one core, roughly."""

    evaluations: int
    memory: int
    seconds: float

    def __str__(self) -> str:
        return (
            f"{self.evaluations:,} families to score, {self.memory / 2**30:.3g} GiB, about "
            f"{self.seconds:.3g} s on one core"
        )


class ExactArcs(NamedTuple):
    """Probabilities of arcs, and the logarithms of the sums behind them."""

    confidence: Confidence
    log_total: float
    log_evidence: float
    evaluations: int


def forecast_exact(n: int, over: Over = "networks", max_parents: int | None = None) -> PosteriorForecast:
    """The cost for n variables.

    >>> print(forecast_exact(20, "orders", max_parents=5))
    333,280 families to score, 0.266 GiB, about 3.1 s on one core
    """
    cost = exact_cost(n, over, max_parents)
    seconds = SECONDS_PER_FAMILY * cost.evaluations + cost.seconds
    return PosteriorForecast(int(cost.evaluations), int(cost.memory), seconds)


def exact_cost(n: int, over: Over, max_parents: int | None) -> Cost:
    """Families, bytes and the seconds of the sums, with the formulas."""
    most = n - 1 if max_parents is None else min(n - 1, max_parents)
    families = n * sum(math.comb(n - 1, k) for k in range(most + 1))
    memory = 8.0 * n * 2 ** (n - 1) + _core.arc_posterior_bytes(n, over)
    terms = 3.0**n if over == "networks" else n * n * 2.0**n
    steps = "3^n" if over == "networks" else "n^2 2^n"
    basis = f"{steps} steps, {_formula(over)}"
    return Cost(families, memory, SECONDS_PER_TERM[over] * terms, upper=True, basis=basis)


def _formula(over: Over) -> str:
    return f"(24 n/2 + {16 * (2 if over == 'orders' else 6)}) 2^n bytes"


def refuse_what_does_not_fit(n: int, method: ExactPosterior) -> None:
    """An error with the formula, the number and the alternatives, before the work starts."""
    cost = forecast_exact(n, method.over, method.max_parents)
    if n <= MOST_VARIABLES and cost.memory <= method.memory:
        return
    other = "" if method.over == "orders" else 'ExactPosterior(over="orders") needs less time, '
    raise CapacityError(
        f"exact sums over {n} variables hold {_formula(method.over)} = "
        f"{cost.memory / 2**30:,.4g} GiB and take {'3^n' if method.over == 'networks' else 'n^2 2^n'} steps, "
        f"about {cost.seconds:,.3g} s; the limits are {MOST_VARIABLES} variables and "
        f"memory={method.memory / 2**30:.3g} GiB; {other}"
        "PartitionMCMC() and OrderMCMC() sample any number of variables"
    )


def exact_arcs(setting: Setting, method: ExactPosterior) -> ExactArcs:
    """Sum over all networks, counted once each or once per order."""
    n = len(setting.names)
    refuse_what_does_not_fit(n, method)
    control = setting.control
    weights = _weights(setting, setting.score.native, method)
    found = _core.arc_posterior(
        weights, method.over, control.threads, control.seconds_left(), control.progress
    )
    _refuse_stopped(found["stopped"])
    at = [setting.names.index(name) for name in setting.table.names]
    arcs = np.clip(np.asarray(found["arcs"]).reshape(n, n), 0.0, 1.0)[np.ix_(at, at)]
    bound = "" if method.max_parents is None else f", at most {method.max_parents} parents"
    source = f"exact posterior, {setting.prior_in_words(method.over)}{bound}; {setting.score_in_words()}"
    log_total = float(found["log_total"])
    normaliser = _log_prior_total(setting, method)
    return ExactArcs(
        Confidence(setting.table.names, arcs, source), log_total, log_total - normaliser, weights.evaluations
    )


def _weights(setting: Setting, score: _core.LocalScore, method: ExactPosterior) -> _core.FamilyWeights:
    n = len(setting.names)
    weights = _core.FamilyWeights(
        score,
        setting.knowledge.native,
        [[other for other in range(n) if other != child] for child in range(n)],
        method.max_parents,
        setting.control.threads,
        setting.control.seconds_left(),
        setting.control.progress,
    )
    _refuse_stopped(weights.stopped)
    return weights


def _log_prior_total(setting: Setting, method: ExactPosterior) -> float:
    """The logarithm of the sum of the prior over what the score was summed over."""
    n = len(setting.names)
    free = setting.knowledge.native.empty() and method.max_parents is None
    if free and isinstance(setting.prior, UniformPrior):
        if method.over == "networks":
            return math.log(count_dags(n))
        return math.lgamma(n + 1) + math.comb(n, 2) * math.log(2)
    weights = _weights(setting, setting.prior_score(), method)
    total, stopped = _core.log_total_weight(
        weights, method.over, setting.control.threads, setting.control.seconds_left()
    )
    _refuse_stopped(stopped)
    return float(total)


def _refuse_stopped(reason: str) -> None:
    if reason == "cancelled":
        raise KeyboardInterrupt
    if reason:
        raise NotFinishedError(
            "the time limit came before the exact posterior was complete, and a part of it says nothing; "
            "give more time or sample with PartitionMCMC()"
        )
