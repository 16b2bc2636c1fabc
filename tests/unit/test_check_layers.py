"""The layer checker finds each kind of violation, and the project itself has none."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def checker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_layers", PROJECT / "tools" / "check_layers.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def write(root: Path, path: str, text: str) -> None:
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")


def messages(checker: ModuleType, root: Path) -> list[str]:
    return [str(finding) for finding in checker.check(root)]


def test_the_project_keeps_its_shape(checker: ModuleType) -> None:
    assert [str(finding) for finding in checker.check(PROJECT) if finding.fatal] == []


@pytest.mark.parametrize(
    "source",
    [
        "from dagwright.search.hill_climb import HillClimb\n",
        "import dagwright.search\n",
        "from dagwright import search\n",
        "def late():\n    from dagwright.search import HillClimb\n    return HillClimb\n",
    ],
)
def test_an_import_against_the_direction(checker: ModuleType, tmp_path: Path, source: str) -> None:
    write(tmp_path, "src/dagwright/graph/dag.py", source)
    (found,) = messages(checker, tmp_path)
    assert "graph imports search, against the direction" in found


def test_imports_along_the_direction_are_free(checker: ModuleType, tmp_path: Path) -> None:
    write(
        tmp_path,
        "src/dagwright/search/hill_climb.py",
        "import numpy\nfrom dagwright.errors import OptionError\nfrom dagwright.graph import Dag\n"
        "from dagwright.search.problem import Problem\nfrom dagwright import _core\n",
    )
    assert messages(checker, tmp_path) == []


def test_rooms_within_a_room_have_their_order(checker: ModuleType, tmp_path: Path) -> None:
    write(tmp_path, "src/dagwright/learning/learned.py", "from dagwright.learning.learn import learn\n")
    write(tmp_path, "src/dagwright/learning/task.py", "import dagwright.learning.learned\n")
    write(tmp_path, "src/dagwright/learning/resampling/draws.py", "import dagwright.learning.task\n")
    (found,) = messages(checker, tmp_path)
    assert "learning.learned imports learning.learn, against the direction" in found


def test_the_public_face_is_not_for_the_rooms(checker: ModuleType, tmp_path: Path) -> None:
    write(tmp_path, "src/dagwright/data/read.py", "from dagwright import learn_everything\n")
    (found,) = messages(checker, tmp_path)
    assert "data imports __init__" in found


def test_a_room_without_a_place(checker: ModuleType, tmp_path: Path) -> None:
    write(tmp_path, "src/dagwright/attic.py", "from dagwright.graph import Dag\n")
    (found,) = messages(checker, tmp_path)
    assert "package 'attic' is in no layer" in found


def test_print_in_the_library(checker: ModuleType, tmp_path: Path) -> None:
    write(tmp_path, "src/dagwright/graph/dag.py", 'X = 1\nprint("here")\n')
    (found,) = messages(checker, tmp_path)
    assert found.startswith("src/dagwright/graph/dag.py:2: the library does not print")


def test_the_core_knows_no_python_and_is_silent(checker: ModuleType, tmp_path: Path) -> None:
    write(
        tmp_path,
        "core/src/base/errors.cpp",
        "#include <nanobind/nanobind.h>\n// std::cout << 1 in a comment is fine\n"
        'void f() { std::printf("x"); }\nvoid g() { std::cerr << 1; }\nvoid h() { abort(); }\n',
    )
    write(tmp_path, "bindings/module.cpp", "#include <nanobind/nanobind.h>\n")
    found = messages(checker, tmp_path)
    assert [text.split(":")[1] for text in found] == ["1", "3", "4", "5"]
    assert "only bindings/ may use Python" in found[0]


def test_an_include_against_the_direction(checker: ModuleType, tmp_path: Path) -> None:
    write(
        tmp_path,
        "core/include/dagwright/statistics/table.hpp",
        '#include "dagwright/search/hill_climb.hpp"\n',
    )
    write(
        tmp_path,
        "core/src/search/hill_climb_moves.cpp",
        '#include "dagwright/search/hill_climb.hpp"\n#include "dagwright/statistics/table.hpp"\n',
    )
    (found,) = messages(checker, tmp_path)
    assert found.startswith(
        "core/include/dagwright/statistics/table.hpp:1: statistics includes search, against the"
    )


def test_file_sizes(checker: ModuleType, tmp_path: Path) -> None:
    write(tmp_path, "tests/test_long.py", "x = 1\n" * 401)
    write(tmp_path, "tests/test_longer.py", "x = 1\n" * 501)
    long, longer = checker.check(tmp_path)
    assert not long.fatal
    assert "401 lines" in str(long)
    assert longer.fatal


def test_exit_status(checker: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checker.main([str(tmp_path)]) == 0
    write(tmp_path, "src/dagwright/graph/dag.py", "import dagwright.cli\n")
    assert checker.main([str(tmp_path)]) == 1
    assert "graph imports cli" in capsys.readouterr().out
