"""Every error dagwright raises on purpose is a DagwrightError whose message is one clear sentence.

A message names the column, node, value or file concerned and the way out. It is a `Sentence`: the command
line prints it without a traceback, and writes the arguments that it names as options.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from types import UnionType

from dagwright.sentences import Argument, Literally, Part, Sentence

LONGEST = 2_000
"""Characters of a message; a longer one, which quotes a long input, loses its middle."""


class DagwrightError(Exception):
    """Base of all errors that dagwright raises; the message is given in parts, see `Sentence`."""

    def __init__(self, *parts: Part) -> None:
        super().__init__(Sentence(*parts))

    @property
    def sentence(self) -> Sentence:
        """The message with its parts."""
        told: Sentence = self.args[0]
        return told

    def __str__(self) -> str:
        text = super().__str__()
        return text if len(text) <= LONGEST else f"{text[: LONGEST - 500]} ... {text[-490:]}"


class DataError(DagwrightError, ValueError):
    """The data cannot be used as given: unreadable, ragged, empty, wrong weights, too many states."""


class MissingValuesError(DataError):
    """A method for complete data got missing values and no policy; `gaps` counts them by column."""

    def __init__(self, *parts: Part, gaps: Mapping[str, int] | None = None) -> None:
        super().__init__(*parts)
        self.gaps = dict(gaps or {})


class ImpossibleEvidenceError(DataError):
    """Evidence of probability zero; `evidence` holds the smallest combination that cannot be."""

    def __init__(self, *parts: Part, evidence: Mapping[str, object] | None = None) -> None:
        super().__init__(*parts)
        self.evidence = dict(evidence or {})


class UnknownNameError(DagwrightError, LookupError):
    """A name (column, node, state, method) that does not exist; the nearest known one is suggested."""


class GraphError(DagwrightError, ValueError):
    """A graph that violates its declared type."""


class CycleError(GraphError):
    """Edges that form a directed cycle; the message spells the cycle."""


class NoExtensionError(GraphError):
    """A partially directed graph without a consistent DAG extension."""


class NotIdentifiableError(GraphError):
    """A causal effect that adjustment for observed variables cannot identify; the message says why."""


class KnowledgeError(DagwrightError, ValueError):
    """Prior knowledge that contradicts itself, or a graph that violates it; `conflicts` holds each point."""

    def __init__(self, *parts: Part, conflicts: Iterable[object] = ()) -> None:
        super().__init__(*parts)
        self.conflicts = tuple(conflicts)


class OptionError(DagwrightError, ValueError):
    """An option out of range, or options that do not go together.

    ``wanted`` says what kind of value was expected, where the kind is wrong.
    """

    wanted: str = ""


class CapacityError(DagwrightError, MemoryError):
    """Work refused before it starts because it cannot fit in memory; says what and how much."""


class NotFinishedError(DagwrightError, TimeoutError):
    """The time limit, or if `interrupted` Ctrl-C or a token, ended the call before it had a result."""

    def __init__(self, *parts: Part, interrupted: bool = False) -> None:
        super().__init__(*parts)
        self.interrupted = interrupted


class FormatError(DagwrightError, ValueError):
    """A file that is not in the format it should be in."""


class DagwrightWarning(UserWarning):
    """Something the user should know about the answer; also listed in the result's warnings."""


def unknown_name(kind: str, name: object, known: Iterable[object]) -> UnknownNameError:
    """The error for an unknown name, with the nearest known one; upper and lower case count as near.

    >>> str(unknown_name("node", "SMOK", ["Smoke", "Lung"]))
    "unknown node 'SMOK'; did you mean 'Smoke'?"
    """
    names = [str(item) for item in known]
    lower = {item.lower(): item for item in reversed(names)}
    exact = difflib.get_close_matches(str(name), names, n=1, cutoff=0.6)
    near = exact or [
        lower[one] for one in difflib.get_close_matches(str(name).lower(), lower, n=1, cutoff=0.6)
    ]
    if near:
        return UnknownNameError(f"unknown {kind} {shortened(name)}; did you mean {near[0]!r}?")
    shown = ", ".join(repr(item) for item in names[:8]) + (", ..." if len(names) > 8 else "")
    return UnknownNameError(f"unknown {kind} {shortened(name)}; known: {shown or 'none'}")


def shortened(given: object, length: int = 60) -> str:
    """A value as an error shows it: how Python writes it, in one line, cut where that is long.

    >>> shortened("short"), shortened("x" * 100, 10)
    ("'short'", "'xxxxxx...")
    """
    text, more, _ = repr(given).partition("\n")
    return text if len(text) <= length and not more else text[: length - 3] + "..."


def require_a(kind: type | UnionType, given: object, what: str, words: str) -> None:
    """An error where an argument is of another kind; ``words`` say what it must be."""
    if not isinstance(given, kind):
        raise OptionError(f"{what} must be {words}, not {shortened(given)}")


def refuse_class(what: str, given: object) -> None:
    """An error where a class was given for one of its objects, as in ``search=Exact``."""
    if isinstance(given, type):
        raise OptionError(Argument(what, Literally(given.__name__)), f" is a class; write {given.__name__}()")
