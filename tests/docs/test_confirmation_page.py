"""Tables, bars and charts of the recovery study and of score against time, from made-up answers."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(PROJECT))

    def module(name: str) -> ModuleType:
        return importlib.import_module(f"bench.{name}")

    return module


def lines(distances: dict[str, dict[int, list[float]]], network: str = "child") -> list[dict[str, Any]]:
    """One line per setting, number of rows and sample, with these distances per true edge."""
    return [
        {
            "network": network,
            "rows": rows,
            "sample": sample,
            "setting": setting,
            "edges": 100,
            "shd": 100 * distance,
            "skeleton_f1": 1 - distance,
            "arrowhead_f1": 1 - distance,
            "log_loss": 5.0,
            "seconds": 0.0 if setting == "empty graph" else 2.0,
            "cpu_seconds": 0.0 if setting == "empty graph" else rows / 1000,
            "how": {"peer": "other" if setting == "peer" else "", "score": "", "prior": ""},
        }
        for setting, by_rows in distances.items()
        for rows, values in by_rows.items()
        for sample, distance in enumerate(values)
    ]


DISTANCES = {
    "default of learn": {200: [0.6, 0.7], 1_000: [0.30, 0.34], 10_000: [0.2, 0.2]},
    "BIC": {200: [0.8, 0.8], 1_000: [0.4, 0.5], 10_000: [0.1, 0.12]},
    "peer": {200: [0.5, 0.6], 1_000: [0.6, 0.7], 10_000: [0.4, 0.4]},
    "empty graph": {200: [1.0, 1.0], 1_000: [1.0, 1.0], 10_000: [1.0, 1.0]},
}


def test_bars_are_judged_on_the_samples_that_both_answered(bench: Any) -> None:
    page = bench("confirmation_page")
    found = bench("recovery_page").answers(lines(DISTANCES))
    met = {fact.requirement: fact.met for fact in page.facts(found)}
    assert met["1,000 rows: at least 25% closer than every other library"] is True
    assert met["1,000 rows: at least 15% closer than BIC"] is True
    assert met["10,000 rows: at least 15% closer than BIC"] is False
    assert met["200 rows: no farther than every other library"] is False
    assert met["200 rows: no farther than the empty graph"] is True
    assert met["500 rows: no farther than the empty graph"] is None
    worse = page.nowhere_worse(found)
    assert worse.met is False
    assert "`child` with 10,000 rows (+0.09 ± 0.01)" in worse.found
    words = "\n".join(page.facts_table(page.facts(found)))
    assert "**no**" in words
    assert "100% farther: 0.200 against 0.110 of BIC, 2 samples" not in words
    assert "82% farther: 0.200 against 0.110 of BIC, 2 samples" in words


def test_a_difference_within_the_noise_or_of_one_sample_is_no_failure(bench: Any) -> None:
    page = bench("confirmation_page")
    noisy = {"default of learn": {200: [0.9, 0.5]}, "BIC": {200: [0.5, 0.6]}}
    assert page.nowhere_worse(bench("recovery_page").answers(lines(noisy))).met is True
    once = {"default of learn": {200: [0.9]}, "BIC": {200: [0.5]}}
    assert page.nowhere_worse(bench("recovery_page").answers(lines(once))).met is None


def test_tables_hold_the_samples_that_all_settings_answered(bench: Any) -> None:
    page = bench("confirmation_page")
    shorter = {**DISTANCES, "late peer": {1_000: [0.9]}}
    rows = lines(shorter)
    for line in rows:
        if line["setting"] == "late peer":
            line["how"]["peer"] = "late"
    found = bench("recovery_page").answers(rows)
    assert page.is_there(found)
    made = "\n".join(page.sections(found))
    assert "| default | 0.650 | 0.320 | 0.200 |" in made
    assert "| samples | 2 | 2 | 2 |" in made
    assert made.count("| late peer |") == 1
    assert "| default | 0.300 |" in made
    assert not page.is_there(bench("recovery_page").answers([]))


def test_distance_against_time_is_drawn_where_three_methods_have_times(bench: Any) -> None:
    page = bench("confirmation_page")
    found = bench("recovery_page").answers(lines(DISTANCES))
    drawn = page.time_charts(found)
    assert list(drawn) == ["child"]
    assert "child: distance against time" in drawn["child"]
    assert page.timed_methods(found, "child")["BIC"][0] == pytest.approx((0.2, 0.8))
    assert "empty graph" not in page.timed_methods(found, "child")
    assert "distance-time-child.svg" in "\n".join(page.time_section(found))
    few = {name: DISTANCES[name] for name in ("BIC", "empty graph")}
    assert page.time_section(bench("recovery_page").answers(lines(few))) == []


def test_score_against_time_says_where_the_law_fails(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    page = bench("anytime_page")
    good = {peer: [(0.0, -200.0), (0.05, -100.0)] for peer in page.PEERS}
    bad = {**good, page.PEERS[0]: [(0.0, -200.0), (3.0, -100.0)]}
    assert page.shortfall(good) == 0.0
    assert page.shortfall(bad) == 100.0
    monkeypatch.setattr(page, "stored", lambda: {"child_5000": good, "alarm_5000": bad})
    words = "\n".join(page.section())
    assert "holds on 1 of 2 data sets; it fails on alarm with 5000 rows (100.0 nats below)" in words
    assert set(page.charts()) == {"child-5000", "alarm-5000"}


def test_proofs_of_the_default_are_judged_where_bic_or_bdeu_proves(bench: Any) -> None:
    task, parts = bench("tasks.default_proofs"), bench("task")

    def result(peer: str, seconds: float, *, optimal: bool) -> Any:
        one = parts.Result(parts.Case("wine Exact()"), peer)
        answer = {"optimal": optimal, "score": -1.0, "gap": 0.0 if optimal else 3.0}
        reply = {"seconds": [seconds], "cpu_seconds": [seconds], "peak_mib": 1.0, "version": ""}
        one.add({**reply, "answer": answer})
        return one

    ours, bic, bdeu = task.PEERS
    late = result(bdeu, 9.0, optimal=False)
    quick = [result(ours, 3.0, optimal=True), result(bic, 1.0, optimal=True), late]
    proven, time = task.findings(parts.Results(quick))
    assert proven.met
    assert time.met is False
    assert time.value == pytest.approx(3.0)
    open_end = [result(ours, 60.0, optimal=False), *quick[1:]]
    (proven,) = task.findings(parts.Results(open_end))
    assert proven.met is False
    assert proven.note == "gap 3 nats"
    assert list(task.findings(parts.Results([quick[0], quick[2]]))) == []
