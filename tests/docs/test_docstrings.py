"""Every example in a docstring of the package runs and prints what it says."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import dagwright

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(dagwright.__path__, "dagwright.")
    if module.name.rpartition(".")[2] not in ("_core", "__main__")
)


@pytest.mark.parametrize("name", ["dagwright", *MODULES])
def test_docstring_examples(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(name)
    result = doctest.testmod(module, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert result.failed == 0, f"{result.failed} of {result.attempted} examples failed, see the output"
