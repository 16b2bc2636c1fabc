"""Something that stands for knowledge, made a `Knowledge`."""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping
from typing import Any

from dagwright.errors import KnowledgeError, refuse_class, shortened, unknown_name
from dagwright.knowledge.knowledge import Knowledge


def as_knowledge(given: Any) -> Knowledge:
    """A `Knowledge`; a dict of its arguments; the path of a file; None is no knowledge.

    >>> as_knowledge({"forbidden": ["A -> B"]}) == Knowledge(forbidden=["A -> B"])
    True
    """
    refuse_class("knowledge", given)
    if given is None:
        return Knowledge()
    if isinstance(given, Knowledge):
        return given
    if isinstance(given, str | os.PathLike):
        return Knowledge.load(given)
    if not isinstance(given, Mapping):
        raise KnowledgeError(
            f"knowledge must be a Knowledge or a dict such as {{'forbidden': ['A -> B']}}, not "
            f"{shortened(given)}"
        )
    known = [name for name in inspect.signature(Knowledge.__init__).parameters if name != "self"]
    for name in given:
        if name not in known:
            raise unknown_name("field of knowledge", name, known)
    return Knowledge(**given)
