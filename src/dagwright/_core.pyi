"""Native core of dagwright: counting, evidence, graphs and search loops."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray


class Knowledge:
    """Compiled knowledge over variable numbers."""

    def __init__(self, n: int) -> None: ...

    def __len__(self) -> int: ...

    def empty(self) -> bool: ...

    def allows_arc(self, source: int, target: int) -> bool: ...

    def requires_arc(self, source: int, target: int) -> bool: ...

    def requires_link(self, a: int, b: int) -> bool: ...

    def max_parents(self, child: int) -> int | None: ...

    def allows(self, child: int, parents: Sequence[int]) -> bool: ...

    def allowed_parents(self, child: int) -> list[int]: ...

    def required_arcs(self) -> list[tuple[int, int]]: ...

    def required_links(self) -> list[tuple[int, int]]: ...

    def forbid_arc(self, source: int, target: int) -> None: ...

    def forbid_arcs(self, mask: Annotated[NDArray[numpy.bool_], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

    def require_arc(self, source: int, target: int) -> None: ...

    def require_link(self, a: int, b: int) -> None: ...

    def bound_parents(self, child: int, most: int) -> None: ...

    def renumbered(self, permutation: Sequence[int]) -> Knowledge: ...

def log_gamma(x: float) -> float:
    """log Gamma(x) for x > 0."""

def log_rising(x: float, n: float) -> float:
    """log Gamma(x + n) - log Gamma(x)."""

def chi2_sf(x: float, df: float) -> float:
    """P(chi-squared > x); 1 for df = 0."""

def log_chi2_sf(x: float, df: float) -> float:
    """log P(chi-squared > x) without underflow."""

def chi2_isf(p: float, df: float) -> float:
    """The x with P(chi-squared > x) = p; 0 for df = 0."""

def nml_regret(N: float, q: float) -> float:
    """log C(N, q), the multinomial NML normaliser, in nats."""
