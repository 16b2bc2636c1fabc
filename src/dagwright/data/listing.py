"""The files that a path, a pattern, a folder or a list names, with the columns that folders spell."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np

from dagwright.data.columns import Factor, SourceColumn, array_column
from dagwright.data.samples import PREFIX, sample_path
from dagwright.data.text_file import existing_file
from dagwright.errors import DataError

_WHOLE = re.compile(r"[+-]?\d{1,18}")
_NULL = "__HIVE_DEFAULT_PARTITION__"

Value = int | str | None


@dataclass(frozen=True)
class Listed:
    """A file, and the columns that the folders above it give to all its rows.

    ``partitions`` are the names and values of folders like ``year=2020`` (Hive partitions) below the folder
    that was asked for. A value is a whole number if those of all files are; None is missing.
    """

    path: Path
    partitions: tuple[tuple[str, Value], ...] = ()

    def columns(self, names: Sequence[str], n_rows: int) -> list[SourceColumn]:
        """Some of the columns that folders give, for this many rows."""
        values = dict(self.partitions)
        return [_constant(name, values[name], n_rows) for name in names]


def _constant(name: str, value: Value, n_rows: int) -> SourceColumn:
    if isinstance(value, int):
        return array_column(name, np.full(n_rows, value, dtype=np.int64))
    factor = Factor(np.zeros(n_rows, dtype=np.uint8), [] if value is None else [value])
    return SourceColumn(name, "text", n_rows, lambda: factor)


def is_listing(source: Any) -> bool:
    """Whether a path is a folder or a pattern, so that it may name many files."""
    if not isinstance(source, str | os.PathLike):
        return False
    text = os.fspath(source)
    return Path(text).is_dir() or (glob.has_magic(text) and not Path(text).exists())


def files_of(source: Any) -> list[Path]:
    """The files that a path, a pattern, a folder or a list of them names, in order."""
    return [one.path for one in listed(source)]


def listed(source: Any) -> list[Listed]:
    """The same with the columns that folders give."""
    if isinstance(source, Listed):
        return [source]
    many = isinstance(source, list | tuple)
    found: list[tuple[Path, Path]] = []
    for one in source if many else [source]:
        text = os.fspath(one)
        if text.startswith(PREFIX):
            text = os.fspath(sample_path(text.removeprefix(PREFIX)))
        if Path(text).is_dir():
            found += [(path, Path(text)) for path in _inside(Path(text))]
        elif glob.has_magic(text) and not Path(text).exists():
            matching = sorted(glob.glob(text, recursive=True))  # noqa: PTH207  patterns with folders
            every = [Path(match) for match in matching if not Path(match).is_dir()]
            files = [path for path in every if path.name[0] not in "._"] or every
            if not files:
                raise DataError(f"no file matches {text!r} (the working folder is {str(Path.cwd())!r})")
            found += [(path, _fixed_part(text)) for path in files]
        else:
            found.append((existing_file(text), Path(text).parent))
    if many and found:
        above = Path(os.path.commonpath([path.absolute().parent for path, _ in found]))
        found = [(path, above) for path, _ in found]
    return _typed([(path, _partitions(path, root)) for path, root in found])


def _inside(folder: Path) -> list[Path]:
    """The files in a folder and the folders within it; names that begin with a dot or an underscore are
    left out, as Spark and Arrow do."""
    inside: list[Path] = []
    for path in sorted(folder.iterdir()):
        if path.name[0] in "._":
            continue
        if path.is_dir():
            inside += _inside_or_none(path)
        else:
            inside.append(path)
    if not inside:
        raise DataError(f"the folder {str(folder)!r} has no files")
    return inside


def _inside_or_none(folder: Path) -> list[Path]:
    try:
        return _inside(folder)
    except DataError:
        return []


def _fixed_part(pattern: str) -> Path:
    """The folder above the first part of a pattern that has wildcards."""
    fixed = Path()
    for part in Path(pattern).parts:
        if glob.has_magic(part):
            break
        fixed /= part
    return fixed


def _partitions(path: Path, root: Path) -> list[tuple[str, str | None]]:
    """The names and values in the folders between the root and the file."""
    inner = path.absolute().parent.parts[len(root.absolute().parts) :]
    pairs = [part.partition("=") for part in inner if "=" in part]
    return [(unquote(name), None if value == _NULL else unquote(value)) for name, _, value in pairs if name]


def _typed(found: Sequence[tuple[Path, Sequence[tuple[str, str | None]]]]) -> list[Listed]:
    texts: dict[str, set[str]] = {}
    for _, pairs in found:
        for name, value in pairs:
            texts.setdefault(name, set()).update(() if value is None else (value,))
    whole = {name for name, values in texts.items() if values and all(map(_WHOLE.fullmatch, values))}

    def typed(name: str, value: str | None) -> Value:
        return int(value) if value is not None and name in whole else value

    return [Listed(path, tuple((name, typed(name, value)) for name, value in pairs)) for path, pairs in found]
