"""Prior knowledge: required and forbidden edges, tiers, orders, bounds; one type, one checker."""

from dagwright.knowledge.checking import Violation
from dagwright.knowledge.completion import AppliedKnowledge, apply_knowledge
from dagwright.knowledge.contradictions import Conflict
from dagwright.knowledge.given import as_knowledge
from dagwright.knowledge.knowledge import Knowledge
from dagwright.knowledge.resolved import ResolvedKnowledge

__all__ = [
    "AppliedKnowledge",
    "Conflict",
    "Knowledge",
    "ResolvedKnowledge",
    "Violation",
    "apply_knowledge",
    "as_knowledge",
]
