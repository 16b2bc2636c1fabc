"""The dynamic network: how a sequence begins, and how each step follows from the steps before it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack, get_args

import numpy as np

from dagwright.base.documents import as_json, loaded, parsed_json, require_fields, require_format
from dagwright.base.seeds import RandomState, generator, seed_sequence
from dagwright.base.whole_file import write_whole
from dagwright.base.wording import count_of
from dagwright.data import Table
from dagwright.data.schema import Continuous, Discrete, Schema
from dagwright.data.windows import moments_of
from dagwright.dynamic.beliefs import Belief, Beliefs
from dagwright.dynamic.evidence import Evidence
from dagwright.dynamic.interface_algorithm import MOST_CELLS, InterfaceAlgorithm
from dagwright.dynamic.kalman import KalmanFilter
from dagwright.dynamic.particles import ParticleFilter, Sampler, Values, aged
from dagwright.dynamic.structure import Step, Structure, Variate
from dagwright.errors import CapacityError, FormatError, OptionError, unknown_name
from dagwright.graph.dag import Dag
from dagwright.graph.graph_like import GraphLike
from dagwright.graph.viewable import Viewable
from dagwright.io import native_json as native
from dagwright.io.loading import DYNAMIC
from dagwright.learning.learned import Learned
from dagwright.model import BayesianNetwork
from dagwright.sentences import Argument
from dagwright.show import Picture, draw_slices, draw_summary
from dagwright.show.colors import Theme

Method = Literal["auto", "exact", "particles"]
Engine = InterfaceAlgorithm | KalmanFilter | ParticleFilter
PARTICLES = 10_000
FORMAT, FORMAT_VERSION = DYNAMIC, 1
JSON_FIELDS: dict[str, Any] = {
    "initial": dict[str, Any],
    "transition": dict[str, Any],
    "notes": list[str],
}


class BeliefOptions(TypedDict, total=False):
    """Options of `DynamicNetwork.filter`, `smooth` and `forecast`.

    Attributes
    ----------
    method
        "exact": the interface algorithm where all nodes have states, the Kalman filter where all are numbers.
        "particles": a particle filter, for any network. "auto", the default: exact where that is possible.
    particles
        The number of particles, 10,000 by default.
    random_state
        The seed of the particles, as in `learn`.
    """

    method: Method
    particles: int
    random_state: RandomState


@dataclass(frozen=True)
class DynamicNetwork(Viewable):
    """A Bayesian network over sequences of any length.

    Parameters
    ----------
    initial
        The distribution of the static nodes and of the first steps ``x[0]``, ``x[1]``, ..., as many as there
        are lags. No arc points back in time.
    transition
        How the nodes of the current step, ``x[t]``, depend on each other, on earlier steps ``x[t-1]``, ...
        and on static nodes. Other nodes have no parents; their own distributions are not used.
    notes
        What was done to get here.

    >>> from dagwright import BayesianNetwork, Dag
    >>> rain = {"rain[t]": ["no", "yes"], "rain[t-1]": ["no", "yes"]}
    >>> weather = DynamicNetwork(
    ...     BayesianNetwork(Dag(["rain[0]"]), {"rain[0]": ["no", "yes"]}, {"rain[0]": [0.5, 0.5]}),
    ...     BayesianNetwork(
    ...         "rain[t-1] -> rain[t]",
    ...         rain,
    ...         {"rain[t-1]": [0.5, 0.5], "rain[t]": [[0.9, 0.1], [0.4, 0.6]]},
    ...     ),
    ... )
    >>> weather.forecast(2, {"rain": ["no", "yes"]}).probabilities("rain").round(3).tolist()
    [[0.4, 0.6], [0.6, 0.4]]
    """

    initial: BayesianNetwork
    transition: BayesianNetwork
    notes: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "notes", tuple(self.notes))
        _ = self.structure

    @cached_property
    def structure(self) -> Structure:
        """The series, the static nodes and the lags."""
        return Structure.of(self.initial, self.transition)

    @property
    def series(self) -> tuple[str, ...]:
        """The names of the series."""
        return self.structure.series

    @property
    def static(self) -> tuple[str, ...]:
        """The names of the nodes that do not change over time."""
        return self.structure.static

    @property
    def lags(self) -> int:
        """How many steps back a step depends on."""
        return self.structure.lags

    # From data

    @staticmethod
    def fit(
        transition: GraphLike,
        windows: Table,
        *,
        initial: GraphLike | None = None,
        start: Literal["auto", "first", "stationary"] = "auto",
        parameter_prior: Any = "default",
        missing: Any = None,
    ) -> DynamicNetwork:
        """The network with this transition graph and the parameters that windows give.

        Parameters
        ----------
        transition
            A graph over the columns of the windows; arcs lead to the current step.
        windows
            What `Table.lagged` gives.
        initial
            A graph over the static columns and ``x[0]``, ``x[1]``, ...; None learns one by hill climbing.
        start
            The rows behind the initial network: the "first" window of each run, or all windows
            ("stationary"), which takes sequences as cut out of a long stationary process. "auto" takes the
            first ones where there are at least 30 runs and 5 for each initial node.
        parameter_prior, missing
            As in `dagwright.fit`.
        """
        from dagwright.dynamic.estimation import fitted

        return fitted(
            transition,
            windows,
            initial=initial,
            start=start,
            parameter_prior=parameter_prior,
            missing=missing,
        )

    @staticmethod
    def from_learned(
        found: Learned,
        windows: Table | None = None,
        *,
        initial: GraphLike | None = None,
        start: Literal["auto", "first", "stationary"] = "auto",
    ) -> DynamicNetwork:
        """The dynamic network of a result that was learned from windows.

        Parameters
        ----------
        windows
            Windows to fit to; None means the windows of the search.
        initial, start
            As in `fit`.
        """
        from dagwright.dynamic.estimation import of_learned

        return of_learned(found, windows, initial=initial, start=start)

    # As an ordinary network, and as rows

    def unroll(self, steps: int) -> BayesianNetwork:
        """The ordinary network over the steps 0 to ``steps`` - 1, at least as many as there are lags."""
        if steps < self.lags:
            raise OptionError(Argument("steps", steps), f" is too few; give at least the {self.lags} lags")
        origins = dict(self.initial.origins)
        nodes, arcs = list(self.initial.nodes), list(self.initial.graph.edges)
        states: dict[str, Any] = {
            node: self.initial.states(node) for node in nodes if node not in self.initial.gaussians
        }
        tables: dict[str, Any] = {
            node: self.initial.gaussians[node] if node in self.initial.gaussians else self.initial.table(node)
            for node in nodes
        }
        parents: dict[str, Any] = {node: self.initial.parents(node) for node in states}
        moments = moments_of(self.transition.nodes)
        for step in range(self.lags, steps):
            name_of = {
                node: str(Step(moments[node].series, step - moments[node].lag)) if node in moments else node
                for node in self.transition.nodes
            }
            for name in self.series:
                old, new = f"{name}[t]", str(Step(name, step))
                nodes.append(new)
                arcs += [(name_of[parent], new) for parent in self.transition.parents(old)]
                if old in self.transition.gaussians:
                    tables[new] = self.transition.gaussians[old].renamed(name_of)
                else:
                    tables[new], states[new] = self.transition.table(old), self.transition.states(old)
                    parents[new] = [name_of[parent] for parent in self.transition.parents(old)]
                if old in self.transition.origins:
                    origins[new] = self.transition.origins[old]
        return BayesianNetwork(Dag(nodes, arcs), states, tables, parents=parents, origins=origins)

    def simulate(self, steps: int, sequences: int = 1, *, random_state: RandomState = None) -> Table:
        """Rows drawn from the network: columns ``sequence`` and ``step``, the series and the static nodes.

        Parameters
        ----------
        steps, sequences
            How many steps of how many sequences.
        random_state
            As everywhere; see `learn`.
        """
        for option, value in (("steps", steps), ("sequences", sequences)):
            if value < 1:
                raise OptionError(Argument(option, value), ", but must be at least 1")
        for name in ("sequence", "step"):
            if name in (*self.series, *self.static):
                raise OptionError(
                    f"a node is called {name!r}, as a column of the simulated rows is; rename it"
                )
        sampler = Sampler(self.structure, generator(random_state))
        values, weights = sampler.static(sequences, {})
        drawn = {name: np.empty((sequences, steps)) for name in self.series}
        for step in range(steps):
            if step >= self.lags:
                values = aged(values, self.lags)
            sampler.step(values, step, weights, {})
            for name, table in drawn.items():
                table[:, step] = values[Variate(name, max(0, self.lags - 1 - step))]
        return self._rows(drawn, values, steps, sequences)

    def _rows(self, drawn: dict[str, Any], values: Values, steps: int, sequences: int) -> Table:
        columns: list[Any] = [
            np.repeat(np.arange(sequences, dtype=np.float64), steps),
            np.tile(np.arange(steps, dtype=np.float64), sequences),
        ]
        for variable in self.structure.variables:
            name = variable.name
            static = np.repeat(values[Variate(name, -1)], steps) if name in self.static else None
            cells = drawn[name].reshape(-1) if static is None else static
            columns.append(cells.astype(np.int64) if isinstance(variable, Discrete) else cells)
        head = [Continuous("sequence"), Continuous("step")]
        return Table.from_schema(Schema([*head, *self.structure.variables]), columns)

    # Questions

    def filter(self, evidence: Any, **options: Unpack[BeliefOptions]) -> Beliefs:
        """The beliefs at each step, given the evidence up to that step.

        Parameters
        ----------
        evidence
            One sequence, a row for each step: a dict of columns, a dataframe, a file or a Table. Series that
            are absent and cells that are missing are not observed. A static node may be a single value.
        options
            How to compute them: ``method``, ``particles`` and ``random_state`` of `BeliefOptions`.
        """
        return self._believed(evidence, self._engine(**options))

    def smooth(self, evidence: Any, **options: Unpack[BeliefOptions]) -> Beliefs:
        """The beliefs at each step, given all of the evidence.

        Parameters
        ----------
        evidence, options
            As in `filter`. Rows whose series are known in part, at the end of the evidence, are forecasts
            with known inputs.
        """
        return self._believed(evidence, self._engine(**options), smooth=True)

    def forecast(self, steps: int, evidence: Any = None, **options: Unpack[BeliefOptions]) -> Beliefs:
        """The beliefs at the ``steps`` steps that follow the evidence.

        Parameters
        ----------
        steps
            How many steps after the last row of the evidence.
        evidence, options
            As in `filter`; without evidence a sequence is forecast from its beginning.
        """
        if steps < 1:
            raise OptionError(Argument("steps", steps), ", but must be at least 1")
        return self._believed(evidence, self._engine(**options), ahead=steps)

    def _believed(
        self, evidence: Any, by: tuple[Engine, str], *, ahead: int = 0, smooth: bool = False
    ) -> Beliefs:
        known = Evidence.of(self.structure, evidence)
        engine, words = by
        found, log_likelihood = engine.run(known, known.steps + ahead, smooth=smooth)
        first = known.steps if ahead else 0
        kept: dict[str, Belief] = {name: belief.since(first) for name, belief in found.items()}
        return Beliefs(range(first, known.steps + ahead), kept, log_likelihood, words)

    def _engine(
        self, method: str = "auto", particles: int = PARTICLES, random_state: RandomState = None
    ) -> tuple[Engine, str]:
        if method not in get_args(Method):
            raise unknown_name("value of method", method, get_args(Method))
        if method != "particles":
            continuous = [variable for variable in self.structure.variables if not variable.is_discrete]
            if len(continuous) == len(self.structure.variables):
                return KalmanFilter(self.structure), "Kalman filter"
            if not continuous:
                exact = InterfaceAlgorithm(self.structure)
                if exact.largest_table <= MOST_CELLS:
                    return exact, "interface algorithm"
                problem = f"a table of {exact.largest_table:.3g} cells"
            else:
                problem = "a mixture that grows with every step, as some nodes have states and others numbers"
            if method == "exact":
                raise CapacityError(f"exact beliefs need {problem}; choose ", Argument("method", "particles"))
        if particles < 1:
            raise OptionError(Argument("particles", particles), ", but must be at least 1")
        sampled = ParticleFilter(self.structure, particles, seed_sequence(random_state))
        return sampled, f"particle filter, {count_of(sampled.particles, 'particle')}"

    # Graphs

    @property
    def graph(self) -> Dag:
        """The graph of the transition."""
        return self.transition.graph

    def draw(
        self,
        view: Literal["slices", "summary"] = "slices",
        *,
        theme: Theme = "auto",
        path: str | PathLike[str] | None = None,
    ) -> Picture:
        """A picture of the transition: a column for each lag ("slices"), or a node for each series.

        Parameters
        ----------
        view
            "slices" is the time-slice graph, "summary" the summary graph with lags at its edges.
        theme, path
            As in `dagwright.draw`.
        """
        if view not in ("slices", "summary"):
            raise unknown_name("value of view", view, ("slices", "summary"))
        draw = draw_slices if view == "slices" else draw_summary
        return draw(self.graph, theme=theme, path=path)

    # As a value and as JSON

    def __repr__(self) -> str:
        arcs = count_of(len(self.transition.graph.edges), "arc")
        static = f", static: {', '.join(self.static)}" if self.static else ""
        head = (
            f"DynamicNetwork: {len(self.series)} series, {count_of(self.lags, 'lag')}, {arcs} in the "
            f"transition{static}"
        )
        lines = []
        for name in self.series:
            given = ", ".join(self.transition.parents(f"{name}[t]"))
            lines.append(f"  {name}[t]" + (f" | {given}" if given else ""))
        return "\n".join([head, *lines])

    def to_dict(self) -> dict[str, Any]:
        """The network as plain values, which JSON can hold."""
        return {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "initial": json.loads(native.write_bytes(self.initial)),
            "transition": json.loads(native.write_bytes(self.transition)),
            "notes": list(self.notes),
        }

    def to_json(self, *, indent: int | None = None) -> str:
        """The network as JSON text; `from_json` gives it back."""
        return as_json(self.to_dict(), indent=indent)

    @staticmethod
    def from_dict(document: Any) -> DynamicNetwork:
        """Read what `to_dict` gave."""
        require_format("a dynamic network", document, FORMAT, FORMAT_VERSION)
        require_fields("a dynamic network", document, JSON_FIELDS)
        parts = [
            native.read_bytes(json.dumps(document[part]).encode("utf-8"))
            for part in ("initial", "transition")
        ]
        return DynamicNetwork(parts[0], parts[1], tuple(document["notes"]))

    @staticmethod
    def from_json(text: str) -> DynamicNetwork:
        """Read what `to_json` wrote."""
        return DynamicNetwork.from_dict(parsed_json(text))

    def save(self, path: str | Path) -> None:
        """Write `to_json` to a file whose name ends in ``.json`` or has no ending."""
        suffix = Path(path).suffix.lower()
        if suffix not in ("", ".json"):
            raise FormatError(f"{path}: a dynamic network is saved as .json, not as {suffix}")
        write_whole(path, self.to_json() + "\n")

    @staticmethod
    def load(path: str | Path) -> DynamicNetwork:
        """Read a file that `save` wrote."""
        return loaded(path, DynamicNetwork.from_json)
