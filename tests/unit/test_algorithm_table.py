"""The table of algorithms in ARCHITECTURE names every method and the files that it is in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dagwright.methods import registry

ROOT = Path(__file__).parents[2]
SECTION = (
    (ROOT / "ARCHITECTURE.md")
    .read_text(encoding="utf-8")
    .split("## Where an algorithm is")[1]
    .split("\n## ")[0]
)
ROWS = [line.strip("|").split("|") for line in SECTION.splitlines() if line.startswith("| `")]


def quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


PLACES = {name: (quoted(python), quoted(core)) for names, python, core in ROWS for name in quoted(names)}


def test_every_method_is_in_the_table_once() -> None:
    named = [name for names, _, _ in ROWS for name in quoted(names)]
    assert sorted(named) == sorted(entry.name for entry in registry.entries())


@pytest.mark.parametrize("entry", registry.ENTRIES, ids=lambda entry: entry.name)
def test_its_files_exist_and_hold_it(entry: registry.Entry) -> None:
    python, core = PLACES[entry.name]
    files = [ROOT / "src" / "dagwright" / path for path in python]
    assert all(path.is_file() for path in files)
    assert all((ROOT / "core" / "src" / path).is_file() for path in core)
    assert f"\nclass {entry.name}(" in files[0].read_text(encoding="utf-8")
