"""The parents that variables may have in sampled networks: as given, or the most promising."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from dagwright import _core
from dagwright.confidence.methods import Sampler
from dagwright.confidence.setting import Setting
from dagwright.errors import CapacityError, NotFinishedError, unknown_name
from dagwright.search.control import Stopped, stopped_by

MOST_FAMILIES = 2**19
"""Families that are scored beforehand, unless the caller names candidates."""
FAMILY_BYTES = 32  # a family with its weight, its sum over subsets and its place among the others
MOST_BYTES = 4 * 2**30
WITHIN_NATS = 5.0
"""A set of parents that scores less than one of its subsets by more names no candidates."""
SHORTLIST = 32
"""Others whose sets are looked at for candidates, of each variable."""


def most_candidates(n: int, given: int | None) -> int:
    """How many candidates a variable may have: as given, or as many as MOST_FAMILIES leaves room for."""
    return int(math.log2(MOST_FAMILIES / n)) if given is None else given


def candidate_parents(setting: Setting, method: Sampler) -> list[list[int]]:
    """For every variable the parents that it may have in the samples."""
    if not isinstance(method.candidates, Mapping):
        return _chosen_candidates(setting, method, method.candidates)
    given = _given_candidates(setting, method.candidates)
    if len(given) == len(setting.names):
        return [given[child] for child in range(len(setting.names))]
    others = _chosen_candidates(setting, method, None)
    return [given.get(child, row) for child, row in enumerate(others)]


def _chosen_candidates(setting: Setting, method: Sampler, most: int | None) -> list[list[int]]:
    n, control = len(setting.names), setting.control
    fitting = most_candidates(n, most)
    if fitting >= n - 1:
        return [[other for other in range(n) if other != child] for child in range(n)]
    chosen = _core.promising_parents(
        setting.score.native,
        setting.knowledge.native,
        most=fitting,
        max_parents=method.max_parents,
        within=WITHIN_NATS,
        shortlist=SHORTLIST,
        threads=control.threads,
        seconds=control.seconds_left(),
        progress=control.native_progress,
        cancel=control.cancel,
    )
    refuse_unfinished(stopped_by(chosen.stopped))
    return chosen.parents


def _given_candidates(setting: Setting, given: Mapping[str, Any]) -> dict[int, list[int]]:
    """The candidates of the variables that the caller names."""
    number = setting.knowledge.numbering.number
    for name in (*given, *(parent for parents in given.values() for parent in parents)):
        if name not in number:
            raise unknown_name("variable among the candidates", name, setting.names)
    return {
        number[name]: sorted({number[parent] for parent in parents} - {number[name]})
        for name, parents in given.items()
    }


def family_weights(setting: Setting, method: Sampler, candidates: list[list[int]]) -> _core.FamilyWeights:
    """The score of every family whose parents are candidates."""
    refuse_too_many(setting, candidates)
    control = setting.control
    weights = _core.FamilyWeights(
        setting.score.native,
        setting.knowledge.native,
        candidates,
        max_parents=method.max_parents,
        threads=control.threads,
        seconds=control.seconds_left(),
        progress=control.native_progress,
        cancel=control.cancel,
    )
    refuse_unfinished(stopped_by(weights.stopped))
    return weights


def refuse_too_many(setting: Setting, candidates: list[list[int]]) -> None:
    """An error with the formula, the number and the way out, before the families are scored."""
    needed = FAMILY_BYTES * math.fsum(2.0 ** len(row) for row in candidates)
    if needed > MOST_BYTES:
        widest = max(range(len(candidates)), key=lambda child: len(candidates[child]))
        raise CapacityError(
            f"the families hold {FAMILY_BYTES} bytes for each of the 2^k sets of k candidates of a "
            f"variable, together {needed / 2**30:,.3g} GiB, and the most is {MOST_BYTES / 2**30:.3g}; "
            f"{setting.names[widest]!r} has {len(candidates[widest])} candidates; give fewer",
        )


def refuse_unfinished(reason: Stopped | None) -> None:
    """An error where a call was stopped before it had anything to tell."""
    if reason is None:
        return
    if reason == "cancelled":
        raise KeyboardInterrupt
    raise NotFinishedError(
        "the time limit came before the chains had passed their burn-in; give more time, a smaller "
        "burn_in or fewer candidates"
    )
