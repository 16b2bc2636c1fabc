"""The state of a long run in one small file that a crash cannot break."""

from __future__ import annotations

import io
import json
import math
import os
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dagwright.base.documents import parsed_json, require_fields
from dagwright.base.whole_file import whole_file
from dagwright.errors import DagwrightError, FormatError, OptionError

FORMAT = "dagwright-checkpoint"
FORMAT_VERSION = 1
_FIELDS = {
    "format": Any,
    "format_version": Any,
    "kind": str,
    "identity": dict[str, Any],
    "state": dict[str, Any],
}
DAMAGES = (
    ArithmeticError,
    AttributeError,
    DagwrightError,
    EOFError,
    LookupError,
    NotImplementedError,
    OSError,
    RecursionError,
    TypeError,
    ValueError,
    zipfile.BadZipFile,
)
"""What reading a damaged file can raise."""


SAVING = 5.0
"""Seconds between two writes of a checkpoint."""
EXACT = "settings"
"""The fact that holds all settings as one text; said to differ where no other fact does."""
UNSHOWN = (EXACT, "data", "seed")
"""Facts whose values mean nothing to a person: fingerprints and states of generators."""
PLURAL = (EXACT, "data")
LONGEST = 120
"""Characters of a value that an error shows."""


def checkpoint_path(path: str | os.PathLike[str] | None, kind: str | None = None) -> Path | None:
    """The path of a checkpoint; refused before the work begins where no file could be written.

    Parameters
    ----------
    kind
        What an existing file must be a checkpoint of; None for anything.
    """
    if path is None:
        return None
    found = Path(path)
    if not found.absolute().parent.is_dir():
        raise OptionError(f"there is no folder {str(found.parent)!r} for the checkpoint; make it first")
    if found.exists():
        _require_checkpoint(found, kind)
    return found


def _require_checkpoint(path: Path, kind: str | None) -> None:
    """Refuse a file that is no checkpoint by its facts; the arrays are looked at when it is loaded."""
    try:
        with zipfile.ZipFile(path) as file:
            facts = _facts_of(_array_of(file, file.getinfo("facts.npy"), path.stat().st_size))
    except DAMAGES as problem:
        raise _no_checkpoint(path, problem) from None
    _require_kind(path, facts, facts["kind"] if kind is None else kind)


def _facts_of(array: NDArray[Any]) -> dict[str, Any]:
    """The facts of a checkpoint from the array that holds their JSON."""
    facts: dict[str, Any] = parsed_json(str(array))
    require_fields("a checkpoint", facts, _FIELDS)
    return facts


def _require_kind(path: Path, facts: Mapping[str, Any], kind: str) -> None:
    if (facts["format"], facts["format_version"], facts["kind"]) != (FORMAT, FORMAT_VERSION, kind):
        raise FormatError(f"{path} is a checkpoint of another kind or version; choose another name for it")


def _no_checkpoint(path: Path, problem: Exception) -> FormatError:
    return FormatError(f"{path} is not a checkpoint: {problem}; choose another name for it")


def _difference(fact: str, saved: Any, value: Any) -> str:
    """How a fact of a run differs from that of another one, in words."""
    shown = [_in_words(one) for one in (saved, value)]
    if fact in UNSHOWN or shown[0] == shown[1] or max(map(len, shown)) > LONGEST:
        return f"its {fact} {'differ' if fact in PLURAL else 'differs'}"
    return f"its {fact} is {shown[0]}, not {shown[1]}"


def _in_words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "empty"
    return "none" if value is None else str(value)


def whole_number(name: str, value: Any, most: int) -> int:
    """The value, a whole number from 0 to ``most``; ValueError for anything else."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise ValueError(f"{name} must be a whole number from 0 to {most}, got {value!r:.40}")
    return value


def _arrays_in(content: bytes) -> dict[str, NDArray[Any]]:
    """The arrays of an uncompressed ``.npz`` file."""
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        return {
            part.filename.removesuffix(".npy"): _array_of(file, part, len(content))
            for part in file.infolist()
        }


def _array_of(file: zipfile.ZipFile, part: zipfile.ZipInfo, size: int) -> NDArray[Any]:
    """An array of a file of this size: no claim about sizes is believed beyond what is there."""
    if part.compress_type != zipfile.ZIP_STORED or part.file_size > size:
        raise ValueError(f"its part {part.filename!r:.40} is compressed or longer than the file")
    text = io.BytesIO(file.read(part))
    version = np.lib.format.read_magic(text)
    read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
    if version not in read:
        raise ValueError(f"its part {part.filename!r:.40} has an unknown version")
    shape, by_columns, dtype = read[version](text)
    values = text.read()
    if dtype.hasobject or math.prod(shape) * dtype.itemsize != len(values):
        raise ValueError(f"its part {part.filename!r:.40} does not hold what it says")
    flat = np.frombuffer(values, dtype)
    return flat.reshape(shape, order="F" if by_columns else "C")


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """How far a run has come.

    Parameters
    ----------
    kind
        What sort of run it is.
    identity
        Of what: data, score, method, seed and so on. A run goes on only from a checkpoint of the same.
    state
        Values that JSON knows.
    arrays
        The bulk of it.
    """

    kind: str
    identity: Mapping[str, Any]
    state: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)

    def save(self, path: Path) -> None:
        """Written beside the file, flushed to the disk, then put in its place: the old or the new."""
        facts = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "kind": self.kind,
            "identity": dict(self.identity),
            "state": dict(self.state),
        }
        parts: dict[str, Any] = {**self.arrays, "facts": np.array(json.dumps(facts))}
        with whole_file(path) as file:
            np.savez(file, **parts)

    @staticmethod
    def load(path: Path, kind: str, identity: Mapping[str, Any]) -> Checkpoint:
        """The saved state, if it belongs to the same run."""
        try:
            arrays = _arrays_in(path.read_bytes())
            facts = _facts_of(arrays.pop("facts"))
        except DAMAGES as problem:
            raise _no_checkpoint(path, problem) from None
        _require_kind(path, facts, kind)
        found = Checkpoint(facts["kind"], facts["identity"], facts["state"], arrays)
        other = [fact for fact, value in identity.items() if found.identity.get(fact) != value]
        if other:
            told = [fact for fact in other if fact != EXACT] or other
            words = ", ".join(_difference(fact, found.identity.get(fact), identity[fact]) for fact in told)
            raise OptionError(
                f"the checkpoint {path} belongs to another run: {words}; give another file, or delete it"
            )
        return found

    def number(self, name: str, most: int) -> int:
        """A whole number of the state from 0 to ``most``; ValueError for anything else."""
        return whole_number(name, self.state[name], most)

    def array(self, name: str, like: NDArray[Any]) -> NDArray[Any]:
        """An array with the shape and type of another, floats all finite; ValueError for anything else."""
        found = self.arrays[name]
        if found.shape != like.shape or found.dtype != like.dtype:
            raise ValueError(
                f"{name} must be {like.dtype} of shape {like.shape}, got {found.dtype} of {found.shape}"
            )
        if found.dtype.kind == "f" and not np.isfinite(found).all():
            raise ValueError(f"{name} has values that are not finite")
        return found

    def misfit(self, path: Path, problem: Exception) -> FormatError:
        """The error to raise where the saved state is not valid."""
        return FormatError(f"the checkpoint {path} is damaged: {problem}; delete it and begin anew")
