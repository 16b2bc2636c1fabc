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


def checkpoint_path(path: str | os.PathLike[str] | None) -> Path | None:
    """The path of a checkpoint; refused before the work begins where no file could be written."""
    if path is None:
        return None
    found = Path(path)
    if not found.absolute().parent.is_dir():
        raise OptionError(f"there is no folder {str(found.parent)!r} for the checkpoint; make it first")
    return found


def whole_number(name: str, value: Any, most: int) -> int:
    """The value, a whole number from 0 to ``most``; ValueError for anything else."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise ValueError(f"{name} must be a whole number from 0 to {most}, got {value!r:.40}")
    return value


def _arrays_in(content: bytes) -> dict[str, NDArray[Any]]:
    """The arrays of an uncompressed ``.npz`` file: no claim about sizes is believed beyond what is there."""
    arrays = {}
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        for part in file.infolist():
            if part.compress_type != zipfile.ZIP_STORED or part.file_size > len(content):
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
            arrays[part.filename.removesuffix(".npy")] = flat.reshape(shape, order="F" if by_columns else "C")
    return arrays


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
            facts = parsed_json(str(arrays.pop("facts")))
            require_fields("a checkpoint", facts, _FIELDS)
            found = Checkpoint(facts["kind"], facts["identity"], facts["state"], arrays)
            known = (facts["format"], facts["format_version"], found.kind) == (FORMAT, FORMAT_VERSION, kind)
        except DAMAGES as problem:
            raise FormatError(f"{path} is not a checkpoint: {problem}; choose another name for it") from None
        if not known:
            raise FormatError(
                f"{path} is a checkpoint of another kind or version; choose another name for it"
            )
        for fact, value in identity.items():
            if found.identity.get(fact) != value:
                raise OptionError(
                    f"the checkpoint {path} belongs to another run: its {fact} is "
                    f"{found.identity.get(fact)!r}, not {value!r}; give another file, or delete it"
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
