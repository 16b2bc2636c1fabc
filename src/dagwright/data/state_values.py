"""States as JSON values and as texts: ``1``, ``1.0``, ``True`` and ``"1"`` stay four different states."""

from __future__ import annotations

import datetime
import math
from collections.abc import Hashable
from typing import Any

from dagwright.errors import FormatError


def state_to_json(state: Hashable) -> Any:
    """A state as a JSON value; texts, numbers and booleans as they are, others as an object with one key.

    >>> state_to_json(1), state_to_json(datetime.date(2024, 2, 29))
    (1, {'date': '2024-02-29'})
    """
    if isinstance(state, datetime.datetime):
        return {"datetime": state.isoformat()}
    if isinstance(state, datetime.date):
        return {"date": state.isoformat()}
    if isinstance(state, float) and not math.isfinite(state):
        return {"float": repr(state)}
    if isinstance(state, str | bool | int | float):
        return state
    raise FormatError(
        f"the state {state!r} is {type(state).__name__}, which JSON cannot hold; rename it with with_states()"
    )


def state_from_json(entry: Any) -> Any:
    """The state that `state_to_json` wrote."""
    if not isinstance(entry, dict):
        return entry
    ((kind, text),) = entry.items()
    if kind == "float":
        return float(text)
    read = {"date": datetime.date, "datetime": datetime.datetime}
    return read[kind].fromisoformat(text)


def state_text(state: Hashable) -> str:
    """A state as text, for formats that know nothing else."""
    return state.isoformat() if isinstance(state, datetime.date) else str(state)
