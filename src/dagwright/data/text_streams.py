"""The bytes of a text file as a stream of UTF-8, unpacked and recoded block by block."""

from __future__ import annotations

import codecs
import contextlib
import gzip
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from dagwright.data.extras import required
from dagwright.data.text_file import GZIP, HEAD, UTF16, ZSTD, is_utf8, not_in_encoding
from dagwright.errors import DataError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_BLOCK = 1 << 20


@contextlib.contextmanager
def opened_text(path: Path, encoding: str | None = None) -> Iterator[IO[bytes]]:
    """The bytes of a file as UTF-8, unpacked, with line ends that have a line feed."""
    with _unpacked(path) as stream:
        start = stream.read(HEAD)
    if encoding is None and start.startswith(UTF16):
        encoding = "utf-16"
    other = None if encoding is None or is_utf8(encoding) else encoding
    lone_returns = b"\r" in start and b"\n" not in start and other is None
    with _unpacked(path) as stream:
        if other is not None:
            yield cast("IO[bytes]", io.BufferedReader(_Recoded(stream, path.name, other), _BLOCK))
        elif lone_returns:  # line ends of old Macs, which polars does not know
            yield cast("IO[bytes]", io.BufferedReader(_WithLineFeeds(stream), _BLOCK))
        else:
            yield stream


@contextlib.contextmanager
def _unpacked(path: Path) -> Iterator[IO[bytes]]:
    with path.open("rb") as file:
        start = file.read(4)
        file.seek(0)
        if start.startswith(GZIP):
            with _sound(path, "gzip", OSError, EOFError, zlib.error), gzip.GzipFile(fileobj=file) as stream:
                yield cast("IO[bytes]", stream)
        elif start.startswith(ZSTD):
            zstandard = required("zstandard", "zstd", f"reading {path.name}")
            with _sound(path, "Zstandard", zstandard.ZstdError):
                packed = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
                yield cast("IO[bytes]", io.BufferedReader(packed, _BLOCK))
        else:
            yield file


@contextlib.contextmanager
def _sound(path: Path, kind: str, *problems: type[BaseException]) -> Iterator[None]:
    try:
        yield
    except problems as problem:
        if isinstance(problem, OSError) and problem.errno is not None:
            raise  # of the system, not of the content
        raise DataError(f"{path.name} is not a sound {kind} file: {problem}") from None


class _Blocks(io.RawIOBase):
    """A stream of blocks that are made one after the other."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self._rest = stream, b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer).cast("B")
        while not self._rest:
            block = self._stream.read(_BLOCK)
            self._rest = self._made(block)
            if not block:
                break
        count = min(len(view), len(self._rest))
        view[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count

    def _made(self, block: bytes) -> bytes:
        raise NotImplementedError


class _WithLineFeeds(_Blocks):
    def _made(self, block: bytes) -> bytes:
        return block.replace(b"\r", b"\n")


class _Recoded(_Blocks):
    def __init__(self, stream: IO[bytes], label: str, encoding: str) -> None:
        super().__init__(stream)
        self._label, self._encoding, self._lines = label, encoding, 0
        self._decoder: Any = codecs.getincrementaldecoder(encoding)()

    def _made(self, block: bytes) -> bytes:
        try:
            text: str = self._decoder.decode(block, final=not block)
        except UnicodeDecodeError as problem:
            raise not_in_encoding(self._label, problem, self._encoding, self._lines) from None
        self._lines += text.count("\n")
        return text.encode()
