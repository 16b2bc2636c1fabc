"""How right an estimate is, in numbers and in lines."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from dagwright.graph.viewable import DrawableDifference

Pair = TypeVar("Pair", bound=tuple[str, str])
How = TypeVar("How")


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How many of the things found are right, and how many of the right things were found."""

    right: int
    found: int
    true: int

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.true if self.true else 1.0

    @property
    def f1(self) -> float:
        return 2 * self.right / (self.found + self.true) if self.found + self.true else 1.0


class Accuracies(DrawableDifference, ABC):
    """The accuracies that comparisons of all kinds of graphs have, number by number."""

    @property
    @abstractmethod
    def skeleton(self) -> Accuracy:
        """Adjacent pairs of the estimate compared with the reference."""

    @property
    @abstractmethod
    def arrowheads(self) -> Accuracy:
        """Arrowheads of the estimate compared with the reference."""

    @property
    def skeleton_precision(self) -> float:
        return self.skeleton.precision

    @property
    def skeleton_recall(self) -> float:
        return self.skeleton.recall

    @property
    def skeleton_f1(self) -> float:
        return self.skeleton.f1

    @property
    def arrowhead_precision(self) -> float:
        return self.arrowheads.precision

    @property
    def arrowhead_recall(self) -> float:
        return self.arrowheads.recall

    @property
    def arrowhead_f1(self) -> float:
        return self.arrowheads.f1


def difference_lines(a: Mapping[Pair, How], b: Mapping[Pair, How], text: Callable[[Pair, How], str]) -> str:
    """One line per pair that is joined otherwise: ``-`` missing, ``+`` extra, ``~`` other marks in ``b``."""
    lines = []
    for pair in sorted(a.keys() | b.keys()):
        if pair not in b:
            lines.append(f"- {text(pair, a[pair])}")
        elif pair not in a:
            lines.append(f"+ {text(pair, b[pair])}")
        elif a[pair] != b[pair]:
            lines.append(f"~ {text(pair, a[pair])}  is  {text(pair, b[pair])}")
    return "\n".join(lines)
