"""The README and the documentation keep their word: their code and their commands are executed.

A page is one session in an empty directory. Python blocks share one
namespace; those written with `>>>` must print what the page shows. In `console` blocks each line after
`$ ` is a dagwright command, and the lines under it are its output, `...` standing for anything.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from dagwright.cli.app import app

PROJECT = Path(__file__).resolve().parents[2]
PAGES = sorted([PROJECT / "README.md", *(PROJECT / "docs").rglob("*.md")])
FENCE = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TERMINAL = {"COLUMNS": "100", "NO_COLOR": "1"}
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Block:
    """One fenced block of a page."""

    language: str
    text: str
    line: int


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for match in FENCE.finditer(text):
        yield Block(match.group(1), match.group(2), text.count("\n", 0, match.start(2)) + 1)


def run_python(block: Block, page: Path, namespace: dict[str, Any]) -> None:
    if ">>>" not in block.text:
        exec(compile("\n" * (block.line - 1) + block.text, str(page), "exec"), namespace)
        return
    test = doctest.DocTestParser().get_doctest(block.text, namespace, page.name, str(page), block.line)
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(test, out=report.append, clear_globs=False)
    namespace.update(test.globs)
    assert not report, "".join(report)


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Each command of a console block with the output shown for it."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown


def run_command(command: str, shown: str, directory: Path) -> None:
    """Run one command line of the documentation; `python` and `dagwright` are this environment's."""
    words = shlex.split(command)
    assert words[0] in ("dagwright", "python", "cat"), f"documentation runs only dagwright: {command}"
    status, printed = in_this_process(words) if is_plain(command) else in_a_shell(command, directory)
    if not shown.strip():
        assert status == 0, printed
        return
    if not doctest.OutputChecker().check_output(shown, printed, FLAGS):
        pytest.fail(f"$ {command}\nthe page shows:\n{shown}\nthe command printed:\n{printed}")


def is_plain(command: str) -> bool:
    """Whether a line is one dagwright command, without pipes, redirections or variables."""
    parts = list(shlex.shlex(command, posix=True, punctuation_chars=True))
    return (
        parts[0] == "dagwright"
        and not any(set(part) <= set("|<>&;()") for part in parts)
        and "$" not in command
    )


def in_this_process(words: list[str]) -> tuple[int, str]:
    """The exit status and the output; a process of its own would take a second to start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", words)
        run = CliRunner().invoke(app, words[1:], env=TERMINAL)
    assert run.exception is None or isinstance(run.exception, SystemExit), run.exception
    return run.exit_code, run.stdout + run.stderr


def in_a_shell(command: str, directory: Path) -> tuple[int, str]:
    """The exit status and the output of a line with pipes."""
    search_path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": search_path, **TERMINAL}
    run = subprocess.run(
        command, shell=True, cwd=directory, env=environment, capture_output=True, text=True, encoding="utf-8"
    )
    return run.returncode, run.stdout + run.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(PROJECT).as_posix())
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks(page):
        if block.language in ("python", "pycon"):
            run_python(block, page, namespace)
        elif block.language == "console":
            for command, shown in commands(block.text):
                run_command(command, shown, tmp_path)


def test_a_wrong_output_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("text\n```python\n>>> 1 + 1\n3\n```\n", encoding="utf-8")
    (block,) = blocks(page)
    with pytest.raises(AssertionError, match="Expected:"):
        run_python(block, page, {})
    with pytest.raises(pytest.fail.Exception):
        run_command("python -c 'import dagwright'", "something\n", tmp_path)
