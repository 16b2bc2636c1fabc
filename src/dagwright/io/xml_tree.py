"""XML as a tree of elements that know their place; entities are refused, so that no file can swell.

Document types may declare elements, as old files do, but no entities: neither inner ones, which multiply, nor
outer ones, which would fetch other files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from dagwright.errors import FormatError

MAX_DEPTH = 64
INVALID = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}


@dataclass
class Element:
    """An element of a document; ``text`` is what stands directly in it."""

    tag: str
    attributes: dict[str, str]
    line: int
    column: int
    children: list[Element] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.pieces).strip()

    def all(self, *tags: str) -> Iterator[Element]:
        """Children with one of the tags, in order."""
        return (child for child in self.children if child.tag in tags)

    def first(self, *tags: str) -> Element | None:
        return next(self.all(*tags), None)

    def one(self, *tags: str) -> Element:
        """The first child with one of the tags, which must be there."""
        found = self.first(*tags)
        if found is None:
            self.refuse(f"<{self.tag}> lacks <{tags[0]}>")
        return found

    def attribute(self, name: str) -> str:
        if name not in self.attributes:
            self.refuse(f"<{self.tag}> lacks the attribute {name!r}")
        return self.attributes[name]

    def place(self) -> str:
        return f"line {self.line}, column {self.column}"

    def refuse(self, problem: str) -> NoReturn:
        raise FormatError(f"{self.place()}: {problem}")


def parse_xml(content: bytes) -> Element:
    """The root element of a document."""
    parser = expat.ParserCreate()
    top = Element("", {}, 1, 1)
    open_elements = [top]

    def start(tag: str, attributes: dict[str, str]) -> None:
        line, column = parser.CurrentLineNumber, parser.CurrentColumnNumber + 1
        element = Element(tag.rpartition(":")[2], attributes, line, column)
        if len(open_elements) > MAX_DEPTH:
            element.refuse("elements are nested too deeply for a network")
        open_elements[-1].children.append(element)
        open_elements.append(element)

    def refuse_entity(*_: object) -> None:
        place = f"line {parser.CurrentLineNumber}, column {parser.CurrentColumnNumber + 1}"
        raise FormatError(f"{place}: the document declares entities; dagwright reads no such files")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: open_elements.pop()
    parser.CharacterDataHandler = lambda text: open_elements[-1].pieces.append(text)
    parser.EntityDeclHandler = refuse_entity
    parser.buffer_text = True
    try:
        parser.Parse(content, True)
    except expat.ExpatError as problem:
        what = expat.ErrorString(problem.code)
        raise FormatError(f"line {problem.lineno}, column {problem.offset + 1}: XML: {what}") from None
    except (LookupError, ValueError) as problem:
        if isinstance(problem, FormatError):
            raise
        raise FormatError(f"XML in an encoding that is not known: {problem}") from None
    return top.children[0]


def xml_text(text: str) -> str:
    """A text as it stands between tags or in an attribute."""
    return "".join(ESCAPES.get(letter, letter) for letter in text)


def xml_spelling(text: str) -> str:
    """The nearest text that survives between tags: without control characters and outer blanks.

    >>> xml_spelling(" a\\x00 b\\n")
    'a_ b'
    """
    return " ".join(INVALID.sub("_", text).split()) or "_"
