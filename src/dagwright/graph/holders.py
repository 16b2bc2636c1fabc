"""Protocols for results of later packages: they give access to the graph of a result by its type."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class HoldsGraph(Protocol):
    """A network, a result of learning, or a confidence."""

    @property
    def graph(self) -> Any: ...


@runtime_checkable
class HoldsDag(Protocol):
    """A result of learning, with one DAG where there is one."""

    @property
    def dag(self) -> Any: ...


@runtime_checkable
class HoldsTargets(Protocol):
    """A result of learning from rows that experiments may have set."""

    @property
    def targets(self) -> tuple[frozenset[str], ...]:
        """The sets of variables that were set together; empty without experiments."""
        ...


def targets_among(*things: object) -> tuple[frozenset[str], ...]:
    """The intervention targets of the first thing that has some."""
    return next((one.targets for one in things if isinstance(one, HoldsTargets) and one.targets), ())


@runtime_checkable
class HoldsEssential(Protocol):
    """A result of learning, with the essential graph that people are shown."""

    @property
    def essential(self) -> Any: ...


@runtime_checkable
class HoldsNetwork(Protocol):
    """An object with a network with parameters, or one that makes such a network when it is called."""

    @property
    def network(self) -> Any: ...


@runtime_checkable
class HoldsTable(Protocol):
    """A result of learning that still has its data."""

    @property
    def table(self) -> Any: ...


@runtime_checkable
class HoldsJudges(Protocol):
    """A result of learning, with the score and the structure prior that judged."""

    @property
    def score_spec(self) -> Any: ...
    @property
    def structure_prior(self) -> Any: ...


@runtime_checkable
class HoldsScore(HoldsJudges, Protocol):
    """A result of learning, with its score and how it was asked for."""

    @property
    def score(self) -> float | None: ...
    @property
    def score_definition(self) -> str | None: ...
    @property
    def study(self) -> Any: ...


@runtime_checkable
class HoldsKnowledge(Protocol):
    """A result of learning, with what had to be in the graph."""

    @property
    def knowledge(self) -> Any: ...


@runtime_checkable
class HasDistribution(Protocol):
    """A network with parameters, which stands for its joint distribution."""

    def distribution(self) -> Any: ...


def held_graph(thing: Any) -> Any:
    """The graph that something holds, or the thing itself."""
    return thing.graph if isinstance(thing, HoldsGraph) else thing


def shown_graph(thing: Any) -> Any:
    """The essential graph of a result of learning, or the thing itself."""
    return thing.essential if isinstance(thing, HoldsEssential) else thing


def held_network(thing: Any) -> Any:
    """The network that something has or makes, if any."""
    if not isinstance(thing, HoldsNetwork):
        return None
    return thing.network() if callable(thing.network) else thing.network
