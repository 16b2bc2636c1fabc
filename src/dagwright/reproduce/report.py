"""The result of a re-run of a text: rows of printed and computed values, each with a verdict."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from dagwright.show.picture import Picture

Verdict = Literal["same", "holds", "answer", "near", "misprint", "differs", "unavailable"]
MEANINGS: dict[Verdict, str] = {
    "same": "the printed number is right to its last digit",
    "holds": "the claim of the text holds",
    "answer": "the text asks a question and prints no answer; this is ours",
    "near": "the experiment is random or not fully described; our result is close to the printed one",
    "misprint": "the text is wrong here, and the reason is given",
    "differs": "the printed number cannot be reproduced, and what is known of the reason is given",
    "unavailable": "it needs a figure or data of the text that we do not have; our value is what can be "
    "computed without them",
}
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Row:
    """One value or claim: what it is, what the text prints, what we get, and how the two compare."""

    what: str
    printed: str
    ours: str
    verdict: Verdict
    reason: str = ""


@dataclass(frozen=True)
class Section:
    """Rows that belong together, and the pictures that show them."""

    title: str
    rows: tuple[Row, ...]
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True)
class Report:
    """The re-run of one text."""

    name: str
    work: str
    sections: tuple[Section, ...]
    quick: bool
    seconds: float

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows of all sections."""
        return tuple(row for section in self.sections for row in section.rows)

    @property
    def verdicts(self) -> dict[Verdict, int]:
        """How often each verdict was given."""
        counts = Counter(row.verdict for row in self.rows)
        return {verdict: counts[verdict] for verdict in MEANINGS if counts[verdict]}

    @property
    def summary(self) -> str:
        """One line: how many values, and how they compare."""
        counts = ", ".join(f"{count} {verdict}" for verdict, count in self.verdicts.items())
        quick = "; quick: fewer seeds and smaller samples" if self.quick else ""
        return f"{len(self.rows)} values in {self.seconds:.1f} s: {counts}{quick}"

    def to_dict(self) -> dict[str, Any]:
        """The report as plain values, for JSON."""
        return {
            "name": self.name,
            "work": self.work,
            "quick": self.quick,
            "seconds": self.seconds,
            "verdicts": dict(self.verdicts),
            "sections": [
                {"title": section.title, "rows": [asdict(row) for row in section.rows]}
                for section in self.sections
            ],
        }

    def to_html(self) -> str:
        """The report as one HTML page that needs no other file."""
        from dagwright.reproduce.html import page

        return page(self)


@dataclass
class Sheet:
    """Collects the rows of a section; the verdict follows from the numbers wherever it can."""

    title: str
    rows: list[Row] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)

    def number(self, what: str, printed: str, ours: float, *, misprint: str = "", differs: str = "") -> None:
        """A printed number: the same if it rounds to what is printed, otherwise as said."""
        shown = f"{ours:.10g}"
        if rounds_to(ours, printed):
            self.rows.append(Row(what, printed, shown, "same"))
        elif misprint:
            self.rows.append(Row(what, printed, shown, "misprint", misprint))
        else:
            self.rows.append(Row(what, printed, shown, "differs", differs))

    def claim(self, what: str, printed: str, ours: str, *, holds: bool, reason: str = "") -> None:
        """A claim that can be checked."""
        self.rows.append(Row(what, printed, ours, "holds" if holds else "differs", reason))

    def wrong(self, what: str, printed: str, ours: str, reason: str, *, shown_to_be: bool = True) -> None:
        """A misprint or a false claim; ``shown_to_be`` is the computation that proves it."""
        self.rows.append(Row(what, printed, ours, "misprint" if shown_to_be else "holds", reason))

    def answer(self, what: str, ours: str, reason: str = "") -> None:
        """A question to which the text prints no answer."""
        self.rows.append(Row(what, "", ours, "answer", reason))

    def region(self, what: str, printed: str, ours: str, *, near: bool, reason: str = "") -> None:
        """The outcome of an experiment."""
        self.rows.append(Row(what, printed, ours, "near" if near else "differs", reason))

    def unavailable(self, what: str, lacks: str, ours: str, reason: str) -> None:
        """Something of the text that cannot be compared, because a figure or data of it are missing."""
        self.rows.append(Row(what, lacks, ours, "unavailable", reason))

    def done(self) -> Section:
        return Section(self.title, tuple(self.rows), tuple(self.pictures))


def rounds_to(value: float, printed: str) -> bool:
    """Whether a value, rounded to the digits of a printed number, is that number.

    >>> rounds_to(-18.6924, "-18.69"), rounds_to(2.34488e72, "2.35e72"), rounds_to(0.31, "0.31")
    (True, False, True)
    """
    match = re.fullmatch(r"([-+]?)(\d+)(?:\.(\d+))?(?:e([-+]?\d+))?", printed)
    if match is None:
        raise ValueError(f"{printed!r} is not a printed number")
    unit = 10.0 ** (int(match.group(4) or 0) - len(match.group(3) or ""))
    return abs(value - float(printed)) <= 0.5 * unit * (1 + 1e-9)
