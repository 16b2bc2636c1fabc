"""The reference names everything public, and nothing that is gone."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import dagwright

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
PAGES = sorted(REFERENCE.parent.rglob("*.md"))
ENTRY = re.compile(r"^::: (dagwright[\w.]*)((?:\n[ ]+.*)*)", re.MULTILINE)
MEMBERS = re.compile(r"members: \[(.*?)\]")


def documented() -> list[tuple[str, str]]:
    """The lines of the reference, each with its options."""
    return [entry for page in PAGES for entry in ENTRY.findall(page.read_text("utf-8"))]


def resolved(path: str) -> Any:
    """What a line of the reference points to: a module, or what is in one."""
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError:
        parent, _, name = path.rpartition(".")
        return getattr(resolved(parent), name)


def shown(path: str, options: str) -> set[str]:
    """The names that a line of the reference shows; a module shows what it lists, or else what it defines."""
    found = resolved(path)
    if not isinstance(found, ModuleType):
        return {path.rpartition(".")[2]}
    if listed := MEMBERS.search(options):
        names = {name.strip() for name in listed[1].split(",")}
        assert all(hasattr(found, name) for name in names), path
        return names
    return {
        name
        for name, value in vars(found).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == found.__name__
    }


def test_every_public_name_has_its_place() -> None:
    names = {name for path, options in documented() for name in shown(path, options)}
    missing = sorted(set(dagwright.__all__) - names - {"__version__"})
    assert not missing, f"docs/reference has no ::: line for {', '.join(missing)}"


def test_names_in_tables_and_sentences_exist() -> None:
    used = {name for page in PAGES for name in re.findall(r"\bdw\.(\w+)", page.read_text("utf-8"))}
    gone = sorted(name for name in used if not hasattr(dagwright, name))
    assert not gone, f"the documentation speaks of {', '.join(gone)}"
