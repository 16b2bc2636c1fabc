"""The networks that come with the package."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from dagwright.io.native_json import read_bytes
from dagwright.model import BayesianNetwork

_FOLDER = files("dagwright.io") / "collection"


@cache
def networks() -> tuple[str, ...]:
    """Names of the built-in networks, for `load`; each names its source in ``.metadata.citation``.

    >>> networks()
    ('alarm', 'asia', 'cancer', 'child', 'earthquake', 'insurance', 'sachs', 'survey')
    """
    return tuple(
        sorted(
            entry.name.removesuffix(".json") for entry in _FOLDER.iterdir() if entry.name.endswith(".json")
        )
    )


@cache
def read_builtin(name: str) -> BayesianNetwork:
    """One of the built-in networks."""
    return read_bytes((_FOLDER / f"{name}.json").read_bytes())
