"""How right an estimate is."""

from __future__ import annotations

from dataclasses import dataclass


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
