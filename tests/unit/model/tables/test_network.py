"""The network as a value: what it holds, what it refuses, what it gives new ones."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

import dagwright as dw
from dagwright.errors import (
    CapacityError,
    DagwrightError,
    DataError,
    GraphError,
    OptionError,
    UnknownNameError,
)
from dagwright.model.tables.capacity import require_capacity
from dagwright.model.tables.checks import normalized

GRAPH = dw.Dag(
    ["Rain", "Sprinkler", "Lawn"], [("Rain", "Lawn"), ("Sprinkler", "Lawn"), ("Rain", "Sprinkler")]
)
STATES = {"Rain": ["no", "yes"], "Sprinkler": ["off", "on"], "Lawn": ["dry", "damp", "wet"]}
LAWN = [[[0.9, 0.1, 0.0], [0.1, 0.3, 0.6]], [[0.2, 0.2, 0.6], [0.0, 0.1, 0.9]]]
TABLES = {"Rain": [0.8, 0.2], "Sprinkler": [[0.6, 0.4], [0.99, 0.01]], "Lawn": LAWN}


def lawn(**changes: object) -> dw.BayesianNetwork:
    arguments = {"graph": GRAPH, "states": STATES, "tables": TABLES} | changes
    return dw.BayesianNetwork(**arguments)


def test_what_it_holds() -> None:
    network = lawn(metadata="garden", counts={"Rain": [80, 20]})
    assert network.nodes == ("Rain", "Sprinkler", "Lawn")
    assert network.name == "garden"
    assert network.parents("Lawn") == ("Rain", "Sprinkler")
    assert network.states("Lawn") == ("dry", "damp", "wet")
    assert network.cardinality("Lawn") == 3
    assert network.table("Lawn").shape == (2, 2, 3)
    assert network.table("Lawn").flags.c_contiguous
    assert network.table("Lawn").dtype == np.float64
    assert network.probability("Lawn", "wet", {"Sprinkler": "on", "Rain": "no"}) == 0.6
    assert network.probability("Rain", "yes") == 0.2
    assert network.counts("Lawn") is None
    np.testing.assert_array_equal(network.counts("Rain"), [80, 20])
    assert network.dimension == 1 + 2 + 8
    assert network.nbytes == 8 * (2 + 4 + 12)
    assert "P(Lawn | Rain, Sprinkler): dry, damp, wet" in repr(network)
    assert repr(network).startswith("BayesianNetwork 'garden': 3 nodes, 3 arcs, 11 parameters")


def test_the_order_of_parents_is_kept_as_given() -> None:
    swapped = np.swapaxes(np.array(LAWN), 0, 1)
    network = lawn(tables=TABLES | {"Lawn": swapped}, parents={"Lawn": ["Sprinkler", "Rain"]})
    assert network.parents("Lawn") == ("Sprinkler", "Rain")
    np.testing.assert_array_equal(network.table("Lawn"), swapped)
    assert network == lawn()
    assert hash(network) == hash(lawn())
    with pytest.raises(GraphError, match="'Lawn'"):
        lawn(parents={"Lawn": ["Rain"]})
    with pytest.raises(UnknownNameError, match="Lown"):
        lawn(parents={"Lown": ["Rain"]})


def test_nothing_can_be_changed() -> None:
    given = np.array(TABLES["Rain"])
    network = lawn(tables=TABLES | {"Rain": given})
    given[0] = 0.0
    assert network.probability("Rain", "no") == 0.8
    with pytest.raises(ValueError, match="read-only"):
        network.table("Rain")[0] = 1.0
    with pytest.raises(AttributeError, match="with_"):
        network.name = "other"
    with pytest.raises(TypeError):
        network.metadata.properties["a"] = "b"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"tables": TABLES | {"Lawn": np.full((2, 2, 3), 0.3)}},
            ["'Lawn'", "Rain='no'", "Sprinkler='off'", "0.9"],
        ),
        ({"tables": TABLES | {"Rain": [1.2, -0.2]}}, ["'Rain'", "'no'", "1.2"]),
        ({"tables": TABLES | {"Rain": [np.nan, 1.0]}}, ["'Rain'", "nan"]),
        ({"tables": TABLES | {"Rain": [0.5, 0.25, 0.25]}}, ["'Rain'", "(3,)", "(2,)"]),
        ({"tables": TABLES | {"Rain": ["a", "b"]}}, ["'Rain'", "numbers"]),
        ({"tables": {"Rain": [0.8, 0.2]}}, ["'Sprinkler'", "table"]),
        ({"tables": TABLES | {"Snow": [1.0]}}, ["'Snow'"]),
        ({"states": STATES | {"Rain": ["no", "no"]}}, ["node 'Rain'", "twice"]),
        ({"states": STATES | {"Rain": []}}, ["'Rain'", "no states"]),
        ({"states": {"Rain": ["no", "yes"]}}, ["'Sprinkler'", "states"]),
        ({"counts": {"Rain": [-1.0, 2.0]}}, ["'Rain'", "negative"]),
        ({"counts": {"Snow": [1.0, 2.0]}}, ["'Snow'"]),
        ({"metadata": dw.model.Metadata(node_properties={"Snow": {"a": "b"}})}, ["'Snow'"]),
    ],
)
def test_refusals_name_node_configuration_and_sum(changes: dict[str, object], words: list[str]) -> None:
    with pytest.raises(DagwrightError) as refused:
        lawn(**changes)
    for word in words:
        assert word in str(refused.value)


def test_sums_may_be_off_by_rounding_only() -> None:
    lawn(tables=TABLES | {"Rain": [0.8 + 5e-10, 0.2]})
    with pytest.raises(DataError, match=r"1\.0000001"):
        lawn(tables=TABLES | {"Rain": [0.8 + 1e-7, 0.2]})
    np.testing.assert_allclose(normalized([[1, 3], [2, 2]]), [[0.25, 0.75], [0.5, 0.5]])


def test_equality_is_by_content() -> None:
    network = lawn(metadata="garden", counts={"Rain": [80, 20]})
    assert network == lawn()
    assert network != network.with_table("Rain", [0.7, 0.3])
    assert network != network.with_states("Rain", ["dry", "wet"])
    assert network != network.with_states("Rain", [False, True])
    assert lawn(states=STATES | {"Rain": [0, 1]}) != lawn(states=STATES | {"Rain": [False, True]})
    assert network != "garden"
    assert len({network, lawn(), network.with_table("Rain", [0.7, 0.3])}) == 2


def test_hash_is_the_same_in_every_process() -> None:
    program = "import dagwright as dw; print(hash(dw.load('cancer')))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(done.stdout) == hash(dw.load("cancer"))


def test_pickle_and_copy() -> None:
    network = lawn(
        metadata=dw.model.Metadata("garden", properties={"a": "b"}, node_properties={"Rain": {"x": "1"}}),
        counts={"Rain": [80, 20]},
    )
    again = pickle.loads(pickle.dumps(network))
    assert again == network
    assert again.metadata == network.metadata
    assert not again.table("Lawn").flags.writeable
    np.testing.assert_array_equal(again.counts("Rain"), [80, 20])
    assert copy.copy(network) is network
    assert copy.deepcopy(network) is network


def test_new_networks_from_old() -> None:
    network = lawn(metadata="garden", counts={"Rain": [80, 20]})
    assert network.with_name("lawn").name == "lawn"
    changed = network.with_table("Rain", [0.5, 0.5])
    assert changed.probability("Rain", "no") == 0.5
    assert changed.counts("Rain") is None
    assert network.without_counts().counts("Rain") is None
    assert network.with_states("Rain", ["N", "Y"]).states("Rain") == ("N", "Y")
    with pytest.raises(DataError, match="2 states, not 3"):
        network.with_states("Rain", ["a", "b", "c"])
    with pytest.raises(DataError, match="'Lawn'"):
        network.with_table("Lawn", np.ones((2, 2, 3)))
    other = network.renamed({"Rain": "Z"})
    assert other.nodes == ("Z", "Sprinkler", "Lawn")
    assert other.parents("Lawn") == ("Z", "Sprinkler")
    assert other.probability("Lawn", "wet", {"Sprinkler": "on", "Z": "no"}) == 0.6
    assert other != network
    assert other.renamed({"Z": "Rain"}) == network
    about = dw.model.Metadata("x", node_properties={"Rain": {"label": "rain?"}})
    assert network.with_metadata(about).renamed({"Rain": "Z"}).metadata.node_properties["Z"] == {
        "label": "rain?"
    }


def test_states_are_found_by_type_first() -> None:
    network = dw.BayesianNetwork(dw.Dag(["x"]), {"x": [1, True, "1"]}, {"x": [0.2, 0.3, 0.5]})
    assert [network.code("x", state) for state in (1, True, "1")] == [0, 1, 2]
    with pytest.raises(UnknownNameError):
        network.code("x", 1.0)
    numbers = dw.BayesianNetwork(dw.Dag(["x"]), {"x": [0, 1]}, {"x": [0.2, 0.8]})
    assert numbers.code("x", 1.0) == 1
    with pytest.raises(UnknownNameError, match="'x'"):
        numbers.code("x", 2)
    with pytest.raises(UnknownNameError, match="'y'"):
        numbers.table("y")
    with pytest.raises(DataError, match="Rain"):
        lawn().probability("Lawn", "wet", {"Rain": "no"})


def test_rows_are_encoded_in_the_states_of_the_network() -> None:
    rows = lawn().encode(
        {"Lawn": ["wet", "dry"], "Rain": ["no", "yes"], "Sprinkler": ["on", "off"], "more": [1, 2]}
    )
    assert rows.names == ("Rain", "Sprinkler", "Lawn")
    assert rows.codes("Lawn").tolist() == [2, 0]
    assert lawn().encode(rows) == rows
    with pytest.raises(DataError, match="Rain"):
        lawn().encode({"Lawn": ["wet"]})
    assert lawn().encode({"Lawn": ["wet"]}, missing_columns=True).missing["Rain"] == 1


def test_a_table_that_would_explode_is_refused_by_name() -> None:
    cardinalities = {f"p{i}": 10 for i in range(12)} | {"big": 2}
    parents = {f"p{i}": () for i in range(12)} | {"big": tuple(f"p{i}" for i in range(12))}
    with pytest.raises(CapacityError, match=r"'big' with 12 parents .* 2,000,000,000,000 cells"):
        require_capacity(cardinalities, parents)
    many = {f"p{i}": 1 for i in range(40)} | {"big": 2}
    with pytest.raises(CapacityError, match="'big' has 40 parents"):
        require_capacity(many, {f"p{i}": () for i in range(40)} | {"big": tuple(f"p{i}" for i in range(40))})


def test_metadata_are_texts() -> None:
    with pytest.raises(OptionError, match="'age'"):
        dw.model.Metadata(properties={"age": 3})
    with pytest.raises(OptionError, match="name"):
        dw.model.Metadata(name=3)
    assert not dw.model.Metadata()
    assert dw.model.Metadata("asia")
