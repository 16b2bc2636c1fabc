"""What an attacked function may do: answer, or refuse in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dagwright.errors import DagwrightError

REFUSALS = (DagwrightError, TypeError, ValueError, IndexError, OverflowError, MemoryError)


class SlipError(AssertionError):
    """Neither an answer nor a refusal in words."""


def answered(what: str, call: Callable[[], Any], refusals: tuple[type[Exception], ...] = REFUSALS) -> bool:
    """Make the call; whether it answers. Raises `SlipError` where it neither answers nor refuses in words."""
    try:
        call()
        return True
    except refusals as refusal:
        if not isinstance(refusal, MemoryError) and ("std::" in str(refusal) or not str(refusal)):
            raise SlipError(f"{what} is refused without words: {refusal!r}") from refusal
    except Exception as slip:
        raise SlipError(f"{what} raises {slip!r:.300}") from slip
    return False
