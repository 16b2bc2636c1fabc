"""Rows in memory, in blocks, and counted by an object of Python: one interface, the same bits."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from dagwright import _core

CARDINALITIES = (2, 3, 4, 2)
Question = tuple[tuple[int, ...], frozenset[int]]


def codes(rows: int, seed: int, gaps: bool) -> list[Any]:
    random = np.random.default_rng(seed)
    columns = [random.integers(0, r, rows).astype(np.uint8) for r in CARDINALITIES]
    columns[1] = np.where(random.random(rows) < 0.7, columns[0], columns[1]).astype(np.uint8)
    if gaps:
        columns[2][random.random(rows) < 0.2] = 255
        columns[3][:5] = 255
    return columns


class Plain:
    """Cells by NumPy; counts how often it is asked."""

    def __init__(self, columns: Sequence[Any], weights: Any) -> None:
        self.columns, self.weights, self.calls = columns, weights, 0

    def cells(self, questions: Sequence[Question]) -> list[tuple[Any, Any]]:
        self.calls += 1
        return [self.answer(*question) for question in questions]

    def answer(self, variables: tuple[int, ...], known: frozenset[int]) -> tuple[Any, Any]:
        rows = np.ones(len(self.columns[0]), dtype=bool)
        for column in known:
            rows &= self.columns[column] != 255
        weights = np.ones(rows.sum()) if self.weights is None else self.weights[rows]
        if not variables:
            return np.empty((1, 0), dtype=np.uint32), np.array([weights.sum()])
        cells = np.stack([self.columns[v][rows] for v in variables], axis=1).astype(np.uint32)
        distinct, at = np.unique(cells, axis=0, return_inverse=True)
        return np.ascontiguousarray(distinct), np.bincount(
            at.ravel(), weights=weights, minlength=len(distinct)
        )


def sources(columns: list[Any], weights: Any, block: int) -> dict[str, Any]:
    rows = len(columns[0])
    whole = _core.Table.from_codes(columns, list(CARDINALITIES), rows, weights)
    is_whole = weights is None or bool(np.all(weights == np.floor(weights)))
    unit = _core.Table.unit_for(0.0 if weights is None else float(weights.sum()), is_whole)
    blocks = [
        _core.Table.from_codes(
            [column[start : start + block] for column in columns],
            list(CARDINALITIES),
            len(columns[0][start : start + block]),
            None if weights is None else weights[start : start + block],
            unit,
        )
        for start in range(0, rows, block)
    ]
    plain = Plain(columns, weights)
    incomplete = [bool((column == 255).any()) for column in columns]
    python = _core.PythonCells(
        plain,
        cardinalities=list(CARDINALITIES),
        incomplete=incomplete,
        total=whole.total,
        most_cells=rows,
        whole=is_whole,
    )
    return {
        "memory": _core.CellSums(whole),
        "blocks": _core.CellSums(_core.BlockCells.of_tables(blocks, 0.0 if block == 33 else 64.0)),
        "rows": _core.CellSums(_core.BlockCells.of_rows(whole, block, 0.0 if block == 33 else 64.0)),
        "python": _core.CellSums(python),
        "plain": plain,
    }


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("weighted", [None, "whole", "halves"])
@pytest.mark.parametrize("block", [1, 33, 200])
def test_every_source_gives_the_same_bits(gaps: bool, weighted: str | None, block: int) -> None:
    weights = {None: None, "whole": np.arange(200) % 3 + 0.0, "halves": (np.arange(200) % 5) / 2 + 0.5}[
        weighted
    ]
    found = sources(codes(200, 3, gaps), weights, block)
    plain = found.pop("plain")
    sets = [list(s) for k in range(5) for s in itertools.combinations(range(4), k)]
    observed = [2, 3] if gaps else []
    answers = {}
    for name, sums in found.items():
        fits = _core.CountingMeasure(sums, _core.MeasureKind.multinomial).evidence(sets, observed)
        cells = sums.cells([3, 1], observed)
        arrays = (fits.fit, fits.dim, cells.codes, cells.counts, cells.units)
        answers[name] = [array.tolist() for array in arrays]
    assert answers["blocks"] == answers["rows"] == answers["memory"] == answers["python"]
    assert plain.calls <= 4  # a batch, the empty set, the cells


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("block", [1, 33, 200])
def test_a_batch_of_questions_is_answered_in_its_order(weighted: bool, block: int) -> None:
    """Questions with the same columns but the last are counted together, whatever stands between them."""
    columns, rows = codes(200, 3, gaps=True), 200
    weights = (np.arange(rows) % 5) / 2 + 0.5 if weighted else None
    plain = Plain(columns, weights)
    whole = _core.Table.from_codes(columns, list(CARDINALITIES), rows, weights)
    engine = _core.BlockCells.of_rows(whole, block, 64.0)
    ordered = [one for k in range(5) for one in itertools.permutations(range(4), k)]
    questions = [(one, frozenset(known)) for one in ordered for known in ({2, 3}, {1, 2, 3})]
    questions = [*questions[::2], *questions[1::2], *questions[:9]]
    found = engine.answers([(list(one), sorted(known)) for one, known in questions], 2)
    for question, cells, (states, counts) in zip(questions, found, plain.cells(questions), strict=True):
        assert cells.codes.tolist() == states.tolist(), question
        assert cells.counts.tolist() == counts.tolist(), question


@pytest.mark.parametrize("gaps", [False, True])
def test_searches_and_tests_run_on_every_source(gaps: bool) -> None:
    found = sources(codes(200, 5, gaps), None, 64)
    found.pop("plain")
    numbered = {name: sums.canonical_order([0, 1, 2, 3]) for name, sums in found.items()}
    orders = {name: (one.order, one.tied, one.complete) for name, one in numbered.items()}
    assert orders["blocks"] == orders["rows"] == orders["memory"] == orders["python"]
    answers = {}
    for name, sums in found.items():
        score = _core.CellScore(sums, _core.CellScoreKind.k2)
        families = [(0, [1]), (1, [0, 2]), (3, [])] if not gaps else [(0, [1]), (1, [])]
        answers[name] = score.local(families).tolist()
    assert answers["blocks"] == answers["rows"] == answers["memory"] == answers["python"]


def test_sources_that_answer_badly() -> None:
    class Wrong:
        def __init__(self, answer: Any) -> None:
            self.answer = answer

        def cells(self, _: Sequence[Question]) -> Any:
            return self.answer

    one_column: Any = {"cardinalities": [2], "incomplete": [False], "total": 1.0, "most_cells": 1.0}
    for answer, words in (
        ([], "one answer for each set"),
        ([3] * 9, "pairs of codes"),
        ([(np.zeros((1, 1), dtype=np.uint32), np.array([-1.0]))] * 9, "must not be negative"),
        ([(np.zeros((2, 1), dtype=np.uint32), np.array([1.0]))] * 9, "one row of codes for each count"),
    ):
        sums = _core.CellSums(_core.PythonCells(Wrong(answer), **one_column))
        with pytest.raises((TypeError, ValueError), match=words):
            sums.cells([0])
    with pytest.raises(TypeError, match="needs 'cells'"):
        _core.PythonCells(object(), **one_column)
