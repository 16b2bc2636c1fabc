"""Settings shared by all tests."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples on every run, and no time limits that a busy machine would break.
# HYPOTHESIS_PROFILE=explore looks for new ones.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

# Tests press Ctrl-C. A shell that starts the tests in the background has told them to ignore it.
signal.signal(signal.SIGINT, signal.default_int_handler)

SHARING = (
    "golden/test_reproduce.py",
    "laws/test_pc_laws.py",
    "unit/reporting/",
    "unit/scale/",
    "unit/studio/",
)
"""Tests that share what takes seconds to make: with ``-n`` each file of them stays in one process."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        path = item.path.relative_to(here).as_posix() if item.path.is_relative_to(here) else ""
        if path.startswith(SHARING):
            item.add_marker(pytest.mark.xdist_group(path))


@pytest.fixture(autouse=True)
def no_width_of_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Printed tables are not folded to the width of the terminal that happens to run the tests."""
    monkeypatch.delenv("COLUMNS", raising=False)
