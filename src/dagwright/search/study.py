"""The learning request as a value: what to learn, how, and from which columns; never the rows.

Only until its fingerprint is first read does a study refer to the table that it was used on.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Hashable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from dagwright.base.argument_types import check_options
from dagwright.base.documents import as_json, parsed_json, require_fields, require_format
from dagwright.base.lazy_fields import LazyFields
from dagwright.base.seeds import RandomState, seed_sequence
from dagwright.data import Table
from dagwright.data.interventions import conditions
from dagwright.data.variables import template_of, variable_entries
from dagwright.errors import DagwrightError, FormatError, OptionError
from dagwright.evidence.structure_priors import StructurePrior
from dagwright.graph.dag import Dag
from dagwright.graph.graph_like import AnyGraph, GraphLike
from dagwright.graph.pdag import Pdag
from dagwright.knowledge import Knowledge, as_knowledge
from dagwright.knowledge.checking import edges_of
from dagwright.knowledge.files import from_document, to_document
from dagwright.methods import registry
from dagwright.methods.method_like import as_method
from dagwright.methods.notation import as_code
from dagwright.search.starting import given_start
from dagwright.sentences import Argument

if TYPE_CHECKING:
    from dagwright.confidence import Confidence, StructurePosterior
    from dagwright.learning.cross_validation import CrossValidation
    from dagwright.learning.learned import Learned
    from dagwright.learning.neighborhood import Neighborhood
    from dagwright.reporting import Analysis
    from dagwright.search.candidates import CandidateSets
    from dagwright.search.forecast import Forecast
    from dagwright.search.rivals import Rivals

FORMAT, FORMAT_VERSION = "dagwright-study", 1
METHODS: dict[str, tuple[registry.Kind, ...]] = {
    "search": ("search",),
    "score": ("score", "test", "measure"),
    "structure_prior": ("prior",),
}
"""The methods of a study and the kinds that each may be."""
SHOWN = (
    *("knowledge", "missing", "start", "columns", "exclude", "interventions", "windows", "random_state"),
    "reading",
)
JSON_FIELDS = {
    "search": str | None,
    "score": str | None,
    "structure_prior": str | None,
    "knowledge": dict[str, Any] | None,
    "missing": str | None,
    "start": dict[str, Any] | None,
    "columns": list[str] | None,
    "exclude": list[str],
    "interventions": dict[str, Any] | None,
    "windows": dict[str, Any] | None,
    "seed": dict[str, Any],
    "reading": dict[str, Any],
    "variables": list[Any] | None,
    "fingerprint": str | None,
    "source": str,
    "not_repeatable": str,
}


@dataclass(frozen=True)
class Study(LazyFields):
    """A request to `learn` or another function as a value, with the columns it was used on.

    A study has no rows. It can be saved, compared and used again: ``study.learn(data)`` does what
    ``learn(data, ...)`` did with the same options. Every `Learned` result carries its study.

    Parameters
    ----------
    search, score, knowledge, structure_prior, missing, start, columns, exclude, random_state
        As in `learn`.
    interventions
        The column that names the condition of each row, and the variables that each condition sets, as in
        `learn`. Masks of rows belong to the data: see `Table.with_interventions`.
    windows
        For time series, the options of `Table.lagged`; used when the data are steps of time and not yet
        windows. A result that was learned from windows has them.
    reading
        Options for opening a file, as in `read`; used when the data are named by a path.
    template
        The columns of the data the study was used on: names, states and cut points, without rows. New data
        are put into the same states.
    fingerprint
        The fingerprint of those data.
    source
        The path of those data, if they came from a file.
    not_repeatable
        Why running the study again on the same data may give another answer; empty if it cannot.

    >>> from dagwright import BDeu, HillClimb
    >>> study = Study(search=HillClimb(), score=BDeu(ess=10))
    >>> study
    Study(search=HillClimb(), score=BDeu(ess=10))
    >>> Study.from_json(study.to_json()) == study
    True
    """

    search: Any = None
    score: Any = None
    knowledge: Knowledge = field(default_factory=Knowledge)
    structure_prior: StructurePrior | None = None
    missing: str | None = None
    start: AnyGraph | None = None
    columns: tuple[str, ...] | None = None
    exclude: tuple[str, ...] = ()
    interventions: Mapping[str, Mapping[Hashable, Iterable[str]]] | None = field(default=None, hash=False)
    windows: Mapping[str, Any] | None = field(default=None, hash=False)
    random_state: RandomState = 0
    reading: Mapping[str, Any] = field(default_factory=dict, hash=False)
    template: Table | None = field(default=None, repr=False, compare=False)
    fingerprint: str | None = field(default_factory=lambda: None, repr=False)
    not_repeatable: str = field(default_factory=str, repr=False)
    source: str = field(default="", repr=False, compare=False)

    def __post_init__(self) -> None:
        def put(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        for name, kinds in METHODS.items():
            put(name, as_method(getattr(self, name), name, *kinds))
        put("knowledge", as_knowledge(self.knowledge))
        put("start", given_start(self.start))
        put("columns", None if self.columns is None else tuple(self.columns))
        put("exclude", tuple(self.exclude))
        put("interventions", None if self.interventions is None else _conditions(self.interventions))
        put("windows", None if self.windows is None else dict(self.windows))
        put("reading", dict(self.reading))
        put("random_state", _plain_seed(seed_sequence(self.random_state)))

    @property
    def seed(self) -> np.random.SeedSequence:
        """The root of every random stream."""
        return seed_sequence(self.random_state)

    @property
    def named(self) -> frozenset[str]:
        """The columns that the knowledge or the starting graph name; learning keeps these."""
        named = self.knowledge.named
        return named if self.start is None else named | frozenset(self.start.nodes)

    @property
    def repeatable(self) -> bool:
        """Whether the same data give the same answer again."""
        return not (self.not_repeatable or self.unwritten())

    def unwritten(self) -> str:
        """The first option that JSON cannot hold, in words; empty if there is none."""
        for name in METHODS:
            method = getattr(self, name)
            if method is not None and _text_of(method, METHODS[name]) is None:
                return f"the {name.replace('_', ' ')} is an object of this process, {type(method).__name__}"
        return ""

    def on(self, data: Any, table: Table, template: Table, *, not_repeatable: str = "") -> Study:
        """The study with the columns, the fingerprint and, if known, the path of the data it was used on."""
        used = copy(self)
        facts = {
            "source": os.fspath(data) if isinstance(data, str | os.PathLike) else "",
            "template": template,
            "windows": self.windows if table.windows is None else dict(table.windows.options) or None,
            "reading": table.reading or dict(self.reading),
        }
        for name, value in facts.items():
            object.__setattr__(used, name, value)
        return used.with_later(
            {
                "fingerprint": lambda: table.fingerprint,
                "not_repeatable": lambda: not_repeatable or self.unwritten(),
            }
        )

    @property
    def reading_on_cluster(self) -> dict[str, Any]:
        """The options of reading for workers, which keep the rows in their memory."""
        return {name: value for name, value in self.reading.items() if name not in ("engine", "memory_mib")}

    # The verbs, as methods

    def learn(self, data: Any, **options: Any) -> Learned:
        """`learn` with this study; ``options`` are those that a study does not hold, such as threads."""
        found: Learned = _verb("learn")(data, study=self, **options)
        return found

    def bootstrap(self, data: Any, **options: Any) -> Confidence:
        """`bootstrap` with this study; ``options`` such as replicates."""
        found: Confidence = _verb("bootstrap")(data, study=self, **options)
        return found

    def posterior(self, data: Any, **options: Any) -> StructurePosterior:
        """`posterior` with the score, prior and knowledge of this study."""
        found: StructurePosterior = _verb("posterior")(data, study=self, **options)
        return found

    def candidates(self, data: Any, **options: Any) -> CandidateSets:
        """`candidates` with the score, prior and knowledge of this study."""
        found: CandidateSets = _verb("candidates")(data, study=self, **options)
        return found

    def rivals(self, data: Any, k: int = 10, **options: Any) -> Rivals:
        """`rivals` with the score, prior and knowledge of this study."""
        found: Rivals = _verb("rivals")(data, k, study=self, **options)
        return found

    def forecast(self, data: Any, **options: Any) -> Forecast:
        """`forecast` of the search of this study."""
        found: Forecast = _verb("forecast")(data, study=self, **options)
        return found

    def blanket(self, data: Any, target: str, **options: Any) -> Neighborhood:
        """`blanket` of a variable with the local method of this study."""
        found: Neighborhood = _verb("blanket")(data, target, study=self, **options)
        return found

    def neighbors(self, data: Any, target: str, **options: Any) -> Neighborhood:
        """`neighbors` of a variable with the local method of this study."""
        found: Neighborhood = _verb("neighbors")(data, target, study=self, **options)
        return found

    def cross_validate(self, data: Any, **options: Any) -> CrossValidation:
        """`cross_validate` with this study; ``options`` such as target and folds."""
        found: CrossValidation = _verb("cross_validate")(data, study=self, **options)
        return found

    def report(self, data: Any, **options: Any) -> Analysis:
        """`report` with this study; ``options`` such as target and replicates."""
        found: Analysis = _verb("report")(data, study=self, **options)
        return found

    # Text and back

    def __repr__(self) -> str:
        usual = Study()
        options = [
            f"{name}={as_code(value) if name in METHODS else repr(value)}"
            for name in (*METHODS, *SHOWN)
            if (value := getattr(self, name)) != getattr(usual, name)
        ]
        return f"Study({', '.join(options)})"

    def to_dict(self) -> dict[str, Any]:
        """The study as plain values; a method of this process only is left out and said."""
        return {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            **{
                name: None if (method := getattr(self, name)) is None else _text_of(method, kinds)
                for name, kinds in METHODS.items()
            },
            "knowledge": to_document(self.knowledge) if self.knowledge else None,
            "missing": self.missing,
            "start": None if self.start is None else _graph_entry(self.start),
            "columns": None if self.columns is None else list(self.columns),
            "exclude": list(self.exclude),
            "interventions": None if self.interventions is None else _conditions_entry(self.interventions),
            "windows": None if self.windows is None else dict(self.windows),
            "seed": _seed_entry(self.random_state),
            "reading": dict(self.reading),
            "variables": None if self.template is None else variable_entries(self.template),
            "fingerprint": self.fingerprint,
            "source": self.source,
            "not_repeatable": self.not_repeatable or self.unwritten(),
        }

    def to_json(self, *, indent: int | None = 2) -> str:
        """The study as JSON text; `from_json` gives it back."""
        return as_json(self.to_dict(), indent=indent)

    @staticmethod
    def from_dict(document: Any) -> Study:
        """Read what `to_dict` gave."""
        require_format("a study", document, FORMAT, FORMAT_VERSION)
        require_fields("a study", document, JSON_FIELDS)
        try:
            entries, known = document["variables"], document["knowledge"]
            return Study(
                search=document["search"],
                score=document["score"],
                structure_prior=document["structure_prior"],
                knowledge=Knowledge() if known is None else from_document(known),
                missing=document["missing"],
                start=None if document["start"] is None else _graph_of(document["start"]),
                columns=document["columns"],
                exclude=tuple(document["exclude"]),
                interventions=document["interventions"],
                windows=document["windows"],
                random_state=_seed_of(document["seed"]),
                reading=document["reading"],
                template=None if entries is None else template_of(entries, document["reading"]),
                fingerprint=document["fingerprint"],
                source=document["source"],
                not_repeatable=document["not_repeatable"],
            )
        except DagwrightError as problem:
            raise FormatError(f"a study with a malformed field: {problem}") from None
        except (KeyError, TypeError, ValueError) as problem:
            raise FormatError(f"a study with a missing or malformed field: {problem}") from None

    @staticmethod
    def from_json(text: str) -> Study:
        """Read what `to_json` wrote."""
        return Study.from_dict(parsed_json(text))


check_options(Study)


def _verb(name: str) -> Callable[..., Any]:
    """A public function, imported when it is needed: its package is above this one in the layers."""
    found: Callable[..., Any] = getattr(importlib.import_module("dagwright"), name)
    return found


def requested(
    study: Study | None,
    *,
    search: Any = None,
    score: Any = None,
    knowledge: Any = None,
    structure_prior: Any = None,
    missing: str | None = None,
    start: GraphLike | None = None,
    columns: Iterable[str] | None = None,
    exclude: Iterable[str] = (),
    interventions: Mapping[str, Any] | None = None,
    random_state: RandomState = None,
) -> Study:
    """The study of a verb: the one it was given, or the one that its options describe, never both."""
    options = {
        "search": search,
        "score": score,
        "knowledge": knowledge,
        "structure_prior": structure_prior,
        "missing": missing,
        "start": start,
        "columns": columns,
        "exclude": list(exclude) or None,
        "interventions": interventions,
        "random_state": random_state,
    }
    given = {name: value for name, value in options.items() if value is not None}
    if study is None:
        return Study(**given)
    if not isinstance(study, Study):
        raise OptionError(
            Argument("study"),
            f" takes a Study, not {type(study).__name__}",
        )
    if given:
        raise OptionError(
            f"the study already sets {next(iter(given))}; give a study or the options, not both. "
            "dataclasses.replace() changes a study"
        )
    return study


def _text_of(method: object, kinds: tuple[registry.Kind, ...]) -> str | None:
    """The text that stands for a method; None if no text gives it back."""
    text = as_code(method)
    try:
        return text if registry.parse(text, *kinds) == method else None
    except DagwrightError:
        return None


def _plain_seed(seed: np.random.SeedSequence) -> int | np.random.SeedSequence:
    """The number that gives the same random streams; a spawned sequence stays what it is."""
    words = seed.entropy if isinstance(seed.entropy, Iterable) else [seed.entropy or 0]
    return seed if seed.spawn_key else sum(int(word) << (32 * at) for at, word in enumerate(words))


def _seed_entry(state: RandomState) -> dict[str, Any]:
    seed = seed_sequence(state)
    plain = _plain_seed(np.random.SeedSequence(seed.entropy))
    return {"entropy": str(plain), "spawn_key": list(seed.spawn_key)}


def _seed_of(entry: Mapping[str, Any]) -> int | np.random.SeedSequence:
    entropy, key = int(entry["entropy"]), tuple(int(one) for one in entry["spawn_key"])
    return np.random.SeedSequence(entropy, spawn_key=key) if key else entropy


def _conditions(given: Any) -> dict[str, dict[Hashable, tuple[str, ...]]]:
    found = conditions(given)
    if found is None:
        raise OptionError(
            "a study holds no rows, so it cannot hold masks of interventions; give them to the data: "
            "table.with_interventions(masks)"
        )
    return found


def _conditions_entry(given: Mapping[str, Mapping[Hashable, Iterable[str]]]) -> dict[str, Any]:
    """Conditions as JSON holds them: as text, which finds the state of the column again."""
    return {
        column: {str(state): list(targets) for state, targets in own.items()} for column, own in given.items()
    }


def _graph_entry(graph: AnyGraph) -> dict[str, Any]:
    """A starting graph as plain values; of a class its directed and its undirected edges."""
    directed, undirected = edges_of(graph)
    return {
        "nodes": list(graph.nodes),
        "edges": [list(edge) for edge in directed],
        "undirected": [list(edge) for edge in undirected],
    }


def _graph_of(entry: Mapping[str, Any]) -> Dag | Pdag:
    directed = [(start, end) for start, end in entry["edges"]]
    undirected = [(x, y) for x, y in entry["undirected"]]
    return Pdag(entry["nodes"], directed, undirected) if undirected else Dag(entry["nodes"], directed)
