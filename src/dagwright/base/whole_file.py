"""The one writer of files: a file appears whole or not at all, also after a crash or on a full disk."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import secrets
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from dagwright.base.folder_lock import lock_file

_DESCRIPTOR = re.compile(r"/(?:dev/fd|proc/self/fd)/(\d+)")
_STANDARD = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}


def disk_is_full(problem: OSError) -> bool:
    """Whether there is no space left, on the disk or for this user."""
    return problem.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))


def write_whole(path: str | os.PathLike[str], content: bytes | str) -> None:
    """Replace the content of a file, text as UTF-8; see `whole_file`."""
    with whole_file(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextlib.contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file to be written as a whole.

    The content goes into a temporary file in the same folder, is flushed to the disk, and takes the name of
    the target when the block ends. If anything fails, the old file stays as it was. If the process is killed,
    the temporary file stays too, until the next one that writes the target removes it. A symbolic link is
    followed, permissions are kept. Devices, pipes and open descriptors (``/dev/stdout``) are written to,
    never replaced.

    Raises
    ------
    OSError
        With the name of the target, never that of the temporary file.
    """
    target = Path(path)
    try:
        if (number := descriptor_of(target)) is not None:
            sys.stdout.flush()
            with os.fdopen(os.dup(number), "wb") as file:
                yield file
        elif target.exists() and not target.is_file() and not target.is_dir():
            with target.open("wb") as file:
                yield file
        else:
            with _beside(Path(os.path.realpath(target))) as file:
                yield file
    except OSError as problem:
        if isinstance(problem, BrokenPipeError | io.UnsupportedOperation):
            raise
        # Libraries that write tables give the reason as text, without its number.
        reason = problem.strerror or str(problem)
        raise OSError(problem.errno or errno.EIO, reason, str(target)) from None


def descriptor_of(path: str | os.PathLike[str]) -> int | None:
    """The number of the open descriptor that a path names, as ``/dev/stdout`` does; None for other paths."""
    if os.name != "posix":
        return None
    text = os.path.abspath(path)  # noqa: PTH100  resolve() would follow the link to what the descriptor is
    found = _DESCRIPTOR.fullmatch(text)
    return int(found[1]) if found else _STANDARD.get(text)


@contextlib.contextmanager
def _beside(target: Path) -> Iterator[IO[bytes]]:
    """A temporary file in the folder of the target, renamed to it at the end."""
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    old = target.stat() if target.exists() else None
    if old is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    _remove_abandoned(target)
    beside = _temporary(target)
    try:
        # A file that is new gets the permissions that the user's mask leaves; an old one keeps its own. It is
        # opened within the block, so that Ctrl-C right after leaves nothing behind.
        handle = _opened(beside, old)
        while not _is_held(handle, beside):
            os.close(handle)
            beside = _temporary(target)
            handle = _opened(beside, old)
        with os.fdopen(handle, "wb") as file:
            if old is not None:
                _like(handle, old)
            yield file
            file.flush()
            os.fsync(handle)
            if os.name == "posix":  # while it is locked
                beside.replace(target)
        if os.name != "posix":
            beside.replace(target)
        sync_folder(target.parent)
    finally:
        beside.unlink(missing_ok=True)


def _prefix(target: Path) -> str:
    """How the names of the temporary files of a target begin."""
    return f".{target.name[:64]}.dagwright-"


def _temporary(target: Path) -> Path:
    return target.with_name(f"{_prefix(target)}{secrets.token_hex(4)}")


def _opened(beside: Path, old: os.stat_result | None) -> int:
    return os.open(
        beside,
        os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0),
        0o666 if old is None else 0o600,
    )


def _is_held(handle: int, beside: Path) -> bool:
    """Lock a new file; False where another process took it for abandoned just now."""
    if os.name != "posix":
        return True
    try:
        lock_file(handle)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks, where nobody removes it either
        return True
    try:
        return os.path.samestat(beside.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False


def _remove_abandoned(target: Path) -> None:
    """Remove the temporary files of processes that were killed: nobody holds their locks.

    Elsewhere than on POSIX systems a locked file cannot be renamed, so there they stay.
    """
    if os.name != "posix":
        return
    begun = _prefix(target)
    with contextlib.suppress(OSError):
        for name in os.listdir(target.parent):  # noqa: PTH208  half the time of iterdir()
            if name.startswith(begun) and re.fullmatch("[0-9a-f]{8}", name[len(begun) :]):
                _remove_unlocked(target.with_name(name))


def _remove_unlocked(path: Path) -> None:
    """Remove a file of this user that nobody has locked; links that others put there are not followed."""
    with contextlib.suppress(OSError):
        handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            about = os.fstat(handle)
            if stat.S_ISREG(about.st_mode) and about.st_uid == os.getuid():
                lock_file(handle)
                path.unlink()
        finally:
            os.close(handle)


def _like(handle: int, old: os.stat_result) -> None:
    """Owner and permissions of the old file, as far as this system and this user can set them."""
    if not hasattr(os, "fchown"):
        return
    with contextlib.suppress(OSError):
        os.fchown(handle, old.st_uid, old.st_gid)
    os.fchmod(handle, stat.S_IMODE(old.st_mode))


def sync_folder(folder: Path) -> None:
    """Make the new name itself survive a crash, where the system can."""
    if os.name != "posix":
        return
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
