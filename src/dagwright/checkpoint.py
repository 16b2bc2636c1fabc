"""The state of a long run in one small file that a crash cannot break."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dagwright.documents import parsed_json, require_fields
from dagwright.errors import FormatError, OptionError
from dagwright.whole_file import write_whole

FORMAT = "dagwright-checkpoint"
FORMAT_VERSION = 1
_FIELDS = {
    "format": Any,
    "format_version": Any,
    "kind": str,
    "identity": dict[str, Any],
    "state": dict[str, Any],
}


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
        content = io.BytesIO()
        np.savez(content, **parts)
        write_whole(path, content.getvalue())

    @staticmethod
    def load(path: Path, kind: str, identity: Mapping[str, Any]) -> Checkpoint:
        """What was saved, if it belongs to the same run."""
        try:
            with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
                facts = parsed_json(str(file["facts"]))
                arrays = {name: file[name] for name in file.files if name != "facts"}
            require_fields("a checkpoint", facts, _FIELDS)
            found = Checkpoint(facts["kind"], facts["identity"], facts["state"], arrays)
            known = (facts["format"], facts["format_version"], found.kind) == (FORMAT, FORMAT_VERSION, kind)
        except (OSError, EOFError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as problem:
            raise FormatError(f"{path} is no checkpoint: {problem}; choose another name for it") from None
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

    def misfit(self, path: Path, problem: Exception) -> FormatError:
        """What to raise where the state is not what it should be."""
        return FormatError(f"the checkpoint {path} is damaged: {problem}; delete it and begin anew")
