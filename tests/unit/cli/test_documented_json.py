"""What --json writes has the keys that the documentation promises."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import typer.main

import dagwright as dw
from command_line import SAMPLE, answer
from dagwright.cli.app import app

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "json.md"
LINE = re.compile(r"^\| (`.+?) \| (.+?) \| (.+) \|$", re.MULTILINE)
GRAPH = "smoke -> lung; lung -> either"
COMMANDS = {
    "describe": ("describe", SAMPLE),
    "learn": ("learn", SAMPLE),
    "rerun": ("rerun", "model.json", SAMPLE),
    "score": ("score", SAMPLE, GRAPH),
    "independence-test": ("independence-test", SAMPLE, "smoke", "lung"),
    "blanket": ("blanket", SAMPLE, "lung"),
    "neighbors": ("neighbors", SAMPLE, "lung"),
    "compare": ("compare", GRAPH, GRAPH),
    "effect": ("effect", SAMPLE, GRAPH, "smoke", "lung"),
    "plausibility": ("plausibility", SAMPLE, GRAPH, "--permutations", "3"),
    "bootstrap": ("bootstrap", SAMPLE, "--search", "HillClimb", "--replicates", "2"),
    "posterior": ("posterior", SAMPLE, "--column", "smoke", "--column", "lung"),
    "evidence-card": ("evidence-card", SAMPLE, "smoke", "lung", "--search", "HillClimb"),
    "robustness": ("robustness", SAMPLE, "--search", "HillClimb", "--score", "BIC"),
    "rivals": ("rivals", SAMPLE, "-k", "3"),
    "candidates": ("candidates", SAMPLE),
    "solve": ("solve", str(Path(__file__).with_name("two_variables.jkl"))),
    "cross-validate": ("cross-validate", SAMPLE, "--search", "HillClimb", "--folds", "2"),
    "forecast": ("forecast", SAMPLE),
    "bench": ("bench", SAMPLE, "--search", "HillClimb", "--search", "K2(order=['asia'])"),
    "fit": ("fit", SAMPLE, GRAPH, "-o", "network.json"),
    "dynamic": ("dynamic", "dynamic.json", "--ahead", "2"),
    "convert": ("convert", "asia", "asia.dot"),
    "query": ("query", "asia"),
    "query --joint": ("query", "asia", "lung", "smoke", "--joint"),
    "query --explain": ("query", "asia", "--explain"),
    "query --informative": ("query", "asia", "lung", "--informative"),
    "networks": ("networks",),
    "methods": ("methods",),
    "report": ("report", SAMPLE, "-o", "report.html", "--search", "HillClimb", "--replicates", "2"),
    "draw": ("draw", "asia", "-o", "asia.svg"),
    "reproduce": ("reproduce", "cowell", "--quick"),
}


def promised() -> dict[str, set[str]]:
    text = PAGE.read_text(encoding="utf-8")
    return {
        command: set(re.findall(r"`(\w+)`", keys))
        for commands, _, keys in LINE.findall(text)
        for command in re.findall(r"`(.+?)`", commands)
    }


def test_every_command_is_on_the_page_and_tried() -> None:
    assert set(promised()) == {*COMMANDS, "predict", "sample"}
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    assert {command.split()[0] for command in promised()} == set(commands) - {"studio"}  # it serves


@pytest.mark.parametrize("command", COMMANDS)
def test_keys(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if command == "rerun":
        answer("learn", SAMPLE, "-o", "model.json")
    if command == "dynamic":
        answer("fit", SAMPLE, "lung[t-1] -> lung[t]", "--lags", "1", "-o", "dynamic.json", "--column", "lung")
    document: Any = json.loads(answer(*COMMANDS[command], "--json"), parse_constant=pytest.fail)
    if isinstance(document, list):
        assert all(set(one) == promised()[command] for one in document)
    elif command == "query":
        assert set(document) == set(dw.load("asia").nodes)
        assert all(set(one) == promised()[command] for one in document.values())
    else:
        assert set(document) == promised()[command]


def test_columns() -> None:
    drawn = json.loads(answer("sample", "asia", "-n", "3", "--json"))
    assert set(drawn) == set(dw.load("asia").nodes)
    assert all(len(values) == 3 for values in drawn.values())
    rows = answer("sample", "asia", "-n", "3").encode()
    assert len(json.loads(answer("predict", "asia", "-", "-t", "lung", "--json", stdin=rows))["lung"]) == 3
