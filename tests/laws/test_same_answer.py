"""Row order, column order, names and threads never change what is learned."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import dagwright as dw
from dagwright.evidence import Family, SetFit
from dagwright.methods.registry import entries, entry

DATA = dw.read(dw.sample_path("asia"))


def shuffled(table: dw.Table, seed: int) -> dw.Table:
    rng = np.random.default_rng(seed)
    names = [table.names[i] for i in rng.permutation(len(table.names))]
    return table.select(names).take(rng.permutation(table.n_rows))


@pytest.mark.parametrize(
    "score",
    [dw.BIC(), dw.BDeu(ess=5), dw.AdaptiveBDeu(), dw.K2Score(), dw.QNML(), dw.FNML(), dw.BDs(), dw.MDL()],
)
def test_shuffling_rows_and_columns_changes_nothing(score: object) -> None:
    expected = dw.learn(DATA, score=score)
    for seed in range(20):
        found = dw.learn(shuffled(DATA, seed), score=score, threads=1 + seed % 2)
        assert found.graph == expected.graph
        assert found.score == expected.score


def test_renaming_columns_renames_the_graph() -> None:
    expected = dw.learn(DATA).graph
    for seed in range(20):
        rng = np.random.default_rng(seed)
        new = dict(zip(DATA.names, (f"n{i}" for i in rng.permutation(len(DATA.names))), strict=True))
        found = dw.learn(shuffled(DATA.rename(new), seed)).graph
        assert set(found.edges) == {(new[start], new[end]) for start, end in expected.edges}


def test_eviction_from_a_small_memo_changes_nothing() -> None:
    rng = np.random.default_rng(5)
    base = rng.integers(0, 3, (1000, 80))
    data = dw.read({f"v{i}": list((base[:, i] + base[:, i // 2]) % 3) for i in range(80)})
    small = data.with_memo(1)
    wide = dw.HillClimb(max_parents=4)
    expected = dw.learn(data, score=dw.AIC(), search=wide)
    found = dw.learn(small, score=dw.AIC(), search=wide)
    assert found.graph == expected.graph
    assert found.score == expected.score
    assert small.canonical()[0].native.statistics().forgotten > 0
    assert small.canonical()[0].native.statistics().memo_bytes <= 2**20


class CountingInPython:
    """A multinomial measure written to the batch protocol, over the columns of a table in their order."""

    def __init__(self, table: dw.Table) -> None:
        self.N = table.N
        self.cardinalities = table.cardinalities
        self.columns = [table.codes(name).astype(np.int64) for name in table.names]
        self.batches = 0

    def evidence(self, sets: Sequence[frozenset[int]], rows: object = None) -> list[SetFit]:
        assert rows is None
        self.batches += 1
        return [self.one(sorted(members)) for members in sets]

    def one(self, members: list[int]) -> SetFit:
        key = np.zeros(int(self.N), dtype=np.int64)
        for v in members:
            key = key * self.cardinalities[v] + self.columns[v]
        counts = np.unique(key, return_counts=True)[1].astype(float)
        cells = float(np.prod([self.cardinalities[v] for v in members])) if members else 1.0
        return SetFit(float(np.sum(np.sort(counts * np.log(counts)))), cells)


class PythonBIC:
    """A score of one's own: its on(table) gives a local score."""

    def on(self, table: dw.Table) -> PythonBIC:
        self.measure = CountingInPython(table)
        return self

    def local(self, families: Sequence[Family]) -> list[float]:
        penalty = np.log(self.measure.N) / 2
        values = []
        for child, parents in families:
            joint, given = self.measure.evidence([parents | {child}, parents])
            values.append(joint.fit - given.fit - penalty * (joint.dim - given.dim))
        return values


class PenalizedInPython(CountingInPython):
    """BIC as a measure without parameters: the penalty is part of the fit."""

    def __init__(self, plain: CountingInPython) -> None:
        self.plain = plain
        self.N = plain.N
        self.cardinalities = plain.cardinalities

    def evidence(self, sets: Sequence[frozenset[int]], rows: object = None) -> list[SetFit]:
        penalty = np.log(self.N) / 2
        return [SetFit(fit - penalty * dim, 0.0) for fit, dim in self.plain.evidence(sets, rows)]


SCORED = [
    entry.name
    for entry in entries("search")
    if not entry.needs
    and getattr(entry.method, "decides_by", "score") == "score"
    # It draws rows again, and a measure has none.
    and entry.name != "Averaged"
]


@pytest.mark.parametrize("search", SCORED)
def test_a_measure_written_in_python_runs_in_every_search_and_finds_the_same(search: str) -> None:
    method = entry(search).method(**({"steps": 3_000} if search == "Annealing" else {}))
    # Few rows and columns: a slow score is asked for thousands of families.
    data = DATA.select(DATA.names[:6]).take(np.arange(500))
    native = dw.learn(data, score=dw.BIC(), search=method)
    measure = CountingInPython(data)
    penalized = dw.learn(data, score=PenalizedInPython(measure), search=method)
    assert penalized.graph == native.graph
    assert measure.batches < native.evaluations / 2
    local = dw.learn(data, score=PythonBIC(), search=method)
    assert local.graph == native.graph
    assert local.score == pytest.approx(native.score, abs=1e-7)
