"""Colors by what they stand for, in a light and a dark set; safe for color-blind readers.

The strong colors are those of Okabe & Ito (2008), lightened for dark paper. A difference in color is always
doubled by a dash, a width or a word.
"""

from __future__ import annotations

from typing import Literal, cast, get_args

from dagwright.errors import OptionError

Theme = Literal["auto", "light", "dark"]

LIGHT = {
    "paper": "#ffffff",
    "ink": "#1f2933",
    "soft": "#52606d",
    "faint": "#d3dae1",
    "link": "#46525e",
    "node": "#f2f6fa",
    "border": "#8795a3",
    "blue": "#0072b2",
    "blue-fill": "#dcecf7",
    "orange": "#b95000",
    "orange-fill": "#fbe6d4",
    "green": "#007a5a",
    "green-fill": "#d9f0e8",
    "purple": "#b8478a",
    "purple-fill": "#f5e4ee",
    "yellow": "#8a6d00",
    "yellow-fill": "#fbf3cf",
}
DARK = {
    "paper": "#14191f",
    "ink": "#e6ebf0",
    "soft": "#a7b4c0",
    "faint": "#36414c",
    "link": "#7d8b98",
    "node": "#222b34",
    "border": "#6b7a88",
    "blue": "#56b4e9",
    "blue-fill": "#173a52",
    "orange": "#f0913f",
    "orange-fill": "#4a2d15",
    "green": "#2fc79a",
    "green-fill": "#123f33",
    "purple": "#e884bd",
    "purple-fill": "#472a3b",
    "yellow": "#f0e442",
    "yellow-fill": "#413c12",
}
# In the order in which series of a chart and groups of a picture take them.
SERIES = ("blue", "orange", "green", "purple", "yellow")
DASHES: tuple[tuple[float, ...], ...] = ((), (7, 4), (2, 3), (10, 3, 2, 3), (4, 2))


def series_style(at: int) -> tuple[str, tuple[float, ...]]:
    """Color and dashes of series number ``at``; the first 25 all differ.

    >>> series_style(0), series_style(5)
    (('blue', ()), ('blue', (7, 4)))
    """
    return SERIES[at % len(SERIES)], DASHES[(at + at // len(SERIES)) % len(DASHES)]


def checked_theme(theme: str) -> Theme:
    for known in get_args(Theme):
        if theme == known:
            return cast(Theme, known)
    raise OptionError(f"theme is 'auto', 'light' or 'dark', not {theme!r}")
