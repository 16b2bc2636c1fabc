"""The page of comparisons is what the stored study says."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
STORED = PROJECT / "bench" / "results" / "recovery_A.jsonl"


OF_NUMBERS = STORED.with_name("gaussian_quality.json")


@pytest.mark.skipif(not OF_NUMBERS.exists(), reason="source distributions leave the results out")
def test_the_page_of_numbers_follows_from_the_stored_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(PROJECT))
    numbers_page = importlib.import_module("bench.numbers_page")
    stored = json.loads(OF_NUMBERS.read_text(encoding="utf-8"))
    made = numbers_page.page(stored)
    assert (PROJECT / "docs" / "compare-numbers.md").read_text(encoding="utf-8") == made


@pytest.mark.skipif(not STORED.exists(), reason="source distributions leave the results out")
@pytest.mark.parametrize("module", ["compare_page", "scaling_page"])
def test_pages_follow_from_the_stored_answers(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(PROJECT))
    for path, text in importlib.import_module(f"bench.{module}").pages().items():
        assert path.read_text(encoding="utf-8") == text, path.name
