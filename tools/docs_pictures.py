"""Pictures of the documentation, made by the code that the pages show (a hook of MkDocs).

A page that shows `../pictures/NAME.svg` has Python blocks that write NAME.svg; they are run in a directory of
their own and what they wrote joins the site.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from pathlib import Path
from typing import Any

SHOWN = re.compile(r"\]\((?:\.\./)*pictures/([\w-]+\.svg)\)")
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@contextlib.contextmanager
def _inside(folder: Path) -> Any:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def pictures_of(page: Path) -> dict[str, str]:
    """The pictures that a page shows, by name; KeyError when its code does not write one of them."""
    text = page.read_text(encoding="utf-8")
    names = set(SHOWN.findall(text))
    if not names:
        return {}
    with tempfile.TemporaryDirectory() as folder, _inside(Path(folder)):
        namespace: dict[str, Any] = {"__name__": "__main__"}
        for block in BLOCK.findall(text):
            if ">>>" not in block:
                exec(compile(block, str(page), "exec"), namespace)
        made = {path.name: path.read_text(encoding="utf-8") for path in Path(folder).glob("*.svg")}
    return {name: made[name] for name in sorted(names)}


def on_files(files: Any, config: Any) -> Any:
    """MkDocs asks for the files of the site: the pictures are among them."""
    from mkdocs.structure.files import File

    for page in sorted(Path(config["docs_dir"]).rglob("*.md")):
        for name, content in pictures_of(page).items():
            files.append(File.generated(config, f"pictures/{name}", content=content))
    return files
