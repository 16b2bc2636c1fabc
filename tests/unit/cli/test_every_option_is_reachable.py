"""What the library can be told, the command line can be told: options of functions, fields of methods."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields
from typing import Any, Literal, get_args, get_origin

import pytest
import typer.main

import dagwright as dw
from dagwright.cli.app import app
from dagwright.cli.methods_from_text import method
from dagwright.methods import registry

COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]

# What a command calls, and what its options are called where the library uses another word.
SHARED = {"random_state": "seed", "graph": "graph", "columns": "column", "interventions": "condition"}
READING = {"source": "data", "missing_values": "missing_value", "names": "name", "columns": "column"}
READING |= {"kinds": "kind"}
ANSWERS = {"method": "way", "self": "network", "n": "n"}
CALLS: list[tuple[str, Callable[..., Any], dict[str, str]]] = [
    ("learn", dw.learn, {}),
    ("describe", dw.read, READING),
    ("learn", dw.read, READING),
    ("score", dw.score, {}),
    ("independence-test", dw.independence_test, {}),
    ("blanket", dw.blanket, {"method": "by"}),
    ("neighbors", dw.neighbors, {"method": "by"}),
    ("compare", dw.compare, {"a": "reference", "b": "estimate"}),
    ("bootstrap", dw.bootstrap, {}),
    ("posterior", dw.posterior, {"method": "way"}),
    ("evidence-card", dw.learn, {}),
    ("evidence-card", dw.evidence_card, {"found": "data"}),
    ("rivals", dw.rivals, {"k": "most"}),
    ("rivals", dw.credible_set, {}),
    ("candidates", dw.candidates, {}),
    ("solve", dw.solve, {"sets": "scores", "method": "way"}),
    ("robustness", dw.robustness, {"scores": "score"}),
    ("cross-validate", dw.cross_validate, {"candidates": "search"}),
    ("forecast", dw.forecast, {}),
    ("bench", dw.learn, {}),
    ("fit", dw.fit, {}),
    ("query", dw.BayesianNetwork.query, ANSWERS),
    ("query", dw.BayesianNetwork.marginals, ANSWERS),
    ("query", dw.BayesianNetwork.joint, ANSWERS | {"targets": "target"}),
    ("query", dw.BayesianNetwork.map, ANSWERS | {"targets": "target"}),
    ("query", dw.BayesianNetwork.most_informative, ANSWERS),
    ("query", dw.BayesianNetwork.do, ANSWERS | {"setting": "do"}),
    ("predict", dw.BayesianNetwork.predict, ANSWERS),
    ("predict", dw.BayesianNetwork.predict_proba, ANSWERS),
    ("predict", dw.BayesianNetwork.impute, ANSWERS),
    ("sample", dw.BayesianNetwork.sample, ANSWERS),
    ("convert", dw.load, {"format": "source_format"}),
    ("convert", dw.save, {"network": "source", "path": "out", "format": "out_format"}),
    ("report", dw.report, {"effects": "effect"}),
    ("effect", dw.effect, {"states": "contrast"}),
    ("plausibility", dw.plausibility, {}),
    ("draw", dw.draw, {"thing": "source", "names": "name", "path": "out"}),
]

PYTHON_ONLY = {
    "progress": "a function; the command line shows a line on stderr",
    "cancel": "a token for other threads; Ctrl-C does the same",
    "client": "a connection to a cluster, open in this process",
    "command": "what the command line itself fills in",
    "study": "a request as a value; rerun takes the one of a saved result",
    "reading": "any option of read, all of which are options of the command",
    ("posterior", "features"): "functions of a graph",
    ("draw", "positions"): "places that a person gave to nodes, in the studio or in Python",
    ("evidence-card", "data"): "a saved result may lack its data; the command always has them",
    ("blanket", "oracle"): "learn takes an oracle, and shows the neighborhoods of all",
    ("neighbors", "oracle"): "learn takes an oracle, and shows the neighborhoods of all",
    ("blanket", "log"): "every single question, for programs in Python",
    ("neighbors", "log"): "every single question, for programs in Python",
    ("evidence-card", "oracle"): "there is no evidence to lay open without data",
    ("bench", "oracle"): "there is nothing to score without data",
    ("evidence-card", "start"): "start is the first column of the edge here",
    ("evidence-card", "checkpoint"): "dagwright learn keeps one",
    ("bench", "checkpoint"): "what is remembered would not be timed",
    ("bench", "interventions"): "searches by tests could not be compared",
    ("bench", "start"): "searches that start elsewhere would not be compared",
}

# Values for fields whose default and type say nothing that could be written down.
EXAMPLES = {
    "alpha": "0.5",
    "also": "('paths',)",
    "bits": "8",
    "by": "MMPC()",
    "cost": "{('a', 'b'): 2.0}",
    "fdr": "BenjaminiHochberg(rate=0.1)",
    "hidden": "{'h': 2}",
    "measure": "Gaussian()",
    "network": "Graph('a -> b; c')",
    "order": "['a', 'b', 'c']",
    "phi": "2.5",
    "points": "[0.5, 1.5]",
    "probability": "{('a', 'b'): 0.5}",
    "schedule": "(50.0, 0.5)",
    "score": "BDeu(ess=2)",
    "root": "'b'",
    "search": "Tabu(tenure=5)",
    "states": "{'a': 2, 'b': 3}",
    "test": "GSquare(alpha=0.01)",
    "values": "(0.0, -1.0)",
}
NEEDED = {"perturbation": ["restarts"]}
BY_METHOD = {
    ("HillClimb", "restarts"): "1",
    ("BDe", "prior"): "Network('asia')",
    ("DirichletScore", "alpha"): "1.0",
    ("GES", "turning"): "True",
    ("StructuralEM", "search"): "HillClimb(max_parents=2)",
    ("ThickThin", "by"): "GSquare(alpha=0.01)",
    ("FAN", "by"): "BIC",
    ("Restrict", "by"): "PC(max_size=1)",
}


@pytest.mark.parametrize(
    ("command", "function", "spelling"),
    CALLS,
    ids=lambda one: getattr(one, "__qualname__", None if isinstance(one, dict) else one),
)
def test_every_parameter_is_an_option(
    command: str, function: Callable[..., Any], spelling: dict[str, str]
) -> None:
    options = {parameter.name for parameter in COMMANDS[command].params}
    names = SHARED | spelling
    unreachable = [
        name
        for name in inspect.signature(function).parameters
        if not {name, names.get(name)} & options
        and name not in PYTHON_ONLY
        and (command, name) not in PYTHON_ONLY
    ]
    assert not unreachable, f"dagwright {command} has no option for {unreachable}"


def fields_of_methods() -> Iterator[tuple[registry.Entry, str]]:
    for entry in registry.ENTRIES:
        for field in fields(entry.method):
            if field.init:
                yield entry, field.name


@pytest.mark.parametrize(
    ("entry", "field"), list(fields_of_methods()), ids=lambda one: getattr(one, "name", one)
)
def test_every_field_of_a_method_can_be_written(entry: registry.Entry, field: str) -> None:
    given = {name: example(entry, name) for name in {*entry.needs, field, *NEEDED.get(field, ())}}
    text = f"{entry.name}({', '.join(f'{name}={value}' for name, value in given.items())})"
    built = method(text, entry.kind)
    assert isinstance(built, entry.method)
    assert getattr(built, field) is not None


def example(entry: registry.Entry, name: str) -> str:
    """A text for a field: of its default, else of its type, else from the tables above."""
    if (entry.name, name) in BY_METHOD:
        return BY_METHOD[entry.name, name]
    (field,) = (field for field in fields(entry.method) if field.name == name)
    default = field.default if field.default_factory is MISSING else field.default_factory()
    if default is not MISSING and default is not None and default != {}:
        return repr(default)
    kind = typing.get_type_hints(entry.method)[name]
    if name in EXAMPLES:
        return EXAMPLES[name]
    for plain in (kind, *get_args(kind)):
        if get_origin(plain) is Literal:
            return repr(get_args(plain)[0])
        if plain in (int, float, str, bool):
            return {int: "2", float: "0.25", str: "'a'", bool: "True"}[plain]
    pytest.fail(f"EXAMPLES has no text for {entry.name}.{name}, of type {kind}")
