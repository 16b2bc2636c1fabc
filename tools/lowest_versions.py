"""Print the lowest versions that pyproject.toml allows, one requirement per word, for `pip install`."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
REQUIREMENT = re.compile(r"([\w.-]+)(?:\[[\w,.-]+\])?>=([\w.]+)")


def lowest(project: Path = PROJECT) -> list[str]:
    """``name==version`` for what users install: the dependencies and all extras but those for development."""
    facts = tomllib.loads(project.read_text(encoding="utf-8"))["project"]
    extras = facts["optional-dependencies"]
    wanted = [*facts["dependencies"], *(one for extra in extras if extra != "dev" for one in extras[extra])]
    found = {}
    for requirement in wanted:
        if requirement.startswith(f"{facts['name']}["):
            continue
        parts = REQUIREMENT.fullmatch(requirement)
        if parts is None:
            raise ValueError(f"{requirement!r} has no lower bound; write name>=version")
        found[parts[1]] = parts[2]
    return [f"{name}=={version}" for name, version in sorted(found.items())]


if __name__ == "__main__":
    sys.stdout.write(" ".join(lowest()) + "\n")
