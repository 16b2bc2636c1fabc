"""Sentences of the library as the page writes them: an argument is the control that sets it."""

from __future__ import annotations

from dagwright.sentences import Call, Named, Sentence

CONTROLS = {
    "columns": "the boxes under Use",
    "dates": "the option 'dates' of the library",
    "decimal": "'Decimal sign' under 'How the file is read'",
    "encoding": "'Encoding' under 'How the file is read'",
    "exclude": "the box under Use",
    "kinds": "'Kind' of the column",
    "knowledge": "the step Knowledge",
    "missing": "the choice under 'Missing values'",
    "missing_values": "'Also read as missing' under 'How the file is read'",
    "ordered": "'Kind' of the column",
    "separator": "'Values are separated by' under 'How the file is read'",
    "time_limit": "the time limit of the step Learn",
    "weights": "the box for weights of the column",
}
"""The names of the controls that set arguments."""


def on_page(text: str) -> str:
    """A text of the library as the page writes it.

    >>> from dagwright.sentences import Argument
    >>> on_page(Sentence("leave it out with ", Argument("exclude", ["id"])))
    'leave it out with the box under Use'
    """
    return text.written(_written) if isinstance(text, Sentence) else text


def _written(named: Named) -> str | None:
    return None if isinstance(named, Call) else CONTROLS.get(named.name)
