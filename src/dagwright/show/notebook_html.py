"""Pieces of HTML for notebooks: tables, lists and texts, every name escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dagwright.show.svg_writer import escaped

LEFT, RIGHT = " style='text-align:left;vertical-align:top'", " style='text-align:right;vertical-align:top'"


def html_table(
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    raw: Sequence[int] = (),
    numbers: Sequence[int] = (),
) -> str:
    """A table of texts; the columns ``raw`` are HTML already, ``numbers`` stand to the right."""

    def cells(tag: str, values: Sequence[str], markup: Sequence[int]) -> str:
        return "".join(
            f"<{tag}{RIGHT if at in numbers else LEFT}>{value if at in markup else escaped(value)}</{tag}>"
            for at, value in enumerate(values)
        )

    head = f"<thead><tr>{cells('th', heads, ())}</tr></thead>" if any(heads) else ""
    body = "".join(f"<tr>{cells('td', row, raw)}</tr>" for row in rows)
    return f"<table>{head}<tbody>{body}</tbody></table>"


def list_view(head: str, items: Iterable[str]) -> str:
    """A heading and a list of texts."""
    points = "".join(f"<li>{escaped(one)}</li>" for one in items)
    return f"<p><b>{escaped(head)}</b></p><ul>{points or '<li>nothing</li>'}</ul>"


def facts_view(head: str, facts: Iterable[tuple[str, str]]) -> str:
    """A heading and facts with their names."""
    return f"<p><b>{escaped(head)}</b></p>" + html_table(("", ""), list(facts))


def paragraph(text: str) -> str:
    return f"<p>{escaped(text)}</p>"


def more(shown: int, total: int, what: str) -> str:
    """How many were left out; nothing if all are there."""
    return paragraph(f"and {total - shown:,} more {what}") if shown < total else ""
