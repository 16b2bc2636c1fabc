"""One rule for `random_state`, and one level for tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.base.seeds import generator, seed_sequence
from dagwright.methods.registry import entries

ASIA = dw.load("asia")
OPEN = dw.Pdag([f"n{at}" for at in range(8)], undirected=[(f"n{at}", f"n{at + 1}") for at in range(7)])

DRAWS: dict[str, Callable[[Any], Any]] = {
    "sample": lambda state: ASIA.sample(50, random_state=state).fingerprint,
    "random_dag": lambda state: dw.random_dag(12, random_state=state),
    "random_network": lambda state: dw.random_network(6, arcs=6, random_state=state).graph,
    "member": lambda state: OPEN.sample(state),
}


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
def test_none_is_seed_zero_and_fresh_is_chance(draw: Callable[[Any], Any]) -> None:
    assert draw(None) == draw(None) == draw(0)
    assert draw(3) == draw(3)
    assert len({str(draw("fresh")) for _ in range(12)}) > 1
    stream = np.random.default_rng(1)
    assert len({str(draw(stream)) for _ in range(12)}) > 1


@pytest.mark.parametrize("wrong", [-1, 1.5, True, "new"])
def test_other_states_are_refused(wrong: Any) -> None:
    for ask in (seed_sequence, generator, lambda state: dw.random_dag(4, random_state=state)):
        with pytest.raises(dw.OptionError, match="random_state takes None"):
            ask(wrong)


def test_every_test_has_the_same_level() -> None:
    levels = {
        entry.name: entry.method().alpha
        for entry in entries("test")
        if not entry.needs and hasattr(entry.method(), "alpha")
    }
    assert levels == dict.fromkeys(["GSquare", "ChiSquare", "StudentT", "FisherZ", "LikelihoodRatio"], 0.01)
    for entry in entries("search"):
        if not entry.needs and hasattr(entry.method, "usual_test"):
            # MIIC decides by information less its complexity, which has no level.
            usual = dw.FNML() if entry.name == "MIIC" else dw.GSquare(0.01)
            assert entry.method().usual_test() == usual, entry.name
