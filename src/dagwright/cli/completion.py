"""Shell completion of methods, built-in networks, sample data, columns and nodes."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import typer

from dagwright.data.samples import PREFIX
from dagwright.errors import DagwrightError
from dagwright.methods import registry

BEGINNING = 1 << 18
"""Bytes of a text file that are read for the names of its columns."""
TEXT_ENDINGS = (".csv", ".tsv", ".txt", ".data")


def methods(*kinds: registry.Kind) -> Callable[[str], list[str]]:
    """A completion of the names of the methods of some kinds."""

    def names(incomplete: str) -> list[str]:
        known = [entry.name for kind in kinds for entry in registry.entries(kind)]
        return [name for name in known if name.lower().startswith(incomplete.lower())]

    return names


def networks(incomplete: str) -> list[str]:
    """The built-in networks, then the files that begin so."""
    from dagwright.io import networks as built_in

    return [*(name for name in built_in() if name.startswith(incomplete)), *_files(incomplete)]


def data(incomplete: str) -> list[str]:
    """The sample data once "sample" is begun, then the files that begin so."""
    from dagwright.data.samples import samples

    named = [f"{PREFIX}{name}" for name in samples()] if incomplete else []
    return [*(name for name in named if name.startswith(incomplete)), *_files(incomplete)]


def columns(ctx: typer.Context, incomplete: str) -> list[str]:
    """The columns of the data that stand on the line already."""
    return _starting(incomplete, lambda: _columns(str(ctx.params.get("data") or "")))


def nodes(ctx: typer.Context, incomplete: str) -> list[str]:
    """The nodes of the network that stands on the line already."""
    return _starting(incomplete, lambda: _nodes(str(ctx.params.get("network") or "")))


def settings(ctx: typer.Context, incomplete: str) -> list[str]:
    """`node=` for each node of the network on the line, then `node=state` for each state of the node."""
    return _starting(incomplete, lambda: _settings(str(ctx.params.get("network") or ""), incomplete))


def _starting(incomplete: str, names: Callable[[], Iterable[str]]) -> list[str]:
    """The names that go on from what was typed; none where the source cannot be read: Tab never fails."""
    try:
        return [name for name in names() if name.startswith(incomplete)]
    except (DagwrightError, OSError, UnicodeError, ValueError):
        return []


def _files(incomplete: str) -> list[str]:
    folder, begun = os.path.split(incomplete)
    try:
        found = sorted(Path(folder or ".").iterdir())
    except OSError:
        return []
    return [
        os.path.join(folder, path.name) + ("/" if path.is_dir() else "")  # noqa: PTH118
        for path in found
        if path.name.startswith(begun) and (begun or not path.name.startswith("."))
    ]


def _columns(source: str) -> list[str]:
    from dagwright.data.sources import open_source

    opened: Any = source
    if source.lower().endswith(TEXT_ENDINGS):
        with Path(source).open("rb") as file:
            start = file.read(BEGINNING)
        opened = io.BytesIO(start if len(start) < BEGINNING else start[: start.rfind(b"\n") + 1])
    return [column.name for column in open_source(opened)]


def _nodes(source: str) -> tuple[str, ...]:
    from dagwright.io import load

    return tuple(load(source).nodes)


def _settings(source: str, incomplete: str) -> list[str]:
    from dagwright.io import load

    network = load(source)
    node, equals, _ = incomplete.partition("=")
    if not equals:
        return [f"{name}=" for name in network.nodes]
    return [] if node in network.gaussians else [f"{node}={state}" for state in network.states(node)]
