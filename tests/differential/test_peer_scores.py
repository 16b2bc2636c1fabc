"""Local scores equal what pgmpy, PyBNesian and pyAgrum say about the same 500 rows (see peer_values.json)."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dagwright.data import Table, read
from dagwright.evidence import AIC, BIC, BDeu, BDs, Family, K2Score, LogLik, Score, reference

HERE = Path(__file__).parent
RECORDED = json.loads((HERE / "peer_values.json").read_text(encoding="utf-8"))
FAMILIES = RECORDED["families"]
ESS = RECORDED["ess"]
NAMES = ["a", "b", "c", "d", "e", "f", "g", "h"]
CASES = [(peer, name) for peer, of in RECORDED["values"].items() for name in of["scores"]]

SCORES: dict[str, Score] = {
    "LL": LogLik(),
    "AIC": AIC(),
    "BIC": BIC(),
    "K2": K2Score(),
    "BDeu": BDeu(ess=ESS),
    "BDs": BDs(ess=ESS),
}
# pyAgrum's log-gamma is good to about eight digits.
TOLERANCE = {("pyagrum", "K2"): 1e-7, ("pyagrum", "BDeu"): 1e-7}
# pyAgrum's AIC takes a penalty in nats from a likelihood in bits, so a parameter costs ln 2 instead of 1.
PYAGRUM_AIC = ("pyagrum", "AIC")


@pytest.fixture(scope="module")
def table() -> Table:
    return read(HERE / "peer_data.csv")


@pytest.fixture(scope="module")
def sample() -> reference.Sample:
    """The same rows without dagwright's reader; states in sorted order."""
    with (HERE / "peer_data.csv").open(encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file)
    return reference.Sample.of(
        np.column_stack([np.unique(x, return_inverse=True)[1] for x in zip(*rows, strict=True)])
    )


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


def recorded(sample: reference.Sample, peer: str, name: str) -> list[tuple[int, list[int], float]]:
    """(child, parents, the peer's value) for the families on which the peer computes what it says.

    pgmpy's BDs divides ess by all parent configurations for a cell but by the seen ones for their sums, so it
    is left out where a configuration is unseen.
    """
    values = RECORDED["values"][peer]["scores"][name]
    families = [(NAMES.index(child), [NAMES.index(x) for x in parents]) for child, parents in FAMILIES]
    return [
        (child, parents, value)
        for (child, parents), value in zip(families, values, strict=True)
        if name != "BDs" or reference.family_counts(sample, child, parents).sum(axis=1).all()
    ]


def tolerance(peer: str, name: str) -> float:
    return TOLERANCE.get((peer, name), 1e-11)


@pytest.mark.parametrize(("peer", "name"), [case for case in CASES if case != PYAGRUM_AIC])
def test_scores_equal_peer(table: Table, sample: reference.Sample, peer: str, name: str) -> None:
    families = recorded(sample, peer, name)
    assert len(families) >= 5
    bound = SCORES[name].on(table)
    native = bound.local([Family(child, frozenset(parents)) for child, parents, _ in families])
    for (child, parents, value), ours in zip(families, native, strict=True):
        assert ours == pytest.approx(value, rel=tolerance(peer, name))
        assert reference_value(sample, name, child, parents) == pytest.approx(
            value, rel=tolerance(peer, name)
        )


def test_pyagrum_aic_mixes_units(sample: reference.Sample) -> None:
    for child, parents, value in recorded(sample, *PYAGRUM_AIC):
        penalty = np.log(2) * reference.parameters(sample, child, parents)
        assert value == pytest.approx(reference.log_likelihood(sample, child, parents) - penalty, rel=1e-12)


def test_table_has_the_recorded_columns(table: Table) -> None:
    assert list(table.names) == NAMES
