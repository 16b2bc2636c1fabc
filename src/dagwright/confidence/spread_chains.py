"""Markov chains on the workers of a cluster: the weights of families travel once, and rows never."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from dagwright import _core
from dagwright.scale import Spreading
from dagwright.search.control import Stopped

ChainState = tuple[list[int], int, int, int]
"""Where a chain is: its state, its random stream, moves proposed and accepted."""


class Seen(Protocol):
    """The states that chains visited, chain after chain."""

    @property
    def per_chain(self) -> int: ...
    @property
    def log_weights(self) -> NDArray[Any]: ...
    @property
    def networks(self) -> NDArray[Any]: ...
    @property
    def arcs(self) -> NDArray[Any]: ...
    @property
    def stopped(self) -> _core.Stop | None: ...


class Chains(Protocol):
    """Several chains that go on where they are: `_core.GraphSampler`, or `SpreadChains`."""

    @property
    def states(self) -> list[_core.ChainState]: ...
    def restore(self, chain: int, state: list[int], *, random: int, proposed: int, accepted: int) -> None: ...
    def advance(
        self,
        *,
        visits: int,
        thin: int,
        with_arcs: bool,
        threads: int,
        seconds: float | None,
        cancel: _core.CancelToken | None,
    ) -> Seen: ...


class Visited(NamedTuple):
    """The visits of one chain or of all: `Seen` as a value."""

    per_chain: int
    log_weights: NDArray[Any]
    networks: NDArray[Any]
    arcs: NDArray[Any]
    stopped: _core.Stop | None = None


class _Leg(NamedTuple):
    """The part of a chain that one task walks."""

    state: ChainState
    visits: int
    thin: int
    with_arcs: bool
    seconds: float | None


class _Walks:
    """The weights of all families, as every worker has them, and the native chains made from them."""

    def __init__(self, weights: _core.FamilyWeights, kind: str, start: list[list[int]]) -> None:
        children = range(len(start))
        self._weights = (
            [weights.candidates(child) for child in children],
            [weights.logs(child) for child in children],
            [weights.links(child) for child in children],
        )
        self._kind, self._start = kind, start
        self._idle: deque[_core.GraphSampler] = deque()  # one for each thread of a worker

    def __getstate__(self) -> tuple[Any, ...]:
        return self._weights, self._kind, self._start

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self._weights, self._kind, self._start = state
        self._idle = deque()

    def walked(self, leg: _Leg) -> tuple[Visited, ChainState]:
        try:
            chain = self._idle.pop()
        except IndexError:
            weights = _core.FamilyWeights.of(*self._weights)
            chain = _core.GraphSampler(weights, _core.WalkKind[self._kind], [0], self._start)
        state, random, proposed, accepted = leg.state
        chain.restore(0, state, random=random, proposed=proposed, accepted=accepted)
        seen = chain.advance(visits=leg.visits, thin=leg.thin, with_arcs=leg.with_arcs, seconds=leg.seconds)
        parts = (np.array(seen.log_weights), np.array(seen.networks), np.array(seen.arcs))
        (after,) = chain.states
        self._idle.append(chain)
        return Visited(seen.per_chain, *parts), _state_of(after)


class SpreadChains:
    """The chains of a native sampler, each advanced by tasks of a cluster.

    A task takes a chain from one state to another, so a lost worker changes nothing: its task is done again.

    Parameters
    ----------
    sampler
        All chains where they begin. It keeps their states.
    stopped
        Why to stop, if at all.
    """

    def __init__(
        self,
        client: Any,
        sampler: _core.GraphSampler,
        weights: _core.FamilyWeights,
        kind: str,
        start: list[list[int]],
        stopped: Callable[[], Stopped | None],
    ) -> None:
        self._sampler, self._stopped, self._variables = sampler, stopped, len(start)
        self._spreading = Spreading(client, _Walks(weights, kind, start), "sampling chain")

    @property
    def states(self) -> list[_core.ChainState]:
        return self._sampler.states

    def restore(self, chain: int, state: list[int], *, random: int, proposed: int, accepted: int) -> None:
        self._sampler.restore(chain, state, random=random, proposed=proposed, accepted=accepted)

    def advance(
        self,
        *,
        visits: int,
        thin: int,
        with_arcs: bool,
        threads: int,  # noqa: ARG002
        seconds: float | None,
        cancel: _core.CancelToken | None,  # noqa: ARG002
    ) -> Seen:
        """Advance every chain, one task each. After a stop, visits that not all chains made are left out."""
        legs = [_Leg(_state_of(at), visits, thin, with_arcs, seconds) for at in self._sampler.states]
        made = list(self._spreading.results(_Walks.walked, legs, lambda: bool(self._stopped())))
        if len(made) < len(legs):
            why = _core.Stop.deadline if self._stopped() == "deadline" else _core.Stop.cancelled
            count, n = len(legs) * visits, self._variables
            none = np.zeros(count * n * -(-n // 64), dtype=np.uint64)
            return Visited(0, np.zeros(count), none, np.zeros(0), why)
        for chain, (_, (state, random, proposed, accepted)) in enumerate(made):
            self.restore(chain, state, random=random, proposed=proposed, accepted=accepted)
        fewest = min(seen.per_chain for seen, _ in made)
        log_weights, networks, arcs = (np.concatenate([seen[part] for seen, _ in made]) for part in (1, 2, 3))
        early = None if fewest == visits else _core.Stop.deadline
        return Visited(fewest, log_weights, networks, arcs, early)


def _state_of(chain: _core.ChainState) -> ChainState:
    return chain.state, chain.random, chain.proposed, chain.accepted
