"""The strength of each edge, in one form for exact posteriors, samples of networks and resampling."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dagwright.base.documents import as_json, parsed_json, require_fields
from dagwright.base.json_numbers import read_numbers, written_numbers
from dagwright.base.wording import count_of
from dagwright.confidence.wilson import wilson
from dagwright.errors import FormatError, OptionError, unknown_name
from dagwright.graph.dag import Dag
from dagwright.graph.viewable import Drawable

if TYPE_CHECKING:
    from dagwright.confidence.averaging import AveragedGraph
    from dagwright.confidence.calibration import EdgeCalibration
    from dagwright.confidence.difference import ConfidenceDifference
    from dagwright.graph.pdag import Pdag
    from dagwright.knowledge import Knowledge

FORMAT = "dagwright-confidence"
FORMAT_VERSION = 1
MATRICES = ("arcs", "undirected", "arc_errors", "edge_errors", "paths", "blankets")
Matrix = NDArray[np.float64]
JSON_FIELDS = {
    "nodes": list[str],
    "source": str,
    "effective_samples": float | None,
    "arcs": list[list[float]],
    **dict.fromkeys(MATRICES[1:], list[list[float]] | None),
    "v_structures": list[tuple[str, str, str, float]] | None,
    "features": dict[str, tuple[float, float]],
}


class Estimate(NamedTuple):
    """A probability and its standard error, 0 where it is exact."""

    probability: float
    error: float = 0.0


class EdgeConfidence(NamedTuple):
    """One edge: ``start -> end`` is its likelier direction.

    ``strength`` is the probability that the two are joined at all, ``direction`` that of the arrow given that
    they are joined (an undecided edge counts half for each way), ``low`` and ``high`` are the 95 % interval
    of the strength, ``direction_low`` and ``direction_high`` that of the direction.
    """

    start: str
    end: str
    strength: float
    direction: float
    low: float
    high: float
    direction_low: float
    direction_high: float

    def __str__(self) -> str:
        spread = "" if self.low == self.high else f" ({self.low:.3f} to {self.high:.3f})"
        return (
            f"{self.start} -> {self.end}  {self.strength:.3f}{spread}, in this direction {self.direction:.3f}"
        )


@dataclass(frozen=True, eq=False)
class Confidence(Drawable):
    """Probabilities of arcs, edges and other features of a network.

    The origin of the numbers makes no difference here; `source` states it.

    Parameters
    ----------
    nodes
        The names; rows and columns of the matrices have their order.
    arcs
        Entry (i, j) is the probability of the arc from node i to node j.
    source
        Where the numbers come from.
    undirected
        Where the graphs were classes: the probability of an undecided edge, symmetric.
    arc_errors, edge_errors
        Standard errors of `arcs` and of the strengths; None where the numbers are exact.
    effective_samples
        How many independent graphs the numbers are worth; None where they are exact.
    paths, blankets
        Entry (i, j) is the probability of a directed path from i to j, or that j is in the Markov blanket
        of i; None where they were not computed.
    v_structures
        The probability of ``a -> c <- b`` without an edge between a and b, by (a, c, b) with a before b by
        name; None where they were not computed. One that is not listed never occurred.
    features
        Probabilities of features that the user defined, by name.
    graphs
        The DAGs and classes of DAGs that were counted, where they are known; files do not keep them.

    >>> sure = Confidence(("A", "B"), [[0.0, 0.6], [0.3, 0.0]], source="an example")
    >>> sure.arc("A", "B"), round(sure.strength("A", "B"), 3), round(sure.direction("A", "B"), 3)
    (0.6, 0.9, 0.667)
    >>> print(sure.consensus())
    A -> B
    """

    nodes: tuple[str, ...]
    arcs: Matrix
    source: str
    undirected: Matrix | None = None
    arc_errors: Matrix | None = None
    edge_errors: Matrix | None = None
    effective_samples: float | None = None
    paths: Matrix | None = None
    blankets: Matrix | None = None
    v_structures: Mapping[tuple[str, str, str], float] | None = None
    features: Mapping[str, Estimate] = field(default_factory=dict)
    graphs: tuple[Pdag, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "nodes", tuple(self.nodes))
        if len(set(self.nodes)) != len(self.nodes):
            raise OptionError("the nodes of a confidence must have different names")
        for name in MATRICES:
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, self._checked(name, value))
        together = self._strengths()
        if np.any(together > 1 + 1e-6):
            raise OptionError("the probabilities of the directions of an edge add up to more than 1")

    def _checked(self, name: str, value: ArrayLike) -> Matrix:
        matrix = np.array(value, dtype=np.float64)
        n = len(self.nodes)
        if matrix.shape != (n, n):
            raise OptionError(f"{name} of {n} nodes is a {n} x {n} matrix, not one of shape {matrix.shape}")
        most = math.inf if name.endswith("errors") else 1 + 1e-6
        if not np.all((matrix >= 0) & (matrix <= most)):
            raise OptionError(f"{name} must hold numbers from 0 to 1")
        if np.any(np.diagonal(matrix)):
            raise OptionError(f"{name} has an entry other than 0 on its diagonal")
        matrix.setflags(write=False)
        return matrix

    def _joined(self) -> Matrix:
        joined = self.arcs + self.arcs.T
        return joined if self.undirected is None else joined + self.undirected

    def _strengths(self) -> Matrix:
        """The sums over the states of an edge: 200 of 200 replicates make 1, not 0.9999999999999999."""
        joined = self._joined()
        replicates = self.effective_samples
        if not replicates or not float(replicates).is_integer():
            return joined
        # Each share of so many replicates is rounded on its own: the sum is the share of a whole number too.
        whole = np.rint(joined * replicates)
        return np.where(np.abs(joined * replicates - whole) < 1e-9, whole / replicates, joined)

    def _at(self, name: str) -> int:
        try:
            return self.nodes.index(name)
        except ValueError:
            raise unknown_name("node", name, self.nodes) from None

    def arc(self, start: str, end: str) -> float:
        """The probability of the arc ``start -> end``."""
        return float(self.arcs[self._at(start), self._at(end)])

    def strength(self, a: str, b: str) -> float:
        """The probability that the two are adjacent, in either direction or undirected."""
        return float(self._strengths()[self._at(a), self._at(b)])

    def direction(self, start: str, end: str) -> float:
        """The probability of ``start -> end`` given an edge; one half for pairs that are never adjacent."""
        i, j = self._at(start), self._at(end)
        return float(self._directions()[i, j])

    def _directions(self) -> Matrix:
        joined = self._joined()
        half = 0.0 if self.undirected is None else self.undirected / 2
        ways = np.full_like(joined, 0.5)
        np.divide(self.arcs + half, joined, out=ways, where=joined > 0)
        return ways

    def path(self, start: str, end: str) -> float:
        """The probability of a directed path from ``start`` to ``end``."""
        return self._entry("paths", start, end)

    def in_blanket(self, member: str, of: str) -> float:
        """The probability that ``member`` belongs to the Markov blanket of ``of``."""
        return self._entry("blankets", of, member)

    def _entry(self, name: str, row: str, column: str) -> float:
        matrix: Matrix | None = getattr(self, name)
        if matrix is None:
            raise self._not_there(name)
        return float(matrix[self._at(row), self._at(column)])

    def _not_there(self, name: str) -> OptionError:
        return OptionError(
            f"this confidence ({self.source}) holds no probabilities of {name.replace('_', '-')}; "
            f"a posterior by ExactPosterior(also=[{name!r}]) or PartitionMCMC() has them"
        )

    def v_structure(self, a: str, c: str, b: str) -> float:
        """The probability of ``a -> c <- b`` without an edge between a and b."""
        for name in (a, c, b):
            self._at(name)
        if self.v_structures is None:
            raise self._not_there("v_structures")
        return self.v_structures.get((min(a, b), c, max(a, b)), 0.0)

    def interval(self, a: str, b: str, level: float = 0.95) -> tuple[float, float]:
        """Wilson's interval of the strength of an edge; a single point where the numbers are exact."""
        return self._edge_interval(self._strengths(), self._at(a), self._at(b), level)

    def direction_interval(self, start: str, end: str, level: float = 0.95) -> tuple[float, float]:
        """Interval of the direction, from the graphs with the edge: the fewer they are, the wider."""
        return self._interval(self.direction(start, end), level, part=self.strength(start, end))

    def path_interval(self, start: str, end: str, level: float = 0.95) -> tuple[float, float]:
        """Interval of the probability of a directed path."""
        return self._interval(self.path(start, end), level)

    def v_structure_interval(self, a: str, c: str, b: str, level: float = 0.95) -> tuple[float, float]:
        """Interval of the probability of ``a -> c <- b`` without an edge between a and b."""
        return self._interval(self.v_structure(a, c, b), level)

    def _edge_interval(self, strengths: Matrix, i: int, j: int, level: float) -> tuple[float, float]:
        error = None if self.edge_errors is None else float(self.edge_errors[i, j])
        return self._interval(float(strengths[i, j]), level, error=error)

    def _interval(
        self, probability: float, level: float, *, part: float = 1.0, error: float | None = None
    ) -> tuple[float, float]:
        """Of a probability in ``part`` of the graphs, whose standard error may be known better."""
        p = min(probability, 1.0)
        if self.effective_samples is None:
            return wilson(p, math.inf, level)
        draws = self.effective_samples * part
        if error and 0 < p < 1:
            draws = p * (1 - p) / error**2  # as many independent draws as would have this standard error
        return wilson(p, draws, level)

    def edges(self, threshold: float = 0.5) -> tuple[EdgeConfidence, ...]:
        """The edges of at least this strength, strongest first."""
        strengths, directions = self._strengths(), self._directions()
        found = []
        for i, j in np.argwhere(np.triu(strengths >= threshold, 1)):
            start, end = (int(i), int(j)) if directions[i, j] >= 0.5 else (int(j), int(i))
            strength, direction = float(strengths[start, end]), float(directions[start, end])
            found.append(
                EdgeConfidence(
                    self.nodes[start],
                    self.nodes[end],
                    strength,
                    direction,
                    *self._edge_interval(strengths, start, end, 0.95),
                    *self._interval(direction, 0.95, part=strength),
                )
            )
        return tuple(sorted(found, key=lambda one: (-one.strength, one.start, one.end)))

    def significance_threshold(self) -> float:
        """The threshold of significant edges, estimated from the strengths (Scutari & Nagarajan 2013).

        With more data strengths tend to 0 or 1; the threshold separates those closer to 0 from the others.
        """
        from dagwright.confidence.threshold import significance_threshold

        above = np.triu_indices(len(self.nodes), 1)
        return significance_threshold(np.minimum(self._strengths()[above], 1.0))

    def significant_edges(self) -> tuple[EdgeConfidence, ...]:
        """The edges stronger than `significance_threshold`, strongest first."""
        threshold = self.significance_threshold()
        return tuple(one for one in self.edges(threshold) if one.strength > threshold)

    def false_edges_bound(self, threshold: float = 0.8) -> float:
        """For strengths from halves of the data (`Subsample`): how many edges may be expected to be wrong.

        Edges are selected at this strength or more (stability selection, Meinshausen & Buehlmann 2010,
        Theorem 1): at most q^2 / ((2 threshold - 1) p), with q edges found per replicate on average and p
        pairs. It assumes that false edges are exchangeable and not found worse than by chance.
        """
        if not 0.5 < threshold <= 1:
            raise OptionError(f"the threshold must be above 0.5 and at most 1, not {threshold}")
        n = len(self.nodes)
        pairs = n * (n - 1) / 2
        found = float(np.triu(self._strengths(), 1).sum())
        return found**2 / ((2 * threshold - 1) * pairs) if pairs else 0.0

    def consensus(self, threshold: float | None = 0.5, *, knowledge: Knowledge | None = None) -> Dag:
        """One network of the edges of at least this strength: acyclic, and consistent with the knowledge.

        A threshold of None takes the edges above `significance_threshold`.

        What is required comes first. Then edges enter strongest first, each the likelier way; an edge that
        would close a cycle is turned or, where that is impossible too, left out.
        """
        from dagwright.confidence.consensus import consensus

        return consensus(self, threshold, knowledge)

    def averaged(self, *, knowledge: Knowledge | None = None) -> AveragedGraph:
        """The graph with the most probable state of each pair: not adjacent, directed, or undirected.

        Where these states close a directed cycle, others are taken so that as many pairs as possible are
        expected to be right: exactly for up to 14 variables in a cycle, else nearly, with the gap. Both
        directions as probable make an undirected edge. Forbidden and required edges are obeyed.

        >>> sure = Confidence(("A", "B"), [[0.0, 0.6], [0.3, 0.0]], source="an example")
        >>> print(sure.averaged().graph)
        A -> B
        """
        from dagwright.confidence.averaging import averaged

        return averaged(self, knowledge)

    def calibration(self, truth: Any, bins: int | Sequence[float] = 10) -> EdgeCalibration:
        """How often edges of each strength exist in the true network, or in any graph of the same nodes.

        >>> sure = Confidence(("A", "B", "C"), [[0, 0.8, 0], [0, 0, 0.4], [0, 0, 0]], source="an example")
        >>> sure.calibration(Dag.parse("A -> B; C"), bins=2).observed.tolist()
        [0.0, 1.0]
        """
        from dagwright.confidence.calibration import calibration

        return calibration(self, truth, bins)

    def compare(self, other: Confidence) -> ConfidenceDifference:
        """Where two confidences about the same nodes differ."""
        from dagwright.confidence.difference import ConfidenceDifference

        return ConfidenceDifference.between(self, other)

    def to_frame(self, threshold: float = 0.0, library: Literal["polars", "pandas"] = "polars") -> Any:
        """One row per edge of at least this strength, strongest first."""
        rows = self.edges(threshold)
        columns = {name: [getattr(row, name) for row in rows] for name in EdgeConfidence._fields}
        if library == "pandas":
            import pandas as pd

            return pd.DataFrame(columns)
        import polars as pl

        kinds = {name: pl.String if name in ("start", "end") else pl.Float64 for name in columns}
        return pl.DataFrame(columns, schema=kinds)

    def to_dict(self) -> dict[str, Any]:
        """A dict of values that JSON can hold."""
        document = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "nodes": list(self.nodes),
            "source": self.source,
            "effective_samples": self.effective_samples,
            **{name: None if (value := getattr(self, name)) is None else value.tolist() for name in MATRICES},
            "v_structures": None
            if self.v_structures is None
            else [[*triple, probability] for triple, probability in self.v_structures.items()],
            "features": {name: list(value) for name, value in self.features.items()},
        }
        written: dict[str, Any] = written_numbers(document)
        return written

    @staticmethod
    def from_dict(document: Any) -> Confidence:
        """Read the dict that `to_dict` gave."""
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise FormatError(f"not a confidence: the field 'format' is not {FORMAT!r}")
        if document.get("format_version") != FORMAT_VERSION:
            raise FormatError(
                f"a confidence of format version {document.get('format_version')}; this dagwright reads "
                f"{FORMAT_VERSION}"
            )
        document = read_numbers(document, JSON_FIELDS)
        require_fields("a confidence", document, JSON_FIELDS)
        try:
            triples = document["v_structures"]
            return Confidence(
                nodes=tuple(document["nodes"]),
                source=document["source"],
                effective_samples=document["effective_samples"],
                v_structures=None if triples is None else {(a, c, b): p for a, c, b, p in triples},
                features={name: Estimate(*value) for name, value in document["features"].items()},
                **{name: document[name] for name in MATRICES},
            )
        except (KeyError, TypeError, ValueError) as problem:
            raise FormatError(f"a confidence with a missing or malformed field: {problem}") from None

    def to_json(self, *, indent: int | None = None) -> str:
        """The whole as JSON text; `from_json` gives it back."""
        return as_json(self.to_dict(), indent=indent)

    @staticmethod
    def from_json(text: str) -> Confidence:
        """Read what `to_json` wrote."""
        return Confidence.from_dict(parsed_json(text))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Confidence):
            return NotImplemented
        return self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.nodes, self.source, self.arcs.tobytes()))

    def __repr__(self) -> str:
        strong = len(self.edges())
        many = f"{count_of(len(self.nodes), 'node')}, {count_of(strong, 'edge')}"
        return f"<Confidence in {many} of 0.5 and more: {self.source}>"

    def __str__(self) -> str:
        return "\n".join([self.source, *map(str, self.edges())])
