"""Each of the ten rules of Zhang (2008) on a graph on which only it has something to do."""

from __future__ import annotations

import pytest

import dagwright as dw
from dagwright.graph import zhang_rules
from dagwright.graph.zhang_rules import close, discriminating_paths

ONLY = {
    1: ("A o-> B; B o-o C", "A o-> B; B -> C"),
    2: ("A <-> B; B -> C; A o-o C", "A <-> B; A o-> C; B -> C"),
    3: ("A o-> B; C o-> B; A o-o D; C o-o D; D o-o B", "A o-> B; A o-o D; C o-> B; C o-o D; D o-> B"),
    4: ("D o-> A; B o-> A; A -> C; B o-> C", "A -> C; A <-> B; B <-> C; D o-> A"),
    5: ("A o-o B; B o-o C; C o-o D; D o-o A", "A -- B; A -- D; B -- C; C -- D"),
    6: ("A -- B; B o-o C", "A -- B; C o- B"),
    7: ("B o- A; B o-o C", "B o- A; C o- B"),
    8: ("A -> B; B -> C; A o-> C", "A -> B; A -> C; B -> C"),
    9: ("A o-> C; A o-o B; B o-o D; D o-> C", "A -> C; A o-o B; B o-o D; D -> C"),
    10: ("A o-> C; B -> C; D -> C; A o-o B; A o-o D", "A -> C; A o-o B; A o-o D; B -> C; D -> C"),
}


@pytest.mark.parametrize("rule", ONLY)
def test_only_this_rule_applies(rule: int) -> None:
    before, after = ONLY[rule]
    pag = dw.Pag.parse(before)
    marks = pag._marks()
    made = close(marks, lambda path: True)  # noqa: ARG005
    assert set(made) == {rule}
    assert str(dw.Pag._of_marks(pag._nodes, marks)) == after


def test_rule_4_directs_what_is_no_collider_and_leaves_open_what_is_unknown() -> None:
    pag = dw.Pag.parse(ONLY[4][0])
    for answer, expected in ((False, "A -> C; B -> C; B o-> A; D o-> A"), (None, str(pag))):
        marks = pag._marks()
        close(marks, lambda path, answer=answer: answer)  # noqa: ARG005
        assert str(dw.Pag._of_marks(pag._nodes, marks)) == expected


def test_discriminating_paths_may_be_long() -> None:
    pag = dw.Pag.parse("X o-> U; U <-> V; V <-> W; W <-> B; U -> C; V -> C; W -> C; B o-> C")
    numbers = {name: pag._nodes.number(name) for name in pag.nodes}
    (path,) = discriminating_paths(pag._marks(), numbers["B"], numbers["C"])
    assert pag._nodes.name_all(path) == tuple("XUVWBC")


# The marks of all ten rules at work, each from a DAG with hidden or selection nodes.
@pytest.mark.parametrize(
    ("mag", "pag"),
    [
        ("C -> D; E -> D; D -> B", "C o-> D; D -> B; E o-> D"),
        ("A -> B; B -> D; C -> B; C -> D", "A o-> B; B -> D; C -> D; C o-> B"),
        ("A -- C; A -- D; B -- C; B -- D; B -> E", "A -- C; A -- D; B -- C; B -- D; E o- B"),
        ("B -- C; B -> A; C -> E; E -> A", "B -> A; B o-o C; C o-o E; E -> A"),
    ],
)
def test_classes_of_graphs(mag: str, pag: str) -> None:
    assert str(dw.Mag.parse(mag).pag()) == pag


# For each rule a true graph that the other nine do not find from its independences; 5 to 7 need selection.
NEEDED = {
    1: "A -> C; B -> C; C -> D",
    2: "A -> C; A <-> B; B -> E; B <-> C; B <-> D; C <-> D; C <-> E",
    3: "A -> B; A -> C; A -> D; B -> D; C -> D",
    4: "A -> C; A -> D; B -> C; C -> D",
    5: "A -- B; A -- C; B -- D; C -- D",
    6: "A -- B; B -- D; B -- E; C -- D; C -- E",
    7: "A -- B; A -- E; B -- C; B -- D; C -- D; C -- E; D -- E",
    8: "A -> C; A -> D; A -> E; A -> G; B -> C; B -> F; C -> D; C -> G; D -> E; D -> G; E -> F; E -> G; "
    "F -> G",
    9: "A -> D; A <-> B; B -> C; C -> D",
    10: "A -- B; A -- C; A -- D; A -> E; B -- C; B -> E; C -- D; D -> E",
}


@pytest.mark.parametrize("rule", NEEDED)
def test_the_other_nine_rules_are_not_enough(rule: int, monkeypatch: pytest.MonkeyPatch) -> None:
    mag = dw.Mag.parse(NEEDED[rule])
    truth = mag.pag()
    found = dw.learn(oracle=mag, search=dw.FCI())
    assert found.graph == truth
    assert found.notes["marks by rule"][str(rule)] > 0
    monkeypatch.setattr(zhang_rules, f"rule_{rule}", lambda *_: 0)
    for graph in (mag.pag(), dw.learn(oracle=mag, search=dw.FCI()).graph):
        assert graph != truth
