"""A report as one HTML page: no scripts, no other files."""

from __future__ import annotations

from html import escape

from dagwright.reproduce.report import MEANINGS, Report, Row, Section

STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .35rem .8rem .35rem 0; }
tr { border-bottom: 1px solid #8795a355; }
td.value { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.reason { opacity: .75; font-size: .9em; }
.verdict { white-space: nowrap; font-weight: 600; }
.verdict::before { margin-right: .4em; }
.same::before, .holds::before { content: "\\2713"; } .answer::before { content: "="; }
.near::before { content: "\\2248"; }
.misprint::before { content: "\\2020"; } .unavailable::before { content: "\\2013"; }
.differs::before { content: "\\2717"; }
.misprint { color: #b95000; } .differs { color: #c0272d; }
@media (prefers-color-scheme: dark) { .misprint { color: #f0913f; } .differs { color: #ff8a8a; } }
svg { max-width: 100%; height: auto; }
dt { font-weight: 600; float: left; clear: left; width: 6rem; } dd { margin-left: 6.5rem; }
"""


def page(report: Report) -> str:
    """The whole page."""
    title = f"{report.name}: printed and computed"
    meanings = "".join(
        f"<dt>{verdict}</dt><dd>{escape(meaning)}</dd>"
        for verdict, meaning in MEANINGS.items()
        if verdict in report.verdicts
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{escape(title)}</h1>\n<p>{escape(report.work)}</p>\n<p>{escape(report.summary)}</p>\n"
        + "".join(map(_section, report.sections))
        + f"<h2>Verdicts</h2>\n<dl>{meanings}</dl>\n</body>\n</html>\n"
    )


def _section(section: Section) -> str:
    rows = "".join(map(_row, section.rows))
    pictures = "".join(f"<figure>{picture.svg}</figure>\n" for picture in section.pictures)
    return (
        f"<h2>{escape(section.title)}</h2>\n"
        '<div class="table"><table>\n<thead><tr><th scope="col">what</th><th scope="col">printed</th>'
        '<th scope="col">computed</th><th scope="col">verdict</th></tr></thead>\n'
        f"<tbody>\n{rows}</tbody></table></div>\n{pictures}"
    )


def _row(row: Row) -> str:
    reason = f'<div class="reason">{escape(row.reason)}</div>' if row.reason else ""
    return (
        f'<tr><th scope="row">{escape(row.what)}{reason}</th><td class="value">{escape(row.printed)}</td>'
        f'<td class="value">{escape(row.ours)}</td>'
        f'<td class="verdict {row.verdict}">{row.verdict}</td></tr>\n'
    )
