"""Knowledge files: TOML, JSON, CSV and Tetrad's text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dagwright.errors import FormatError
from dagwright.knowledge import Knowledge

FULL = Knowledge(
    required=["A -> B", "C -- D", ("odd -> name", "B")],
    forbidden=["lab_* -> age"],
    tiers=[["A"], {"nodes": ["B", 'quo"te\n'], "inner": False}],
    order=["A", "B"],
    partial_order=["A < B", ("x<y", "B")],
    roots=["A"],
    leaves=["D"],
    max_parents={"*": 3, "a.b": 1},
    allowed=["A -- *"],
    independent=["A, B | C", ("A", ["B", "x, y"], "C")],
    groups={"labs": ["lab_1", "lab_2"], "größer": ["D"]},
) + Knowledge(order=["B", "C"], allowed=[], tiers=[["A"], {"nodes": ["C"], "inner": False}])


@pytest.mark.parametrize("ending", ["toml", "json"])
@pytest.mark.parametrize("known", [FULL, Knowledge(), Knowledge(max_parents=2)])
def test_own_forms_read_back(tmp_path: Path, ending: str, known: Knowledge) -> None:
    path = tmp_path / f"known.{ending}"
    known.save(path)
    assert Knowledge.load(path) == known


def test_the_toml_form_is_the_documented_one(tmp_path: Path) -> None:
    path = tmp_path / "known.toml"
    Knowledge(
        required=["A -> B"], max_parents={"B": 2}, tiers=[["A"], {"nodes": ["B"], "inner": False}]
    ).save(path)
    assert path.read_text(encoding="utf-8") == (
        "dagwright_knowledge = 1\n"
        'required = [\n    "A -> B",\n]\n'
        'tiers = [\n    ["A"],\n    { nodes = ["B"], inner = false },\n]\n'
        '\n[max_parents]\n"B" = 2\n'
    )


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("k.toml", "required = ['A -> B']", "no line 'dagwright_knowledge = 1'"),
        ("k.toml", "dagwright_knowledge = 2", "format 2 is not known"),
        ("k.toml", "dagwright_knowledge = 1\nrequred = []", "unknown key 'requred'"),
        ("k.toml", "dagwright_knowledge = 1\nrequired = ['A B']", "cannot read 'A B' as an edge"),
        ("k.toml", "= 3", "k.toml"),
        ("k.toml", "dagwright_knowledge = 1\nalso = 3", "list of tables"),
        ("k.json", '{"dagwright_knowledge": 1, "also": [3]}', "list of tables"),
        ("k.json", "[]", "not a knowledge file"),
        ("k.json", "{", "k.json"),
        ("k.csv", "a,b\n1,2\n", "columns from, to"),
        ("k.csv", "from,to,kind\nA,B,maybe\n", "line 2"),
        ("k.txt", "hello", "first line is not '/knowledge'"),
        ("k.txt", "/knowledge\nA B", "line 2: expected one of addtemporal"),
        ("k.txt", "/knowledge\naddtemporal\nA B", "line 3: expected a tier number"),
        ("k.txt", "/knowledge\naddtemporal\n1 A\n1 B", "tier 1 is given twice"),
        ("k.txt", "/knowledge\nforbiddirect\nA B C", "line 3: expected two names"),
    ],
)
def test_bad_files_say_what_is_wrong(tmp_path: Path, name: str, text: str, problem: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        Knowledge.load(path)
    assert name in str(caught.value)
    assert problem in str(caught.value)


def test_a_file_in_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "k.toml"
    path.write_bytes("# größer".encode("latin-1"))
    with pytest.raises(FormatError, match=r"k\.toml"):
        Knowledge.load(path)


def test_csv_tables(tmp_path: Path) -> None:
    path = tmp_path / "arcs.csv"
    path.write_text("from,to\nA,B\nB,C\n", encoding="utf-8")
    assert Knowledge.load(path) == Knowledge(required=["A -> B", "B -> C"])
    path.write_text("from,to,kind\nA,B,required\nB,A,required\nC,A,forbidden\n", encoding="utf-8")
    assert Knowledge.load(path) == Knowledge(required=["A -- B"], forbidden=["C -> A"])


TETRAD = """/knowledge
addtemporal
1* age sex
2- lab_*
3 drug
4 outcome

forbiddirect
drug ==> outcome

requiredirect
age outcome
"""


def test_tetrad_text_is_read(tmp_path: Path) -> None:
    path = tmp_path / "known.knowledge"
    path.write_text(TETRAD, encoding="utf-8")
    assert Knowledge.load(path) == Knowledge(
        required=["age -> outcome"],
        forbidden=["drug -> outcome", "lab_* -> outcome"],
        tiers=[{"nodes": ["age", "sex"], "inner": False}, ["lab_*"], ["drug"], ["outcome"]],
    )


def test_tetrad_text_is_written(tmp_path: Path) -> None:
    known = Knowledge(
        required=["A -> B"],
        forbidden=["C -- D", "g -> A"],
        tiers=[["A", "g"], {"nodes": ["B"], "inner": False}],
        groups={"g": ["C", "E*"]},
    )
    path = tmp_path / "known.txt"
    known.save(path)
    assert path.read_text(encoding="utf-8").split("\n") == [
        *["/knowledge", "addtemporal", "1 A C E*", "2* B", ""],
        *["forbiddirect", "C D", "D C", "C A", "E* A", "", "requiredirect", "A B", ""],
    ]
    assert Knowledge.load(path).resolve(list("ABCDE")) is not None


@pytest.mark.parametrize(
    "known",
    [
        Knowledge(max_parents=2),
        Knowledge(required=["A -- B"]),
        Knowledge(required=[("two words", "B")]),
        Knowledge(tiers=[["A"], ["B"]]) + Knowledge(tiers=[["A"], ["C"]]),
        Knowledge(roots=["A"]),
    ],
)
def test_tetrad_text_refuses_what_it_cannot_say(tmp_path: Path, known: Knowledge) -> None:
    with pytest.raises(FormatError, match=r"save as \.toml or \.json"):
        known.save(tmp_path / "known.txt")


def test_unknown_endings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"'\.xml' file"):
        Knowledge().save(tmp_path / "known.xml")


def test_json_is_plain(tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    Knowledge(order=["B", "A"]).save(path)
    assert json.loads(path.read_text(encoding="utf-8")) == {"dagwright_knowledge": 1, "order": ["B", "A"]}
