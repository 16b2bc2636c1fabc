"""Parameters of continuous nodes from data."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.unit.model.mixed_networks import random_mixed

import dagwright as dw
from dagwright.errors import DataError, GraphError, MissingValuesError

EXACT = 1e-9


def people(rows: int = 400, seed: int = 1) -> dict[str, Any]:
    random = np.random.default_rng(seed)
    sex = random.choice(["f", "m"], rows)
    height = np.where(sex == "f", 165, 178) + random.normal(0, 7, rows)
    age = random.normal(50, 10, rows)
    weight = np.where(sex == "f", -60, -55) + 0.75 * height + 0.1 * age + random.normal(0, 8, rows)
    return {"sex": sex, "height": height, "age": age, "weight": weight}


def least_squares(y: Any, *columns: Any) -> tuple[Any, Any, float]:
    """Coefficients, standard errors and standard deviation by the textbook."""
    design = np.column_stack([np.ones(len(y)), *columns])
    found = np.linalg.lstsq(design, y, rcond=None)[0]
    squares = float(np.square(y - design @ found).sum())
    variance = squares / (len(y) - design.shape[1])
    errors = np.sqrt(variance * np.diagonal(np.linalg.inv(design.T @ design)))
    return found, errors, float(np.sqrt(squares / len(y)))


def test_maximum_likelihood_is_least_squares_in_each_cell() -> None:
    data = people()
    network = dw.fit("sex -> weight; height -> weight; age -> weight", data, parameter_prior=None)
    own = network.gaussians["weight"]
    assert own.given == ("sex",)
    for place, state in enumerate(network.states("sex")):
        rows = data["sex"] == state
        found, errors, sd = least_squares(data["weight"][rows], data["age"][rows], data["height"][rows])
        assert own.intercept[place] == pytest.approx(found[0], rel=EXACT)
        assert own.coefficients["age"][place] == pytest.approx(found[1], rel=EXACT)
        assert own.coefficients["height"][place] == pytest.approx(found[2], rel=EXACT)
        assert own.sd[place] == pytest.approx(sd, rel=EXACT)
        assert own.fitted is not None
        assert own.fitted.rows[place] == rows.sum()
        assert own.fitted.intercept_error[place] == pytest.approx(errors[0], rel=1e-7)
        assert own.fitted.coefficient_errors["height"][place] == pytest.approx(errors[2], rel=1e-7)
    assert list(network.cpd("weight").standard_errors()) == ["weight", "age", "height"]
    assert network.gaussians["height"].intercept == pytest.approx(data["height"].mean())
    assert network.gaussians["height"].sd == pytest.approx(data["height"].std())


def test_weights_are_frequencies() -> None:
    data = people(60)
    times = np.random.default_rng(3).integers(0, 4, 60)
    graph = "sex -> weight; height -> weight"
    weighted = dw.fit(graph, dw.read(data, weights=times.astype(float)))
    repeated = dw.fit(graph, {name: np.repeat(column, times) for name, column in data.items()})
    for node in weighted.continuous:
        one, other = weighted.gaussians[node], repeated.gaussians[node]
        assert one.intercept == pytest.approx(other.intercept, rel=1e-8)
        assert one.sd == pytest.approx(other.sd, rel=1e-8)
    assert weighted.table("sex") == pytest.approx(repeated.table("sex"))
    assert weighted.log_likelihood(dw.read(data, weights=times.astype(float))) == pytest.approx(
        weighted.log_likelihood({name: np.repeat(column, times) for name, column in data.items()})
    )


def test_rows_and_columns_in_any_order_give_the_same_bits() -> None:
    data = people(200)
    graph = "sex -> weight; height -> weight; age -> weight"
    order = np.random.default_rng(5).permutation(200)
    shuffled = {name: data[name][order] for name in reversed(list(data))}
    assert dw.fit(graph, shuffled) == dw.fit(graph, data)


def test_small_cells_borrow_from_the_others() -> None:
    data = people(200)
    data["sex"] = np.where(np.arange(200) == 0, "x", data["sex"])
    table = dw.read(data, states={"sex": ["f", "m", "x", "never"]})
    graph = "sex -> weight; height -> weight"
    own = dw.fit(graph, table).gaussians["weight"]
    pooled, _, _ = least_squares(data["weight"], data["height"])
    assert own.coefficients["height"][3] == pytest.approx(pooled[1], rel=1e-8)
    assert own.intercept[3] == pytest.approx(pooled[0], rel=1e-8)
    assert own.fitted is not None
    assert np.isnan(own.fitted.intercept_error[3])
    assert own.sd[2] > 0
    strong = dw.fit(graph, table, parameter_prior=dw.BDeu(ess=1e9)).gaussians["weight"]
    assert strong.coefficients["height"] == pytest.approx(np.full(4, pooled[1]), rel=1e-5)
    with pytest.raises(DataError, match=r"node 'weight', given sex='x': too few rows for a regression on 1"):
        dw.fit(graph, table, parameter_prior=None, empty_configurations="error")
    assert dw.fit(graph, table, parameter_prior=None).gaussians["weight"].intercept[2] == pytest.approx(
        pooled[0], rel=1e-8
    )


def test_units_do_not_matter() -> None:
    data = people(150)
    graph = "sex -> weight; height -> weight"
    first = dw.fit(graph, data)
    second = dw.fit(graph, data | {"height": data["height"] / 1000, "weight": 1000 * data["weight"] + 7})
    assert second.gaussians["weight"].coefficients["height"] == pytest.approx(
        1e6 * first.gaussians["weight"].coefficients["height"], rel=1e-7
    )
    assert second.gaussians["weight"].sd == pytest.approx(1000 * first.gaussians["weight"].sd, rel=1e-7)


def test_columns_that_determine_each_other() -> None:
    data = people(100)
    data["inches"] = data["height"] / 2.54
    data["constant"] = np.full(100, 3.5)
    table = dw.read(data, kinds={"constant": "continuous"})
    network = dw.fit("height -> weight; inches -> weight; constant -> weight; height -> inches", table)
    own = network.gaussians["weight"]
    assert own.coefficients["constant"] == 0
    assert own.coefficients["inches"] == 0  # height says all, and comes first
    assert own.fitted is not None
    assert np.isnan(own.fitted.coefficient_errors["inches"])
    assert network.gaussians["inches"].sd == 0
    assert network.gaussians["constant"].sd == 0
    few = dw.fit("a -> y; b -> y; c -> y", {n: [1.5, 2.25] for n in "abcy"} | {"y": [0.5, 1.75]})
    assert np.isfinite(few.query("y").mean)


def test_the_true_parameters_come_back() -> None:
    truth = random_mixed(8, 2, 4, certain=0.0)
    found = dw.fit(truth.graph, truth.sample(100_000, random_state=1))
    for node, own in truth.gaussians.items():
        fitted = found.gaussians[node]
        order = fitted.given
        axes = [own.given.index(parent) for parent in order]
        assert fitted.sd == pytest.approx(own.sd.transpose(axes), rel=0.05)
        assert fitted.fitted is not None
        off = np.abs(fitted.intercept - own.intercept.transpose(axes)) / fitted.fitted.intercept_error
        assert off.max() < 5


def test_a_class_of_dags_gets_a_member_with_parameters() -> None:
    data = people(100)
    network = dw.fit("height -- sex; height -- weight", data)
    assert network.graph == dw.Dag.parse("sex -> height; height -> weight")
    with pytest.raises(GraphError, match="'height' -> 'sex' goes from a continuous to a discrete node"):
        dw.fit(dw.Dag.parse("height -> sex"), data)
    with pytest.raises(GraphError, match="no equivalent graph avoids the edge"):
        dw.fit(dw.Dag.parse("height -> sex; weight -> sex").cpdag(), data)


def test_missing_numbers() -> None:
    data = people(50)
    data["height"][3] = np.nan
    with pytest.raises(MissingValuesError):
        dw.fit("height -> weight", data)
    kept = {name: np.delete(column, 3) for name, column in data.items()}
    assert dw.fit("height -> weight", data, missing="drop") == dw.fit("height -> weight", kept)


def test_em_where_the_answer_is_known() -> None:
    """If only the child has gaps, the regression is that of the complete rows (Anderson 1957)."""
    data = people(300)
    gaps = np.random.default_rng(2).random(300) < 0.4
    holes = data | {"weight": np.where(gaps, np.nan, data["weight"])}
    found = dw.EM(tolerance=1e-12).fit("height -> weight", holes)
    assert found.converged
    own = found.network.gaussians["weight"]
    (intercept, slope), _, sd = least_squares(data["weight"][~gaps], data["height"][~gaps])
    assert own.coefficients["height"] == pytest.approx(slope, rel=1e-4)
    assert own.intercept == pytest.approx(intercept, rel=1e-4)
    assert own.sd == pytest.approx(sd, rel=1e-4)
    assert found.network.gaussians["height"].intercept == pytest.approx(data["height"].mean())
    assert dw.fit("height -> weight", holes, missing="em", parameter_prior=None).query("weight").mean


@pytest.mark.parametrize("seed", range(3))
def test_em_never_lowers_the_likelihood_and_ends_where_it_is_flat(seed: int) -> None:
    data = people(150, seed)
    random = np.random.default_rng([seed, 9])
    holes = {
        name: [None if random.random() < 0.2 else value for value in column.tolist()]
        for name, column in data.items()
    }
    graph = "sex -> height; sex -> weight; height -> weight; age -> weight"
    found = dw.EM(tolerance=1e-10, max_iterations=500).fit(graph, holes)
    assert found.converged
    assert np.all(np.diff(found.trace) >= -1e-7)
    network = found.network
    assert found.log_likelihood == pytest.approx(network.log_likelihood(holes))
    own = network.gaussians["weight"]
    for change in (0.99, 1.01):  # no step in a parameter gains
        slopes = {"height": own.coefficients["height"] * change, "age": own.coefficients["age"]}
        tables: dict[str, Any] = {n: network.gaussians.get(n, network._tables.get(n)) for n in network.nodes}
        tables["weight"] = dw.LinearGaussian(own.intercept, slopes, own.sd, given=own.given)
        other = dw.BayesianNetwork(network.graph, {"sex": network.states("sex")}, tables)
        assert other.log_likelihood(holes) < found.log_likelihood


def test_em_on_complete_rows_is_fit() -> None:
    data = people(80)
    graph = "sex -> weight; height -> weight"
    complete = dw.fit(graph, data, parameter_prior=None)
    found = dw.EM().fit(graph, data).network
    for node, own in complete.gaussians.items():
        assert found.gaussians[node].intercept == pytest.approx(own.intercept, rel=1e-6)
        assert found.gaussians[node].sd == pytest.approx(own.sd, rel=1e-6)
    with pytest.raises(DataError, match="column 'height' has no values"):
        dw.EM().fit("height -> weight", dw.Table(["height", "weight"], [[np.nan], [1.5]], [None, None]))


def test_em_starts_from_a_network_whose_parents_have_another_order() -> None:
    random = np.random.default_rng(4)
    rows = 200
    a, b = random.integers(0, 2, rows), random.integers(0, 3, rows)
    c = (a + b + random.integers(0, 2, rows)) % 4
    y = c + random.normal(0, 1, rows)
    holes = {
        name: [None if random.random() < 0.1 else value for value in column.tolist()]
        for name, column in {"a": a, "b": b, "c": c, "y": y}.items()
    }
    table = dw.read(holes, kinds={"y": "continuous"})
    graph = dw.Dag.parse("a -> c; b -> c; c -> y")
    once = dw.EM(max_iterations=2).fit(graph, table, parameter_prior=1).network
    turned = dw.BayesianNetwork(
        graph,
        {node: once.states(node) for node in "abc"},
        {
            "a": once.table("a"),
            "b": once.table("b"),
            "c": once.table("c").transpose(1, 0, 2),
            "y": once.gaussians["y"],
        },
        parents={"c": ["b", "a"]},
    )
    same, other = (
        dw.EM().fit(graph, table, parameter_prior=1, start=start).network for start in (once, turned)
    )
    assert np.allclose(other.table("c").transpose(1, 0, 2), same.table("c"), atol=1e-9)
    own = other.pseudo_counts("c")
    assert own is not None and own.shape == other.table("c").shape == (3, 2, 4)


def test_numbers_that_were_cut_are_states() -> None:
    table = dw.read(people(100), discretize=dw.EqualFrequency(bins=3))
    network = dw.fit("height -> weight", table)
    assert network.continuous == ()
    assert network.cardinality("weight") == 3


def test_a_learned_dag_is_turned_within_its_class(monkeypatch: pytest.MonkeyPatch) -> None:
    table = dw.read(people(100))
    found = dw.learn(table, columns=["sex", "height", "weight"], search=dw.HillClimb())
    turned = replace(found, graph=dw.Dag.parse("weight -> height; height -> sex"), dag=None)
    monkeypatch.setattr(dw.Learned, "rows", lambda _self, _data=None: table)
    assert turned.network().graph == dw.Dag.parse("sex -> height; height -> weight")
    compelled = replace(found, graph=dw.Dag.parse("height -> sex; weight -> sex"), dag=None)
    with pytest.raises(GraphError, match="no equivalent graph avoids the edge 'height' -> 'sex'"):
        compelled.network()


def test_markov_networks_cut_numbers() -> None:
    model = dw.MarkovNetwork.fit("height -- weight", people(60))
    assert model.network.continuous == ()
    assert model.network.cardinality("height") == 3
