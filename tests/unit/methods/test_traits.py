"""Every method declares its facts on its class, and all that speaks of methods reads them there."""

from __future__ import annotations

import ast
import importlib
import json
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.command_line import run

import dagwright as dw
from dagwright.methods import registry
from dagwright.methods.options import options_of
from dagwright.methods.table import methods_table
from dagwright.methods.traits import EvidenceTraits, MethodTraits, evidence_traits
from dagwright.search.traits import SearchTraits, search_traits

ROOT = Path(__file__).parents[3]
SOURCES = ROOT / "src" / "dagwright"
ENTRIES = pytest.mark.parametrize("entry", registry.ENTRIES, ids=lambda entry: entry.name)

TOY = '''
from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dagwright.search.control import Control
from dagwright.search.costs import Cost
from dagwright.search.problem import Found, Problem
from dagwright.search.traits import SearchTraits


@dataclass(frozen=True, slots=True)
class ToySearch(SearchTraits):
    """Keeps the graph it begins from.

    Parameters
    ----------
    patience
        How long it does nothing.
    """

    summary: ClassVar[str] = "the starting graph as it is"
    citation: ClassVar[str] = "Doe 2020"

    patience: int = 3

    def cost(self, problem: Problem) -> Cost:
        return Cost(len(problem.names), basis="each variable once")

    def run(self, problem: Problem, control: Control) -> Found:
        with control.watch() as watch:
            watch.over()
        graph = problem.first_dag()
        return Found(graph=graph, score=problem.score.total(graph), stopped=watch.stopped)
'''


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[registry.Entry]:
    """A new method: one file, and one line in the registry."""
    (tmp_path / "toy_search.py").write_text(TOY, encoding="utf-8")
    monkeypatch.setattr(dw.search, "__path__", [*dw.search.__path__, str(tmp_path)])
    added = registry.Entry("search", "ToySearch", "search.toy_search")
    monkeypatch.setattr(registry, "ENTRIES", (*registry.ENTRIES, added))
    importlib.invalidate_caches()
    yield added
    sys.modules.pop("dagwright.search.toy_search", None)


def test_a_new_method_is_one_file_and_one_line(toy: registry.Entry) -> None:
    listed = json.loads(run("methods", "search", "--json").stdout)
    (mine,) = [one for one in listed if one["name"] == "ToySearch"]
    assert (mine["citation"], mine["signature"]) == ("Doe 2020", "ToySearch(patience=3)")
    rows = methods_table("search").splitlines()
    assert "| `ToySearch(patience=3)` | the starting graph as it is | DAG | no | Doe 2020 |" in rows
    forecast = dw.forecast("sample:asia", search="toysearch(patience=5)")
    assert (forecast.search, forecast.evaluations) == ("ToySearch(patience=5)", 8)
    found = dw.learn("sample:asia", search="ToySearch", score=dw.BIC())
    assert found.works == ("ToySearch: Doe 2020", "BIC: Schwarz 1978")
    (option,) = toy.options
    assert (option.name, option.type, option.default) == ("patience", "integer", 3)
    assert option.help == "How long it does nothing."
    conformance = runpy.run_path(str(ROOT / "tests" / "laws" / "test_search_conformance.py"))
    assert any(type(search) is toy.method for search in conformance["REGISTERED"])
    done = run("learn", "sample:asia", "--search", "ToySearch(patience=1)", "--json")
    assert json.loads(done.stdout)["method"] == "ToySearch(patience=1)"


@ENTRIES
def test_every_class_declares_its_own_facts(entry: registry.Entry) -> None:
    assert issubclass(entry.method, MethodTraits)
    assert "summary" in vars(entry.method)
    if entry.kind == "search":
        assert issubclass(entry.method, SearchTraits)
        declared = entry.method.usual is not None or entry.method.cost is not SearchTraits.cost
        assert declared, f"{entry.name} declares no cost"
    if entry.kind in ("score", "test", "measure", "prior"):
        assert issubclass(entry.method, EvidenceTraits)


def test_options_have_their_help_from_the_docstring() -> None:
    undocumented = [
        f"{entry.name}.{option.name}"
        for entry in registry.entries("search")
        for option in options_of(entry.method)
        if not option.help
    ]
    assert undocumented == []


SMALL = dw.read("sample:asia").select(["smoke", "lung", "bronc", "dysp", "either"]).take(range(400))
GAPS = {name: [None, *SMALL.to_dict()[name][1:]] for name in SMALL.names}
KINDS = {"dag": dw.Dag, "cpdag": dw.Pdag, "pag": dw.Pag, "undirected": dw.UndirectedGraph}


@pytest.mark.parametrize("entry", list(registry.entries("search")), ids=lambda entry: entry.name)
def test_searches_give_the_graph_they_declare(entry: registry.Entry) -> None:
    given = {"order": SMALL.names, "target": "dysp", "by": dw.MMPC()}
    search = entry.method(**{name: given[name] for name in entry.needs})
    if entry.name == "BranchAndCut":
        pytest.importorskip("highspy")
    found = dw.learn(GAPS if entry.name == "StructuralEM" else SMALL, search=search, threads=1)
    assert type(found.graph) is KINDS[search.gives]
    if not search.is_exact and entry.name != "Auto":
        assert not found.optimal
    if search.is_exact:
        assert found.optimal


def columns(*kinds: str) -> dict[str, Any]:
    rng = np.random.default_rng(1)
    hidden = rng.normal(size=60)
    made = {"a": hidden + rng.normal(size=60), "b": hidden + rng.normal(size=60)}
    coded = {"c": ["no", "yes"] * 30, "d": ["low" if value < 0 else "high" for value in hidden]}
    return (made if "numbers" in kinds else {}) | (coded if "states" in kinds else {})


CHECKED = [
    entry for kind in ("score", "test", "measure") for entry in registry.entries(kind) if not entry.needs
]


@pytest.mark.parametrize("entry", CHECKED, ids=lambda entry: entry.name)
@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("discrete", columns("states")),
        ("continuous", columns("numbers")),
        ("mixed", columns("numbers", "states")),
    ],
)
def test_scores_and_tests_take_the_data_they_declare(entry: registry.Entry, kind: Any, data: Any) -> None:
    """Whether a method with some options works on the columns as they are, without cutting numbers."""
    tried = [entry.method()]
    if "measure" in {option.name for option in entry.options}:
        tried += [entry.method(measure=one) for one in (dw.Gaussian(), dw.Embedded())]
    if kind in entry.takes:
        assert any(works_as_they_are(spec, data, kind) for spec in tried)
    else:
        assert not any(works_as_they_are(spec, data, kind) for spec in tried)


def works_as_they_are(spec: Any, data: Any, kind: str) -> bool:
    if kind != "discrete" and not evidence_traits(spec).takes_numbers:
        return False
    try:
        table = dw.read(data)
        if isinstance(spec, dw.evidence.TestSpec):
            dw.learn(table, search=dw.PC(test=spec), threads=1)
        else:
            spec.on(table)
    except dw.OptionError:
        return False
    return True


@pytest.mark.parametrize(
    ("score", "works"),
    [
        (dw.K2Score(), ("K2Score: Cooper & Herskovits 1992",)),
        (dw.QNML(), ("QNML: Silander et al. 2018",)),
        (dw.FNML(), ("FNML: Silander et al. 2008",)),
        (dw.DirichletScore(0.5), ("DirichletScore: Heckerman et al. 1995",)),
    ],
)
def test_reports_cite_the_score(score: Any, works: tuple[str, ...]) -> None:
    found = dw.learn(SMALL, score=score, search=dw.HillClimb(), threads=1)
    assert found.works == ("HillClimb: Jensen & Nielsen 2007", *works)


def test_reports_cite_the_prior_the_test_and_what_auto_chose() -> None:
    found = dw.learn(SMALL, structure_prior=dw.FanIn(), score=dw.BIC(), threads=1)
    chosen = "Exact: Silander & Myllymäki 2006; Yuan & Malone 2013"
    assert found.works == (chosen, "BIC: Schwarz 1978", "FanIn: Friedman & Koller 2003")
    assert dw.Learned.from_json(found.to_json()).works == found.works
    assert dw.report(found).citations() == found.works
    tested = dw.learn(SMALL, search=dw.PC(test=dw.ChiSquare()), threads=1)
    assert tested.works == ("PC: Spirtes & Glymour 1991", "ChiSquare: Pearson 1900")


def test_undeclared_methods_have_the_plain_facts() -> None:
    class Bare:
        def run(self, problem: Any, control: Any) -> Any: ...

    assert search_traits(Bare()).decides_by == "score"
    assert search_traits(Bare()).max_parents is None
    assert evidence_traits(object()).equivalent is None
    forecast = dw.forecast(SMALL, search=Bare())
    assert "the cost of this search is unknown" in forecast.basis
    assert forecast.evaluations == len(SMALL.names) ** 2


FOREIGN = {
    "sklearn.py": {"feature_names_in_", "name"},  # set by scikit-learn; the name of a pandas Series
    "cli/help_page.py": {"rich_help_panel", "is_flag", "multiple"},  # of Typer and Click
    "cli/configuration.py": {"commands"},
    "cli/spelling.py": {"command", "commands", "invoked_subcommand"},
    "data/binary_file.py": {"frozen"},  # of sys, in programs that hold their own Python
    "data/text_file.py": {"name"},  # of file objects
    "data/from_file.py": {"name"},
    "model/inference/batches.py": {"read"},
    "base/argument_types.py": {"__globals__", "__name__"},  # of functions and types
    "learning/neighborhood.py": {"__name__"},
    "base/whole_file.py": {"O_BINARY", "EDQUOT"},  # of os, on Windows; of errno, elsewhere
    "base/whole_folder.py": {"O_BINARY"},
    "data/chunks.py": {"to_arrow_reader"},  # of DuckDB, by its version
    "evidence/threads.py": {"sched_getaffinity"},  # of os, on Linux
    "evidence/structure_priors.py": {"__name__"},  # of a function
    "io/libraries.py": {"DiscreteBayesianNetwork"},  # of pgmpy, by its version
}


def test_no_capability_is_asked_for_by_a_literal_name() -> None:
    """What this library's own objects can do is declared on their classes, or named by a protocol."""
    asked = {
        (path.relative_to(SOURCES).as_posix(), node.args[1].value)
        for path in SOURCES.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "getattr"
        and len(node.args) > 1
        and isinstance(node.args[1], ast.Constant)
    }
    allowed = {(path, name) for path, names in FOREIGN.items() for name in names}
    assert asked - allowed == set()
    assert allowed - asked == set(), "these exceptions are no longer needed"
