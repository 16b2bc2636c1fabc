"""What must work wherever the package was installed: few tests, no reader libraries, no source checkout."""

from __future__ import annotations

from importlib.metadata import version
from importlib.resources import files

import dagwright


def test_version_is_the_installed_one() -> None:
    assert dagwright.__version__ == version("dagwright")


def test_the_native_core_is_there_and_typed() -> None:
    import dagwright._core

    assert dagwright._core.__doc__
    package = files("dagwright")
    assert package.joinpath("py.typed").is_file()
    assert package.joinpath("_core.pyi").is_file()
