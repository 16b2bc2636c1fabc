"""Write the JSON Schemas of the wire formats into docs/reference/schemas; --check only compares."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from dagwright.wire import FORMATS

FOLDER = Path(__file__).parents[1] / "docs" / "reference" / "schemas"


def texts() -> dict[Path, str]:
    """The files and what belongs in them."""
    return {FOLDER / f"{one.kind}.json": json.dumps(one.schema(), indent=2) + "\n" for one in FORMATS}


def main() -> int:
    stale = [path for path, text in texts().items() if not path.is_file() or path.read_text("utf-8") != text]
    if "--check" in sys.argv:
        for path in stale:
            print(f"{path.name} is not what the types say: run python tools/make_schemas.py")
        return bool(stale)
    FOLDER.mkdir(exist_ok=True)
    for path, text in texts().items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
