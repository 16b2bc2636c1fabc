"""Candidate parents reconsidered: a short chain shows which parents outside the candidates would gain.

After the iterated search spaces of Kuipers, Suter & Moffa (2022): sample with the candidates there are, score
the sampled families with one parent more, let the parents that gain join, and repeat.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from dagwright import _core
from dagwright.confidence import sampled_features
from dagwright.confidence.candidate_parents import family_weights, most_candidates, refuse_unfinished
from dagwright.confidence.methods import WIDENING_VISITS, OrderMCMC, Sampler
from dagwright.confidence.setting import Setting
from dagwright.confidence.starting_network import starting_network
from dagwright.search.control import stopped_by

MOST_SETS = 8
"""The most frequent sampled parent sets of a variable: so many are tried with one parent more."""
OWN_STREAM = 0x51DE
"""Rounds draw from a random stream of their own: the chains that follow do not depend on their number."""


def widened(setting: Setting, method: Sampler, candidates: list[list[int]]) -> list[list[int]]:
    """The candidates after ``method.widen`` rounds, or fewer once no parent joins or the chains do not gain.

    Candidates that the caller names by variable stay as they are.
    """
    n = len(setting.names)
    named = method.candidates.keys() if isinstance(method.candidates, Mapping) else ()
    room = most_candidates(n, None if isinstance(method.candidates, Mapping) else method.candidates)
    open_to_more = [
        child
        for child, name in enumerate(setting.names)
        if name not in named and len(candidates[child]) < n - 1
    ]
    rounds = method.widen if open_to_more and room else 0
    best, heaviest = candidates, -math.inf
    for done in range(rounds + 1 if rounds else 0):
        networks, weight = _short_chain(setting, method, candidates, done)
        setting.control.report("widening candidates", done, "rounds", total=rounds)
        if weight <= heaviest:
            break
        best, heaviest = candidates, weight
        candidates = list(best)
        for child in open_to_more if done < rounds else ():
            candidates[child] = _with_joiners(setting, method, best[child], child, networks[:, child], room)
        if candidates == best:
            break
    return best


def _short_chain(
    setting: Setting, method: Sampler, candidates: list[list[int]], done: int
) -> tuple[NDArray[np.bool_], float]:
    """The networks of the second half of a chain, as matrices (child, parent), and their mean log weight.

    The chain walks over orders, whatever the method: these mix fastest.
    """
    n, control = len(setting.names), setting.control
    weights = family_weights(setting, method, candidates)
    start = starting_network(setting, weights, [weights.candidates(child) for child in range(n)])
    stream = np.random.SeedSequence(
        setting.seed.entropy, spawn_key=(*setting.seed.spawn_key, OWN_STREAM, done)
    )
    seeds = [int(stream.generate_state(1, np.uint64)[0])]
    sampler = _core.GraphSampler(weights, _core.WalkKind.order, seeds, start, control.threads)
    seen = sampler.advance(
        visits=WIDENING_VISITS,
        thin=OrderMCMC.moves_per_variable * n,
        with_arcs=False,
        threads=control.threads,
        seconds=control.seconds_left(),
        cancel=control.cancel,
    )
    refuse_unfinished(stopped_by(seen.stopped))
    rows = np.asarray(seen.networks).reshape(WIDENING_VISITS, n, -1)
    late = slice(WIDENING_VISITS // 2, None)
    return sampled_features.unpack(rows[late], n), float(np.mean(seen.log_weights[late]))


def _with_joiners(
    setting: Setting, method: Sampler, row: list[int], child: int, families: NDArray[np.bool_], room: int
) -> list[int]:
    """The candidates of a child with the parents that gain; unused ones give way where there is no room."""
    sets, counts = np.unique(families, axis=0, return_counts=True)
    frequent = sets[np.argsort(-counts, kind="stable")[:MOST_SETS]]
    parents = [np.flatnonzero(one).tolist() for one in frequent]
    if method.max_parents is not None:
        parents = [one for one in parents if len(one) < method.max_parents]
    allowed = setting.knowledge.native.allowed_parents(child)
    if not parents or set(allowed) <= set(row):
        return row
    tried = [(child, one) for one in parents]
    tried += [(child, sorted({*one, other})) for other in allowed for one in parents]
    values = setting.score.native.local(tried, threads=setting.control.threads)
    alone, joined = values[: len(parents)], values[len(parents) :].reshape(len(allowed), -1)
    with np.errstate(invalid="ignore"):  # a family of weight zero minus another
        gains = np.nan_to_num((joined - alone).max(axis=1), nan=-np.inf)
    gain = dict(zip(allowed, gains.tolist(), strict=True))
    used = np.array(families.any(axis=0))
    used[setting.first_network()[child]] = True
    idle = sorted((p for p in row if not used[p]), key=lambda p: -gain.get(p, -np.inf))
    kept = list(row)
    for other in sorted(set(allowed) - set(row), key=lambda v: -gain[v]):
        if gain[other] <= setting.score.native.tolerance:
            break
        if len(kept) >= room:
            if not idle:
                break
            kept.remove(idle.pop())
        kept.append(other)
    return sorted(kept)
