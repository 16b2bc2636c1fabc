"""What the size of the memo and of the sample may and may not change."""

from __future__ import annotations

import itertools

import numpy as np

from dagwright.data import Table
from dagwright.evidence import BIC, BDeu, Family
from dagwright.graph import Dag


def test_a_tiny_memo_forgets_and_still_gives_the_same_values() -> None:
    rng = np.random.default_rng(5)
    codes = rng.integers(0, 3, (200, 18))
    names = [f"v{i}" for i in range(18)]
    table = Table(names, list(codes.T), [[0, 1, 2]] * 18)
    small = table.with_memo(1)
    asked = [Family(0, frozenset(p)) for k in range(5) for p in itertools.combinations(range(1, 18), k)]
    asked += [Family(1, frozenset(p)) for p in itertools.combinations(range(2, 18), 5)]
    for spec in (BIC(), BDeu()):
        assert spec.on(small).local(asked) == spec.on(table).local(asked)
        assert spec.on(small).local(asked[::-1]) == spec.on(table).local(asked)[::-1]
    assert small.native.statistics().forgotten > 0
    assert small.native.statistics().memo_bytes <= 1048576


def test_bic_stays_near_the_marginal_likelihood() -> None:
    """log P(D | G) - BIC stays bounded as N grows (Schwarz 1978)."""
    rng = np.random.default_rng(11)
    a = rng.random(100_000) < 0.4
    b = rng.random(100_000) < np.where(a, 0.8, 0.3)
    graph = Dag(list("ab"), [("a", "b")])
    gaps = []
    for rows in (100, 1_000, 10_000, 100_000):
        table = Table(["a", "b"], [a[:rows].astype(np.uint8), b[:rows].astype(np.uint8)], [[0, 1], [0, 1]])
        gaps.append(BDeu(4.0).on(table).total(graph) - BIC().on(table).total(graph))
    assert max(gaps) - min(gaps) < 0.5
