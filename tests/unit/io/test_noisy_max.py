"""Noisy-MAX nodes of XDSL: expanded to tables, and written back where they came from there."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import dagwright as dw
from dagwright.io.noisy_max import PROPERTY
from dagwright.io.xdsl import read_bytes, write_bytes

FILE = """<?xml version="1.0" encoding="UTF-8"?>
<smile version="1.0" id="alarm">
  <nodes>
    <cpt id="Fire"><state id="yes"/><state id="no"/><probabilities>0.1 0.9</probabilities></cpt>
    <cpt id="Cold"><state id="none"/><state id="mild"/><state id="hard"/>
      <probabilities>0.5 0.3 0.2</probabilities></cpt>
    <noisymax id="Damage"><state id="high"/><state id="low"/><state id="nil"/>
      <parents>Fire Cold</parents>
      <strengths>0 1 2 1 0</strengths>
      <parameters>0.6 0.3 0.1 0 0 1 0.2 0.5 0.3 0.1 0.2 0.7 0 0 1 0.01 0.04 0.95</parameters>
    </noisymax>
  </nodes>
</smile>
"""


def test_the_table_is_the_strongest_of_independent_effects() -> None:
    network = read_bytes(FILE.encode())
    fire = {"yes": [0.6, 0.3, 0.1], "no": [0, 0, 1]}
    cold = {"hard": [0.2, 0.5, 0.3], "mild": [0.1, 0.2, 0.7], "none": [0, 0, 1]}
    leak = [0.01, 0.04, 0.95]
    for a, b in itertools.product(fire, cold):
        expected = np.zeros(3)
        for i, j, k in itertools.product(range(3), repeat=3):  # the strongest effect has the least number
            expected[min(i, j, k)] += fire[a][i] * cold[b][j] * leak[k]
        found = [network.probability("Damage", s, {"Fire": a, "Cold": b}) for s in ("high", "low", "nil")]
        assert found == pytest.approx(expected.tolist(), abs=1e-12)


def test_it_is_written_back_as_it_came() -> None:
    network = read_bytes(FILE.encode())
    assert PROPERTY in network.metadata.node_properties["Damage"]
    text = write_bytes(network).decode()
    assert '<noisymax id="Damage">' in text
    assert "<strengths>0 1 2 1 0</strengths>" in text
    assert "0.6 0.3 0.1 0.0 0.0 1.0 0.2 0.5 0.3" in text
    assert read_bytes(text.encode()) == network


def test_another_table_is_written_as_a_table() -> None:
    network = read_bytes(FILE.encode())
    table = network.table("Damage").copy()
    table[0, 0] = [0.2, 0.3, 0.5]
    changed = network.with_table("Damage", table)
    text = write_bytes(changed).decode()
    assert "<noisymax" not in text
    assert read_bytes(text.encode()) == changed


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("0 1 2 1 0", "0 1 2 1", "4 strengths for 5 states"),
        ("0 1 2 1 0", "0 1 2 2 0", "not an order of 3 states"),
        ("0.01 0.04 0.95", "0.01 0.04", "parameters in place of 18"),
        ("0.01 0.04 0.95", "0.5 0.6 0.95", "must be a distribution"),
        ("0.01 0.04 0.95", "0.01 0.04 much", "Damage"),
    ],
)
def test_wrong_numbers_are_refused(old: str, new: str, words: str) -> None:
    with pytest.raises(dw.DagwrightError, match=words):
        read_bytes(FILE.replace(old, new).encode())
