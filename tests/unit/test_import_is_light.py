"""`import dagwright` costs NumPy and nothing heavier."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import dagwright

HEAVY = (
    *(
        "pandas",
        "polars",
        "matplotlib",
        "sklearn",
        "scipy",
        "networkx",
        "narwhals",
        "rich",
        "typer",
        "pyarrow",
    ),
    *("duckdb", "click", "asyncio", "multiprocessing"),
)


@pytest.mark.parametrize("statement", ["import dagwright", "import dagwright._core"])
def test_no_heavy_library_is_imported(statement: str) -> None:
    code = f"{statement}\nimport sys\nsys.stdout.write(' '.join(m for m in {HEAVY!r} if m in sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == ""


def test_import_writes_nothing() -> None:
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", "import dagwright"], capture_output=True, text=True, check=True
    )
    assert (run.stdout, run.stderr) == ("", "")


def test_learning_from_memory_needs_no_reader() -> None:
    """Where the reader libraries cannot be installed, data in memory still can be learned from."""
    code = (
        f"import sys\nfor name in {HEAVY!r}:\n    sys.modules[name] = None\n"
        "import dagwright\nfound = dagwright.learn({'a': [0, 1] * 50, 'b': ['n', 'y'] * 50})\n"
        "sys.stdout.write(str(len(found.graph.edges)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == ("1", "")


def names_for_type_checkers(module: ModuleType) -> set[str]:
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    (guarded,) = [node for node in tree.body if isinstance(node, ast.If)]
    return {alias.name for node in guarded.body if isinstance(node, ast.ImportFrom) for alias in node.names}


def test_names_for_type_checkers_are_the_names_there_are() -> None:
    """What is imported when first asked for is also written down for checkers and for the reference."""
    assert names_for_type_checkers(dagwright) == {*dagwright._HOME, *dagwright._SPACES}


@pytest.mark.parametrize("room", ["learning", "search"])
def test_rooms_give_the_names_that_are_seldom_asked_for(room: str) -> None:
    module = getattr(dagwright, room)
    assert names_for_type_checkers(module) == set(module.__all__)
    assert all(getattr(module, name).__name__ == name for name in module.__all__)
    with pytest.raises(AttributeError, match=f"'dagwright.{room}' has no attribute 'nothing'"):
        module.nothing  # noqa: B018
