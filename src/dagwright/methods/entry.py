"""One method of the registry: its kind, its name, where it lives, whom to cite."""

from __future__ import annotations

import importlib
import inspect
from dataclasses import MISSING, dataclass, fields
from typing import Any, Literal

Kind = Literal[
    "score",
    "test",
    "measure",
    "correction",
    "prior",
    "search",
    "posterior",
    "inference",
    "estimation",
    "discretization",
    "resampling",
]


@dataclass(frozen=True, slots=True)
class Entry:
    """One method.

    Attributes
    ----------
    kind, name
        What it is and what it is called, in Python and on the command line.
    module
        Where it lives below ``dagwright``; imported when it is first used.
    summary
        One line.
    citation
        The work it comes from.
    equivalent
        For scores: whether equivalent graphs score the same.
    exact
        For searches: whether the answer is proven optimal; for posteriors: whether it is no sample.
    needs
        Arguments without a default, for those that cannot be used by name alone.
    """

    kind: Kind
    name: str
    module: str
    summary: str
    citation: str = ""
    equivalent: bool | None = None
    exact: bool | None = None
    needs: tuple[str, ...] = ()

    @property
    def method(self) -> Any:
        """The class itself."""
        return getattr(importlib.import_module(f"dagwright.{self.module}"), self.name)

    @property
    def signature(self) -> str:
        """How the method is written, with its options and their defaults.

        >>> from dagwright.methods.registry import entry
        >>> entry("BDeu").signature
        'BDeu(ess=1.0)'
        """
        made = {field.name: field.default_factory for field in fields(self.method)}
        options = []
        for name, option in inspect.signature(self.method).parameters.items():
            factory = made.get(name, MISSING)
            default = option.default if factory is MISSING else factory()
            options.append(name if default is option.empty else f"{name}={default!r}")
        return f"{self.name}({', '.join(options)})"
