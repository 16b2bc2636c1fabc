"""Every picture that the documentation shows is written by the code of its page."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
HOOK = importlib.util.spec_from_file_location("docs_pictures", PROJECT / "tools" / "docs_pictures.py")
assert HOOK is not None and HOOK.loader is not None
docs_pictures = importlib.util.module_from_spec(HOOK)
HOOK.loader.exec_module(docs_pictures)


def test_pages_make_the_pictures_they_show() -> None:
    made = docs_pictures.pictures_of(PROJECT / "docs" / "how-to" / "pictures.md")
    assert "asia.svg" in made and all(text.startswith("<svg") for text in made.values())


def test_a_picture_that_no_code_writes_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("![nothing](../pictures/nothing.svg)\n", encoding="utf-8")
    with pytest.raises(KeyError, match=r"nothing\.svg"):
        docs_pictures.pictures_of(page)
