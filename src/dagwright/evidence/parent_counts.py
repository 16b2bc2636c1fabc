"""Structure priors on the number of parents alone.

They are the same for all members of an equivalence class: reversing a covered arc exchanges the numbers of
parents of its two ends.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from dagwright.base.wording import count_of
from dagwright.errors import OptionError
from dagwright.evidence.structure_priors import StructurePrior
from dagwright.graph.graph_like import GraphLike
from dagwright.sentences import Argument


@dataclass(frozen=True)
class FanIn(StructurePrior):
    """Every number of parents is equally likely, and so is every set of k: 1 / C(n - 1, k) for k parents.

    Without a prior of this kind large parent sets are favored because there are more of them: of n - 1
    possible parents C(n - 1, k) sets have k members (Friedman & Koller 2003). Since C(n - 1, k) falls again
    beyond the middle, n - 1 parents weigh as much as none; ``monotone`` keeps the weight from rising. The
    prior depends on the number of variables n, which results name.

    Parameters
    ----------
    variables
        How many variables the networks have; None means those of the data.
    most
        More parents than this are impossible; None means no bound.
    monotone
        1 / C(n - 1, min(k, (n - 1) // 2)), which never rises with k.
    scale
        Multiplies the logarithms. Added to BIC, the scale is the gamma of the extended BIC (Chen & Chen
        2008): 0 is no prior, values below 1 are gentler with few rows.

    >>> round(math.exp(FanIn().log_prior("A -> B; C")), 3)
    0.5
    >>> FanIn(5).parent_counts(5) == FanIn(5).parent_counts(5)[::-1]
    True
    >>> [round(math.exp(-value)) for value in FanIn(5, monotone=True).parent_counts(5)]
    [1, 4, 6, 6, 6]
    >>> [round(math.exp(-2 * value)) for value in FanIn(5, monotone=True, scale=0.5).parent_counts(5)]
    [1, 4, 6, 6, 6]
    """

    summary: ClassVar[str] = "every number of parents equally likely"
    citation: ClassVar[str] = "Friedman & Koller 2003"

    variables: int | None = None
    most: int | None = None
    monotone: bool = False
    scale: float = 1.0
    equivalent = True
    name: ClassVar[str] = "FanIn"

    def __post_init__(self) -> None:
        if self.variables is not None and self.variables < 1:
            raise OptionError(f"a network has at least one variable, not {self.variables}")
        if self.most is not None and self.most < 0:
            raise OptionError(f"the bound on parents must not be negative, but is {self.most}")
        if not 0.0 <= self.scale < math.inf:
            raise OptionError(f"scale must be a finite number of at least 0, not {self.scale}")

    def on(self, names: Sequence[str], cardinalities: Sequence[int], N: float) -> FanIn:  # noqa: ARG002
        if self.variables not in (None, len(names)):
            raise OptionError(
                f"FanIn is for networks of {self.variables} variables, and the data have {len(names)}; "
                "leave ",
                Argument("variables"),
                " out",
            )
        return replace(self, variables=len(names))

    def log_prior(self, graph: GraphLike) -> float:
        dag = self.dag(graph)
        whole = self if self.variables is not None else replace(self, variables=len(dag.nodes))
        return math.fsum(whole.log_family(node, frozenset(dag.parents(node))) for node in dag.nodes)

    def log_family(self, child: str, parents: frozenset[str]) -> float:  # noqa: ARG002
        return self._of_parents(len(parents))

    def parent_counts(self, n: int) -> tuple[float, ...]:
        return tuple(map(self._of_parents, range(n)))

    def _of_parents(self, k: int) -> float:
        if self.variables is None:
            raise OptionError(
                "FanIn must know how many variables there are: give ",
                Argument("variables"),
            )
        others = self.variables - 1
        if k > others or (self.most is not None and k > self.most):
            return -math.inf
        return -self.scale * math.log(math.comb(others, min(k, others // 2) if self.monotone else k))

    def describe(self) -> str:
        bound = "" if self.most is None else f" up to {self.most}"
        rising = ", 1 / C(n - 1, min(k, (n - 1) // 2)) for k parents" if self.monotone else ""
        power = "" if self.scale == 1.0 else f", to the power of {self.scale:g}"
        size = "" if self.variables is None else f", n = {count_of(self.variables, 'variable')}"
        return f"every number of parents{bound} as likely{rising}{power}{size}"


@dataclass(frozen=True)
class ParentCount(StructurePrior):
    """Your own prior on the number of parents.

    Parameters
    ----------
    values
        The logarithm of the weight of 0, 1, 2, ... parents; -inf makes a number impossible, and so are more
        parents than are listed.

    >>> ParentCount([0.0, -1.0, -3.0]).log_prior("A -> C <- B")
    -3.0
    """

    summary: ClassVar[str] = "your own weight for each number of parents"

    values: tuple[float, ...]
    equivalent = True
    name: ClassVar[str] = "ParentCount"

    def __post_init__(self) -> None:
        values = tuple(map(float, self.values))
        if not values or not all(value < math.inf for value in values) or max(values) == -math.inf:
            raise OptionError(
                f"values must be finite logarithms or -inf, at least one of them finite, not {list(values)}"
            )
        object.__setattr__(self, "values", values)

    def log_family(self, child: str, parents: frozenset[str]) -> float:  # noqa: ARG002
        return self._of_parents(len(parents))

    def parent_counts(self, n: int) -> tuple[float, ...]:
        return tuple(map(self._of_parents, range(n)))

    def _of_parents(self, k: int) -> float:
        return self.values[k] if k < len(self.values) else -math.inf

    def describe(self) -> str:
        shown = ", ".join(f"{value:g}" for value in self.values)
        return f"{shown} for 0, 1, ... parents"
