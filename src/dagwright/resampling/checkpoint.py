"""The graphs of a long run in a file, so that it can be taken up again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from dagwright.errors import FormatError
from dagwright.resampling.strengths import ReplicateGraph
from dagwright.whole_file import write_whole

FORMAT = "dagwright-replicates"
FORMAT_VERSION = 1


def write_replicates(path: Path, run: dict[str, Any], graphs: list[ReplicateGraph]) -> None:
    """The file is whole at every moment."""
    document = {"format": FORMAT, "format_version": FORMAT_VERSION, "run": run, "graphs": graphs}
    write_whole(path, json.dumps(document).encode())


def read_replicates(path: Path, run: dict[str, Any]) -> list[ReplicateGraph]:
    """The graphs in a file of the same run; none if there is no file. Other data or settings are refused."""
    if not path.exists():
        return []
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as problem:
        raise FormatError(f"{path}: not JSON: {problem}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise FormatError(f"{path}: not a file of replicates; choose another name for the checkpoint")
    if document.get("format_version") != FORMAT_VERSION:
        raise FormatError(f"{path}: format version {document.get('format_version')}, not {FORMAT_VERSION}")
    before = document.get("run")
    for name, value in run.items():
        if not isinstance(before, dict) or before.get(name) != value:
            raise FormatError(
                f"{path} belongs to another run: its {name} differs; delete it or choose another name"
            )
    try:
        return [
            ReplicateGraph(
                tuple((int(a), int(b)) for a, b in directed), tuple((int(a), int(b)) for a, b in undirected)
            )
            for directed, undirected in document["graphs"]
        ]
    except (KeyError, TypeError, ValueError) as problem:
        raise FormatError(f"{path}: a missing or malformed field: {problem}") from None
