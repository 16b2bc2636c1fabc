"""A folder that appears whole: filled under another name, renamed at the end, resumed after a kill."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dagwright.base.documents import parsed_json
from dagwright.base.whole_file import sync_folder, write_whole
from dagwright.errors import DagwrightError

PROGRESS = "progress.json"


class WholeFolder:
    """A folder that is being filled, step by step; `finish` gives it its name.

    Each step appends to files. What a step wrote counts once its record is on the disk, so a kill at any
    moment loses one step at most: the next run with the same identity goes on after the last record.

    Parameters
    ----------
    target
        The name of the finished folder; it must not exist.
    identity
        What is written, from what. Another identity begins anew.
    """

    def __init__(self, target: Path, identity: Mapping[str, Any]) -> None:
        self.target = target
        self.part = target.with_name(f".{target.name}.part")
        self.identity = dict(identity)
        self.steps, self.state, sizes = self._recorded()
        self.sizes = sizes
        for name, size in sizes.items():
            os.truncate(self.part / name, size)

    def _recorded(self) -> tuple[int, dict[str, Any], dict[str, int]]:
        """The steps made, the state after them and the sizes of the files; none if another run made them."""
        try:
            record = parsed_json((self.part / PROGRESS).read_text(encoding="utf-8"))
            sizes = {str(name): int(size) for name, size in record["sizes"].items()}
            sound = all((self.part / name).stat().st_size >= size for name, size in sizes.items())
            if record["identity"] == json.loads(json.dumps(self.identity)) and sound:
                return int(record["steps"]), dict(record["state"]), sizes
        except (OSError, DagwrightError, LookupError, TypeError, ValueError, AttributeError):
            pass
        return 0, {}, {}

    def append(self, contents: Mapping[str, Any], state: Mapping[str, Any]) -> None:
        """One step: append buffers to the files of these names, then record it with a state for JSON."""
        if self.steps == 0:
            shutil.rmtree(self.part, ignore_errors=True)
            self.part.mkdir(parents=True)
        for name, content in contents.items():
            handle = os.open(
                self.part / name, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666
            )
            with os.fdopen(handle, "ab") as file:
                file.write(content)
                file.flush()
                os.fsync(handle)
            self.sizes[name] = (self.part / name).stat().st_size
        self.steps, self.state = self.steps + 1, dict(state)
        record = {
            "identity": self.identity,
            "steps": self.steps,
            "state": self.state,
            "sizes": self.sizes,
        }
        write_whole(self.part / PROGRESS, json.dumps(record))

    def finish(self, name: str, content: str) -> None:
        """Write the last file and give the folder its name."""
        write_whole(self.part / name, content)
        (self.part / PROGRESS).unlink(missing_ok=True)
        self.part.rename(self.target)
        sync_folder(self.target.parent)
