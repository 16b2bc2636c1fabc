"""Requests as handlers see them: checked path, query and body; and answers that are files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from dagwright.studio.project_file import ProjectFile
from dagwright.studio.studio import Studio

Method = Literal["GET", "POST", "PATCH", "DELETE"]


@dataclass(frozen=True)
class Call:
    """One request."""

    studio: Studio
    path: dict[str, str]
    query: dict[str, Any]
    body: Any
    upload: Path | None
    tab: str | None

    @property
    def project(self) -> ProjectFile:
        """The project that the path names."""
        return self.studio.workspace.project(self.path["project"])

    @property
    def uploaded(self) -> Path:
        """The bytes that were sent, in a file."""
        assert self.upload is not None
        return self.upload

    def changed(self, after: dict[str, Any]) -> dict[str, Any]:
        """The project after a change, of which other pages are told."""
        return self.studio.changed(self.project, after, self.tab)


@dataclass(frozen=True)
class Download:
    """An answer that is a file; it is removed after it was sent."""

    path: Path
    name: str
    type: str = "application/octet-stream"
    headers: dict[str, str] = field(default_factory=dict)
    inline: bool = False


Handler = Callable[[Call], Any]


@dataclass(frozen=True)
class Address:
    """One line of the table of addresses, from which both the server and its documentation are made.

    Attributes
    ----------
    body, query
        Typed dicts of what is sent; ``upload`` says that the body is a file.
    answer
        The type of the usual answer, where it is JSON.
    status
        The status of the usual answer.
    file
        Whether the answer is a file.
    """

    method: Method
    path: str
    handler: Handler
    summary: str
    body: Any = None
    query: Any = None
    answer: Any = None
    upload: bool = False
    status: int = 200
    file: bool = False
