"""A class of ancestral graphs from marks that need not agree: what is kept is valid, and obeys knowledge."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dagwright import _core
from dagwright.errors import GraphError
from dagwright.graph.edge_marks import ARROW, CIRCLE, TAIL, EdgeMarks
from dagwright.graph.mag import Mag
from dagwright.graph.named_graph import NodeNames
from dagwright.graph.pag import Pag
from dagwright.graph.zhang_rules import close
from dagwright.search.independence.numbered_knowledge import NumberedKnowledge, Pair, as_pair

Strength = Callable[[Sequence[Pair]], list[float]]


def put_knowledge(marks: EdgeMarks, knowledge: NumberedKnowledge) -> None:
    """The marks that knowledge decides: a required arc is ->, one that may not be has an arrowhead behind."""
    for a, b in marks.edges():
        for tail, head in ((a, b), (b, a)):
            if (tail, head) in knowledge.required_arcs:
                marks.put(head, tail, TAIL)
            if (tail, head) in knowledge.forbidden or (head, tail) in knowledge.required_arcs:
                marks.put(head, tail, ARROW)


def class_under_knowledge(member: EdgeMarks, knowledge: NumberedKnowledge) -> EdgeMarks:
    """The marks that all members of the class of a maximal ancestral graph share if they also obey the
    knowledge.
    """
    marks = EdgeMarks(len(member), member.edges())
    put_knowledge(marks, knowledge)
    marks.put_colliders(member.colliders())
    close(marks, lambda path: member.is_collider(*path[-3:]))
    return marks


def settled(
    marks: EdgeMarks,
    knowledge: NumberedKnowledge,
    strength: Strength,
    without_knowledge: EdgeMarks | None = None,
) -> EdgeMarks:
    """The marks themselves if they are a class; else those of the class of a graph near them.

    ``without_knowledge`` are the marks that the answers alone lead to. Where those are a class and knowledge
    only adds to them, the marks stay.
    """
    names = NodeNames(f"{at:09d}" for at in range(len(marks)))
    member = _member(names, marks, knowledge)
    if member is None and without_knowledge is not None:
        added = (
            not overruled(without_knowledge, marks) and is_consistent(marks) and _satisfies(marks, knowledge)
        )
        if added and Pag._of_marks(names, without_knowledge).is_valid():
            return marks
    if member is None:
        member = _near_member(names, marks, knowledge)
    return class_under_knowledge(_dag(marks, knowledge, strength) if member is None else member, knowledge)


def is_consistent(marks: EdgeMarks) -> bool:
    """Whether no arrowhead stands at an ancestor of the other end, and none beside an undirected edge."""
    above = [marks.ancestors(node) for node in range(len(marks))]
    for a, b in marks.edges():
        if any(marks.is_arrow(tail, head) and head in above[tail] for tail, head in ((a, b), (b, a))):
            return False
        if marks.is_tail(a, b) and marks.is_tail(b, a):
            near = [(other, end) for end in (a, b) for other in marks.near(end)]
            if any(marks.is_arrow(other, end) for other, end in near):
                return False
    return True


def _member(names: NodeNames, marks: EdgeMarks, knowledge: NumberedKnowledge) -> EdgeMarks | None:
    try:
        mag = Pag._of_marks(names, marks).mag()
    except GraphError:
        return None
    found = mag._marks()
    return found if mag.is_maximal() and _satisfies(found, knowledge) else None


def _satisfies(marks: EdgeMarks, knowledge: NumberedKnowledge) -> bool:
    arcs = [arc for edge in marks.edges() for arc in (edge, edge[::-1])]
    return (
        all(knowledge.may_link(*edge) for edge in marks.edges())
        and all(marks.is_arrow(head, tail) for tail, head in arcs if (tail, head) in knowledge.forbidden)
        and all(marks.is_parent(*arc) for arc in arcs if arc in knowledge.required_arcs)
    )


def _near_member(names: NodeNames, marks: EdgeMarks, knowledge: NumberedKnowledge) -> EdgeMarks | None:
    """A maximal ancestral graph with the same edges, perhaps some more; None if knowledge has no room."""
    order = _order(marks, knowledge)
    rank = {node: at for at, node in enumerate(order)}
    graph = EdgeMarks(len(marks))
    for a, b in marks.edges():
        first, last = (a, b) if rank[a] < rank[b] else (b, a)
        both = marks.is_arrow(last, first) or (first, last) in knowledge.forbidden
        graph.join(first, last, ARROW if both else TAIL, ARROW)
    if not _made_ancestral(graph, knowledge):
        return None
    try:
        mag = Mag._of_marks(names, graph)
    except GraphError:
        return None
    for start, end in mag.inseparable():
        a, b = names.number(start), names.number(end)
        if not knowledge.may_link(a, b):
            return None
        before_b, before_a = a in graph.ancestors(b), b in graph.ancestors(a)
        graph.join(a, b, TAIL if before_b else ARROW, TAIL if before_a else ARROW)
    try:
        complete = Mag._of_marks(names, graph).is_maximal()
    except GraphError:
        return None
    return graph if complete and _satisfies(graph, knowledge) else None


def _order(marks: EdgeMarks, knowledge: NumberedKnowledge) -> list[int]:
    """Causes first, as far as the marks agree on it; required arcs always point forward."""
    left = set(range(len(marks)))
    placed: list[int] = []
    required_parents: dict[int, list[int]] = {}
    touched = [set(near) for near in marks.at]
    for parent, child in knowledge.required_arcs:
        required_parents.setdefault(child, []).append(parent)
        touched[parent].add(child)

    def hindrance(node: int) -> tuple[int, int, int, int]:
        required = sum(parent in left for parent in required_parents.get(node, ()))
        causes = sum(
            marks.is_arrow(v, node) and not marks.is_arrow(node, v) for v in marks.at[node] if v in left
        )
        # As in maximum cardinality search, which directs a chordal part without new colliders.
        undecided = sum(marks.is_circle(v, node) for v in marks.at[node] if v not in left)
        return required, causes, -undecided, node

    hindered = [hindrance(node) for node in range(len(marks))]
    while left:
        node = min(left, key=hindered.__getitem__)
        placed.append(node)
        left.discard(node)
        for other in touched[node] & left:
            hindered[other] = hindrance(other)
    return placed


def _made_ancestral(graph: EdgeMarks, knowledge: NumberedKnowledge) -> bool:
    """Direct a <-> b where a is an ancestor of b; where knowledge forbids it, undo arcs on the way."""
    while broken := _broken(graph):
        directed = [(a, b) for a, b in broken if (a, b) not in knowledge.forbidden]
        if not directed:
            break
        for a, b in directed:
            graph.join(a, b, TAIL, ARROW)
    while broken := _broken(graph):
        a, b = broken[0]
        above = graph.ancestors(b)
        arc = next(
            (
                (tail, head)
                for head in sorted(above)
                for tail in graph.near(head)
                if graph.is_parent(tail, head)
                and a in graph.ancestors(tail)
                and (tail, head) not in knowledge.required_arcs
            ),
            None,
        )
        if arc is None:
            return False
        graph.join(*arc, ARROW, ARROW)
    return True


def _broken(graph: EdgeMarks) -> list[Pair]:
    """Every (a, b) with a <-> b and a an ancestor of b."""
    pairs = [(a, b) for a, at_a, at_b, b in graph.ends() if at_a == at_b == ARROW]
    above = {node: graph.ancestors(node) for pair in pairs for node in pair}
    return [(a, b) for edge in pairs for a, b in (edge, edge[::-1]) if a in above[b]]


def _dag(marks: EdgeMarks, knowledge: NumberedKnowledge, strength: Strength) -> EdgeMarks:
    """A DAG is a maximal ancestral graph, and there is always one that obeys."""
    arcs = [
        (tail, head)
        for a, b in marks.edges()
        for tail, head in ((a, b), (b, a))
        if marks.is_arrow(tail, head) and not marks.is_arrow(head, tail)
    ]
    free = knowledge.unbounded()
    arcs += sorted(knowledge.one_way(marks.edges()))
    found = _core.consistent_dag(marks.edges(), arcs, free.native, strength).dag
    graph = EdgeMarks(len(marks))
    for child in range(len(marks)):
        for parent in found.parents(child):
            graph.join(parent, child, TAIL, ARROW)
    return graph


def overruled(before: EdgeMarks, after: EdgeMarks) -> list[Pair]:
    """The pairs whose marks were settled otherwise than the answers say; filled circles do not count."""

    def differs(a: int, b: int) -> bool:
        if before.joined(a, b) != after.joined(a, b):
            return True
        return any(
            before.joined(*end) and before.at[end[0]][end[1]] not in (CIRCLE, after.at[end[0]][end[1]])
            for end in ((a, b), (b, a))
        )

    edges = {as_pair(*edge) for edge in [*before.edges(), *after.edges()]}
    return sorted(edge for edge in edges if differs(*edge))
