"""A network into a file."""

from __future__ import annotations

import gzip
import os
import secrets
from pathlib import Path

from dagwright.io.formats import format_named, format_of
from dagwright.model import BayesianNetwork


def save(
    network: BayesianNetwork,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
) -> None:
    """Write a network in the format of the file's suffix or the one named; ``.gz`` at the end compresses.

    The file appears whole or not at all.
    """
    target = Path(path)
    chosen = format_of(target) if format is None else format_named(format)
    content = chosen.write_bytes(network)
    if target.suffix.lower() == ".gz":
        content = gzip.compress(content, mtime=0)
    partial = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        partial.write_bytes(content)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
