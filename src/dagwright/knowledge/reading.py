"""From the arguments of Knowledge to the plain parts of its statements."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from dagwright.errors import KnowledgeError
from dagwright.knowledge.statements import Tier

_INDEPENDENT = re.compile(r"\s*(?:_\|\|_|⊥)\s*")
_BAR = re.compile(r"(?<![|_])\|(?![|_])")

Sides = tuple[tuple[str, ...], ...]


def read_names(value: Any, argument: str) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, Mapping) or not isinstance(value, Iterable):
        raise KnowledgeError(f"{argument} takes names, not {value!r}")
    names = tuple(value)
    for name in names:
        if not isinstance(name, str) or not name:
            raise KnowledgeError(f"{argument} takes names, not {name!r}")
    return names


def read_groups(groups: Any) -> dict[str, tuple[str, ...]]:
    if not isinstance(groups, Mapping):
        raise KnowledgeError(f"groups takes names with their members, {{'labs': ['sodium']}}, not {groups!r}")
    return {
        name: tuple(sorted(set(read_names(members, f"the group {name!r}"))))
        for name, members in groups.items()
    }


def read_tiers(tiers: Any) -> tuple[Tier, ...]:
    if isinstance(tiers, (str, Mapping)) or not isinstance(tiers, Sequence):
        raise KnowledgeError(f"tiers takes a list of tiers, earliest first, not {tiers!r}")
    return tuple(_read_tier(tier) for tier in tiers)


def _read_tier(tier: Any) -> Tier:
    if isinstance(tier, Tier):
        return tier
    inner = True
    nodes = tier
    if isinstance(tier, Mapping):
        if (
            "nodes" not in tier
            or not set(tier) <= {"nodes", "inner"}
            or not isinstance(tier.get("inner", True), bool)
        ):
            raise KnowledgeError(
                f"a tier is a list of names or {{'nodes': [...], 'inner': False}}, not {tier!r}"
            )
        nodes, inner = tier["nodes"], tier.get("inner", True)
    return Tier(tuple(sorted(set(read_names(nodes, "a tier")))), inner)


def read_partial_order(value: Any) -> tuple[tuple[str, str], ...]:
    items = [value] if isinstance(value, str) else value
    if isinstance(items, Mapping) or not isinstance(items, Iterable):
        raise KnowledgeError(f"partial_order takes pairs ('A', 'B') or 'A < B', not {value!r}")
    pairs: set[tuple[str, str]] = set()
    for item in items:
        chain = list(
            read_names(
                [part.strip() for part in item.split("<")] if isinstance(item, str) else item, "partial_order"
            )
        )
        if len(chain) < 2:
            raise KnowledgeError(f"cannot read {item!r} as a step of a partial order; write 'A < B'")
        pairs.update(pairwise(chain))
    return tuple(sorted(pairs))


def read_independent(value: Any) -> list[tuple[Sides, tuple[str, ...]]]:
    if isinstance(value, (str, Mapping)):
        value = [value]
    if not isinstance(value, Iterable):
        raise KnowledgeError(f"independent takes statements such as 'A, B | C', not {value!r}")
    return [_read_independence(item) for item in value]


def _read_independence(item: Any) -> tuple[Sides, tuple[str, ...]]:
    given: Any = ()
    if isinstance(item, str):
        left, *right = _BAR.split(item, maxsplit=1)
        given = _split("".join(right))
        sides = [_split(side) for side in _INDEPENDENT.split(left)]
    elif isinstance(item, Mapping) and set(item) <= {"nodes", "given"} and "nodes" in item:
        sides, given = [read_names(item["nodes"], "independent")], item.get("given", ())
    elif isinstance(item, Mapping) and set(item) <= {"x", "y", "given"} and {"x", "y"} <= set(item):
        sides = [read_names(item[side], "independent") for side in ("x", "y")]
        given = item.get("given", ())
    elif isinstance(item, (tuple, list)) and len(item) in (2, 3):
        sides = [read_names(side, "independent") for side in item[:2]]
        given = item[2] if len(item) == 3 else ()
    else:
        raise KnowledgeError(
            f"cannot read {item!r} as an independence; write 'A, B | C' or ('A', 'B', ['C'])"
        )
    if not all(sides):
        raise KnowledgeError(f"the independence {item!r} names no variables on one side")
    ordered = tuple(sorted(tuple(sorted(set(side))) for side in sides))
    return ordered, tuple(sorted(set(read_names(given, "independent"))))


def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())
