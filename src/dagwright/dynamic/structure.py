"""Which nodes a dynamic network has: series, steps, lags and static columns."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from dagwright.data.schema import Schema, Variable
from dagwright.data.windows import moment_of, moments_of
from dagwright.errors import GraphError
from dagwright.model import BayesianNetwork

_STEP = re.compile(r"(?P<series>.+)\[(?P<step>0|[1-9][0-9]*)\]", re.DOTALL)


class Step(NamedTuple):
    """A series at a step of time, counted from 0.

    >>> str(Step("x", 3))
    'x[3]'
    """

    series: str
    step: int

    def __str__(self) -> str:
        return f"{self.series}[{self.step}]"


def step_of(name: str) -> Step | None:
    """The series and the step that a name stands for; None for other names.

    >>> step_of("x[3]"), step_of("x[t]")
    (Step(series='x', step=3), None)
    """
    said = _STEP.fullmatch(name)
    return None if said is None else Step(said["series"], int(said["step"]))


class Variate(NamedTuple):
    """A node seen from a step: its series and its age in steps; static nodes have age -1."""

    name: str
    age: int


STATIC = -1


@dataclass(frozen=True)
class Structure:
    """The nodes of an initial and a transition network, checked.

    ``series`` and ``static`` are in the order of the transition's nodes; ``lags`` is the longest lag.
    """

    initial: BayesianNetwork
    transition: BayesianNetwork
    series: tuple[str, ...]
    static: tuple[str, ...]
    lags: int

    @staticmethod
    def of(initial: BayesianNetwork, transition: BayesianNetwork) -> Structure:
        """The structure of two networks that fit together; refused if they do not."""
        moments = moments_of(transition.nodes)
        series = tuple(moment.series for moment in moments.values() if moment.lag == 0)
        static = tuple(node for node in transition.nodes if node not in moments)
        if not series:
            raise GraphError("the transition has no node of the current step, such as 'x[t]'")
        for node, moment in moments.items():
            if moment.series not in series:
                raise GraphError(f"the transition has {node!r}, but not '{moment.series}[t]'")
        for node in transition.nodes:
            if (node in static or moments[node].lag > 0) and transition.parents(node):
                parent = transition.parents(node)[0]
                raise GraphError(
                    f"the transition has the arc {parent} -> {node}; only nodes of the current step, such as "
                    f"'{series[0]}[t]', have parents"
                )
        lags = max(1, *(moment.lag for moment in moments.values()))
        found = Structure(initial, transition, series, static, lags)
        found._check_initial()
        found._check_states()
        return found

    def _check_initial(self) -> None:
        wanted = {*self.static, *(str(Step(name, step)) for name in self.series for step in range(self.lags))}
        have = set(self.initial.nodes)
        if have != wanted:
            lacking, further = sorted(wanted - have), sorted(have - wanted)
            what = f"lacks {lacking[0]!r}" if lacking else f"has {further[0]!r}, which the transition lacks"
            raise GraphError(
                f"the initial network {what}; with {self.lags} lags it has the static nodes and each series "
                f"at the steps 0 to {self.lags - 1}"
            )
        for parent, child in self.initial.graph.edges:
            if self._time(parent) > self._time(child):
                raise GraphError(f"the initial network has the arc {parent} -> {child}, back in time")

    @staticmethod
    def _time(node: str) -> int:
        step = step_of(node)
        return -1 if step is None else step.step

    def _check_states(self) -> None:
        for name, current in zip(self.series, self.variables.select(self.series), strict=True):
            copies = [(self.initial, str(Step(name, step))) for step in range(self.lags)]
            copies += [
                (self.transition, node)
                for node, moment in moments_of(self.transition.nodes).items()
                if moment.series == name
            ]
            for network, node in copies:
                other = network.template.schema[node]
                if other.states != current.states or other.is_discrete != current.is_discrete:
                    raise GraphError(
                        f"node {node!r} has other states than '{name}[t]'; declare the states of the series, "
                        "or cut its numbers, before making windows"
                    )

    @cached_property
    def variables(self) -> Schema:
        """The series and the static columns as variables, under their own names."""
        schema = self.transition.template.schema

        def own(name: str, node: str) -> Variable:
            return Schema([schema[node]]).rename({node: name}).variables[0]

        return Schema(
            [*(own(name, f"{name}[t]") for name in self.series), *(schema[name] for name in self.static)]
        )

    def variate(self, node: str) -> Variate:
        """A node of the transition, seen from the current step."""
        moment = moment_of(node)
        return Variate(node, STATIC) if moment is None else Variate(moment.series, moment.lag)

    def first_variate(self, node: str) -> Variate:
        """A node of the initial network, seen from the last initial step."""
        step = step_of(node) if node not in self.static else None
        return Variate(node, STATIC) if step is None else Variate(step.series, self.lags - 1 - step.step)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The series so that parents of the current step come first."""
        moments = moments_of(self.transition.nodes)
        return tuple(
            moments[node].series
            for node in self.transition.graph.topological_order()
            if node in moments and moments[node].lag == 0
        )

    @cached_property
    def remembered(self) -> tuple[Variate, ...]:
        """The interface: what the next steps need of this step and those before it."""
        longest: dict[str, int] = {}
        for name in self.series:
            for parent in self.transition.parents(f"{name}[t]"):
                seen = self.variate(parent)
                longest[seen.name] = max(seen.age, longest.get(seen.name, STATIC))
        static = [Variate(name, STATIC) for name in self.static if name in longest]
        return (
            *static,
            *(Variate(name, age) for name in self.series for age in range(longest.get(name, 0))),
        )
