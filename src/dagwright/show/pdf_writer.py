"""Scenes as PDF 1.4 (Adobe 2001): one page of vector marks in the fonts that every reader has.

Helvetica needs no embedding and holds the letters of Western languages. A picture with others becomes an
image on its page, by way of `dagwright.show.png_writer`.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Literal

from dagwright.errors import OptionError
from dagwright.show.colors import DARK, LIGHT
from dagwright.show.scene import Path, Scene, Text
from dagwright.show.svg_writer import number
from dagwright.show.text_width import helvetica_width

POINTS = 0.75  # a CSS pixel is 1/96 inch, a point 1/72
LARGEST = 14_400.0  # points a page may measure (ibid., appendix C)


def write_pdf(scene: Scene, theme: Literal["light", "dark"]) -> bytes:
    """The bytes of a PDF file with one page as large as the scene."""
    scale = min(POINTS, LARGEST / max(scene.width, scene.height))
    size = f"[0 0 {number(scene.width * scale)} {number(scene.height * scale)}]"
    if not all(_in_font(mark.text) for mark in scene.marks() if isinstance(mark, Text)):
        return _image_page(scene, theme, size, scale)
    colors = DARK if theme == "dark" else LIGHT
    # The page counts upwards from its foot; turn it over once and keep the coordinates of the scene.
    orders = [f"{scale:.6f} 0 0 {-scale:.6f} 0 {number(scene.height * scale)} cm"]
    orders.append(f"{_color(colors, scene.paper)} rg 0 0 {number(scene.width)} {number(scene.height)} re f")
    for mark in scene.marks():
        orders += _text(mark, colors) if isinstance(mark, Text) else _path(mark, colors)
    fonts = "/Font << /F1 4 0 R /F2 5 0 R >>"
    return _document(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox {size} /Resources << {fonts} >> "
            "/Contents 6 0 R >>".encode(),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
            _stream("\n".join(orders).encode("cp1252")),
        ]
    )


def _in_font(text: str) -> bool:
    try:
        text.encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True


def _color(colors: dict[str, str], name: str) -> str:
    code = colors[name]
    return " ".join(f"{int(code[at : at + 2], 16) / 255:.3f}" for at in (1, 3, 5))


def _path(path: Path, colors: dict[str, str]) -> list[str]:
    operators = {"M": "m", "L": "l", "C": "c", "Z": "h"}
    drawn = []
    for piece in path.pieces:
        points = [f"{number(part[0])} {number(part[1])}" for part in piece if not isinstance(part, str)]
        drawn.append(" ".join([*points, operators[str(piece[0])]]))
    filled, lined = path.fill != "none", path.stroke != "none"
    if not filled and not lined:
        return []
    state = []
    if filled:
        state.append(f"{_color(colors, path.fill)} rg")
    if lined:
        dash = " ".join(map(number, path.dash))
        state.append(f"{_color(colors, path.stroke)} RG {number(path.width)} w [{dash}] 0 d")
    return [*state, *drawn, "B" if filled and lined else "f" if filled else "S"]


def _text(text: Text, colors: dict[str, str]) -> list[str]:
    width = helvetica_width(text.text, text.size, bold=text.bold)
    shift = {"start": 0.0, "middle": -width / 2, "end": -width}[text.anchor]
    letters = text.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    x, y = text.x, text.y
    # Letters would stand on their heads on the page that was turned over: turn them back.
    if text.turned:
        matrix = f"0 -1 -1 0 {number(x)} {number(y - shift)}"
    else:
        matrix = f"1 0 0 -1 {number(x + shift)} {number(y)}"
    font = "F2" if text.bold else "F1"
    color = _color(colors, text.fill)
    return [f"BT {color} rg /{font} {number(text.size)} Tf {matrix} Tm ({letters}) Tj ET"]


def _image_page(scene: Scene, theme: Literal["light", "dark"], size: str, scale: float) -> bytes:
    from dagwright.show.png_pixels import rgb_rows
    from dagwright.show.png_writer import write_png

    try:
        png = write_png(scene, theme, 3.0)
    except OptionError as problem:
        raise OptionError(
            "this picture has letters that the fonts of PDF do not hold, so it must become an image: "
            + str(problem)
        ) from None
    width, height, pixels = rgb_rows(png)
    orders = f"{number(scene.width * scale)} 0 0 {number(scene.height * scale)} 0 0 cm /I1 Do"
    image = (
        f"<< /Type /XObject /Subtype /Image /Width {width} /Height {height} /ColorSpace /DeviceRGB "
        "/BitsPerComponent 8 "
    )
    return _document(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox {size} /Resources << /XObject << /I1 4 0 R >> >> "
            "/Contents 5 0 R >>".encode(),
            _stream(pixels, image),
            _stream(orders.encode()),
        ]
    )


def _stream(content: bytes, about: str = "<< ") -> bytes:
    packed = zlib.compress(content, 9)
    return (
        f"{about}/Filter /FlateDecode /Length {len(packed)} >>\nstream\n".encode() + packed + b"\nendstream"
    )


def _document(objects: Iterable[bytes]) -> bytes:
    """The file: numbered objects, the table of their places, the trailer."""
    content = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"
    places = []
    for count, body in enumerate(objects, 1):
        places.append(len(content))
        content += f"{count} 0 obj\n".encode() + body + b"\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(places) + 1
    content += (
        f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\n"
        f"startxref\n{len(content)}\n%%EOF\n"
    ).encode()
    return content
