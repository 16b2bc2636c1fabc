"""Nats inside; bits where a person asks for them."""

from __future__ import annotations

import math
from typing import Literal

from dagwright.errors import OptionError

Unit = Literal["nats", "bits"]


def in_unit(nats: float, unit: Unit) -> float:
    """A quantity of information in the unit asked for.

    >>> in_unit(math.log(2), "bits")
    1.0
    """
    if unit == "nats":
        return nats
    if unit == "bits":
        return nats / math.log(2)
    raise OptionError(f"unit must be 'nats' or 'bits', not {unit!r}")
