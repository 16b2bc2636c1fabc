"""Files as other programs write them, one small network in each, and what is wrong with others."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import dagwright as dw
from dagwright.errors import CapacityError, FormatError
from dagwright.io import format_named

# P(C | A, B) with A the slower and B the faster parent.
TABLE = [[[0.1, 0.2, 0.7], [0.2, 0.2, 0.6]], [[0.3, 0.2, 0.5], [0.4, 0.2, 0.4]]]

XMLBIF = """<?xml version="1.0"?>
<!DOCTYPE BIF [
	<!ELEMENT BIF ( NETWORK )*>
		<!ATTLIST BIF VERSION CDATA #REQUIRED>
	<!ELEMENT NAME (#PCDATA)>
]>
<BIF VERSION="0.3">
<NETWORK>
<NAME>three &amp; more</NAME>
<PROPERTY>credal-set constant-density-bounded 1.1</PROPERTY>
<VARIABLE TYPE="nature"><NAME>C</NAME><OUTCOME>x</OUTCOME><OUTCOME>y</OUTCOME><OUTCOME>z &lt; 3</OUTCOME>
  <PROPERTY>position = (73, 165)</PROPERTY></VARIABLE>
<VARIABLE TYPE="nature"><NAME>A</NAME><OUTCOME>true</OUTCOME><OUTCOME>false</OUTCOME></VARIABLE>
<VARIABLE><NAME>B</NAME><VALUE>0</VALUE><VALUE>1</VALUE></VARIABLE>
<DEFINITION><FOR>C</FOR><GIVEN>A</GIVEN><GIVEN>B</GIVEN>
  <TABLE> <!-- x y z -->
  0.1 0.2 0.7 0.2 0.2 0.6 <!-- A true --> 0.3 0.2 0.5 0.4 0.2 0.4</TABLE></DEFINITION>
<PROBABILITY><FOR>A</FOR><TABLE>0.15 0.85</TABLE></PROBABILITY>
<DEFINITION><FOR>B</FOR><TABLE>0.4 6E-1</TABLE></DEFINITION>
</NETWORK>
</BIF>
"""
XDSL = """<?xml version="1.0" encoding="UTF-8"?>
<!-- This network was created in GeNIe -->
<smile version="1.0" id="Network1" numsamples="10000" discsamples="10000">
	<nodes>
		<cpt id="A">
			<property id="unit">mg</property>
			<state id="true" />
			<state id="false" />
			<probabilities>0.15 0.85</probabilities>
		</cpt>
		<deterministic id="B">
			<state id="b0" />
			<state id="b1" />
			<parents>A</parents>
			<resultingstates>b1 b0</resultingstates>
		</deterministic>
		<cpt id="C">
			<state id="x" />
			<state id="y" />
			<state id="z" />
			<parents>A B</parents>
			<probabilities>0.1 0.2 0.7 0.2 0.2 0.6 0.3 0.2 0.5 0.4 0.2 0.4</probabilities>
		</cpt>
	</nodes>
	<extensions>
		<genie version="1.0" app="GeNIe 4.1" name="three nodes" faultnameformat="nodestate">
			<node id="A"><name>A</name><position>72 27 144 75</position></node>
			<node id="C"><name>The result</name></node>
		</genie>
	</extensions>
</smile>
"""
NET = """% a comment
net
{
  node_size = (100 40);
  HR_Font_Name = "Arial";
}
node A { label = "the \\"cause\\""; position = (100 -20); states = ("true" "false"); }
discrete node B { states = (b0 b1); label = ""; }
node C
{
  states = ("x" "y" "z; {");   % three
  HR_State_0 = "nothing";
}
potential (A | ) { data = (0.15 0.85); }
potential (B) { }
potential (C | A B)
{
  experience = (1 1 1 1);
  data = ((( 0.1 0.2 0.7 )   %  A=true; B=b0
           ( 0.2 0.2 0.6 ))  %  ; B=b1
          (( 0.3 0.2 0.5 )
           ( 0.4 0.2 0.4 )));
}
""".replace('\\"cause\\"', "cause")
DNE = """// ~->[DNET-1]->~

// File created by someone using Netica

bnet Three {
AutoCompile = TRUE;
whenchanged = 1049323042;
comment = "a \\"long\\" \\
text; with {";

visual V1 { defdispform = BELIEFBARS; nodelabeling = TITLE; resolution = 72; };

node A {
	kind = NATURE;
	discrete = TRUE;
	chance = CHANCE;
	states = (true, false);
	parents = ();
	probs =
		// true         false
		(0.15,        0.85);
	title = "The cause";
	whenchanged = 1049323042;
	belief = (0.15, 0.85);
	visual V1 { center = (126, 66); height = 1; };
	};

node B {
	kind = NATURE;
	discrete = FALSE;
	chance = DETERMIN;
	levels = (0, 0.5, 10);
	parents = (A);
	functable = (#1, #0);
	};

node C {
	kind = NATURE;
	discrete = TRUE;
	chance = CHANCE;
	numstates = 3;
	parents = (A, B);
	probs =
		// s0 s1 s2  // A B ;
		(((0.1, 0.2, 0.7),  // true;
		(0.2, 0.2, 0.6)),
		((0.3, 0.2, 0.5),
		(0.4, 0.2, 0.4)));
	};
ElimOrder = (A, C, B);
};
"""
DSC = """belief network "three"
properties { type trouble = choice of [ a, b ]; }
node A {
  name : "The cause";
  type : discrete [ 2 ] = { "true", "false" };
  position = (12, 34);
}
node B {
  type : discrete [ 2 ] = { "b0", "b1" };
}
node C {
  type : discrete [ 3 ] = { "x", "y", "z; {" };
}
probability ( A ) {
   0.15, 0.85;
}
probability ( B ) {
   0.4, 0.6;
}
probability ( C | A, B ) {
  (1, 0) : 0.3, 0.2, 0.5;
  (0, 0) : 0.1, 0.2, 0.7;
  (0, 1) : 0.2, 0.2, 0.6;
  (1, 1) : 0.4, 0.2, 0.4;
}
"""
UAI = """BAYES
3
3 2 2
3
3 1 2 0   # C
1 1
1 2

12
 0.1 0.2 0.7 0.2 0.2 0.6
 0.3 0.2 0.5 0.4 0.2 0.4

2
 0.15 0.85
2
 0.4 0.6
"""
FILES = {"xmlbif": XMLBIF, "xdsl": XDSL, "net": NET, "dne": DNE, "dsc": DSC, "uai": UAI}


def read(name: str, text: str | None = None) -> dw.BayesianNetwork:
    content = FILES[name] if text is None else text
    network: dw.BayesianNetwork = format_named(name).read_bytes(content.encode())
    return network


@pytest.mark.parametrize("name", FILES)
def test_the_first_parent_changes_slowest_and_the_node_fastest(name: str) -> None:
    network = read(name)
    a, b, c = ("X1", "X2", "X0") if name == "uai" else ("A", "B", "C")
    assert network.parents(c) == (a, b)
    np.testing.assert_array_equal(network.table(c), TABLE)
    np.testing.assert_array_equal(network.table(a), [0.15, 0.85])
    form = format_named(name)
    again = form.read_bytes(form.write_bytes(network, []))
    assert again == network
    assert again.metadata == network.metadata
    assert again.nodes == network.nodes


def test_what_else_is_in_an_xmlbif_file() -> None:
    network = read("xmlbif")
    assert network.name == "three & more"
    assert network.states("C") == ("x", "y", "z < 3")
    assert network.metadata.node_properties["C"]["position"] == "(73, 165)"
    assert "credal-set constant-density-bounded 1.1" in network.metadata.properties


def test_what_else_is_in_a_genie_file() -> None:
    network = read("xdsl")
    assert network.name == "three nodes"
    assert dict(network.metadata.node_properties["C"]) == {"label": "The result"}
    assert dict(network.metadata.node_properties["A"]) == {"unit": "mg"}
    np.testing.assert_array_equal(network.table("B"), [[0, 1], [1, 0]])


def test_what_else_is_in_a_hugin_file() -> None:
    network = read("net")
    assert dict(network.metadata.properties) == {"node_size": "(100 40)", "HR_Font_Name": "Arial"}
    assert network.metadata.node_properties["A"]["position"] == "(100 -20)"
    assert network.states("C") == ("x", "y", "z; {")
    np.testing.assert_array_equal(network.table("B"), [0.5, 0.5])
    assert "position = (100 -20);" in format_named("net").write_bytes(network, []).decode()
    as_class = "class Three { inputs = (); " + NET[NET.index("node A") :] + "}"
    assert read("net", as_class).name == "Three"
    np.testing.assert_array_equal(read("net", as_class).table("C"), TABLE)


def test_what_else_is_in_a_netica_file() -> None:
    network = read("dne")
    assert network.name == "Three"
    assert network.metadata.properties["comment"] == 'a "long" text; with {'
    assert network.metadata.node_properties["A"]["title"] == "The cause"
    assert network.states("B") == ("0 to 0.5", "0.5 to 10")
    assert network.states("C") == ("state0", "state1", "state2")
    np.testing.assert_array_equal(network.table("B"), [[0, 1], [1, 0]])


def test_what_else_is_in_a_dsc_file() -> None:
    network = read("dsc")
    assert network.name == "three"
    assert dict(network.metadata.node_properties["A"]) == {"name": "The cause", "position": "(12, 34)"}
    assert network.states("C") == ("x", "y", "z; {")


def test_numbers_are_all_that_a_uai_file_has() -> None:
    network = read("uai")
    assert network.nodes == ("X0", "X1", "X2")
    assert network.states("X0") == (0, 1, 2)


def test_small_probabilities_are_written_without_an_exponent() -> None:
    """pgmpy reads no exponents in UAI files."""
    rare = 1e-7 / 3
    network = dw.BayesianNetwork(dw.Dag(["a"]), {"a": ["n", "y"]}, {"a": [1 - rare, rare]})
    text = format_named("uai").write_bytes(network, []).decode()
    table = text.partition("#")[0].split()
    assert not any("e" in word.lower() for word in table[1:])
    assert float(table[-1]) == network.table("a")[1]


def test_names_as_programs_want_them() -> None:
    name = "Blood pressure (systolic, mmHg, measured)"
    network = dw.BayesianNetwork(dw.Dag([name]), {name: ["<90", ">=90"]}, {name: [0.25, 0.75]})
    netica = format_named("dne").write_bytes(network, []).decode()
    assert "node Blood_pressure__systolic__mmHg {" in netica
    assert f'title = "{name}";' in netica
    hugin = format_named("net").write_bytes(network, []).decode()
    assert "node Blood_pressure__systolic__mmHg__measured_\n" in hugin
    assert f'label = "{name}";' in hugin
    assert f"<name>{name}</name>" in format_named("xdsl").write_bytes(network, []).decode()


def test_a_node_renamed_in_another_program_keeps_its_new_name() -> None:
    network = dw.BayesianNetwork(dw.Dag(["a b"]), {"a b": [1, 2]}, {"a b": [0.25, 0.75]})
    text = format_named("net").write_bytes(network, []).decode()
    assert read("net", text) == network
    renamed = read("net", text.replace("node a_b", "node other").replace("(a_b)", "(other)"))
    assert renamed.nodes == ("other",)
    assert read("net", text.replace('("1" "2")', '("1" "3")')).states("a b") == ("1", "3")


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        ("xmlbif", "</NETWORK>", "", "line 21, column 3: XML: mismatched tag"),
        ("xmlbif", "<FOR>C</FOR>", "<FOR>D</FOR>", "line 15, column 1: .*'D'"),
        ("xmlbif", "<FOR>C</FOR>", "<FOR>C</FOR><FOR>A</FOR>", "several variables"),
        ("xmlbif", "<FOR>A</FOR>", "<FOR>C</FOR>", "given twice"),
        ("xmlbif", "<FOR>A</FOR>", "", "<PROBABILITY> lacks <FOR>"),
        ("xmlbif", "<NAME>A</NAME>", "<NAME>B</NAME>", "declared twice"),
        ("xmlbif", '"nature"><NAME>A', '"utility"><NAME>A', "'utility'"),
        ("xmlbif", "0.15 0.85", "0.15 0.8x", "not a number"),
        ("xmlbif", "0.15 0.85", "0.15 0.85 0", "2 numbers, but 3"),
        ("xmlbif", "<GIVEN>A</GIVEN>", "<GIVEN>D</GIVEN>", "unknown parent 'D'"),
        ("xmlbif", "<!ELEMENT NAME (#PCDATA)>", '<!ENTITY a "b">', "line 5, column 13: .*entities"),
        ("xmlbif", "<!ELEMENT NAME (#PCDATA)>", '<!ENTITY a SYSTEM "file:///etc/passwd">', "entities"),
        ("xmlbif", 'version="1.0"', 'version="1.0" encoding="ebcdic-de"', "XML"),
        ("xdsl", "<smile ", "<smil ", "mismatched tag"),
        ("xdsl", "<deterministic id", "<noisymax id", "mismatched tag"),
        ("xdsl", '<cpt id="C">', "<cpt>", "lacks the attribute 'id'"),
        ("xdsl", '<cpt id="C">', '<cpt id="A">', "declared twice"),
        ("xdsl", "b1 b0", "b1 b2", "one of its states"),
        ("xdsl", "<probabilities>0.15 0.85</probabilities>", "", "lacks <probabilities>"),
        ("net", "potential (A | )", "potential (D | )", "line 14, column 12: unknown node 'D'"),
        ("net", "potential (A | )", "potential (B | )", "given twice"),
        ("net", "potential (B) { }", "", "the potential of 'B'"),
        ("net", "discrete node B", "continuous node B", "continuous node"),
        ("net", "node C\n", "node A\n", "declared twice"),
        ("net", "experience = (1 1 1 1)", "model_data = (1)", "formula"),
        ("net", "0.15 0.85", "0.15", "1 x 2 numbers, but 1"),
        ("net", "0.15 0.85", "0.15 zero", "not a number"),
        ("net", "( 0.4 0.2 0.4 )));", "( 0.4 0.2 0.4 )))", "end with ';'"),
        ("net", "(b0 b1)", "(b0 b1", "expected"),
        ("dne", "bnet Three", "Three", "line 5, column 1: expected 'bnet'"),
        ("dne", "kind = NATURE;\n\tdiscrete = FALSE", "kind = DECISION;\n\tdiscrete = FALSE", "DECISION"),
        ("dne", "functable = (#1, #0);", "", "neither probs nor functable"),
        ("dne", "(#1, #0)", "(#1, #2)", "one of its states"),
        ("dne", "numstates = 3", "numstates = 99999999", "not a number of states"),
        ("dne", "node B {", "node A {", "declared twice"),
        ("dne", "(0.15,        0.85)", "(0.15,        @)", "not a number"),
        ("dne", "(A, C, B);\n};", "(A, C, B);\n", "expected"),
        ("dsc", "belief network", "network", "expected 'belief'"),
        ("dsc", "(1, 1) :", "(1, 2) :", "unknown state of 'B' '2'"),
        ("dsc", "[ 3 ]", "[ 4 ]", "4 states but 3"),
        ("dsc", "node B {", "node A {", "declared twice"),
        ("dsc", "probability ( B ) {\n   0.4, 0.6;\n}\n", "", "the probabilities of 'B'"),
        ("uai", "BAYES", "MARKOV", "not factor graphs"),
        ("uai", "BAYES\n3", "BAYES\n999999999", "too short"),
        ("uai", "\n3 2 2", "\n3 2 999999999", "more states"),
        ("uai", "\n3\n3 1", "\n2\n3 1", "one table for each of 3"),
        ("uai", "1 1\n", "1 7\n", "no variable 7"),
        ("uai", "1 1\n", "1 2\n", "same variable"),
        ("uai", "\n12\n", "\n13\n", "expected 12"),
        ("uai", "0.85", "O.85", "line 14, column 7: expected a number, found 'O.85'"),
        ("uai", "0.4 0.6\n", "0.4\n", "expected a number, the text ends"),
        ("uai", "0.4 0.6\n", "0.4 0.6 1\n", "expected the end of the file"),
    ],
)
def test_what_is_wrong_is_said(name: str, old: str, new: str, words: str) -> None:
    text = FILES[name]
    assert old in text
    with pytest.raises(FormatError, match=words):
        read(name, text.replace(old, new, 1))


@pytest.mark.parametrize("name", FILES)
def test_more_parents_than_fit_are_refused(name: str) -> None:
    many = [f"p{i}" for i in range(40)]
    network = dw.BayesianNetwork(
        dw.Dag([*many, "x"], [("p0", "x")]),
        {node: ["a", "b"] for node in (*many, "x")},
        {node: [0.5, 0.5] for node in many} | {"x": [[0.5, 0.5], [0.5, 0.5]]},
    )
    text = format_named(name).write_bytes(network, []).decode()
    marks = {"xmlbif": ("<GIVEN>p0</GIVEN>", "\n".join(f"<GIVEN>{p}</GIVEN>" for p in many))}
    marks |= {
        "xdsl": ("<parents>p0</", f"<parents>{' '.join(many)}</"),
        "net": ("| p0", f"| {' '.join(many)}"),
    }
    marks |= {
        "dne": ("parents = (p0)", f"parents = ({', '.join(many)})"),
        "dsc": ("| p0", f"| {', '.join(many)}"),
    }
    marks |= {"uai": ("\n2 0 40\n", f"\n41 {' '.join(map(str, range(41)))}\n")}
    old, new = marks[name]
    assert text.count(old) == 1
    with pytest.raises(CapacityError, match="40 parents"):
        read(name, text.replace(old, new))


@pytest.mark.parametrize("name", ["bif", "xmlbif", "xdsl", "net", "dne", "dsc", "uai"])
def test_errors_that_show_late_have_a_place_too(name: str) -> None:
    network = dw.BayesianNetwork(dw.Dag(["a"]), {"a": ("y", "n")}, {"a": [0.375, 0.625]})
    text = format_named(name).write_bytes(network)
    assert text.count(b"0.375") == 1
    with pytest.raises(FormatError, match=r"line \d+, column \d+: node '\w+': .* sum to 1\.125, not to 1"):
        format_named(name).read_bytes(text.replace(b"0.375", b"0.5"))


@pytest.mark.parametrize("suffix", ["bif", "xml", "json", "dwb", "dot"])
def test_an_empty_file_is_no_network(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"nothing.{suffix}"
    path.write_bytes(b"\n")
    with pytest.raises(FormatError, match=f"nothing.{suffix}: the file is empty"):
        dw.load_graph(path)
