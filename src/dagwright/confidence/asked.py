"""A confidence that waits until somebody asks for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dagwright.confidence.confidence import Confidence


@dataclass(slots=True)
class AskedConfidence:
    """What is known of the confidence in a result, and how to find out.

    Attributes
    ----------
    known
        The confidence, once there is one.
    find
        What computes it; None where nothing can, for instance because the data are gone.
    """

    known: Confidence | None = None
    find: Callable[[], Confidence] | None = field(default=None, repr=False, compare=False)
    _one_at_a_time: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    def get(self) -> Confidence | None:
        """The confidence; it is computed on the first call."""
        with self._one_at_a_time:
            if self.known is None and self.find is not None:
                self.known = self.find()
            return self.known

    def __reduce__(self) -> Any:
        return AskedConfidence, (self.known,)
