from __future__ import annotations

import datetime
import math

import numpy as np
import pytest

from dagwright.data import Bins, CutPoints, EqualFrequency, EqualWidth, Hartemink, KMeans1D, read
from dagwright.data.discretize import Rule, between, cut_column
from dagwright.errors import DataError, OptionError

rng = np.random.default_rng(5)


def cuts(values: list[float], rule: Rule, weights: list[float] | None = None) -> tuple[float, ...]:
    given = None if weights is None else np.array(weights, dtype=float)
    return cut_column("x", np.array(values, dtype=float), given, rule).cuts


def test_equal_frequency() -> None:
    assert cuts([1, 2, 3, 4, 5, 6], EqualFrequency(3)) == (2.0, 4.0)
    assert cuts([1, 2, 3, 4, math.nan], EqualFrequency(2)) == (2.0,)
    assert cuts([math.nan, 4, 2, 3, 1], EqualFrequency(2)) == (2.0,)


def test_equal_frequency_with_ties_makes_fewer_bins() -> None:
    assert cuts([0] * 8 + [1, 2], EqualFrequency(3)) == (0.0,)
    assert cuts([0] * 5 + [1] * 5, EqualFrequency(4)) == (0.0,)
    assert cuts([7, 7, 7], EqualFrequency(3)) == ()


def test_equal_frequency_counts_weights() -> None:
    assert cuts([1, 2, 3, 4], EqualFrequency(2), [3, 1, 1, 1]) == (1.0,)
    assert cuts([1, 2, 3, 4], EqualFrequency(2), [0, 0, 1, 1]) == (3.0,)


def test_equal_width() -> None:
    assert cuts([0, 1, 9], EqualWidth(3)) == (3.0, 6.0)
    assert cuts([-math.inf, 0, 9, math.inf], EqualWidth(3)) == (3.0, 6.0)
    assert cuts([4, math.inf], EqualWidth(3)) == ()


def test_kmeans_is_optimal() -> None:
    assert cuts([1, 2, 3, 50, 51, 52, 90, 91], KMeans1D(3)) == (26.0, 71.0)
    values = np.sort(rng.normal(size=14))
    found = cut_column("x", values, None, KMeans1D(3)).code(values)

    def spread(codes: np.ndarray) -> float:
        return sum(float(np.var(values[codes == k]) * np.sum(codes == k)) for k in np.unique(codes))

    best = min(
        spread(np.repeat([0, 1, 2], [i, j - i, 14 - j])) for i in range(1, 13) for j in range(i + 1, 14)
    )
    assert spread(found) == pytest.approx(best, rel=1e-12)


def test_kmeans_with_more_bins_than_values_ties_and_infinities() -> None:
    assert len(cuts([1, 2], KMeans1D(5))) == 1
    assert cuts([3, 3, 3], KMeans1D(2)) == ()
    assert cuts([-math.inf, 1, 2, 9, math.inf], KMeans1D(2)) == (5.0,)
    many = np.concatenate([rng.normal(0, 1, 5000), rng.normal(100, 1, 5000)])
    (cut,) = cut_column("x", many, None, KMeans1D(2)).cuts
    assert 5 < cut < 95


def test_given_cut_points() -> None:
    table = read({"x": [0.5, 1.0, 1.5, 7.0]}, kinds={"x": "continuous"}, discretize=CutPoints([1, 5, 6]))
    assert table.states_of("x") == ("<=1", "(1, 5]", "(5, 6]", ">6")
    assert table.decode("x") == ["<=1", "<=1", "(1, 5]", ">6"]
    with pytest.raises(DataError, match="increase strictly"):
        CutPoints([2, 1])
    with pytest.raises(DataError, match="finite"):
        CutPoints([math.inf])


def test_bins_code_infinities_and_gaps() -> None:
    assert Bins((0.0,)).code(np.array([-np.inf, 0.0, 1e-300, np.inf, np.nan])).tolist() == [0, 0, 1, 1, 255]
    assert Bins(()).labels == ("any",)
    assert Bins(()).code(np.array([3.0, np.nan])).tolist() == [0, 255]
    wide = Bins(tuple(float(i) for i in range(300)))
    assert wide.code(np.array([1e9, np.nan])).tolist() == [300, 65535]


@pytest.mark.parametrize(
    ("low", "high"),
    [
        (0, 1),
        (1.234567, 1.234568),
        (-3.3, -3.2),
        (1e300, 1e301),
        (5e-324, 1e-323),
        (-math.inf, -7),
        (-math.inf, -1.7e308),
        (1.7e308, math.inf),
        (-1.7e308, 1.7e308),
        (3, math.inf),
        (-math.inf, math.inf),
        (0.1, 0.30000000000000004),
    ],
)
def test_between_separates(low: float, high: float) -> None:
    cut = between(low, high)
    assert low <= cut < high
    assert math.isfinite(cut)


@pytest.mark.parametrize("rule", [EqualFrequency, EqualWidth, KMeans1D, Hartemink])
def test_rules_check_their_numbers(rule: type) -> None:
    with pytest.raises(OptionError, match="whole number of at least 1"):
        rule(bins=0)
    with pytest.raises(OptionError, match="whole number"):
        rule(bins=2.5)


def test_hartemink_needs_enough_to_start_with() -> None:
    with pytest.raises(OptionError, match="at least 5"):
        Hartemink(bins=5, initial=3)


def test_hartemink_finds_the_informative_boundary() -> None:
    x = rng.uniform(0, 10, 4000)
    flag = np.where((x > 2) ^ (rng.random(4000) < 0.02), "high", "low")
    data = {"x": x, "flag": flag.tolist(), "noise": rng.uniform(0, 1, 4000)}
    table = read(data, discretize=Hartemink(bins=2, initial=20))
    (cut,) = table.bins["x"].cuts
    assert 1.5 < cut < 2.5
    assert len(table.bins["noise"].cuts) == 1
    shuffled = read({name: data[name] for name in ("noise", "flag", "x")}, discretize=Hartemink(2, 20))
    assert shuffled.bins == table.bins


def test_hartemink_follows_another_continuous_column_and_gaps() -> None:
    x = rng.uniform(0, 1, 3000)
    y = np.where(x > 0.7, 5.0, 0.0) + rng.normal(0, 0.3, 3000)
    y[::50] = np.nan
    table = read({"x": x, "y": y}, discretize=Hartemink(bins=2, initial=30), weights=np.ones(3000))
    (x_cut,), (y_cut,) = table.bins["x"].cuts, table.bins["y"].cuts
    assert 0.6 < x_cut < 0.8
    assert 0 < y_cut < 5  # the first cut into 30 may leave one interval with cases of both clusters
    assert table.missing["y"] == 60


def test_hartemink_alone_merges_the_least_populated() -> None:
    table = read({"x": rng.normal(size=500)}, discretize=Hartemink(bins=4, initial=16))
    assert table.cardinalities == (4,)


def test_rules_by_column_and_notes() -> None:
    data = {"a": rng.normal(size=100), "b": rng.normal(size=100)}
    table = read(data, discretize={"a": EqualWidth(4)})
    assert table.cardinalities == (4, 0)
    assert table.kinds == {"a": "continuous", "b": "continuous"}
    whole = table.discretized()
    assert whole.cardinalities == (4, 3)
    assert whole.notes == (
        "column 'a' is continuous (as requested) and was cut into 4 intervals by EqualWidth(bins=4)",
        "column 'b' is continuous (float with more than 20 distinct values) "
        "and was cut into 3 intervals by EqualFrequency(bins=3)",
    )


def test_constant_and_all_missing_continuous_columns() -> None:
    assert read({"x": [2.5, 2.5]}, kinds={"x": "continuous"}).discretized().states_of("x") == ("any",)
    with pytest.raises(DataError, match="column 'x' has no values"):
        read({"x": [math.nan, math.nan]}, kinds={"x": "continuous"})
    with pytest.raises(DataError, match=r"row 1 .*'b' is not a number"):
        read({"x": ["1", "b"]}, kinds={"x": "continuous"})


def test_dates_are_cut_by_day_with_readable_names() -> None:
    days = [datetime.date(2024, 1, 1) + datetime.timedelta(days=i) for i in range(60)]
    table = read({"day": days}, discretize=EqualFrequency(2))
    assert table.states_of("day") == ("<=2024-01-30", ">2024-01-30")
    moments = [datetime.datetime(2024, 1, 1) + datetime.timedelta(hours=i) for i in range(60)]
    cut = read({"at": moments}, discretize=EqualFrequency(2))
    assert cut.states_of("at") == ("<=2024-01-02 05:30:00", ">2024-01-02 05:30:00")
    assert read({"day": days[:3]}).states_of("day") == tuple(days[:3])
    assert table.encode({"day": [datetime.date(2030, 1, 1)]}).decode("day") == [">2024-01-30"]
    with pytest.raises(DataError, match="of kind number; the table has date there"):
        table.encode({"day": [17.5]})
