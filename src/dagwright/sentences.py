"""Sentences that name arguments of a call; each front end writes an argument in its own way.

The library writes ``exclude=['id']``, the command line ``--exclude id``. Errors, warnings and notes are
sentences: texts in the library's spelling that still know their parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

ANY = object()
"""In place of a value: the sentence names the argument alone."""
LONGEST = 200
"""Characters of a value; a longer one is cut."""


class Literally(str):
    """A value that is written as it stands, without quotes.

    >>> str(Argument("search", Literally("PC()")))
    'search=PC()'
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True)
class Argument:
    """An argument that a sentence names, with a value or alone.

    ``of`` names the function that takes it where that may be another one than the function called: data can
    always be read with `read` first.

    >>> str(Argument("missing", "drop")), str(Argument("exclude", ["id"], of="read"))
    ("missing='drop'", "read(..., exclude=['id'])")
    """

    name: str
    value: Any = ANY
    of: str = ""

    def __str__(self) -> str:
        value = "" if self.value is ANY else repr(self.value)
        text = f"{self.name}={value if len(value) <= LONGEST else value[:LONGEST] + '...'}"
        return f"{self.of}(..., {text})" if self.of else text

    def __reduce__(self) -> tuple[Any, ...]:
        return _argument, (self.name, self.of, *(() if self.value is ANY else (self.value,)))


def _argument(name: str, of: str, value: Any = ANY) -> Argument:
    return Argument(name, value, of)


@dataclass(frozen=True)
class Call:
    """A function that a sentence names.

    >>> str(Call("describe"))
    'describe()'
    """

    name: str

    def __str__(self) -> str:
        return f"{self.name}()"


Named = Argument | Call
Write = Callable[[Named], str | None]
"""How a front end writes what a sentence names; None where it has no such argument or function."""


@dataclass(frozen=True)
class Ways:
    """Ways out of a problem. A front end names those that it has, or else the last resort."""

    lead: str
    ways: tuple[Sentence, ...]
    resort: str = ""

    def written(self, write: Write) -> str:
        open_ways = [way.written(write) for way in self.ways if way.is_open(write)]
        if not open_ways:
            return self.resort
        *others, last = open_ways
        return self.lead + (f"{', '.join(others)} or {last}" if others else last)

    def __str__(self) -> str:
        return self.written(str)


Part = str | Argument | Call | Ways


class Sentence(str):
    """A text that knows which parts of it are arguments.

    >>> told = Sentence("leave it out with ", Argument("exclude", ["id"]))
    >>> print(told)
    leave it out with exclude=['id']
    >>> told.written(lambda argument: f"--{argument.name}")
    'leave it out with --exclude'
    """

    parts: tuple[Part, ...]

    def __new__(cls, *parts: Part) -> Sentence:
        flat: list[Part] = []
        for part in parts:
            flat += part.parts if isinstance(part, Sentence) else [part]
        made = super().__new__(cls, "".join(map(str, flat)))
        made.parts = tuple(flat)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Sentence, self.parts

    def is_open(self, write: Write) -> bool:
        """Whether the front end has everything that the sentence names."""
        return all(write(part) is not None for part in self.parts if isinstance(part, Named))

    def written(self, write: Write) -> str:
        """The text as a front end writes it; what it lacks is named in words."""
        return "".join(_written(part, write) for part in self.parts)


def _written(part: Part, write: Write) -> str:
    if isinstance(part, Ways):
        return part.written(write)
    return part if isinstance(part, str) else write(part) or in_words(part)


def in_words(named: Named) -> str:
    """The option that a front end lacks, in words.

    >>> in_words(Argument("max_parents", 3)), in_words(Call("rivals"))
    ('max_parents 3', 'rivals')
    """
    if isinstance(named, Call):
        return named.name.replace("_", " ")
    return named.name if named.value is ANY else f"{named.name} {named.value!r}"


def ways(lead: str, *each: Part, resort: str = "") -> Ways:
    """Ways out after a lead; see `Ways`.

    >>> str(ways("; ", Argument("missing", "drop"), "see describe()"))
    "; missing='drop' or see describe()"
    """
    return Ways(lead, tuple(Sentence(way) for way in each), resort)


def joined(sentences: Iterable[str], separator: str = "; ") -> Sentence:
    """Sentences in one, which keeps their parts."""
    parts: list[Part] = []
    for sentence in sentences:
        parts += [separator, sentence] if parts else [sentence]
    return Sentence(*parts)
