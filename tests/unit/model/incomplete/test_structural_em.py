"""Structural EM: monotone scores, hidden variables, any search and score, what is refused."""

from __future__ import annotations

import itertools
import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dagwright as dw
from dagwright.errors import MissingValuesError, OptionError
from dagwright.evidence.incomplete import IncompleteScore
from dagwright.model.incomplete.expected import RowsWithGaps, merged_rows

ASIA = dw.load("asia")
# Jensen & Nielsen (2007), Table 7.2, with X2 of the first case and X1 of the ninth hidden.
MASKED = {
    "X1": ["yes"] * 8 + [None, "no"],
    "X2": [None, "pos", "pos", "pos", "pos", "pos", "neg", "neg", "neg", "neg"],
}


def masked(network: dw.BayesianNetwork, rows: int, share: float, seed: int) -> dw.Table:
    table = network.sample(rows, random_state=seed)
    random = np.random.default_rng(seed)
    codes = [np.where(random.random(rows) < share, 255, table.codes(x)).astype(np.uint8) for x in table.names]
    return table.with_codes(codes, table.states)


GAPS = masked(ASIA, 800, 0.15, seed=1)


def test_the_observed_score_of_the_textbook() -> None:
    arc = dw.Dag(["X1", "X2"], [("X1", "X2")])
    found = dw.observed_score(arc, MASKED, dw.BIC(), em=dw.EM(tolerance=1e-13))
    assert found.total / math.log(2) == pytest.approx(-16.872755833733137, abs=1e-6)
    assert found.log_likelihood == pytest.approx(-8.241425494937426, abs=1e-6)
    assert float(found) == found.total


@pytest.mark.parametrize("score", [dw.BIC(), dw.BDeu(ess=5), dw.K2Score(), dw.MDL(), dw.FNML(), dw.QNML()])
def test_on_complete_rows_the_observed_score_is_the_score(score: Any) -> None:
    rows = ASIA.sample(300, random_state=2)
    expected = dw.score(ASIA.graph, rows, score).total
    assert dw.observed_score(ASIA.graph, rows, score).total == pytest.approx(expected, rel=1e-9)


def test_expected_counts_are_those_of_enumeration() -> None:
    table = masked(ASIA, 60, 0.3, seed=4).select(sorted(ASIA.nodes))
    rows = RowsWithGaps(IncompleteScore(dw.BIC(), table), 2)
    completed = rows.completed(ASIA)
    for names in itertools.combinations(table.names, 3):
        cells = completed.native.cells([table.column_index(name) for name in names])
        found = np.zeros([ASIA.cardinality(name) for name in names])
        found[tuple(cells.codes.T.astype(int))] = cells.counts
        expected = np.zeros_like(found)
        for row in range(table.n_rows):
            seen = {
                name: table.states_of(name)[int(table.codes(name)[row])]
                for name in table.names
                if table.codes(name)[row] != 255
            }
            expected += ASIA.joint(names, seen)
        assert found == pytest.approx(expected, abs=1e-9)


def test_large_groups_of_missing_cells_are_summed_out_on_demand() -> None:
    """A row without any value has one group of 2^16 cells, more than is kept."""
    names = [f"x{i:02}" for i in range(16)]
    chain = dw.Dag(names, list(itertools.pairwise(names)))
    network = dw.random_network(chain, random_state=3)
    table = network.sample(20, random_state=1)
    codes = [np.where(np.arange(20) < 2, 255, table.codes(x)).astype(np.uint8) for x in names]
    rows = RowsWithGaps(IncompleteScore(dw.BIC(), table.with_codes(codes, table.states)), 1)
    completed = rows.completed(network)
    found = completed.native.cells([0, 15]).counts
    pairs = network.joint([names[0], names[15]])
    known = np.zeros((2, 2))
    np.add.at(known, (table.codes(names[0])[2:], table.codes(names[15])[2:]), 1)
    assert found.reshape(2, 2) == pytest.approx(known + 2 * pairs, abs=1e-9)


def test_merged_rows_forget_the_order() -> None:
    shuffled = GAPS.take(np.random.default_rng(0).permutation(GAPS.n_rows))
    merged = merged_rows(GAPS)
    assert merged == merged_rows(shuffled)
    assert merged.N == GAPS.N
    assert merged.n_rows < GAPS.n_rows


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.05, 0.5), st.sampled_from([dw.BIC(), dw.AIC(), dw.MDL()]))
def test_the_score_of_the_observed_cells_rises_every_round(seed: int, share: float, score: Any) -> None:
    rows = masked(ASIA, 150, share, seed)
    found = dw.learn(rows, score=score, missing="em")
    scores = found.notes["scores of the rounds"]
    assert all(later > before for before, later in itertools.pairwise(scores))
    assert found.score == scores[-1]
    # What structural EM says of its graph is what EM alone says of it.
    assert dw.observed_score(found.dag, rows, score).total >= found.score - 1e-3 * abs(found.score)


def test_it_finds_what_complete_rows_show() -> None:
    complete = ASIA.sample(3000, random_state=5)
    random = np.random.default_rng(5)
    codes = [np.where(random.random(3000) < 0.1, 255, complete.codes(x)) for x in complete.names]
    gaps = complete.with_codes([c.astype(np.uint8) for c in codes], complete.states)
    whole = dw.learn(complete, score=dw.BIC(), search=dw.GES())
    found = dw.learn(gaps, score=dw.BIC(), missing="em", search=dw.GES())
    assert dw.compare(whole.dag, found.dag).shd <= 2
    assert found.score >= dw.observed_score(ASIA.graph, gaps, dw.BIC()).total - 1


@pytest.mark.parametrize(
    "search",
    [
        dw.HillClimb(),
        dw.GES(),
        dw.OrderSearch(),
        dw.HillClimb(start="tree"),
        dw.Auto(),
        dw.MMHC(),
    ],
)
def test_any_score_search_may_stand_inside(search: Any) -> None:
    found = dw.learn(GAPS, search=dw.StructuralEM(search))
    assert found.score >= dw.learn(GAPS, missing="em").score - 60
    assert dw.Learned.from_json(found.to_json()).dag == found.dag


@pytest.mark.parametrize(
    "score", [dw.BDeu(ess=5), dw.BDs(), dw.K2Score(), dw.QNML(), dw.FNML(), dw.DirichletScore(0.5)]
)
def test_any_score_may_be_maximized(score: Any) -> None:
    found = dw.learn(GAPS, score=score, missing="em")
    assert math.isfinite(found.score)
    assert len(found.dag.edges) >= 4
    assert found.score >= dw.observed_score(dw.Dag(GAPS.names), GAPS, score).total


def test_a_prior_network_and_a_structure_prior() -> None:
    found = dw.learn(
        GAPS, score=dw.BDe(ASIA, ess=5), structure_prior=dw.ArcCost(1.0), search=dw.StructuralEM()
    )
    assert len(found.dag.edges) >= 4
    assert "structure prior" in found.score_definition
    assert "missing at random" in found.assumptions[-1]


def test_trees_are_not_told_where_to_start() -> None:
    found = dw.learn(GAPS, search=dw.ChowLiu(), missing="em")
    assert len(found.dag.edges) == 7
    assert not any("start" in warning for warning in found.warnings)


def test_rows_columns_names_and_threads_do_not_matter() -> None:
    expected = dw.learn(GAPS, missing="em")
    new = {name: f"v{7 * i % 8}" for i, name in enumerate(GAPS.names)}
    for seed in range(4):
        random = np.random.default_rng(seed)
        columns = [GAPS.names[i] for i in random.permutation(len(GAPS.names))]
        shown = GAPS.select(columns).take(random.permutation(GAPS.n_rows)).rename(new)
        found = dw.learn(shown, missing="em", threads=1 + seed % 2)
        assert set(found.dag.edges) == {(new[a], new[b]) for a, b in expected.dag.edges}
        assert found.score == expected.score


def test_knowledge_is_obeyed() -> None:
    known = dw.Knowledge(required=[("asia", "smoke")], forbidden=[("smoke", "lung"), ("lung", "smoke")])
    found = dw.learn(GAPS, missing="em", knowledge=known)
    assert known.check(found.graph) == []
    assert known.check(dw.learn(GAPS, search=dw.StructuralEM(restarts=2), knowledge=known).graph) == []


def test_a_result_with_a_hidden_variable_is_scored_on_data_without_its_column() -> None:
    rng = np.random.default_rng(0)
    hidden = rng.integers(2, size=400)
    rows = {name: np.where(rng.random(400) < 0.85, hidden, 1 - hidden).tolist() for name in "abc"}
    found = dw.learn(rows, search=dw.StructuralEM("hc", hidden={"H": 2}))
    assert found.score == dw.score(found).total
    again = dw.score(found, rows).total  # EM from its usual start, not from the network of the result
    assert again == pytest.approx(found.score, abs=0.01)
    assert dw.score(found, found.table).total == again
    assert dw.score(dw.Learned.from_json(found.to_json()), rows).total == again
    assert dw.score(found, rows, "BIC").total == pytest.approx(dw.score(found, score="BIC").total)
    assert found.network(rows, missing=dw.EM()).graph == found.parameter_graph()


def test_a_hidden_cause_is_found_from_its_effects() -> None:
    names = ["a", "b", "c", "d", "e"]
    graph = dw.Dag(["H", *names], [("H", name) for name in names])
    noisy = [[0.9, 0.1], [0.15, 0.85]]
    network = dw.BayesianNetwork(
        graph,
        {"H": [0, 1], **{name: ["n", "y"] for name in names}},
        {"H": [0.6, 0.4], **dict.fromkeys(names, noisy)},
    )
    rows = network.sample(2000, random_state=3).select(names)
    plain = dw.learn(rows)
    found = dw.learn(rows, search=dw.StructuralEM(hidden={"H": 2}, restarts=2))
    assert found.score > plain.score + 20
    assert all(found.dag.adjacent("H", name) for name in names)
    fitted = found.network()
    assert sorted(fitted.table("H").round(1).tolist()) == [0.4, 0.6]
    with pytest.raises(OptionError, match="'a' cannot be hidden"):
        dw.learn(rows, search=dw.StructuralEM(hidden={"a": 2}))


def test_more_runs_are_never_worse() -> None:
    one = dw.learn(GAPS, missing="em")
    more = dw.learn(GAPS, search=dw.StructuralEM(restarts=3))
    assert more.score >= one.score - 1e-6
    assert "of 4 runs" in more.notes["structural EM"]


def test_complete_rows_need_one_search() -> None:
    rows = ASIA.sample(400, random_state=1)
    found = dw.learn(rows, search=dw.StructuralEM(dw.Tabu()))
    assert found.dag == dw.learn(rows, search=dw.Tabu()).dag
    assert found.notes["structural EM"] == "no missing values: one search"


def test_the_network_of_the_result_has_the_parameters_of_em() -> None:
    found = dw.learn(GAPS, missing="em", score=dw.BDeu(ess=2))
    network = found.network()
    again = dw.EM().fit(found.dag, GAPS, parameter_prior=dw.BDeu(ess=2))
    assert network.log_likelihood(GAPS) == pytest.approx(again.log_likelihood, abs=0.5)
    assert pickle.loads(pickle.dumps(found)).fitted is None
    with pytest.raises(MissingValuesError, match="missing='drop'"):
        found.network(GAPS)
    assert found.network(GAPS, missing="em").nodes == network.nodes


def test_it_stops_when_asked() -> None:
    stopped = dw.learn(GAPS, missing="em", time_limit=0.0)
    assert stopped.stopped == "deadline"
    assert math.isfinite(stopped.score)
    phases: list[str] = []
    dw.learn(GAPS, missing="em", progress=lambda event: phases.append(event.phase))
    assert "structural EM" in phases


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def test_an_interrupt_gives_the_best_so_far() -> None:
    found = dw.learn(GAPS, missing="em", progress=interrupt)
    assert found.stopped == "cancelled"
    assert math.isfinite(found.score)


def test_an_interrupt_during_the_first_fit_gives_the_first_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, calls = dw.EM.fit, []

    def interrupted(self: dw.EM, *args: Any, **options: Any) -> Any:
        calls.append(self.max_iterations)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return plain(self, *args, **options)

    monkeypatch.setattr(dw.EM, "fit", interrupted)
    found = dw.learn(GAPS, search=dw.StructuralEM(restarts=3))
    assert calls == [200, 1]
    assert (found.stopped, found.dag.edges) == ("cancelled", ())


class OwnScore:
    def on(self, table: dw.Table) -> OwnScore:  # noqa: ARG002
        return self

    def local(self, families: Any) -> list[float]:
        return [0.0] * len(families)


def test_what_is_refused() -> None:
    with pytest.raises(OptionError, match=r"PC.* asks tests; give it a search"):
        dw.learn(GAPS, search=dw.PC(), missing="em")
    with pytest.raises(OptionError, match=r"cannot maximize .*OwnScore"):
        dw.learn(GAPS, score=OwnScore(), missing="em")
    with pytest.raises(OptionError, match="cannot maximize Euclidean"):
        dw.learn(GAPS, score=dw.Euclidean(), missing="em")
    with pytest.raises(OptionError, match="needs another search inside"):
        dw.StructuralEM(dw.StructuralEM())
    for wrong in ({"H": 0}, {"H": True}, {1: 2}):
        with pytest.raises(OptionError, match="with their number of states"):
            dw.StructuralEM(hidden=wrong)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="restarts"):
        dw.StructuralEM(restarts=-1)


def test_a_marginal_likelihood_of_expected_counts_is_called_an_approximation() -> None:
    gaps = {"a": [0, 0, 1, 1, None] * 10, "b": [0, 0, 1, None, 1] * 10}
    for score, said in ((dw.BDeu(), True), (dw.K2Score(), True), (dw.BIC(), False)):
        found = dw.learn(gaps, score=score, missing="em")
        assert ("Cheeseman & Stutz" in (found.score_definition or "")) == said
    assert "Stutz" not in (dw.learn({"a": [0, 1], "b": [0, 1]}, score=dw.BDeu()).score_definition or "")
