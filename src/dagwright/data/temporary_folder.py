"""Temporary folders of rows: removed at exit, or by the next process if theirs was killed."""

from __future__ import annotations

import atexit
import contextlib
import os
import tempfile
from pathlib import Path

from dagwright.base.folder_lock import LOCK, FolderLock
from dagwright.errors import DataError

PREFIX = "dagwright-rows-"


class TemporaryFolder:
    """A new folder, locked as long as this process lives.

    ``path`` is the folder. A forked process does not remove it.
    """

    def __init__(self) -> None:
        _remove_abandoned()
        lock = None
        while lock is None:
            self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
            with contextlib.suppress(DataError):  # another process took it for abandoned just now
                lock = FolderLock(self.path)
        self._lock, self._owner = lock, os.getpid()
        atexit.register(self.remove)

    def remove(self) -> None:
        """Remove the folder and everything in it."""
        if os.getpid() != self._owner:
            return
        atexit.unregister(self.remove)
        _removed(self._lock)


def _removed(lock: FolderLock) -> None:
    with contextlib.suppress(OSError):
        lock.clear()
    lock.release()


def _remove_abandoned() -> None:
    """Remove the folders of processes that were killed: nobody holds their locks."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError, DataError):
            if path.is_dir() and _is_own(path) and (path / LOCK).is_file():
                _removed(FolderLock(path))


def _is_own(path: Path) -> bool:
    """Whether this user made the folder; links that others put there are not followed."""
    if path.is_symlink():
        return False
    return not hasattr(os, "getuid") or path.lstat().st_uid == os.getuid()
