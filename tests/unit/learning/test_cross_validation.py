"""Losses on rows that were not learned from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dagwright as dw

ASIA = dw.read(dw.sample_path("asia")).take(np.arange(1500))
TRIED: dict[str, dict[str, Any]] = {
    "empty": {"search": dw.HillClimb(max_parents=0)},
    "climbed": {"search": dw.HillClimb()},
    "same": {"search": dw.HillClimb()},
}


def test_losses_are_those_of_the_folds() -> None:
    found = dw.cross_validate(ASIA, {"climbed": {"search": dw.HillClimb()}}, folds=3, random_state=5)
    fold_of = np.random.default_rng(np.random.SeedSequence(5)).permutation(1500) % 3
    for fold, loss in enumerate(found.folds["climbed"]):
        learned = dw.learn(ASIA.take(fold_of != fold), search=dw.HillClimb())
        assert loss == dw.log_loss(learned.network(parameter_prior=dw.BDeu()), ASIA.take(fold_of == fold))


def test_candidates_are_ranked_with_their_uncertainty() -> None:
    found = dw.cross_validate(ASIA, TRIED, folds=4)
    assert found.ranking[-1].name == "empty"
    assert found.ranking[-1].behind > 5 * found.ranking[-1].behind_error
    assert set(found.indistinguishable) == {"climbed", "same"}
    assert "4 folds" in str(found)
    assert "best" in str(found)


def test_discretizations_compare_on_a_target() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=600)
    rows = {"x": x, "y": np.where(np.abs(x) > 1, "out", "in")}
    tried = {
        "two": {"data": dw.read(rows, discretize=dw.EqualFrequency(bins=2))},
        "six": {"data": dw.read(rows, discretize=dw.EqualFrequency(bins=6))},
    }
    assert dw.cross_validate(rows, tried, target="y", folds=3).best == "six"
    with pytest.raises(dw.OptionError, match="give a target"):
        dw.cross_validate(rows, tried, folds=3)


@pytest.mark.parametrize(
    ("candidates", "options", "reason"),
    [
        ({}, {}, r"at least one candidate: a dict .* such as {'default': {}"),
        ({"a": {"serach": None}}, {}, "did you mean 'search'"),
        ({"a": {}}, {"folds": 1}, "folds"),
        ({"a": {}}, {"target": "lungs"}, "did you mean 'lung'"),
        ({"a": {}, "b": {"data": ASIA.take(np.arange(9))}}, {}, "different numbers of rows"),
    ],
)
def test_refusals(candidates: dict[str, Any], options: dict[str, Any], reason: str) -> None:
    with pytest.raises(dw.DagwrightError, match=reason):
        dw.cross_validate(ASIA, candidates, **options)


def test_gaps_are_taken_as_learn_takes_them() -> None:
    cells = {name: ASIA.decode(name)[:400] for name in ("smoke", "lung", "either")}
    cells["lung"][::7] = [None] * len(cells["lung"][::7])
    tried = {"climbed": {"search": dw.HillClimb()}}
    by_default, named = (
        dw.cross_validate(cells, tried, folds=2, random_state=1, **options)
        for options in ({}, {"missing": "em"})
    )
    assert by_default.folds == named.folds


@pytest.mark.parametrize("policy", ["drop", "state", "em"])
def test_rows_with_gaps_are_judged_under_a_policy(policy: str) -> None:
    cells = {name: ASIA.decode(name)[:400] for name in ("smoke", "lung", "either", "xray")}
    cells["lung"][::7] = [None] * len(cells["lung"][::7])
    tried = {"empty": {"search": dw.HillClimb(max_parents=0)}, "climbed": {"search": dw.HillClimb()}}
    for target in (None, "lung"):
        assert dw.cross_validate(cells, tried, folds=3, missing=policy, target=target).best == "climbed"


def test_tests_are_judged_on_available_rows() -> None:
    cells = {name: ASIA.decode(name)[:400] for name in ("lung", "either", "xray")}
    cells["lung"][::7] = [None] * len(cells["lung"][::7])
    found = dw.cross_validate(cells, {"pc": {"search": dw.PC()}}, folds=2, missing="available")
    assert np.isfinite(found.ranking[0].loss)


def test_ctrl_c_keeps_the_folds_that_are_complete() -> None:
    tried = {"empty": {"search": dw.HillClimb(max_parents=0)}, "climbed": {"search": dw.HillClimb()}}

    def interrupt_in(wanted: int) -> Callable[..., None]:
        def progress(event: dw.Event) -> None:
            assert event.total == 5 * len(tried)
            if event.done > (wanted - 1) * len(tried):
                raise KeyboardInterrupt

        return progress

    data = dw.sample_path("asia")
    whole = dw.cross_validate(data, tried, folds=5)
    early = dw.cross_validate(data, tried, folds=5, progress=interrupt_in(4))
    assert (whole.stopped, early.stopped) == (None, "cancelled")
    assert early.folds == {name: losses[:3] for name, losses in whole.folds.items()}
    assert "3 folds, interrupted" in str(early)
    with pytest.raises(KeyboardInterrupt):
        dw.cross_validate(data, tried, folds=5, progress=interrupt_in(2))
