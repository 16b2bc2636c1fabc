"""A report as one HTML page. Every text from the data is escaped, and only the page's own script may run."""

from __future__ import annotations

import base64
import hashlib
from html import escape
from importlib.resources import files

from dagwright.reporting import html_sections as sections
from dagwright.reporting.analysis import Analysis
from dagwright.reporting.causal_sections import effects, plausible
from dagwright.reporting.number_sections import numbers
from dagwright.reporting.words import headline, key_facts

SECTIONS = (
    ("Network", sections.network),
    ("Edges", sections.edges),
    ("Undecided", sections.undecided),
    ("Rivals", sections.rivals),
    ("Target", sections.target),
    ("Effects", effects),
    ("Plausibility", plausible),
    ("Numbers", numbers),
    ("Probabilities", sections.probabilities),
    ("Data", sections.data),
    ("Assumptions", sections.assumptions),
    ("Repeat and cite", sections.repeat),
)


def html_page(analysis: Analysis) -> str:
    """The page, with its style, its script and its pictures inside."""
    style, script = _resource("report.css"), _resource("report.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; img-src data:"
    made = ((title, title.split()[0].lower(), section(analysis)) for title, section in SECTIONS)
    shown = [(title, name, body) for title, name, body in made if body]
    links = "".join(f'<a href="#{name}">{title}</a>' for title, name, _ in shown)
    bodies = "".join(f'<section id="{name}"><h2>{title}</h2>{body}</section>' for title, name, body in shown)
    facts = "".join(
        f"<div><dt>{escape(what)}</dt><dd>{escape(value)}</dd></div>" for what, value in key_facts(analysis)
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(analysis.title)}</title><style>{style}</style></head><body>"
        f"<header><h1>{escape(analysis.title)}</h1><p>{escape(headline(analysis))}</p>"
        f'<dl class="facts">{facts}</dl><nav>{links}</nav></header>'
        f"<main>{bodies}</main><footer>{escape(analysis.versions())}</footer><script>{script}</script>"
        "</body></html>\n"
    )


def _resource(name: str) -> str:
    return (files("dagwright.reporting") / name).read_text(encoding="utf-8")
