"""Files of local scores in the format of Jaakkola and GOBNILP (``.jkl``).

The number of variables; then for each variable a line with its name and how many parent sets follow, and for
each parent set a line with the score, the number of parents and the parents. Lines that begin with ``META``
or ``#`` say something about the rest and are passed over.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from dagwright.base.numbering import Numbering
from dagwright.base.whole_file import write_whole
from dagwright.errors import FormatError

if TYPE_CHECKING:
    from dagwright.search.candidates import CandidateSets


def write_jkl(sets: CandidateSets, path: str | Path) -> list[str]:
    """Write a score file; returns what it cannot hold, one sentence each."""
    lost = []
    names = list(sets.nodes)
    if any(not name or name != "".join(name.split()) or name.startswith(("#", "META")) for name in names):
        lost.append(
            "names: some hold white space or look like comments, so the file has numbers for "
            + ", ".join(map(repr, names))
        )
        names = [str(at) for at in range(len(names))]
    if sets.score_name is not None:
        lost.append(f"score: the file does not say that its numbers are {sets.score_name}")
    if sets.limits is not None or sets.stopped is not None:
        lost.append(
            "completeness: scoring ended early, and the file does not say that parent sets are missing, so "
            "what is proven from it holds only among those it has"
        )
    if sets.max_parents is not None:
        lost.append(f"bound: the file does not say that sets of more than {sets.max_parents} were left out")
    if sets.required_edges:
        edges = ", ".join(f"{sets.nodes[a]!r} -- {sets.nodes[b]!r}" for a, b in sets.required_edges)
        lost.append(f"edges: the file does not say that these must be adjacent: {edges}")
    lines = [str(len(names))]
    for at, name in enumerate(names):
        begin, end = int(sets.offsets[at]), int(sets.offsets[at + 1])
        lines.append(f"{name} {end - begin}")
        for entry in range(begin, end):
            members = sets.parents(entry)
            lines.append(
                " ".join([repr(float(sets.scores[entry])), str(len(members)), *(names[v] for v in members)])
            )
    write_whole(path, "\n".join(lines) + "\n")
    return lost


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    words: list[str]


class _Reader:
    def __init__(self, path: str | Path) -> None:
        self.path = path
        try:
            text = Path(path).read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            raise FormatError(f"no such file: {path}") from None
        except IsADirectoryError:
            raise FormatError(f"{path} is a folder; name a file in it") from None
        except UnicodeDecodeError:
            raise FormatError(f"{path} is not a text file") from None
        self._lines = self._split(text)
        self.last = 0

    @staticmethod
    def _split(text: str) -> Iterator[_Line]:
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip() and not line.lstrip().startswith(("META", "#")):
                yield _Line(number, line.split())

    def wrong(self, line: int, message: str) -> FormatError:
        return FormatError(f"{self.path}, line {line}: {message}")

    def next(self, what: str) -> _Line:
        line = next(self._lines, None)
        if line is None:
            raise self.wrong(self.last + 1, f"the file ends where {what} should be")
        self.last = line.number
        return line

    def end(self) -> None:
        line = next(self._lines, None)
        if line is not None:
            raise self.wrong(line.number, "more lines than the counts before them announce")

    def count(self, word: str, line: _Line, what: str) -> int:
        if not word.isdecimal():
            raise self.wrong(line.number, f"{what} must be a whole number, not {word!r}")
        return int(word)


def read_jkl(path: str | Path) -> CandidateSets:
    """Read a score file. Nodes 0 to n-1 stand in that order, others in that of the file."""
    from dagwright.search.candidates import CandidateSets

    reader = _Reader(path)
    line = reader.next("the number of variables")
    if len(line.words) != 1:
        raise reader.wrong(line.number, "the first line must hold the number of variables alone")
    n = reader.count(line.words[0], line, "the number of variables")
    if n == 0:
        raise reader.wrong(line.number, "there must be at least one variable")
    families: dict[str, list[tuple[float, _Line]]] = {}
    for _ in range(n):
        line = reader.next("a variable and its number of parent sets")
        if len(line.words) != 2:
            raise reader.wrong(line.number, "expected a variable and its number of parent sets")
        name = line.words[0]
        if name in families:
            raise reader.wrong(line.number, f"variable {name!r} occurs twice in the file")
        size = reader.count(line.words[1], line, "the number of parent sets")
        if size == 0:
            raise reader.wrong(line.number, f"variable {name!r} has no parent sets")
        families[name] = [_scored(reader, reader.next(f"a parent set of {name!r}")) for _ in range(size)]
    reader.end()
    numbers = [str(at) for at in range(n)]
    nodes = numbers if set(families) == set(numbers) else list(families)
    at = Numbering(nodes).number
    offsets, starts = [0], [0]
    scores: list[float] = []
    members: list[int] = []
    for child in nodes:
        known: dict[tuple[int, ...], float] = {}
        for value, line in families[child]:
            parents = _numbered(reader, line, child, at)
            if parents in known:
                raise reader.wrong(line.number, f"this parent set of {child!r} occurs twice in the file")
            known[parents] = value
        for parents, value in sorted(known.items(), key=lambda item: (-item[1], len(item[0]), item[0])):
            scores.append(value)
            members.extend(parents)
            starts.append(len(members))
        offsets.append(len(scores))
    return CandidateSets.from_arrays(
        nodes, np.array(offsets), np.array(scores), np.array(starts), np.array(members, dtype=np.int32)
    )


def _scored(reader: _Reader, line: _Line) -> tuple[float, _Line]:
    if len(line.words) < 2:
        raise reader.wrong(line.number, "expected a score, the number of parents and the parents")
    try:
        value = float(line.words[0])
    except ValueError:
        value = math.nan
    if not value < math.inf:
        raise reader.wrong(line.number, f"the score must be a number or -inf, not {line.words[0]!r}")
    size = reader.count(line.words[1], line, "the number of parents")
    if len(line.words) != size + 2:
        raise reader.wrong(line.number, f"{size} parents announced, {len(line.words) - 2} given")
    return value, line


def _numbered(reader: _Reader, line: _Line, child: str, at: Mapping[str, int]) -> tuple[int, ...]:
    parents = line.words[2:]
    for parent in parents:
        if parent not in at:
            raise reader.wrong(line.number, f"parent {parent!r} of {child!r} is not a variable of the file")
        if parent == child:
            raise reader.wrong(line.number, f"{child!r} cannot be its own parent")
    if len(set(parents)) != len(parents):
        raise reader.wrong(line.number, f"a parent of {child!r} is named twice")
    return tuple(sorted(at[parent] for parent in parents))
