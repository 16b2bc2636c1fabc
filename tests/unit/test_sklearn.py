"""The estimators keep the manners of scikit-learn and do what the library does."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.errors import DataError, OptionError

pytest.importorskip("sklearn", reason="scikit-learn is an extra")

from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from dagwright.sklearn import (
    BayesianNetworkClassifier,
    BayesianNetworkRegressor,
    Discretizer,
    StructureLearner,
)


# All checks that apply are kept, so none is listed as expected to fail.
@parametrize_with_checks(
    [
        BayesianNetworkClassifier(),
        BayesianNetworkClassifier(discretize=dw.EqualFrequency(5)),
        BayesianNetworkRegressor(search=dw.HillClimb()),
        StructureLearner(search=dw.HillClimb()),
        Discretizer(),
    ]
)
def test_scikit_learn_is_content(estimator: Any, check: Any) -> None:
    check(estimator)


def test_iris() -> None:
    X, y = load_iris(return_X_y=True)
    assert cross_val_score(BayesianNetworkClassifier(), X, y, cv=5).mean() > 0.88
    pipeline = make_pipeline(
        Discretizer(dw.EqualWidth(bins=4)), BayesianNetworkClassifier(search=dw.HillClimb())
    )
    assert pipeline.fit(X, y).score(X, y) > 0.9


def test_numbers_stay_numbers() -> None:
    X, y = load_iris(return_X_y=True)
    fitted = BayesianNetworkClassifier().fit(X, y)
    assert set(fitted.network_.continuous) == {"x0", "x1", "x2", "x3"}
    assert cross_val_score(BayesianNetworkClassifier(), X, y, cv=5).mean() > 0.92
    cut = BayesianNetworkClassifier(discretize=dw.EqualFrequency(5)).fit(X, y)
    assert cut.network_.continuous == ()
    counted = BayesianNetworkClassifier(criterion=dw.BDeu()).fit(X, y)
    assert counted.network_.cardinality("x0") == 5


def test_a_class_above_one_number_is_discriminant_analysis() -> None:
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 60)
    x = rng.normal(np.where(y == 1, 2.0, 0.0), np.where(y == 1, 2.0, 1.0))[:, None]
    fitted = BayesianNetworkClassifier(parameter_prior=None).fit(x, y)
    means = np.array([x[y == k].mean() for k in (0, 1)])
    sds = np.array([x[y == k].std() for k in (0, 1)])
    density = np.exp(-0.5 * ((x - means) / sds) ** 2) / sds
    np.testing.assert_allclose(
        fitted.predict_proba(x), density / density.sum(axis=1, keepdims=True), rtol=1e-7
    )


def test_the_regressor_is_least_squares_on_its_parents() -> None:
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(1)
    X = pandas.DataFrame({"a": rng.normal(size=200), "b": rng.normal(size=200)})
    X["kind"] = np.array(["u", "v"])[rng.integers(0, 2, 200)]
    y = pandas.Series(3 + 2 * X["a"] - X["b"] + 4 * (X["kind"] == "v") + rng.normal(0, 0.1, 200), name="y")
    known = BayesianNetworkRegressor(parameter_prior=None).fit(X, y)
    assert set(known.network_.parents("y")) == {"a", "b", "kind"}
    assert known.score(X, y) > 0.99
    gaps = X.copy()
    gaps.loc[::5, "a"] = np.nan
    gaps.loc[::7, "kind"] = None
    filled = BayesianNetworkRegressor(search=dw.HillClimb()).fit(gaps, y)
    assert 0.6 < filled.score(gaps, y) < 0.99
    with pytest.raises(OptionError, match="keeps its target as numbers"):
        BayesianNetworkRegressor(criterion=dw.BDeu()).fit(X, y)


def test_frames_with_texts_and_gaps() -> None:
    pandas = pytest.importorskip("pandas")
    rows = dw.load("asia").sample(2000, random_state=1)
    frame = pandas.DataFrame(rows.to_dict())
    y = frame.pop("dysp")
    holes = np.random.default_rng(0).random(frame.shape) < 0.1
    gaps = frame.mask(holes)
    fitted = BayesianNetworkClassifier().fit(gaps, y)
    assert fitted.target_ == "dysp"
    assert fitted.score(gaps, y) > 0.75
    strange = gaps.copy()
    strange.loc[0, "bronc"] = "perhaps"
    known = gaps.copy()
    known.loc[0, "bronc"] = None
    np.testing.assert_allclose(fitted.predict_proba(strange)[0], fitted.predict_proba(known)[0])
    refusing = clone(fitted).set_params(unknown_states="error").fit(gaps, y)
    with pytest.raises(DataError, match="perhaps"):
        refusing.predict(strange)
    again = pickle.loads(pickle.dumps(fitted))
    assert (again.predict(gaps) == fitted.predict(gaps)).all()


ROWS = [["a", "b"], ["b", "a"]] * 20
TEXTS = {
    "text": np.array(ROWS),
    "StringDType": np.array(ROWS, dtype=np.dtypes.StringDType()),
    "objects": np.array(ROWS, dtype=object),
    "mixed": np.array([["a", 1.5], [None, 2.5], ["a", np.nan], ["c", 0.5]] * 10, dtype=object),
    "truth values": np.array([[np.True_, "x"], [np.False_, "y"]] * 20, dtype=object),
}


@pytest.mark.parametrize("rows", TEXTS.values(), ids=TEXTS)
def test_arrays_of_text_and_of_mixed_cells(rows: Any) -> None:
    classes, numbers = ["u", "v"] * 20, np.linspace(0, 1, 40)
    assert np.isfinite(StructureLearner().fit(rows).score(rows))
    assert set(BayesianNetworkClassifier().fit(rows, classes).predict(rows)) <= {"u", "v"}
    assert np.isfinite(BayesianNetworkRegressor().fit(rows, numbers).predict(rows)).all()


def test_the_missing_cells_of_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {
            "a": pandas.array(["x", None, "y", "x"] * 10, dtype="string"),
            "b": pandas.array([1, 2, None, 1] * 10, dtype="Int64"),
        }
    )
    found = StructureLearner().fit(frame)
    assert found.network_.states("a") == ("x", "y")
    assert np.isfinite(found.score(frame))


@pytest.mark.parametrize("kind", ["S1", "M8[D]"])
def test_cells_that_are_neither_texts_nor_numbers_are_refused(kind: str) -> None:
    rows = np.array([["1", "2"], ["2", "1"]] * 20).astype("S1" if kind == "S1" else "i8").astype(kind)
    with pytest.raises(TypeError, match=r"must be a string or a number, not '.*'; convert"):
        StructureLearner().fit(rows)


def test_weights_are_frequencies() -> None:
    random = np.random.default_rng(2)
    X = random.normal(size=(120, 3))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    twice = np.repeat(np.arange(120), 2)
    weighted = BayesianNetworkClassifier().fit(X, y, sample_weight=np.full(120, 2.0))
    repeated = BayesianNetworkClassifier().fit(X[twice], y[twice])
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X))
    with pytest.raises(DataError, match="must not be negative"):
        BayesianNetworkClassifier().fit(X, y, sample_weight=-np.ones(120))


def test_structure_learner() -> None:
    rows = dw.load("asia").sample(1000, random_state=3)
    codes = np.stack([rows.codes(name) for name in rows.names], axis=1).astype(float)
    learner = StructureLearner(search=dw.GES()).fit(codes)
    assert learner.adjacency_.sum() == len(learner.network_.graph.edges)
    assert learner.score(codes) == pytest.approx(learner.score_samples(codes).mean())
    codes[0, 0] = np.nan
    completed = learner.impute(codes)
    assert completed["x0"][0] in (0, 1)
    assert len(completed["x0"]) == 1000


def test_discretizer() -> None:
    X = np.array([[1.0, 10.0], [2.0, np.nan], [3.0, 30.0], [4.0, 40.0]])
    found = Discretizer(dw.EqualFrequency(2)).fit(X)
    np.testing.assert_array_equal(found.transform(X)[:, 0], [0, 0, 1, 1])
    assert np.isnan(found.transform(X)[1, 1])
    assert set(found.bins_) == {"x0", "x1"}
    with pytest.raises(OptionError, match="EqualWidth"):
        Discretizer("width").fit(X)


def test_one_class_is_refused() -> None:
    with pytest.raises(DataError, match="two classes"):
        BayesianNetworkClassifier().fit([[1.0], [2.0]], [1, 1])


@pytest.mark.filterwarnings("error")
def test_a_column_that_is_nearly_all_missing_divides_by_nothing() -> None:
    random = np.random.default_rng(0)
    features = random.normal(size=(60, 3))
    classes = (features[:, 0] > 0).astype(int)
    features[:50, 2] = np.nan
    model = BayesianNetworkClassifier().fit(features, classes)
    assert np.isfinite(model.predict_log_proba(np.full((1, 3), np.nan))).all()
