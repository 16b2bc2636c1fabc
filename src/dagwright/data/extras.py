"""Libraries that come with an extra."""

from __future__ import annotations

import importlib
from types import ModuleType

from dagwright.errors import DataError


def required(module: str, extra: str, purpose: str) -> ModuleType:
    """A library, or the error that names the extra it comes with."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise DataError(
            f"{purpose} needs {module}; install it with pip install 'dagwright[{extra}]'"
        ) from None
