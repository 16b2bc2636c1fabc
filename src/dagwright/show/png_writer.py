"""Scenes as PNG, by resvg."""

from __future__ import annotations

import importlib
from typing import Literal

from dagwright.errors import CapacityError, OptionError
from dagwright.sentences import Argument
from dagwright.show.scene import Scene
from dagwright.show.svg_writer import write_svg

MOST_PIXELS = 250_000_000


def write_png(scene: Scene, theme: Literal["light", "dark"], scale: float) -> bytes:
    """The bytes of a PNG file; ``scale`` is pixels of the file for each pixel of the scene."""
    if not scale > 0:
        raise OptionError(f"the scale of a picture is a positive number, not {scale}")
    width = round(scene.width * scale)
    height = round(scene.height * scale)
    if width * height > MOST_PIXELS:
        raise CapacityError(
            f"a PNG of {width:,} x {height:,} pixels is too large; take a smaller ",
            Argument("scale"),
            ", or save SVG or PDF",
        )
    try:
        resvg = importlib.import_module("resvg_py")
    except ImportError:
        raise OptionError(
            "PNG needs resvg_py; install it with pip install 'dagwright[plots]', or save SVG or PDF"
        ) from None
    return bytes(resvg.svg_to_bytes(svg_string=write_svg(scene, theme), width=width, height=height))
