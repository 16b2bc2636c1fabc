"""Files: SVG text, PDF, PNG, and the widths of text they rest on."""

from __future__ import annotations

import itertools
import re
import struct
import subprocess
import sys
import zlib

import numpy as np
import pytest

import dagwright as dw
from dagwright.show.node_shapes import percent
from dagwright.show.png_pixels import rgb_rows
from dagwright.show.svg_writer import escaped, number
from dagwright.show.text_width import one_line, shortened, text_width

LATIN = dw.Dag.parse('"Größe (cm)" -> "back\\\\slash"')
CHINESE = dw.Dag(["漢字", "B"], [("漢字", "B")])


def streams(pdf: bytes) -> list[bytes]:
    return [zlib.decompress(body) for body in re.findall(rb"stream\n(.*?)\nendstream", pdf, re.DOTALL)]


def test_pdf_has_its_objects_where_its_table_says() -> None:
    pdf = LATIN.draw().pdf()
    start = int(re.search(rb"startxref\n(\d+)", pdf).group(1))
    assert pdf[start:].startswith(b"xref")
    for count, place in enumerate(re.findall(rb"^(\d{10}) 00000 n", pdf, re.MULTILINE), 1):
        assert pdf[int(place) :].startswith(f"{count} 0 obj".encode())


def test_pdf_text_is_text_with_its_parentheses_escaped() -> None:
    (page,) = streams(LATIN.draw().pdf())
    assert "(Größe \\(cm\\)) Tj".encode("cp1252") in page
    assert page.count(b" Tj") == 2


def test_pdf_with_other_letters_is_an_image_of_the_right_colors() -> None:
    pdf = CHINESE.draw(theme="dark").pdf()
    assert b"/Subtype /Image" in pdf and b"/Font" not in pdf
    pixels = np.frombuffer(streams(pdf)[0], dtype=np.uint8).reshape(-1, 3)
    assert tuple(pixels[0]) == (0x14, 0x19, 0x1F)


def test_pages_of_huge_pictures_keep_to_the_limit() -> None:
    names = [f"a rather long name of node number {k}" for k in range(200)]
    picture = dw.Dag.from_edges(itertools.pairwise(names)).draw(direction="right")
    assert picture.width > 20_000
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", picture.pdf())
    assert float(box.group(1)) <= 14_400
    with pytest.raises(dw.CapacityError, match="too large"):
        picture.png(scale=50.0)


def test_png_has_the_size_asked_for() -> None:
    picture = LATIN.draw()
    width, height = struct.unpack(">II", picture.png(scale=1.5)[16:24])
    assert (width, height) == pytest.approx((1.5 * picture.width, 1.5 * picture.height), abs=1.5)
    with pytest.raises(dw.OptionError, match="positive number"):
        picture.png(scale=0)


def chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def filtered(kind: int, row: list[int], above: list[int], channels: int) -> bytes:
    """The five filters of PNG, from their definitions."""
    result = []
    for at, value in enumerate(row):
        a = row[at - channels] if at >= channels else 0
        b = above[at]
        c = above[at - channels] if at >= channels else 0
        p = a + b - c
        paeth = min((a, b, c), key=lambda one: (abs(p - one), (a, b, c).index(one)))
        guess = (0, a, b, (a + b) // 2, paeth)[kind]
        result.append((value - guess) % 256)
    return bytes([kind, *result])


@pytest.mark.parametrize("channels", [3, 4])
def test_pixels_of_every_filter_are_read_back(channels: int) -> None:
    rng = np.random.default_rng(channels)
    rows = rng.integers(0, 256, (5, 4 * channels))
    if channels == 4:
        rows[:, 3::4] = 255
    packed = b""
    above = [0] * (4 * channels)
    for kind, row in enumerate(rows.tolist()):
        packed += filtered(kind, row, above, channels)
        above = row
    header = struct.pack(">IIBBBBB", 4, 5, 8, 2 if channels == 3 else 6, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(packed))
    width, height, pixels = rgb_rows(png + chunk(b"IEND", b""))
    expected = rows.reshape(5, 4, channels)[..., :3].astype(np.uint8)
    assert (width, height) == (4, 5) and pixels == expected.tobytes()


def test_other_png_files_are_refused() -> None:
    header = struct.pack(">IIBBBBB", 1, 1, 16, 2, 0, 0, 0)
    with pytest.raises(dw.FormatError, match="8-bit"):
        rgb_rows(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header))


def test_the_extra_of_png_is_named_when_it_is_missing() -> None:
    code = (
        "import sys; sys.modules['resvg_py'] = None\n"
        "import dagwright as dw\n"
        "for name, form in (('A', 'png'), ('漢', 'pdf')):\n"
        "    try:\n        getattr(dw.Dag([name], []).draw(), form)()\n"
        "    except dw.OptionError as problem:\n        print(ascii(str(problem)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.count("dagwright[plots]") == 2


def test_numbers_and_escapes() -> None:
    assert [number(value) for value in (0.0, -0.001, 1.5, 2.999, 100.0)] == ["0", "0", "1.5", "3", "100"]
    assert escaped("a\x00b\ud800&'") == "a\ufffdb\ufffd&amp;&#39;"


def test_widths_grow_with_letters_and_shortened_labels_fit() -> None:
    assert text_width("漢字", 10) == 20.0
    assert text_width("iiii", 10) < text_width("MMMM", 10) < text_width("MMMM", 10, bold=True)
    for width in (20, 40, 80):
        cut = shortened("a name that is much too long for its box", 12, width)
        assert text_width(cut, 12) <= width and "…" in cut
    assert shortened("short", 12, 100) == "short"
    assert one_line("a\nb\tc") == "a b c"


def test_percentages_never_round_to_certainty() -> None:
    assert [percent(p) for p in (0.0, 1e-5, 0.5, 0.99999, 1.0)] == [
        "0 %",
        "<0.1 %",
        "50.0 %",
        ">99.9 %",
        "100 %",
    ]
