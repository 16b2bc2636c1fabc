"""EM: the figures of the textbook, laws, hidden variables, what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dagwright as dw
from dagwright.errors import DataError, OptionError, UnknownNameError

# Jensen & Nielsen (2007), Table 7.2, with X2 of the first case and X1 of the ninth hidden.
MASKED = {
    "X1": ["yes"] * 8 + [None, "no"],
    "X2": [None, "pos", "pos", "pos", "pos", "pos", "neg", "neg", "neg", "neg"],
}
ARC = dw.Dag(["X1", "X2"], [("X1", "X2")])
HARD = dw.EM(tolerance=1e-13)


def masked(network: dw.BayesianNetwork, rows: int, share: float, seed: int) -> dw.Table:
    table = network.sample(rows, random_state=seed)
    random = np.random.default_rng(seed)
    codes = [np.where(random.random(rows) < share, 255, table.codes(x)).astype(np.uint8) for x in table.names]
    return table.with_codes(codes, table.states)


def test_masked_table_of_the_textbook() -> None:
    found = HARD.fit(ARC, MASKED)
    assert found.converged
    network = found.network
    assert network.probability("X1", "yes") == pytest.approx(0.8701562118716423, abs=1e-6)
    assert network.probability("X2", "pos", {"X1": "yes"}) == pytest.approx(0.6492189406417881, abs=1e-6)
    assert network.probability("X2", "pos", {"X1": "no"}) == pytest.approx(0.0, abs=1e-6)
    assert found.log_likelihood == pytest.approx(-8.241425494937426, abs=1e-6)
    assert found.bic / math.log(2) == pytest.approx(-16.872755833733137, abs=1e-6)


def test_start_from_given_tables() -> None:
    start = dw.BayesianNetwork(
        ARC,
        {"X1": ["no", "yes"], "X2": ["neg", "pos"]},
        {"X1": [0.4, 0.6], "X2": [[0.6, 0.4], [0.4, 0.6]]},
    )
    found = HARD.fit(ARC, MASKED, start=start)
    assert found.network.probability("X1", "yes") == pytest.approx(0.8701562118716423, abs=1e-6)
    with pytest.raises(DataError, match="other parents or states at node"):
        HARD.fit(dw.Dag(["X1", "X2"]), MASKED, start=start)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.05, 0.7), st.booleans(), st.sampled_from([None, 0.5]))
def test_the_objective_never_falls(seed: int, share: float, accelerate: bool, prior: float | None) -> None:
    asia = dw.load("asia")
    rows = masked(asia, 60, share, seed)
    found = dw.EM(accelerate=accelerate, tolerance=1e-9).fit(asia.graph, rows, parameter_prior=prior)
    trace = np.array(found.trace)
    assert np.all(np.diff(trace) >= -1e-9 * np.abs(trace[1:]))
    # What EM says of its result is what the network says of the rows.
    assert found.log_likelihood == pytest.approx(float(found.network.row_log_probabilities(rows).sum()))


def test_acceleration_reaches_the_same_point_sooner() -> None:
    asia = dw.load("asia")
    rows = masked(asia, 400, 0.4, seed=3)
    plain = dw.EM(accelerate=False, tolerance=1e-10, max_iterations=5000).fit(
        asia.graph, rows, parameter_prior=1
    )
    fast = dw.EM(tolerance=1e-10).fit(asia.graph, rows, parameter_prior=1)
    assert len(fast.trace) < len(plain.trace)
    assert fast.trace[-1] == pytest.approx(plain.trace[-1], abs=1e-4)


def test_complete_rows_need_no_em() -> None:
    asia = dw.load("asia")
    rows = asia.sample(500, random_state=1)
    found = dw.EM().fit(asia.graph, rows, parameter_prior=1)
    counted = dw.fit(asia.graph, rows, parameter_prior=1)
    for node in asia.nodes:
        assert found.network.table(node) == pytest.approx(counted.table(node), abs=1e-12)
        assert found.network.counts(node) == pytest.approx(counted.counts(node))
    assert len(found.trace) <= 4


def test_expected_counts_by_enumeration() -> None:
    """One E-step and one M-step on a small network, by the definition."""
    dag = dw.Dag(["a", "b", "c"], [("a", "b"), ("a", "c"), ("b", "c")])
    random = np.random.default_rng(4)
    r = {"a": 2, "b": 3, "c": 2}
    tables = {
        "a": random.dirichlet(np.ones(2)),
        "b": random.dirichlet(np.ones(3), size=2),
        "c": random.dirichlet(np.ones(2), size=(2, 3)),
    }
    start = dw.BayesianNetwork(dag, {x: range(k) for x, k in r.items()}, tables)
    codes = [random.integers(0, k, 30).astype(np.uint8) for k in r.values()]
    for column in codes:
        column[random.random(30) < 0.4] = 255
    rows = dw.Table(["a", "b", "c"], codes, [tuple(range(k)) for k in r.values()])
    expected = np.zeros((2, 3, 2))
    joint = start.joint(["a", "b", "c"])
    for row in zip(*codes, strict=True):
        place = tuple(slice(None) if code == 255 else slice(code, code + 1) for code in row)
        part = np.zeros_like(joint)
        part[place] = joint[place]
        expected += part / part.sum()
    found = dw.EM(max_iterations=1).fit(dag, rows, start=start)
    assert not found.converged
    assert found.network.counts("c") == pytest.approx(expected)
    assert found.network.counts("b") == pytest.approx(expected.sum(axis=2))
    assert found.network.counts("a") == pytest.approx(expected.sum(axis=(1, 2)))


def test_large_groups_of_missing_cells_go_through_the_tree() -> None:
    """Rows with nearly nothing observed: the propagated counts are those of enumeration over the family."""
    alarm = dw.load("alarm")
    rows = masked(alarm, 3, 0.9, seed=2)
    found = dw.EM(max_iterations=1).fit(alarm.graph, rows, start=alarm)
    for node in ("CATECHOL", "VENTALV", "HISTORY"):
        family = [*found.network.parents(node), node]
        expected = sum(
            alarm.joint(family, {x: rows.decode(x)[i] for x in rows.names if rows.decode(x)[i] is not None})
            for i in range(3)
        )
        assert found.network.counts(node) == pytest.approx(np.asarray(expected), abs=1e-9)


def test_hidden_variable() -> None:
    """A hidden class behind three observed children is found again, up to the names of its states."""
    names = ["h", "x", "y", "z"]
    dag = dw.Dag(names, [("h", x) for x in "xyz"])
    truth = dw.BayesianNetwork(
        dag,
        {"h": [0, 1], "x": "ab", "y": "ab", "z": "ab"},
        {"h": [0.3, 0.7], **{x: [[0.9, 0.1], [0.2, 0.8]] for x in "xyz"}},
    )
    rows = truth.sample(20_000, random_state=1).select(["x", "y", "z"])
    found = dw.EM(restarts=2, random_state=1).fit(dag, rows, hidden={"h": 2})
    assert found.runs == 3
    assert sorted(found.network.table("h")) == pytest.approx([0.3, 0.7], abs=0.03)
    assert found.log_likelihood >= truth.row_log_probabilities(rows).sum() - 1
    named = dw.EM(max_iterations=2).fit(dag, rows, hidden={"h": ["sick", "well"]})
    assert named.network.states("h") == ("sick", "well")


def test_order_of_rows_threads_and_weights() -> None:
    asia = dw.load("asia")
    rows = masked(asia, 200, 0.3, seed=8)
    em = dw.EM(max_iterations=10)
    one = em.fit(asia.graph, rows, threads=1)
    order = np.random.default_rng(3).permutation(200)
    other = em.fit(asia.graph, rows.take(order), threads=2)
    assert other.network == one.network
    doubled = em.fit(asia.graph, rows.with_weights(np.full(200, 2.0)))
    assert doubled.log_likelihood == pytest.approx(2 * one.log_likelihood, rel=1e-3)
    assert doubled.N == 400


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"hidden": {"X3": 2}}, UnknownNameError, "unknown node 'X3'"),
        ({"hidden": {"X1": 2}}, OptionError, "have a column"),
        ({"parameter_prior": -1}, OptionError, "not negative"),
    ],
)
def test_refusals(arguments: dict[str, object], error: type, words: str) -> None:
    with pytest.raises(error, match=words):
        dw.EM().fit(ARC, MASKED, **arguments)  # type: ignore[arg-type]


def test_fit_takes_em_as_a_policy_for_missing_values() -> None:
    network = dw.fit(ARC, MASKED, missing=HARD, parameter_prior=None)
    assert network == HARD.fit(ARC, MASKED).network
    with pytest.raises(OptionError, match="does not go with EM"):
        dw.fit(ARC, MASKED, missing=HARD, empty_configurations="marginal")


def test_further_refusals() -> None:
    with pytest.raises(UnknownNameError, match="column for the node"):
        dw.EM().fit(dw.Dag(["X1", "Y"]), MASKED)
    with pytest.raises(OptionError, match="at least one state"):
        dw.EM().fit(dw.Dag(["X1", "H"]), MASKED, hidden={"H": 0})
    nothing = dw.Table(["X1"], [[255, 255]], [[]])
    with pytest.raises(DataError, match="has no states"):
        dw.EM().fit(dw.Dag(["X1"]), nothing)
    for wrong in ({"tolerance": -1.0}, {"max_iterations": 0}, {"restarts": -1}):
        with pytest.raises(OptionError):
            dw.EM(**wrong)  # type: ignore[arg-type]


def test_a_parent_state_that_is_never_seen_is_unseen() -> None:
    rng = np.random.default_rng(3)
    a = rng.integers(0, 2, 300)
    b = np.where(rng.random(300) < 0.8, a, 1 - a)
    rows = {
        "a": ["xy"[k] if known else None for k, known in zip(a, rng.random(300) < 0.7, strict=True)],
        "b": ["no" if k else "yes" for k in b],
    }
    table = dw.read(rows, states={"a": ["x", "y", "z"]})
    found = dw.EM().fit(dw.Dag.parse("a -> b"), table)
    assert found.network.empty_configurations("b") == [{"a": "z"}]
    assert found.network.table("b")[2].tolist() == [0.5, 0.5]
    assert found.log_likelihood == pytest.approx(found.network.log_likelihood(table), rel=1e-9)
    assert found.log_likelihood == pytest.approx(found.trace[-1], abs=1e-5)
