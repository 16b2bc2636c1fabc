"""Commands run in this process, for tests of the command line."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner, Result

import dagwright as dw
from dagwright.cli.app import app

SAMPLE = str(Path(dw.__file__).parent / "data" / "samples" / "asia.csv")


def run(*words: str, stdin: bytes | None = None) -> Result:
    """One command in this process; nothing but typer's own exit may escape."""
    result = CliRunner().invoke(app, list(words), input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def answer(*words: str, stdin: bytes | None = None) -> str:
    result = run(*words, stdin=stdin)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


def refusal(*words: str, stdin: bytes | None = None) -> str:
    """The one sentence of a refused command."""
    result = run(*words, stdin=stdin)
    assert result.exit_code == 1, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    return result.stderr
