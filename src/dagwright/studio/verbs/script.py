"""The Python script and the command line that do what a project does."""

from __future__ import annotations

import re
import shlex
from typing import Any

from dagwright.data import CutPoints
from dagwright.knowledge.files import to_document
from dagwright.methods.notation import as_code
from dagwright.studio.verbs.rows import Settings, knowledge_of, reading_options, source_of
from dagwright.studio.verbs.work import Work

METHOD = re.compile(r"\b(?=[A-Z]\w*\()")
FLAGS = {
    "kinds": "--kind",
    "states": "--states",
    "names": "--name",
    "missing_values": "--missing-value",
    "ordered": "--ordered",
    "exclude": "--exclude",
}
"""Options of the command line that are called otherwise than the arguments of `read`."""


def code(
    work: Work,  # noqa: ARG001
    *,
    source: list[str] | None,
    settings: Settings,
    origin: str | None,
    evidence: dict[str, Any],
    interventions: dict[str, Any],
) -> dict[str, str]:
    """The script and the command for the settings of a project."""
    if source is None:
        return {"python": "import dagwright as dw\n", "command": ""}
    file = source_of(source)
    name = origin if origin is not None and origin.startswith("sample:") else file.name
    reading = reading_options(file, settings)
    how = {
        field: value
        for field, value in settings["learn"].items()
        if value is not None
        and not (field == "search" and value == "Auto()")
        and not (field == "seed" and value == 0)
    }
    return {
        "python": _python(name, reading, how, settings, evidence, interventions),
        "command": _command(name, reading, how, settings),
    }


def _python(
    name: str,
    reading: dict[str, Any],
    how: dict[str, Any],
    settings: Settings,
    evidence: dict[str, Any],
    interventions: dict[str, Any],
) -> str:
    knowledge = knowledge_of(settings)
    options = [f"{_argument(field)}={_method(value)}" for field, value in how.items()]
    if knowledge:
        options.append("knowledge=knowledge")
    if settings["missing"] is not None:
        options.append(f"missing={settings['missing']!r}")
    lines = ["import dagwright as dw", ""]
    read = "".join(f", {field}={_written(value)}" for field, value in reading.items())
    lines.append(f"rows = dw.read({name!r}{read})")
    if knowledge:
        lines.append(f"knowledge = {METHOD.sub('dw.', repr(knowledge))}")
    lines += [f"found = dw.learn({', '.join(['rows', *options])})", "print(found)"]
    if evidence or interventions:
        receiver = f"network.do({interventions!r})" if interventions else "network"
        lines += ["", "network = found.network()", f"print({receiver}.marginals({evidence!r}))"]
    return "\n".join(lines) + "\n"


def _argument(field: str) -> str:
    return {"seed": "random_state"}.get(field, field)


def _method(value: Any) -> str:
    return METHOD.sub("dw.", value) if isinstance(value, str) else repr(value)


def _written(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {_written(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, CutPoints):
        return f"dw.CutPoints({list(value.points)!r})"
    return METHOD.sub("dw.", as_code(value)) if hasattr(value, "__dataclass_fields__") else repr(value)


def _command(name: str, reading: dict[str, Any], how: dict[str, Any], settings: Settings) -> str:
    words = ["dagwright", "learn", name]
    for field, value in reading.items():
        words += _flags(field, value)
    for field, value in how.items():
        words += [f"--{field.replace('_', '-')}", str(value)]
    if settings["missing"] is not None:
        words += ["--missing", settings["missing"]]
    words += _known(settings)
    return shlex.join(words)


def _flags(field: str, value: Any) -> list[str]:
    flag = FLAGS.get(field, f"--{field.replace('_', '-')}")
    if field == "header":
        return [] if value else ["--no-header"]
    if isinstance(value, dict):
        return [word for key, inner in value.items() for word in (flag, f"{key}={_plain(inner)}")]
    if isinstance(value, list | tuple):
        return [word for one in value for word in (flag, str(one))]
    return [flag, str(value)]


def _plain(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return _written(value).removeprefix("dw.") if hasattr(value, "__dataclass_fields__") else str(value)


def _known(settings: Settings) -> list[str]:
    """Edges and tiers as options; what has no option of its own is in the file that the page exports."""
    document = to_document(knowledge_of(settings))
    simple = {"dagwright_knowledge", "required", "forbidden", "tiers"}
    tiers = document.get("tiers", [])
    if not set(document) <= simple or any(isinstance(tier, dict) for tier in tiers):
        return ["--knowledge", "knowledge.toml"]
    words = [word for edge in document.get("required", ()) for word in ("--require", edge)]
    words += [word for edge in document.get("forbidden", ()) for word in ("--forbid", edge)]
    return words + [word for tier in tiers for word in ("--tier", ",".join(tier))]
