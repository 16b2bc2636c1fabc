"""BIF in its dialects, and what is wrong with files that are none of them."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import dagwright as dw
from dagwright.errors import CapacityError, FormatError
from dagwright.io.bif import read_bytes, write_bytes

REPOSITORY = """network unknown {
}
variable smoke {
  type discrete [ 2 ] { yes, no };
}
variable O2 {
  type discrete [ 3 ] { <5, 5-12, Asy/Patch };
}
probability ( smoke ) {
  table 0.2, 0.8;
}
probability ( O2 | smoke ) {
  (no) 0.1, 0.2, 0.7;
  (yes) 0.6, 0.3, 1e-1;
}
"""
JAVABAYES = """// Bayesian network
network "Dog-Problem" { //2 variables
	property "credal-set constant-density-bounded 1.1" ;
	property author = "Charniak; 1991" ;
}
variable  "family out" { //2 values
	type discrete[2] {  "true"  "false" };
	property "position = (73, 165)" ;
}
/* a comment
   of two lines with a } in it */
variable  "lights" {
	property "position = (218, 195)" ;
	type discrete[3] {  "auf"  "über"  "a//b" };
}
probability (  "family out" ) { table 0.15 0.85 ; }
probability (  "lights"  "family out" ) { //2 variable(s) and 6 values
	table 0.6 0.05 0.3 0.15 0.1 0.8 ;
}
"""


def test_the_files_of_the_repository() -> None:
    network = read_bytes(REPOSITORY.encode())
    assert network.name == ""
    assert network.nodes == ("smoke", "O2")
    assert network.states("O2") == ("<5", "5-12", "Asy/Patch")
    np.testing.assert_array_equal(network.table("O2"), [[0.6, 0.3, 0.1], [0.1, 0.2, 0.7]])
    assert dw.load("cancer") == read_bytes(write_bytes(dw.load("cancer")))


def test_the_files_of_javabayes() -> None:
    network = read_bytes(JAVABAYES.encode())
    assert network.name == "Dog-Problem"
    assert dict(network.metadata.properties) == {
        "credal-set constant-density-bounded 1.1": "",
        "author": "Charniak; 1991",
    }
    assert dict(network.metadata.node_properties["lights"]) == {"position": "(218, 195)"}
    assert network.states("lights") == ("auf", "über", "a//b")
    assert network.parents("lights") == ("family out",)
    # The states of the child change slowest in a table: the dog problem of Charniak (1991) has
    # P(light-on | family-out) = 0.6 and P(light-on | not family-out) = 0.05 in this order.
    np.testing.assert_array_equal(network.table("lights"), [[0.6, 0.3, 0.1], [0.05, 0.15, 0.8]])


def test_default_rows_fill_what_is_not_named() -> None:
    text = REPOSITORY.replace("(no) 0.1, 0.2, 0.7;", "default 0.5, 0.25, 0.25;")
    np.testing.assert_array_equal(read_bytes(text.encode()).table("O2"), [[0.6, 0.3, 0.1], [0.5, 0.25, 0.25]])
    first = REPOSITORY.replace("(no) 0.1, 0.2, 0.7;", "").replace("(yes)", "default 0.5, 0.25, 0.25; (yes)")
    np.testing.assert_array_equal(
        read_bytes(first.encode()).table("O2"), [[0.6, 0.3, 0.1], [0.5, 0.25, 0.25]]
    )


def test_comments_and_properties_between_rows() -> None:
    text = REPOSITORY.replace("(yes)", "// a remark\n  property source = expert ;\n  (yes)")
    network = read_bytes(text.encode())
    assert network == read_bytes(REPOSITORY.encode())
    assert network.metadata.node_properties["O2"]["source"] == "expert"


def test_variables_may_come_after_the_probabilities_of_others() -> None:
    head, middle, tail = REPOSITORY.partition(
        "variable O2 {\n  type discrete [ 3 ] { <5, 5-12, Asy/Patch };\n}\n"
    )
    root, family, rest = tail.partition("probability ( O2")
    assert read_bytes((head + root + middle + family + rest).encode()) == read_bytes(REPOSITORY.encode())


def test_rounded_figures_are_divided_by_their_sum() -> None:
    network = read_bytes(REPOSITORY.replace("0.1, 0.2, 0.7", "0.3333333, 0.3333333, 0.3333333").encode())
    np.testing.assert_allclose(network.table("O2")[1], 1 / 3, rtol=1e-15)


def test_latin_1_is_read_and_said(caplog: pytest.LogCaptureFixture) -> None:
    network = read_bytes(REPOSITORY.replace("5-12", "größer").encode("latin-1"))
    assert network.states("O2")[1] == "größer"
    assert "Latin-1" in caplog.text
    assert read_bytes(REPOSITORY.encode("utf-16")) == read_bytes(REPOSITORY.encode())
    with pytest.raises(FormatError, match="not a text"):
        read_bytes(b"\x00\xff\x00")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("variable O2 {", "variable O2", r"line 7, column 3: expected '\{', found 'type'"),
        ("variable O2", "variables O2", r"line 6, column 1: expected 'network' or 'variable' .*'variables'"),
        ("[ 3 ]", "[ 1000000000000 ]", "line 7, column 19: 1000000000000 is far too large"),
        ("[ 3 ]", "[ 999999999 ]", "line 7, column 33: the variable 'O2' has 999999999 states but 3"),
        ("discrete [ 3 ]", "continuous", "line 7, column 8: expected 'discrete'"),
        ("variable O2", "variable smoke", "line 6, column 10: the variable 'smoke' is declared twice"),
        ("<5, 5-12", "<5, <5", "'O2' declares the state '<5' twice"),
        ("( O2 |", "( O3 |", "line 12, column 15: unknown variable 'O3'"),
        ("| smoke", "| smke", "line 12, column 15: .*unknown parent 'smke'; did you mean 'smoke'"),
        ("| smoke", "| smoke, smoke", "names a parent twice"),
        ("| smoke", "| O2", "own parent"),
        ("( O2 |", "( smoke |", "line 12, column 15: the probabilities of 'smoke' are given twice"),
        ("(no)", "(maybe)", "line 13, column 4: unknown state of 'smoke' 'maybe'"),
        ("(no)", "(yes)", "line 14, column 3: .*configuration is given twice"),
        ("(no)", "(no, no)", r"line 13, column 8: expected '\)'"),
        ("0.1, 0.2, 0.7", "0.1, 0.2", "line 13, column 8: expected 3 numbers, found 2"),
        ("0.2, 0.7", "O.2, 0.7", "line 13, column 13: expected a number, found 'O.2'"),
        ("0.2, 0.7", "nan, 0.7", "line 13, column 13: expected a number, found 'nan'"),
        ("0.2, 0.7", "0_2, 0.7", "line 13, column 13: expected a number, found '0_2'"),
        ("0.2, 0.7", "0.3, 0.7", r"line 12, column 15: .*'O2', given smoke='no': .* sum to 1\.1"),
        ("0.1, 0.2, 0.7", "-0.1, 0.4, 0.7", "is not a probability"),
        ("0.1, 0.2, 0.7", "1e999, 0.4, 0.7", "is not a probability"),
        ("(no) 0.1, 0.2, 0.7;", "", "'O2' lacks probabilities for smoke=no"),
        ("(no) 0.1, 0.2, 0.7;", "table 0.5;", "line 13, column 9: expected 6 numbers, found 1"),
        ("0.7;", "0.7", r"line 14, column 3: expected ';', found '\('"),
        ("1e-1;\n}", "1e-1;", r"line 15, column 1: expected '\}', the text ends"),
        ("table 0.2", "tabel 0.2", "line 10, column 3: expected 'table' or 'default'"),
        ("network unknown {", 'network "unknown {', "line 1, column 9: expected"),
        ("{\n}\nvariable smoke", "{\nproperty a\n}\nvariable smoke", "a property that ends with"),
    ],
)
def test_what_is_wrong_and_where(old: str, new: str, words: str) -> None:
    assert REPOSITORY.count(old) == 1
    with pytest.raises(FormatError, match=words):
        read_bytes(REPOSITORY.replace(old, new).encode())


def test_a_variable_without_probabilities() -> None:
    with pytest.raises(FormatError, match="the probabilities of 'O2'"):
        read_bytes(REPOSITORY[: REPOSITORY.index("probability ( O2")].encode())
    assert read_bytes(b"").nodes == ()


def test_a_few_words_cannot_ask_for_gigabytes() -> None:
    states = ", ".join(f"s{i}" for i in range(100))
    variables = "".join(f"variable x{i} {{ type discrete [ 100 ] {{ {states} }}; }}\n" for i in range(6))
    uniform = ", ".join(["0.01"] * 100)
    roots = "".join(f"probability ( x{i} ) {{ table {uniform}; }}\n" for i in range(5))
    for parents in (3, 4, 5):
        given = ", ".join(f"x{i}" for i in range(parents))
        text = f"{variables}{roots}probability ( x5 | {given} ) {{ default {uniform}; }}\n"
        with pytest.raises(CapacityError, match="x5"):
            read_bytes(text.encode())


def test_the_file_names_its_place(tmp_path: Path) -> None:
    path = tmp_path / "broken.bif"
    path.write_text(REPOSITORY.replace("[ 3 ]", "[ three ]"))
    with pytest.raises(FormatError, match=r"broken\.bif: line 7, column 19"):
        dw.load(path)


def test_what_is_written() -> None:
    plain = REPOSITORY.replace("<5, 5-12, Asy/Patch", "low, mid, 3")
    assert write_bytes(read_bytes(plain.encode())).decode() == plain.replace(
        "  (no) 0.1, 0.2, 0.7;\n  (yes) 0.6, 0.3, 1e-1;\n", "  (yes) 0.6, 0.3, 0.1;\n  (no) 0.1, 0.2, 0.7;\n"
    )
    odd = dw.BayesianNetwork(
        dw.Dag(['a "b"']), {'a "b"': [1, "1"]}, {'a "b"': [0.5, 0.5]}, metadata="unknown"
    )
    text = write_bytes(odd).decode()
    assert "variable a__b_ {" in text
    assert "type discrete [ 2 ] { 1, 1_2 };" in text
    assert r"\u0022states\u0022:[1,\u00221\u0022]" in text
    again = read_bytes(text.encode())
    assert again == odd
    assert again.name == "unknown"


def test_other_programs_meet_bare_identifiers_only() -> None:
    names = ["body mass (kg)", "variable", "table", "größe", "1st"]
    states = ["(-inf, 3.5]", "(3.5, 7]", 'say "hi"', "<5", "network"]
    odd = dw.BayesianNetwork(
        dw.Dag(names, [(names[0], names[1])]),
        dict.fromkeys(names, states),
        {name: np.full((5, 5) if name == names[1] else 5, 0.2) for name in names},
        metadata="two words",
    )
    text = write_bytes(odd).decode()
    outside = re.sub(r"property .*;", "", text)
    assert '"' not in outside
    words = re.findall(r"[^\s{}\[\](),;|]+", outside)
    assert all(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*|[0-9.]+", word, re.ASCII) for word in words), words
    assert len(re.findall("variable", text)) == len(names)  # some readers find blocks by this word alone
    again = read_bytes(text.encode())
    assert again == odd
    assert again.nodes == odd.nodes
    assert again.name == "two words"
    assert write_bytes(again) == text.encode()


def test_files_with_quoted_names_and_typed_states_are_still_read() -> None:
    text = (
        'network unknown {\n}\nvariable "a b" {\n  type discrete [ 2 ] { 0.5, "x y" };\n'
        r'  property dagwright = "{\u0022states\u0022:[0.5,\u0022x y\u0022]}" ;'
        '\n}\nprobability ( "a b" ) {\n  table 0.25, 0.75;\n}\n'
    )
    assert read_bytes(text.encode()).states("a b") == (0.5, "x y")
