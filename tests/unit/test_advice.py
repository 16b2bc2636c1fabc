"""An error advises only what the call can do, and the command line writes no Python."""

from __future__ import annotations

import ast
import csv
import inspect
import pickle
import re
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import run
from typer.main import get_command

import dagwright as dw
from dagwright.cli.app import app
from dagwright.errors import DagwrightError, MissingValuesError
from dagwright.sentences import Argument, Call, Sentence, joined, ways

SOURCE = Path(dw.__file__).parent
ADVICE = re.compile(r"missing='(\w+)'")
GRAPH = "smoke -> lung -> either; bronc"


def gaps() -> dict[str, list[Any]]:
    asia = dw.read("sample:asia")
    cells = {name: asia.decode(name)[:200] for name in ("smoke", "lung", "either", "bronc")}
    cells["lung"][::9] = [None] * len(cells["lung"][::9])
    return cells


NEEDED: dict[str, dict[str, Any]] = {
    "conditional_mutual_information": {"x": "smoke", "y": "lung"},
    "mutual_information": {"x": "smoke", "y": "lung"},
    "independence_test": {"x": "smoke", "y": "lung"},
    "entropy": {"x": "lung"},
    "family_weight": {"child": "lung", "parents": ["smoke"]},
    "blanket": {"target": "lung"},
    "neighbors": {"target": "lung"},
    "calibration": {"network": dw.fit("smoke -> either", gaps()), "target": "either"},
    "log_loss": {"network": dw.fit("smoke -> either", gaps())},
    "cross_validate": {"candidates": {"one": {"search": dw.HillClimb()}}, "folds": 2},
    "report": {"replicates": 0, "rival_seconds": 0},
    "bootstrap": {"replicates": 2},
    "with_contexts": {"columns": ["smoke"]},
    "effect": {"cause": "smoke", "outcome": "either"},
}
VERBS = sorted(
    name
    for name in dw.__all__
    if inspect.isfunction(verb := getattr(dw, name)) and "data" in inspect.signature(verb).parameters
)


def needed(name: str) -> dict[str, Any]:
    asked = dict(NEEDED.get(name, {}))
    if "graph" in inspect.signature(getattr(dw, name)).parameters:
        asked["graph"] = GRAPH
    if "found" in inspect.signature(getattr(dw, name)).parameters:
        found = dw.learn(dw.read(gaps()).complete("drop"))
        asked |= {"found": found} | ({"start": "smoke", "end": "lung"} if name == "evidence_card" else {})
    return asked


def test_there_are_verbs_that_refuse_gaps() -> None:
    refusing = 0
    for name in ("candidates", "score", "entropy", "posterior", "cross_entropy"):
        with pytest.raises(MissingValuesError, match="lung"):
            getattr(dw, name)(data=gaps(), **needed(name))
        refusing += 1
    assert refusing == 5 and len(VERBS) > 25


@pytest.mark.parametrize("name", VERBS)
def test_what_a_verb_advises_about_gaps_it_takes(name: str) -> None:
    verb, asked = getattr(dw, name), needed(name)
    try:
        verb(data=gaps(), **asked)
        return
    except MissingValuesError as problem:
        text = str(problem)
        assert problem.gaps == {"lung": 23}
    policies = ADVICE.findall(text)
    assert ("missing" in inspect.signature(verb).parameters) == bool(policies), text
    assert policies or "complete('drop')" in text
    for policy in policies:
        verb(data=gaps(), missing=policy, **asked)


@pytest.mark.parametrize(
    ("call", "offered"),
    [
        (lambda: dw.learn(gaps(), search=dw.PC(), missing="none"), ["drop", "state", "available"]),
        (lambda: dw.learn(gaps(), missing="available"), ["drop", "state", "em"]),
        (lambda: dw.posterior(gaps(), missing="em"), ["drop", "state"]),
        (lambda: dw.score(GRAPH, gaps(), missing="available"), ["drop", "state", "em"]),
        (lambda: dw.fit(GRAPH, gaps(), missing="available"), ["drop", "state", "em"]),
        (lambda: dw.entropy(gaps(), "lung", missing="em"), ["drop", "state", "available"]),
        (lambda: dw.learn(gaps(), missing="none"), ["drop", "state", "em"]),
    ],
)
def test_a_policy_that_does_not_go_is_answered_with_those_that_do(call: Any, offered: list[str]) -> None:
    with pytest.raises((dw.OptionError, MissingValuesError)) as caught:
        call()
    *_, advice = str(caught.value).partition("choose ")
    assert ADVICE.findall(advice) == offered


@pytest.fixture
def gap_file(tmp_path: Path) -> Path:
    path, data = tmp_path / "rows.csv", gaps()
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([list(data), *zip(*data.values(), strict=True)])
    return path


LINES: dict[str, list[str]] = {
    "effect": ["{}", "smoke -> either", "smoke", "either"],
    "plausibility": ["{}", GRAPH, "--permutations", "2"],
    "bench": ["{}", "--search", "HillClimb"],
    "blanket": ["{}", "lung"],
    "evidence-card": ["{}", "lung", "either"],
    "fit": ["{}", GRAPH, "-o", "-"],
    "neighbors": ["{}", "lung"],
    "report": ["{}", "-o", "page.html", "--replicates", "0"],
    "candidates": ["{}", "-o", "sets.jkl"],
    "robustness": ["{}", "--search", "HillClimb"],
    "score": ["{}", GRAPH],
    "independence-test": ["{}", "smoke", "lung"],
    "cross-validate": ["{}", "--folds", "2", "--search", "HillClimb"],
    "bootstrap": ["{}", "--replicates", "2"],
    "predict": ["asia", "{}", "--target", "bronc"],
}
COMMANDS = dict(get_command(app).commands)  # type: ignore[attr-defined]
WITHOUT_POLICY = {"rerun"}
"""Commands that repeat a study, which names its policy."""
ON_DATA = sorted(
    name
    for name, command in COMMANDS.items()
    if name not in WITHOUT_POLICY and any(option.name == "data" for option in command.params)
)


@pytest.mark.parametrize("name", ON_DATA)
def test_what_a_command_advises_about_gaps_it_takes(
    name: str, gap_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    line = [part.format(gap_file) for part in LINES.get(name, ["{}"])]
    result = run(name, *line)
    told = result.stderr + result.stdout
    assert not python_in(told), told
    flags = {flag for option in COMMANDS[name].params for flag in option.opts}
    advised = re.findall(r"(--[a-z-]+)(?: (drop|state|em|available))?", result.stderr)
    for flag, policy in advised:
        assert flag in flags, told
        if policy:
            again = run(name, *line, flag, policy)
            assert again.exit_code == 0, again.stderr
    if result.exit_code:
        assert "missing values in 'lung'" in told and advised, told


def python_in(text: str) -> list[str]:
    """Arguments and calls in Python's spelling; methods are written alike everywhere."""
    plain = re.sub(r"\b[A-Z]\w*\((?:[^()]|\([^()]*\))*\)", "", text)
    return re.findall(r"(?<![\w-])[a-z_]+=(?:['\[{ ;,.]|$)|\b[a-z_]+\(\)|notes\[|=\[", plain, re.MULTILINE)


def test_python_is_seen() -> None:
    assert python_in("leave it out with exclude=['id']") and python_in("use missing='em'")
    assert python_in("check columns= and weights=") and python_in("see describe()")
    assert not python_in("use HillClimb(max_parents=3) or --dates when=month")


def test_describe_writes_options(tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    rows = [
        (f"u{i % 190}", "-9" if i % 7 == 0 else str(i % 5), 3, f"2024-01-{i % 28 + 1:02}") for i in range(200)
    ]
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("who", "answer", "Freq", "day"), *rows])
    told = run("describe", str(path)).stdout
    assert not python_in(told), told
    assert "--missing-value" in told and "--dates day=month" in told
    library = str(dw.describe(path))
    assert "missing_values=" in library and "dates={'day': 'month'}" in library


@pytest.mark.parametrize(
    "line",
    [
        ("learn", "{}", "--missing", "nothing"),
        ("learn", "{}", "--missing", "em", "--search", "PC"),
        ("independence-test", "{}", "smoke", "bronc", "--missing", "em"),
        ("posterior", "{}", "--missing", "em"),
        ("describe", "{}", "--decimal", ";"),
        ("describe", "{}", "--rare", "0"),
        ("describe", "{}", "--column", "smoke", "--exclude", "smoke"),
        ("describe", "{}", "--ordered", "smoke"),
        ("describe", "{}", "--engine", "duckdb", "--format", "nothing"),
        ("describe", "select 1"),
        ("rivals", "{}", "--missing", "drop", "--memory", "10"),
        ("candidates", "{}", "--missing", "drop", "--memory", "100", "-o", "x.jkl"),
        ("blanket", "{}", "smoke", "--missing", "drop", "--method", "MMPC"),
        ("draw", "asia", "--threshold", "0.5", "-o", "x.svg"),
        ("score", "{}", "smoke -> bronc", "--score", "Euclidean", "--unit", "bits", "--missing", "drop"),
    ],
    ids=" ".join,
)
def test_refusals_of_the_command_line_are_no_python(
    line: tuple[str, ...], gap_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*(part.format(gap_file) for part in line))
    assert result.exit_code and not python_in(result.stderr), result.stderr
    flags = {flag for option in COMMANDS[line[0]].params for flag in option.opts}
    for flag in re.findall(r"--[a-z][a-z-]+", result.stderr.partition("error: ")[2]):
        assert flag in flags, result.stderr


def test_sentences_keep_their_parts() -> None:
    told = Sentence("leave it out with ", Argument("exclude", ["id"]), ", see ", Call("describe"))
    assert told == "leave it out with exclude=['id'], see describe()"
    assert Sentence("note: ", told).parts[1:] == told.parts
    assert joined([told, "and"], "\n").parts == (*told.parts, "\n", "and")
    again = pickle.loads(pickle.dumps(dw.DataError(told)))
    assert again.sentence.parts == told.parts and str(again) == told
    assert pickle.loads(pickle.dumps(Sentence(Argument("memory")))) == "memory="
    assert told.written(lambda _: None) == "leave it out with exclude ['id'], see describe"


def test_ways_out_that_a_front_end_lacks_are_left_out() -> None:
    way = ways("; choose ", Argument("missing", "drop"), Argument("missing", "em"), resort="; stop")
    only = Sentence("gaps", way)
    assert only == "gaps; choose missing='drop' or missing='em'"
    assert (
        only.written(lambda named: "-d" if named == Argument("missing", "drop") else None)
        == "gaps; choose -d"
    )
    assert only.written(lambda _: None) == "gaps; stop"


def test_errors_name_arguments_as_parts() -> None:
    """No text of an error spells an argument itself: `Argument` does."""
    spelled = []
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                for text in ast.walk(node.exc):
                    if isinstance(text, ast.Constant) and isinstance(text.value, str):
                        whole = re.sub(r"\b(?:[A-Z]\w*|learn|network\.\w+)\(.*?\)+", "", text.value)
                        if re.search(r"(?<![\w({<\[-])[a-z_]+=(?:'|$|\s|[,;])", whole):
                            spelled.append(f"{path.name}:{text.lineno}: {text.value}")
    assert not spelled, "\n".join(spelled)


def test_every_error_keeps_its_sentence() -> None:
    for kind in DagwrightError.__subclasses__():
        assert kind("a ", Argument("b", 1)).sentence.parts == ("a ", Argument("b", 1))
