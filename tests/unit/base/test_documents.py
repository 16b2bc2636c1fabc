"""Saved results, checkpoints and networks with damaged fields are refused in words."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.base.checkpoint import Checkpoint
from dagwright.base.documents import parsed_json
from dagwright.confidence import Confidence
from dagwright.errors import LONGEST, CapacityError, DagwrightError, FormatError, KnowledgeError
from dagwright.io.formats import format_named
from dagwright.learning.learned import Learned

ROWS = {"a": ["x", "y", "x", "y"] * 5, "b": [0, 1, 1, 1] * 5, "c": ["u", "u", "v", "v"] * 5}
WRONG: list[Any] = [None, "x", -1, [], {}, [[]], [["a"]], 10**400, True]


def refused_or_read(read: Any, document: Any) -> None:
    try:
        str(read(json.dumps(document)))
    except DagwrightError as problem:
        assert 0 < len(str(problem)) <= LONGEST


def test_every_field_of_a_learned_network() -> None:
    sound = json.loads(dw.learn(ROWS, search=dw.PC()).to_json())
    for field in sound:
        for value in WRONG:
            refused_or_read(Learned.from_json, sound | {field: value})
        refused_or_read(Learned.from_json, {key: value for key, value in sound.items() if key != field})
    with pytest.raises(FormatError, match="malformed field 'seconds': expected a number, got 'long'"):
        Learned.from_json(json.dumps(sound | {"seconds": "long"}))


def test_every_field_of_a_confidence() -> None:
    sure = dw.bootstrap(ROWS, search=dw.HillClimb(), replicates=3, random_state=1)
    sound = sure.to_dict()
    for field in sound:
        for value in WRONG:
            refused_or_read(Confidence.from_json, sound | {field: value})
    with pytest.raises(FormatError, match="'effective_samples': expected a number or null, got 'many'"):
        Confidence.from_dict(sound | {"effective_samples": "many"})


@pytest.mark.parametrize(
    "graphs",
    [
        None,
        3,
        [[[[0, 7]], []]],
        [[[["a", 1]], []]],
        [[[[0.5, 1]], []]],
        [[[[1, 1]], []]],
        [[[], [], []]],
        [[[]]],
    ],
)
def test_a_damaged_checkpoint_of_a_bootstrap(graphs: Any, tmp_path: Path) -> None:
    def run() -> Confidence:
        return dw.bootstrap(
            ROWS, search=dw.HillClimb(), replicates=2, checkpoint=path, random_state=1, threads=1
        )

    path = tmp_path / "run"
    run()
    identity = Checkpoint.load(path, "replicates", {}).identity
    Checkpoint("replicates", identity, {"graphs": graphs}).save(path)
    with pytest.raises(FormatError, match=r"is damaged: .*; delete it and begin anew"):
        run()


def test_a_checkpoint_whose_facts_are_no_object(tmp_path: Path) -> None:
    np.savez(tmp_path / "run.npz", facts=np.array("[" * 100_000))
    with pytest.raises(FormatError, match="nested too deeply"):
        Checkpoint.load(tmp_path / "run.npz", "replicates", {})


@pytest.mark.parametrize("read", [parsed_json, Learned.from_json, Confidence.from_json, dw.Pag.from_json])
def test_deep_nesting(read: Any) -> None:
    with pytest.raises(FormatError, match="nested too deeply"):
        read("[" * 100_000)


@pytest.mark.parametrize("ending", [".json", ".toml"])
def test_deep_nesting_in_knowledge(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"known{ending}"
    path.write_text("[" * 100_000 if ending == ".json" else f"a = {'[' * 100_000}")
    with pytest.raises(FormatError):
        dw.Knowledge.load(path)


@pytest.mark.parametrize("options", [{"groups": 3}, {"groups": ["a"]}, {"partial_order": [0.5]}])
def test_wrong_types_in_knowledge(options: Any) -> None:
    with pytest.raises(KnowledgeError, match=r"takes .* not "):
        dw.Knowledge(**options)


def test_long_messages_lose_their_middle() -> None:
    with pytest.raises(DagwrightError) as caught:
        dw.Dag.parse("a -> b -> " + "c" * 100_000 + " ->")
    assert len(str(caught.value)) <= LONGEST


@pytest.mark.parametrize(
    ("form", "text", "told"),
    [
        ("net", "net {} node a { states = (); } potential (a) {}", "node 'a' has no states"),
        ("dne", "bnet x { node a { numstates = 0; probs = (); }; };", "node 'a' has no states"),
    ],
)
def test_a_node_without_states(form: str, text: str, told: str) -> None:
    with pytest.raises(FormatError, match=told):
        format_named(form).read_bytes(text.encode())


def test_states_that_a_file_only_announces() -> None:
    nodes = "".join(f"node n{i} {{ kind = NATURE; numstates = 99999; }};\n" for i in range(150))
    began = time.monotonic()
    with pytest.raises(FormatError, match="more states than a file of this size can be about"):
        format_named("dne").read_bytes(f"bnet x {{ {nodes} }};".encode())
    assert time.monotonic() - began < 1


def test_tables_that_a_file_only_announces() -> None:
    states = " ".join(f"s{i}," for i in range(39)) + " last"
    variables = "".join(f"variable {v} {{ type discrete [40] {{ {states} }}; }}\n" for v in "abcde")
    body = "".join(f"probability ( {v} ) {{ default {', '.join(['0.025'] * 40)}; }}\n" for v in "abcd")
    body += "probability ( e | a, b, c, d ) { default " + ", ".join(["0.025"] * 40) + "; }\n"
    with pytest.raises(CapacityError, match="too large for a file of its size"):
        format_named("bif").read_bytes((variables + body).encode())


def test_one_default_is_enough() -> None:
    text = "variable a { type discrete [2] { x, y }; }\n"
    text += "probability ( a ) { default 0.5, 0.5; default 0.5, 0.5; }\n"
    with pytest.raises(FormatError, match="the default is given twice"):
        format_named("bif").read_bytes(text.encode())


def test_subgraphs_that_join_everything() -> None:
    names = " ".join(f"n{i}" for i in range(2000))
    with pytest.raises(FormatError, match="more than 1,000,000 edges"):
        format_named("dot").read_bytes(f"digraph {{ {{{names}}} -> {{{names}}} }}".encode())
