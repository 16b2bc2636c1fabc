"""What a column was before it was coded, as far as new rows must know."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from dagwright.data.bins import Bins

Kind = Literal["category", "continuous"]


@dataclass(frozen=True)
class Origin:
    """Where the codes of a column come from.

    ``bins`` are the cut points of a continuous column; ``other`` is the state that took in the rare values
    of a category and will take in unknown ones; ``identifier`` says why the column looks like an identifier
    of the rows, which learning leaves out, and is empty for all other columns.
    """

    bins: Bins | None = None
    other: str | None = None
    identifier: str = field(default="", compare=False)

    @property
    def kind(self) -> Kind:
        """What the column was in the source."""
        return "category" if self.bins is None else "continuous"


CATEGORY = Origin()
