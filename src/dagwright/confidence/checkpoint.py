"""The state of a sampler in one small file that a crash cannot break."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dagwright.errors import FormatError, OptionError
from dagwright.whole_file import write_whole

FORMAT = "dagwright-sampler"
FORMAT_VERSION = 1


class Checkpoint(NamedTuple):
    """What a sampler has seen so far, and where its chains stand.

    ``identity`` says of what: data, score, prior, knowledge, method, seed. A sampler goes on only from a
    checkpoint of the same.
    """

    identity: dict[str, Any]
    done: int
    states: list[Any]
    log_weights: NDArray[np.float64]
    networks: NDArray[np.uint64]
    arcs: NDArray[np.float32]

    def save(self, path: Path) -> None:
        """Written beside the file, flushed to the disk, then put in its place: the old or the new."""
        facts = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "identity": self.identity,
            "done": self.done,
            "states": self.states,
        }
        content = io.BytesIO()
        np.savez(
            content,
            facts=np.array(json.dumps(facts)),
            log_weights=self.log_weights,
            networks=self.networks,
            arcs=self.arcs,
        )
        write_whole(path, content.getvalue())

    @staticmethod
    def load(path: Path, identity: dict[str, Any]) -> Checkpoint:
        """What was saved, if it belongs to the same problem."""
        try:
            with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
                facts = json.loads(str(file["facts"]))
                arrays = {name: file[name] for name in ("log_weights", "networks", "arcs")}
            version = facts["format_version"]
            found = Checkpoint(facts["identity"], int(facts["done"]), facts["states"], **arrays)
        except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as problem:
            raise FormatError(f"{path} is no checkpoint of a sampler: {problem}") from None
        if facts.get("format") != FORMAT or version != FORMAT_VERSION:
            raise FormatError(f"{path} is a checkpoint of another kind or version")
        for fact, value in identity.items():
            if found.identity.get(fact) != value:
                raise OptionError(
                    f"the checkpoint {path} belongs to another run: its {fact} is "
                    f"{found.identity.get(fact)!r}, not {value!r}; give another file, or delete it"
                )
        return found
