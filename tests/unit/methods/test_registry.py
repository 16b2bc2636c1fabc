"""The list of methods is complete, describes itself, and builds methods from text."""

from __future__ import annotations

import importlib
import inspect
import pickle
import pkgutil
import subprocess
import sys

import pytest

import dagwright.search
from dagwright.data import EqualWidth
from dagwright.errors import OptionError, UnknownNameError
from dagwright.evidence import BIC, BDeu, GSquare, Permuted, Score, TestSpec
from dagwright.methods import registry
from dagwright.methods.synonyms import SYNONYMS, without_punctuation

ENTRIES = pytest.mark.parametrize("entry", registry.ENTRIES, ids=lambda entry: entry.name)


@ENTRIES
def test_every_entry_describes_itself(entry: registry.Entry) -> None:
    assert entry.signature.startswith(f"{entry.name}(")
    assert "<" not in entry.signature
    assert 0 < len(entry.summary) < 80
    required = [
        name
        for name, option in inspect.signature(entry.method).parameters.items()
        if option.default is option.empty
    ]
    assert tuple(required) == entry.needs


@ENTRIES
def test_a_method_is_built_from_its_name_and_from_its_signature(entry: registry.Entry) -> None:
    if not entry.needs:
        built = registry.parse(entry.name.upper(), entry.kind)
        assert type(built) is entry.method
        assert pickle.loads(pickle.dumps(built)) == built
        assert registry.parse(entry.signature, entry.kind) == built
        assert registry.parse(repr(built), entry.kind) == built


def test_every_score_and_test_is_listed() -> None:
    import dagwright.evidence as room

    kinds = [kind for kind in (getattr(room, name) for name in room.__all__) if isinstance(kind, type)]
    public = {kind.__name__ for kind in kinds if issubclass(kind, Score | TestSpec)}
    listed = {entry.name for kind in ("score", "test") for entry in registry.entries(kind)}
    assert public - {"Score", "TestSpec"} == listed


def test_every_search_is_listed() -> None:
    found = set()
    for module in pkgutil.walk_packages(dagwright.search.__path__, "dagwright.search."):
        for name, kind in vars(importlib.import_module(module.name)).items():
            if getattr(kind, "__module__", "") == module.name and callable(getattr(kind, "run", None)):
                found.add(name)
    # Structural EM needs networks and averages need strengths of edges, so they live with these.
    assert found - {"Search", "LocalMethod", "NeighborMethod"} | {"StructuralEM", "Averaged"} == {
        entry.name for entry in registry.entries("search")
    }


def test_texts() -> None:
    assert registry.parse("BDeu(ess=10)", "score") == BDeu(ess=10)
    assert registry.parse("equalwidth(bins=4)", "discretization") == EqualWidth(bins=4)
    nested = registry.parse("Permuted(gsquare(alpha=0.01), rounds=99)", "test")
    assert nested == Permuted(GSquare(alpha=0.01), rounds=99)


def test_kinds_are_kept_apart_unless_both_are_welcome() -> None:
    with pytest.raises(OptionError, match="BIC is not a search; choose from Auto"):
        registry.parse("BIC", "search")
    assert registry.parse("BIC", "test", "score") == BIC()
    with pytest.raises(UnknownNameError, match="unknown kind of method 'scores'; did you mean 'score'"):
        registry.entries("scores")


def test_reading_a_method_loads_its_own_module_only() -> None:
    program = (
        "import sys\n"
        "from dagwright.methods.registry import parse\n"
        "parse('PC(test=FisherZ(alpha=0.01))', 'search')\n"
        "assert 'dagwright.search.pc' in sys.modules\n"
        "assert 'dagwright.search.branch_and_cut' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("hc", "search", "HillClimb"),
        ("hc(max_parents=3)", "search", "HillClimb"),
        ("pc.stable", "search", "PC"),
        ("chow.liu", "search", "ChowLiu"),
        ("structural.em", "search", "StructuralEM"),
        ("inter.iamb", "search", "InterIAMB"),
        ("k2", "score", "K2Score"),
        ("bde", "score", "BDeu"),
        ("bic-g", "score", "BIC"),
        ("mi", "test", "GSquare"),
        ("chi-square", "test", "ChiSquare"),
        ("zf", "test", "FisherZ"),
    ],
)
def test_names_of_other_libraries_are_understood(text: str, kind: registry.Kind, name: str) -> None:
    assert type(registry.parse(text, kind)).__name__ == name


def test_synonyms_name_methods_and_hide_none() -> None:
    for kind, names in SYNONYMS.items():
        own = {without_punctuation(entry.name) for entry in registry.entries(kind)}
        assert not own & names.keys()
        assert {without_punctuation(name) for name in names.values()} <= own


def test_a_suggestion_is_of_the_kind_that_is_allowed() -> None:
    with pytest.raises(UnknownNameError, match="unknown method 'scor'; known: 'GSquare', 'ChiSquare'"):
        registry.parse("scor", "test")


def test_a_missing_option_shows_what_the_method_takes() -> None:
    with pytest.raises(
        OptionError, match=r"missing a required argument: 'prior'; it takes prior=..., ess=1.0"
    ):
        registry.parse("BDe()", "score")
