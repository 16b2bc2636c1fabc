"""Networks and graphs from files or by name."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Any

from dagwright.base.documents import parsed_json
from dagwright.confidence import Confidence
from dagwright.confidence.confidence import FORMAT as CONFIDENCE
from dagwright.errors import FormatError, OptionError, shortened, unknown_name
from dagwright.graph.graph_like import AnyGraph, as_graph, parse_graph
from dagwright.io.builtin import networks, read_builtin
from dagwright.io.content import decoded, read_content
from dagwright.io.formats import Format, format_named, format_of
from dagwright.learning.learned import Learned
from dagwright.learning.learned_document import FORMAT as LEARNED

GRAPH_TEXT = ("", ".txt")
"""Endings of files that hold graph text."""


def load(source: str | os.PathLike[str], *, format: str | None = None) -> Any:  # noqa: A002
    """Load the content of a file (also gzipped), or one of the built-in `networks` by its name.

    A network gives a `BayesianNetwork` or a `DynamicNetwork`, a saved result a `Learned`, a saved confidence
    a `Confidence`, and DOT, GraphML, GEXF, Mermaid and graph text the graph.

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
    if not isinstance(source, str | os.PathLike):
        raise OptionError(f"load() takes a built-in name or the path of a file, not {shortened(source)}")
    if isinstance(source, str) and format is None and source in networks():
        return read_builtin(source)
    path = Path(source)
    if not path.exists() and not path.suffix and isinstance(source, str) and path.name == source:
        raise unknown_name("network", source, networks())
    if format is None and path.suffix.lower() in GRAPH_TEXT:
        return parse_graph(decoded(read_content(path)))
    chosen = format_of(path) if format is None else format_named(format)
    said = _said_format(read_content(path)) if chosen.name == "json" else ""
    if said == DYNAMIC:
        # Dynamic networks live in a room above this one, which is found by its name when it is needed.
        return _result(importlib.import_module("dagwright.dynamic.network").DynamicNetwork, path)
    return _result(RESULTS[said], path) if said in RESULTS else read_in(chosen, path)


DYNAMIC = "dagwright-dynamic-network"
RESULTS: dict[str, Any] = {LEARNED: Learned, CONFIDENCE: Confidence}
"""What is saved as JSON beside networks, by the format that the file says it has."""


def _result(kind: Any, path: Path) -> Any:
    try:
        return kind.from_json(decoded(read_content(path)))
    except FormatError as problem:
        raise FormatError(f"{path}: {problem}") from None


def _said_format(content: bytes) -> str:
    """The format that a JSON file declares; empty where it declares none."""
    try:
        document = parsed_json(decoded(content))
    except ValueError:
        return ""
    return str(document.get("format")) if isinstance(document, dict) else ""


def load_graph(source: str | os.PathLike[str], *, format: str | None = None) -> AnyGraph:  # noqa: A002
    """A graph from a file (also gzipped): DOT, GraphML, GEXF, Mermaid, text, or that of a network or result.

    >>> load_graph("cancer").parents("Cancer")
    ('Pollution', 'Smoker')
    """
    found = load(source, format=format)
    if isinstance(found, Confidence):
        raise FormatError(
            f"{source}: the file holds edge strengths, not a graph; consensus() of a Confidence makes one"
        )
    return as_graph(found)


def read_in(chosen: Format, path: Path) -> Any:
    """The content of a file of a given format."""
    content = read_content(path)
    if not content.strip():
        raise FormatError(f"{path}: the file is empty")
    try:
        return chosen.read_bytes(content)
    except FormatError as problem:
        raise FormatError(f"{path}: {problem}") from None
