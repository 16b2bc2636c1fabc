"""The wire formats: one JSON form for every kind of result, with its version and its JSON Schema.

Saved files, ``--json`` of the command line and the studio use these forms. A document names its format and
its version; fields that follow from others are there for readers and are not read back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dagwright.confidence import Confidence, confidence
from dagwright.dynamic import DynamicNetwork
from dagwright.dynamic import network as dynamic_network
from dagwright.errors import DagwrightError, FormatError, OptionError
from dagwright.graph import Comparison
from dagwright.graph.dag import Dag
from dagwright.graph.mag import Mag
from dagwright.graph.pag import Pag
from dagwright.graph.pdag import Pdag
from dagwright.graph.undirected import UndirectedGraph
from dagwright.knowledge import Knowledge
from dagwright.knowledge.files import from_document, to_document
from dagwright.learning import learned_document
from dagwright.learning.cross_validation import CrossValidation
from dagwright.learning.learned import Learned
from dagwright.learning.neighborhood import Neighborhood
from dagwright.search import study
from dagwright.search.candidates import CandidateSets
from dagwright.search.forecast import Forecast
from dagwright.search.rivals import Rivals
from dagwright.search.solving import Solution
from dagwright.search.study import Study
from dagwright.wire.codec import decoded, encoded, schema_of

VERSION = 1
AnyGraph = Dag | Pdag | Mag | Pag | UndirectedGraph
SET_FACTS = ("score_name", "max_parents", "within", "evaluations", "stopped", "most")
CANDIDATE_FIELDS: dict[str, Any] = {
    "score_name": str | None,
    "max_parents": int | None,
    "within": float | None,
    "evaluations": int,
    "stopped": str | None,
    "most": float | None,
    "nodes": list[str],
    "limits": list[float] | None,
    "offsets": list[int],
    "scores": list[float],
    "starts": list[int],
    "members": list[int],
    "required_edges": list[tuple[int, int]],
}
COMPARED = (
    *("shd", "dag_shd", "equivalent", "missing", "extra", "reversed"),
    *("skeleton_precision", "skeleton_recall", "skeleton_f1"),
    *("arrowhead_precision", "arrowhead_recall", "arrowhead_f1"),
)


@dataclass(frozen=True)
class WireFormat:
    """The JSON form of one type of result.

    ``derived`` gives the fields that follow from others. ``write`` and ``read`` stand in for the fields that
    the type declares, where it has a form of its own; ``named`` says whether that form names itself, and
    ``declared`` which fields it has.
    """

    kind: str
    type: Any
    derived: Callable[[Any], dict[str, Any]] = lambda _: {}
    write: Callable[[Any], dict[str, Any]] | None = None
    read: Callable[[dict[str, Any]], Any] | None = None
    named: bool = False
    declared: Mapping[str, Any] | None = None

    @property
    def format(self) -> str:
        """The value of the field ``format`` of a document."""
        return f"dagwright-{self.kind}"

    def to_dict(self, result: Any) -> dict[str, Any]:
        """The document of a result."""
        body = encoded(result) if self.write is None else self.write(result)
        if self.named:
            return body
        return {"format": self.format, "format_version": VERSION, **body, **encoded(self.derived(result))}

    def from_dict(self, document: dict[str, Any]) -> Any:
        """The result of a document."""
        if not self.named and document.get("format_version") != VERSION:
            found = document.get("format_version")
            raise FormatError(f"a {self.kind} of format version {found}; this dagwright reads {VERSION}")
        return decoded(document, self.type) if self.read is None else self.read(document)

    def schema(self) -> dict[str, Any]:
        """The JSON Schema (draft 2020-12) of the documents."""
        head = {"format": {"const": self.format}, "format_version": {"type": "integer"}}
        if self.declared is None:
            own = schema_of(self.type)["properties"]
        else:
            own = {name: schema_of(hint) for name, hint in self.declared.items()}
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": self.format,
            "type": "object",
            "properties": {**head, **own},
            "required": [*head, *own],
        }


def _rivals(found: Rivals) -> dict[str, Any]:
    classes = found.classes()
    number = {dag: at for at, one in enumerate(classes) for dag in one.members}
    return {
        "probabilities": found.posterior(),
        "class_of_network": [number[dag] for dag in found.networks],
        "classes": [
            {"graph": one.graph, "score": one.score, "networks": len(one.members)} for one in classes
        ],
    }


def _candidates(found: CandidateSets) -> dict[str, Any]:
    arrays = ("nodes", "limits", "offsets", "scores", "starts", "members")
    document: dict[str, Any] = encoded({name: getattr(found, name) for name in (*SET_FACTS, *arrays)})
    return document | {"required_edges": encoded(found.native.links)}


def _candidates_of(document: dict[str, Any]) -> CandidateSets:
    absent = [name for name in CANDIDATE_FIELDS if name not in document]
    if absent:
        raise FormatError(f"candidate sets without the field {absent[0]!r}")
    part = {name: decoded(document[name], hint) for name, hint in CANDIDATE_FIELDS.items()}
    try:
        return CandidateSets.from_arrays(
            part["nodes"],
            np.asarray(part["offsets"], dtype=np.int64),
            np.asarray(part["scores"], dtype=np.float64),
            np.asarray(part["starts"], dtype=np.int64),
            np.asarray(part["members"], dtype=np.int32),
            required_edges=part["required_edges"],
            limits=None if part["limits"] is None else tuple(part["limits"]),
            **{name: part[name] for name in SET_FACTS},
        )
    except (DagwrightError, OverflowError) as problem:
        raise FormatError(f"candidate sets that cannot be: {problem}") from None


def _compared(found: Comparison) -> dict[str, Any]:
    return {name: getattr(found, name) for name in COMPARED} | {"sid_bounds": found.known_sid_bounds}


FORMATS: tuple[WireFormat, ...] = (
    WireFormat(
        "study",
        Study,
        write=Study.to_dict,
        read=Study.from_dict,
        named=True,
        declared=study.JSON_FIELDS,
    ),
    WireFormat(
        "learned",
        Learned,
        write=Learned.to_dict,
        read=Learned.from_dict,
        named=True,
        declared=learned_document.JSON_FIELDS,
    ),
    WireFormat(
        "confidence",
        Confidence,
        write=Confidence.to_dict,
        read=Confidence.from_dict,
        named=True,
        declared=confidence.JSON_FIELDS,
    ),
    WireFormat(
        "knowledge",
        Knowledge,
        write=lambda known: {"knowledge": to_document(known)},
        read=lambda document: from_document(document.get("knowledge")),
        declared={"knowledge": dict[str, Any]},
    ),
    WireFormat(
        "graph",
        AnyGraph,
        write=lambda graph: {"graph": encoded(graph)},
        read=lambda document: decoded(document.get("graph"), AnyGraph),
        declared={"graph": AnyGraph},
    ),
    WireFormat("neighborhood", Neighborhood),
    WireFormat("rivals", Rivals, _rivals),
    WireFormat(
        "candidates", CandidateSets, write=_candidates, read=_candidates_of, declared=CANDIDATE_FIELDS
    ),
    WireFormat("cross-validation", CrossValidation, lambda found: {"best": found.best}),
    WireFormat("comparison", Comparison, _compared),
    WireFormat("forecast", Forecast),
    WireFormat(
        "dynamic-network",
        DynamicNetwork,
        write=DynamicNetwork.to_dict,
        read=DynamicNetwork.from_dict,
        named=True,
        declared=dynamic_network.JSON_FIELDS,
    ),
    WireFormat("solution", Solution, lambda found: {"gap": found.gap}),
)
"""Every wire format, by what refers to what."""
_BY_NAME = {one.format: one for one in FORMATS}


def format_for(result: object) -> WireFormat:
    """The wire format of a result."""
    for one in FORMATS:
        if isinstance(result, one.type):
            return one
    raise OptionError(
        f"a {type(result).__name__} has no wire format; those with one are {', '.join(_BY_NAME)}"
    )


def to_dict(result: object) -> dict[str, Any]:
    """The JSON document of a result, as plain values.

    >>> from dagwright import Dag
    >>> to_dict(Dag.parse("A -> B"))["graph"]
    {'kind': 'dag', 'nodes': ['A', 'B'], 'edges': [['A', 'B']], 'undirected': []}
    """
    return format_for(result).to_dict(result)


def from_dict(document: Mapping[str, Any]) -> Any:
    """The result that a document stands for.

    >>> from dagwright import Dag
    >>> from_dict(to_dict(Dag.parse("A -> B")))
    Dag.parse('A -> B')
    """
    name = document.get("format") if isinstance(document, Mapping) else None
    if not isinstance(name, str) or name not in _BY_NAME:
        raise FormatError(f"the field 'format' names no wire format; known are {', '.join(_BY_NAME)}")
    return _BY_NAME[name].from_dict(dict(document))
