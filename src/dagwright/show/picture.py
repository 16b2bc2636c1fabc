"""A finished picture: shows itself in a notebook and writes itself to a file."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path as FilePath

from dagwright.base.whole_file import write_whole
from dagwright.errors import OptionError
from dagwright.show.colors import Theme
from dagwright.show.scene import Scene
from dagwright.show.svg_writer import write_svg

ENDINGS = (".svg", ".png", ".pdf", ".html")


@dataclass(frozen=True)
class Picture:
    """A picture as a value; `svg` is the text of an SVG file, `save` writes SVG, PNG, PDF or HTML.

    >>> from dagwright import Dag
    >>> picture = Dag.parse("A -> B").draw()
    >>> picture.svg.startswith("<svg")
    True
    """

    scene: Scene = field(repr=False)
    theme: Theme = "auto"

    @property
    def width(self) -> float:
        """Pixels across."""
        return self.scene.width

    @property
    def height(self) -> float:
        """Pixels down."""
        return self.scene.height

    @property
    def svg(self) -> str:
        """The picture as a self-contained SVG document."""
        return write_svg(self.scene, self.theme)

    @property
    def html(self) -> str:
        """The picture as a piece of HTML that scrolls where it is larger than the page."""
        return (
            '<div style="overflow:auto;max-height:80vh">'
            + write_svg(self.scene, self.theme).strip()
            + "</div>"
        )

    def png(self, scale: float = 2.0) -> bytes:
        """The picture as PNG; ``scale`` is pixels of the file for each pixel of the picture."""
        from dagwright.show.png_writer import write_png

        return write_png(self.scene, "dark" if self.theme == "dark" else "light", scale)

    def pdf(self) -> bytes:
        """The picture as one page of PDF."""
        from dagwright.show.pdf_writer import write_pdf

        return write_pdf(self.scene, "dark" if self.theme == "dark" else "light")

    def save(self, path: str | os.PathLike[str], *, scale: float = 2.0) -> None:
        """Write a file in the form of its ending: .svg, .png, .pdf or .html."""
        target = FilePath(path)
        ending = target.suffix.lower()
        if ending == ".svg":
            write_whole(target, self.svg)
        elif ending == ".html":
            page = f'<!doctype html>\n<meta charset="utf-8">\n<title>dagwright</title>\n{self.svg}'
            write_whole(target, page)
        elif ending == ".png":
            write_whole(target, self.png(scale))
        elif ending == ".pdf":
            write_whole(target, self.pdf())
        else:
            raise OptionError(f"a picture is saved as {', '.join(ENDINGS)}, not as {ending or 'no ending'!r}")

    def _repr_html_(self) -> str:
        return self.html
