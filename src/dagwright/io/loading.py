"""Networks and graphs from files or by name."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from dagwright.errors import FormatError, unknown_name
from dagwright.io.builtin import networks, read_builtin
from dagwright.io.content import read_content
from dagwright.io.formats import Format, format_named, format_of
from dagwright.io.graph_parts import Graph
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
    if chosen.holds == "graph":
        raise FormatError(f"{path}: a graph without numbers; read it with load_graph()")
    network: BayesianNetwork = read_in(chosen, path)
    return network


def load_graph(source: str | os.PathLike[str], *, format: str | None = None) -> Graph:  # noqa: A002
    """A graph from a file (also gzipped): DOT, GraphML, GEXF, Mermaid, or that of any network.

    >>> load_graph("cancer").parents("Cancer")
    ('Pollution', 'Smoker')
    """
    if format is None and isinstance(source, str) and source in networks():
        return read_builtin(source).graph
    path = Path(source)
    found: BayesianNetwork | Graph = read_in(
        format_of(path) if format is None else format_named(format), path
    )
    return found.graph if isinstance(found, BayesianNetwork) else found


def read_in(chosen: Format, path: Path) -> Any:
    """What a file of a format holds."""
    content = read_content(path)
    if not content.strip():
        raise FormatError(f"{path}: the file is empty")
    try:
        return chosen.read_bytes(content)
    except FormatError as problem:
        raise FormatError(f"{path}: {problem}") from None
