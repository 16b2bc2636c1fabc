"""Native core of dagwright: counting, evidence, graphs and search loops."""

from collections.abc import Callable, Iterable, Sequence
import enum
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray


class Stop(enum.Enum):
    """Why a call ended early."""

    deadline = 1

    cancelled = 2

class Event:
    """How far a long call is."""

    @property
    def phase(self) -> str: ...

    @property
    def done(self) -> int: ...

    @property
    def total(self) -> int | None:
        """At the end of the phase, where that is known."""

    @property
    def unit(self) -> str:
        """What is counted."""

    @property
    def best(self) -> float | None:
        """The score of the best network so far."""

    @property
    def bound(self) -> float | None:
        """No network scores more."""

class Listener:
    """A function that is told how far a call is."""

    def __init__(self, tell: Callable[[Event], None], interval: float = 0.05, best_graph: Callable[[float, Sequence[Sequence[int]]], None] | None = None, between_networks: float = 0.5) -> None: ...

class CancelToken:
    """
    A request to stop that any thread can make: give it to a search as ``cancel=`` and call ``cancel()``. The search then returns the best it has. Ctrl-C cancels the token of the call that it interrupts.
    """

    def __init__(self) -> None: ...

    def cancel(self) -> None:
        """Ask everything that holds this token to stop."""

    @property
    def cancelled(self) -> bool:
        """Whether somebody has asked."""

    def __repr__(self) -> str: ...

class MixedGraph:
    """Directed and undirected edges between numbered nodes."""

    def __init__(self, n: int, directed: Annotated[NDArray[numpy.uint32], dict(shape=(None, 2), order='C', device='cpu', writable=False)], undirected: Annotated[NDArray[numpy.uint32], dict(shape=(None, 2), order='C', device='cpu', writable=False)]) -> None: ...

    def __len__(self) -> int: ...

    def same_as(self, other: MixedGraph) -> bool: ...

    def directed(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None, 2))]: ...

    def undirected(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None, 2))]: ...

    def skeleton(self) -> MixedGraph: ...

    def parents(self, node: int) -> list[int]: ...

    def children(self, node: int) -> list[int]: ...

    def neighbors(self, node: int) -> list[int]: ...

    def adjacent(self, a: int, b: int) -> bool: ...

def smallest_topological_order(graph: MixedGraph) -> list[int]: ...

def find_cycle(graph: MixedGraph) -> list[int]: ...

def ancestors(graph: MixedGraph, nodes: Sequence[int]) -> list[int]: ...

def descendants(graph: MixedGraph, nodes: Sequence[int]) -> list[int]: ...

def components(graph: MixedGraph) -> list[list[int]]: ...

def d_separated(graph: MixedGraph, queries: Sequence[tuple[Sequence[int], Sequence[int], Sequence[int]]]) -> list[bool]: ...

def undirected_separated(graph: MixedGraph, queries: Sequence[tuple[Sequence[int], Sequence[int], Sequence[int]]]) -> list[bool]: ...

def moral_graph(graph: MixedGraph, nodes: Sequence[int]) -> MixedGraph: ...

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

def v_structures(graph: MixedGraph) -> list[list[int]]: ...

def essential_graph(graph: MixedGraph, targets: Sequence[Sequence[int]] = []) -> MixedGraph: ...

def sink_order(graph: MixedGraph, knowledge: Knowledge | None = None) -> list[int]: ...

def consistent_extension(graph: MixedGraph) -> MixedGraph | None: ...

def meek_closure(graph: MixedGraph) -> MixedGraph: ...

def is_chordal(graph: MixedGraph) -> bool: ...

def blocks_after_clique(graph: MixedGraph, nodes: Sequence[int], clique: Sequence[int]) -> list[list[int]]: ...

class CliqueChoice:
    """A clique that can come first, and what then follows."""

    @property
    def clique(self) -> list[int]: ...

    @property
    def forbidden(self) -> list[int]:
        """No permutation may begin with so many of its nodes."""

    @property
    def parts(self) -> list[int]:
        """Numbers of subproblems; single nodes are left out."""

class Subproblem:
    """Nodes to orient, and the cliques that can come first."""

    @property
    def nodes(self) -> list[int]: ...

    @property
    def choices(self) -> list[CliqueChoice]: ...

class CliquePickingPlan:
    """How the orientations of undirected chordal components are counted."""

    @property
    def roots(self) -> int:
        """So many of the first subproblems are the components."""

    @property
    def subproblems(self) -> list[Subproblem]: ...

def clique_picking_plan(graph: MixedGraph) -> CliquePickingPlan: ...

def wrong_effects(truth: MixedGraph, node: int, parents: Sequence[int]) -> list[int]: ...

def structural_intervention_distance(truth: MixedGraph, guess: MixedGraph) -> int: ...

def log_gamma(x: float) -> float:
    """log Gamma(x) for x > 0."""

def log_rising(x: float, n: float) -> float:
    """log Gamma(x + n) - log Gamma(x)."""

def chi2_sf(x: float, df: float) -> float:
    """P(chi-squared > x); 1 for df = 0."""

@overload
def log_chi2_sf(x: float, df: float) -> float:
    """log P(chi-squared > x) without underflow."""

@overload
def log_chi2_sf(x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], df: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

def chi2_isf(p: float, df: float) -> float:
    """The x with P(chi-squared > x) = p; 0 for df = 0."""

def log_incomplete_beta(a: float, b: float, log_x: float) -> float:
    """log I_x(a, b), the regularized incomplete beta function."""

def log_f_sf(f: float, df1: float, df2: float) -> float:
    """log P(F > f) without underflow."""

def nml_regret(N: float, q: float) -> float:
    """log C(N, q), the multinomial NML normalizer, in nats."""

class Table:
    """Coded columns as the core sees them."""

    @staticmethod
    def from_codes(codes: Sequence[Annotated[NDArray, dict(shape=(None,), order='C', device='cpu', writable=False)]], cardinalities: Sequence[int], rows: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, unit: float = 0.0) -> Table: ...

    @staticmethod
    def unit_for(sum: float, whole: bool) -> float: ...

    @property
    def rows(self) -> int: ...

    @property
    def variables(self) -> int: ...

    @property
    def total(self) -> float: ...

class Strategy(enum.Enum):
    """How the cells of a set are counted."""

    bitmap = 0

    histogram = 1

    grouped = 2

class Cells:
    """Occurring cells of a set of variables, in the order of their codes."""

    @property
    def codes(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None, None), writable=False)]:
        """One row per cell."""

    @property
    def units(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,), writable=False)]:
        """The count of each cell, in units of the table."""

    @property
    def counts(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The sum of the weights of the rows in each cell."""

class Counter:
    """The counting engine over one table."""

    def __init__(self, table: Table, kernels: str | None = None, strategy: Strategy | None = None) -> None: ...

    @property
    def kernels(self) -> str: ...

    @property
    def walked_rows(self) -> int: ...

    def choose(self, base: Sequence[int], extension: int) -> Strategy: ...

    def cells(self, variables: Sequence[int], observed: Sequence[int] = []) -> Cells: ...

    def occupied(self, base: Sequence[int], extensions: Sequence[int]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

class CellSource:
    """Where the cells of sets of variables come from."""

    def answers(self, questions: Sequence[tuple[Sequence[int], Sequence[int]]], threads: int = 1) -> list[Cells]:
        """The cells for each pair of variables and columns that must be known."""

    @property
    def unit(self) -> float: ...

    @property
    def total(self) -> float: ...

class BlockCells(CellSource):
    """Blocks of rows, whose counts are added up."""

    @staticmethod
    def of_tables(tables: Sequence[Table], kept_mib: float = 256.0) -> BlockCells: ...

    @staticmethod
    def of_rows(table: Table, rows_at_once: int, kept_mib: float = 256.0, draw: tuple[int, int] | None = None) -> BlockCells:
        """draw: the seed and the number of a bootstrap replicate."""

    @property
    def blocks(self) -> int: ...

def poisson_weights(seed: int, replicate: int, begin: int, end: int, means: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """Weights of these rows in a bootstrap replicate."""

class PythonCells(CellSource):
    """An object whose cells(questions) counts a batch of sets."""

    def __init__(self, source: object, *, cardinalities: Sequence[int], incomplete: Sequence[bool], total: float, most_cells: float, whole: bool = True) -> None: ...

class CanonicalOrder:
    """A numbering of the columns that follows from the data."""

    @property
    def order(self) -> list[int]: ...

    @property
    def tied(self) -> list[list[int]]:
        """Groups of columns that the data cannot tell apart."""

    @property
    def complete(self) -> bool:
        """False where the call was stopped."""

class CountStatistics:
    """What the memo of sums over cells was asked."""

    @property
    def hits(self) -> int: ...

    @property
    def misses(self) -> int: ...

    @property
    def forgotten(self) -> int: ...

    @property
    def counted(self) -> int: ...

    @property
    def memo_bytes(self) -> int: ...

class CellSums:
    """Sums over cells of sets of variables, with one bounded memo."""

    @overload
    def __init__(self, table: Table, memo_mib: float = 512.0) -> None: ...

    @overload
    def __init__(self, source: CellSource, memo_mib: float = 512.0) -> None: ...

    @property
    def total(self) -> float: ...

    def canonical_order(self, name_rank: Sequence[int], *, threads: int = 1, seconds: float | None = None, cancel: CancelToken | None = None) -> CanonicalOrder: ...

    def cells(self, variables: Sequence[int], observed: Sequence[int] = []) -> Cells: ...

    def statistics(self) -> CountStatistics: ...

    def remembered(self) -> dict[str, Annotated[NDArray, dict(shape=(None,))]]:
        """Everything remembered, as arrays that remember() takes."""

    def remember(self, *, sizes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], members: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], kinds: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], parameters: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], selection_sizes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], selection_members: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Take up what was remembered; ValueError for what cannot be."""

class SetFits:
    """The evidence of many sets."""

    @property
    def fit(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    @property
    def dim(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

class Measure:
    """(fit, dim) of sets of variables."""

    def evidence(self, sets: Sequence[Sequence[int]], observed: Sequence[int] = [], threads: int = 1) -> SetFits: ...

    @property
    def total(self) -> float: ...

class MeasureKind(enum.Enum):
    """What a counting measure sums over cells."""

    multinomial = 0

    dirichlet = 1

    adaptive = 2

    nml = 3

class CountingMeasure(Measure):
    def __init__(self, sums: CellSums, kind: MeasureKind, ess: float = 0.0) -> None: ...

class PythonMeasure(Measure):
    def __init__(self, measure: object, variables: int) -> None: ...

class LocalScore:
    """One number per family, larger is better."""

    def local(self, families: Sequence[tuple[int, Sequence[int]]], threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @property
    def bounded(self) -> bool:
        """Whether a bound can rule parent sets out unscored."""

    @property
    def tolerance(self) -> float: ...

    @property
    def variables(self) -> int: ...

class CriterionScore(LocalScore):
    def __init__(self, measure: Measure, penalty: float) -> None: ...

class CellScoreKind(enum.Enum):
    """Scores that are sums over cells but no measure."""

    k2 = 0

    bds = 1

    fnml = 2

class CellScore(LocalScore):
    def __init__(self, sums: CellSums, kind: CellScoreKind, ess: float = 0.0) -> None: ...

class ArcPriorScore(LocalScore):
    """A score plus weights of arcs."""

    def __init__(self, score: LocalScore, weights: Sequence[float], base: Sequence[float]) -> None: ...

class ParentCountScore(LocalScore):
    """A score plus a function of the number of parents."""

    def __init__(self, score: LocalScore, values: Sequence[float]) -> None: ...

class ChildScores(LocalScore):
    """A score for each child, on rows of its own."""

    def __init__(self, scores: Sequence[LocalScore], of_child: Sequence[int]) -> None: ...

class PythonLocalScore(LocalScore):
    def __init__(self, score: object, variables: int, N: float) -> None: ...

class MixedTable:
    """Columns of numbers and codes as the core sees them."""

    @staticmethod
    def from_columns(columns: Sequence[Sequence[Annotated[NDArray, dict(shape=(None,), order='C', device='cpu', writable=False)]]], cardinalities: Sequence[int | None], rows: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, unit: float = 0.0) -> MixedTable:
        """
        Each variable as a list of arrays: float64 numbers (NaN is missing) with cardinality None, or one array of codes.
        """

    @property
    def rows(self) -> int: ...

    @property
    def variables(self) -> int: ...

    @property
    def total(self) -> float: ...

    @property
    def complete(self) -> bool: ...

class Grid:
    """The range of a column of numbers."""

    def __init__(self, least: float, largest: float) -> None: ...

    @property
    def least(self) -> float: ...

    @property
    def largest(self) -> float: ...

    def include(self, other: Grid) -> None: ...

    @property
    def center(self) -> float: ...

    @property
    def exponent(self) -> int:
        """Numbers are counted in steps of 2^-exponent."""

def grids_of(table: MixedTable) -> list[Grid]:
    """The grids of the columns of numbers, in order."""

class MomentMatrix:
    """N, means and covariances with divisor N."""

    @property
    def N(self) -> float: ...

    @property
    def means(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @property
    def covariance(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]: ...

    @property
    def resolution(self) -> list[int | None]:
        """
        For each column, how many bits its standard deviation has on its grid; None where it is constant.
        """

class MomentBlocks:
    """Moments of blocks of rows, added exactly."""

    def __init__(self, grids: Sequence[Grid]) -> None: ...

    def add(self, table: MixedTable, threads: int = 1) -> None: ...

    def merge(self, other: MomentBlocks) -> None: ...

    def like(self) -> MomentBlocks:
        """Sums of the same columns, over no rows yet."""

    def __getstate__(self) -> tuple[list[tuple[float, float]], list[tuple[int, float, int, int, int]], int, float, bytes]: ...

    def __setstate__(self, arg: tuple[Sequence[tuple[float, float]], Sequence[tuple[int, float, int, int, int]], int, float, bytes], /) -> None: ...

    def matrix(self) -> MomentMatrix: ...

    def moments(self) -> SetMoments: ...

class SetMoments:
    """Moments of sets of variables."""

    @staticmethod
    def of(table: MixedTable, threads: int = 1) -> SetMoments: ...

    def reordered(self, table: MixedTable, order: Sequence[int]) -> SetMoments:
        """
        The moments of a table of the same rows whose column i is column order[i] here.
        """

    @staticmethod
    def given(N: float, means: Sequence[float], covariance: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> SetMoments: ...

    @property
    def matrix(self) -> MomentMatrix:
        """The moments of the columns of the complete variables."""

    @property
    def variables(self) -> int: ...

class PowerSums:
    """Means of a power of numbers, over blocks of rows."""

    def __init__(self, grids: Sequence[Grid], means: Sequence[float], power: int) -> None: ...

    def add(self, table: MixedTable, threads: int = 1) -> None: ...

    def merge(self, other: PowerSums) -> None: ...

    def like(self) -> PowerSums:
        """Sums of the same columns, over no rows yet."""

    def means(self) -> list[float]: ...

    def __getstate__(self) -> tuple[list[tuple[float, float]], list[float], int, bytes]: ...

    def __setstate__(self, arg: tuple[Sequence[tuple[float, float]], Sequence[float], int, bytes], /) -> None: ...

def signatures(table: MixedTable, threads: int = 1) -> list[list[float]]:
    """What each column is alone."""

def number_signature(variance: float, third: float, fourth: float) -> list[float]:
    """The signature of numbers with these means of powers."""

def canonical_order(signatures: Sequence[Sequence[float]], moments: SetMoments, name_rank: Sequence[int], *, threads: int = 1, seconds: float | None = None, cancel: CancelToken | None = None) -> CanonicalOrder:
    """The canonical order of columns of which some are numbers."""

class GaussianMeasure(Measure):
    def __init__(self, moments: SetMoments) -> None: ...

    @property
    def columns(self) -> list[float]:
        """The number of columns of each variable."""

class BGeMeasure(Measure):
    def __init__(self, moments: SetMoments, *, alpha_mu: float, alpha_w: float, mean: Sequence[float], scale: Sequence[float]) -> None:
        """scale is the diagonal of T, the prior scale matrix."""

class ConditionalGaussianMeasure(Measure):
    def __init__(self, table: MixedTable) -> None: ...

class MemoStatistics:
    """How often a remembered measure was asked."""

    @property
    def requested(self) -> int: ...

    @property
    def computed(self) -> int:
        """Sets that the measure was asked for."""

    @property
    def bytes(self) -> int: ...

class RememberedMeasure(Measure):
    """A measure asked once for each set."""

    def __init__(self, measure: Measure, memo_mib: float = 256.0) -> None: ...

    def statistics(self) -> MemoStatistics: ...

    def remembered(self) -> dict[str, Annotated[NDArray, dict(shape=(None,))]]:
        """Everything remembered, as arrays that remember() takes."""

    def remember(self, *, sizes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], members: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], kinds: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], parameters: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], selection_sizes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], selection_members: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Take up what was remembered; ValueError for what cannot be."""

class Move(enum.Enum):
    """What a step does to an arc."""

    add = 0

    delete = 1

    reverse = 2

class Step:
    """One step of a walk from DAG to DAG."""

    @property
    def move(self) -> Move: ...

    @property
    def source(self) -> int: ...

    @property
    def target(self) -> int: ...

    @property
    def gain(self) -> float: ...

class DagFound:
    """Where a walk from DAG to DAG ended, and how it came there."""

    @property
    def parents(self) -> list[list[int]]: ...

    @property
    def score(self) -> float: ...

    @property
    def trace(self) -> list[Step]: ...

    @property
    def evaluations(self) -> int:
        """Families that were scored."""

    @property
    def stopped(self) -> Stop | None: ...

class ClassMoveKind(enum.Enum):
    """What a step does to an equivalence class."""

    insert = 0

    delete = 1

    turn = 2

class ClassMove:
    """One step from equivalence class to equivalence class."""

    @property
    def move(self) -> ClassMoveKind: ...

    @property
    def source(self) -> int: ...

    @property
    def target(self) -> int: ...

    @property
    def gain(self) -> float: ...

class ClassFound:
    """Where a walk from class to class ended, and how it came there."""

    @property
    def graph(self) -> MixedGraph:
        """The essential graph."""

    @property
    def parents(self) -> list[list[int]]:
        """Of a member that obeys the knowledge."""

    @property
    def score(self) -> float:
        """The score of that member."""

    @property
    def trace(self) -> list[ClassMove]: ...

    @property
    def operators(self) -> int:
        """Moves that were scored."""

    @property
    def families(self) -> int:
        """Families that were scored."""

    @property
    def cut_off(self) -> bool:
        """Whether the limit of families ended the search."""

    @property
    def stopped(self) -> Stop | None: ...

def hill_climb(score: LocalScore, knowledge: Knowledge, start: Sequence[Sequence[int]], *, max_parents: int | None = None, threads: int = 1, seconds: float | None = None, progress: Listener | None = None, first_improvement: bool = False, restarts: int = 0, perturbation: int = 0, seed: int = 0, random_ties: bool = False, first: int = 0, cancel: CancelToken | None = None) -> DagFound: ...

def tabu_search(score: LocalScore, knowledge: Knowledge, start: Sequence[Sequence[int]], *, max_parents: int | None = None, tenure: int = 10, patience: int = 10, random_ties: bool = False, seed: int = 0, threads: int = 1, seconds: float | None = None, progress: Listener | None = None, cancel: CancelToken | None = None) -> DagFound: ...

def anneal(score: LocalScore, knowledge: Knowledge, start: Sequence[Sequence[int]], *, max_parents: int | None = None, temperatures: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], seed: int, threads: int = 1, seconds: float | None = None, progress: Listener | None = None, cancel: CancelToken | None = None) -> DagFound:
    """Simulated annealing, one move per temperature."""

def ges(score: LocalScore, knowledge: Knowledge, start: Sequence[Sequence[int]], *, max_parents: int | None = None, turning: bool = False, threads: int = 1, seconds: float | None = None, progress: Listener | None = None, reuse: bool = True, max_steps: int | None = None, random_ties: bool = False, seed: int = 0, cancel: CancelToken | None = None, extended: bool = False, targets: Sequence[Sequence[int]] = [], max_families: int | None = None) -> ClassFound:
    """Greedy equivalence search."""

def full_graph(score: LocalScore, knowledge: Knowledge, base: Sequence[Sequence[int]], *, max_parents: int | None = None) -> list[list[int]]:
    """
    Every arc forward in the first topological order of base that knowledge allows.
    """

def random_graph(score: LocalScore, knowledge: Knowledge, base: Sequence[Sequence[int]], *, max_parents: int | None, seed: int) -> list[list[int]]:
    """
    base with random arcs that knowledge allows, as many as there are variables.
    """

def tree_graph(score: LocalScore, knowledge: Knowledge, base: Sequence[Sequence[int]], *, max_parents: int | None = None, threads: int = 1, seconds: float | None = None, cancel: CancelToken | None = None) -> list[list[int]]:
    """
    base with the arcs of the spanning forest of largest gain; base itself if stopped.
    """

def maximum_spanning_forest(weights: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], least: float | None = None) -> list[tuple[int, int]]:
    """
    Links (nearer to the root, farther) of the spanning forest of links heavier than least.
    """

class OrderMoves(enum.Enum):
    """How order search changes an order."""

    insert = 1

    swap = 0

class RunningScore:
    """The score after a step of a search over orders."""

    @property
    def phase(self) -> str: ...

    @property
    def step(self) -> int: ...

    @property
    def score(self) -> float: ...

    @property
    def variable(self) -> int | None:
        """The variable that was moved, if any."""

    @property
    def position(self) -> int:
        """Its new position in the order."""

class OrderFound:
    """What order search found, and an account of it."""

    @property
    def parents(self) -> list[list[int]]: ...

    @property
    def score(self) -> float: ...

    @property
    def evaluations(self) -> int: ...

    @property
    def rounds(self) -> int: ...

    @property
    def complete(self) -> bool:
        """Whether the lists had all sets that can be needed."""

    @property
    def list_bytes(self) -> int: ...

    @property
    def running(self) -> list[RunningScore]: ...

    @property
    def stopped(self) -> Stop | None: ...

class BossFound:
    """What best order score search found, and an account of it."""

    @property
    def parents(self) -> list[list[int]]: ...

    @property
    def score(self) -> float: ...

    @property
    def evaluations(self) -> int: ...

    @property
    def moves(self) -> int: ...

    @property
    def deletions(self) -> int: ...

    @property
    def running(self) -> list[RunningScore]: ...

    @property
    def stopped(self) -> Stop | None: ...

def order_search(score: LocalScore, knowledge: Knowledge, start: Sequence[Sequence[int]], *, moves: OrderMoves, chains: int, perturbations: int, evaluations_per_child: int, max_parents: int | None = None, seed: int = 0, threads: int = 1, seconds: float | None = None, progress: Listener | None = None, cancel: CancelToken | None = None) -> OrderFound:
    """Iterated local search over orders."""

def boss(score: LocalScore, knowledge: Knowledge, start: Sequence[Sequence[int]], *, restarts: int = 0, max_parents: int | None = None, backward: bool = True, seed: int = 0, threads: int = 1, seconds: float | None = None, progress: Listener | None = None, cancel: CancelToken | None = None) -> BossFound:
    """Best order score search."""

class CandidateSets:
    """Parent sets with scores per variable, best first."""

    def __init__(self, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], members: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], links: Sequence[tuple[int, int]]) -> None: ...

    def __len__(self) -> int: ...

    @property
    def variables(self) -> int: ...

    @property
    def offsets(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]: ...

    @property
    def scores(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    @property
    def starts(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]: ...

    @property
    def members(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...

    @property
    def links(self) -> list[tuple[int, int]]: ...

class CandidatesFound:
    """Candidate parent sets, and what is known of others."""

    @property
    def sets(self) -> CandidateSets: ...

    @property
    def bounds(self) -> list[float]:
        """No parents of a variable score more."""

    @property
    def bound(self) -> float:
        """No network scores more; infinite where nothing is known."""

    @property
    def evaluations(self) -> int: ...

    @property
    def stopped(self) -> Stop | None: ...

    @property
    def full(self) -> bool:
        """
        Whether most_sets or most_families was reached: not all sets are there.
        """

    @property
    def full_child(self) -> int:
        """The variable where it was reached."""

    @property
    def full_size(self) -> int:
        """The number of parents there."""

def find_candidates(score: LocalScore, knowledge: Knowledge, *, max_parents: int | None = None, least_gain: float = 0.0, most_sets: int | None = None, table_bytes: float = 0.0, before_table: int | None = None, most_families: int | None = None, threads: int = 1, seconds: float | None = None, progress: Listener | None = None, cancel: CancelToken | None = None) -> CandidatesFound: ...

def walked_before_table(variables: int) -> int:
    """
    How many families find_candidates scores one by one before it makes a table.
    """

def table_bytes(score: LocalScore, knowledge: Knowledge) -> float:
    """
    What find_candidates needs for a table of all sets of variables; infinite where it makes none.
    """

class Cluster:
    """A set of variables whose inequality is violated."""

    @property
    def members(self) -> list[int]: ...

    @property
    def order(self) -> int:
        """At least k members have fewer than k parents among the members."""

    @property
    def violation(self) -> float: ...

class ClustersFound:
    """Clusters whose inequality the weights violate."""

    @property
    def clusters(self) -> list[Cluster]:
        """Most violated first."""

    @property
    def complete(self) -> bool:
        """Whether no other cluster is violated."""

class FourNodeCut:
    """A violated facet of the networks over four variables."""

    @property
    def members(self) -> list[int]:
        """By role."""

    @property
    def kind(self) -> int: ...

    @property
    def violation(self) -> float: ...

class FourNodeRow:
    """The inequality of such a facet."""

    @property
    def families(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]: ...

    @property
    def coefficients(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    @property
    def bound(self) -> float: ...

class OrderedChoice:
    """The best families along the best order that was found."""

    @property
    def families(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """One per variable, or none at all."""

    @property
    def loss(self) -> float: ...

class Families:
    """Candidate parent sets of every variable, as bit rows."""

    def __init__(self, sets: CandidateSets) -> None: ...

    def __len__(self) -> int: ...

def violated_clusters(families: Families, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, least: float, most: int, largest_order: int, steps: int) -> ClustersFound: ...

def cluster_row(families: Families, members: Sequence[int], order: int = 1) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
    """The families on the left-hand side of a cluster's inequality."""

def violated_four_node_cuts(families: Families, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, least: float, most: int) -> list[FourNodeCut]:
    """Facets of the networks over four variables that the weights violate."""

def four_node_row(families: Families, members: Sequence[int], kind: int) -> FourNodeRow: ...

def order_by_weights(families: Families, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list[int]:
    """An order in which the families with weight fit well."""

def climb_orders(families: Families, order: Sequence[int], *, rounds: int = 0, seed: int = 0, seconds: float | None = None, cancel: CancelToken | None = None) -> OrderedChoice:
    """Iterated climbing over orders."""

def strong_components(sets: CandidateSets) -> list[list[int]]:
    """Variables that can be in a cycle together, parents' components first."""

class PieceSolution:
    """The best families of some variables, or what is proven."""

    @property
    def entries(self) -> list[int]:
        """Empty where no legal network was found."""

    @property
    def score(self) -> float: ...

    @property
    def bound(self) -> float:
        """No network scores more."""

    @property
    def steps(self) -> int: ...

    @property
    def stopped(self) -> Stop | None: ...

    @property
    def full(self) -> bool:
        """Whether it ended for want of memory."""

class RivalsFound:
    """Networks near the best."""

    @property
    def best(self) -> float:
        """The score of the best network."""

    @property
    def entries(self) -> list[int]:
        """Of the candidate sets, one for each variable and network."""

    @property
    def scores(self) -> list[float]:
        """Descending."""

    @property
    def full(self) -> bool:
        """Whether there are more."""

    @property
    def stopped(self) -> Stop | None: ...

class BestOfArcs:
    """The best networks with one number of arcs."""

    @property
    def score(self) -> float: ...

    @property
    def entries(self) -> list[int]:
        """Empty where there is no such network."""

    @property
    def ties(self) -> int: ...

class Enumerated:
    """Every network: how many, the best, the ties."""

    @property
    def count(self) -> int: ...

    @property
    def best(self) -> float: ...

    @property
    def ties(self) -> list[int]:
        """Entries, one for each variable and network."""

    @property
    def per_arcs(self) -> list[BestOfArcs]:
        """By number of arcs."""

    @property
    def stopped(self) -> Stop | None: ...

def solve_by_subsets(sets: CandidateSets, variables: Sequence[int], *, threads: int = 1, seconds: float | None = None, progress: Listener | None = None, cancel: CancelToken | None = None) -> PieceSolution:
    """
    Dynamic programming over subsets of some variables, all others available to them.
    """

def solve_by_astar(sets: CandidateSets, variables: Sequence[int], *, incumbent: float, tolerance: float, most_nodes: int, threads: int = 1, seconds: float | None = None, progress: Listener | None = None, cancel: CancelToken | None = None) -> PieceSolution:
    """A* search for a network that scores more than the incumbent."""

def find_rivals(sets: CandidateSets, *, within: float, most: int, best_only: bool, threads: int = 1, seconds: float | None = None, progress: Listener | None = None, cancel: CancelToken | None = None) -> RivalsFound:
    """All networks within a distance of the best, or the best of them."""

def enumerate_networks(sets: CandidateSets, *, tolerance: float, seconds: float | None = None, progress: Listener | None = None, cancel: CancelToken | None = None) -> Enumerated: ...

def interactions(measure: Measure, questions: Sequence[tuple[Sequence[int], Sequence[int], Sequence[int]]], observed: Sequence[int] = [], threads: int = 1) -> SetFits:
    """
    Evidence mu(x ; y | z) for questions (x, y, z), each a list of variables.
    """

class TestedPairs:
    """Pairs, the sets given to them, and their answers, as columns."""

    @property
    def x(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,), writable=False)]: ...

    @property
    def y(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,), writable=False)]: ...

    @property
    def members(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,), writable=False)]: ...

    @property
    def ends(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,), writable=False)]: ...

    def facts(self, test: IndependenceTest, threads: int = 1) -> Answers:
        """The answers with all their facts, by the test that gave them."""

class PutBack:
    """Removals that relied on each other, and the one that was taken back."""

    @property
    def region(self) -> list[tuple[int, int]]: ...

    @property
    def edge(self) -> tuple[int, int]: ...

class FoundSkeleton:
    """The links that are left, and what separated the others."""

    @property
    def around(self) -> list[set[int]]: ...

    @property
    def separated(self) -> TestedPairs: ...

    @property
    def alone(self) -> TestedPairs: ...

    @property
    def largest(self) -> TestedPairs: ...

    @property
    def asked(self) -> list[int]: ...

    @property
    def put_back(self) -> list[PutBack]: ...

    @property
    def pairs(self) -> SeparatedPairs:
        """The links and the separated pairs, for what follows from them."""

    @property
    def stopped(self) -> Stop | None: ...

def stable_skeleton(test: IndependenceTest, linked: Annotated[NDArray[numpy.bool_], dict(shape=(None, None), order='C', device='cpu', writable=False)], fixed: Annotated[NDArray[numpy.bool_], dict(shape=(None, None), order='C', device='cpu', writable=False)], ancestors: Annotated[NDArray[numpy.bool_], dict(shape=(None, None), order='C', device='cpu', writable=False)], *, max_size: int | None = None, keep_levels: bool = False, resolve: bool = False, threads: int = 1, seconds: float | None = None, progress: Listener | None = None, cancel: CancelToken | None = None) -> FoundSkeleton:
    """
    What separated each pair by tests of growing size, and how many tests were made of each size.
    """

class CollidersFound:
    """Unshielded triples (a, c, b), a and b not adjacent."""

    @property
    def colliders(self) -> list[tuple[int, int, int]]:
        """The separating set of a and b lacks c."""

    @property
    def open(self) -> list[tuple[int, int, int]]:
        """There is no separating set of a and b."""

class SeparatedPairs:
    """Links, and what separated pairs that are not linked."""

    def __init__(self, around: list[set[int]], x: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], members: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], ends: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def colliders(self) -> CollidersFound: ...

    def uncertain_regions(self) -> list[list[tuple[int, int]]]:
        """Sets of pairs that were separated each because of others in the set."""

class Caveat(enum.Enum):
    """What limits an answer."""

    none = 0

    no_degrees_of_freedom = 1

    too_few_rows = 2

class GaussianNull(enum.Enum):
    """The distribution of a partial correlation of zero."""

    student_t = 0

    fisher_z = 1

class Answers:
    """The answers to a batch of questions, as columns."""

    @property
    def independent(self) -> list[bool]: ...

    @property
    def caveat(self) -> list[Caveat]: ...

    @property
    def statistic(self) -> list[float | None]: ...

    @property
    def df(self) -> list[float | None]: ...

    @property
    def log_p(self) -> list[float | None]: ...

    @property
    def effect(self) -> list[float | None]: ...

    @property
    def gain(self) -> list[float | None]: ...

    @property
    def rows(self) -> list[float]: ...

class IndependenceTest:
    """Answers to independence questions, in batches."""

    def answers(self, triples: list[tuple[Iterable[int], Iterable[int], Iterable[int]]], facts: bool = True, threads: int = 1) -> Answers:
        """
        The answers to triples (x, y, z) of sets of variables; without facts the decisions alone.
        """

    @property
    def variables(self) -> int: ...

class MeasureTest(IndependenceTest):
    """A measure's interaction and a rule."""

    @staticmethod
    def chi_squared(measure: Measure, alpha: float, rows_per_cell: float = 0.0, cardinalities: Sequence[int] = []) -> MeasureTest: ...

    @staticmethod
    def sign(measure: Measure, penalty: Callable[[float], float], *, odds: float = 0.0, arc_cost: float = 0.0, factor_as_statistic: bool = False) -> MeasureTest: ...

    @staticmethod
    def gaussian(measure: Measure, *, kind: GaussianNull, alpha: float, columns: Sequence[float]) -> MeasureTest:
        """
        A Gaussian measure against t, or F where columns are discrete; or against Fisher's z, or Bartlett's chi-squared. columns is the number of columns of each variable.
        """

    @staticmethod
    def threshold(measure: Measure, epsilon: float) -> MeasureTest: ...

class CellTest(IndependenceTest):
    """Pearson's statistic, adjusted degrees of freedom."""

    def __init__(self, measure: CountingMeasure, *, pearson: bool, adjusted: bool, alpha: float, rows_per_cell: float = 0.0) -> None: ...

class ConflictPolicy(enum.Enum):
    """The rule for edges that colliders orient both ways."""

    first = 0

    strongest = 1

    undirected = 2

    bidirected = 3

    error = 4

class ColliderConflict:
    """An edge that colliders orient both ways."""

    @property
    def edge(self) -> tuple[int, int]: ...

    @property
    def forward(self) -> list[tuple[int, int, int]]:
        """They point at its second end."""

    @property
    def backward(self) -> list[tuple[int, int, int]]:
        """They point at its first end."""

class AcceptedColliders:
    """Colliders that contradict neither each other nor the knowledge."""

    @property
    def kept(self) -> list[tuple[int, int, int]]: ...

    @property
    def arcs(self) -> list[tuple[int, int]]:
        """The arcs that follow from them and from the knowledge."""

class ConsistentDag:
    """A DAG close to edges and arcs that may contradict."""

    @property
    def dag(self) -> MixedGraph: ...

    @property
    def dropped(self) -> list[tuple[int, int]]:
        """Edges that the knowledge excludes."""

class OverruledTriples:
    """Where a DAG contradicts what was decided."""

    @property
    def lost(self) -> list[tuple[int, int, int]]:
        """Colliders that the DAG lacks."""

    @property
    def gained(self) -> list[tuple[int, int, int]]:
        """V-structures of the DAG that were decided to be no colliders."""

    @property
    def open_made(self) -> list[bool]:
        """Of each triple that was left open, whether it is a v-structure."""

class SettledColliders:
    """The DAG that follows from colliders, and what it overrules."""

    @property
    def conflicts(self) -> list[ColliderConflict]: ...

    @property
    def disputed(self) -> list[tuple[int, int, int]]:
        """The colliders whose strengths decided."""

    @property
    def strengths(self) -> list[float]: ...

    @property
    def dag(self) -> MixedGraph: ...

    @property
    def dropped(self) -> list[tuple[int, int]]: ...

    @property
    def overruled(self) -> OverruledTriples: ...

    @property
    def asked(self) -> list[int]:
        """Tests by size of the conditioning set."""

    @property
    def stopped(self) -> Stop | None: ...

def settle_colliders(pairs: SeparatedPairs, colliders: Sequence[tuple[int, int, int]], open: Sequence[tuple[int, int, int]], knowledge: Knowledge, policy: ConflictPolicy, *, of_triples: Callable[[Sequence[tuple[int, int, int]]], Sequence[float]], of_pairs: Callable[[Sequence[tuple[int, int]]], Sequence[float]]) -> SettledColliders:
    """
    The DAG that follows from colliders; functions of Python give the strengths.
    """

def settle_tested_colliders(test: IndependenceTest, pairs: SeparatedPairs, colliders: Sequence[tuple[int, int, int]], open: Sequence[tuple[int, int, int]], knowledge: Knowledge, *, policy: ConflictPolicy, stopped: bool = False, threads: int = 1, cancel: CancelToken | None = None) -> SettledColliders:
    """The same; a test of the core gives the strengths."""

def accepted_colliders(ordered: Sequence[tuple[int, int, int]], pairs: SeparatedPairs, knowledge: Knowledge) -> AcceptedColliders:
    """The colliders that contradict neither knowledge nor an earlier one."""

def consistent_dag(edges: Sequence[tuple[int, int]], arcs: Sequence[tuple[int, int]], knowledge: Knowledge, strengths: Callable[[Sequence[tuple[int, int]]], Sequence[float]]) -> ConsistentDag:
    """A consistent extension if there is one, else a DAG close to one."""

def overruled_triples(dag: MixedGraph, pairs: SeparatedPairs, colliders: Sequence[tuple[int, int, int]]) -> OverruledTriples:
    """Where a DAG contradicts the colliders that led to it."""

class EdgeGains:
    """What a link between each two variables gains."""

    @property
    def matrix(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))] | None:
        """None where the call was stopped."""

    @property
    def stopped(self) -> Stop | None: ...

class ArcCountPoint:
    """The best networks with one number of arcs."""

    @property
    def weight(self) -> float: ...

    @property
    def score(self) -> float: ...

    @property
    def heaviest(self) -> list[list[int]]: ...

    @property
    def best(self) -> list[list[int]]: ...

class ArcCountFound:
    """What the search by number of arcs found."""

    @property
    def parents(self) -> list[list[int]]: ...

    @property
    def score(self) -> float: ...

    @property
    def chosen(self) -> bool:
        """False where nothing was admitted."""

    @property
    def frontier(self) -> list[ArcCountPoint]:
        """By number of arcs; points without networks were not reached."""

    @property
    def evaluations(self) -> int: ...

    @property
    def expansions(self) -> int: ...

    @property
    def running(self) -> list[RunningScore]: ...

    @property
    def stopped(self) -> Stop | None: ...

def edge_gains(score: LocalScore, given: Sequence[int] = [], *, threads: int = 1, seconds: float | None = None, progress: Listener | None = None, pairs_per_batch: int = 32768, cancel: CancelToken | None = None) -> EdgeGains: ...

def arc_count_search(*, weight: LocalScore, score: LocalScore, knowledge: Knowledge, base: Sequence[Sequence[int]], expansions: int, max_arcs: int, max_parents: int | None = None, connected: bool = False, one_set: bool = False, every_dag: bool = False, threads: int = 1, seconds: float | None = None, progress: Listener | None = None, cancel: CancelToken | None = None) -> ArcCountFound:
    """
    Best-first search with one set of networks for each number of arcs, or a look at every DAG.
    """

class Sampler:
    """Draws rows from a network."""

    def __init__(self) -> None: ...

    def add(self, cardinality: int, parents: Sequence[int], stream: int, table: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def draw(self, seed: int, first: int, columns: Sequence[Annotated[NDArray, dict(shape=(None,), order='C', device='cpu')]], threads: int) -> None: ...

class Counting(enum.Enum):
    """Whether networks count once, or once for each of their orders."""

    orders = 0

    networks = 1

class WalkKind(enum.Enum):
    """What the states of a Markov chain are."""

    order = 0

    partition = 1

    structure = 2

class Features:
    """The features that are wanted besides the arcs."""

    def __init__(self, *, paths: bool = False, blankets: bool = False, v_structures: bool = False) -> None: ...

class PromisingParents:
    """For each variable, its most promising parents."""

    @property
    def parents(self) -> list[list[int]]: ...

    @property
    def evaluations(self) -> int:
        """Families that were scored."""

    @property
    def stopped(self) -> Stop | None: ...

class ExactPosterior:
    """
    Exact posterior probabilities; empty where not wanted or stopped before.
    """

    @property
    def log_total(self) -> float:
        """The log of the sum of the weights of all networks."""

    @property
    def arcs(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """Row parent, column child."""

    @property
    def paths(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """Row start, column end."""

    @property
    def blankets(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    @property
    def v_structures(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """By (c, a, b) for a -> c <- b."""

    @property
    def stopped(self) -> Stop | None: ...

class TotalWeight:
    """The sum of the weights of all networks."""

    @property
    def log(self) -> float: ...

    @property
    def stopped(self) -> Stop | None: ...

class Collider:
    """a -> c <- b without an edge between a and b."""

    @property
    def a(self) -> int: ...

    @property
    def c(self) -> int: ...

    @property
    def b(self) -> int: ...

    @property
    def weight(self) -> float:
        """Of the networks that have it."""

class NetworkFeatures:
    """The weight of the networks with each feature."""

    @property
    def paths(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """Row start, column end."""

    @property
    def blankets(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    @property
    def v_structures(self) -> list[Collider]: ...

    @property
    def stopped(self) -> Stop | None: ...

class Visits:
    """The states that Markov chains visited, chain after chain."""

    @property
    def per_chain(self) -> int: ...

    @property
    def log_weights(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    @property
    def networks(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,), writable=False)]:
        """Bit rows of parents."""

    @property
    def arcs(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,), writable=False)]:
        """Probabilities given the state; row parent, column child."""

    @property
    def stopped(self) -> Stop | None: ...

class ChainState:
    """Where a Markov chain is."""

    @property
    def state(self) -> list[int]: ...

    @property
    def random(self) -> int:
        """The state of its random numbers."""

    @property
    def proposed(self) -> int: ...

    @property
    def accepted(self) -> int: ...

class FlatScore(LocalScore):
    """Every family scores 0."""

    def __init__(self, variables: int) -> None: ...

class FamilyWeights:
    """The score of every family whose parents are candidates of the child."""

    def __init__(self, score: LocalScore, knowledge: Knowledge, candidates: Sequence[Sequence[int]], *, max_parents: int | None = None, threads: int = 1, seconds: float | None = None, progress: Listener | None = None, cancel: CancelToken | None = None) -> None: ...

    @staticmethod
    def of(candidates: Sequence[Sequence[int]], logs: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], links: Sequence[int]) -> FamilyWeights:
        """From the values that others gave for each variable."""

    @property
    def evaluations(self) -> int: ...

    @property
    def stopped(self) -> Stop | None: ...

    def candidates(self, child: int) -> list[int]: ...

    def logs(self, child: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """By bit mask of the candidates."""

    def links(self, child: int) -> int:
        """
        The bit mask of the candidates that must be joined with the child, either way.
        """

def promising_parents(score: LocalScore, knowledge: Knowledge, *, most: int, max_parents: int | None, within: float, shortlist: int, threads: int = 1, seconds: float | None = None, progress: Listener | None = None, cancel: CancelToken | None = None) -> PromisingParents: ...

def exact_posterior(weights: FamilyWeights, counting: Counting, features: Features, *, threads: int = 1, seconds: float | None = None, progress: Listener | None = None, cancel: CancelToken | None = None) -> ExactPosterior:
    """Exact posterior probabilities of arcs and of the features."""

def log_total_weight(weights: FamilyWeights, counting: Counting, *, threads: int = 1, seconds: float | None = None, cancel: CancelToken | None = None) -> TotalWeight: ...

def exact_posterior_bytes(variables: int, counting: Counting, features: Features, threads: int) -> float: ...

def network_features(networks: Annotated[NDArray[numpy.uint64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, threads: int = 1, seconds: float | None = None, progress: Listener | None = None, cancel: CancelToken | None = None) -> NetworkFeatures:
    """
    The weight of the networks, given as bit rows of parents, with each path, blanket and v-structure.
    """

class GraphSampler:
    """Several Markov chains over networks."""

    def __init__(self, weights: FamilyWeights, kind: WalkKind, seeds: Sequence[int], network: Sequence[Sequence[int]], threads: int = 1) -> None: ...

    def advance(self, *, visits: int, thin: int, with_arcs: bool, threads: int = 1, seconds: float | None = None, cancel: CancelToken | None = None) -> Visits: ...

    @property
    def states(self) -> list[ChainState]: ...

    def restore(self, chain: int, state: Sequence[int], *, random: int, proposed: int, accepted: int) -> None: ...

class MostProbable:
    """The most probable states of some nodes."""

    @property
    def states(self) -> list[int]:
        """In the order of the targets."""

    @property
    def log_probability(self) -> float:
        """Together with the evidence."""

class NetworkTables:
    """The conditional tables of a network as the core sees them."""

    @staticmethod
    def make(names: Sequence[str], cardinalities: Sequence[int], axes: Sequence[Sequence[int]], tables: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]) -> NetworkTables: ...

    @property
    def nodes(self) -> int: ...

    def joint(self, hard: Sequence[tuple[int, int]], soft: Sequence[tuple[int, Sequence[float]]], targets: Sequence[int], max_cells: float) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))] | None:
        """
        P(targets | evidence) over the ascending targets; None if the evidence is impossible.
        """

    def log_evidence(self, hard: Sequence[tuple[int, int]], soft: Sequence[tuple[int, Sequence[float]]], max_cells: float) -> float: ...

    def log_affinity(self, other: NetworkTables, max_cells: float) -> float: ...

    def most_probable(self, hard: Sequence[tuple[int, int]], soft: Sequence[tuple[int, Sequence[float]]], targets: Sequence[int], max_cells: float) -> MostProbable: ...

class JunctionTree:
    """The cliques of a network and the tree that joins them."""

    @staticmethod
    def make(network: NetworkTables, tries: int, seed: int) -> JunctionTree: ...

    @property
    def cliques(self) -> list[list[int]]: ...

    @property
    def edges(self) -> list[tuple[int, int]]: ...

    @property
    def cells(self) -> float: ...

    @property
    def largest_cells(self) -> float: ...

    @property
    def largest(self) -> list[int]: ...

class Propagation:
    """The evidence on a network and the messages it needs."""

    def __init__(self, network: NetworkTables, tree: JunctionTree, max_cells: float) -> None: ...

    def observe(self, hard: Sequence[tuple[int, int]], soft: Sequence[tuple[int, Sequence[float]]]) -> None: ...

    def log_evidence(self) -> float: ...

    def marginals(self, nodes: Sequence[int]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @property
    def messages_sent(self) -> int: ...

class ExpectedCounts:
    """Expected counts of families given a network."""

    @property
    def counts(self) -> list[Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """For each node, in the layout of its table."""

    @property
    def log_likelihood(self) -> float:
        """Of the rows."""

class GroupedRows:
    """
    Rows with missing cells, grouped by what is missing and what is around.
    """

    def __init__(self, network: NetworkTables, table: Table, columns: Sequence[int], target: int | None = None) -> None: ...

    @property
    def groups(self) -> int: ...

    def observed_counts(self) -> list[Annotated[NDArray[numpy.float64], dict(shape=(None,))]]: ...

    def posteriors(self, network: NetworkTables, max_cells: float, threads: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def completions(self, network: NetworkTables, max_cells: float, threads: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def log_likelihoods(self, network: NetworkTables, max_cells: float, threads: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def expected_counts(self, network: NetworkTables, max_cells: float, threads: int) -> ExpectedCounts: ...

def expected_table(rows: Table, network: NetworkTables, max_cells: float, threads: int) -> Table:
    """
    The rows with their missing cells spread over their states by a network.
    """

class NodeAverageScore(LocalScore):
    def __init__(self, sums: CellSums, penalty: float) -> None: ...

class LayerOrder:
    """The order of the vertices within layers."""

    @property
    def layers(self) -> list[list[int]]:
        """From left to right."""

    @property
    def crossings(self) -> int: ...

def order_layers(layer_of: Sequence[int], segments: Sequence[tuple[int, int]], effort: float) -> LayerOrder:
    """The vertices of each layer in an order with few crossings."""

def routes_around(centers: Sequence[tuple[float, float]], sizes: Sequence[tuple[float, float]], edges: Sequence[tuple[int, int]], clear: float, most: int) -> list[list[tuple[float, float]]]:
    """
    For each edge the shortest line between two nodes that goes around the others.
    """
