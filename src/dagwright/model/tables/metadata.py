"""Metadata of a network besides its distribution: a name, where it comes from, free properties."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any

from dagwright.errors import OptionError

Properties = Mapping[str, str]


@dataclass(frozen=True)
class Metadata:
    """Texts about a network; none of them changes an answer.

    Attributes
    ----------
    name
        What the network is called.
    description, citation
        What it is about, and the work it comes from.
    properties
        Free properties of the network, text to text.
    node_properties
        Free properties of single nodes, such as a label or a position on the screen.
    """

    name: str = ""
    description: str = ""
    citation: str = ""
    properties: Properties = field(default_factory=dict)
    node_properties: Mapping[str, Properties] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for about in ("name", "description", "citation"):
            if not isinstance(getattr(self, about), str):
                raise OptionError(f"the {about} of a network is text, not {getattr(self, about)!r}")
        object.__setattr__(self, "properties", _frozen(self.properties))
        of_nodes = {node: _frozen(texts) for node, texts in self.node_properties.items() if texts}
        object.__setattr__(self, "node_properties", MappingProxyType(of_nodes))

    def __reduce__(self) -> tuple[Any, ...]:
        of_nodes = {node: dict(texts) for node, texts in self.node_properties.items()}
        return Metadata, (self.name, self.description, self.citation, dict(self.properties), of_nodes)

    def __bool__(self) -> bool:
        return any(getattr(self, each.name) for each in fields(self))


def _frozen(texts: Properties) -> Properties:
    for key, text in texts.items():
        if not (isinstance(key, str) and isinstance(text, str)):
            raise OptionError(f"properties are texts under textual names, but {key!r} is {text!r}")
    return MappingProxyType(dict(texts))
