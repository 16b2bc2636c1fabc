"""`posterior`: the posterior over networks, by any method."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dagwright.base.memory import budget
from dagwright.base.seeds import RandomState
from dagwright.confidence.confidence import Confidence, Estimate
from dagwright.confidence.convergence import effective_samples
from dagwright.confidence.enumeration import WeighedDag, enumerate_networks
from dagwright.confidence.exact_sums import (
    exact_features,
    forecast_exact,
    log_weight_of,
    log_weight_of_order,
)
from dagwright.confidence.linear_extensions import linear_extensions
from dagwright.confidence.methods import (
    BY_NAME,
    EnumeratedPosterior,
    ExactPosterior,
    Method,
    PartitionMCMC,
)
from dagwright.confidence.sampled_features import unpack
from dagwright.confidence.sampling import Samples, sample_networks
from dagwright.confidence.setting import Setting
from dagwright.errors import OptionError, refuse_class, shortened, unknown_name
from dagwright.evidence.structure_priors import StructurePrior
from dagwright.graph.dag import Dag
from dagwright.graph.graph_like import GraphLike, as_dag
from dagwright.graph.viewable import Viewable
from dagwright.knowledge import Knowledge
from dagwright.methods.method_like import as_method
from dagwright.methods.notation import as_code
from dagwright.methods.registry import entries
from dagwright.model import BayesianNetwork, fit
from dagwright.model.tables.priors import prior_of
from dagwright.scale import cluster_table, is_on_cluster
from dagwright.search.control import CancelToken, Control, Progress
from dagwright.search.patience import attending, patience_of
from dagwright.search.study import Study, requested

AUTO_SECONDS = 60.0
"""`auto` sums exactly where that is forecast to take no longer than this."""

NO_NETWORKS = (
    "exact sums do not see single networks: use every_family() for conditions on families, else "
    "EnumeratedPosterior() for up to 5 variables, or PartitionMCMC()"
)

OWN_PROBABILITY = "each DAG of a class has its own probability"
Feature = Callable[[Dag], Any]
Condition = Callable[[str, frozenset[str]], bool]


@dataclass(frozen=True, eq=False)
class StructurePosterior(Viewable):
    """Posterior distribution over network structures, given the data and the prior.

    Attributes
    ----------
    confidence
        The probabilities of arcs, edges and, where they are known, of paths, Markov blankets and
        v-structures.
    method
        How they were found.
    log_evidence
        ln P(data), the mean of the likelihood over the prior; None for samples and where sums were stopped.
        For a score that is not a marginal likelihood it is only the mean of exp(score): see
        ``evidence_name``.
    dags
        Every network, most probable first, where all were listed; else empty.
    samples
        What the chains saw; None unless they were run.
    diagnostics
        For samples: R-hat, effective samples, the share of accepted proposals.
    stopped
        Why the chains ended early, or exact sums after the arcs; None if they did not.
    """

    confidence: Confidence
    method: Method
    log_evidence: float | None = None
    dags: tuple[WeighedDag, ...] = ()
    samples: Samples | None = None
    diagnostics: Mapping[str, Any] = field(default_factory=dict)
    evaluations: int = 0
    seconds: float = 0.0
    stopped: str | None = None
    warnings: tuple[str, ...] = ()
    evidence_name: str = "ln P(data)"
    _setting: Setting | None = field(default=None, repr=False)
    _log_total: float | None = field(default=None, repr=False)

    def feature(self, feature: Feature) -> Estimate:
        """The probability of a feature of networks, or the expectation of any number they have.

        Parameters
        ----------
        feature
            Takes a `Dag` and returns a bool or a number. It is asked once for every different network.

        >>> from dagwright import posterior
        >>> found = posterior({"a": [0, 0, 1, 1] * 5, "b": [0, 0, 1, 1] * 5, "c": [0, 1] * 10})
        >>> round(found.feature(lambda dag: len(dag.edges) == 1).probability, 3)
        0.543
        """
        if self.dags:
            value = math.fsum(one.probability * float(feature(one.dag)) for one in self.dags)
            return Estimate(value, 0.0)
        rows, which = self._seen().distinct_rows()
        values = np.array([float(feature(self._dag(one))) for one in rows])
        series = values[which]
        return Estimate(float(series.mean()), float(series.std() / math.sqrt(effective_samples(series))))

    def networks(self) -> list[tuple[Dag, float]]:
        """Every different network that was listed or sampled, with its probability or its share."""
        if self.dags:
            return [(one.dag, one.probability) for one in self.dags]
        rows, which = self._seen().distinct_rows()
        counts = np.bincount(which.ravel(), minlength=len(rows))
        return [(self._dag(one), float(count / which.size)) for one, count in zip(rows, counts, strict=True)]

    def _seen(self) -> Samples:
        if self.samples is None:
            raise OptionError(NO_NETWORKS)
        return self.samples

    def every_family(self, condition: Condition) -> Estimate:
        """The probability that every variable and its parents meet a condition, whatever the method.

        Exact sums need one more sum over all networks for it.

        Parameters
        ----------
        condition
            Takes the name of a variable and the set of the names of its parents, and returns a bool.

        >>> from dagwright import posterior, sample_path
        >>> found = posterior(sample_path("asia"), method="exact")
        >>> round(found.every_family(lambda child, parents: len(parents) <= 2).probability, 3)
        0.643
        """
        if not self.dags and self.samples is None and isinstance(self.method, ExactPosterior):
            log_weight = log_weight_of(self._known(), self.method, condition)
            return Estimate(min(1.0, math.exp(log_weight - (self._log_total or 0.0))))
        return self.feature(lambda dag: all(condition(x, frozenset(dag.parents(x))) for x in dag.nodes))

    def probability(self, graph: GraphLike) -> float:
        """The posterior probability of one network; columns that the graph does not mention have no arcs."""
        dag = self._one_dag(graph)
        if self.dags:
            return next((one.probability for one in self.dags if one.dag == dag), 0.0)
        setting = self._known()
        if self._log_total is not None and isinstance(self.method, ExactPosterior):
            log_prior = setting.log_prior(dag)
            most = self.method.max_parents
            if log_prior == -math.inf or (
                most is not None and any(len(dag.parents(x)) > most for x in dag.nodes)
            ):
                return 0.0
            orders = linear_extensions(dag) if self.method.over == "orders" else 1
            log_weight = setting.likelihood.total(dag) + log_prior + math.log(orders)
            return math.exp(log_weight - self._log_total)
        return self.feature(lambda one: one == dag).probability

    def order_probability(self, order: Sequence[str]) -> float:
        """The posterior probability of an order of all variables, under ``ExactPosterior("orders")``.

        P(order | data) is proportional to the sum over the networks that fit the order (Friedman & Koller
        2003). Needs ``ExactPosterior("orders")``.

        >>> from dagwright import ExactPosterior, posterior
        >>> data = {"a": [0, 0, 1, 1] * 5, "b": [0, 0, 1, 1] * 5, "c": [0, 1] * 10}
        >>> found = posterior(data, method=ExactPosterior("orders"))
        >>> round(found.order_probability(["a", "b", "c"]), 3)
        0.151
        """
        if not isinstance(self.method, ExactPosterior) or self.method.over != "orders":
            raise OptionError(
                'orders have probabilities where networks count per order: ExactPosterior("orders")'
            )
        if sorted(order) != sorted(self.confidence.nodes):
            raise OptionError(f"the order must name every variable once, not {shortened(list(order))}")
        log_weight = log_weight_of_order(self._known(), self.method, order)
        return math.exp(log_weight - (self._log_total or 0.0))

    def bayes_factor(self, first: GraphLike, second: GraphLike) -> float:
        """P(data | first network) / P(data | second network).

        Above 1e307 it is infinite; `log_bayes_factor` is not.
        """
        difference = self.log_bayes_factor(first, second)
        return math.exp(difference) if difference < 709 else math.inf

    def log_bayes_factor(self, first: GraphLike, second: GraphLike) -> float:
        """The logarithm of `bayes_factor`, in nats."""
        score = self._known().likelihood
        totals = [score.total(graph) for graph in (first, second)]
        if totals[0] == totals[1] == -math.inf:
            raise OptionError("both networks make the data impossible, so they cannot be compared")
        return totals[0] - totals[1]

    def smallest_prior(self, graph: GraphLike) -> float:
        """The smallest prior probability with which the network becomes the most probable one.

        The others share the rest of the prior in the proportions they have (Jensen & Nielsen 2007, Exercise
        7.16). Needs all networks listed.
        """
        if not self.dags:
            raise OptionError("the smallest prior needs every network listed; use EnumeratedPosterior()")
        dag = self._one_dag(graph)
        own = next((one for one in self.dags if one.dag == dag), None)
        if own is None:
            raise OptionError("the network is not among those that knowledge and the prior allow")
        others = 1.0 - own.prior
        if others <= 0:
            return 0.0
        if own.log_likelihood == -math.inf:
            raise OptionError("the network makes the data impossible, so no prior makes it win")
        log_ratio = max(
            math.log(one.prior / others) + one.log_likelihood - own.log_likelihood
            for one in self.dags
            if one is not own and one.prior > 0
        )
        return 1.0 / (1.0 + math.exp(-log_ratio)) if log_ratio > -700 else 0.0

    @property
    def score_spec(self) -> Any:
        """The score that stands for ln P(data | network), as it can be bound to other data."""
        return self._known().likelihood.spec

    @property
    def best(self) -> Dag:
        """The most probable network that was listed or sampled."""
        if self.dags:
            return self.dags[0].dag
        if self.samples is None:
            raise OptionError(
                "exact sums give probabilities of arcs, not a network; use consensus() or learn()"
            )
        rows, _ = self.samples.distinct_rows()
        return max(map(self._dag, rows), key=self._known().score.total)

    def _dag(self, rows: NDArray[np.uint64]) -> Dag:
        """A sampled network, bit rows of parents in canonical numbering, with its names."""
        names = self.samples.names if self.samples is not None else ()
        arcs = np.argwhere(unpack(rows, len(names)))
        return Dag(self.confidence.nodes, [(names[parent], names[child]) for child, parent in arcs])

    def consensus(self, threshold: float = 0.5) -> Dag:
        """One network of the edges of at least this probability; it obeys the knowledge."""
        return self.confidence.consensus(threshold, knowledge=self._known().knowledge.knowledge)

    def averaged(self, threshold: float = 0.5, *, parameter_prior: Any = "same") -> BayesianNetwork:
        """The consensus with parameters fitted to the data; `parameter_prior` as in `Learned.network`."""
        setting = self._known()
        same = isinstance(parameter_prior, str) and parameter_prior == "same"
        chosen = prior_of(setting.likelihood.spec) if same else parameter_prior
        return fit(self.consensus(threshold), setting.table, parameter_prior=chosen)

    def _one_dag(self, graph: GraphLike) -> Dag:
        return as_dag(graph, names=self.confidence.nodes, differ=OWN_PROBABILITY)

    def _known(self) -> Setting:
        if self._setting is None:
            raise OptionError(
                "this posterior was copied to another process and no longer holds its data; compute it again"
            )
        return self._setting

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_setting": None}

    def draw(self, **options: Any) -> Any:
        """A `Picture` of the edges and their probabilities; it takes the options of `dagwright.draw`."""
        return self.confidence.draw(**options)

    def __str__(self) -> str:
        lines = [self.confidence.source]
        if self.log_evidence is not None:
            lines.append(f"{self.evidence_name} {self.log_evidence:.6f}")
        lines += [f"{name}: {value:.4g}" for name, value in self.diagnostics.items()]
        lines += [f"warning: {warning}" for warning in self.warnings]
        return "\n".join([*lines, *map(str, self.confidence.edges())])


def posterior(
    data: Any,
    *,
    score: Any = None,
    structure_prior: StructurePrior | None = None,
    method: Method | str = "auto",
    knowledge: Knowledge | None = None,
    features: Mapping[str, Feature] | None = None,
    start: GraphLike | None = None,
    checkpoint: str | Path | None = None,
    missing: str | None = None,
    columns: Iterable[str] | None = None,
    exclude: Iterable[str] = (),
    study: Study | None = None,
    time_limit: float | None = None,
    random_state: RandomState = None,
    threads: int | None = None,
    progress: Progress | None = None,
    cancel: CancelToken | None = None,
    client: Any = None,
) -> StructurePosterior:
    """How probable each arc is, and each network where they can be listed, given the data.

    Parameters
    ----------
    data, knowledge, missing, columns, exclude, threads, progress, cancel
        As in `learn`.
    study
        A `Study` in place of these options; its search plays no part here.
    score
        ln P(data | network): `BDeu` by default, or any other that is a sum over nodes. BIC is a rough
        approximation of one.
    structure_prior
        The prior of network structures; uniform by default.
    method
        "auto" lists all networks of up to 5 variables, sums exactly where that takes about a minute, and else
        samples partitions. Or one of `EnumeratedPosterior`, `ExactPosterior`, `OrderMCMC`, `PartitionMCMC`
        and `StructureMCMC`, also by the names "enumerate", "exact", "order", "partition" and "structure".
    features
        Functions of a `Dag` by name, whose probabilities join the confidence.
    start
        A network to begin sampling from; by default the one with what knowledge requires only.
    checkpoint
        A file in which samplers keep their state. If it exists, they go on from there; that of other data or
        options is refused.
    time_limit
        Seconds after which samplers return what they have, and exact sums the arcs if they have them; else
        NotFinishedError is raised. Ctrl-C does the same. Samplers that are stopped within their burn-in
        return its last networks, with a warning.
    random_state
        Seed of the chains. The same seed gives the same samples, whatever the number of threads.
    client
        A ``distributed.Client`` of a Dask cluster. Samplers run each chain on a worker. Of a Dask dataframe,
        or files that every worker can open, the workers also count the rows, as in `learn`. The answer is the
        same as without a cluster.

    >>> found = posterior({"rain": [0, 0, 1, 1] * 5, "wet": [0, 0, 1, 1] * 5, "coin": [0, 1] * 10})
    >>> round(found.confidence.strength("rain", "wet"), 3)
    1.0
    """
    began = time.perf_counter()
    control = Control.of(threads, time_limit, progress, cancel)
    request = requested(
        study,
        score=score,
        structure_prior=structure_prior,
        knowledge=knowledge,
        start=start,
        missing=missing,
        columns=columns,
        exclude=exclude,
        random_state=random_state,
    )
    if client is not None and is_on_cluster(data):
        data = cluster_table(data, client, patience_of(control), **request.reading_on_cluster)
    with attending(data, control):
        setting = Setting.of(request, data, control)
    chosen = chosen_method(method, len(setting.names))
    setting = replace(setting, knowledge=setting.knowledge.bounded(chosen.max_parents))
    if isinstance(chosen, EnumeratedPosterior | ExactPosterior):
        for option, value in (("start", request.start), ("checkpoint", checkpoint)):
            if value is not None:
                raise OptionError(f"{option} is for methods that sample, and {chosen!r} does not")
    if features and isinstance(chosen, ExactPosterior):
        raise OptionError(NO_NETWORKS)
    with attending(setting.table, control):
        found = _computed(setting, chosen, checkpoint, client)
    if features:
        estimates = {name: found.feature(feature) for name, feature in features.items()}
        found = replace(found, confidence=replace(found.confidence, features=estimates))
    name = setting.evidence_in_words()
    return replace(found, evidence_name=name, seconds=time.perf_counter() - began)


def chosen_method(method: Method | str, n: int) -> Method:
    """The method that a name stands for with n variables."""
    if not isinstance(method, str):
        refuse_class("method", method)
        if not isinstance(method, tuple(type(one) for one in BY_NAME.values())):
            raise OptionError(
                f"{as_code(method)} cannot be used as a posterior method; use one of {', '.join(BY_NAME)}"
            )
        return method
    if method != "auto":
        if method in BY_NAME:
            return BY_NAME[method]
        if "(" not in method and method.lower() not in (one.name.lower() for one in entries("posterior")):
            raise unknown_name("posterior method", method, ["auto", *BY_NAME])
        named: Method = as_method(method, "method", "posterior")
        return named
    if n <= EnumeratedPosterior.MOST:
        return EnumeratedPosterior()
    exact = ExactPosterior()
    cost = forecast_exact(n)
    return exact if cost.seconds <= AUTO_SECONDS and cost.memory <= budget(exact.memory) else PartitionMCMC()


def _computed(
    setting: Setting, method: Method, checkpoint: str | Path | None, client: Any
) -> StructurePosterior:
    if isinstance(method, EnumeratedPosterior):
        listed = enumerate_networks(setting)
        return StructurePosterior(
            listed.confidence,
            method,
            listed.log_evidence,
            listed.dags,
            evaluations=listed.evaluations,
            _setting=setting,
        )
    if isinstance(method, ExactPosterior):
        summed = exact_features(setting, method)
        return StructurePosterior(
            summed.confidence,
            method,
            summed.log_evidence,
            evaluations=summed.evaluations,
            stopped=summed.stopped,
            _setting=setting,
            _log_total=summed.log_total,
        )
    seen = sample_networks(setting, method, checkpoint, client)
    return StructurePosterior(
        seen.confidence,
        method,
        samples=seen.samples,
        diagnostics=seen.diagnostics,
        evaluations=seen.evaluations,
        stopped=seen.stopped,
        warnings=seen.warnings,
        _setting=setting,
    )
