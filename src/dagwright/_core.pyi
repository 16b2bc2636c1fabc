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

class Table:
    """Coded columns as the core sees them."""

    @staticmethod
    def from_codes(codes: Sequence[Annotated[NDArray, dict(shape=(None,), order='C', device='cpu', writable=False)]], cardinalities: Sequence[int], rows: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> Table: ...

    @property
    def rows(self) -> int: ...

    @property
    def variables(self) -> int: ...

    @property
    def total(self) -> float: ...

class Counter:
    """The counting engine over one table."""

    def __init__(self, table: Table, kernels: str = '', strategy: str | None = None) -> None: ...

    @property
    def kernels(self) -> str: ...

    @property
    def walked_rows(self) -> int: ...

    def choose(self, base: Sequence[int], extension: int) -> str: ...

    def cells(self, variables: Sequence[int], observed: Sequence[int] = []) -> tuple: ...

    def occupied(self, base: Sequence[int], extensions: Sequence[int]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

class CellSums:
    """Sums over cells of sets of variables, with one bounded memo."""

    def __init__(self, table: Table, memo_mib: float = 512.0) -> None: ...

    def canonical_order(self, name_rank: Sequence[int], threads: int = 1) -> tuple: ...

    def cells(self, variables: Sequence[int], observed: Sequence[int] = []) -> tuple: ...

    def statistics(self) -> dict: ...

class Measure:
    """(fit, dim) of sets of variables."""

    def evidence(self, sets: Sequence[Sequence[int]], observed: Sequence[int] = [], threads: int = 1) -> tuple: ...

    @property
    def total(self) -> float: ...

class CountingMeasure(Measure):
    def __init__(self, sums: CellSums, kind: str, ess: float = 0.0) -> None: ...

class PythonMeasure(Measure):
    def __init__(self, measure: object) -> None: ...

class LocalScore:
    """One number per family, larger is better."""

    def local(self, families: Sequence[tuple[int, Sequence[int]]], threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @property
    def tolerance(self) -> float: ...

    @property
    def variables(self) -> int: ...

class CriterionScore(LocalScore):
    def __init__(self, measure: Measure, penalty: float) -> None: ...

class CellScore(LocalScore):
    def __init__(self, sums: CellSums, kind: str, ess: float = 0.0) -> None: ...

class PythonLocalScore(LocalScore):
    def __init__(self, score: object, variables: int, N: float) -> None: ...

def hill_climb(score: LocalScore, knowledge: Knowledge, start: Sequence[Sequence[int]], max_parents: int | None = None, max_steps: int | None = None, threads: int = 1, seconds: float | None = None, progress: object | None = None) -> tuple:
    """
    Greedy hill climbing: (parents per variable, score, trace, evaluations, why it stopped or '').
    """
