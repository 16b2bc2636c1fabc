"""Estimators for scikit-learn: a classifier, a regressor, a structure learner, a discretizer.

They are made of `read`, `learn`, `fit` and the batches of `BayesianNetwork`, with the manners of
scikit-learn: parameters in the constructor, results with an underscore at the end, NaN for missing cells.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dagwright.data import EqualFrequency, Table, read
from dagwright.data.discretize import Rule
from dagwright.data.extras import required
from dagwright.data.states import missing_code
from dagwright.defaults import usual_pair
from dagwright.errors import DataError, OptionError
from dagwright.evidence.criteria import PenalizedLikelihood
from dagwright.evidence.numbers import Embedded
from dagwright.learning.learn import learn
from dagwright.methods.method_like import as_method
from dagwright.methods.traits import evidence_traits
from dagwright.model import BayesianNetwork
from dagwright.model.gaussian.orientation import knowledge_for_numbers
from dagwright.model.inference.findings import UnknownStatePolicy
from dagwright.search.fan import FAN
from dagwright.search.traits import asks_tests, own_score, search_traits
from dagwright.sentences import Argument, Literally

required("sklearn", "sklearn", "dagwright.sklearn")

from sklearn.base import (  # noqa: E402
    BaseEstimator,
    ClassifierMixin,
    OneToOneFeatureMixin,
    RegressorMixin,
    TransformerMixin,
)
from sklearn.utils.multiclass import check_classification_targets  # noqa: E402
from sklearn.utils.validation import (  # noqa: E402
    _check_sample_weight,
    _check_y,
    check_is_fitted,
    validate_data,
)

__all__ = ["BayesianNetworkClassifier", "BayesianNetworkRegressor", "Discretizer", "StructureLearner"]

Columns = dict[str, NDArray[Any]]
PLAIN = "Ubiuf"
"""The kinds of NumPy types, apart from objects, whose cells are texts or numbers."""
NUMBERS = int | float | np.number | np.bool_


class _OnTables(BaseEstimator):  # type: ignore[misc]
    """The base of the estimators: arrays and frames with gaps, in columns."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags

    def _columns(
        self, X: Any, *, reset: bool, dtype: Any = None, y: Any = None, least: int = 1
    ) -> tuple[Columns, Any]:
        """The columns of X by name, and y as it was checked; ``least`` rows and columns in training."""
        given = {} if y is None else {"y": y}
        if isinstance(X, np.ndarray) and X.dtype.kind == "T":
            X = X.astype(object)  # validate_data does not take StringDType
        checked = validate_data(
            self,
            X,
            reset=reset,
            dtype=dtype,
            ensure_all_finite="allow-nan",
            ensure_min_samples=least,
            ensure_min_features=least,
            **given,
        )
        array, target = (checked, None) if y is None else checked
        names = getattr(self, "feature_names_in_", None)
        names = [f"x{i}" for i in range(array.shape[1])] if names is None else [str(name) for name in names]
        columns = dict(zip(names, np.asarray(array).T, strict=True))
        if array.dtype == object:  # a frame of several types: each column in its own again
            columns = {name: _typed(column) for name, column in columns.items()}
        elif array.dtype.kind not in PLAIN:
            _refuse_cells(str(array.dtype))
        return columns, target


def _typed(column: NDArray[Any]) -> NDArray[Any]:
    """A column of objects as numbers if it holds nothing else, with None or NaN where cells are missing."""
    cells = [None if type(value).__name__ == "NAType" else value for value in column.tolist()]  # pandas.NA
    for value in cells:
        if not (value is None or isinstance(value, str | NUMBERS)):
            _refuse_cells(type(value).__name__)
    numbers = all(value is None or isinstance(value, NUMBERS) for value in cells)
    return np.asarray(cells, dtype=np.float64 if numbers else object)


def _refuse_cells(kind: str) -> None:
    raise TypeError(
        f"argument must be a string or a number, not {kind!r}; convert these cells to texts or numbers"
    )


def _kinds(columns: Columns) -> dict[str, str]:
    """Columns of numbers that are not whole are continuous, however few they are; constant ones are not."""
    found = {}
    for name, column in columns.items():
        if column.dtype.kind != "f":
            continue
        known = column[np.isfinite(column)]
        if known.size and np.all(known == known[0]):
            found[name] = "category"
        elif np.any(known != np.floor(known)):
            found[name] = "continuous"
    return found


def _as_lists(columns: Columns) -> dict[str, list[Any]]:
    """Cells as plain values, None where they are missing; whole numbers are integers."""
    result = {}
    for name, column in columns.items():
        if column.dtype.kind == "f":
            known = ~np.isnan(column)
            whole = not np.any(column[known] != np.floor(column[known]))
            cells = column.astype(object)
            if whole:
                cells[known] = [int(value) for value in column[known]]
            cells[~known] = None
            result[name] = cells.tolist()
        else:
            result[name] = [None if value != value else value for value in column.tolist()]
    return result


class _Learns(_OnTables):
    """An estimator that learns a network."""

    def __init__(
        self,
        *,
        search: Any = None,
        criterion: Any = None,
        knowledge: Any = None,
        discretize: Rule | Mapping[str, Rule] | None = None,
        parameter_prior: Any = 1.0,
        missing: str | None = "em",
        unknown_states: UnknownStatePolicy = "ignore",
        random_state: Any = None,
    ) -> None:
        self.search = search
        self.criterion = criterion
        self.knowledge = knowledge
        self.discretize = discretize
        self.parameter_prior = parameter_prior
        self.missing = missing
        self.unknown_states = unknown_states
        self.random_state = random_state

    def _read(
        self,
        columns: Columns,
        weights: NDArray[Any] | None,
        search: Any,
        numeric: tuple[str, ...] = (),
        **extra: list[Any],
    ) -> Table:
        """The columns as they are learned from: numbers stay numbers unless a rule or the score cuts them."""
        rule = self.discretize
        kinds = _kinds(columns) | dict.fromkeys(numeric, "continuous")
        table = read({**_as_lists(columns), **extra}, kinds=kinds, weights=weights)
        if weights is not None:
            table = table.take(weights > 0)  # the range of numbers is that of the rows that count
        if rule is None and not evidence_traits(self._judge(search)).takes_numbers:
            rule = EqualFrequency(5)
        return table if rule is None else table.discretized(rule)

    def _judge(self, search: Any) -> Any:
        """The score or test that decides; a criterion that names no measure takes that of numbers."""
        method = as_method(search, "search", "search")
        if asks_tests(method):
            return search_traits(method).usual_test()
        score = usual_pair(self.criterion, None, own_score(method), kind="mixed").score
        if isinstance(score, PenalizedLikelihood) and score.measure is None:
            return replace(score, measure=Embedded())  # type: ignore[type-var]
        return score

    def _learn(self, table: Table, search: Any) -> BayesianNetwork:
        seed = self.random_state
        numeric = bool(table.schema.continuous)
        tested = asks_tests(as_method(search, "search", "search"))
        found = learn(
            table,
            columns=table.names,
            search=search,
            score=self._judge(search) if numeric and not tested else self.criterion,
            knowledge=knowledge_for_numbers(self.knowledge, table.schema),
            missing=self.missing if any(table.missing.values()) else None,
            random_state=int(seed.integers(2**31)) if hasattr(seed, "integers") else _seed(seed),
        )
        self.learned_ = found
        self.graph_ = found.graph
        self.network_ = found.network(parameter_prior=self.parameter_prior)
        return self.network_

    def _weights(self, sample_weight: Any, X: Any) -> NDArray[Any] | None:
        if sample_weight is None:
            return None
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64)
        if np.any(weights < 0) or not np.any(weights > 0):
            raise DataError("sample weights must not be negative, and one must be positive")
        return np.asarray(weights)

    @property
    def adjacency_(self) -> NDArray[np.int8]:
        """1 where the network has an arc from the row's variable to the column's."""
        check_is_fitted(self, "network_")
        nodes = list(self.network_.nodes)
        matrix = np.zeros((len(nodes), len(nodes)), dtype=np.int8)
        for start, end in self.network_.graph.edges:
            matrix[nodes.index(start), nodes.index(end)] = 1
        return matrix


def _seed(random_state: Any) -> int | None:
    """RandomState objects of NumPy are what scikit-learn passes on; `learn` takes numbers."""
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    return None if random_state is None else int(random_state)


class BayesianNetworkClassifier(ClassifierMixin, _Learns):  # type: ignore[misc]
    """Classification by a Bayesian network over the features and the class.

    Features may be numbers, categories and texts, with missing cells. Numbers are normal given the class and
    linear in other numbers (conditional linear Gaussian), unless ``discretize`` cuts them into intervals.

    Parameters
    ----------
    search
        How to look for the structure; by default the forest-augmented naive Bayes `FAN`.
    criterion, knowledge
        The score and the knowledge, as in `learn`. The class is called "class", or as the series ``y`` is.
    discretize
        Rule for columns of numbers, one for all or by name, such as ``EqualFrequency(5)``. None keeps
        numbers; where the criterion or the test counts cells, it makes five intervals of equal frequency.
    parameter_prior
        Pseudo-counts of the parameters, as in `fit`; 1 per cell leaves no class impossible.
    missing
        What to do with missing cells in training, as in `learn`. In prediction they are summed out.
    unknown_states
        What a state means that training did not have: "ignore" takes it as missing, "error" refuses it.
    random_state
        Seed of searches that use chance.

    Attributes
    ----------
    network_, graph_, learned_
        The network, its graph, and the account of how it was found.
    classes_
        The classes in order.
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> BayesianNetworkClassifier:
        """Learn the structure and the parameters."""
        columns, labels = self._columns(X, reset=True, y=y)
        check_classification_targets(labels)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        if len(self.classes_) < 2:
            raise DataError("a classifier needs at least two classes in y; there is one class only")
        self.target_ = str(getattr(y, "name", None) or "class")
        while self.target_ in columns:
            self.target_ += "_"
        search = FAN(self.target_) if self.search is None else self.search
        weights = self._weights(sample_weight, X)
        table = self._read(columns, weights, search, **{self.target_: codes.tolist()})
        self._learn(table, search)
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """P(class | features): one row each, one column per class of ``classes_``."""
        check_is_fitted(self, "network_")
        columns, _ = self._columns(X, reset=False)
        found = self.network_.predict_proba(
            _as_lists(columns), self.target_, unknown_states=self.unknown_states
        )
        result = np.zeros((len(found), len(self.classes_)))
        states = self.network_.states(self.target_)  # codes of the classes that had weight
        result[:, [int(state) for state in states]] = found  # type: ignore[call-overload]
        return result

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """The logarithm of `predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))

    def predict(self, X: Any) -> NDArray[Any]:
        """The most likely class of each row."""
        check_is_fitted(self, "network_")
        return np.asarray(self.classes_[self.predict_proba(X).argmax(axis=1)])


class BayesianNetworkRegressor(RegressorMixin, _Learns):  # type: ignore[misc]
    """Regression by a Bayesian network over the features and the target: the mean of the target given them.

    The parameters of the constructor are those of `BayesianNetworkClassifier`; the search is that of `learn`,
    and the criterion must take numbers. The target is called "target", or as the series ``y`` is.

    Attributes
    ----------
    network_, graph_, learned_
        The network, its graph, and the account of how it was found.
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> BayesianNetworkRegressor:
        """Learn the structure and the parameters."""
        columns, target = self._columns(X, reset=True, y=y)
        values = _check_y(target, y_numeric=True).astype(np.float64)
        self.target_ = str(getattr(y, "name", None) or "target")
        while self.target_ in columns:
            self.target_ += "_"
        if self.discretize is not None or not evidence_traits(self._judge(self.search)).takes_numbers:
            raise OptionError(
                "a regressor keeps its target as numbers; give a criterion or test that takes them, such as ",
                Argument("criterion", Literally("BIC()")),
                ", and no ",
                Argument("discretize"),
            )
        if np.ptp(values) == 0:
            raise DataError(
                f"y has one value only, {values[0]:g}, n_samples = {len(values)}; nothing to predict"
            )
        table = self._read(
            columns,
            self._weights(sample_weight, X),
            self.search,
            (self.target_,),
            **{self.target_: values.tolist()},
        )
        self._learn(table, self.search)
        return self

    def predict(self, X: Any) -> NDArray[np.float64]:
        """The mean of the target given the features of each row.

        Where a network fits few rows without noise, other rows may contradict it: their features are then
        not used, and the prediction is the mean of the target.
        """
        check_is_fitted(self, "network_")
        columns, _ = self._columns(X, reset=False)
        found = self.network_.predict(
            _as_lists(columns), self.target_, impossible="missing", unknown_states=self.unknown_states
        )
        means = np.array([np.nan if mean is None else mean for mean in found], dtype=np.float64)
        return np.where(np.isnan(means), self.network_.query(self.target_).mean, means)


class StructureLearner(_Learns):
    """A Bayesian network of the columns: its structure, its parameters, the likelihood of rows.

    The parameters of the constructor are those of `BayesianNetworkClassifier`; the search is that of `learn`.

    Attributes
    ----------
    graph_, network_, learned_
        The learned graph, the network with its parameters, and the account of how it was found.
    adjacency_
        The arcs of the network as a matrix in the order of its nodes.
    """

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> StructureLearner:  # noqa: ARG002
        """Learn the structure and the parameters."""
        columns, _ = self._columns(X, reset=True, least=2)
        self._learn(self._read(columns, self._weights(sample_weight, X), self.search), self.search)
        return self

    def score_samples(self, X: Any) -> NDArray[np.float64]:
        """log P(row) of every row, of what is known in it."""
        check_is_fitted(self, "network_")
        columns, _ = self._columns(X, reset=False)
        return self.network_.row_log_probabilities(_as_lists(columns), unknown_states=self.unknown_states)

    def score(self, X: Any, y: Any = None) -> float:  # noqa: ARG002
        """The mean of `score_samples`."""
        return float(np.mean(self.score_samples(X)))

    def impute(self, X: Any) -> dict[str, list[Hashable]]:
        """The rows as states, missing cells at those that are most probable together."""
        check_is_fitted(self, "network_")
        columns, _ = self._columns(X, reset=False)
        return self.network_.impute(_as_lists(columns), unknown_states=self.unknown_states).to_dict()


class Discretizer(OneToOneFeatureMixin, TransformerMixin, _OnTables):  # type: ignore[misc]
    """Numbers to the numbers of their intervals, 0 for the lowest; NaN stays NaN.

    Parameters
    ----------
    rule
        How to cut, one rule for all columns or by name; three intervals of equal frequency by default.

    Attributes
    ----------
    bins_
        Cut points and names of the intervals of each column.
    """

    def __init__(self, rule: Rule | Mapping[str, Rule] | None = None) -> None:
        self.rule = rule

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = False
        return tags

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Discretizer:  # noqa: ARG002
        """Find the cut points."""
        columns, _ = self._columns(X, reset=True, dtype=np.float64)
        if isinstance(self.rule, str):
            raise OptionError(
                Argument("rule", self.rule),
                " is not a rule; give one such as EqualWidth(bins=4)",
            )
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, X)
        numbers = read(columns, kinds=dict.fromkeys(columns, "continuous"), weights=weights)
        self.bins_ = numbers.discretized(self.rule).discretized().bins
        return self

    def transform(self, X: Any) -> NDArray[np.float64]:
        """The number of the interval of each cell."""
        check_is_fitted(self, "bins_")
        columns, _ = self._columns(X, reset=False, dtype=np.float64)
        result = np.empty((len(next(iter(columns.values()))), len(columns)))
        for position, (name, column) in enumerate(columns.items()):
            codes = self.bins_[name].code(column)
            result[:, position] = np.where(codes == missing_code(codes), np.nan, codes)
        return result
