from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from dagwright.data import MISSING_U8, MISSING_U16, Bins, Origin, Table, read
from dagwright.errors import DataError, UnknownNameError


@pytest.fixture
def table() -> Table:
    return Table(
        ["rain", "lawn"],
        [[0, 1, 1], [1, 0, MISSING_U8]],
        [["no", "yes"], ["dry", "wet", "soaked"]],
        notes=["made here"],
    )


def test_facts(table: Table) -> None:
    assert table.names == ("rain", "lawn")
    assert (table.n_rows, len(table), table.N) == (3, 3, 3.0)
    assert table.cardinalities == (2, 3)
    assert table.states_of("lawn") == ("dry", "wet", "soaked")
    assert table.missing == {"rain": 0, "lawn": 1}
    assert table.column_index("lawn") == 1
    assert table.kinds == {"rain": "category", "lawn": "category"}
    assert table.to_dict() == {"rain": ["no", "yes", "yes"], "lawn": ["wet", "dry", None]}


def test_codes_are_read_only_contiguous_and_our_own() -> None:
    mine = np.array([0, 1, 0], dtype=np.uint8)
    table = Table(["a"], [mine], [["x", "y"]])
    mine[0] = 1
    assert table.decode("a") == ["x", "y", "x"]
    assert table.codes("a").flags.c_contiguous
    with pytest.raises(ValueError, match="read-only"):
        table.codes("a")[0] = 1


@pytest.mark.parametrize(
    ("r", "dtype", "marker"), [(255, np.uint8, MISSING_U8), (256, np.uint16, MISSING_U16)]
)
def test_code_width_follows_the_number_of_states(r: int, dtype: type, marker: int) -> None:
    table = Table(["a"], [[r - 1, marker]], [range(r)])
    assert table.codes("a").dtype == dtype
    assert table.missing == {"a": 1}
    assert table.decode("a") == [r - 1, None]


def test_select_rename_take(table: Table) -> None:
    assert table.select(["lawn"]).names == ("lawn",)
    assert table.rename({"rain": "regen"}).states_of("regen") == ("no", "yes")
    assert table.take([2, 0, 0]).to_dict() == {"rain": ["yes", "no", "no"], "lawn": [None, "wet", "wet"]}
    assert table.take(np.array([True, False, False])).n_rows == 1
    assert table.take([]).cardinalities == (2, 3)
    weighted = table.with_weights([1.0, 2.0, 0.5])
    assert weighted.N == 3.5
    assert weighted.take([1, 1]).N == 4.0
    assert weighted.with_weights(None).weights is None
    cut = Table(["x"], [[0, 1]], [Bins((1.0,)).labels], origins={"x": Origin(Bins((1.0,)))})
    assert cut.rename({"x": "y"}).bins == {"y": Bins((1.0,))}
    assert cut.rename({"x": "y"}).kinds == {"y": "continuous"}


def test_names_that_are_not_there(table: Table) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'rain'"):
        table.codes("rian")
    with pytest.raises(UnknownNameError, match="unknown column"):
        table.rename({"x": "y"})
    with pytest.raises(DataError, match="'rain' appears twice"):
        table.rename({"lawn": "rain"})
    with pytest.raises(DataError, match="'rain' appears twice"):
        table.select(["rain", "rain"])


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 2], "2 weights for 3 rows"),
        ([1, -1, 2], "row 1: weight -1.0 is not"),
        ([1, 1, np.nan], "row 2: weight nan"),
        ([1, 1, np.inf], "row 2: weight inf"),
        (["a", "b", "c"], "must be numbers"),
    ],
)
def test_bad_weights(table: Table, weights: list[object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        table.with_weights(weights)


@pytest.mark.parametrize(
    ("codes", "states", "message"),
    [
        ([0, 2], ["x", "y"], "row 1: code 2 but the column has 2 states"),
        ([0, 300], ["x", "y"], "codes must lie between 0 and 255"),
        ([0, -1], ["x", "y"], "codes must lie between"),
        ([0.5, 1.0], ["x", "y"], "array of integers"),
        ([0, 1], ["x", "x"], "state 'x' twice"),
        ([0, 1], ["x", None], "marks a missing value"),
        ([0, 1], ["x", ["y"]], "cannot be hashed"),
    ],
)
def test_unsound_columns_are_refused(codes: list[float], states: list[object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        Table(["a"], [codes], [states])


def test_unsound_tables_are_refused() -> None:
    with pytest.raises(DataError, match="column 'b' has 1 rows, 'a' has 2"):
        Table(["a", "b"], [[0, 1], [0]], [["x", "y"], ["x"]])
    with pytest.raises(DataError, match="2 names, 1 columns"):
        Table(["a", "b"], [[0]], [["x"], ["y"]])
    with pytest.raises(DataError, match="names must be text"):
        Table([("a", "b")], [[0]], [["x"]])  # type: ignore[list-item]
    with pytest.raises(DataError, match="70,000 distinct values"):
        Table(["id"], [[0]], [range(70_000)])


@pytest.mark.parametrize(
    ("rows", "message"),
    [([3], "between 0 and 2"), ([True], "1 entries for 3"), ([[0]], "one-dim"), ([0.5], "posit")],
)
def test_bad_rows(table: Table, rows: list[object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        table.take(rows)


def test_equality_hash_and_fingerprint(table: Table) -> None:
    twin = Table(["rain", "lawn"], [[0, 1, 1], [1, 0, MISSING_U8]], [["no", "yes"], ["dry", "wet", "soaked"]])
    assert table == twin
    assert hash(table) == hash(twin)
    assert table.fingerprint == twin.fingerprint == "d8d4afb209c71d04d8118705048a673a"
    others = [
        table.take([0, 1]),
        table.rename({"rain": "x"}),
        table.with_weights([1, 1, 1]),
        table.select(["lawn", "rain"]),
        Table(["rain", "lawn"], [[0, 1, 1], [1, 0, MISSING_U8]], [["no", "yes"], ["dry", "wet", "very"]]),
    ]
    for other in others:
        assert other != table
        assert other.fingerprint != table.fingerprint
    assert table != "table"


def test_types_of_states_are_content() -> None:
    tables = [Table(["a"], [[0]], [[state]]) for state in (1, 1.0, True, "1")]
    assert len({table.fingerprint for table in tables}) == 4
    assert all(a != b for i, a in enumerate(tables) for b in tables[:i])


def test_pickle_and_copy(table: Table) -> None:
    weighted = table.with_weights([1, 2, 3])
    weighted._native = object()
    again = pickle.loads(pickle.dumps(weighted))
    assert again == weighted
    assert again.notes == ("made here",)
    assert again._native is None
    assert not again.codes("rain").flags.writeable
    assert copy.deepcopy(table) is table
    assert copy.copy(table) is table


def test_sum_of_weights_does_not_depend_on_row_order() -> None:
    weights = np.random.default_rng(3).random(1000) ** 9
    table = Table(["a"], [np.zeros(1000, dtype=np.uint8)], [["x"]], weights=weights)
    assert table.N == table.take(np.argsort(weights)).N


def test_repr_is_readable(table: Table) -> None:
    assert repr(table).splitlines() == [
        "Table: 3 rows, 2 columns, 1 missing cells",
        "  rain  2 states: no, yes",
        "  lawn  3 states: dry, wet, soaked",
        "  rain  lawn",
        "  no    wet",
        "  yes   dry",
        "  yes",
    ]
    wide = read({f"c{i}": ["a"] for i in range(25)})
    assert "  and 5 more columns\n" in repr(wide)
    assert "weights sum to 2.5" in repr(wide.with_weights([2.5]))
    assert "... (30 in all)" in repr(Table(["a"], [[0]], [range(30)]))


def test_from_distribution() -> None:
    table = Table.from_distribution(
        [[0.5, 0.0], [0.25, 0.25]], ["a", "b"], states=[["n", "y"], [0, 1]], sample_size=8
    )
    assert table.to_dict() == {"a": ["n", "y", "y"], "b": [0, 0, 1]}
    assert table.weights is not None
    assert table.weights.tolist() == [4.0, 2.0, 2.0]
    assert table.N == 8.0
    assert table.states == (("n", "y"), (0, 1))


@pytest.mark.parametrize(
    ("cells", "options", "message"),
    [
        ([0.5, 0.6], {}, "sum to 1.1, not to 1"),
        ([1.5, -0.5], {}, "not negative"),
        ([[1.0]], {}, "2 axes for 1 names"),
        ([1.0], {"sample_size": 0}, "positive number"),
        ([1.0], {"states": [["x", "y"]]}, "2 states for an axis of length 1"),
        ([1.0], {"states": []}, "0 state lists for 1 names"),
        ([], {}, "has no states"),
    ],
)
def test_bad_distributions(cells: list[float], options: dict[str, object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        Table.from_distribution(cells, ["a"], **options)  # type: ignore[arg-type]


def test_to_pandas_and_polars_keep_states() -> None:
    import polars as pl

    table = read(
        {"a": ["x", None, "y"], "n": [1, 2, 1], "mixed": [1, "1", True]}, states={"a": ["z", "y", "x"]}
    )
    pandas = table.to_pandas()
    assert list(pandas["a"].cat.categories) == ["z", "y", "x"]
    assert pandas["mixed"].tolist() == [1, "1", True]
    assert read(pandas) == table
    polars = table.to_polars()
    assert polars.schema["a"] == pl.Enum(["z", "y", "x"])
    assert polars["n"].to_list() == [1, 2, 1]
    assert read(polars) == table


def test_counts_of_missing_cells_pass_to_the_same_rows_only(table: Table) -> None:
    assert table.missing == {"rain": 0, "lawn": 1}
    assert table.select(["lawn"]).missing == {"lawn": 1}
    assert table.with_notes("more").missing == table.missing
    assert table.take([0, 1]).missing == {"rain": 0, "lawn": 0}
    assert table.take([2, 2]).missing == {"rain": 0, "lawn": 2}


@pytest.mark.parametrize(
    ("numbers", "constant"),
    [
        ([1.0, 2.0, 1.0], False),
        ([1.0, 1.0, 2.0], False),
        ([np.nan, 1.0, 2.0], False),
        ([1.0, np.nan, 1.0], True),
        ([2.0, 2.0, 2.0], True),
        ([0.0, -0.0, 0.0], True),
    ],
)
def test_a_column_is_constant_where_its_known_numbers_are_one(numbers: list[float], constant: bool) -> None:
    assert read({"x": numbers}, kinds={"x": "continuous"}).is_constant("x") is constant
