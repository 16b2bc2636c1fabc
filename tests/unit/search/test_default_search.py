from __future__ import annotations

import numpy as np
import pytest

import dagwright as dw


def columns(n: int, rows: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(n)
    drawn = {"x00": rng.integers(0, 2, rows)}
    for at in range(1, n):
        noise = rng.random(rows) < 0.2
        drawn[f"x{at:02}"] = np.where(noise, rng.integers(0, 2, rows), drawn[f"x{rng.integers(at):02}"])
    return drawn


@pytest.mark.parametrize("score", [dw.BIC(), dw.BDeu(1), dw.QNML()], ids=repr)
def test_small_problems_are_proven_by_a_table_of_all_sets_where_it_is_quick(score: object) -> None:
    data = columns(18, 100)
    found = dw.learn(data, score=score)
    assert found.notes["chosen"] == "Exact(): all 2^18 sets of variables can be counted"
    assert found.optimal
    climbed = dw.learn(data, score=score, search=dw.HillClimb())
    assert found.score is not None
    assert climbed.score is not None
    assert found.score >= climbed.score - 1e-9


def test_where_no_table_is_made_order_search_is_chosen() -> None:
    data = columns(18, 100)
    twice = dw.read({**data, "w": np.full(100, 2.0)}, weights="w")
    weighted = dw.learn(twice, score=dw.BDeu(1), time_limit=0.2)
    assert str(weighted.notes["chosen"]).startswith("OrderSearch()")
    many = dw.learn(columns(26, 100), score=dw.BDeu(1), time_limit=0.2)
    assert str(many.notes["chosen"]).startswith("OrderSearch()")


def test_a_proof_of_a_moment_does_not_wait_for_order_search() -> None:
    """Order search on these rows takes many times as long as the table of all 2^20 sets."""
    table = dw.load("child").sample(300, random_state=1)
    phases: set[str] = set()
    found = dw.learn(table, score=dw.BDeu(2), progress=lambda event: phases.add(event.phase))
    assert found.optimal
    assert "order search" not in phases
