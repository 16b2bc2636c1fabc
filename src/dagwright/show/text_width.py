"""How wide a line of text is, without a font file: the advance widths of Helvetica (Adobe 1990)."""

from __future__ import annotations

import unicodedata

# Advance widths in thousandths of the size, from the space to the tilde.
_ASCII = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
)  # fmt: skip
_OTHER, _WIDE, _BOLDER = 600, 1000, 1.07
ELLIPSIS = "…"


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Pixels that a line of text takes at a font size."""
    total = 0
    for letter in text:
        code = ord(letter)
        if 32 <= code < 127:
            total += _ASCII[code - 32]
        elif unicodedata.combining(letter):
            continue
        else:
            total += _WIDE if unicodedata.east_asian_width(letter) in "WF" else _OTHER
    return total * size / 1000 * (_BOLDER if bold else 1.0)


def shortened(text: str, size: float, width: float) -> str:
    """The text, or its beginning and its end around an ellipsis where it is wider than allowed."""
    if text_width(text, size) <= width:
        return text
    keep = len(text) - 1
    while keep > 2:
        head = (2 * keep + 2) // 3
        candidate = text[:head] + ELLIPSIS + text[len(text) - (keep - head) :]
        if text_width(candidate, size) <= width:
            return candidate
        keep -= 1
    return text[:1] + ELLIPSIS


def one_line(text: str) -> str:
    """The text without line breaks and other control characters, which a label cannot show."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
