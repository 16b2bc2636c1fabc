"""The words of a text one after the other, with errors that give line, column and what was expected."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import NoReturn

import numpy as np

from dagwright.errors import FormatError
from dagwright.model.tables.checks import Floats

BLANKS = re.compile(r"\s*")
SHOWN = re.compile(r'"[^"\n]{0,40}"?|[^\s{}()\[\],;"]{1,40}|.', re.DOTALL)
"""As much of a token as an error shows."""
MAX_DIGITS = 9
"""Of a count in a file."""
NUMBERS_ONLY = re.compile(r"[0-9eE+.,\s-]*")
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)


def place(text: str, position: int) -> str:
    """Line and column of a position, counted from 1.

    >>> place("ab\\ncd", 4)
    'line 2, column 2'
    """
    return (
        f"line {text.count(chr(10), 0, position) + 1}, column {position - text.rfind(chr(10), 0, position)}"
    )


def numbers_in(text: str) -> list[float] | None:
    """The numbers of a text, separated by blanks or commas; None if anything else is in it."""
    if NUMBERS_ONLY.fullmatch(text) is None:
        return None
    try:
        return list(map(float, text.replace(",", " ").split()))
    except ValueError:
        return None


class Scanner:
    """A reading position in a text.

    Parameters
    ----------
    text
        The whole text.
    tokens
        A pattern that skips blanks and comments and then matches one token in a named group: ``string``,
        ``word``, ``symbol``, or others that the format knows.
    """

    def __init__(self, text: str, tokens: re.Pattern[str]) -> None:
        self.text = text
        self.tokens = tokens
        self.position = 0
        self.kind = ""
        self.token = ""
        self.start = 0
        self.advance()

    def advance(self) -> None:
        """Go to the next token; its ``kind`` is empty at the end of the text."""
        match = self.tokens.match(self.text, self.position)
        if match is None or match.lastgroup is None:
            rest = match.end() if match else self.position
            stop = BLANKS.match(self.text, rest)
            self.start = stop.end() if stop else rest
            if self.start < len(self.text):
                self.fail("a name, a number or punctuation")
            self.kind = self.token = ""
            return
        self.kind = match.lastgroup
        self.token = match[self.kind]
        self.start = match.start(self.kind)
        self.position = match.end()

    def jump(self, position: int) -> None:
        """Go on with the first token at or after a position."""
        self.position = position
        self.advance()

    def is_symbol(self, symbol: str) -> bool:
        return self.kind == "symbol" and self.token == symbol

    def is_word(self, word: str) -> bool:
        return self.kind == "word" and self.token == word

    def skip(self, symbol: str) -> bool:
        """Go past a symbol if it is the next token; whether it was."""
        found = self.is_symbol(symbol)
        if found:
            self.advance()
        return found

    def expect(self, symbol: str) -> None:
        if not self.skip(symbol):
            self.fail(repr(symbol))

    def expect_word(self, *words: str) -> str:
        if self.kind != "word" or self.token not in words:
            self.fail(" or ".join(map(repr, words)))
        word = self.token
        self.advance()
        return word

    def take(self, what: str, kinds: tuple[str, ...] = ("word", "string")) -> str:
        """The next token, which must be of one of the kinds."""
        if self.kind not in kinds:
            self.fail(what)
        token = self.token
        self.advance()
        return token

    def take_number(self) -> float:
        if self.kind != "word" or NUMBER.fullmatch(self.token) is None:
            self.fail("a number")
        value = float(self.token)
        self.advance()
        return value

    def take_count(self, what: str) -> int:
        if self.kind != "word" or re.fullmatch("[0-9]+", self.token) is None:
            self.fail(what)
        if len(self.token) > MAX_DIGITS:
            self.refuse(f"{self.token[:40]} is far too large for {what}")
        value = int(self.token)
        self.advance()
        return value

    def take_numbers(self) -> Floats:
        """Numbers, with or without commas between them, as far as they go."""
        values = []
        while self.kind == "word":
            values.append(self.take_number())
            self.skip(",")
        return np.array(values, dtype=np.float64)

    def place_of(self, position: int) -> Callable[[], str]:
        """A function that gives line and column of a position, should they be needed."""
        return partial(place, self.text, position)

    def fail(self, expected: str, at: int | None = None) -> NoReturn:
        """Raise the error that something else was expected here."""
        position = self.start if at is None else at
        found = SHOWN.match(self.text, position)
        shown = f"found {found[0]!r}" if found else "the text ends"
        raise FormatError(f"{place(self.text, position)}: expected {expected}, {shown}")

    def refuse(self, problem: str, at: int | None = None) -> NoReturn:
        """Raise an error about what was read here."""
        raise FormatError(f"{place(self.text, self.start if at is None else at)}: {problem}")
