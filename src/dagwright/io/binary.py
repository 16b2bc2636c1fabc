"""dagwright's compact binary form of a network; nothing lost.

    8 bytes   \\x89DWNET\\r\\n
    4 bytes   length of the first block, little-endian
    block     zlib: the document of the JSON format; tables and counts as [place in the next]
    block     zlib: the tables one after the other, float64, little-endian

zlib checks the content (Adler-32), and both blocks are unpacked only as far as they may go.
"""

from __future__ import annotations

import json
import math
import zlib
from typing import Any

import numpy as np

from dagwright.errors import CapacityError, FormatError
from dagwright.io.content import CHUNK, MAX_BYTES, encoded
from dagwright.io.losses import FormatLoss
from dagwright.io.native_json import document_of, network_of
from dagwright.model import BayesianNetwork
from dagwright.model.tables.checks import Floats

MAGIC = b"\x89DWNET\r\n"
NUMBER = np.dtype("<f8")
MAX_HEAD = 2**26
"""Bytes of the unpacked first block."""


def write_bytes(network: BayesianNetwork, report: list[FormatLoss] | None = None) -> bytes:  # noqa: ARG001  nothing is lost
    tables: list[Floats] = []
    length = 0

    def put(table: Floats) -> list[int]:
        nonlocal length
        tables.append(table)
        length += table.size
        return [length - table.size]

    text = json.dumps(document_of(network, put), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    head = zlib.compress(encoded(text), 9)
    body = b"".join(table.astype(NUMBER).tobytes() for table in tables)
    return MAGIC + len(head).to_bytes(4, "little") + head + zlib.compress(body, 6)


def read_bytes(content: bytes) -> BayesianNetwork:
    start = len(MAGIC) + 4
    if not content.startswith(MAGIC) or len(content) < start:
        raise FormatError("byte 0: expected a network in dagwright's binary form, found something else")
    end = start + int.from_bytes(content[len(MAGIC) : start], "little")
    head = _unpacked(content[start:end], start, MAX_HEAD)
    body = np.frombuffer(_unpacked(content[end:], end, MAX_BYTES, whole=NUMBER.itemsize), NUMBER)
    used = 0

    def get(node: str, place: Any, shape: list[int]) -> Floats:
        nonlocal used
        size = math.prod(shape)
        match place:
            case [int(start)] if 0 <= start <= len(body) - size:
                used += size
                return body[start : start + size].astype(np.float64).reshape(shape)
        raise FormatError(f"node {node!r}: {size:,} numbers at place {place!r}, but there are {len(body):,}")

    network = network_of(head, get)
    if used != len(body):
        raise FormatError(f"{len(body):,} numbers, but the network has {used:,}")
    return network


def _unpacked(packed: bytes, start: int, limit: int, whole: int = 1) -> bytes:
    unpacker = zlib.decompressobj()
    parts, size = [], 0
    try:
        while not unpacker.eof:
            part = unpacker.decompress(packed, CHUNK)
            packed = unpacker.unconsumed_tail
            size += len(part)
            if size > limit:
                raise CapacityError(f"byte {start}: a block that unpacks to more than {limit:,} bytes")
            if not part and not packed and not unpacker.eof:
                raise FormatError(f"byte {start}: the file ends within this block")
            parts.append(part)
    except zlib.error as problem:
        raise FormatError(f"byte {start}: a damaged block: {problem}") from None
    if unpacker.unused_data or size % whole:
        raise FormatError(f"byte {start}: a block of the wrong size")
    return b"".join(parts)
