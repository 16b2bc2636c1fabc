"""The notes of a search, in few words."""

from __future__ import annotations

from typing import Any

SHOWN_REMARKS = 5
"""Remarks of one kind that are shown; the others are counted."""


def noted(key: str, note: Any) -> str:
    """A note of a search with its name, in few words."""
    brief = _in_brief(note)
    return f"{key}:{brief}" if brief.startswith("\n") else f"{key}: {brief}"


def _in_brief(note: Any) -> str:
    """A note in few words: the first remarks of many, one per line; tables are counted, not shown."""
    if isinstance(note, list) and note and isinstance(note[0], dict):
        return f"{len(note)} entries, in notes"
    if isinstance(note, list) and len(note) > 1:
        left = len(note) - SHOWN_REMARKS
        more = [f"and {left} more, in notes"] if left > 0 else []
        return "".join(f"\n  {remark}" for remark in [*note[:SHOWN_REMARKS], *more])
    if isinstance(note, list):
        return str(note[0]) if note else "none"
    if isinstance(note, dict):
        return ", ".join(f"{key}: {_in_brief(value)}" for key, value in note.items()) or "none"
    return f"{note:.6g}" if isinstance(note, float) else str(note)
