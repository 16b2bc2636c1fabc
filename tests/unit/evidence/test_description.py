"""Code lengths, description lengths by node, weights and cross-entropy."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dagwright as dw
from dagwright.errors import DataError, UnknownNameError

ASIA = dw.read(dw.sample_path("asia"))


def test_code_lengths() -> None:
    lengths = dw.evidence.code_lengths({"a": 5, "b": 2, "c": 1, "d": 1, "never": 0})
    assert lengths.huffman == 5 + 2 * 2 + 3 + 3
    assert lengths.fixed == 9 * 2
    assert lengths.kraft == 1.0
    assert sorted(map(len, lengths.words.values())) == [1, 2, 3, 3]
    words = list(lengths.words.values())
    assert not any(one != other and other.startswith(one) for one in words for other in words)
    certain = dw.evidence.code_lengths({"a": 7})
    assert (certain.huffman, certain.entropy, certain.fixed, certain.words) == (0, 0.0, 0, {"a": ""})
    for wrong in ({}, {"a": 0}):
        with pytest.raises(DataError, match="no event occurs"):
            dw.evidence.code_lengths(wrong)
    with pytest.raises(DataError, match="event 'a' occurs -1 times"):
        dw.evidence.code_lengths({"a": -1})


@pytest.mark.parametrize("seed", range(20))
def test_huffman_lies_between_the_entropy_and_one_bit_more(seed: int) -> None:
    rng = np.random.default_rng(seed)
    counts = {at: int(count) for at, count in enumerate(rng.integers(1, 1000, rng.integers(2, 30)))}
    lengths = dw.evidence.code_lengths(counts)
    assert lengths.entropy - 1e-9 <= lengths.huffman < lengths.entropy + sum(counts.values())
    assert lengths.huffman <= lengths.fixed
    assert lengths.kraft == pytest.approx(1.0)


@pytest.mark.parametrize("d", [None, 16.0])
def test_description_length_by_node(d: float | None) -> None:
    graph = dw.learn(ASIA).dag
    found = dw.description_length(graph, ASIA, d)
    bits = d if d is not None else math.log2(ASIA.N) / 2
    for node, (parents, parameters, data) in found.by_node.items():
        q = math.prod(len(ASIA.states_of(parent)) for parent in graph.parents(node))
        assert parents == pytest.approx(len(graph.parents(node)) * math.log2(8))
        assert parameters == pytest.approx(bits * (len(ASIA.states_of(node)) - 1) * q)
        assert data == pytest.approx(ASIA.N * dw.entropy(ASIA, node, graph.parents(node), unit="bits"))
    assert found.total == pytest.approx(-dw.score(graph, ASIA, dw.MDL(d), unit="bits").total)
    assert found.model == pytest.approx(sum(p + q for p, q, _ in found.by_node.values()))
    assert str(found).endswith(f"= {found.total:.3f} bits")


def test_weight_is_the_sum_over_families() -> None:
    graph = dw.learn(ASIA).dag
    total = sum(dw.evidence.family_weight(ASIA, node, graph.parents(node)) for node in graph.nodes)
    assert dw.evidence.network_weight(graph, ASIA) == pytest.approx(total)
    assert dw.evidence.network_weight(dw.Dag(ASIA.names), ASIA) == 0.0
    assert dw.cross_entropy("asia; tub", ASIA) == dw.cross_entropy(dw.Dag(ASIA.names), ASIA)
    with pytest.raises(UnknownNameError, match="column 'asla'"):
        dw.cross_entropy("asla; tub", ASIA)
