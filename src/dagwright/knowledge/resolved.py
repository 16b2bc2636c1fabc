"""Knowledge about one list of variables, consistent by construction and compiled for the searches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from dagwright import _core
from dagwright.base.numbering import Numbering
from dagwright.errors import KnowledgeError, OptionError, unknown_name
from dagwright.graph.dag import Dag
from dagwright.knowledge.orientation import Arc, Orientation
from dagwright.knowledge.rules import Mask, Rules
from dagwright.sentences import Argument

if TYPE_CHECKING:
    from dagwright.knowledge.checking import Graph, Violation
    from dagwright.knowledge.knowledge import Knowledge


class ResolvedKnowledge:
    """The result of `Knowledge.resolve`: every question about arcs answered, with the reason.

    A required arc forbids its opposite; a required edge with one way forbidden is an arc the other way.
    `native` is the same knowledge over variable numbers, for searches in the core.

    >>> from dagwright.knowledge import Knowledge
    >>> known = Knowledge(tiers=[["age"], ["blood", "pressure"]]).resolve(["age", "blood", "pressure"])
    >>> known.reason("blood", "age")
    'forbidden by tier 1 before tier 2 (age, blood)'
    """

    __slots__ = (
        "_arcs",
        "_bounds",
        "_forbidden",
        "_links",
        "_rules",
        "knowledge",
        "names",
        "native",
        "numbering",
    )

    knowledge: Knowledge
    names: tuple[str, ...]
    native: _core.Knowledge
    _rules: Rules
    _forbidden: Mask
    _arcs: dict[tuple[int, int], str]
    _links: dict[tuple[int, int], str]
    _bounds: dict[int, int]
    numbering: Numbering

    def __init__(self, knowledge: Knowledge, rules: Rules, forbidden: Mask) -> None:
        forbidden = forbidden.copy()
        arcs: dict[tuple[int, int], str] = {}
        links: dict[tuple[int, int], str] = {}
        for one in rules.requirements:
            if one.directed:
                arcs.setdefault((one.tail, one.head), one.words)
        for one in rules.requirements:
            if one.directed or (one.tail, one.head) in arcs or (one.head, one.tail) in arcs:
                continue
            for tail, head in ((one.tail, one.head), (one.head, one.tail)):
                if forbidden[head, tail]:
                    arcs[tail, head] = f"{one.words}; {rules.reasons(head, tail)[0]}"
                    break
            else:
                links.setdefault((min(one.tail, one.head), max(one.tail, one.head)), one.words)
        native = _core.Knowledge(len(rules.names))
        for tail, head in arcs:
            forbidden[head, tail] = True
            native.require_arc(tail, head)
        for one_end, other_end in links:
            native.require_link(one_end, other_end)
        for child, bound in rules.tightest_bounds().items():
            native.bound_parents(child, bound.most)
        native.forbid_arcs(forbidden)
        forbidden.setflags(write=False)
        values = {
            "knowledge": knowledge,
            "names": rules.names,
            "native": native,
            "_rules": rules,
            "_forbidden": forbidden,
            "_arcs": arcs,
            "_links": links,
            "_bounds": {child: bound.most for child, bound in rules.tightest_bounds().items()},
            "numbering": Numbering(rules.names),
        }
        for slot, value in values.items():
            object.__setattr__(self, slot, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"resolved knowledge cannot be changed ({name})")

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return _resolve_again, (self.knowledge, self.names)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ResolvedKnowledge):
            return NotImplemented
        return (self.knowledge, self.names) == (other.knowledge, other.names)

    def __hash__(self) -> int:
        return hash((self.knowledge, self.names))

    def __repr__(self) -> str:
        return f"<{self.knowledge!r} for {len(self.names)} variables>"

    @property
    def forbidden_arcs(self) -> tuple[Arc, ...]:
        """Every arc that may not be there, sorted by name."""
        return tuple(
            sorted((self.names[tail], self.names[head]) for tail, head in np.argwhere(self._forbidden))
        )

    @property
    def required_arcs(self) -> tuple[Arc, ...]:
        """Every arc that must be there, sorted by name."""
        return tuple(sorted((self.names[tail], self.names[head]) for tail, head in self._arcs))

    @property
    def required_links(self) -> tuple[Arc, ...]:
        """The pairs that must be adjacent and may be directed either way, sorted by name."""
        pairs = [sorted((self.names[one], self.names[other])) for one, other in self._links]
        return tuple(sorted((one, other) for one, other in pairs))

    @property
    def max_parents(self) -> dict[str, int]:
        """The parent bounds, for the variables that have one."""
        return {self.names[child]: most for child, most in sorted(self._bounds.items())}

    def max_parents_of(self, child: str) -> int | None:
        return self._bounds.get(self._at(child))

    def allows_arc(self, source: str, target: str) -> bool:
        return not bool(self._forbidden[self._at(source), self._at(target)])

    def allows(self, child: str, parents: Iterable[str]) -> bool:
        """Whether a child may have exactly these parents."""
        return self.native.allows(self._at(child), sorted({self._at(parent) for parent in parents}))

    def reason(self, source: str, target: str) -> str | None:
        """Why the arc is required or forbidden, in the words of the statements; None when it is free."""
        arc = self._at(source), self._at(target)
        if arc in self._arcs:
            return f"required by {self._arcs[arc]}"
        opposite = self._arcs.get((arc[1], arc[0]))
        reasons = self._rules.reasons(*arc) or ([opposite] if opposite else [])
        return f"forbidden by {'; '.join(reasons)}" if reasons else None

    def link_reason(self, one: str, other: str) -> str | None:
        """The statement that requires the two to be adjacent either way; None when none does."""
        ends = sorted((self._at(one), self._at(other)))
        return self._links.get((ends[0], ends[1]))

    def possible_ancestors(self, *nodes: str) -> frozenset[str]:
        """The other variables that can be ancestors of any of the nodes in a graph that obeys.

        Two variables that are not adjacent are separated by a set of their ancestors, so a test needs to
        condition on no others.
        """
        allowed = ~self._forbidden
        found = np.zeros(len(self.names), dtype=bool)
        front = np.unique([self._at(node) for node in nodes])
        while len(front):
            reached = allowed[:, front].any(axis=1) & ~found
            found |= reached
            front = np.flatnonzero(reached)
        return frozenset(self.names[at] for at in np.flatnonzero(found)) - set(nodes)

    def initial_dag(self, order: Sequence[str] | None = None) -> Dag:
        """A DAG with the required arcs and edges and nothing else.

        An edge that may be directed either way points at the variable that is later in `order`, which is
        `names` by default. A search resolves its knowledge over the canonical order of the columns, so names
        do not decide.
        """
        arcs = Orientation(
            self.required_arcs, self.required_links, self.max_parents, order or self.names
        ).arcs
        return Dag(self.names, arcs)

    def bounded(self, max_parents: int | None) -> ResolvedKnowledge:
        """The knowledge together with a bound on the parents of every variable.

        Raises OptionError where no graph can keep both.
        """
        if max_parents is None or not (self._arcs or self._links):
            return self
        bounds = dict.fromkeys(self.names, max_parents)
        for name, most in self.max_parents.items():
            bounds[name] = min(max_parents, most)
        required = Counter(head for _, head in self.required_arcs)
        for name, count in sorted(required.items()):
            if count > max_parents:
                raise OptionError(
                    Argument("max_parents", max_parents),
                    f", but the knowledge requires {count} parents of {name!r}; allow as many",
                )
        if stuck := Orientation(self.required_arcs, self.required_links, bounds).stuck:
            raise OptionError(
                Argument("max_parents", max_parents),
                ", but the edges that the knowledge requires between "
                f"{', '.join(map(repr, sorted(stuck)))} cannot be oriented within this bound; allow more "
                "parents",
            )
        return self.knowledge.merge(type(self.knowledge)(max_parents=max_parents)).resolve(self.names)

    def check(self, graph: Graph) -> list[Violation]:
        """Every violation of the knowledge by a graph; [] if there is none."""
        from dagwright.knowledge.checking import violations

        return violations(self, graph)

    def require(self, graph: Graph) -> None:
        """Raise KnowledgeError, listing the violations, unless the graph obeys."""
        found = self.check(graph)
        if found:
            raise KnowledgeError(
                "the graph violates the knowledge: " + "; ".join(map(str, found)), conflicts=found
            )

    def count_dags(self) -> int:
        """How many DAGs over the variables obey the knowledge, exactly."""
        from dagwright.knowledge.counting import count_allowed_dags

        return count_allowed_dags(self)

    def _at(self, name: str) -> int:
        try:
            return self.numbering.number[name]
        except KeyError:
            raise unknown_name("variable", name, self.names) from None


def _resolve_again(knowledge: Knowledge, names: tuple[str, ...]) -> ResolvedKnowledge:
    return knowledge.resolve(names)
