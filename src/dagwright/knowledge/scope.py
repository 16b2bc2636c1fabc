"""From what a statement names (a variable, a pattern, a group) to the variables of one data set."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from dagwright.errors import KnowledgeError, unknown_name


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(re.escape(text).replace(r"\*", ".*").replace(r"\?", "."), re.DOTALL)


class Scope:
    """The variables at hand; what cannot be found is collected in `problems`."""

    def __init__(self, names: Sequence[str], groups: Mapping[str, Sequence[str]]) -> None:
        self.names = tuple(names)
        self.number = {name: at for at, name in enumerate(self.names)}
        self.problems: list[str] = []
        if len(self.number) != len(self.names):
            twice = sorted({name for name in self.names if self.names.count(name) > 1})
            raise KnowledgeError(
                f"variable names must differ, but {', '.join(map(repr, twice))} occurs twice"
            )
        self._groups = dict(groups)
        for group in self._groups:
            if group in self.number:
                self.problems.append(f"the group {group!r} has the name of a variable; rename the group")

    def select(self, item: str, statement: str) -> tuple[int, ...]:
        """The variables an item stands for: a variable's own name first, then a group, then a pattern."""
        return tuple(sorted(self._expand(item, statement)))

    def select_all(self, items: Iterable[str], statement: str) -> tuple[int, ...]:
        return tuple(sorted({at for item in items for at in self.select(item, statement)}))

    def layers(self, layers: Sequence[Sequence[str]], statement: str) -> list[set[int]]:
        """The variables of each layer; a name wins over a pattern, a pattern over "*" (the rest)."""
        found = [[self._expand(item, statement) for item in items] for items in layers]
        strength: dict[int, int] = {}
        for layer in found:
            for part in layer:
                for at, how in part.items():
                    strength[at] = max(how, strength.get(at, how))
        return [{at for part in layer for at, how in part.items() if how == strength[at]} for layer in found]

    def _expand(self, item: str, statement: str, inside: tuple[str, ...] = ()) -> dict[int, int]:
        """Variables, each with how it was found: 2 by its name, 1 by a pattern, 0 by "*"."""
        if item in self.number:
            return {self.number[item]: 2}
        if item in self._groups and item not in inside:
            together: dict[int, int] = {}
            for member in self._groups[item]:
                for at, how in self._expand(member, statement, (*inside, item)).items():
                    together[at] = max(how, together.get(at, how))
            return together
        if "*" in item or "?" in item:
            pattern = _pattern(item)
            found = {at: int(item != "*") for name, at in self.number.items() if pattern.fullmatch(name)}
            if not found:
                self._report(f"{statement}: the pattern {item!r} matches no variable")
            return found
        self._report(f"{statement}: {unknown_name('variable', item, (*self.names, *self._groups))}")
        return {}

    def _report(self, problem: str) -> None:
        if problem not in self.problems:
            self.problems.append(problem)
