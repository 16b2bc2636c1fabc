"""Files that want more than they give: refused at once, without the memory they ask for."""

from __future__ import annotations

import contextlib
import gzip
import time
import tracemalloc
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

import dagwright as dw
from dagwright.errors import CapacityError, DagwrightError, FormatError
from dagwright.io import binary, format_named
from dagwright.io.content import unpacked


@pytest.fixture(autouse=True)
def frugal() -> Iterator[None]:
    """No test here may take long or much memory; the bombs below would take hours and gigabytes."""
    tracemalloc.start()
    start = time.perf_counter()
    yield
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 300e6
    assert time.perf_counter() - start < 20


def test_entities_that_multiply() -> None:
    lines = ['<!ENTITY a0 "lol">'] + [f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 12)]
    text = f"<!DOCTYPE BIF [{''.join(lines)}]><BIF><NETWORK><NAME>&a11;</NAME></NETWORK></BIF>"
    for name in ("xmlbif", "xdsl", "graphml", "gexf"):
        with pytest.raises(FormatError, match="entities"):
            format_named(name).read_bytes(text.encode())


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("json", '{"format": "dagwright-network", "format_version": 1, "nodes": ' + "[" * 500_000),
        ("xmlbif", "<BIF>" * 200_000),
        ("net", "net { } node A { states = " + "(" * 200_000 + "; }"),
        ("dne", "bnet A { node B { states = " + "(" * 200_000 + "; }; };"),
        ("dne", "bnet A { visual V " + "{" * 50_000),
        ("bif", "network a " + "{" * 200_000),
        ("dot", "digraph " + "{" * 200_000),
        ("dot", "digraph { a " + "[" * 200_000),
        ("mermaid", "flowchart TD\nn0" + "[" * 200_000),
    ],
)
def test_deep_nesting(name: str, text: str) -> None:
    with pytest.raises(FormatError):
        format_named(name).read_bytes(text.encode())


def test_a_gzip_file_that_swells(tmp_path: Path) -> None:
    squeezer = zlib.compressobj(9, wbits=31)
    zeros = bytes(2**20)
    bomb = b"".join(squeezer.compress(zeros) for _ in range(70)) + squeezer.flush()
    path = tmp_path / "bomb.bif.gz"
    path.write_bytes(bomb)
    with pytest.raises(CapacityError, match=r"bomb\.bif\.gz unpacks to more than"):
        dw.load(path)


def test_gzip_files_in_parts_are_read_and_broken_ones_refused(tmp_path: Path) -> None:
    parts = gzip.compress(b"network unknown {\n") + gzip.compress(b"}\n")
    assert unpacked(parts) == b"network unknown {\n}\n"
    path = tmp_path / "n.bif.gz"
    for broken in (parts[:-3], parts[:20], parts + b"junk", parts[:40] + b"?" + parts[41:]):
        path.write_bytes(broken)
        with pytest.raises(FormatError, match="damaged gzip"):
            dw.load(path)


def test_a_binary_file_that_swells_or_lies() -> None:
    good = binary.write_bytes(dw.load("cancer"))
    assert binary.read_bytes(good) == dw.load("cancer")
    start = len(binary.MAGIC) + 4
    size = int.from_bytes(good[start - 4 : start], "little")
    head, body = good[start : start + size], good[start + size :]

    def file(first: bytes, second: bytes) -> bytes:
        return binary.MAGIC + len(first).to_bytes(4, "little") + first + second

    squeezer = zlib.compressobj(9)
    zeros = bytes(2**20)
    bomb = b"".join(squeezer.compress(zeros) for _ in range(65)) + squeezer.flush()
    with pytest.raises(CapacityError, match="byte 12"):
        binary.read_bytes(file(bomb, body))
    numbers = zlib.decompress(body)
    for second, words in (
        (zlib.compress(numbers[:-8]), "numbers at place"),
        (zlib.compress(numbers + bytes(8)), "but the network has"),
        (zlib.compress(numbers[:-3]), "wrong size"),
        (body[:-1], "ends within"),
        (body + b"?", "wrong size"),
        (body[:10] + b"?" + body[11:], "damaged"),
    ):
        with pytest.raises(FormatError, match=words):
            binary.read_bytes(file(head, second))
    for content in (b"", good[:10], b"\x89PNG\r\n\x1a\n" + good):
        with pytest.raises(FormatError):
            binary.read_bytes(content)


def test_numbers_of_thousands_of_digits() -> None:
    text = format_named("json").write_bytes(dw.load("cancer"), []).decode()
    with pytest.raises(FormatError):
        format_named("json").read_bytes(text.replace("0.9", "9" * 10_000, 1).encode())
    bif = format_named("bif").write_bytes(dw.load("cancer"), []).decode()
    with pytest.raises(FormatError, match="probability"):
        format_named("bif").read_bytes(bif.replace("0.9,", "9" * 10_000 + ",", 1).encode())


BEGINNINGS = {
    "bif": "network a { property ",
    "xmlbif": "<BIF><NETWORK><NAME>",
    "net": "net { a = ",
    "dne": "bnet a { comment = ",
    "dsc": 'belief network "a" node b { name = ',
    "uai": "BAYES 1 2 1 1 0 2 ",
    "dot": "digraph { a ",
    "mermaid": "flowchart TD\n",
}
RUNS = [
    '"',
    "/",
    "/* ",
    "(",
    "a",
    " ",
    "\n",
    "%",
    "-",
    "- ",
    ",",
    ";",
    "#",
    "<",
    "0 ",
    "a b ",
    "\\",
    "//~dagwright ",
]


@pytest.mark.parametrize("name", BEGINNINGS)
def test_long_runs_of_one_thing_take_linear_time(name: str) -> None:
    for run in RUNS:
        content = (BEGINNINGS[name] + run * 8_000).encode()
        start = time.perf_counter()
        with contextlib.suppress(DagwrightError):
            format_named(name).read_bytes(content)
        assert time.perf_counter() - start < 2  # a quadratic reader would take minutes
