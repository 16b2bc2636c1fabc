"""Names and their numbers, and the counts that change from one numbering to another."""

from __future__ import annotations

import pickle
import random
from itertools import combinations

import pytest

import dagwright as dw
from dagwright.base.numbering import Numbering
from dagwright.evidence.counting import Counting
from dagwright.graph import Query


def test_names_and_numbers_there_and_back() -> None:
    numbering = Numbering(["b", "a", "c"])
    assert numbering.name_all(numbering.number_all(["c", "b"])) == ("c", "b")
    assert (list(numbering), len(numbering), "a" in numbering, "d" in numbering) == (
        ["b", "a", "c"],
        3,
        True,
        False,
    )
    alphabetical = numbering.alphabetical()
    assert alphabetical.names == ("a", "b", "c")
    assert numbering.places_in(alphabetical).tolist() == [1, 0, 2]
    assert pickle.loads(pickle.dumps(numbering)) == numbering != alphabetical
    assert len({numbering, Numbering(["b", "a", "c"]), alphabetical}) == 2


def test_a_numbering_cannot_be_changed_and_names_differ() -> None:
    numbering = Numbering(["x"])
    with pytest.raises(AttributeError, match="cannot be changed"):
        numbering.names = ("y",)
    with pytest.raises(TypeError):
        numbering.number["y"] = 1  # type: ignore[index]
    with pytest.raises(ValueError, match="'x' has two numbers"):
        Numbering(["x", "y", "x"])


def test_tables_problems_and_graphs_share_one_type() -> None:
    table = dw.read("sample:asia")
    dag = dw.Dag(table.names, [])
    known = dw.Knowledge().resolve(table.names)
    assert table.schema.numbering == known.numbering == Numbering(table.names)
    assert dag._nodes.numbering == table.schema.numbering.alphabetical()


def test_a_graph_is_the_same_in_every_numbering() -> None:
    dag = dw.Dag.parse("B -> A; C -> A; A -> D")
    other = dag.numbered(Numbering(["D", "C", "A", "B"]))
    assert (dag.parents("A"), other.parents("A")) == (("B", "C"), ("C", "B"))
    assert other == dag
    assert hash(other) == hash(dag)
    assert pickle.loads(pickle.dumps(other)) == dag
    assert other.equivalent(dag)
    assert dag.equivalent(other)
    assert other != dw.Dag.parse("B -> A; C -> A; D -> A")
    assert other.subgraph(["A", "B", "C"]).parents("A") == ("C", "B")
    assert other.renamed({}).parents("A") == ("B", "C")


def test_names_do_not_show_in_structural_em() -> None:
    rng = random.Random(5)
    columns: dict[str, list[int | None]] = {"b": [rng.randrange(3) for _ in range(120)]}
    for name in ("c", "a"):
        columns[name] = [(value or 0) if rng.random() < 0.7 else rng.randrange(3) for value in columns["b"]]
    for values in columns.values():
        for row in range(0, 120, 7):
            values[rng.randrange(row, row + 1)] = None
    new = {"b": "z", "c": "y", "a": "x"}
    found = dw.learn(columns, search=dw.StructuralEM())
    other = dw.learn({new[name]: values for name, values in columns.items()}, search=dw.StructuralEM())
    assert found.score == other.score
    assert other.network() == found.network().renamed(new)
    assert found.network().graph._nodes.numbering.names == ("a", "b", "c")


def drawn(missing: float, *, weighted: bool) -> dw.Table:
    rng = random.Random(3)
    columns: dict[str, list[int | None]] = {}
    for at in range(6):
        source = columns.get(f"x{at - 2}", [0] * 200)
        # Columns of equal marginals, so that pairs are counted for the canonical order too.
        flips = [rng.random() < 0.3 for _ in range(100)]
        half = [(value or 0) ^ flip for value, flip in zip(source, flips, strict=False)]
        columns[f"x{at}"] = [*half, *(1 - value for value in half)]
    for values in list(columns.values())[:3]:
        for row in range(200):
            if rng.random() < missing:
                values[row] = None
    weights = [1.0 + row % 3 for row in range(200)] if weighted else None
    return dw.read({**columns, **({"w": weights} if weights else {})}, weights="w" if weights else None)


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_engine_of_the_search_begins_with_the_counts_of_the_canonical_order(
    missing: float, weighted: bool
) -> None:
    table = drawn(missing, weighted=weighted)
    ordered = table.canonical().table
    assert ordered.names != table.names
    counted = table.native.statistics().counted
    assert counted > len(table.names)
    assert len(ordered.native.remembered()["values"]) == counted
    # The same sums as those that are counted anew, on all rows and on those where some columns are known.
    fresh = table.select(ordered.names)
    assert len(fresh.native.remembered()["values"]) == 0
    questions = [Query(x, y, given) for x, y, *given in combinations(table.names, 3)]
    questions += [Query(x, y) for x, y in combinations(table.names, 2)]
    for test in (dw.GSquare(), dw.ChiSquare()):
        answers = [
            test.on(Counting(one, missing="available")).test(questions) for one in (ordered, fresh, table)
        ]
        assert answers[0] == answers[1] == answers[2]
    assert ordered.native.statistics().counted < fresh.native.statistics().counted
