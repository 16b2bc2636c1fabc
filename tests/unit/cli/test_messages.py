"""What the command line says of inputs that cannot be: what is wrong, where, and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

import dagwright as dw
from command_line import SAMPLE, answer, refusal, run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("files")
    found = dw.learn(SAMPLE, search=dw.HillClimb())
    found.save(path / "found.json")
    found.network().save(path / "network.json")
    found.network().save(path / "network.bif")
    (path / "numbers.csv").write_text("x,y\n" + "".join(f"{i / 7},{i * i % 31}\n" for i in range(60)))
    (path / "one.csv").write_text("a,b,c\n1,x,2.5\n")
    return path


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["learn", SAMPLE, "--search", "TAN(target=lung)"], "is written in quotes: target='lung'"),
        (["learn", SAMPLE, "--search", "K2(order=[asia,tub])"], "write names in quotes: 'asia', not asia"),
        (["learn", SAMPLE, "--rare", "asia=few"], "--rare takes a number, not 'few'"),
        (["learn", SAMPLE, "--condition", "asia"], "name the variables that it sets, or none, in --sets"),
        (["evidence-card", SAMPLE, "lung", "lung"], "an edge has two different ends"),
        (["learn", "FOLDER/found.json"], "a saved network or result is no table"),
        (["describe", "FOLDER/network.bif"], "network.bif is a network, not a table of data"),
        (["rerun", "FOLDER/network.json"], "not a learned network: it holds a network"),
        (["learn", "FOLDER/one.csv"], "needs a column with two or more values"),
        (["learn", "FOLDER/numbers.csv", "--discretize", "x=EqualWidth(bins=0)"], "bins must be a whole"),
        (["draw", "FOLDER/network.json", "-o", "FOLDER/none/a.svg"], "there is no folder"),
        (["score", "FOLDER/numbers.csv", "FOLDER/found.json"], "in the new data; add it"),
    ],
)
def test_the_message_names_the_cause_and_the_way_out(folder: Path, arguments: list[str], words: str) -> None:
    told = refusal(*(one.replace("FOLDER", str(folder)) for one in arguments))
    assert words in told, told
    assert "Traceback" not in told


def test_describe_says_what_learning_does_with_constants(folder: Path) -> None:
    rows = folder / "constant.csv"
    rows.write_text("n,same,s,id,key\n" + "".join(f"{i / 7},k,{'pq'[i % 2]},i{i},k{i}\n" for i in range(60)))
    told = answer("describe", str(rows))
    assert "left out beside columns of numbers" in told and "1 distinct value)" not in told
    assert "same as 'id'" not in told  # any two identifiers are
    assert "1 constant column was left out: 'same'" in answer("learn", str(rows))
    discrete = answer("describe", str(rows), "--column", "same", "--column", "s")
    assert "used, but a constant column" in discrete


def test_convert_counts_what_it_wrote(folder: Path) -> None:
    rows = folder / "mixed.csv"
    rows.write_text(
        "n,s,t\n" + "".join(f"{i % 7 / 3 + i / 90},{'pq'[i % 2]},{'uv'[i % 2]}\n" for i in range(90))
    )
    network = dw.fit("s -> t; n", dw.read(rows, kinds={"n": "continuous"}))
    network.save(folder / "mixed.json")
    told = run("convert", str(folder / "mixed.json"), str(folder / "mixed.bif"))
    assert told.exit_code == 0 and "2 nodes, 1 arc" in told.stdout
