"""Writes the types of the page of the studio from the schemas of the server: ``studio/src/api/documents.ts``.

With ``--check`` nothing is written, and the exit status is 1 where the file is not current.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from dagwright.studio.openapi import openapi
from dagwright.studio.routes import ADDRESSES
from dagwright.studio.shapes import COMPONENTS, Schema

TARGET = Path(__file__).parents[1] / "studio" / "src" / "api" / "documents.ts"
HEAD = (
    "// The documents of the API, made by tools/page_types.py from the schemas of the server. Do not edit.\n"
    "/* eslint max-lines: off */\n"
)
PLAIN = {"string": "string", "boolean": "boolean", "integer": "number", "number": "number", "null": "null"}


def types_of_page() -> str:
    """The whole file."""
    named = openapi(ADDRESSES)["components"]["schemas"]
    return "\n".join([HEAD, *(_interface(name, schema) for name, schema in named.items())])


def _interface(name: str, schema: Schema) -> str:
    fields = "".join(f"  {line};\n" for line in _fields(schema))
    return f"export interface {name} {{\n{fields}}}\n"


def _fields(schema: Schema) -> list[str]:
    needed = schema.get("required", ())
    return [
        f"{name}{'' if name in needed else '?'}: {_type(inner)}"
        for name, inner in schema["properties"].items()
    ]


def _type(schema: Schema) -> str:
    if not schema:
        return "unknown"
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(COMPONENTS)
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(map(_type, schema["anyOf"])))
    if "enum" in schema:
        return " | ".join(map(_literal, schema["enum"]))
    if schema["type"] == "array":
        inner = _type(schema["items"])
        if "maxItems" in schema:
            return f"[{', '.join([inner] * schema['maxItems'])}]"
        several = len(schema["items"].get("anyOf", schema["items"].get("enum", ()))) > 1
        return f"({inner})[]" if several else f"{inner}[]"
    if schema["type"] == "object":
        return f"Record<string, {_type(schema['additionalProperties'])}>"
    return PLAIN[schema["type"]]


def _literal(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def main() -> int:
    """Write the file, or check it."""
    current = TARGET.exists() and TARGET.read_text(encoding="utf-8") == types_of_page()
    if "--check" not in sys.argv:
        TARGET.write_text(types_of_page(), encoding="utf-8")
    elif not current:
        sys.stderr.write(f"{TARGET} is not current; run 'make page' and commit the result\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
