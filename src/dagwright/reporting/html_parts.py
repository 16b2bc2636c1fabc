"""Pieces of HTML that all sections of a page are made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

MOST_LINES = 24


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: Iterable[int] = ()) -> str:
    """A table of HTML that scrolls where it is too large; columns of ``numbers`` are set to the right."""
    right, lines = set(numbers), list(rows)

    def cells(tag: str, values: Sequence[str]) -> str:
        return "".join(
            f'<{tag} class="n">{value}</{tag}>' if at in right else f"<{tag}>{value}</{tag}>"
            for at, value in enumerate(values)
        )

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in lines)
    size = "wide tall" if len(lines) > MOST_LINES else "wide"
    head = f"<thead><tr>{cells('th', heads)}</tr></thead>"
    return f'<div class="{size}" tabindex="0"><table>{head}<tbody>{body}</tbody></table></div>'


def text_list(texts: Iterable[str]) -> str:
    """A list of plain texts; nothing for none."""
    items = "".join(f"<li>{escape(text)}</li>" for text in texts)
    return f"<ul>{items}</ul>" if items else ""


def bar(part: float) -> str:
    """A share of one as a bar."""
    return f'<span class="bar"><i style="width:{100 * min(max(part, 0.0), 1.0):.0f}%"></i></span>'


def figure(svg: str, width: float) -> str:
    """A picture that shrinks to fit, but not below what can be read: then it scrolls."""
    return f'<div class="picture" tabindex="0" style="--width:{width:.0f}px">{svg}</div>'


def fold(summary: str, body: str, attributes: str = "") -> str:
    """Something to open."""
    return f"<details{attributes}><summary>{summary}</summary>{body}</details>"
