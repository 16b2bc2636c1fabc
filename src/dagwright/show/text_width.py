"""How wide a line of text is, without a font file.

Nobody knows which font a reader has. A picture asks for Helvetica or Arial; systems without them take
Liberation Sans, which has the same widths, or DejaVu Sans, which is wider. Boxes are made for the widest.
"""

from __future__ import annotations

import unicodedata

# Advance widths in thousandths of the size, from the space to the tilde: the larger of Helvetica (Adobe 1990)
# and DejaVu Sans, regular and bold, and Helvetica alone.
_WIDEST = (
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337,
    636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 556,
    1015, 684, 686, 722, 770, 667, 611, 778, 752, 295, 500, 667, 557, 863, 748, 787,
    667, 787, 722, 667, 611, 732, 684, 989, 685, 667, 685, 390, 337, 390, 838, 556,
    500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612,
    635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
)  # fmt: skip
_WIDEST_BOLD = (
    348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380, 365,
    696, 696, 696, 696, 696, 696, 696, 696, 696, 696, 400, 400, 838, 838, 838, 611,
    1000, 774, 762, 734, 830, 683, 683, 821, 837, 372, 556, 775, 637, 995, 837, 850,
    733, 850, 770, 720, 682, 812, 774, 1103, 771, 724, 725, 457, 365, 457, 838, 556,
    500, 675, 716, 593, 716, 678, 435, 716, 712, 343, 343, 665, 343, 1042, 712, 687,
    716, 716, 493, 595, 478, 712, 652, 924, 645, 652, 582, 712, 365, 712, 838,
)  # fmt: skip
_HELVETICA = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
)  # fmt: skip
_HELVETICA_BOLD = (
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611,
    975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556,
    333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611,
    611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
)  # fmt: skip
_LARGEST, _SMALL, _DIGIT, _WIDE, _HELVETICA_OTHER = 1100, 910, 700, 1000, 600
ELLIPSIS = "…"


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Pixels that a line of text takes at most at a font size, in the fonts that systems have."""
    return size / 1000 * sum(_advance(letter, _WIDEST_BOLD if bold else _WIDEST) for letter in text)


def helvetica_width(text: str, size: float, *, bold: bool = False) -> float:
    """Pixels that a line of text takes in Helvetica itself, as in PDF files."""
    widths = _HELVETICA_BOLD if bold else _HELVETICA
    return size / 1000 * sum(_advance(letter, widths, _HELVETICA_OTHER) for letter in text)


def _advance(letter: str, widths: tuple[int, ...], other: int | None = None) -> int:
    code = ord(letter)
    if 32 <= code < 127:
        return widths[code - 32]
    if unicodedata.combining(letter):
        return 0
    if letter == ELLIPSIS or unicodedata.east_asian_width(letter) in "WF":
        return _WIDE
    base = unicodedata.normalize("NFD", letter)[0]
    if base != letter:  # a letter with an accent is as wide as without
        return _advance(base, widths, other)
    if other is not None:
        return other
    if letter.isdigit():
        return _DIGIT
    return _SMALL if letter.isalpha() and not letter.isupper() else _LARGEST


def shortened(text: str, size: float, width: float, *, bold: bool = False) -> str:
    """The text, or its beginning and its end around an ellipsis where it is wider than allowed."""
    if text_width(text, size, bold=bold) <= width:
        return text
    keep = len(text) - 1
    while keep > 2:
        head = (2 * keep + 2) // 3
        candidate = text[:head] + ELLIPSIS + text[len(text) - (keep - head) :]
        if text_width(candidate, size, bold=bold) <= width:
            return candidate
        keep -= 1
    return text[:1] + ELLIPSIS


def one_line(text: str) -> str:
    """The text without line breaks and other control characters, which a label cannot show."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
