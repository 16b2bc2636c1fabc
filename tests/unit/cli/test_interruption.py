"""Ctrl-C leaves a valid result of every command that can take long, and status 130."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import dagwright as dw
from command_line import SAMPLE

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX systems")

# The command line in a process that sends itself Ctrl-C: from a progress callback, or a tenth of a
# second after the search has begun, when only native code runs, or half a second after rows were read.
INTERRUPTING = """
import contextlib, logging, os, signal, threading
from dagwright.cli import inputs, main, output

def interrupt():
    os.kill(os.getpid(), signal.SIGINT)

class Begun(logging.Handler):
    def emit(self, record):
        threading.Timer(0.1, interrupt).start()

calls = []

@contextlib.contextmanager
def progress_line(wanted):
    def count(event):
        calls.append(event.phase)
        if len(calls) == {call}:
            interrupt()
    yield count

log = logging.getLogger("dagwright")
log.setLevel(logging.INFO)
if {native}:
    log.addHandler(Begun())
elif {rows}:
    read = inputs.read_learnable

    def read_learnable(*given):
        table = read(*given)
        threading.Timer(0.5, interrupt).start()
        return table

    inputs.read_learnable = read_learnable
else:
    output.progress_line = progress_line
main()
"""

ENDLESS = "HillClimb(restarts=100000000)"


def interrupted(*words: str, native: bool = False, rows: bool = False, call: int = 1, told: str = "") -> str:
    """What a command still writes when Ctrl-C comes with a call of its progress, or in native code."""
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTING.format(native=native, rows=rows, call=call), *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.stderr.strip() == told
    assert done.returncode == 130
    return done.stdout


@pytest.mark.parametrize("native", [False, True], ids=["in the progress callback", "in native code"])
def test_learn(native: bool) -> None:
    found = dw.Learned.from_json(interrupted("learn", SAMPLE, "--json", "--search", ENDLESS, native=native))
    assert found.stopped == "cancelled"
    assert found.graph.nodes == dw.read(SAMPLE).names
    assert any("interrupt" in warning for warning in found.warnings)


def test_confidence() -> None:
    words = ("bootstrap", SAMPLE, "--json", "--search", "HillClimb", "--replicates", "1000000")
    found = dw.Confidence.from_json(interrupted(*words))
    assert found.source.endswith("interrupted")
    assert found.strength("lung", "either") > 0.5


def test_confidence_before_the_first_replicate() -> None:
    words = ("bootstrap", SAMPLE, "--json", "--search", ENDLESS)
    assert interrupted(*words, rows=True, told="error: interrupted before a replicate was finished") == ""


def test_evidence_card() -> None:
    words = ("evidence-card", SAMPLE, "lung", "either", "--json", "--search", ENDLESS)
    card = json.loads(interrupted(*words, native=True))
    assert card["present"]
    assert card["rival"] is None


@pytest.mark.parametrize("command", ["blanket", "neighbors"])
def test_around_one_column(command: str) -> None:
    test = "Permuted(GSquare(), rounds=10000000)"
    words = (command, SAMPLE, "lung", "--json", "--method", f"IAMB({test})")
    assert json.loads(interrupted(*words, rows=True))["stopped"] == "cancelled"


def test_posterior() -> None:
    words = ("posterior", SAMPLE, "--json", "--method", "PartitionMCMC(samples=20000, thin=100, burn_in=0)")
    document = interrupted(*words, call=4)
    assert json.loads(document)["stopped"] == "cancelled"
    found = dw.Confidence.from_json(document)
    assert set(found.nodes) == set(dw.read(SAMPLE).names)


def test_bench() -> None:
    words = ("bench", SAMPLE, "--json", "--search", ENDLESS, "--search", "ChowLiu")
    (tried,) = json.loads(interrupted(*words))
    assert tried["stopped"] == "cancelled"
    assert tried["score"] < 0


@pytest.mark.parametrize(("search", "replicates"), [(ENDLESS, "0"), ("HillClimb", "1000000")])
def test_report(search: str, replicates: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    interrupted("report", SAMPLE, "-o", str(page), "--search", search, "--replicates", replicates)
    assert "interrupt" in page.read_text(encoding="utf-8").lower()


def test_robustness_ends_with_the_first_setting() -> None:
    words = ("robustness", SAMPLE, "--json", "--search", ENDLESS, "--score", "BIC", "--score", "AIC")
    assert interrupted(*words, told="error: interrupted") == ""


def test_an_effect_over_resampled_networks(tmp_path: Path) -> None:
    saved = tmp_path / "found.json"
    dw.learn(SAMPLE, search=dw.HillClimb(), score=dw.BIC()).save(saved)
    words = ("effect", SAMPLE, str(saved), "smoke", "lung", "--replicates", "100000", "--json")
    found = json.loads(interrupted(*words, call=25))
    assert "networks learned again from resampled rows of 100000, interrupted" in found["source"]


def test_an_effect_that_hardly_began(tmp_path: Path) -> None:
    saved = tmp_path / "found.json"
    dw.learn(SAMPLE, search=dw.HillClimb(), score=dw.BIC()).save(saved)
    words = ("effect", SAMPLE, str(saved), "smoke", "lung", "--replicates", "100000", "--json")
    assert interrupted(*words, call=2, told="error: interrupted") == ""


def test_while_the_command_line_is_loaded() -> None:
    """Ctrl-C at the first import of the application: status 130 and no traceback."""
    script = """
import signal, sys

class AtTheApplication:
    def find_spec(self, name, path=None, target=None):
        if name == "dagwright.cli.app":
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, AtTheApplication())
from dagwright.cli import main
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", script, "networks"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 130
    assert done.stderr == ""
