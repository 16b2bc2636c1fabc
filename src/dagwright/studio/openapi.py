"""The documentation of the addresses for programs, made from the same table as the server."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from dagwright.studio.calls import Address
from dagwright.studio.shapes import schema_of
from dagwright.version import __version__

ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message", "subject", "options"],
            "properties": {
                "code": {"type": "string"},
                "message": {"type": "string"},
                "subject": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                "options": {"type": "array", "items": {"type": "string"}},
            },
        }
    },
}
BYTES = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}


def openapi(addresses: Iterable[Address]) -> dict[str, Any]:
    """The OpenAPI document."""
    paths: dict[str, Any] = {}
    for one in addresses:
        paths.setdefault(one.path, {})[one.method.lower()] = _operation(one)
    return {
        "openapi": "3.1.0",
        "info": {"title": "dagwright studio", "version": __version__},
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": {"Error": ERROR},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(one: Address) -> dict[str, Any]:
    named = re.findall(r"{(\w+)}", one.path)
    parameters: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in named
    ]
    if one.query is not None:
        schema = schema_of(one.query)
        parameters += [
            {"name": name, "in": "query", "required": name in schema.get("required", ()), "schema": inner}
            for name, inner in schema["properties"].items()
        ]
    usual: dict[str, Any] = {"description": one.summary}
    if one.file:
        usual["content"] = {"*/*": {}}
    elif one.status != 204:
        usual["content"] = {"application/json": {"schema": {"type": "object"}}}
    operation: dict[str, Any] = {
        "summary": one.summary,
        "parameters": parameters,
        "responses": {
            str(one.status): usual,
            "default": {
                "description": "What went wrong",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
            },
        },
    }
    if one.upload:
        operation["requestBody"] = {"required": True, "content": BYTES}
    elif one.body is not None:
        content = {"application/json": {"schema": schema_of(one.body)}}
        operation["requestBody"] = {"required": True, "content": content}
    return operation
