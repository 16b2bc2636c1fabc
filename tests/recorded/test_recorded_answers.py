"""Graphs, score bits, evaluations and p-values of every method are the stored ones."""

from __future__ import annotations

import json

import pytest

from recorded.recording import STORED, cut_points, of_table, tables

ANSWERS = json.loads(STORED.read_text(encoding="utf-8"))
TABLES = tables()


@pytest.mark.parametrize("name", TABLES)
def test_every_answer_about_a_table_is_the_stored_one(name: str) -> None:
    now = json.loads(json.dumps(of_table(TABLES[name])))
    assert now.keys() == ANSWERS[name].keys()
    assert {key: value for key, value in now.items() if value != ANSWERS[name][key]} == {}


def test_cut_points_are_the_stored_ones() -> None:
    assert cut_points() == ANSWERS["cut points"]
