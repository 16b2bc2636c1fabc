"""What people see: whole words and numbers at any width, a line of help for every option, completion."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
import typer.main

import dagwright as dw
from command_line import SAMPLE, answer, refusal, run
from dagwright.cli import output
from dagwright.cli.app import app

COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]
TRUE = "asia -> tub; smoke -> lung; smoke -> bronc; tub -> either; lung -> either; either -> xray; dysp"
SHOWN = [
    ("describe", SAMPLE),
    ("learn", SAMPLE),
    ("score", SAMPLE, TRUE),
    ("independence-test", SAMPLE, "smoke", "xray", "--given", "lung"),
    ("compare", TRUE, "smoke -> lung; asia; tub; bronc; either; xray; dysp"),
    ("bench", SAMPLE, "--search", "HillClimb", "--search", "ChowLiu"),
    ("query", "asia"),
    ("networks",),
    ("robustness", SAMPLE, "--search", "HillClimb"),
    ("methods",),
    ("forecast", SAMPLE),
]


@pytest.mark.parametrize("width", [60, 140])
@pytest.mark.parametrize("words", SHOWN, ids=lambda words: words[0])
def test_lines_fit_the_terminal(width: int, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    text = answer(*words)
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text


@pytest.mark.parametrize("words", [*SHOWN, ("describe", "sample:titanic")], ids=" ".join)
def test_a_narrow_terminal_loses_no_text(words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    said = []
    for width in ("60", "400"):
        monkeypatch.setenv("COLUMNS", width)
        said.append(Counter(letter for letter in answer(*words) if letter.isalpha()))
    assert said[0] == said[1]


def test_numbers_are_never_cut(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    output.write_grid(
        [("name", "left"), ("score", "right"), ("empty", "left"), ("remark", "left")],
        [("a long name of a search", "-1,234,567.89", "", "words that go on and on and on")],
    )
    printed = capsys.readouterr().out
    assert "-1,234,567.89" in printed
    assert "empty" not in printed
    assert max(map(len, printed.splitlines())) <= 30


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_has_a_line_of_help(command: str) -> None:
    assert all(getattr(parameter, "help", None) for parameter in COMMANDS[command].params)
    short = COMMANDS[command].get_short_help_str(limit=70)
    assert not short.endswith("..."), short


TYPED = {
    "dagwright lea": "learn",
    "dagwright learn --struc": "--structure-prior",
    "dagwright learn --search Hill": "HillClimb",
    "dagwright query al": "alarm",
    "dagwright query asia either lu": "lung",
    "dagwright query asia -e smo": "smoke=",
    f"dagwright blanket {SAMPLE} dy": "dysp",
    f"dagwright learn {SAMPLE} --exclude xr": "xray",
    f"dagwright independence-test {SAMPLE} smoke dy": "dysp",
    f"dagwright independence-test {SAMPLE} smoke lung --given ei": "either",
    f"dagwright report {SAMPLE} --target br": "bronc",
    f"dagwright cross-validate {SAMPLE} --target br": "bronc",
}
COMPLETING = """
import contextlib, io, json, os, sys
from dagwright.cli import main
sys.argv = ["dagwright"]
offered = []
for typed in json.loads(sys.stdin.read()):
    os.environ |= {
        "_DAGWRIGHT_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": str(len(typed.split()) - 1)
    }
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.suppress(SystemExit):
        main()
    offered.append(out.getvalue().split())
print(json.dumps(offered))
"""


def test_completion() -> None:
    done = subprocess.run(
        [sys.executable, "-c", COMPLETING],
        input=json.dumps(list(TYPED)),
        capture_output=True,
        text=True,
        check=True,
    )
    for (typed, expected), offered in zip(TYPED.items(), json.loads(done.stdout), strict=True):
        assert expected in offered, typed


def test_names_cannot_steer_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "evil.csv"
    path.write_text("a\x1b[31m,b\n" + "x\x1b]0;t\x07,1\ny,2\n" * 30)
    for words in (["describe", str(path)], ["learn", str(path), "--search", "HillClimb"]):
        done = run(*words)
        assert "\x1b" not in done.stdout + done.stderr
        assert "\x07" not in done.stdout + done.stderr
        assert "a\\u001b[31m" in done.stdout
    assert "\x1b" not in run("learn", str(path), "--start", "a\x1b[31 -> b").stderr


def test_no_threads_are_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("dagwright.cli.confidence_commands.resampled", fails)
    assert "no more threads; try --threads 1" in refusal("bootstrap", SAMPLE)


def test_commands_stand_in_groups() -> None:
    text = answer("--help")
    heads = [line for line in text.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert heads[1:] == [
        "Data:",
        "Learning:",
        "Confidence:",
        "Graphs:",
        "Networks:",
        "Studio:",
        "About dagwright:",
    ]
    assert all(any(line.split()[:1] == [name] for line in text.splitlines()) for name in COMMANDS)


def test_no_sentence_of_the_overview_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    text = " ".join(answer("--help").split())
    for command in COMMANDS.values():
        assert " ".join(command.get_short_help_str(limit=1_000).split()) in text


TAKES_KNOWLEDGE = [
    name for name, command in COMMANDS.items() if "knowledge" in {p.name for p in command.params}
]


def test_every_command_with_knowledge_takes_it_on_the_line() -> None:
    assert len(TAKES_KNOWLEDGE) == 14
    for name in TAKES_KNOWLEDGE:
        assert {"require", "forbid", "tier"} <= {parameter.name for parameter in COMMANDS[name].params}, name


def test_knowledge_on_the_line(tmp_path: Path) -> None:
    quick = ("learn", SAMPLE, "--search", "HillClimb", "--json")
    free = dw.Learned.from_json(answer(*quick)).graph
    assert ("asia", "dysp") not in free.edges
    assert {("smoke", "lung"), ("lung", "smoke")} & set(free.edges)
    told = dw.Learned.from_json(
        answer(*quick, "--require", "asia -> dysp", "--forbid", "smoke -- lung")
    ).graph
    assert ("asia", "dysp") in told.edges
    assert not {("smoke", "lung"), ("lung", "smoke")} & set(told.edges)
    file = tmp_path / "known.json"
    dw.Knowledge(required=["asia -> dysp"]).save(file)
    both = ("--knowledge", str(file), "--tier", "xray", "--tier", "asia, either")
    ordered = dw.Learned.from_json(answer(*quick, *both)).graph
    assert ("asia", "dysp") in ordered.edges
    assert ("either", "xray") not in ordered.edges
    assert "asia" in refusal(*quick, "--require", "asia -> dysp", "--forbid", "asia -> dysp")


def test_robustness() -> None:
    told = json.loads(
        answer("robustness", SAMPLE, "--search", "HillClimb", "--score", "BIC", "--score", "AIC", "--json")
    )
    found = dw.robustness(SAMPLE, search=dw.HillClimb(), scores=[dw.BIC(), dw.AIC()])
    assert told["settings"] == list(found.settings)
    assert told["distances"] == found.distances
    assert [tuple(edge["nodes"]) for edge in told["edges"]] == list(found.edges)
    assert "name a file" in refusal("robustness", "-")
