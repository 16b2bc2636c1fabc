"""Exact probabilities of features of networks by dynamic programming, with a forecast first."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dagwright import _core
from dagwright.base.memory import budget
from dagwright.base.numbering import Numbering
from dagwright.confidence.confidence import Confidence
from dagwright.confidence.methods import FEATURES, ExactPosterior, Over
from dagwright.confidence.setting import Setting
from dagwright.errors import CapacityError, NotFinishedError
from dagwright.evidence.structure_priors import FamilyPrior, UniformPrior, with_prior
from dagwright.evidence.threads import available_threads
from dagwright.graph.counting import count_dags
from dagwright.search.control import Stopped, stopped_by
from dagwright.search.costs import Cost

MOST_VARIABLES = 26
ALSO_SECONDS = 3.0
"""Paths, blankets and v-structures come unasked where each is forecast to take no longer than this."""
SECONDS_PER_FAMILY = 3e-6


class Steps(NamedTuple):
    """How many steps a part of the sums takes, in words and for n variables, and the seconds per step."""

    words: str
    number: Callable[[int], float]
    seconds: float


STEPS: dict[Over, dict[str, Steps]] = {
    "networks": {
        "arcs": Steps("3^n", lambda n: 3.0**n, 13e-9),  # the same terms give the paths
        "blankets": Steps("n^2 3^n / 4", lambda n: n * n * 3.0**n / 4, 2.2e-9),
        "v_structures": Steps("n^2 3^n / 4", lambda n: n * n * 3.0**n / 4, 2.2e-9),
    },
    "orders": {
        "arcs": Steps("n^2 2^n", lambda n: n * n * 2.0**n, 5e-9),
        "paths": Steps("n^2 3^n / 3", lambda n: n * n * 3.0**n / 3, 1.5e-9),
        "blankets": Steps("n^3 2^n / 8", lambda n: n**3 * 2.0**n / 8, 18e-9),
        "v_structures": Steps("n^3 2^n / 8", lambda n: n**3 * 2.0**n / 8, 18e-9),
    },
}


class PosteriorForecast(NamedTuple):
    """Cost of an exact posterior: families to score, bytes, and seconds on one core, roughly."""

    evaluations: int
    memory: int
    seconds: float

    def __str__(self) -> str:
        return (
            f"{self.evaluations:,} families to score, {self.memory / 2**30:.3g} GiB, about "
            f"{self.seconds:.3g} s on one core"
        )


class ExactFeatures(NamedTuple):
    """Probabilities of arcs and other features, and the logarithms of the sums behind them."""

    confidence: Confidence
    log_total: float
    log_evidence: float | None
    evaluations: int
    stopped: str | None


def forecast_exact(
    n: int, over: Over = "networks", max_parents: int | None = None, threads: int | None = None
) -> PosteriorForecast:
    """The cost of the arcs of n variables; each thread needs memory of its own.

    >>> print(forecast_exact(20, "orders", max_parents=5, threads=2))
    333,280 families to score, 0.281 GiB, about 3.1 s on one core
    """
    return _forecast(n, ExactPosterior(over, max_parents, also=()), threads)


def _forecast(n: int, method: ExactPosterior, threads: int | None) -> PosteriorForecast:
    cost = exact_cost(n, method, threads)
    seconds = SECONDS_PER_FAMILY * cost.evaluations + cost.seconds
    return PosteriorForecast(int(cost.evaluations), int(cost.memory), seconds)


def exact_cost(n: int, method: ExactPosterior, threads: int | None = None) -> Cost:
    """Families, bytes and the seconds of the sums, with the formulas."""
    most = n - 1 if method.max_parents is None else min(n - 1, method.max_parents)
    families = n * sum(math.comb(n - 1, k) for k in range(most + 1))
    also = features_besides_arcs(n, method)
    workers = available_threads() if threads is None else threads
    memory = 8.0 * n * 2 ** (n - 1) + _core.exact_posterior_bytes(
        n, _core.Counting[method.over], _wanted(also), workers
    )
    parts = _steps(method.over, also)
    basis = f"{' + '.join(part.words for part in parts)} steps, {_formula(n, method.over, memory)}"
    seconds = math.fsum(part.seconds * part.number(n) for part in parts)
    return Cost(families, memory, seconds, upper=True, basis=basis)


def _steps(over: Over, also: Sequence[str]) -> list[Steps]:
    return [STEPS[over][part] for part in ("arcs", *also) if part in STEPS[over]]


def features_besides_arcs(n: int, method: ExactPosterior) -> list[str]:
    """The features asked for; by default those that are quick to compute."""
    if method.also is not None:
        return [part for part in FEATURES if part in method.also]
    seconds = {part: steps.seconds * steps.number(n) for part, steps in STEPS[method.over].items()}
    return [part for part in FEATURES if seconds.get(part, 0.0) <= ALSO_SECONDS]


def _wanted(also: Sequence[str]) -> _core.Features:
    return _core.Features(
        paths="paths" in also, blankets="blankets" in also, v_structures="v_structures" in also
    )


def _formula(n: int, over: Over, memory: float) -> str:
    """Tables of 2^(n-1) numbers per variable, and some of 2^n."""
    per_variable = 24 if over == "orders" else 32
    return f"({per_variable} n/2 + {memory / 2**n - per_variable * n / 2:.0f}) 2^n bytes"


def refuse_what_does_not_fit(n: int, method: ExactPosterior, threads: int) -> None:
    """An error with the formula, the number and the alternatives, before the work starts."""
    cost = _forecast(n, method, threads)
    steps = " + ".join(part.words for part in _steps(method.over, features_besides_arcs(n, method)))
    memory = budget(method.memory)
    if n <= MOST_VARIABLES and cost.memory <= memory:
        return
    other = "" if method.over == "orders" else 'ExactPosterior(over="orders") needs less time, '
    if method.also:
        other += f"less may do without {' and '.join(method.also)} besides the arcs, "
    raise CapacityError(
        f"exact sums over {n} variables need {_formula(n, method.over, cost.memory)} = "
        f"{cost.memory / 2**30:,.4g} GiB and take {steps} steps, "
        f"about {cost.seconds:,.3g} s; the limits are {MOST_VARIABLES} variables and "
        f"{memory / 2**30:.3g} GiB of memory; {other}"
        "PartitionMCMC() and OrderMCMC() sample any number of variables"
    )


def exact_features(setting: Setting, method: ExactPosterior) -> ExactFeatures:
    """Sum over all networks, counted once each or once per order.

    Once the arcs are there, Ctrl-C and the time limit only leave out what was to come besides.
    """
    n = len(setting.names)
    control = setting.control
    refuse_what_does_not_fit(n, method, control.threads)
    weights = _weights(setting, setting.score.native, method)
    also = features_besides_arcs(n, method)
    found = _core.exact_posterior(
        weights,
        _core.Counting[method.over],
        _wanted(also),
        threads=control.threads,
        seconds=control.seconds_left(),
        progress=control.native_progress,
        cancel=control.cancel,
    )
    stopped = stopped_by(found.stopped)
    if len(found.arcs) == 0:
        _refuse_stopped(stopped)
    sums = {"arcs": found.arcs, "paths": found.paths, "blankets": found.blankets}
    also = [part for part in also if len(sums.get(part, found.v_structures))]
    at = [setting.names.index(name) for name in setting.table.names]
    matrices: dict[str, Any] = {
        part: np.clip(sums[part].reshape(n, n), 0.0, 1.0)[np.ix_(at, at)]
        for part in ("arcs", *also)
        if part != "v_structures"
    }
    colliders = None
    if "v_structures" in also:
        colliders = _named_colliders(found.v_structures.reshape(n, n, n), setting.names)
    bound = "" if method.max_parents is None else f", at most {method.max_parents} parents"
    source = f"exact posterior, {setting.prior_in_words(method.over)}{bound}; {setting.score_in_words()}"
    return ExactFeatures(
        Confidence(setting.table.names, source=source, v_structures=colliders, **matrices),
        found.log_total,
        None if stopped else found.log_total - _log_prior_total(setting, method),
        weights.evaluations,
        stopped,
    )


def _named_colliders(found: NDArray[np.float64], names: Sequence[str]) -> dict[tuple[str, str, str], float]:
    """From entries (c, a, b) to a -> c <- b by names, the first before the last."""
    named = {}
    for c, a, b in np.argwhere(found > 0):
        first, last = sorted((names[a], names[b]))
        named[first, names[c], last] = min(1.0, float(found[c, a, b]))
    return dict(sorted(named.items()))


def log_weight_of(
    setting: Setting, method: ExactPosterior, allowed: Callable[[str, frozenset[str]], bool]
) -> float:
    """The logarithm of the sum over the networks all of whose families are allowed."""
    condition = FamilyPrior(lambda child, parents: 0.0 if allowed(child, parents) else -math.inf)
    weights = _weights(setting, with_prior(setting.score, condition).native, method)
    return _log_total(setting, weights, method)


def log_weight_of_order(setting: Setting, method: ExactPosterior, order: Sequence[str]) -> float:
    """The logarithm of the sum over the networks that fit an order: a product of sums over parent sets.

    Friedman & Koller (2003), Eq. 8. A required edge is an arc from the earlier of its ends to the later.
    """
    weights = _weights(setting, setting.score.native, method)
    place = Numbering(order).number
    total = 0.0
    for child, name in enumerate(setting.names):
        row = [setting.names[parent] for parent in weights.candidates(child)]
        partners = {b if a == name else a for a, b in setting.knowledge.required_links if name in (a, b)}
        needed = {partner for partner in partners if place[partner] < place[name]}
        if not needed <= set(row):
            return -math.inf
        must = sum(1 << at for at, parent in enumerate(row) if parent in needed)
        later = sum(1 << at for at, parent in enumerate(row) if place[parent] > place[name])
        sets = np.arange(1 << len(row))
        fitting = weights.logs(child)[((sets & later) == 0) & ((sets & must) == must)]
        top = float(fitting.max())
        if top == -math.inf:
            return top
        total += top + math.log(math.fsum(np.exp(fitting - top)))
    return total


def _weights(setting: Setting, score: _core.LocalScore, method: ExactPosterior) -> _core.FamilyWeights:
    n = len(setting.names)
    weights = _core.FamilyWeights(
        score,
        setting.knowledge.native,
        [[other for other in range(n) if other != child] for child in range(n)],
        max_parents=method.max_parents,
        threads=setting.control.threads,
        seconds=setting.control.seconds_left(),
        progress=setting.control.native_progress,
        cancel=setting.control.cancel,
    )
    _refuse_stopped(stopped_by(weights.stopped))
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
    return _log_total(setting, weights, method)


def _log_total(setting: Setting, weights: _core.FamilyWeights, method: ExactPosterior) -> float:
    control = setting.control
    total = _core.log_total_weight(
        weights,
        _core.Counting[method.over],
        threads=control.threads,
        seconds=control.seconds_left(),
        cancel=control.cancel,
    )
    _refuse_stopped(stopped_by(total.stopped))
    return total.log


def _refuse_stopped(reason: Stopped | None) -> None:
    if reason == "cancelled":
        raise KeyboardInterrupt
    if reason is not None:
        raise NotFinishedError(
            "the time limit came before the exact posterior was complete; "
            "give more time or sample with PartitionMCMC()"
        )
