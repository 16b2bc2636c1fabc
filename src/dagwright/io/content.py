"""The bytes of a file, within bounds, and the text in them."""

from __future__ import annotations

import codecs
import logging
import zlib
from pathlib import Path

from dagwright.base.memory import shown_bytes
from dagwright.errors import CapacityError, FormatError

MAX_BYTES = 2 * 2**30
"""Larger contents are refused."""
FREE_BYTES = 64 * 2**20
MAX_RATIO = 200
"""Past `FREE_BYTES`, a gzip file may not swell by more than this factor; networks swell by 5 to 60."""
CHUNK = 2**20

logger = logging.getLogger(__name__)


def read_content(path: Path) -> bytes:
    """The bytes of a file, unpacked if it is gzipped."""
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise CapacityError(f"{path} has {shown_bytes(size)}, more than {shown_bytes(MAX_BYTES)}")
        content = path.read_bytes()
    except FileNotFoundError:
        raise FormatError(f"no such file: {path}") from None
    except OSError as problem:
        raise FormatError(f"{path} cannot be read: {problem.strerror}") from None
    if content[:2] != b"\x1f\x8b":
        return content
    try:
        return unpacked(content)
    except zlib.error as problem:
        raise FormatError(f"{path} is a damaged gzip file: {problem}") from None
    except CapacityError as problem:
        raise CapacityError(f"{path} {problem}") from None


def unpacked(packed: bytes) -> bytes:
    """The content of gzip members one after the other, refused as soon as it swells beyond belief."""
    limit = min(MAX_BYTES, max(FREE_BYTES, MAX_RATIO * len(packed)))
    parts, total, rest = [], 0, packed
    while rest.strip(b"\0"):
        member = zlib.decompressobj(wbits=31)
        while not member.eof:
            part = member.decompress(rest, CHUNK)
            rest = member.unconsumed_tail
            total += len(part)
            if total > limit:
                raise CapacityError(
                    f"unpacks to more than {shown_bytes(limit)} from {shown_bytes(len(packed))}; that is not "
                    "a network"
                )
            parts.append(part)
            if not rest and not part and not member.eof:
                raise zlib.error("it ends too early")
        rest = member.unused_data
    return b"".join(parts)


def decoded(content: bytes) -> str:
    """The text of a file: UTF-8, UTF-16 with its mark, else Latin-1, which old programs write."""
    try:
        if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return content.decode("utf-16")
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        if b"\0" in content:
            raise FormatError("not a text file") from None
        logger.warning("the text is not UTF-8; it is read as Latin-1")
        return content.decode("latin-1")


def encoded(text: str) -> bytes:
    """UTF-8, or an error that names the text that has none."""
    try:
        return text.encode()
    except UnicodeEncodeError as problem:
        found = text[max(0, problem.start - 20) : problem.end]
        raise FormatError(f"{found!r} holds half a character, which no file can hold; rename it") from None
