"""A network from a file or by name."""

from __future__ import annotations

import os
from pathlib import Path

from dagwright.errors import FormatError, unknown_name
from dagwright.io.builtin import networks, read_builtin
from dagwright.io.content import read_content
from dagwright.io.formats import format_named, format_of
from dagwright.model import BayesianNetwork


def load(source: str | os.PathLike[str], *, format: str | None = None) -> BayesianNetwork:  # noqa: A002
    """A network from a file (also gzipped), or one of the built-in `networks` by its name.

    Parameters
    ----------
    source
        A built-in name or the path of a file. A file that has the name of a built-in network is reached by
        a path such as ``./asia``.
    format
        The format of the file, where its suffix does not tell.

    >>> load("asia").probability("tub", "yes", {"asia": "yes"})
    0.05
    """
    if isinstance(source, str) and format is None and source in networks():
        return read_builtin(source)
    path = Path(source)
    if not path.exists() and not path.suffix and isinstance(source, str) and path.name == source:
        raise unknown_name("network", source, networks())
    chosen = format_of(path) if format is None else format_named(format)
    content = read_content(path)
    try:
        return chosen.read_bytes(content)
    except FormatError as problem:
        raise FormatError(f"{path}: {problem}") from None
