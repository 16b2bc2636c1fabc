"""Local scores equal what pgmpy, PyBNesian and pyAgrum say about the same 500 rows (see peer_values.json)."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dagwright import reference

HERE = Path(__file__).parent
RECORDED = json.loads((HERE / "peer_values.json").read_text(encoding="utf-8"))
FAMILIES = RECORDED["families"]
ESS = RECORDED["ess"]
CASES = [(peer, name) for peer, of in RECORDED["values"].items() for name in of["scores"]]

# pyAgrum's log-gamma is good to about eight digits.
TOLERANCE = {("pyagrum", "K2"): 1e-7, ("pyagrum", "BDeu"): 1e-7}
# pyAgrum's AIC takes a penalty in nats from a likelihood in bits, so a parameter costs ln 2 instead of 1.
PYAGRUM_AIC = ("pyagrum", "AIC")


@pytest.fixture(scope="module")
def columns() -> dict[str, list[str]]:
    with (HERE / "peer_data.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    return {x: [row[k] for row in rows] for k, x in enumerate(header)}


@pytest.fixture(scope="module")
def sample(columns: dict[str, list[str]]) -> tuple[list[str], reference.Sample]:
    codes = [np.unique(column, return_inverse=True)[1] for column in columns.values()]
    return list(columns), reference.Sample.of(np.column_stack(codes))


def reference_value(sample: reference.Sample, name: str, child: int, parents: list[int]) -> float:
    plain: dict[str, Any] = {
        "LL": reference.log_likelihood,
        "AIC": reference.aic,
        "BIC": reference.bic,
        "K2": reference.k2,
    }
    if name in plain:
        return float(plain[name](sample, child, parents))
    with_size: dict[str, Any] = {"BDeu": reference.bdeu, "BDs": reference.bds}
    return float(with_size[name](sample, child, parents, ess=ESS))


def comparable(sample: reference.Sample, name: str, child: int, parents: list[int]) -> bool:
    """pgmpy's BDs divides ess by all parent configurations for a cell but by the seen ones for their sums."""
    return name != "BDs" or bool(reference.family_counts(sample, child, parents).sum(axis=1).all())


def expected(peer: str, name: str) -> list[float]:
    return list(RECORDED["values"][peer]["scores"][name])


def tolerance(peer: str, name: str) -> float:
    return TOLERANCE.get((peer, name), 1e-11)


@pytest.mark.parametrize(("peer", "name"), [case for case in CASES if case != PYAGRUM_AIC])
def test_reference_equals_peer(sample: tuple[list[str], reference.Sample], peer: str, name: str) -> None:
    columns, rows = sample
    compared = 0
    for (child, parents), value in zip(FAMILIES, expected(peer, name), strict=True):
        family = columns.index(child), [columns.index(x) for x in parents]
        if comparable(rows, name, *family):
            compared += 1
            assert reference_value(rows, name, *family) == pytest.approx(value, rel=tolerance(peer, name))
    assert compared >= 5


def test_pyagrum_aic_mixes_units(sample: tuple[list[str], reference.Sample]) -> None:
    columns, rows = sample
    for (child, parents), value in zip(FAMILIES, expected(*PYAGRUM_AIC), strict=True):
        family = columns.index(child), [columns.index(x) for x in parents]
        penalty = np.log(2) * reference.parameters(rows, *family)
        assert value == pytest.approx(reference.log_likelihood(rows, *family) - penalty, rel=1e-12)
