"""For the documentation site: the example of a docstring gets a section of its own.

Docstrings in this project end with a short example and no heading. A NumPy-style parser would read it as one
more parameter, or as running text.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"\n\n(?=>>> )")


class ExampleSections(griffe.Extension):
    """Puts the heading in while the sources are read."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        text = obj.docstring
        if text is not None and "\nExamples\n" not in text.value:
            text.value = EXAMPLE.sub("\n\nExamples\n--------\n", text.value, count=1)
