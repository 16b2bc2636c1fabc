"""Knowledge from before the data are seen, as one immutable value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

from dagwright.base.argument_types import check_options
from dagwright.errors import KnowledgeError
from dagwright.graph.viewable import Viewable
from dagwright.knowledge.contradictions import Conflict, find_conflicts, refuse
from dagwright.knowledge.edges import parse_edges
from dagwright.knowledge.reading import (
    read_groups,
    read_independent,
    read_names,
    read_partial_order,
    read_tiers,
)
from dagwright.knowledge.resolved import ResolvedKnowledge
from dagwright.knowledge.rules import Rules
from dagwright.knowledge.scope import Scope
from dagwright.knowledge.statements import (
    Allowed,
    Continuous,
    Forbidden,
    Independent,
    Leaf,
    MaxParents,
    Order,
    PartialOrder,
    Required,
    Root,
    Statement,
    Tiers,
)
from dagwright.knowledge.writing import documents

if TYPE_CHECKING:
    from dagwright.knowledge.checking import Graph, Violation


@dataclass(frozen=True, init=False, repr=False)
class Knowledge(Viewable):
    """Prior knowledge about the arcs, which every search obeys.

    Wherever a variable can be named, a pattern (`"lab_*"`, `"x?"`) or the name of a group stands for several.
    Knowledge is a set of statements: the order in which they are given does not matter; `a + b` holds both.

    Parameters
    ----------
    required, forbidden
        Edges: `"A -> B"` or `("A", "B")` for an arc, `"A -- B"` for an edge in either direction. Required, it
        must be there one way or the other; forbidden, it may be there neither way.
    tiers
        Sets of variables, earliest first: no arc from a later tier to an earlier one. A tier given as
        `{"nodes": [...], "inner": False}` has no arcs inside it either. A name wins over a pattern and a
        pattern over `"*"`, so that a tier `["*"]` holds all the rest. Variables in no tier are free.
    order
        Variables, earliest first: arcs only forwards. Variables not in it are free.
    partial_order
        Pairs `("A", "B")` or chains `"A < B < C"`: among the variables named, an arc X -> Y needs X before Y,
        so variables that are not comparable are not adjacent. Variables not named are free.
    roots, leaves
        Variables without parents, without children.
    max_parents
        The most parents of every variable, or `{name: bound}`. Where several bounds apply the smallest holds.
    allowed
        A search space: edges or a graph; every arc outside it is forbidden. An edge allows both ways.
    independent
        Expert statements such as `"D1, D2, D3 | R, T"` (independent of each other given R, T) or
        `"A _||_ B, C | R"`; the pairs they speak of are not adjacent (Jensen & Nielsen 2007, section 7.3.2).
    continuous
        Variables that hold numbers: none of them is a parent of a variable that is not named here.
        Conditional linear Gaussian networks need this rule.
    groups
        Names for sets of variables: `{"labs": ["sodium", "potassium", "lab_*"]}`.

    >>> known = Knowledge(tiers=[["age"], ["smoking", "cancer"]], required=["smoking -> cancer"])
    >>> known.resolve(["age", "cancer", "smoking"]).allows("cancer", ["age", "smoking"])
    True
    """

    statements: tuple[Statement, ...]
    groups: tuple[tuple[str, tuple[str, ...]], ...]

    def __init__(
        self,
        *,
        required: Any = (),
        forbidden: Any = (),
        tiers: Sequence[Any] | None = None,
        order: Iterable[str] | None = None,
        partial_order: Any = None,
        roots: str | Iterable[str] = (),
        leaves: str | Iterable[str] = (),
        max_parents: int | Mapping[str, int] | None = None,
        allowed: Any = None,
        independent: Any = (),
        continuous: str | Iterable[str] = (),
        groups: Mapping[str, str | Iterable[str]] | None = None,
    ) -> None:
        said: list[Statement] = [Required(edge) for edge in parse_edges(required)]
        said += [Forbidden(edge) for edge in parse_edges(forbidden)]
        if tiers is not None:
            said.append(Tiers(read_tiers(tiers)))
        if order is not None:
            said.append(Order(read_names(order, "order")))
        if partial_order is not None:
            said.append(PartialOrder(read_partial_order(partial_order)))
        said += [Root(node) for node in read_names(roots, "roots")]
        said += [Leaf(node) for node in read_names(leaves, "leaves")]
        if isinstance(max_parents, Mapping):
            said += [MaxParents(node, most) for node, most in max_parents.items()]
        elif max_parents is not None:
            said.append(MaxParents("*", max_parents))
        if allowed is not None:
            said.append(Allowed(tuple(sorted(set(parse_edges(allowed))))))
        said += [Independent(sides, given) for sides, given in read_independent(independent)]
        if numbers := read_names(continuous, "continuous"):
            said.append(Continuous(numbers))
        self._set(said, read_groups({} if groups is None else groups))

    def _set(self, said: Iterable[Statement], groups: Mapping[str, tuple[str, ...]]) -> None:
        bounds: dict[str, int] = {}
        kept: set[Statement] = set()
        numbers: set[str] = set()  # one statement for all: those of another are discrete for none
        for statement in said:
            if isinstance(statement, Continuous):
                numbers |= set(statement.nodes)
                continue
            if isinstance(statement, MaxParents):
                bounds[statement.node] = min(statement.most, bounds.get(statement.node, statement.most))
            elif not isinstance(statement, (Tiers, Order, PartialOrder)) or _says_something(statement):
                kept.add(statement)
        kept |= {MaxParents(node, most) for node, most in bounds.items()}
        kept |= {Continuous(tuple(sorted(numbers)))} if numbers else set()
        ordered = sorted(kept, key=lambda statement: (statement.kind, repr(statement)))
        object.__setattr__(self, "statements", tuple(ordered))
        object.__setattr__(self, "groups", tuple(sorted(groups.items())))

    @classmethod
    def from_lists(cls, whitelist: Any = (), blacklist: Any = ()) -> Knowledge:
        """Knowledge from a whitelist (required) and a blacklist (forbidden).

        Each is a list of edges, or a table (dataframe) with the columns `from` and `to`. An arc whitelisted
        in both directions is a required edge. An arc on both lists is a contradiction that `resolve`
        reports; no list silently beats the other.

        >>> Knowledge.from_lists(whitelist=[("A", "B"), ("B", "A")], blacklist=[("C", "A")])
        Knowledge(required=['A -- B'], forbidden=['C -> A'])
        """
        from dagwright.knowledge.tables import edges_of_lists

        return cls(
            required=edges_of_lists(whitelist, links=True), forbidden=edges_of_lists(blacklist, links=False)
        )

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Knowledge:
        """Knowledge from a file: `.toml`, `.json`, `.csv` (from, to, kind), else Tetrad's form."""
        from dagwright.knowledge.files import load_knowledge

        return load_knowledge(path)

    def save(self, path: str | PathLike[str]) -> None:
        """Write a file in the form of its ending: `.toml`, `.json`, Tetrad's for `.txt` and `.knowledge`."""
        from dagwright.knowledge.files import save_knowledge

        save_knowledge(self, path)

    def merge(self, other: Knowledge) -> Knowledge:
        """Both statements of knowledge together; search spaces intersect, the smaller parent bound holds."""
        groups = dict(self.groups)
        for name, members in other.groups:
            if groups.setdefault(name, members) != members:
                raise KnowledgeError(
                    f"the group {name!r} has different members in the two; rename one of them"
                )
        merged = Knowledge()
        merged._set((*self.statements, *other.statements), groups)
        return merged

    def without(self, kind: str) -> Knowledge:
        """The knowledge without the statements of one kind, such as "required" or "continuous".

        >>> Knowledge(required="A -> B", continuous="A").without("continuous")
        Knowledge(required=['A -> B'])
        """
        rest = Knowledge()
        rest._set((one for one in self.statements if one.kind != kind), dict(self.groups))
        return rest

    def __add__(self, other: object) -> Knowledge:
        return self.merge(other) if isinstance(other, Knowledge) else NotImplemented

    def __bool__(self) -> bool:
        """False for knowledge without statements."""
        return bool(self.statements)

    def __iter__(self) -> Iterator[Statement]:
        return iter(self.statements)

    def __repr__(self) -> str:
        shown = [
            ", ".join(f"{key}={value!r}" for key, value in document.items())
            for document in documents(self.statements, self.groups)
        ]
        return " + ".join(f"Knowledge({arguments})" for arguments in shown)

    @property
    def named(self) -> frozenset[str]:
        """Everything that the statements and groups name: variables, groups and patterns."""
        return frozenset(_texts((self.statements, self.groups)))

    def resolve(self, names: Iterable[str]) -> ResolvedKnowledge:
        """The knowledge about the variables `names`.

        Raises
        ------
        KnowledgeError
            When names are unknown or statements contradict each other: all of it in one message, each
            contradiction with the fewest statements that make it, in `conflicts` too.
        """
        rules = self._rules(names)
        forbidden = rules.forbidden_mask()
        conflicts = find_conflicts(rules, forbidden)
        if conflicts:
            raise refuse(conflicts)
        return ResolvedKnowledge(self, rules, forbidden)

    def conflicts(self, names: Iterable[str]) -> list[Conflict]:
        """The conflicts that `resolve` would refuse, as a list that is empty for consistent knowledge."""
        rules = self._rules(names)
        return find_conflicts(rules, rules.forbidden_mask())

    def _rules(self, variables: Iterable[str]) -> Rules:
        if isinstance(variables, str):
            raise KnowledgeError(f"give a list of variable names, not the text {variables!r}")
        names = tuple(variables)
        scope = Scope(names, dict(self.groups))
        rules = Rules(names)
        for statement in self.statements:
            statement.add_to(rules, scope)
        rules.problems[:0] = scope.problems
        return rules

    def check(self, graph: Graph) -> list[Violation]:
        """Every violation of the knowledge by a graph; [] if there is none."""
        return self.resolve(graph.nodes).check(graph)

    def require(self, graph: Graph) -> None:
        """Raise KnowledgeError, listing the violations, unless the graph obeys."""
        self.resolve(graph.nodes).require(graph)


def _says_something(statement: Tiers | Order | PartialOrder) -> bool:
    if isinstance(statement, Tiers):
        return bool(statement.tiers)
    return bool(statement.nodes if isinstance(statement, Order) else statement.pairs)


def _texts(part: Any) -> Iterator[str]:
    """The texts in a statement, however deep."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, Iterable):
        for inner in part:
            yield from _texts(inner)
    elif is_dataclass(part):
        for each in fields(part):
            yield from _texts(getattr(part, each.name))


check_options(Knowledge)
