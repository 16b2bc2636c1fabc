"""Names, patterns, groups and what the compiled knowledge answers."""

from __future__ import annotations

import pickle

import pytest

from dagwright.errors import DagwrightError, KnowledgeError, OptionError, UnknownNameError
from dagwright.graph.dag import Dag
from dagwright.knowledge import Knowledge

NAMES = ("A", "B", "C", "D")


def free_arcs(known: Knowledge, names: tuple[str, ...] = NAMES) -> set[str]:
    resolved = known.resolve(names)
    return {f"{a}{b}" for a in names for b in names if a != b and resolved.allows_arc(a, b)}


def test_forbidden_arc_and_link() -> None:
    assert free_arcs(Knowledge(forbidden=["A -> B", "A -- C", "D -- *"])) == {"BA", "BC", "CB"}


def test_tiers() -> None:
    assert free_arcs(Knowledge(tiers=[["A"], ["B", "C"]])) == {"AB", "AC", "BC", "CB"} | {
        "AD", "DA", "BD", "DB", "CD", "DC",
    }  # fmt: skip
    closed = Knowledge(tiers=[["A"], {"nodes": ["B", "C"], "inner": False}, ["*"]])
    assert free_arcs(closed) == {"AB", "AC", "AD", "BD", "CD"}


def test_linear_order() -> None:
    assert free_arcs(Knowledge(order=NAMES)) == {"AB", "AC", "AD", "BC", "BD", "CD"}
    assert free_arcs(Knowledge(order=["C", "A"])) == {a + b for a in NAMES for b in NAMES if a != b} - {"AC"}


def test_partial_order_allows_arcs_only_along_it() -> None:
    assert free_arcs(Knowledge(partial_order=["A < B < C", ("A", "D")])) == {"AB", "AC", "AD", "BC"}
    assert "DA" in free_arcs(Knowledge(partial_order=["A < B"]))


def test_roots_leaves_and_search_space() -> None:
    assert free_arcs(Knowledge(roots=["A"], leaves=["D"])) == {"AB", "AC", "AD", "BC", "BD", "CB", "CD"}
    assert free_arcs(Knowledge(allowed=["A -> B", "C -- D"])) == {"AB", "CD", "DC"}
    assert free_arcs(Knowledge(allowed=[])) == set()


def test_independence_statements_forbid_links() -> None:
    assert free_arcs(Knowledge(independent="A, B, C | D")) == {"AD", "DA", "BD", "DB", "CD", "DC"}
    assert free_arcs(Knowledge(independent="A, B _||_ C | D")) == {
        "AB",
        "BA",
        "AD",
        "DA",
        "BD",
        "DB",
        "CD",
        "DC",
    }
    assert free_arcs(Knowledge(independent=[{"x": "A", "y": ["B", "C"]}])) == {
        "BC", "CB", "AD", "DA", "BD", "DB", "CD", "DC",
    }  # fmt: skip


def test_a_link_with_one_way_forbidden_is_an_arc() -> None:
    resolved = Knowledge(required=["A -- B", "C -- D"], forbidden=["B -> A"]).resolve(NAMES)
    assert resolved.required_arcs == (("A", "B"),)
    assert resolved.required_links == (("C", "D"),)
    assert resolved.reason("A", "B") == "required by required: A -- B; forbidden: B -> A"
    assert resolved.reason("B", "A") == "forbidden by forbidden: B -> A"
    assert resolved.reason("C", "D") is None
    assert resolved.native.requires_link(2, 3)


def test_a_required_arc_forbids_its_opposite() -> None:
    resolved = Knowledge(required=["A -> B"]).resolve(NAMES)
    assert resolved.forbidden_arcs == (("B", "A"),)
    assert resolved.reason("B", "A") == "forbidden by required: A -> B"


def test_reasons_are_in_the_words_of_the_user() -> None:
    known = Knowledge(
        tiers=[["A"], {"nodes": ["B", "C"], "inner": False}],
        order=["A", "D"],
        partial_order=["A < B", "A < D"],
        allowed=["* -- *"],
        max_parents={"D": 0},
    ).resolve(NAMES)
    assert known.reason("B", "A") == "forbidden by partial order: A < B; tier 1 before tier 2 (A, B)"
    assert known.reason("B", "C") == "forbidden by tier 2 has no edges inside it (B, C)"
    assert known.reason("D", "B") == "forbidden by partial order: D and B are not comparable"
    assert known.reason("C", "D") == "forbidden by max_parents: at most 0 for D"
    space = Knowledge(allowed=["A -> B"]).resolve(NAMES)
    assert space.reason("B", "A") == "forbidden by allowed: B -> A is outside the search space"


def test_allows_asks_for_arcs_requirements_and_bounds() -> None:
    known = Knowledge(required=["A -> C"], forbidden=["D -> C"], max_parents={"C": 2, "*": 3}).resolve(NAMES)
    assert known.allows("C", ["A"])
    assert known.allows("C", ["B", "A"])
    assert not known.allows("C", [])
    assert not known.allows("C", ["A", "D"])
    assert known.max_parents == {"A": 3, "B": 3, "C": 2, "D": 3}
    assert known.max_parents_of("C") == 2
    assert Knowledge().resolve(NAMES).max_parents_of("C") is None
    with pytest.raises(UnknownNameError, match="unknown variable 'Z'"):
        known.allows("C", ["Z"])


def test_positions_direct_free_links_not_names() -> None:
    known = Knowledge(required=["A -- B", "B -- C"], tiers=[["C"], ["D"]])
    assert known.resolve(list("ABCD")).initial_dag() == Dag.parse("A -> B -> C; D")
    assert known.resolve(list("DCBA")).initial_dag() == Dag.parse("C -> B -> A; D")
    assert known.resolve(list("ABCD")).initial_dag(list("BACD")) == Dag.parse("B -> A; B -> C; D")


def test_a_parent_bound_joins_the_knowledge() -> None:
    known = Knowledge(required=["A -> C", "B -- C", "C -- D"]).resolve(list("ABCD"))
    assert known.bounded(None) is known
    assert known.bounded(1).initial_dag() == Dag.parse("A -> C -> B; C -> D")
    assert known.bounded(1).max_parents == dict.fromkeys("ABCD", 1)
    assert Knowledge().resolve(NAMES).bounded(0) == Knowledge().resolve(NAMES)
    with pytest.raises(OptionError, match="max_parents=1, but the knowledge requires 2 parents of 'C'"):
        Knowledge(required=["A -> C", "B -> C"]).resolve(list("ABC")).bounded(1)
    with pytest.raises(OptionError, match="between 'A', 'B', 'C' cannot be oriented within this bound"):
        Knowledge(required=["A -- B", "B -- C", "A -- C"]).resolve(list("ABC")).bounded(1)
    own = Knowledge(required=["A -- B"], max_parents={"B": 0}).resolve(list("AB"))
    assert own.bounded(1).max_parents == {"A": 1, "B": 0}


def test_initial_dag_meets_the_requirements_within_bounds() -> None:
    known = Knowledge(required=["A -- B", "B -- C", "A -- C", "D -> C"], max_parents={"C": 2, "B": 1})
    dag = known.resolve(NAMES).initial_dag()
    assert known.check(dag) == []
    assert len(dag.edges) == 4
    assert Knowledge().resolve(NAMES).initial_dag() == Dag(NAMES)


def test_five_hundred_columns() -> None:
    names = ["age", "sex", *(f"lab_{i}" for i in range(250)), *(f"drug_{i}" for i in range(247)), "outcome"]
    known = Knowledge(
        tiers=[["demographics"], ["lab_*"], ["*"], ["outcome"]],
        forbidden=["lab_1? -- lab_2?"],
        required=["lab_7 -> outcome", "age -> drug_?"],
        independent=["drug_10* | lab_*"],
        max_parents={"*": 8, "outcome": 20},
        groups={"demographics": ["age", "sex"]},
    )
    resolved = known.resolve(names)
    assert len(resolved.required_arcs) == 11
    assert not resolved.allows_arc("drug_3", "lab_3")
    assert not resolved.allows_arc("lab_13", "lab_28")
    assert resolved.allows_arc("lab_28", "lab_38")
    assert not resolved.allows_arc("drug_10", "drug_101")
    assert resolved.allows_arc("drug_200", "drug_101")
    assert resolved.max_parents_of("outcome") == 8
    assert known.check(resolved.initial_dag()) == []


def test_names_come_before_groups_and_patterns() -> None:
    names = ("x*", "xy", "xz")
    assert Knowledge(roots=["x*"]).resolve(names).allows_arc("xz", "xy")
    assert not Knowledge(roots=["x?"]).resolve(names).allows_arc("xz", "xy")
    with pytest.raises(KnowledgeError, match="group 'xy' has the name of a variable"):
        Knowledge(roots=["xy"], groups={"xy": ["xz"]}).resolve(names)


def test_groups_may_hold_groups() -> None:
    known = Knowledge(roots=["all"], groups={"all": ["some", "C"], "some": ["A", "all"]})
    with pytest.raises(KnowledgeError, match="unknown variable 'all'"):
        known.resolve(NAMES)
    nested = Knowledge(roots=["all"], groups={"all": ["some", "C"], "some": ["A"]})
    assert free_arcs(nested) == {"AB", "AD", "CB", "CD", "BD", "DB"}


def test_resolved_is_a_value() -> None:
    known = Knowledge(required=["A -- B"], max_parents=2).resolve(NAMES)
    again = pickle.loads(pickle.dumps(known))
    assert again == known
    assert hash(again) == hash(known)
    assert again.native.requires_link(0, 1)
    with pytest.raises(AttributeError):
        known.names = ()  # type: ignore[misc]


def test_duplicate_names_are_refused() -> None:
    with pytest.raises(KnowledgeError, match="'A' occurs twice"):
        Knowledge().resolve(["A", "B", "A"])


def test_native_knowledge_checks_its_callers() -> None:
    native = Knowledge(forbidden=["A -> B"]).resolve(NAMES).native
    assert len(native) == 4
    assert not native.empty()
    with pytest.raises(IndexError):
        native.allows_arc(0, 4)
    with pytest.raises(IndexError):
        native.allows(0, [9])
    with pytest.raises(DagwrightError, match="cannot be joined with itself"):
        native.forbid_arc(1, 1)
    assert not native.renumbered([3, 2, 1, 0]).allows_arc(3, 2)


def test_possible_ancestors_follow_the_allowed_arcs() -> None:
    tiers = Knowledge(tiers=[["A"], ["B", "C"], ["D"]]).resolve(NAMES)
    assert tiers.possible_ancestors("A") == set()
    assert tiers.possible_ancestors("B") == {"A", "C"}
    assert tiers.possible_ancestors("A", "B") == {"C"}
    assert tiers.possible_ancestors("D") == {"A", "B", "C"}
    # D is in no tier, so it may stand between C and A.
    assert Knowledge(tiers=[["A", "B"], ["C"]]).resolve(NAMES).possible_ancestors("A") == {"B", "C", "D"}


def test_a_link_inside_a_set_means_each_pair_once() -> None:
    known = Knowledge(required=["x* -- x*"]).resolve(["x1", "x2", "x3", "y"])
    assert known.required_links == (("x1", "x2"), ("x1", "x3"), ("x2", "x3"))
    assert known.link_reason("x2", "x1") == "required: x* -- x* (x1 -- x2)"
    assert known.link_reason("x1", "y") is None
