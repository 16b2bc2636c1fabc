"""A member of a class of DAGs that has conditional linear Gaussian parameters."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from dagwright.data.schema import Schema
from dagwright.errors import GraphError
from dagwright.graph.dag import Dag
from dagwright.graph.graph_like import GraphLike, as_dag
from dagwright.graph.holders import targets_among
from dagwright.graph.pdag import Pdag
from dagwright.knowledge import Knowledge, apply_knowledge, as_knowledge
from dagwright.model.gaussian.checks import require_continuous_last


def knowledge_for_numbers(knowledge: Knowledge | Mapping[str, Any] | None, schema: Schema) -> Knowledge:
    """The knowledge, and for mixed columns the rule that every graph has parameters: no arc from a number.

    A verb that fits what it learns learns with it.
    """
    known = as_knowledge(knowledge)
    return known + Knowledge(continuous=schema.continuous) if schema.kind == "mixed" else known


def member_for_numbers(
    graph: GraphLike, continuous: Collection[str], order: Sequence[str] | None = None
) -> Dag:
    """A DAG without an arc from a continuous to a discrete node.

    A DAG is taken as it is. Of a learned result or a class of DAGs, an equivalent member is taken whose arcs
    allow it; if there is none, the arc in the way is named. A partially directed graph keeps its directions.

    Parameters
    ----------
    order
        An order of the nodes that settles which member is taken.
    """
    member = as_dag(graph, order=order)
    numbers = set(continuous) & set(member.nodes)
    wrong = [(a, b) for a, b in member.edges if a in numbers and b not in numbers]
    if not wrong or isinstance(graph, Dag):
        require_continuous_last(member, numbers)
        return member
    essential = graph if isinstance(graph, Pdag) else member.cpdag(targets_among(graph))
    applied = apply_knowledge(essential, Knowledge(continuous=sorted(numbers)))
    if applied.conflicts:
        compelled = [(a, b) for a, b in essential.directed_edges if a in numbers and b not in numbers]
        tail, head = (compelled or wrong)[0]
        raise GraphError(
            f"no equivalent graph avoids the edge {tail!r} -> {head!r} from a continuous to a discrete node, "
            "which has no conditional linear Gaussian parameters; learn with the knowledge rule 'continuous' "
            f"for the columns of numbers, or discretize {tail!r}"
        )
    return applied.graph.extension(order)
