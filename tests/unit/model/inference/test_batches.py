"""Rows with missing cells: every answer equals that of the single row, by whatever road."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dagwright as dw
from dagwright.errors import DataError, OptionError


@pytest.fixture(scope="module")
def alarm() -> dw.BayesianNetwork:
    return dw.load("alarm")


def with_gaps(network: dw.BayesianNetwork, rows: int, share: float, seed: int) -> dw.Table:
    """Rows drawn from the network with a share of the cells missing at random."""
    table = network.sample(rows, random_state=seed)
    random = np.random.default_rng(seed)
    codes = [np.where(random.random(rows) < share, 255, table.codes(x)).astype(np.uint8) for x in table.names]
    return table.with_codes(codes, table.states)


def evidence_of(table: dw.Table, row: int, without: str | None = None) -> dict[str, object]:
    return {
        name: table.decode(name)[row]
        for name in table.names
        if name != without and table.decode(name)[row] is not None
    }


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.95])
def test_batches_equal_single_rows(alarm: dw.BayesianNetwork, share: float) -> None:
    rows = with_gaps(alarm, 12, share, seed=int(share * 100))
    target = "VENTALV"
    probabilities = alarm.predict_proba(rows, target)
    predicted = alarm.predict(rows, target)
    log_probabilities = alarm.row_log_probabilities(rows)
    completed = alarm.impute(rows)
    assert not any(completed.missing.values())
    for row in range(rows.n_rows):
        evidence = evidence_of(rows, row)
        given = {node: state for node, state in evidence.items() if node != target}
        exact = alarm.query(target, given)
        assert probabilities[row] == pytest.approx(list(exact.values()), abs=1e-12)
        assert predicted[row] == exact.most_likely
        assert log_probabilities[row] == pytest.approx(alarm.evidence_probability(evidence, log=True))
        filled = {node: completed.decode(node)[row] for node in alarm.nodes}
        assert evidence.items() <= filled.items()
        best = alarm.mpe(evidence).probability * alarm.evidence_probability(evidence)
        assert math.log(best) == pytest.approx(alarm.evidence_probability(filled, log=True))


def test_absent_columns_are_missing_everywhere(alarm: dw.BayesianNetwork) -> None:
    rows = {"HRBP": ["HIGH", "LOW", None], "unknown column": [1, 2, 3]}
    probabilities = alarm.predict_proba(rows, "HR")
    assert probabilities[0] == pytest.approx(list(alarm.query("HR", {"HRBP": "HIGH"}).values()))
    assert probabilities[2] == pytest.approx(list(alarm.query("HR").values()))


def test_threads_and_order_of_rows_change_nothing(alarm: dw.BayesianNetwork) -> None:
    rows = with_gaps(alarm, 300, 0.2, seed=5)
    one = alarm.predict_proba(rows, "HR", threads=1)
    assert np.array_equal(one, alarm.predict_proba(rows, "HR", threads=3))
    order = np.random.default_rng(1).permutation(300)
    assert np.array_equal(one[order], alarm.predict_proba(rows.take(order), "HR"))


def test_the_column_of_the_target_is_not_used(alarm: dw.BayesianNetwork) -> None:
    rows = with_gaps(alarm, 50, 0.1, seed=6)
    without = rows.select([name for name in rows.names if name != "HR"])
    assert np.array_equal(alarm.predict_proba(rows, "HR"), alarm.predict_proba(without, "HR"))


def test_impossible_rows() -> None:
    asia = dw.load("asia")
    rows = {"either": ["yes", "no"], "tub": ["yes", "yes"], "lung": [None, None]}
    with pytest.raises(dw.ImpossibleEvidenceError, match=r"row 1 .*either='no'"):
        asia.predict(rows, "lung")
    assert asia.predict(rows, "lung", impossible="missing")[1] is None
    assert np.isnan(asia.predict_proba(rows, "lung", impossible="missing")[1]).all()
    assert asia.row_log_probabilities(rows)[1] == -math.inf
    with pytest.raises(dw.ImpossibleEvidenceError, match="row 1"):
        asia.impute(rows)
    with pytest.raises(OptionError, match="impossible='nan'"):
        asia.predict(rows, "lung", impossible="nan")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="threads"):
        asia.predict(rows, "lung", threads=0)


def test_no_rows() -> None:
    asia = dw.load("asia")
    empty = asia.sample(5, random_state=1).take([])
    assert asia.predict(empty, "lung") == []
    assert asia.predict_proba(empty, "lung").shape == (0, 2)
    assert asia.row_log_probabilities(empty).shape == (0,)


def test_hundreds_of_children_do_not_underflow() -> None:
    names = [f"c{i:03}" for i in range(400)]
    tables = {name: [[0.01, 0.99], [0.02, 0.98]] for name in names} | {"h": [0.5, 0.5]}
    network = dw.BayesianNetwork(
        dw.Dag(["h", *names], [("h", name) for name in names]),
        dict.fromkeys(["h", *names], ("a", "b")),
        tables,
    )
    row = {name: ["a"] for name in names}
    odds = network.predict_proba(row, "h")[0]
    assert odds[1] == pytest.approx(1.0)
    assert network.row_log_probabilities(row)[0] == pytest.approx(math.log(0.5) + 400 * math.log(0.02))


def test_unknown_states_are_refused_or_taken_as_missing() -> None:
    asia = dw.load("asia")
    strange = {"smoke": ["yes", "often"], "xray": ["yes", "yes"]}
    known = {"smoke": ["yes", None], "xray": ["yes", "yes"]}
    with pytest.raises(dw.DataError, match=r"row 1 .*unknown state 'often'"):
        asia.predict(strange, "lung")
    assert asia.predict(strange, "lung", unknown_states="ignore") == asia.predict(known, "lung")
    np.testing.assert_array_equal(
        asia.predict_proba(strange, "lung", unknown_states="ignore"), asia.predict_proba(known, "lung")
    )
    np.testing.assert_array_equal(
        asia.row_log_probabilities(strange, unknown_states="ignore"), asia.row_log_probabilities(known)
    )
    assert asia.impute(strange, unknown_states="ignore") == asia.impute(known)
    with pytest.raises(OptionError, match="choose 'error' or 'ignore'"):
        asia.predict(strange, "lung", unknown_states="guess")  # type: ignore[arg-type]


def test_rows_are_impossible_wherever_the_contradiction_lies() -> None:
    asia = dw.load("asia")
    rows = {"tub": ["no", "yes"], "lung": ["no", "no"], "either": ["no", "no"], "smoke": ["yes", "yes"]}
    assert asia.evidence_probability({name: values[1] for name, values in rows.items()}) == 0
    for target in ("bronc", "smoke", "asia"):
        with pytest.raises(dw.ImpossibleEvidenceError, match="row 1"):
            asia.predict(rows, target)
        with pytest.raises(dw.ImpossibleEvidenceError, match="row 1"):
            asia.predict_proba(rows, target)
        assert asia.predict(rows, target, impossible="missing")[1] is None
        assert np.isnan(asia.predict_proba(rows, target, impossible="missing")[1]).all()
        assert not np.isnan(asia.predict_proba(rows, target, impossible="missing")[0]).any()
    with pytest.raises(dw.ImpossibleEvidenceError, match="row 1"):
        asia.impute(rows)
    given = {**rows, "xray": ["no", "no"], "dysp": ["no", "no"], "bronc": ["no", "no"], "asia": ["no", "no"]}
    with pytest.raises(dw.ImpossibleEvidenceError, match="row 1"):  # nothing is missing, and yet it cannot be
        asia.impute(given)
    assert asia.predict({**rows, "either": ["no", "yes"]}, "either") == [
        "no",
        "yes",
    ]  # its own column is no evidence


def test_columns_that_are_misspelled_or_all_unknown_are_refused() -> None:
    asia = dw.load("asia")
    with pytest.raises(DataError, match="share no column"):
        asia.predict({"height": [1, 2], "weight": [3, 4]}, "lung")
    for misspelled in ("Smoke", "smo_ke", "smkoe"):
        with pytest.raises(DataError, match=f"no column 'smoke', but '{misspelled}'"):
            asia.predict({misspelled: ["yes"], "xray": ["yes"]}, "lung")
    assert asia.predict({"smoke": ["yes"], "height": [3]}, "lung") == ["no"]  # a further column is ignored
    with pytest.raises(DataError, match="share no column"):
        asia.impute({"height": [1]})
