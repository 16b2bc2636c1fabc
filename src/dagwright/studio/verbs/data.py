"""The data report for the page, and the knowledge about its columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dagwright.data import Table, describe
from dagwright.data.survey import Survey, survey
from dagwright.evidence import missingness
from dagwright.knowledge import Knowledge
from dagwright.knowledge.files import from_document, to_document
from dagwright.studio.method_words import in_words
from dagwright.studio.problems import conflict_entry
from dagwright.studio.spelling import POLICIES, beside_controls, on_data_step
from dagwright.studio.verbs.methods import is_method, list_methods, method_of
from dagwright.studio.verbs.rows import (
    Settings,
    Source,
    knowledge_of,
    names_in_file,
    reading_options,
    shown_name,
    source_of,
)
from dagwright.studio.verbs.work import Work

MOST_BARS = 200
MOST_IMPLIED = 60


def data_report(work: Work, *, source: list[str], settings: Settings) -> dict[str, Any]:  # noqa: ARG001
    """The data report, under the settings of the project."""
    file = source_of(source)
    found = survey(Path(file.path), **reading_options(file, settings, every=True))
    named = knowledge_of(settings).named
    left = {name for name, wish in settings["columns"].items() if wish.get("exclude")}
    in_file = _names_in_file(file, settings)
    report = found.report.to_dict()
    actions = {column.name: beside_controls(column.action) for column in found.report.columns}
    columns = [
        _column(
            {**column, "action": actions[column["name"]]},
            found,
            in_file.get(column["name"], column["name"]),
            left,
            named,
        )
        for column in report["columns"]
    ]
    gaps = found.table is not None and any(found.table.missing.values())
    # The library counts the gaps of all columns; the page counts only columns in use.
    counted = _notes_on_gaps(found.table) if gaps and found.table is not None else set()
    notes = [note for note in found.report.notes if note not in counted]
    kept = [column["shown"] for column in columns if not column["excluded"] and not column["left_out"]]
    return {
        **{field: report[field] for field in ("n_rows", "N", "distinct_rows", "merged_rows")},
        "notes": [in_words(on_data_step(note), is_method) for note in notes],
        "summary": found.report.summary,
        "columns": columns,
        "missingness": _gaps(found.table, kept) if gaps and found.table is not None else None,
        "policies": [{"name": name, "label": label} for name, label in POLICIES.items()],
        "rows": {
            "columns": [column["name"] for column in report["columns"]],
            "cells": [[None if cell is None else str(cell) for cell in row] for row in found.rows],
        },
    }


def _names_in_file(file: Source, settings: Settings) -> dict[str, str]:
    if not any(wish.get("rename") or wish.get("part") for wish in settings["columns"].values()):
        return {}
    return {shown_name(name, settings): name for name in names_in_file(file, settings)}


def _notes_on_gaps(table: Table) -> set[str]:
    """What `describe` says of a table of states beyond the table's own notes: how many cells are missing."""
    return set(describe(table).notes) - set(table.notes)


def _gaps(table: Table, kept: list[str]) -> dict[str, Any] | None:
    names = [name for name in table.names if name in kept]
    return missingness(table.select(names)).to_dict() if names else None


def _column(
    column: dict[str, Any], found: Survey, name: str, left: set[str], named: frozenset[str]
) -> dict[str, Any]:
    shown = column["name"]
    counts = found.counts.get(shown, ())
    spread = found.histograms.get(shown)
    origin = None if found.table is None else found.table.origins.get(shown)
    identifier = found.identifiers.get(shown)
    left_out = f"it looks like an identifier ({identifier})" if identifier and shown not in named else None
    states = [str(state) for state in column["states"]]
    cells = states
    if not states and found.table is not None and shown in found.counts:
        cells = [str(state) for state in found.table.states_of(shown)]  # intervals of numbers that are kept
    return {
        **column,
        "name": name,
        "shown": shown,
        "states": states,
        "ordered": origin is not None and origin.ordered,
        "numeric": bool(column["states"]) and all(type(state) in (int, float) for state in column["states"]),
        "excluded": name in left,
        "left_out": left_out,
        "kept_numbers": spread is not None and not spread.cut,
        "bars": [
            {"state": state, "rows": rows}
            for state, rows in zip(cells[:MOST_BARS], counts[:MOST_BARS], strict=False)
        ],
        "other_rows": sum(counts[MOST_BARS:]),
        "histogram": None
        if spread is None
        else {
            "edges": spread.edges,
            "counts": spread.counts,
            "cut_points": spread.cut_points,
            "min": spread.edges[0],
            "max": spread.edges[-1],
            "scale": spread.scale,
        },
    }


def learnable_names(source: list[str], settings: Settings) -> list[str]:
    """The columns that learning will use, as far as their names tell."""
    file = source_of(source)
    left = {name for name, wish in settings["columns"].items() if wish.get("exclude")} | {settings["weights"]}
    return [shown_name(name, settings) for name in names_in_file(file, settings) if name not in left]


def check_knowledge(
    work: Work,  # noqa: ARG001
    *,
    knowledge: dict[str, Any],
    names: list[str] | None,
    source: list[str] | None,
    settings: Settings,
) -> dict[str, Any]:
    """The contradictions of the knowledge, each with the fewest statements that make it."""
    said = from_document(knowledge)
    if names is None:
        names = sorted(said.named) if source is None else learnable_names(source, settings)
    conflicts = said.conflicts(names)
    implied = None
    if not conflicts and len(names) <= MOST_IMPLIED:
        resolved = said.resolve(names)
        implied = {
            "required": [list(arc) for arc in resolved.required_arcs],
            "forbidden": [list(arc) for arc in resolved.forbidden_arcs],
        }
    return {
        "ok": not conflicts,
        "conflicts": [conflict_entry(one) for one in conflicts],
        "text": repr(said),
        "implied": implied,
    }


def read_knowledge(work: Work, *, file: list[str]) -> dict[str, Any]:  # noqa: ARG001
    """The knowledge in a file."""
    return to_document(Knowledge.load(source_of(file).path))


def write_knowledge(work: Work, *, knowledge: dict[str, Any], out: str) -> dict[str, Any]:  # noqa: ARG001
    """The knowledge into a file, in the form of its ending."""
    from_document(knowledge).save(out)
    return {}


def methods(work: Work) -> list[dict[str, Any]]:  # noqa: ARG001
    """Every method of the library."""
    return list_methods()


def check_method(work: Work, *, text: str, kinds: list[Any]) -> dict[str, Any]:  # noqa: ARG001
    """A method as the library writes it."""
    from dagwright.methods.notation import as_code

    return {"text": as_code(method_of(text, *kinds))}
