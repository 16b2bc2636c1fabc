"""A folder that one process fills at a time; the system releases the lock when the process dies."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path

from dagwright.errors import DataError

LOCK = "lock"


class FolderLock:
    """The lock on a folder, which is made if it is not there.

    Parameters
    ----------
    folder
        The folder to fill.

    Raises
    ------
    DataError
        Where another process holds the lock.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._handle: int | None = None
        while self._handle is None:
            folder.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(FileNotFoundError):  # renamed or removed just now
                self._handle = _locked(folder / LOCK)

    def clear(self) -> None:
        """Remove everything in the folder but the lock."""
        for path in self.folder.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            elif path.name != LOCK:
                path.unlink(missing_ok=True)

    def rename(self, target: Path) -> None:
        """Give the folder another name and release it; the new name has no lock."""
        if os.name == "nt":  # an open file would hold the folder
            self._close()
            (self.folder / LOCK).unlink(missing_ok=True)
            self.folder.rename(target)
            return
        self.folder.rename(target)
        (target / LOCK).unlink(missing_ok=True)
        self._close()

    def release(self) -> None:
        """Let other processes fill the folder; an empty one is removed."""
        if self._handle is None:
            return
        if os.name == "nt":
            self._close()
        with contextlib.suppress(OSError):
            if [path.name for path in self.folder.iterdir()] == [LOCK]:
                (self.folder / LOCK).unlink()
                self.folder.rmdir()
        self._close()

    def _close(self) -> None:
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)


def _locked(path: Path) -> int | None:
    """The open and locked file; None if its name went to another file meanwhile."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        lock_file(handle)
        there = os.stat(path)  # noqa: PTH116
    except BlockingIOError:
        os.close(handle)
        raise DataError(
            f"another process is writing {str(path.parent)!r}; wait until it has finished, then repeat the "
            "call, or name another folder"
        ) from None
    except BaseException:
        os.close(handle)
        raise
    if os.path.samestat(there, os.fstat(handle)):
        return handle
    os.close(handle)
    return None


def lock_file(handle: int) -> None:
    """Lock an open file without waiting; `BlockingIOError` where another process holds the lock."""
    if os.name == "nt":
        import msvcrt

        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        except OSError:
            raise BlockingIOError from None
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
