"""`import dagwright` costs NumPy and nothing heavier."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

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


def test_names_for_type_checkers_are_the_names_there_are() -> None:
    """What is imported when first asked for is also written down for checkers and for the reference."""
    tree = ast.parse(Path(dagwright.__file__).read_text(encoding="utf-8"))
    (guarded,) = [node for node in tree.body if isinstance(node, ast.If)]
    written = {
        alias.name for node in guarded.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert written == set(dagwright._HOME)
