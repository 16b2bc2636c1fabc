"""A folder that appears whole: filled under another name, renamed at the end, resumed after a kill."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from dagwright.base.documents import parsed_json
from dagwright.base.folder_lock import FolderLock
from dagwright.base.whole_file import sync_folder, write_whole
from dagwright.errors import DagwrightError

PROGRESS = "progress.json"
AT_ONCE = 16
"""Files that are flushed at the same time: the disk writes them together."""


class WholeFolder:
    """A folder that is being filled, step by step; `finish` gives it its name.

    Each step appends to files. What a step wrote counts once its record is on the disk, so a kill at any
    moment loses one step at most: the next run with the same identity goes on after the last record. The
    folder is locked until `close`, or until the process dies; another process is refused.

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
        self._lock = FolderLock(self.part)
        self.steps, self.state, self.sizes, self.sums = self._recorded()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Release the lock; what is recorded stays for the next run."""
        self._lock.release()

    def begin_anew(self) -> None:
        """Forget the steps that another run made."""
        self.steps, self.state, self.sizes, self.sums = 0, {}, {}, {}

    def discard(self) -> None:
        """Forget the steps for later runs too."""
        self.begin_anew()
        self._lock.clear()

    def _recorded(self) -> tuple[int, dict[str, Any], dict[str, int], dict[str, int]]:
        """The steps made, the state after them, sizes and checksums of the files; none if another run made
        them."""
        try:
            record = parsed_json((self.part / PROGRESS).read_text(encoding="utf-8"))
            sizes = {str(name): int(size) for name, size in record["sizes"].items()}
            sums = {str(name): int(known) for name, known in record["sums"].items()}
            sound = sizes.keys() == sums.keys() and all(
                (self.part / name).stat().st_size >= size for name, size in sizes.items()
            )
            if record["identity"] == json.loads(json.dumps(self.identity)) and sound:
                for name, size in sizes.items():  # a torn step is undone
                    os.truncate(self.part / name, size)
                return int(record["steps"]), dict(record["state"]), sizes, sums
        except (OSError, DagwrightError, LookupError, TypeError, ValueError, AttributeError):
            pass
        return 0, {}, {}, {}

    def append(self, contents: Mapping[str, Any], state: Mapping[str, Any]) -> None:
        """One step: append buffers to the files of these names, then record it with a state for JSON."""
        if self.steps == 0:
            self._lock.clear()
        for name, content in contents.items():
            size = self.sizes.get(name, 0)
            handle = os.open(self.part / name, os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
            with os.fdopen(handle, "wb") as file:
                if file.seek(0, os.SEEK_END) != size:
                    raise OSError(f"{self.part / name} was changed by another process while it was written")
                view = memoryview(content).cast("B")
                file.write(view)
            self.sizes[name] = size + len(view)
            self.sums[name] = zlib.crc32(view, self.sums.get(name, 0))
        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(_flush, [self.part / name for name in contents]))
        self.steps, self.state = self.steps + 1, dict(state)
        record = {
            "identity": self.identity,
            "steps": self.steps,
            "state": self.state,
            "sizes": self.sizes,
            "sums": self.sums,
        }
        write_whole(self.part / PROGRESS, json.dumps(record))

    def finish(self, name: str, content: str) -> None:
        """Write the last file and give the folder its name."""
        write_whole(self.part / name, content)
        self._lock.rename(self.target)  # until then the record stays, so that a kill loses nothing
        (self.target / PROGRESS).unlink(missing_ok=True)
        sync_folder(self.target.parent)


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
