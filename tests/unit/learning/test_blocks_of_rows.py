"""The same answer, bit by bit, for rows in memory, for any split into blocks, and for a source of counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright import _core
from dagwright.data import Schema, Table
from dagwright.data.blocks import Blocks
from dagwright.data.source import CellCounts, Question, Source
from dagwright.errors import DataError

ROWS = 640
SPLITS = (1, 2, 7, 64)


def discrete(gaps: bool = False, weighted: bool = False) -> Table:
    random = np.random.default_rng(5)
    a = random.integers(0, 3, ROWS)
    b = np.where(random.random(ROWS) < 0.7, a, random.integers(0, 3, ROWS))
    c = np.where(random.random(ROWS) < 0.6, (a + b) % 2, random.integers(0, 2, ROWS))
    d = np.where(random.random(ROWS) < 0.8, c, random.integers(0, 2, ROWS))
    columns = [one.astype(np.uint8) for one in (a, b, c, d, random.integers(0, 4, ROWS))]
    if gaps:
        columns[2][random.random(ROWS) < 0.1] = 255
    weights = random.integers(0, 3, ROWS) + 0.5 if weighted else None
    states = [[f"s{k}" for k in range(r)] for r in (3, 3, 2, 2, 4)]
    return Table(list("abcde"), columns, states, weights=weights)


def numbers(mixed: bool) -> Table:
    random = np.random.default_rng(7)
    x = random.normal(size=ROWS)
    y = 0.8 * x + random.normal(size=ROWS)
    g = (x + random.normal(size=ROWS) > 0).astype(np.uint8)
    z = y - g + random.normal(size=ROWS)
    if mixed:
        return Table(["x", "y", "g", "z"], [x, y, g, z], [None, None, ["no", "yes"], None])
    return Table(["x", "y", "z"], [x, y, z], [None] * 3)


def in_blocks(table: Table, blocks: int) -> Table:
    return table._with(blocks=Blocks(64.0 if blocks < 7 else 0.02, -(-table.n_rows // blocks)))


def answer(table: Table, **options: Any) -> tuple[Any, ...]:
    found = dw.learn(table, **options)
    return found.graph, found.score, found.evaluations, found.trace and found.trace[-1]


SEARCHES: list[dict[str, Any]] = [
    {},
    {"search": dw.HillClimb()},
    {"search": dw.HillClimb(), "score": dw.BDeu(ess=3)},
    {"search": dw.Tabu(), "score": dw.K2Score()},
    {"search": dw.GES()},
    {"search": dw.OrderSearch(), "score": dw.QNML()},
    {"search": dw.BOSS(), "score": dw.AIC()},
    {"search": dw.Exact(), "score": dw.FNML()},
    {"search": dw.Annealing(steps=300)},
    {"search": dw.PC()},
    {"search": dw.PC(test=dw.ChiSquare())},
    {"search": dw.FCI()},
    {"search": dw.MMHC()},
    {"search": dw.IAMB()},
    {"search": dw.ChowLiu()},
]


@pytest.mark.parametrize("options", SEARCHES, ids=str)
@pytest.mark.parametrize("kind", ["plain", "weighted"])
def test_every_search_on_any_split(options: dict[str, Any], kind: str) -> None:
    table = discrete(weighted=kind == "weighted")
    expected = answer(table, **options)
    for blocks in SPLITS:
        assert answer(in_blocks(table, blocks), **options) == expected, blocks


@pytest.mark.parametrize(
    "options",
    [{"search": dw.PC()}, {"search": dw.PC(test=dw.ChiSquare())}, {"score": dw.NodeAverage()}],
    ids=str,
)
def test_missing_cells_on_any_split(options: dict[str, Any]) -> None:
    table = discrete(gaps=True)
    expected = answer(table, missing="available", **options)
    for blocks in SPLITS:
        assert answer(in_blocks(table, blocks), missing="available", **options) == expected


@pytest.mark.parametrize("mixed", [False, True])
def test_numbers_on_any_split(mixed: bool) -> None:
    table = numbers(mixed)
    measures = [dw.ConditionalGaussian(), dw.Embedded()] if mixed else [dw.Gaussian()]
    for measure in measures:
        expected = answer(table, search=dw.HillClimb(), score=dw.BIC(measure=measure))
        for blocks in SPLITS:
            found = answer(in_blocks(table, blocks), search=dw.HillClimb(), score=dw.BIC(measure=measure))
            assert found == expected
    cut = answer(table, search=dw.GES())
    assert all(answer(in_blocks(table, blocks), search=dw.GES()) == cut for blocks in SPLITS)


def test_networks_are_fitted_from_blocks() -> None:
    table = discrete()
    graph = dw.Dag(list("abcde"), [("a", "b"), ("a", "c"), ("b", "c"), ("c", "d")])
    expected = dw.fit(graph, table)
    for blocks in SPLITS:
        assert dw.fit(graph, in_blocks(table, blocks)) == expected


@pytest.mark.parametrize("weighted", [False, True])
def test_the_poisson_bootstrap_is_the_same_on_any_split(weighted: bool) -> None:
    table = discrete(weighted=weighted)
    options: dict[str, Any] = {"search": dw.HillClimb(), "replicates": 20, "random_state": 3}
    expected = dw.bootstrap(table, draw=dw.PoissonBootstrap(), **options)
    assert "by PoissonBootstrap()" in expected.source
    for blocks in SPLITS:
        found = dw.bootstrap(in_blocks(table, blocks), **options)
        assert found.source == expected.source
        assert found.edges(0.0) == expected.edges(0.0)


def test_poisson_weights_are_poisson() -> None:
    drawn = _core.poisson_weights(7, 3, 0, 200_000)
    assert drawn.mean() == pytest.approx(1.0, abs=0.01)
    assert drawn.var() == pytest.approx(1.0, abs=0.02)
    assert (drawn == 0).mean() == pytest.approx(np.exp(-1), abs=0.005)
    assert np.array_equal(_core.poisson_weights(7, 3, 1000, 1500), drawn[1000:1500])
    assert not np.array_equal(_core.poisson_weights(7, 4, 0, 1000), drawn[:1000])
    assert not np.array_equal(_core.poisson_weights(8, 3, 0, 1000), drawn[:1000])
    large = _core.poisson_weights(7, 3, 0, 20_000, np.full(20_000, 50.0))
    assert large.mean() == pytest.approx(50.0, abs=0.2)
    assert large.var() == pytest.approx(50.0, abs=2.5)


class Plain:
    """A source that counts by NumPy, as a cluster would."""

    def __init__(self, table: Table, weights: Any = None) -> None:
        self.table, self.calls, self.weights = table, 0, weights

    @property
    def schema(self) -> Schema:
        return self.table.schema

    @property
    def n_rows(self) -> int:
        return self.table.n_rows

    @property
    def N(self) -> float:
        return self.table.N if self.weights is None else float(self.weights.sum())

    @property
    def missing(self) -> dict[str, int]:
        return self.table.missing

    @property
    def fingerprint(self) -> str:
        return self.table.fingerprint

    def cells(self, questions: Sequence[Question]) -> list[CellCounts]:
        self.calls += 1
        return [self.answer(*question) for question in questions]

    def answer(self, variables: Sequence[int], known: Sequence[int]) -> CellCounts:
        names = self.table.names
        rows = np.ones(self.n_rows, dtype=bool)
        for column in known:
            rows &= ~self.table.gaps(names[column])
        weights = (np.ones(self.n_rows) if self.weights is None else self.weights)[rows].astype(np.uint64)
        if not variables:
            return np.empty((1, 0), dtype=np.uint32), np.array([weights.sum()], dtype=np.uint64)
        codes = np.stack([self.table.codes(names[v])[rows] for v in variables], axis=1).astype(np.uint32)
        distinct, at = np.unique(codes, axis=0, return_inverse=True)
        counts = np.zeros(len(distinct), dtype=np.uint64)
        np.add.at(counts, at.ravel(), weights)
        return np.ascontiguousarray(distinct), counts

    def resampled(self, seed: int, number: int) -> Plain:
        return Plain(self.table, _core.poisson_weights(seed, number, 0, self.n_rows))


@pytest.mark.parametrize("options", SEARCHES, ids=str)
def test_every_search_on_a_source(options: dict[str, Any]) -> None:
    table = discrete()
    source = Plain(table)
    assert isinstance(source, Source)
    assert answer(Table.of_source(source), **options)[:2] == answer(table, **options)[:2]


def test_a_source_is_resampled_and_fitted() -> None:
    table = discrete()
    options: dict[str, Any] = {"search": dw.HillClimb(), "replicates": 5, "random_state": 3}
    elsewhere = Table.of_source(Plain(table))
    expected = dw.bootstrap(table, draw=dw.PoissonBootstrap(), **options)
    assert dw.bootstrap(elsewhere, **options).edges(0.0) == expected.edges(0.0)
    graph = dw.Dag(list("abcde"), [("a", "b"), ("c", "d")])
    assert dw.fit(graph, elsewhere) == dw.fit(graph, table)
    assert elsewhere.n_rows == ROWS
    assert "Table: 640 rows" in repr(elsewhere)


def test_what_needs_rows_says_so() -> None:
    elsewhere = Table.of_source(Plain(discrete()))
    for needs in (
        lambda: elsewhere.codes("a"),
        lambda: elsewhere.take([1]),
        lambda: elsewhere.to_dict(),
        lambda: elsewhere.with_weights(np.ones(ROWS)),
        lambda: dw.bootstrap(elsewhere, draw=dw.Subsample(), replicates=2),
    ):
        with pytest.raises(DataError, match="needs the rows"):
            needs()
    with pytest.raises(DataError, match="holds numbers"):
        Table.of_source(Plain(numbers(mixed=True)))
