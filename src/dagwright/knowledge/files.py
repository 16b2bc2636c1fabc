"""Knowledge files: TOML and JSON forms with a version, and the choice of form by the file's ending."""

from __future__ import annotations

import json
import tomllib
from os import PathLike
from pathlib import Path
from typing import Any

from dagwright.base.documents import parsed_json
from dagwright.base.whole_file import write_whole
from dagwright.errors import FormatError
from dagwright.knowledge.knowledge import Knowledge
from dagwright.knowledge.tables import from_csv
from dagwright.knowledge.tetrad import from_tetrad, to_tetrad
from dagwright.knowledge.writing import ARGUMENTS, documents

FORMAT_VERSION = 1


def load_knowledge(path: str | PathLike[str]) -> Knowledge:
    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8-sig")
        match file.suffix.lower():
            case ".toml":
                return from_document(tomllib.loads(text))
            case ".json":
                return from_document(parsed_json(text))
            case ".csv":
                return from_csv(text)
            case _:
                return from_tetrad(text)
    except OSError as problem:
        raise FormatError(f"the knowledge file {str(path)!r} cannot be read: {problem.strerror}") from None
    except RecursionError:
        raise FormatError(f"{file.name}: it is nested too deeply") from None
    except ValueError as error:  # of the text, of TOML, of JSON, or what the file says
        raise FormatError(f"{file.name}: {error}") from error


def save_knowledge(knowledge: Knowledge, path: str | PathLike[str]) -> None:
    file = Path(path)
    match file.suffix.lower():
        case ".toml":
            text = to_toml(to_document(knowledge))
        case ".json":
            text = json.dumps(to_document(knowledge), indent=2, ensure_ascii=False) + "\n"
        case ".txt" | ".knowledge":
            text = to_tetrad(knowledge)
        case ending:
            raise FormatError(
                f"cannot write knowledge to a {ending!r} file; use .toml, .json or .txt (Tetrad)"
            )
    write_whole(file, text)


def to_document(knowledge: Knowledge) -> dict[str, Any]:
    """The knowledge as plain lists and tables.

    >>> to_document(Knowledge(required=["A -> B"], max_parents=2))
    {'dagwright_knowledge': 1, 'required': ['A -> B'], 'max_parents': 2}
    """
    first, *further = documents(knowledge.statements, knowledge.groups)
    document: dict[str, Any] = {"dagwright_knowledge": FORMAT_VERSION, **first}
    if further:
        document["also"] = further
    return document


def from_document(document: Any) -> Knowledge:
    """The knowledge of a document that `to_document` or a person wrote."""
    if not isinstance(document, dict) or "dagwright_knowledge" not in document:
        raise FormatError("this is not a knowledge file: it has no line 'dagwright_knowledge = 1'")
    version = document["dagwright_knowledge"]
    if version != FORMAT_VERSION:
        raise FormatError(f"knowledge format {version!r} is not known; this version reads {FORMAT_VERSION}")
    also = document.get("also", [])
    if not isinstance(also, list):
        raise FormatError("'also' must be a list of tables")
    own = {key: value for key, value in document.items() if key not in {"dagwright_knowledge", "also"}}
    parts = [_part(part) for part in (own, *also)]
    knowledge = parts[0]
    for part in parts[1:]:
        knowledge += part
    return knowledge


def _part(part: Any) -> Knowledge:
    if not isinstance(part, dict):
        raise FormatError("'also' must be a list of tables")
    unknown = sorted(set(part) - set(ARGUMENTS))
    if unknown:
        raise FormatError(f"unknown key {unknown[0]!r}; known: {', '.join(ARGUMENTS)}")
    return Knowledge(**part)


def to_toml(document: dict[str, Any]) -> str:
    """TOML of one document: plain keys first, then tables."""
    lines = _toml_lines({key: value for key, value in document.items() if key != "also"})
    for part in document.get("also", []):
        lines += ["", "[[also]]", *_toml_lines(part)]
    return "\n".join(lines) + "\n"


def _toml_lines(table: dict[str, Any]) -> list[str]:
    lines = []
    for key, value in table.items():
        if isinstance(value, list) and value and key != "order":
            lines += [f"{key} = [", *(f"    {_toml_value(item)}," for item in value), "]"]
        elif not isinstance(value, dict):
            lines.append(f"{key} = {_toml_value(value)}")
    for key, value in table.items():
        if isinstance(value, dict):
            lines += [
                "",
                f"[{key}]",
                *(f"{_toml_text(k)} = {_toml_value(v)}" for k, v in value.items()),
            ]
    return lines


def _toml_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _toml_text(value)
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml_value(item)}" for key, item in value.items()) + " }"
    return "[" + ", ".join(_toml_value(item) for item in value) + "]"


def _toml_text(text: str) -> str:
    """A basic string: JSON escapes are TOML escapes, apart from the delete character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")
