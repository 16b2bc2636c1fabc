"""Tables of methods in the documentation, from what the classes declare (a hook of MkDocs).

A page that has the line `<!-- methods: KIND -->` shows the table of that kind there.
"""

from __future__ import annotations

import re
from typing import Any, get_args

MARK = re.compile(r"^<!-- methods: (\w+) -->$", re.MULTILINE)


def with_tables(text: str) -> str:
    """The page with a table in the place of each mark."""
    from dagwright.methods.registry import Kind
    from dagwright.methods.table import methods_table

    def table(mark: re.Match[str]) -> str:
        kind = next(one for one in get_args(Kind) if one == mark[1])
        return methods_table(kind)

    return MARK.sub(table, text)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """MkDocs has read a page."""
    return with_tables(markdown)
