"""`import dagwright` costs NumPy and nothing heavier."""

from __future__ import annotations

import subprocess
import sys

import pytest

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
