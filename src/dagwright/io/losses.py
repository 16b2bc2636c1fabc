"""The parts of a network that a file format cannot hold, named one by one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class FormatLoss:
    """One thing that a reader of the written file will not find, or will find in another form.

    Attributes
    ----------
    what
        The part concerned: ``"counts"``, ``"name"``, ``"states"``, ``"probabilities"``, ...
    detail
        What stands in the file instead.
    node
        The node concerned; empty for the network as a whole.
    """

    what: str
    detail: str
    node: str = ""

    def __str__(self) -> str:
        return f"{self.what} of {self.node!r}: {self.detail}" if self.node else f"{self.what}: {self.detail}"
