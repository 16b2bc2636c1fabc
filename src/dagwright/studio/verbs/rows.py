"""From a file and the settings of a project to the rows that the library works on."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from dagwright.data import CutPoints, Table, read_to_learn
from dagwright.data.dates import part_name
from dagwright.data.sources import Opening, open_source
from dagwright.errors import OptionError
from dagwright.knowledge import Knowledge
from dagwright.knowledge.files import from_document
from dagwright.studio.verbs.methods import CUTTING, method_of

Made = TypeVar("Made")
Settings = dict[str, Any]
"""The fields of a project's state that say how to read and to learn."""


class Remembered:
    """A few things by what they were made from; the one used longest ago goes first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[str, Any] = OrderedDict()

    def get(self, key: Any, make: Callable[[], Made]) -> Made:
        """The thing of a key, made now if it is not there."""
        text = json.dumps(key, sort_keys=True)
        if text not in self._kept:
            self._kept[text] = make()
        self._kept.move_to_end(text)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        found: Made = self._kept[text]
        return found


_tables = Remembered(3)
_names = Remembered(20)


class Source(NamedTuple):
    """A file of the project, in a folder that only the server and its workers see."""

    path: str
    name: str


def source_of(given: list[str] | None) -> Source:
    """The file that a call is about."""
    if given is None:
        raise OptionError("this project has no data yet; open a file or a sample first")
    return Source(*given)


def names_in_file(source: Source, settings: Settings) -> list[str]:
    """The columns of the file under the names they have in it."""
    reading = settings["reading"]
    return _names.get(
        [source.path, reading],
        lambda: [column.name for column in open_source(Path(source.path), Opening(**opening(reading)))],
    )


def opening(reading: dict[str, Any]) -> dict[str, Any]:
    """How to open the file, as `read` takes it."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in reading.items()}


def read_name(name: str, settings: Settings) -> str:
    """The name that a person gave to a column of the file."""
    return settings["columns"].get(name, {}).get("rename") or name


def shown_name(name: str, settings: Settings) -> str:
    """The name of a column of the file in the network: a part of dates has its own."""
    part = settings["columns"].get(name, {}).get("part")
    return part_name(read_name(name, settings), part) if part else read_name(name, settings)


def reading_options(source: Source, settings: Settings, *, every: bool = False) -> dict[str, Any]:
    """The options of `read` that the settings amount to; ``every``: also for excluded columns."""
    options: dict[str, Any] = opening(settings["reading"])
    columns = {name: wish for name, wish in settings["columns"].items() if wish}
    if any(wish.get("rename") for wish in columns.values()):
        options["names"] = [read_name(name, settings) for name in names_in_file(source, settings)]
    kinds: dict[str, str] = {}
    states, discretize, rare, dates, ordered, left = {}, {}, {}, {}, [], []
    for name, wish in columns.items():
        shown = read_name(name, settings)
        if wish.get("exclude"):
            left.append(shown)
            if not every:
                continue
        if wish.get("part") is not None:
            dates[shown] = wish["part"]
            shown = shown_name(name, settings)
        if (kind := wish.get("kind")) is not None:
            kinds[shown] = "continuous" if kind == "number" else "category"
            if kind == "ordered":
                ordered.append(shown)
        if wish.get("cut_points") is not None:
            discretize[shown] = CutPoints(wish["cut_points"])
        elif wish.get("rule") is not None:
            discretize[shown] = method_of(wish["rule"], CUTTING)
        if wish.get("states") is not None:
            states[shown] = wish["states"]
        if wish.get("rare") is not None:
            rare[shown] = wish["rare"]
    made = {
        "kinds": kinds,
        "states": states,
        "discretize": discretize,
        "rare": rare,
        "dates": dates,
        "ordered": tuple(ordered),
        "exclude": () if every else tuple(left),
    }
    options |= {name: value for name, value in made.items() if value}
    if settings["weights"] is not None:
        options["weights"] = read_name(settings["weights"], settings)
    return options


def knowledge_of(settings: Settings) -> Knowledge:
    """The knowledge of a project."""
    return from_document(settings["knowledge"])


def table_of(source: Source, settings: Settings) -> Table:
    """The rows to learn from, read once for the same settings."""
    knowledge = knowledge_of(settings)
    key = [source.path, *(settings[field] for field in ("reading", "columns", "weights", "knowledge"))]
    return _tables.get(
        key,
        lambda: read_to_learn(Path(source.path), knowledge.named, **reading_options(source, settings)),
    )
