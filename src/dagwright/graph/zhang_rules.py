"""The ten orientation rules for graphs with hidden and selection variables (Zhang 2008, Artif. Intell. 172).

Each rule reads a partially oriented graph and replaces circles by what every graph of the class has there. A
star in the comments stands for any mark. Rules 1 to 4 find all arrowheads, 5 to 10 all tails; 5 to 7 have
something to do only under selection.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise

from dagwright.graph.edge_marks import ARROW, CIRCLE, TAIL, EdgeMarks

IsCollider = Callable[[list[int]], bool | None]
"""For a discriminating path, whether its last but one node is a collider; None leaves it open."""

Rule = Callable[[EdgeMarks], int]


def rule_1(marks: EdgeMarks) -> int:
    """a *-> b o-* c with a, c not adjacent: b -> c, else b would be a collider."""
    made = 0
    for b in range(len(marks)):
        into = [a for a in marks.near(b) if marks.is_arrow(a, b)]
        for c in marks.near(b) if into else ():
            if marks.is_circle(c, b) and any(not marks.joined(a, c) for a in into):
                made += marks.put(c, b, TAIL) + marks.put(b, c, ARROW)
    return made


def rule_2(marks: EdgeMarks) -> int:
    """a -> b *-> c or a *-> b -> c, and a *-o c: a *-> c, else there would be a cycle."""
    made = 0
    for a in range(len(marks)):
        middle = [b for b in marks.near(a) if marks.is_arrow(a, b)]
        for c in marks.near(a) if middle else ():
            if marks.is_circle(a, c) and any(
                marks.is_arrow(b, c) and (marks.is_tail(b, a) or marks.is_tail(c, b)) for b in middle
            ):
                made += marks.put(a, c, ARROW)
    return made


def rule_3(marks: EdgeMarks) -> int:
    """a *-> b <-* c, a *-o d o-* c, a and c not adjacent, d *-o b: d *-> b."""
    made = 0
    for b in range(len(marks)):
        into = [v for v in marks.near(b) if marks.is_arrow(v, b)]
        for d in marks.near(b) if len(into) > 1 else ():
            if not marks.is_circle(d, b):
                continue
            sides = [v for v in into if marks.is_circle(v, d)]
            if any(not marks.joined(a, c) for a, c in combinations(sides, 2)):
                made += marks.put(d, b, ARROW)
    return made


def rule_4(marks: EdgeMarks, is_collider: IsCollider) -> int:
    """A discriminating path (d, ..., a, b, c) and b o-* c: b -> c, or a <-> b <-> c if b is a collider."""
    made = 0
    for b in range(len(marks)):
        for c in marks.near(b):
            if not marks.is_circle(c, b):
                continue
            for path in discriminating_paths(marks, b, c):
                collider = is_collider(path)
                if collider is None:
                    continue
                a = path[-3]
                if collider:
                    made += marks.put(a, b, ARROW) + marks.put(b, a, ARROW)
                    made += marks.put(b, c, ARROW) + marks.put(c, b, ARROW)
                else:
                    made += marks.put(c, b, TAIL) + marks.put(b, c, ARROW)
                break
    return made


def discriminating_paths(marks: EdgeMarks, b: int, c: int) -> Iterator[list[int]]:
    """Paths (d, ..., a, b, c): d, c not adjacent, all between d and b colliders and parents of c.

    One for each d, the shortest.
    """
    for a in marks.near(b):
        if a == c or not marks.is_parent(a, c) or not marks.is_arrow(b, a):
            continue
        trail: dict[int, list[int]] = {a: [a, b, c]}
        queue = deque([a])
        while queue:
            here = queue.popleft()
            for before in marks.near(here):
                if before in trail or before in (b, c) or not marks.is_arrow(before, here):
                    continue
                path = [before, *trail[here]]
                if not marks.joined(before, c):
                    trail[before] = path
                    yield path
                elif marks.is_parent(before, c) and marks.is_arrow(here, before):
                    trail[before] = path
                    queue.append(before)


def rule_5(marks: EdgeMarks) -> int:
    """a o-o b and an uncovered circle path (a, c, ..., d, b), a, d and b, c not adjacent: all undirected."""

    def circles(x: int, y: int) -> bool:
        return marks.is_circle(x, y) and marks.is_circle(y, x)

    made = 0
    for a, at_a, at_b, b in marks.ends():
        if at_a != CIRCLE or at_b != CIRCLE or not circles(a, b):
            continue
        for c in sorted(marks.at[a].keys() - marks.at[b].keys() - {b}):
            if not circles(a, c):
                continue
            paths = marks.uncovered_paths((a, c), circles)
            closing = next(
                (path for (d, end), path in paths.items() if end == b and not marks.joined(a, d)), None
            )
            if closing is not None:
                for x, y in [(a, b), *pairwise(closing)]:
                    made += marks.put(x, y, TAIL) + marks.put(y, x, TAIL)
                break
    return made


def rule_6(marks: EdgeMarks) -> int:
    """a -- b o-* c: b -* c."""
    made = 0
    for b in range(len(marks)):
        if any(marks.is_tail(a, b) and marks.is_tail(b, a) for a in marks.near(b)):
            made += sum(marks.put(c, b, TAIL) for c in marks.near(b))
    return made


def rule_7(marks: EdgeMarks) -> int:
    """a -o b o-* c with a, c not adjacent: b -* c."""
    made = 0
    for b in range(len(marks)):
        starts = [a for a in marks.near(b) if marks.is_tail(b, a) and marks.is_circle(a, b)]
        for c in marks.near(b):
            if any(a != c and not marks.joined(a, c) for a in starts):
                made += marks.put(c, b, TAIL)
    return made


def rule_8(marks: EdgeMarks) -> int:
    """a -> b -> c or a -o b -> c, and a o-> c: a -> c."""
    made = 0
    for a, c in _circle_arrows(marks):
        if any(
            marks.is_tail(b, a) and not marks.is_tail(a, b) and marks.is_parent(b, c) for b in marks.near(a)
        ):
            made += marks.put(c, a, TAIL)
    return made


def rule_9(marks: EdgeMarks) -> int:
    """a o-> c, an uncovered potentially directed path (a, b, ..., c), b and c not adjacent: a -> c."""
    made = 0
    for a, c in _circle_arrows(marks):
        for b in sorted(marks.at[a].keys() - marks.at[c].keys() - {c}):
            if not marks.may_lead(a, b):
                continue
            paths = marks.uncovered_paths((a, b), marks.may_lead)
            if any(end == c for _, end in paths):
                made += marks.put(c, a, TAIL)
                break
    return made


def rule_10(marks: EdgeMarks) -> int:
    """a o-> c, b -> c <- d, uncovered potentially directed paths from a to b and to d: a -> c.

    The first nodes of the two paths after a must differ and not be adjacent.
    """
    made = 0
    for a, c in _circle_arrows(marks):
        parents = {b for b in marks.near(c) if marks.is_parent(b, c)}
        if len(parents) < 2:
            continue
        reached = {}
        for first in marks.near(a):
            if first != c and marks.may_lead(a, first):
                ends = {end for _, end in marks.uncovered_paths((a, first), marks.may_lead, avoid=[c])}
                if ends & parents:
                    reached[first] = ends & parents
        if any(
            not marks.joined(one, other) and len(reached[one] | reached[other]) > 1
            for one, other in combinations(reached, 2)
        ):
            made += marks.put(c, a, TAIL)
    return made


def _circle_arrows(marks: EdgeMarks) -> list[tuple[int, int]]:
    """Every (a, c) with a o-> c."""
    pairs = [(a, c) for a in range(len(marks)) for c in marks.near(a)]
    return [(a, c) for a, c in pairs if marks.is_circle(c, a) and marks.is_arrow(a, c)]


def close(marks: EdgeMarks, is_collider: IsCollider) -> Counter[int]:
    """Apply the rules until none applies; how many marks each of them made.

    A rule starts over with the first one, so that tails are looked for when all arrowheads are known.
    """
    rules: dict[int, Rule] = {
        1: rule_1,
        2: rule_2,
        3: rule_3,
        4: lambda marks: rule_4(marks, is_collider),
        5: rule_5,
        6: rule_6,
        7: rule_7,
        8: rule_8,
        9: rule_9,
        10: rule_10,
    }
    made: Counter[int] = Counter()
    while True:
        for number, rule in rules.items():
            if count := rule(marks):
                made[number] += count
                break
        else:
            return made
