"""The default search tries to prove answers of order search whose lists of parent sets are incomplete."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.search import auto
from dagwright.search.candidates import SetsDoNotFitError, find_candidates
from dagwright.search.control import Control
from dagwright.search.pipeline import problem_of
from dagwright.search.study import requested


def functions(n: int, rows: int = 400) -> dw.Table:
    """Columns that are nearly functions of two others."""
    rng = np.random.default_rng(1)
    columns = {f"x{at:02}": rng.integers(0, 4, rows) for at in range(4)}
    for at in range(4, n):
        one, other = rng.choice(at, 2, replace=False)
        exact = (columns[f"x{one:02}"] + 2 * columns[f"x{other:02}"]) % 4
        columns[f"x{at:02}"] = np.where(rng.random(rows) < 0.3, rng.integers(0, 4, rows), exact)
    return dw.read({name: [str(value) for value in column] for name, column in columns.items()})


def learned(table: dw.Table, **given: Any) -> dw.Learned:
    return dw.learn(table, score=dw.QNML(), structure_prior=dw.FanIn(monotone=True), **given)


def test_incomplete_lists_do_not_prevent_a_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    table = functions(12)
    few = dw.OrderSearch(evaluations=60)
    monkeypatch.setattr(auto.Auto, "choose", lambda self, problem: (few, "few"))  # noqa: ARG005
    monkeypatch.setattr(auto, "PROOF_SHARE", 100.0)
    found = learned(table)
    assert found.notes["parent lists complete"] is False
    assert found.optimal
    assert found.score == pytest.approx(learned(table, search=dw.Exact()).score)
    monkeypatch.setattr(auto, "PROOF_SHARE", 0.0)
    without = learned(table)
    assert not without.optimal
    assert without.score is not None
    assert without.score <= found.score + 1e-9


def test_an_attempt_ends_after_its_share_of_parent_sets() -> None:
    for given in ({"score": dw.QNML()}, {"score": dw.BIC()}, {"score": dw.BDeu(1)}):
        control = Control.of(1, None, None, None)
        problem, _ = problem_of(requested(None, **given), functions(12), control)
        whole = find_candidates(problem, control)
        with pytest.raises(SetsDoNotFitError) as cut:
            find_candidates(problem, control, families=20)
        assert cut.value.sets.evaluations < whole.evaluations
        assert cut.value.sets.bound() >= whole.bound() - 1e-9
        assert find_candidates(problem, control, families=10**9) == whole
