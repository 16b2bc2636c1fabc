"""The pixels of a PNG file (ISO/IEC 15948) of 8-bit RGB or RGBA without interlacing, as resvg writes them."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

import numpy as np

from dagwright.errors import FormatError


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 8
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += 12 + length


def rgb_rows(png: bytes) -> tuple[int, int, bytes]:
    """Width, height and the rows of red, green and blue, what is transparent shown on white."""
    chunks = list(_chunks(png))
    width, height, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", dict(chunks)[b"IHDR"])
    if depth != 8 or kind not in (2, 6) or interlaced:
        raise FormatError("this PNG is not one of 8-bit RGB or RGBA without interlacing")
    channels = 3 if kind == 2 else 4
    packed = zlib.decompress(b"".join(body for name, body in chunks if name == b"IDAT"))
    raw = np.frombuffer(packed, dtype=np.uint8).reshape(height, 1 + width * channels)
    rows = np.zeros((height, width, channels), dtype=np.uint8)
    above = np.zeros((width, channels), dtype=np.uint8)
    for at in range(height):
        above = rows[at] = _unfiltered(int(raw[at, 0]), raw[at, 1:].reshape(width, channels), above)
    if channels == 4:
        alpha = rows[..., 3:].astype(np.uint16)
        rows = ((rows[..., :3] * alpha + 255 * (255 - alpha)) // 255).astype(np.uint8)
    return width, height, rows.tobytes()


def _unfiltered(
    kind: int,
    line: np.ndarray[tuple[int, int], np.dtype[np.uint8]],
    above: np.ndarray[tuple[int, int], np.dtype[np.uint8]],
) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """Undo one of the five filters of a row (ibid., section 9)."""
    if kind == 0:
        return line
    if kind == 1:
        return np.cumsum(line, axis=0, dtype=np.uint8)
    if kind == 2:
        return line + above
    result = np.zeros_like(line)
    left = [0] * line.shape[1]
    corner = [0] * line.shape[1]
    for at, (values, ups) in enumerate(zip(line.tolist(), above.tolist(), strict=True)):
        row = []
        for value, a, b, c in zip(values, left, ups, corner, strict=True):
            guess = (a + b) // 2 if kind == 3 else _paeth(a, b, c)
            row.append((value + guess) & 255)
        result[at] = left = row
        corner = ups
    return result


def _paeth(a: int, b: int, c: int) -> int:
    guess = a + b - c
    return min((abs(guess - a), 0, a), (abs(guess - b), 1, b), (abs(guess - c), 2, c))[2]
