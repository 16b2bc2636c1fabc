"""The questions a network answers: the part of `BayesianNetwork` that is about inference."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, cast, overload

from dagwright.data.bins import value_on
from dagwright.errors import require_a
from dagwright.graph.viewable import Viewable
from dagwright.model.inference.findings import Evidence, UnknownStatePolicy, read_findings, shown_findings
from dagwright.model.tables.checks import Floats
from dagwright.model.tables.labeled import ProbabilityTable, labeled

if TYPE_CHECKING:
    from dagwright.data import Table
    from dagwright.model.gaussian.distribution import Equation
    from dagwright.model.inference.batches import Impossible
    from dagwright.model.inference.engine import InferenceEngine
    from dagwright.model.inference.methods import Method
    from dagwright.model.inference.posterior import Marginals
    from dagwright.model.inference.sensitivity import Sensitivity
    from dagwright.model.network import BayesianNetwork
    from dagwright.model.tables.native_tables import InferenceForecast


class MostProbable(Viewable, dict[str, Hashable]):
    """States by node, with ``probability``: that of these states given the evidence."""

    __slots__ = ("probability",)

    def __init__(self, states: Mapping[str, Hashable], probability: float) -> None:
        super().__init__(states)
        self.probability = probability

    def __reduce__(self) -> tuple[Any, ...]:
        return MostProbable, (dict(self), self.probability)


class Answers:
    """Queries to a network. Evidence is {node: state or number}, or {node: {state: likelihood}}."""

    __slots__ = ()

    @property
    def _self(self) -> BayesianNetwork:
        return cast("BayesianNetwork", self)

    def query(
        self,
        target: str,
        evidence: Evidence | None = None,
        *,
        method: str | Method = "exact",
        unknown_states: UnknownStatePolicy = "error",
    ) -> Any:
        """P(target | evidence): a `Posterior` by state, or the `NumericPosterior` of a continuous target.

        Parameters
        ----------
        evidence
            Observed states and numbers, or likelihoods of the states where the observation is uncertain.
        method
            ``"exact"``, ``"likelihood_weighting"``, ``"loopy"``, ``"auto"``, or one of them with its
            settings such as ``LikelihoodWeighting(samples=10**6)``. The answer says what was used.
        unknown_states
            What a state the network does not know means: ``"error"``, or ``"ignore"`` it as not observed.

        >>> import dagwright as dw
        >>> asia = dw.load("asia")
        >>> answer = asia.query("lung", {"xray": "yes", "smoke": "yes"})
        >>> round(answer["yes"], 4), answer.method
        (0.646, 'exact')
        >>> body = dw.BayesianNetwork("height -> weight", {}, {
        ...     "height": dw.LinearGaussian(170, sd=10),
        ...     "weight": dw.LinearGaussian(-60, {"height": 0.75}, sd=8),
        ... })
        >>> answer = body.query("weight", {"height": 180})
        >>> answer.mean, answer.sd
        (75.0, 8.0)
        """
        require_a(str, target, "the target of query", "the name of one node (joint takes several)")
        self._self.parents(target)  # an unknown name is refused
        return self._posteriors([target], evidence, method, unknown_states)[target]

    def marginals(
        self,
        evidence: Evidence | None = None,
        *,
        method: str | Method = "exact",
        unknown_states: UnknownStatePolicy = "error",
    ) -> Marginals:
        """P(node | evidence) of every node; takes the parameters of `query`."""
        from dagwright.model.inference.posterior import Marginals

        return Marginals(self._posteriors(self._self.nodes, evidence, method, unknown_states))

    def _posteriors(
        self,
        nodes: Sequence[str],
        evidence: Evidence | None,
        method: str | Method,
        unknown_states: UnknownStatePolicy,
    ) -> dict[str, Any]:
        from dagwright.model.inference.ask import posteriors
        from dagwright.model.inference.methods import named_method

        return posteriors(
            self._self, nodes, read_findings(self._self, evidence, unknown_states), named_method(method)
        )

    def joint(self, targets: Sequence[str], evidence: Evidence | None = None) -> Any:
        """P(targets | evidence): one axis per target in the order given, one position per state.

        An array that prints as a table with the names of its axes; for continuous targets a `NumericJoint`
        with mean, covariance and density.

        >>> import dagwright as dw
        >>> dw.load("cancer").joint(["Smoker", "Cancer"])
        P(Smoker, Cancer)
          Smoker  Cancer=True  Cancer=False
          True    0.009600     0.290400
          False   0.002030     0.697970
        >>> import dagwright as dw
        >>> dw.load("cancer").joint(["Cancer", "Smoker"], {"Xray": "positive"}).round(3).tolist()
        [[0.042, 0.009], [0.279, 0.671]]
        """
        from dagwright.model.inference.engine import exact_joint

        targets = (targets,) if isinstance(targets, str) else tuple(targets)
        if any(node in self._self.gaussians for node in targets):
            from dagwright.model.gaussian.inference import joint_of_numbers

            return joint_of_numbers(self._self, targets, read_findings(self._self, evidence))
        states = [self._self.states(node) for node in targets]
        findings = read_findings(self._self, evidence)
        seen = shown_findings(self._self, findings, quoted=False)
        title = f"P({', '.join(targets)}{' | ' if seen else ''}{seen})"
        return labeled(exact_joint(self._self, list(targets), findings), title, targets, states)

    def cpd(self, node: str) -> ProbabilityTable | Equation:
        """The conditional distribution of a node: `cpt` of a discrete one, the equation of a continuous one.

        ``N(0, s)`` is normal noise with standard deviation s.

        >>> import dagwright as dw
        >>> dw.BayesianNetwork("height -> weight", {}, {
        ...     "height": dw.LinearGaussian(170, sd=10),
        ...     "weight": dw.LinearGaussian(3.1, {"height": 0.52}, sd=4.2),
        ... }).cpd("weight")
        weight = 3.1 + 0.52 * height + N(0, 4.2)
        """
        from dagwright.model.gaussian.distribution import Equation

        network = self._self
        if node not in network.gaussians:
            return self.cpt(node)
        own = network.gaussians[node]
        return Equation(node, own, [network.states(parent) for parent in own.given])

    def cpt(self, node: str) -> ProbabilityTable:
        """P(node | parents) as `table` has it, printed with the names of parents and states.

        >>> import dagwright as dw
        >>> dw.load("cancer").cpt("Cancer")
        P(Cancer | Pollution, Smoker)
          Pollution  Smoker  Cancer=True  Cancer=False
          low        True    0.030000     0.970000
          low        False   0.001000     0.999000
          high       True    0.050000     0.950000
          high       False   0.020000     0.980000
        """
        network, parents = self._self, self._self.parents(node)
        title = f"P({node}{' | ' if parents else ''}{', '.join(parents)})"
        names = (*parents, node)
        return labeled(network.table(node), title, names, [network.states(name) for name in names])

    def evidence_probability(self, evidence: Evidence, *, log: bool = False) -> float:
        """P(evidence) or its logarithm; 0 if it is impossible. For likelihoods, their expected value.

        With numbers in the evidence it is a density; numbers that the rest makes certain count as 1.
        """
        from dagwright.model.inference.engine import log_probability

        result = log_probability(self._self, read_findings(self._self, evidence))
        return result if log else math.exp(result)

    def mpe(self, evidence: Evidence | None = None) -> MostProbable:
        """The most probable states of all nodes together, given the evidence.

        With continuous nodes: the states and numbers of highest joint density, and ``probability`` is that
        density. It is refused where numbers are certain in some configurations only.

        >>> import dagwright as dw
        >>> dw.load("cancer").mpe({"Xray": "positive"})["Cancer"]
        'False'
        """
        return self._most_probable(None, evidence)

    def map(self, targets: Sequence[str], evidence: Evidence | None = None) -> MostProbable:
        """The most probable states of the targets together, the other nodes summed out."""
        return self._most_probable(targets, evidence)

    def _most_probable(self, targets: Sequence[str] | None, evidence: Evidence | None) -> MostProbable:
        from dagwright.model.inference.engine import log_probability, most_probable

        findings = read_findings(self._self, evidence)
        states, log_joint = most_probable(self._self, targets, findings)
        below = log_probability(self._self, findings) if len(findings) else 0.0
        share = log_joint - below
        values = {
            node: value_on(state, self._self.scale(node)) if isinstance(state, float) else state
            for node, state in states.items()
        }
        return MostProbable(values, math.exp(share if self._self.gaussians else min(share, 0.0)))

    @overload
    def predict(
        self,
        data: Any,
        target: str,
        *,
        impossible: Impossible = ...,
        unknown_states: UnknownStatePolicy = ...,
        threads: int | None = ...,
        join: Literal[False] = ...,
    ) -> list[Hashable]: ...

    @overload
    def predict(
        self,
        data: Any,
        target: str,
        *,
        impossible: Impossible = ...,
        unknown_states: UnknownStatePolicy = ...,
        threads: int | None = ...,
        join: Literal[True],
    ) -> dict[str, list[Any]]: ...

    def predict(
        self,
        data: Any,
        target: str,
        *,
        impossible: Impossible = "error",
        unknown_states: UnknownStatePolicy = "error",
        threads: int | None = None,
        join: bool = False,
    ) -> list[Hashable] | dict[str, list[Any]]:
        """The most likely state of the target in each row, or its mean if it is continuous.

        It is given the other cells of the row.

        Parameters
        ----------
        data
            A Table or anything that `read` takes. Cells and whole columns may be missing; a column of the
            target itself is not used.
        impossible
            Rows of probability zero are an ``"error"``, or their prediction is ``"missing"`` (None).
        unknown_states
            States that the network does not know are an ``"error"``, or ``"ignore"`` them as missing.
        join
            Whether to return the columns of the data, as they are given, with the predictions after them.
            Where the data have the target, the column of predictions is called "predicted" and its name.

        >>> import dagwright as dw
        >>> rows = {"smoke": ["yes", "no"], "xray": ["yes", None]}
        >>> dw.load("asia").predict(rows, "lung")
        ['yes', 'no']
        >>> dw.load("asia").predict(rows, "lung", join=True)
        {'smoke': ['yes', 'no'], 'xray': ['yes', None], 'lung': ['yes', 'no']}
        """
        from dagwright.data.sources import joined_columns
        from dagwright.model.inference.batches import given_columns, predicted_states

        found = predicted_states(self._self, data, target, impossible, unknown_states, threads)
        return joined_columns(given_columns(data), {target: found}) if join else found

    def predict_proba(
        self,
        data: Any,
        target: str,
        *,
        impossible: Impossible = "error",
        unknown_states: UnknownStatePolicy = "error",
        threads: int | None = None,
    ) -> Floats:
        """P(target | the other cells): one row each, one column per state; NaN where `predict` has None."""
        from dagwright.model.inference.batches import posterior_rows

        return posterior_rows(self._self, data, target, impossible, unknown_states, threads)

    def impute(
        self, data: Any, *, unknown_states: UnknownStatePolicy = "error", threads: int | None = None
    ) -> Table:
        """The rows with their missing cells filled by the jointly most probable states.

        Missing numbers are at their mean given these states. A table on disk gives one in temporary files.

        >>> import dagwright as dw
        >>> dw.load("asia").impute({"smoke": ["yes"], "xray": ["yes"]}).decode("lung")
        ['yes']
        """
        from dagwright.model.inference.batches import imputed

        return imputed(self._self, data, unknown_states, threads)

    def row_log_probabilities(
        self, data: Any, *, unknown_states: UnknownStatePolicy = "error", threads: int | None = None
    ) -> Floats:
        """log P(observed cells) of every row; cells and whole columns may be missing."""
        from dagwright.model.inference.batches import row_log_probabilities

        return row_log_probabilities(self._self, data, unknown_states, threads)

    def do(self, setting: Mapping[str, Any]) -> BayesianNetwork:
        """The network after an intervention: nodes that are set lose their causes (Pearl 2009).

        Ask the result whatever you like, with evidence seen after the intervention.

        Parameters
        ----------
        setting
            The state or the number of each node that is set, or what it is drawn from: a distribution
            {state: probability}, or a `LinearGaussian` without parents.

        >>> import dagwright as dw
        >>> asia = dw.load("asia")
        >>> asia.do({"bronc": "yes"}).query("smoke")["yes"]
        0.5
        >>> round(asia.query("smoke", {"bronc": "yes"})["yes"], 3)
        0.667
        """
        from dagwright.model.causal.effects import intervened

        return intervened(self._self, setting)

    def causal_effect(
        self,
        cause: str,
        effect: str,
        states: tuple[Hashable, Hashable],
        *,
        values: Mapping[Hashable, float] | None = None,
        evidence: Evidence | None = None,
    ) -> float:
        """The average causal effect E[effect | do(cause = second)] - E[effect | do(cause = first)].

        Parameters
        ----------
        states
            The first and the second state of the cause.
        values
            A number for each state of the effect, if its states are not numbers.

        >>> import dagwright as dw
        >>> asia = dw.load("asia")
        >>> round(asia.causal_effect("smoke", "lung", ("no", "yes"), values={"yes": 1, "no": 0}), 3)
        0.09
        """
        from dagwright.model.causal.effects import average_causal_effect

        return average_causal_effect(self._self, cause, effect, states, values, evidence)

    def adjustment_sets(
        self, cause: str, effect: str, *, observed: Iterable[str] | None = None
    ) -> list[tuple[str, ...]]:
        """Minimal sets among the observed nodes that satisfy the back-door criterion, smallest first.

        Empty if there is none; a list with the empty set says that seeing is doing.

        >>> import dagwright as dw
        >>> dw.load("asia").adjustment_sets("bronc", "dysp", observed=["smoke", "bronc", "dysp"])
        [('smoke',)]
        """
        from dagwright.model.causal.effects import backdoor_sets

        return [tuple(sorted(each)) for each in backdoor_sets(self._self.graph, cause, effect, observed)]

    def adjusted(
        self, effect: str, setting: Mapping[str, Hashable], *, observed: Iterable[str] | None = None
    ) -> dict[Hashable, float]:
        """P(effect | do(cause = state)) from the distribution of observed nodes alone.

        Refused, naming an open path, if no observed set satisfies the back-door criterion.
        """
        from dagwright.model.causal.effects import adjusted_distribution

        return adjusted_distribution(self._self, effect, setting, observed)

    def compile(self, *, max_bytes: float | None = None) -> InferenceEngine:
        """An engine for many questions that keeps the junction tree and its messages between calls."""
        from dagwright.model.inference.engine import MAX_BYTES, InferenceEngine

        return InferenceEngine(self._self, max_bytes=MAX_BYTES if max_bytes is None else max_bytes)

    def forecast_inference(self) -> InferenceForecast:
        """Width and memory of the junction tree, before any table is made."""
        from dagwright.model.tables.native_tables import forecast_inference

        return forecast_inference(self._self)

    def sensitivity(
        self,
        target: str,
        state: Hashable,
        parameter: tuple[str, Hashable],
        configuration: Mapping[str, Hashable] | None = None,
        evidence: Evidence | None = None,
    ) -> Sensitivity:
        """How P(target = state | evidence) depends on one table entry.

        Parameters
        ----------
        parameter, configuration
            The entry P(node = state | parents): a pair of node and state, and a state of each parent.

        >>> import dagwright as dw
        >>> found = dw.load("asia").sensitivity("lung", "yes", ("smoke", "yes"))
        >>> round(found.value, 3), round(found.derivative, 3), round(found(0.2), 3)
        (0.055, 0.09, 0.028)
        """
        from dagwright.model.inference.sensitivity import sensitivity

        return sensitivity(self._self, target, state, parameter, configuration, evidence)

    def most_informative(
        self, target: str, evidence: Evidence | None = None, *, among: Iterable[str] | None = None
    ) -> dict[str, float]:
        """The mutual information of each unobserved node with the target, in nats, best first.

        Parameters
        ----------
        among
            The nodes that could be observed; all by default.

        >>> import dagwright as dw
        >>> next(iter(dw.load("asia").most_informative("lung", {"smoke": "yes"}, among=["xray", "dysp"])))
        'xray'
        """
        from dagwright.model.inference.informative import most_informative

        return most_informative(self._self, target, evidence, among)
