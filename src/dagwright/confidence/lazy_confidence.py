"""A confidence that waits until somebody asks for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dagwright.confidence.confidence import Confidence
from dagwright.errors import OptionError


@dataclass(slots=True)
class LazyConfidence:
    """The confidence in a result: the part known so far, and how to compute the rest.

    Attributes
    ----------
    known
        The confidence, once there is one.
    find
        What computes it; None where nothing can, for instance because the data are gone.
    """

    known: Confidence | None = None
    find: Callable[..., Confidence] | None = field(default=None, repr=False, compare=False)
    _one_at_a_time: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    def get(self, **options: Any) -> Confidence:
        """The confidence; the first call computes it, with these options of `bootstrap`."""
        with self._one_at_a_time:
            if self.known is None:
                if self.find is None:
                    raise OptionError(
                        "there are no rows to resample: the result was learned from an oracle, loaded from a "
                        "file, or has a score that is bound to its data; call bootstrap() on data"
                    )
                self.known = self.find(**options)
            return self.known

    def __reduce__(self) -> Any:
        return LazyConfidence, (self.known,)
