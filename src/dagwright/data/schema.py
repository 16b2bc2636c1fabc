"""The columns of a table without its rows: kind, states, cut points and scale of each."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal

from dagwright.base.numbering import Numbering
from dagwright.data.bins import Bins, Scale
from dagwright.data.checks import checked_names
from dagwright.data.origin import PLAIN, Kind, Origin, origin_entry, origin_of
from dagwright.data.state_values import state_from_json, state_to_json
from dagwright.data.states import checked_states, state_key
from dagwright.errors import FormatError, unknown_name
from dagwright.methods.notation import as_code

SchemaKind = Literal["discrete", "continuous", "mixed"]


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Discrete:
    """A column of states in a fixed order.

    Parameters
    ----------
    name, states
        The name of the column and its states. ``1``, ``1.0``, ``True`` and ``"1"`` are four states.
    origin
        Cut points, grouped values and a declared order, for columns that have them.

    >>> Discrete("size", ["S", "M", "L"], Origin(ordered=True)).ordered
    True
    """

    name: str
    states: tuple[Hashable, ...]
    origin: Origin = PLAIN

    is_discrete: ClassVar[bool] = True

    def __init__(self, name: str, states: Sequence[Hashable], origin: Origin = PLAIN) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "states", checked_states(name, states))
        object.__setattr__(self, "origin", origin)

    @property
    def kind(self) -> Kind:
        """The kind of the column in the source; an interval of numbers was continuous there."""
        return "category" if self.origin.bins is None else "continuous"

    @property
    def bins(self) -> Bins | None:
        """The cut points, if the states are intervals."""
        return self.origin.bins

    @property
    def ordered(self) -> bool:
        """Whether the states have an order: intervals, numbers, dates, and declared orders."""
        return self.origin.orders(self.states)

    @property
    def cardinality(self) -> int:
        """Number of states."""
        return len(self.states)

    def _identity(self) -> tuple[Any, ...]:
        return (self.name, tuple(map(state_key, self.states)), self.origin)

    def __eq__(self, other: object) -> bool:
        return self._identity() == other._identity() if isinstance(other, Discrete) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._identity())

    def __repr__(self) -> str:
        return as_code(self)


@dataclass(frozen=True, init=False, repr=False)
class Continuous:
    """A column of numbers.

    Parameters
    ----------
    name
        The name of the column.
    scale
        ``"number"``, or what the numbers count: ``"date"`` is days and ``"datetime"`` is seconds since
        1970-01-01. It is kept in the origin; by default that of ``origin``.
    origin
        Further facts from reading, such as the texts that mark a missing cell.

    >>> Continuous("height").kind
    'continuous'
    """

    name: str
    origin: Origin = PLAIN

    is_discrete: ClassVar[bool] = False
    kind: ClassVar[Kind] = "continuous"
    states: ClassVar[tuple[Hashable, ...]] = ()
    bins: ClassVar[Bins | None] = None
    ordered: ClassVar[bool] = True
    cardinality: ClassVar[int] = 0

    def __init__(self, name: str, scale: Scale | None = None, origin: Origin = PLAIN) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "origin", origin if scale is None else replace(origin, scale=scale))

    @property
    def scale(self) -> Scale:
        """What the numbers count."""
        return self.origin.scale

    def __repr__(self) -> str:
        parts = [f"name={self.name!r}"]
        parts += [f"scale={self.scale!r}"] if self.scale != "number" else []
        rest = replace(self.origin, scale="number")
        parts += [f"origin={as_code(rest)}"] if rest != PLAIN else []
        return f"Continuous({', '.join(parts)})"

    def cut(self, bins: Bins) -> Discrete:
        """The variable after its numbers were cut into intervals."""
        return Discrete(self.name, bins.labels, replace(self.origin, bins=bins, scale="number"))


Variable = Discrete | Continuous


@dataclass(frozen=True, repr=False)
class Schema:
    """The variables of a table, in the order of its columns.

    >>> schema = Schema([Discrete("sex", ["f", "m"]), Continuous("height")])
    >>> schema.kind, schema.names, schema["sex"].states
    ('mixed', ('sex', 'height'), ('f', 'm'))
    >>> Schema.from_json(schema.to_json()) == schema
    True
    """

    variables: tuple[Variable, ...]

    def __init__(self, variables: Iterable[Variable]) -> None:
        object.__setattr__(self, "variables", tuple(variables))
        checked_names(self.names)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the variables."""
        return tuple(variable.name for variable in self.variables)

    @cached_property
    def numbering(self) -> Numbering:
        """The names and their positions."""
        return Numbering(self.names)

    @cached_property
    def continuous(self) -> tuple[str, ...]:
        """Names of the variables that hold numbers."""
        return tuple(variable.name for variable in self.variables if not variable.is_discrete)

    @property
    def kind(self) -> SchemaKind:
        """Whether the columns hold states, numbers, or some of each."""
        if not self.continuous:
            return "discrete"
        return "continuous" if len(self.continuous) == len(self.variables) else "mixed"

    def position(self, name: str) -> int:
        """Position of a variable."""
        try:
            return self.numbering.number[name]
        except (KeyError, TypeError):
            raise unknown_name("column", name, self.names) from None

    def __getitem__(self, name: str) -> Variable:
        return self.variables[self.position(name)]

    def __iter__(self) -> Iterator[Variable]:
        return iter(self.variables)

    def __len__(self) -> int:
        return len(self.variables)

    def __contains__(self, name: object) -> bool:
        return name in self.numbering

    def __repr__(self) -> str:
        return f"Schema([{', '.join(map(repr, self.variables))}])"

    def select(self, names: Iterable[str]) -> Schema:
        """The named variables, in the order given."""
        return Schema(self[name] for name in names)

    def rename(self, mapping: Mapping[str, str]) -> Schema:
        """The same variables under other names."""
        for name in mapping:
            self.position(name)
        return Schema(
            replace(variable, name=mapping[variable.name]) if variable.name in mapping else variable
            for variable in self.variables
        )

    # As JSON

    def entries(self) -> list[dict[str, Any]]:
        """One JSON object for each variable; refused if JSON cannot hold a state."""
        return [_entry(variable) for variable in self.variables]

    @staticmethod
    def of_entries(entries: Sequence[Mapping[str, Any]]) -> Schema:
        """The schema whose `entries` these are."""
        try:
            return Schema(map(_variable, entries))
        except (KeyError, TypeError, ValueError, AttributeError) as problem:
            raise FormatError(f"not the entries of a schema: {problem!r}") from None

    def to_json(self, *, indent: int | None = None) -> str:
        """The schema as JSON text."""
        return json.dumps({"variables": self.entries()}, indent=indent, ensure_ascii=False)

    @staticmethod
    def from_json(text: str) -> Schema:
        """The schema of a text that `to_json` wrote."""
        try:
            document = json.loads(text)
            entries = document["variables"]
        except (ValueError, KeyError, TypeError) as problem:
            raise FormatError(f"not the JSON of a schema: {problem!r}") from None
        return Schema.of_entries(entries)


def _entry(variable: Variable) -> dict[str, Any]:
    if isinstance(variable, Continuous):
        return {"name": variable.name, "scale": variable.scale, **origin_entry(variable.origin)}
    states = [state_to_json(state) for state in variable.states]
    return {"name": variable.name, "states": states, **origin_entry(variable.origin)}


def _variable(entry: Mapping[str, Any]) -> Variable:
    fields = dict(entry)
    origin = origin_of(fields) or PLAIN
    if "states" in fields:
        return Discrete(fields["name"], [state_from_json(state) for state in fields["states"]], origin)
    return Continuous(fields["name"], fields["scale"], origin)
