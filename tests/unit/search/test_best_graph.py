"""The best network so far: what a search shows on its way is a network with the score that it names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.evidence.report import score
from dagwright.search import control
from dagwright.search.control import Improving

LONG = {
    "HillClimb": dw.HillClimb(restarts=10**6),
    "Tabu": dw.Tabu(patience=10**9),
    "Annealing": dw.Annealing(steps=400_000),
    "OrderSearch": dw.OrderSearch(perturbations=10**6),
    "BOSS": dw.BOSS(restarts=10**6),
    "GES": dw.GES(extended=True),
    "MdlSearch": dw.MdlSearch(expansions=10**6),
    "MdlSearch in one phase": dw.MdlSearch("one-phase", expansions=10**6),
}


class Shown:
    """Listens to a search and stops it when it has shown a few networks."""

    def __init__(self, most: int = 4) -> None:
        self.networks: list[tuple[dw.Dag, float]] = []
        self.events = 0
        self.most = most
        self.cancel = dw.CancelToken()

    def __call__(self, event: dw.Event) -> None:
        assert isinstance(event, dw.Event)
        self.events += 1

    def best_graph(self, dag: dw.Dag, value: float) -> None:
        self.networks.append((dag, value))
        if len(self.networks) == self.most:
            self.cancel.cancel()


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every better network is shown, however soon: no test depends on the speed of the machine."""
    for pause in ("INTERVAL", "BETWEEN_NETWORKS"):
        monkeypatch.setattr(control, pause, 0.0)


@pytest.fixture(scope="module")
def table() -> dw.Table:
    rng = np.random.default_rng(5)
    columns: dict[str, Any] = {}
    for at in range(60):
        columns[f"v{at:02}"] = rng.integers(0, 3, 400)
        if at >= 3:
            parents = columns[f"v{at - 1:02}"] + columns[f"v{at - 3:02}"]
            columns[f"v{at:02}"] = np.where(rng.random(400) < 0.8, parents % 3, columns[f"v{at:02}"])
    return dw.read(columns)


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("name", LONG)
def test_shown_networks_have_the_scores_that_are_told(table: dw.Table, name: str) -> None:
    shown = Shown()
    found = dw.learn(
        table,
        search=LONG[name],
        score=dw.BIC(),
        progress=shown,
        cancel=shown.cancel,
        threads=1,
        random_state=1,
    )
    assert shown.networks and shown.events
    for dag, value in shown.networks:
        assert set(dag.nodes) == set(table.names)
        assert value == pytest.approx(score(dag, table, dw.BIC()).total, rel=1e-9)
    values = [value for _, value in shown.networks]
    assert values == sorted(values)
    assert found.score is not None and all(value <= found.score + 1e-6 for value in values)


def test_k2_shows_its_network_round_by_round(table: dw.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "INTERVAL", -1.0)
    monkeypatch.setattr(control, "BETWEEN_NETWORKS", 0.0)
    shown = Shown()
    found = dw.learn(table, search=dw.K2(table.names), progress=shown)
    assert len(shown.networks) > 1 and shown.networks[-1][0] == found.graph
    for dag, value in shown.networks:
        assert value == pytest.approx(score(dag, table, dw.K2Score()).total, rel=1e-9)


@pytest.mark.usefixtures("at_once")
def test_a_look_at_every_dag_shows_the_best() -> None:
    rng = np.random.default_rng(2)
    columns = {f"v{at}": rng.integers(0, 3, 200) for at in range(6)}
    shown = Shown()
    search = dw.MdlSearch("every-dag")
    found = dw.learn(columns, search=search, score=dw.AIC(), progress=shown, cancel=shown.cancel)
    assert all(value <= found.score + 1e-6 for _, value in shown.networks)
    assert shown.networks


@pytest.mark.usefixtures("at_once")
def test_required_edges_are_in_every_shown_network(table: dw.Table) -> None:
    shown = Shown()
    known = dw.Knowledge(required=[("v59", "v00")])
    dw.learn(table, search=LONG["GES"], knowledge=known, progress=shown, cancel=shown.cancel, threads=1)
    assert shown.networks
    assert all(("v59", "v00") in dag.edges for dag, _ in shown.networks)


def test_an_error_of_the_listener_reaches_the_caller(table: dw.Table) -> None:
    class Broken(Shown):
        def best_graph(self, dag: dw.Dag, value: float) -> None:  # noqa: ARG002
            raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        dw.learn(table, search=LONG["Tabu"], progress=Broken(), time_limit=5.0, threads=1)


@pytest.mark.usefixtures("at_once")
def test_branch_and_cut_shows_what_it_finds() -> None:
    pytest.importorskip("highspy")
    rng = np.random.default_rng(3)
    base = rng.integers(0, 2, (80, 4))
    table = dw.read(
        {f"v{at}": (base @ rng.integers(0, 2, 4) + (rng.random(80) < 0.2)) % 3 for at in range(9)}
    )
    shown = Shown()
    found = dw.solve(dw.candidates(table, score=dw.BIC()), method="ilp", progress=shown, threads=1)
    assert shown.networks
    for dag, value in shown.networks:
        assert value == pytest.approx(score(dag, table, dw.BIC()).total, rel=1e-9)
    values = [value for _, value in shown.networks]
    assert values == sorted(set(values)) and values[-1] == pytest.approx(found.score)


def test_only_better_networks_are_shown_and_not_too_often() -> None:
    now = [0.0]
    seen: list[float] = []
    best = Improving(lambda _, value: seen.append(value), above=1.0, clock=lambda: now[0])
    for seconds, value in ((0.0, 2.0), (1.0, 1.0), (1.0, 3.0), (1.2, 4.0), (1.6, 3.0), (1.7, 5.0)):
        now[0] = seconds
        best.offer(value, lambda: dw.Dag([]))
    assert seen == [3.0, 5.0]
