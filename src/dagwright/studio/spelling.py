"""Sentences of the library as the page writes them: an argument is the control that sets it."""

from __future__ import annotations

from dagwright.sentences import Call, Named, Sentence

CONTROLS = {
    "columns": "the boxes under Use",
    "discretize": "'cut into intervals' of the column",
    "dates": "'Part of the date' of the column",
    "decimal": "'Decimal sign' under 'How the file is read'",
    "encoding": "'Encoding' under 'How the file is read'",
    "exclude": "the box under Use",
    "kinds": "'Kind' of the column",
    "knowledge": "the step Knowledge",
    "missing": "the choice under 'Missing values'",
    "missing_values": "'Also read as missing' under 'How the file is read'",
    "ordered": "'Kind' of the column",
    "rare": "'Group the states' of the column",
    "separator": "'Values are separated by' under 'How the file is read'",
    "time_limit": "the time limit of the step Learn",
    "weights": "the box for weights of the column",
}
"""The names of the controls that set arguments."""


POLICIES = {
    None: "as suits: leave out few rows; with more gaps take them as unknown",
    "drop": "leave rows with gaps out",
    "state": "take a gap as a state of its own",
    "em": "take gaps as unknown, by expectation maximization",
    "available": "use for each question the rows that are complete on it",
}
"""The choices under 'Missing values'."""
IN_THE_ROW = ("dates", "kinds", "missing")
"""Arguments whose controls a person sees beside the column that a sentence is about."""


def beside_controls(text: str) -> str:
    """A text about a column as its row writes it, which does not offer what its controls offer anyway."""
    if not isinstance(text, Sentence):
        return text
    return text.written(lambda named: None if named.name in IN_THE_ROW else _written(named))


def on_page(text: str) -> str:
    """A text of the library as the page writes it.

    >>> from dagwright.sentences import Argument
    >>> on_page(Sentence("leave it out with ", Argument("exclude", ["id"])))
    'leave it out with the box under Use'
    >>> on_page(Sentence("choose ", Argument("missing", "drop")))
    "choose 'leave rows with gaps out' under 'Missing values'"
    """
    return text.written(_written) if isinstance(text, Sentence) else text


def _written(named: Named) -> str | None:
    if isinstance(named, Call):
        return None
    if named.name == "missing" and isinstance(named.value, str) and named.value in POLICIES:
        return f"'{POLICIES[named.value]}' under 'Missing values'"
    return CONTROLS.get(named.name)
