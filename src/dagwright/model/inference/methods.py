"""How a question is answered: exactly, by sampling, or by loopy propagation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from dagwright.base.seeds import RandomState
from dagwright.errors import OptionError
from dagwright.methods.traits import MethodTraits
from dagwright.model.inference.engine import MAX_BYTES
from dagwright.sentences import Argument


@dataclass(frozen=True)
class ExactInference(MethodTraits):
    """Variable elimination or a junction tree; refused if one table would exceed ``max_bytes``."""

    summary: ClassVar[str] = "variable elimination or a junction tree"
    citation: ClassVar[str] = "Jensen & Nielsen 2007"
    is_exact: ClassVar[bool] = True

    max_bytes: float = MAX_BYTES

    def __post_init__(self) -> None:
        if not self.max_bytes > 0:
            raise OptionError(f"max_bytes must be positive, not {self.max_bytes}")


@dataclass(frozen=True)
class LikelihoodWeighting(MethodTraits):
    """Rows drawn along the arcs, weighted by how well they predict the evidence (Fung & Chang 1990).

    Attributes
    ----------
    samples
        Rows to draw.
    random_state
        Seed of the random stream; the same seed gives the same answer.
    """

    summary: ClassVar[str] = "weighted samples along the arcs"
    citation: ClassVar[str] = "Fung & Chang 1990"

    samples: int = 100_000
    random_state: RandomState = None

    def __post_init__(self) -> None:
        if self.samples < 1:
            raise OptionError(f"likelihood weighting needs at least one sample, not {self.samples}")


@dataclass(frozen=True)
class LoopyPropagation(MethodTraits):
    """Pearl's messages passed around until they settle (Murphy, Weiss & Jordan 1999).

    Attributes
    ----------
    max_iterations
        Rounds after which it gives up with an error.
    tolerance
        Largest change of a message at which it has settled.
    damping
        Share of the old message that is kept, against oscillation; 0 for none.
    check
        Rows of likelihood weighting against which the answer is held to state its error; 0 for none.
    """

    summary: ClassVar[str] = "messages until they settle"
    citation: ClassVar[str] = "Murphy et al. 1999"

    max_iterations: int = 500
    tolerance: float = 1e-8
    damping: float = 0.0
    check: int = 10_000

    def __post_init__(self) -> None:
        if self.max_iterations < 1:
            raise OptionError(f"loopy propagation needs at least one iteration, not {self.max_iterations}")
        if not (self.tolerance > 0 and math.isfinite(self.tolerance)):
            raise OptionError(f"the tolerance must be positive, not {self.tolerance}")
        if not 0 <= self.damping < 1:
            raise OptionError(f"damping must be at least 0 and below 1, not {self.damping}")
        if self.check < 0:
            raise OptionError(f"check is a number of rows, not {self.check}")


@dataclass(frozen=True)
class AutoInference(MethodTraits):
    """Exact where it fits in memory, otherwise likelihood weighting, otherwise loopy propagation.

    Sampling is trusted when the weighted rows are worth at least ``effective`` equally weighted ones.
    """

    summary: ClassVar[str] = "exact where it fits in memory, else sampling, else messages"

    exact: ExactInference = ExactInference()
    sampling: LikelihoodWeighting = LikelihoodWeighting()
    loopy: LoopyPropagation = LoopyPropagation(damping=0.3)
    effective: float = 1000.0


Method = ExactInference | LikelihoodWeighting | LoopyPropagation | AutoInference
BY_NAME: dict[str, Method] = {
    "exact": ExactInference(),
    "likelihood_weighting": LikelihoodWeighting(),
    "loopy": LoopyPropagation(),
    "auto": AutoInference(),
}


def named_method(method: str | Method) -> Method:
    """The method of a name, or the method itself."""
    if isinstance(method, Method):
        return method
    if method not in BY_NAME:
        raise OptionError(
            Argument("method", method),
            f"; choose one of {', '.join(map(repr, BY_NAME))}",
        )
    return BY_NAME[method]
