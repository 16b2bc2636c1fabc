"""The native core refuses wrong arguments in words, before it indexes by them."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dagwright import _core
from dagwright.errors import DagwrightError

sys.path.insert(0, str(Path(__file__).parents[1] / "attacks"))

import attack_core
import core_objects as core

RNG = random.Random(1)
NETWORK = core.network(RNG)
BITS = np.zeros((2, core.N, 1), dtype=np.uint64)
BITS[1, 2, 0] = 1 << 40


class HalfAMeasure:
    N = "many"
    evidence = None


WRONG: dict[str, Callable[[], Any]] = {
    "a target is named twice": lambda: NETWORK.joint([], [], [0, 0], 1e6),
    "both target and evidence": lambda: NETWORK.joint([(1, 0)], [], [1], 1e6),
    "does not exist": lambda: NETWORK.most_probable([], [], [99], 1e6),
    "there is no state 5": lambda: NETWORK.joint([(1, 5)], [], [0], 1e6),
    "finite and not negative": lambda: NETWORK.joint([], [(1, [-1.0, np.nan])], [0], 1e6),
    "another network": lambda: _core.Propagation(
        NETWORK, _core.JunctionTree.make(core.network(RNG, 3), 1, 1), 1e6
    ),
    "another shape": lambda: _core.GroupedRows(
        core.BINARY, core.binary_rows(RNG), list(range(core.N)), 1
    ).posteriors(core.network(RNG, 3), 1e6, 1),
    "a parent that does not exist": lambda: _core.network_features(BITS, np.ones(2)),
    "at least one chain": lambda: _core.GraphSampler(core.weights(), _core.WalkKind.order, [], core.EMPTY),
    "do not fit in memory": lambda: core.sampler(RNG).advance(visits=2**62, thin=1, with_arcs=True),
    "more moves were accepted": lambda: core.sampler(RNG).restore(
        0, [0] * core.N, random=1, proposed=1, accepted=2
    ),
    "chain 7 does not exist": lambda: core.sampler(RNG).restore(
        7, [0] * core.N, random=1, proposed=1, accepted=1
    ),
    "must be a number in range": lambda: _core.PythonMeasure(HalfAMeasure(), 3),
    "a measure needs 'N'": lambda: _core.PythonMeasure(object(), 3),
    "a local score needs 'local'": lambda: _core.PythonLocalScore(object(), 3, 1.0),
    "a question must be a tuple": lambda: core.g_square(RNG).answers([3]),
    "a variable must be a number": lambda: core.g_square(RNG).answers([(["x"], [1], [])]),
    "cannot be its own parent": lambda: core.score(random.Random(3)).local([(1, [1])]),
    "threads must be from 1 to 1024": lambda: core.measure(RNG).evidence([[0]], [], 10**6),
    "named twice or does not exist": lambda: _core.solve_by_subsets(core.sets(), [0, 0]),
    "must not be negative": lambda: _core.Table.from_codes(
        [core.codes(RNG, 2)], [2], core.ROWS, -np.ones(core.ROWS)
    ),
    "every layer needs a vertex": lambda: _core.order_layers([0, 2**31], [], 1.0),
    "seconds must be a number": lambda: _core.find_candidates(
        core.score(RNG), _core.Knowledge(core.N), seconds=float("nan")
    ),
}


@pytest.mark.parametrize("words", WRONG)
def test_wrong_arguments_are_refused_in_words(words: str) -> None:
    with pytest.raises((DagwrightError, ValueError, TypeError, IndexError), match=words):
        WRONG[words]()


@pytest.mark.parametrize("kind", list(_core.WalkKind))
@pytest.mark.parametrize("state", [[100, 0, 1, 2, 3], [0], [2**32 - 1] * core.N, [4] * core.N])
def test_states_of_chains_are_checked(kind: _core.WalkKind, state: list[int]) -> None:
    sampler = _core.GraphSampler(core.weights(), kind, [1], core.EMPTY)
    with pytest.raises(DagwrightError):
        sampler.restore(0, state, random=1, proposed=2, accepted=1)


def test_a_table_whose_size_wraps_around_is_refused() -> None:
    sampler = _core.Sampler()
    sampler.add(2, [], 1, np.array([0.5, 0.5]))
    with pytest.raises(DagwrightError, match="too large to sample from"):
        sampler.add(2, [0] * 64, 1, np.zeros(0))


@pytest.mark.filterwarnings("ignore")
def test_random_arguments() -> None:
    answers = sum(attack_core.attack(random.Random(seed)) for seed in range(300))
    assert 30 < answers < 270  # some arguments are still right after the change, most are not
