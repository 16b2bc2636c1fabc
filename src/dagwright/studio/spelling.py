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
    None: "automatic: leave out rows with gaps if they are few, else estimate the missing values",
    "drop": "leave rows with gaps out",
    "state": "treat a gap as a state of its own",
    "em": "estimate the missing values by expectation maximization",
    "available": "use in each computation all rows without gaps in its columns",
}
"""The choices under 'Missing values'."""
ENCODINGS = {"latin-1": "Latin-1", "cp1252": "Windows-1252"}
"""The choices under 'Encoding' that errors offer."""
ON_DATA = ("columns", "discretize", "dates", "exclude", "kinds", "missing", "ordered", "rare", "weights")
"""Arguments whose controls are on the step Data and nowhere else."""
IN_THE_ROW = ("dates", "kinds", "missing")
"""Arguments whose controls a person sees beside the column that a sentence is about."""


def beside_controls(text: str) -> str:
    """A text about a column as its row writes it, which does not offer what its controls offer anyway."""
    if not isinstance(text, Sentence):
        return text
    return text.written(lambda named: None if named.name in IN_THE_ROW else _control(named))


def on_data_step(text: str) -> str:
    """A text of the library as the step Data writes it."""
    return text.written(_control) if isinstance(text, Sentence) else text


def on_page(text: str) -> str:
    """A text of the library as the page writes it.

    >>> from dagwright.sentences import Argument
    >>> on_page(Sentence("leave it out with ", Argument("exclude", ["id"])))
    'leave it out with the box under Use on the step Data'
    >>> on_page(Sentence("choose ", Argument("missing", "drop")))
    "choose 'leave rows with gaps out' under 'Missing values' on the step Data"
    """
    return text.written(_written) if isinstance(text, Sentence) else text


def _written(named: Named) -> str | None:
    control = _control(named)
    return f"{control} on the step Data" if control is not None and named.name in ON_DATA else control


def _control(named: Named) -> str | None:
    if isinstance(named, Call):
        return None
    if named.name == "missing" and isinstance(named.value, str) and named.value in POLICIES:
        return f"'{POLICIES[named.value]}' under 'Missing values'"
    if named.name == "encoding" and named.value in ENCODINGS:
        return f"'{ENCODINGS[named.value]}' under 'Encoding'"
    return CONTROLS.get(named.name)
