"""K3: K2 with minimum description length (Bouckaert 1993)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dagwright.evidence.criteria import BIC
from dagwright.search.k2 import K2


@dataclass(frozen=True, slots=True)
class K3(K2):
    """`K2` with minimum description length: `BIC` is the score unless another is given.

    >>> K3(["b", "a"]).usual_score()
    BIC()
    """

    summary: ClassVar[str] = "K2 with minimum description length"
    citation: ClassVar[str] = "Bouckaert 1993"

    def usual_score(self) -> Any:
        """The score that it is known by."""
        return BIC()
