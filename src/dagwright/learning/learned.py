"""The result of learning: the graph, how good, how found, under which assumptions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

from dagwright.base.documents import as_json, loaded, parsed_json
from dagwright.base.json_numbers import written_numbers
from dagwright.base.lazy_fields import LazyFields
from dagwright.base.whole_file import write_whole
from dagwright.base.wording import count_of
from dagwright.confidence.confidence import Confidence
from dagwright.confidence.lazy_confidence import LazyConfidence
from dagwright.data import Table
from dagwright.data.read import reading_of_other
from dagwright.defaults import Pair, usual_pair
from dagwright.errors import DataError, FormatError, GraphError, OptionError
from dagwright.evidence.numbers import on_kind
from dagwright.graph.dag import Dag
from dagwright.graph.pag import Pag
from dagwright.graph.pdag import Pdag
from dagwright.graph.undirected import UndirectedGraph
from dagwright.graph.viewable import Drawable
from dagwright.knowledge import Knowledge
from dagwright.learning.learned_document import FORMAT, FORMAT_VERSION, read_fields
from dagwright.learning.learned_graphs import counted_edges, essential_graph, written_graphs
from dagwright.learning.notes_in_words import noted
from dagwright.model import EM, BayesianNetwork, MarkovNetwork, fit
from dagwright.model.gaussian.orientation import member_for_numbers
from dagwright.model.tables.parameters import EmptyConfigurationPolicy
from dagwright.model.tables.priors import prior_of
from dagwright.search.control import CancelToken, Progress
from dagwright.search.problem import Separation, Stopped, TraceStep
from dagwright.search.study import Study
from dagwright.search.traits import own_score, search_traits
from dagwright.sentences import Argument, Literally, Sentence, joined

PRIOR_SCORES = ("BDeu", "BDe", "BDs", "K2", "Dirichlet")


@dataclass(frozen=True)
class Learned(LazyFields, Drawable):
    """A learned graph and the account of how it was found.

    Attributes
    ----------
    graph
        The result: a DAG, a class of DAGs as a partially directed graph, an undirected graph, or a `Pag` if
        variables may be hidden.
    dag
        The answer as one DAG: `graph` itself, or a member of the class, the one that has `score`; None when
        there is none.
    score
        Its score in nats, larger is better; None for searches that do not maximize one.
    score_definition
        The score in words: sign, base, penalty.
    method
        The search with its options, as text that the command line takes back.
    trace
        The moves that led to the answer.
    evaluations
        How many families were scored, or how many independence tests were made where there is no score; both
        together for hybrids.
    stopped
        Why the search ended early, or None.
    optimal, gap
        Whether no graph scores higher, and if not proven the proven distance to the best (None if unknown).
    assumptions, warnings
        The assumptions of the result, and cautions.
    notes
        Details of the search, for instance what `Auto` chose and why.
    separations
        The pairs that a test found independent, and given what; empty for searches that maximize a score.
    works
        Whom to cite for the search, the score or test, and the structure prior, each as "method: work".
    lazy_confidence
        The cached value of `confidence`.
    study
        The request: search, score, knowledge and the other options, with the columns that were learned from.
        ``study.learn(data)`` runs it again.
    table, fitted
        The data, and after structural EM the network it ended with, for `network` and evidence cards. They
        stay in this process: neither JSON nor pickle carries them.
    """

    graph: Dag | Pdag | Pag | UndirectedGraph
    dag: Dag | None
    score: float | None
    score_name: str | None
    score_definition: str | None
    method: str
    trace: tuple[TraceStep, ...]
    evaluations: int
    seconds: float
    seed: str
    stopped: Stopped | None
    optimal: bool
    gap: float | None
    assumptions: tuple[str, ...]
    warnings: tuple[str, ...]
    notes: dict[str, Any]
    data: dict[str, Any]
    versions: dict[str, str]
    separations: Sequence[Separation] = ()
    works: tuple[str, ...] = ()
    lazy_confidence: LazyConfidence = field(default_factory=LazyConfidence, repr=False)
    study: Study = field(default_factory=Study, repr=False, compare=False)
    table: Table | None = field(default=None, repr=False, compare=False)
    fitted: BayesianNetwork | None = field(default=None, repr=False, compare=False)

    @property
    def template(self) -> Table | None:
        """The columns that were learned from, without rows; None for an oracle."""
        return self.study.template

    @property
    def targets(self) -> tuple[frozenset[str], ...]:
        """The sets of variables that experiments set together in the data; empty without interventions."""
        return tuple(map(frozenset, self.data.get("targets", ())))

    @property
    def knowledge(self) -> Knowledge:
        """The edges that were required and forbidden in the graph."""
        return self.study.knowledge

    @cached_property
    def score_spec(self) -> Any:
        """The score that was maximized, as it can be bound to other data; None for tests and oracles."""
        return None if self.score_name is None else self._pair.score

    @property
    def structure_prior(self) -> Any:
        """The structure prior that was added to the score; None for tests, oracles and without one."""
        return None if self.score_name is None else self._pair.structure_prior

    @property
    def _pair(self) -> Pair:
        kind = "discrete" if self.template is None else self.template.schema.kind
        own = own_score(self.study.search)
        score, prior = usual_pair(self.study.score, self.study.structure_prior, own, kind=kind)
        return Pair(on_kind(score, kind), prior)

    def network(
        self,
        data: Any = None,
        *,
        parameter_prior: Any = "same",
        empty_configurations: EmptyConfigurationPolicy = "uniform",
        missing: str | EM | None = None,
    ) -> BayesianNetwork:
        """The learned graph with parameters, fitted to the data it was learned from or to others.

        Parameters
        ----------
        data
            A Table, or anything that `read` takes, which is put into the states and cut points of the data
            of the search. None means those data, which a result that was saved and loaded no longer has.
        parameter_prior
            "same" is the prior of the score: the posterior mean under that of BDeu, BDe, BDs, K2 and
            Dirichlet scores, and under ``BDeu(ess=1)`` for all others, which have none. Otherwise as in
            `fit`; None is maximum likelihood, which rules out what the data do not show.
        empty_configurations
            The rule for parent configurations without counts, as in `fit`.
        missing
            What to do with missing values, as in `fit`; by default EM for the data of the search, because a
            policy was named there, and refusal for others.

        >>> from dagwright import learn, sample_path
        >>> network = learn(sample_path("asia")).network()
        >>> round(network.probability("xray", "abnormal", {"either": "yes"}), 2)
        0.99
        """
        rows, chosen = self.rows(data), self._chosen_prior(parameter_prior)
        graph = self.parameter_graph()
        if missing is None and data is None and any(rows.missing.values()):
            missing = EM()
        if isinstance(missing, EM) and data is None:
            return missing.fit(graph, rows, parameter_prior=chosen, start=self.fitted).network
        return fit(
            graph, rows, parameter_prior=chosen, empty_configurations=empty_configurations, missing=missing
        )

    def markov_network(self, data: Any = None, *, parameter_prior: Any = "same") -> MarkovNetwork:
        """The learned undirected graph with parameters; it must be chordal, as `Decomposable` makes it.

        Parameters
        ----------
        data, parameter_prior
            As in `network`.
        """
        if not isinstance(self.graph, UndirectedGraph):
            raise OptionError(f"{self.method} finds no undirected graph; network() gives its parameters")
        return MarkovNetwork.fit(
            self.graph, self.rows(data), parameter_prior=self._chosen_prior(parameter_prior)
        )

    @cached_property
    def essential(self) -> Pdag | Pag | UndirectedGraph:
        """The graph with only those directions that the data or the knowledge decide.

        For a DAG it is the essential graph (CPDAG) of its equivalence class, under interventions that of its
        interventional class (Hauser & Buehlmann 2012), with what the knowledge directs:
        turning an undirected edge fits the data as well. Other results are their own essential graph. This is
        what printing, notebooks, pictures and reports show; `dag` has one DAG of the class.

        >>> from dagwright import learn
        >>> found = learn({"rain": [0, 0, 1, 1] * 25, "wet": [0, 0, 1, 1] * 25})
        >>> len(found.graph.edges), found.essential.undirected_edges
        (1, (('rain', 'wet'),))
        """
        return essential_graph(self.graph, self.knowledge, self.targets)

    def oriented_by_intervention(self) -> frozenset[tuple[str, str]]:
        """The arcs whose direction only the interventions determine."""
        if self.dag is None or not self.targets:
            return frozenset()
        decided = self.dag.cpdag(map(frozenset, self.targets)).directed_edges
        return frozenset(decided) - frozenset(self.dag.cpdag().directed_edges)

    def confidence(
        self,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        cancel: CancelToken | None = None,
    ) -> Confidence:
        """The strength of each edge: the `Confidence` given to `with_confidence`, or else a bootstrap.

        The first call learns again from resampled rows, in the same way: 200 times, fewer where a search
        takes long, but at least 20. Later calls return the same answer. `bootstrap` and `posterior` have more
        options.

        Parameters
        ----------
        threads, progress, cancel
            As in `bootstrap`.

        Raises
        ------
        OptionError
            Where there are no rows to resample: for an oracle, or for a result that was loaded.

        >>> from dagwright import learn, sample_path
        >>> learn(sample_path("asia")).confidence().strength("lung", "either")
        1.0
        """
        return self.lazy_confidence.get(threads=threads, progress=progress, cancel=cancel)

    @property
    def known_confidence(self) -> Confidence | None:
        """`confidence` if there is one already; nothing is computed."""
        return self.lazy_confidence.known

    def with_confidence(self, confidence: Confidence) -> Learned:
        """The same result with a confidence in its edges, from a posterior or from resampling."""
        if set(confidence.nodes) != set(self.graph.nodes):
            raise OptionError("the confidence and the learned graph have different nodes")
        return replace(self, lazy_confidence=LazyConfidence(confidence))

    def parameter_graph(self) -> Dag:
        """The DAG that `network` fits: `dag`, or an equivalent one without an arc from a number to a state.

        A `GraphError` names the arc that no equivalent DAG avoids.
        """
        graph, schema = self._some_dag(), None if self.template is None else self.template.schema
        numeric = set(() if schema is None else schema.continuous)
        if isinstance(self.essential, Pdag) and any(
            a in numeric and b not in numeric for a, b in graph.edges
        ):
            order = self.graph.nodes if self.table is None else self.table.canonical()[0].names
            return member_for_numbers(self.essential, numeric, order)
        return graph

    def _some_dag(self) -> Dag:
        if self.dag is not None:
            return self.dag
        if isinstance(self.graph, UndirectedGraph):
            return self.graph.directed()
        if isinstance(self.graph, Pag):
            raise GraphError(
                "the graph is a PAG: variables may be hidden, so it has no tables to fit; learn a DAG for "
                "the observed variables, for instance with ",
                Argument("search", Literally("PC()")),
            )
        return self.graph if isinstance(self.graph, Dag) else self.graph.extension()

    def rows(self, data: Any = None) -> Any:
        """Data in the states and cut points of this result; None means the data of the search."""
        rows = self.table if data is None else data
        if rows is None:
            raise DataError(
                "this result holds no data, as it was learned from an oracle or loaded from a file; pass "
                "them: ",
                Argument("data"),
            )
        encoded = self._encoded(rows)
        if isinstance(encoded, Table) and not set(self.graph.nodes) <= set(encoded.names):
            return search_traits(self.study.search).with_hidden(encoded)
        return encoded

    def _encoded(self, rows: Any) -> Any:
        if self.template is None or (isinstance(rows, Table) and not rows.schema.continuous):
            return rows
        if isinstance(rows, Table) and not rows.has_rows and rows.schema == self.template.schema:
            return rows
        how = reading_of_other(rows, self.template.reading) if isinstance(rows, str | PathLike) else {}
        return self.template.encode(rows, **how)

    def _chosen_prior(self, parameter_prior: Any) -> Any:
        return (
            self._prior_of_score()
            if isinstance(parameter_prior, str) and parameter_prior == "same"
            else parameter_prior
        )

    def _prior_of_score(self) -> Any:
        if self.study.score is None and self.study.not_repeatable and self.score_name in PRIOR_SCORES:
            raise OptionError(
                f"a result that was saved and loaded knows the name of its score, {self.score_name}, but "
                "not its prior; pass ",
                Argument("parameter_prior"),
                ", or ",
                Argument("parameter_prior", None),
                " for maximum likelihood",
            )
        return prior_of(self.score_spec)

    def __getstate__(self) -> dict[str, Any]:
        written = Study.from_dict(self.study.to_dict())
        kept = {name: value for name, value in super().__getstate__().items() if name != "score_spec"}
        return {**kept, "table": None, "fitted": None, "study": written}

    def to_dict(self) -> dict[str, Any]:
        """The whole result as plain values, which JSON can hold; infinite numbers are "inf" and "-inf"."""
        document = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "nodes": list(self.graph.nodes),
            **written_graphs(self.graph, self.dag, self.essential),
            "score": self.score,
            "score_name": self.score_name,
            "score_definition": self.score_definition,
            "method": self.method,
            "trace": [list(step) for step in self.trace],
            "evaluations": self.evaluations,
            "seconds": self.seconds,
            "seed": self.seed,
            "stopped": self.stopped,
            "optimal": self.optimal,
            "gap": self.gap,
            "assumptions": list(self.assumptions),
            "warnings": list(self.warnings),
            "notes": self.notes,
            "data": self.data,
            "study": self.study.to_dict(),
            "versions": self.versions,
            "works": list(self.works),
            "separations": [one._asdict() for one in self.separations],
            "confidence": None if self.known_confidence is None else self.known_confidence.to_dict(),
        }
        written: dict[str, Any] = written_numbers(document)
        return written

    def to_json(self, *, indent: int | None = 2) -> str:
        """The whole result as JSON text; `from_json` gives it back."""
        return as_json(self.to_dict(), indent=indent)

    @staticmethod
    def from_json(text: str) -> Learned:
        """Read what `to_json` wrote."""
        return Learned.from_dict(parsed_json(text))

    @staticmethod
    def from_dict(document: Any) -> Learned:
        """Read what `to_dict` gave."""
        return Learned(**read_fields(document))

    def save(self, path: str | Path) -> None:
        """Write `to_json` to a file whose name ends in ``.json`` or has no ending."""
        suffix = Path(path).suffix.lower()
        if suffix not in ("", ".json"):
            raise FormatError(
                f"{path}: a result of learning is saved as .json, not as {suffix}; "
                "network().save(...) writes the network with its probabilities in other formats"
            )
        write_whole(path, self.to_json() + "\n")

    @staticmethod
    def load(path: str | Path) -> Learned:
        """Read a file that `save` wrote."""
        return loaded(path, Learned.from_json)

    def __str__(self) -> str:
        return self.in_words()

    def in_words(self) -> Sentence:
        """The result as text that a front end can write in its own way."""
        size = f"{count_of(len(self.graph.nodes), 'node')}, {counted_edges(self.essential)}"
        lines = [f"{size}, found by {self.method}"]
        if self.score is not None:
            lines.append(f"score {self.score:.6f}: {self.score_definition}")
        if self.optimal:
            lines.append("proven optimal")
        elif self.gap is not None:
            lines.append(f"at most {self.gap:.6f} below the best")
        stopped = f", stopped by {self.stopped}" if self.stopped else ""
        lines.append(f"{self._effort()}, {self.seconds:.3g} s{stopped}")
        if self.known_confidence is not None:
            lines.append(f"confidence: {self.known_confidence.source}")
        lines += [noted(key, value) for key, value in self.notes.items()]
        lines += [Sentence("assumes: ", assumption) for assumption in self.assumptions]
        lines += [Sentence("warning: ", warning) for warning in self.warnings]
        return joined(lines, "\n")

    def _effort(self) -> str:
        if self.score is None and not self.trace:
            separated = count_of(len(self.separations), "pair")
            return f"{count_of(self.evaluations, 'independence test')}, {separated} separated"
        scored = count_of(self.evaluations, "family", "families")
        return f"{scored} scored, {count_of(len(self.trace), 'move')}"
