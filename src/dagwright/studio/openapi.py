"""The documentation of the addresses for programs, made from the same table as the server."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from dagwright.studio.answers.projects import Refused
from dagwright.studio.answers.results import LiveNetwork
from dagwright.studio.calls import Address
from dagwright.studio.shapes import Schema, schema_of
from dagwright.version import __version__

BYTES = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}


EVENTS = (LiveNetwork,)
"""Documents that come as events only; those of other events are answers too."""


def openapi(addresses: Iterable[Address]) -> dict[str, Any]:
    """The OpenAPI document."""
    paths: dict[str, Any] = {}
    named: dict[str, Schema] = {}
    for event in EVENTS:
        schema_of(event, named)
    for one in addresses:
        paths.setdefault(one.path, {})[one.method.lower()] = _operation(one, named)
    return {
        "openapi": "3.1.0",
        "info": {"title": "dagwright studio", "version": __version__},
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(named.items())),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(one: Address, named: dict[str, Schema]) -> dict[str, Any]:
    in_path = re.findall(r"{(\w+)}", one.path)
    parameters: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in in_path
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
        usual["content"] = {"application/json": {"schema": schema_of(one.answer, named)}}
    operation: dict[str, Any] = {
        "summary": one.summary,
        "parameters": parameters,
        "responses": {
            str(one.status): usual,
            "default": {
                "description": "What went wrong",
                "content": {"application/json": {"schema": schema_of(Refused, named)}},
            },
        },
    }
    if one.upload:
        operation["requestBody"] = {"required": True, "content": BYTES}
    elif one.body is not None:
        content = {"application/json": {"schema": schema_of(one.body, named)}}
        operation["requestBody"] = {"required": True, "content": content}
    return operation
