"""Learning from data: the call `learn`, its result, resampling, validation and local questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dagwright.base.lazy_names import lazy_names

if TYPE_CHECKING:
    from dagwright.learning.cross_validation import CrossValidation
    from dagwright.learning.edge_evidence import EvidenceCard
    from dagwright.learning.faithfulness import Faithfulness
    from dagwright.learning.learned_comparison import LearnedComparison
    from dagwright.learning.neighborhood import Neighborhood
    from dagwright.learning.robustness import Robustness

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "cross_validation": "CrossValidation",
        "edge_evidence": "EvidenceCard",
        "faithfulness": "Faithfulness",
        "learned_comparison": "LearnedComparison",
        "neighborhood": "Neighborhood",
        "robustness": "Robustness",
    },
)
