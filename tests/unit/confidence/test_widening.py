"""Candidate parents that join after short chains."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import dagwright as dw
from dagwright.confidence.candidate_parents import candidate_parents
from dagwright.confidence.setting import Setting
from dagwright.confidence.widening import widened
from dagwright.errors import OptionError
from dagwright.search.control import Control
from dagwright.search.study import Study

ALARM = dw.load("alarm").sample(2000, random_state=3)
ASIA = dw.load("asia").sample(1000, random_state=3)


def setting(table: dw.Table, knowledge: dw.Knowledge | None = None) -> Setting:
    return Setting.of(Study(knowledge=knowledge or dw.Knowledge()), table, Control())


@pytest.mark.parametrize("sampler", [dw.OrderMCMC, dw.PartitionMCMC])
def test_networks_are_heavier_with_wider_candidates(sampler: type[dw.OrderMCMC]) -> None:
    few = {"samples": 60, "candidates": 4, "chains": 1}
    before = dw.posterior(ALARM, method=sampler(**few, widen=0), random_state=1)
    after = dw.posterior(ALARM, method=sampler(**few), random_state=1)
    assert before.samples is not None
    assert after.samples is not None
    assert np.mean(after.samples.log_weights) > np.mean(before.samples.log_weights) + 10.0
    assert after.diagnostics["candidate_parents"] == 4


def test_rounds_end_when_nothing_gains() -> None:
    made = setting(ALARM)
    method = dw.OrderMCMC(candidates=6)
    first = candidate_parents(made, method)
    phases: list[int] = []
    control = Control(progress=lambda event: phases.append(event.done) if "widening" in event.phase else None)
    settled = widened(replace(made, control=control), dw.OrderMCMC(candidates=6, widen=50), first)
    assert len(phases) < 50
    assert all(len(row) <= 6 and child not in row for child, row in enumerate(settled))
    assert settled != first


def test_all_others_as_candidates_leave_nothing_to_widen() -> None:
    one, other = (
        dw.posterior(ASIA, method=dw.OrderMCMC(samples=40, chains=2, widen=rounds), random_state=4)
        for rounds in (0, 3)
    )
    assert one.confidence.compare(other.confidence).largest == 0.0


def test_threads_change_nothing() -> None:
    method = dw.PartitionMCMC(samples=20, candidates=3, chains=2)
    one, three = (dw.posterior(ALARM, method=method, random_state=5, threads=k) for k in (1, 3))
    assert one.confidence.compare(three.confidence).largest == 0.0


def test_named_candidates_and_knowledge_stay() -> None:
    forbidden = [("CVP", "BP"), ("HR", "BP"), ("CO", "TPR")]
    knowledge = dw.Knowledge(forbidden=forbidden)
    made = setting(ALARM, knowledge)
    number = made.knowledge.numbering.number
    method = dw.OrderMCMC(candidates={"BP": ["CO"], "LVFAILURE": []}, widen=2)
    found = widened(made, method, candidate_parents(made, method))
    assert found[number["BP"]] == [number["CO"]]
    assert found[number["LVFAILURE"]] == []
    few = dw.OrderMCMC(candidates=3)
    free = widened(made, few, candidate_parents(made, few))
    assert all(number[a] not in free[number[b]] for a, b in forbidden)


def test_the_parents_of_the_start_are_not_dropped() -> None:
    method = dw.OrderMCMC(samples=20, candidates=4, chains=1)
    made = setting(ALARM)
    first = candidate_parents(made, method)
    start = dw.Dag(ALARM.names, [(made.names[first[0][-1]], made.names[0])])
    assert dw.posterior(ALARM, method=method, start=start, random_state=1).samples is not None


def test_a_negative_number_of_rounds_is_refused() -> None:
    with pytest.raises(OptionError, match="widen"):
        dw.OrderMCMC(widen=-1)
