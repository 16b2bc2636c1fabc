"""The bytes of a text file: compression, encoding, byte-order marks, and where a byte sequence is broken."""

from __future__ import annotations

import codecs
import glob
import gzip
import io
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from dagwright.base.memory import available_bytes, shown_bytes
from dagwright.data.extras import required
from dagwright.data.samples import hint_of_sample
from dagwright.errors import CapacityError, DataError
from dagwright.sentences import Argument

GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
HEAD, _HEAD_LINES, _LONGEST_LINE = 1 << 17, 50, 1 << 25
_CHUNK = 1 << 22


@dataclass(frozen=True)
class TextFile:
    """UTF-8 text, either still in its file or in memory."""

    label: str
    path: Path | None
    content: bytes = b""
    header_lines: int = 0
    """Of a part of a file: the lines of the header, which was put before it."""
    lines_before: int = 0
    """The lines of the file before those that follow the header."""

    def line(self, number: int) -> int:
        """The line of the file for a line of this text, counted from 1."""
        if number <= self.header_lines:
            return number
        return number - self.header_lines + self.lines_before

    def open(self) -> IO[bytes]:
        """A fresh binary stream over the text."""
        return self.path.open("rb") if self.path is not None else io.BytesIO(self.content)

    def head(self) -> str:
        """The first lines, without a byte-order mark."""
        with self.open() as stream:
            start = head_bytes(stream, self.label)
        return self._decoded(start).removeprefix("\ufeff")

    def as_array(self) -> npt.NDArray[np.uint8]:
        """The bytes of the text; a file is mapped, not read."""
        if self.path is not None:
            return np.memmap(self.path, dtype=np.uint8, mode="r")
        return np.frombuffer(self.content, dtype=np.uint8)

    def blocks(self) -> Iterator[bytes]:
        """The text in blocks that fit the cache of a processor."""
        with self.open() as stream:
            while block := stream.read(1 << 20):
                yield block

    def contains(self, character: str) -> bool:
        """Whether an ASCII character occurs."""
        sought = character.encode()
        return any(sought in block for block in self.blocks())

    def broken_byte(self) -> DataError | None:
        """The error that names the first byte that is not UTF-8, if there is one."""
        with self.open() as stream:
            content = stream.read()
        try:
            self._decoded(content)
        except DataError as problem:
            return problem
        return None

    def _decoded(self, content: bytes) -> str:
        """The text of these bytes, with which the file begins; an error names the first that is not UTF-8."""
        try:
            return content.decode("utf-8")
        except UnicodeDecodeError as problem:
            line = self.line(content.count(b"\n", 0, problem.start) + 1)
            place = "" if self.lines_before else f" at position {problem.start}"
            raise DataError(
                f"{self.label}, line {line}: byte 0x{content[problem.start]:02x}{place} is not UTF-8; name "
                "the encoding, for instance ",
                Argument("encoding", "latin-1", of="read"),
                " or ",
                Argument("encoding", "cp1252", of="read"),
            ) from None


def head_bytes(stream: IO[bytes], label: str) -> bytes:
    """The first lines of a stream, as many as tell how to read it."""
    blocks, lines, whole = list[bytes](), 0, False
    while not whole and lines < _HEAD_LINES:  # wide tables have long lines
        block = stream.read(HEAD)
        whole = len(block) < HEAD
        blocks.append(block)
        lines += block.count(b"\n")
        if lines == 0 and len(blocks) * HEAD > _LONGEST_LINE:
            raise DataError(
                f"{label} has no line end in its first {shown_bytes(_LONGEST_LINE)}; a table needs a line "
                "for each row"
            )
    start = b"".join(blocks)
    return start if whole else start[: start.rindex(b"\n") + 1]


def open_text(source: Any, encoding: str | None) -> TextFile:
    """A path or a file object as UTF-8 text."""
    if isinstance(source, str | os.PathLike):
        path = existing_file(source)
        label = path.name
        with path.open("rb") as stream:
            start = stream.read(HEAD)
        plain_utf8 = encoding is None or is_utf8(encoding)
        only_returns = b"\r" in start and b"\n" not in start
        if plain_utf8 and not only_returns and not start.startswith((GZIP, ZSTD, *UTF16)):
            if path.stat().st_size == 0:
                raise DataError(f"{label} is empty")
            return TextFile(label, path)
        content = path.read_bytes()
    else:
        label = str(getattr(source, "name", "the text"))
        given = source.read()
        content, encoding = (given.encode(), None) if isinstance(given, str) else (given, encoding)
    content = _as_utf8(_decompressed(content, label), label, encoding)
    if not content.strip():
        raise DataError(f"{label} is empty")
    if b"\r" in content and b"\n" not in content:  # line ends of old Macs, which polars does not know
        content = content.replace(b"\r", b"\n")
    return TextFile(label, None, content)


ALL = Argument("engine", "disk", of="read")


def existing_file(source: str | os.PathLike[str]) -> Path:
    """The path of a file that is there."""
    path = Path(source)
    if path.is_dir():
        raise DataError(f"{str(path)!r} is a folder; name a file in it, or read all with ", ALL)
    if not path.exists() and glob.has_magic(str(source)):
        raise DataError(f"there is no file {str(path)!r}; patterns of files are read with ", ALL)
    if not path.exists():
        raise DataError(
            f"there is no file {str(path)!r}; check the path (the working folder is {str(Path.cwd())!r})"
            f"{hint_of_sample(path.stem)}"
        )
    return path


def is_utf8(encoding: str) -> bool:
    try:
        return codecs.lookup(encoding).name in ("utf-8", "utf-8-sig")
    except LookupError:
        raise DataError(
            f"the encoding {encoding!r} is not known; use for instance 'utf-8', 'latin-1' or 'cp1252'"
        ) from None


def _decompressed(content: bytes, label: str) -> bytes:
    if content.startswith(GZIP):
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(content)) as stream:
                return _within_memory(stream, label)
        except (OSError, EOFError, zlib.error) as problem:
            raise DataError(f"{label} is not a sound gzip file: {problem}") from None
    if content.startswith(ZSTD):
        return _unzstd(content, label)
    return content


def _within_memory(stream: io.BufferedIOBase | IO[bytes], label: str) -> bytes:
    """All of a compressed stream; refused as soon as it is larger than memory can hold twice."""
    most, total, parts = available_bytes() / 2, 0, list[bytes]()
    while part := stream.read(_CHUNK):
        total += len(part)
        if total > most:
            raise CapacityError(
                f"{label} unpacks to more than {shown_bytes(most)}, half of the memory that is left; unpack "
                "it first, or read a part of it"
            )
        parts.append(part)
    return b"".join(parts)


def _unzstd(content: bytes, label: str) -> bytes:
    zstandard = required("zstandard", "zstd", f"reading {label}")
    try:
        with zstandard.ZstdDecompressor().stream_reader(
            io.BytesIO(content), read_across_frames=True
        ) as stream:
            return _within_memory(stream, label)
    except zstandard.ZstdError as problem:
        raise DataError(f"{label} is not a sound Zstandard file: {problem}") from None


def _as_utf8(content: bytes, label: str, encoding: str | None) -> bytes:
    if encoding is None and content.startswith(UTF16):
        encoding = "utf-16"
    if encoding is None or is_utf8(encoding):
        return content
    try:
        return content.decode(encoding).encode()
    except UnicodeDecodeError as problem:
        raise not_in_encoding(label, problem, encoding) from None


def not_in_encoding(label: str, problem: UnicodeDecodeError, encoding: str, lines: int = 0) -> DataError:
    """The error for a byte that is invalid in the encoding, after ``lines`` lines before its text."""
    content = problem.object
    line = lines + content.count(b"\n", 0, problem.start) + 1
    place = "" if lines else f" at position {problem.start}"
    return DataError(
        f"{label}, line {line}: byte 0x{content[problem.start]:02x}{place} is not {encoding}; name another ",
        Argument("encoding", of="read"),
    )
