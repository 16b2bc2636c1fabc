"""A checkpoint that was damaged or tampered with is refused in words before the core indexes by it."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.errors import FormatError

ASIA = dw.load("asia").sample(300, random_state=3)
SAMPLERS = [dw.OrderMCMC, dw.PartitionMCMC, dw.StructureMCMC]
Parts = tuple[dict[str, Any], dict[str, Any]]


def made(sampler: Any, path: Path) -> Any:
    method = sampler(samples=8, burn_in=4, chains=2, thin=3)
    dw.posterior(ASIA, method=method, random_state=1, threads=1, checkpoint=path)
    return method


def damage(path: Path, change: Callable[[dict[str, Any], dict[str, Any]], None]) -> None:
    """Change the state and the arrays of a checkpoint, and write it as it was written."""
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    facts = json.loads(str(arrays.pop("facts")))
    change(facts["state"], arrays)
    with path.open("wb") as file:
        np.savez(file, **arrays, facts=np.array(json.dumps(facts)))


def first_number_of_a_state(value: Any) -> Callable[[dict[str, Any], dict[str, Any]], None]:
    def change(state: dict[str, Any], _: dict[str, Any]) -> None:
        state["chains"][0][0][0] = value

    return change


def state(name: str, value: Any) -> Callable[[dict[str, Any], dict[str, Any]], None]:
    return lambda state, _: state.update({name: value})


def chain(at: int, value: Any) -> Callable[[dict[str, Any], dict[str, Any]], None]:
    return lambda state, _: state["chains"][1].__setitem__(at, value)


def array(name: str, change: Callable[[Any], Any]) -> Callable[[dict[str, Any], dict[str, Any]], None]:
    return lambda _, arrays: arrays.update({name: change(arrays[name])})


DAMAGES = {
    "a variable that does not exist": first_number_of_a_state(200),
    "state beyond every mask": first_number_of_a_state(2**31),
    "state that is negative": first_number_of_a_state(-1),
    "state that is no number": first_number_of_a_state("x"),
    "a state too short": chain(0, [0, 1]),
    "a state of another kind": chain(0, {"a": 1}),
    "all in one": chain(0, [7] * 8),
    "more accepted than proposed": chain(3, 10**9),
    "too few chains": lambda state, _: state["chains"].pop(),
    "too many chains": lambda state, _: state["chains"].append(state["chains"][0]),
    "chains that are none": state("chains", 3),
    "a negative burn-in": state("burned", -1000),
    "a long burn-in": state("burned", 1000),
    "samples before the burn-in": state("burned", 0),
    "more samples than asked for": state("done", 1000),
    "negative samples": state("done", -1),
    "samples by half": state("done", 2.5),
    "no weights": lambda state, _: state.pop("weights"),
    "weights of another kind": state("weights", {"a": []}),
    "parents that do not exist": array("networks", lambda rows: rows | np.uint64(1 << 40)),
    "networks with cycles": array("networks", lambda rows: rows | np.uint64(255)),
    "networks of another type": array("networks", lambda rows: rows.astype(np.int32)),
    "networks of another shape": array("networks", lambda rows: rows[:, :3]),
    "weights of another shape": array("log_weights", lambda values: values[0]),
    "weights that are not numbers": array("log_weights", lambda values: np.full_like(values, np.nan)),
    "no networks": lambda _, arrays: arrays.pop("networks"),
    "arcs that are not numbers": array("arcs", lambda values: np.full_like(values, np.inf)),
}


@pytest.mark.parametrize("what", DAMAGES)
@pytest.mark.parametrize("sampler", SAMPLERS, ids=lambda sampler: sampler.__name__)
def test_damaged_chains_are_refused(sampler: Any, what: str, tmp_path: Path) -> None:
    path = tmp_path / "chains"
    method = made(sampler, path)
    damage(path, DAMAGES[what])
    with pytest.raises(FormatError, match=r"is damaged: .*; delete it and begin anew"):
        dw.posterior(ASIA, method=method, random_state=1, threads=1, checkpoint=path)


@pytest.mark.parametrize("pair", [[8, 0], [-1, 0], [0, 0], [0], [0, "x"], [0, 1.5], "ab", None])
def test_damaged_replicates_are_refused(pair: Any, tmp_path: Path) -> None:
    path = tmp_path / "replicates"
    options: dict[str, Any] = {"search": dw.HillClimb(), "replicates": 4, "random_state": 1, "threads": 1}
    dw.bootstrap(ASIA, checkpoint=path, **options)

    def change(state: dict[str, Any], _: dict[str, Any]) -> None:
        state["graphs"][1] = [[pair], []]

    damage(path, change)
    with pytest.raises(FormatError, match="is damaged"):
        dw.bootstrap(ASIA, checkpoint=path, **options)


def rewritten(path: Path, part: str, content: bytes, how: int = zipfile.ZIP_STORED) -> None:
    with zipfile.ZipFile(path) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    with zipfile.ZipFile(path, "w", how) as file:
        for name, old in parts.items():
            file.writestr(name, content if name == part else old)


def claiming(shape: tuple[int, ...]) -> bytes:
    """An array of eight bytes whose header claims more."""
    text = io.BytesIO()
    np.lib.format.write_array_header_1_0(text, {"descr": "<u8", "fortran_order": False, "shape": shape})
    return text.getvalue() + bytes(8)


@pytest.mark.parametrize(
    ("content", "how"),
    [
        (claiming((10**12,)), zipfile.ZIP_STORED),
        (claiming((2**40, 2**40)), zipfile.ZIP_STORED),
        (claiming((-1,)), zipfile.ZIP_STORED),
        (bytes(10**7), zipfile.ZIP_DEFLATED),
        (b"", zipfile.ZIP_STORED),
        (b"\x93NUMPY\x09\x00", zipfile.ZIP_STORED),
    ],
)
def test_sizes_that_a_file_claims_are_not_believed(content: bytes, how: int, tmp_path: Path) -> None:
    path = tmp_path / "chains"
    method = made(dw.OrderMCMC, path)
    rewritten(path, "networks.npy", content, how)
    with pytest.raises(FormatError, match="is not a checkpoint"):
        dw.posterior(ASIA, method=method, random_state=1, threads=1, checkpoint=path)
