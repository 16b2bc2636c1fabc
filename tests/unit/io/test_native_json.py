"""The project's own file format and the networks that come in it."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import numpy as np
import pytest

import dagwright as dw
from dagwright.data import Bins, Origin
from dagwright.errors import CapacityError, FormatError, UnknownNameError
from dagwright.io.native_json import read_bytes, write_bytes

# Nodes, arcs and free parameters as their papers and the usual repositories give them.
SIZES = {
    "alarm": (37, 46, 509),
    "asia": (8, 8, 18),
    "cancer": (5, 4, 10),
    "child": (20, 25, 230),
    "earthquake": (5, 4, 10),
    "insurance": (27, 52, 1008),
    "sachs": (11, 17, 178),
    "survey": (6, 6, 21),
}


@pytest.mark.parametrize("name", SIZES)
def test_built_in_networks(name: str) -> None:
    network = dw.load(name)
    assert (len(network.nodes), len(network.graph.edges), network.dimension) == SIZES[name]
    assert network.name == name
    assert any(str(year) in network.metadata.citation for year in range(1988, 2015))
    again = read_bytes(write_bytes(network))
    assert again == network
    assert again.metadata == network.metadata
    assert [again.parents(x) for x in again.nodes] == [network.parents(x) for x in network.nodes]
    assert write_bytes(again) == write_bytes(network)


def test_networks_lists_them_all() -> None:
    assert dw.networks() == tuple(sorted(SIZES))


def test_figures_of_lauritzen_and_spiegelhalter() -> None:
    asia = dw.load("asia")
    assert asia.probability("dysp", "yes", {"bronc": "yes", "either": "no"}) == 0.8
    assert asia.probability("lung", "yes", {"smoke": "yes"}) == 0.1


def full() -> dw.BayesianNetwork:
    states = {
        "x": [
            1,
            1.5,
            True,
            'ü "quoted"',
            datetime.date(2024, 2, 29),
            datetime.datetime(2024, 1, 1, 12),
            float("inf"),
        ],
        "y": ["<=2", ">2"],
        "z": ["a", "rest"],
    }
    third = np.full((7, 2), 0.5)
    third[0] = [1 / 3, 2 / 3]
    return dw.BayesianNetwork(
        dw.Dag(["x", "y", "z"], [("x", "y"), ("y", "z"), ("x", "z")]),
        states,
        {"x": np.full(7, 1 / 7), "y": third, "z": np.full((2, 7, 2), 0.5)},
        parents={"z": ["y", "x"]},
        counts={"y": 7 * third},
        origins={"y": Origin(Bins((2.0,))), "z": Origin(other="rest")},
        metadata=dw.model.Metadata("n", "d", "c", {"k": "v"}, {"x": {"label": "X"}}),
    )


def test_nothing_is_lost(tmp_path: Path) -> None:
    network = full()
    for suffix in ("n.json", "n.json.gz"):
        network.save(tmp_path / suffix)
        again = dw.load(tmp_path / suffix)
        assert again == network
        assert again.metadata == network.metadata
        assert again.origins == network.origins
        assert again.parents("z") == ("y", "x")
        np.testing.assert_array_equal(again.counts("y"), network.counts("y"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["n.json", "n.json.gz"]


def test_figures_rounded_in_print_are_divided_by_their_sum() -> None:
    document = json.loads(write_bytes(dw.load("cancer")))
    document["nodes"][0]["table"] = [[0.33333, 0.66666]]
    network = read_bytes(json.dumps(document).encode())
    np.testing.assert_allclose(network.table("Pollution"), [1 / 3, 2 / 3], rtol=1e-12)
    document["nodes"][0]["table"] = [[0.3, 0.6]]
    with pytest.raises(FormatError, match=r"'Pollution'.* 0.9"):
        read_bytes(json.dumps(document).encode())


def broken(change: str) -> bytes:
    document = json.loads(write_bytes(dw.load("cancer")))
    node = document["nodes"][2]
    match change:
        case "version":
            document["format_version"] = 99
        case "format":
            document["format"] = "other"
        case "no table":
            del node["table"]
        case "shape":
            node["table"] = [[0.5, 0.5]]
        case "ragged":
            node["table"] = [[0.5], [0.5, 0.5]]
        case "parent":
            node["parents"] = ["Smoker", "Polution"]
        case "cycle":
            document["nodes"][0]["parents"] = ["Cancer"]
        case "twice":
            document["nodes"].append(node)
        case "state":
            node["states"] = [["a"], "b"]
        case "nodes":
            document["nodes"] = 3
        case "list":
            document = []
    return json.dumps(document).encode()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("version", "99"),
        ("format", "'format'"),
        ("no table", "'table'"),
        ("shape", "'Cancer'"),
        ("ragged", "malformed"),
        ("parent", "Polution"),
        ("cycle", "cycle"),
        ("twice", "same name"),
        ("state", "'Cancer'"),
        ("nodes", "malformed"),
        ("list", "'format'"),
    ],
)
def test_a_malformed_document_says_what_is_wrong(change: str, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        read_bytes(broken(change))


def test_text_that_is_not_json_gives_the_place() -> None:
    with pytest.raises(FormatError, match="line 2, column 1"):
        read_bytes(b'{"format":\n}')
    with pytest.raises(FormatError, match="UTF-8"):
        read_bytes(b"\xff\xfe")
    with pytest.raises(FormatError, match="deep"):
        read_bytes(b"[" * 100_000)


def test_a_table_too_large_is_refused_before_it_is_made() -> None:
    roots = [{"name": f"p{i}", "states": list(range(100)), "table": [[0.01] * 100]} for i in range(8)]
    node = {"name": "big", "states": [0, 1], "parents": [f"p{i}" for i in range(8)], "table": [[0.5, 0.5]]}
    document = {"format": "dagwright-network", "format_version": 1, "nodes": [*roots, node]}
    with pytest.raises(CapacityError, match="'big'"):
        read_bytes(json.dumps(document).encode())


def test_a_state_that_json_cannot_hold_is_refused() -> None:
    network = dw.BayesianNetwork(dw.Dag(["x"]), {"x": [(1, 2), 3]}, {"x": [0.5, 0.5]})
    with pytest.raises(FormatError, match=r"'x'.*tuple"):
        write_bytes(network)


def test_load_says_what_it_did_not_find(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="'asia'"):
        dw.load("azia")
    with pytest.raises(FormatError, match="no such file"):
        dw.load(tmp_path / "no.json")
    with pytest.raises(FormatError, match="cannot be read"):
        dw.load(tmp_path, format="json")
    with pytest.raises(UnknownNameError, match="suffix"):
        dw.load(tmp_path / "model.xyz")
    (tmp_path / "bad.json.gz").write_bytes(b"\x1f\x8b\x08\x00junk")
    with pytest.raises(FormatError, match="damaged"):
        dw.load(tmp_path / "bad.json.gz")
    with pytest.raises(UnknownNameError, match="'json'"):
        dw.load("asia.json", format="jso")
    (tmp_path / "plain").write_bytes(write_bytes(dw.load("asia")))
    assert dw.load(tmp_path / "plain", format="json") == dw.load("asia")
