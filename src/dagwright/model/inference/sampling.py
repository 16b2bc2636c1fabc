"""Logic sampling (Henrion 1988): rows from a network, parents before children.

Which row comes out depends on the seed and the number of the row alone, so neither threads nor the order of
nodes show in a sample. Evidence is met by rejection: rows that disagree are thrown away.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from dagwright import _core
from dagwright.base.memory import require_memory
from dagwright.base.seeds import RandomState, seed_word
from dagwright.data import Table
from dagwright.data.states import Codes, code_dtype
from dagwright.errors import CapacityError, OptionError
from dagwright.evidence.threads import available_threads
from dagwright.model.inference.engine import require_possible
from dagwright.model.inference.findings import Findings, read_findings, shown_findings
from dagwright.sentences import Call

if TYPE_CHECKING:
    from dagwright.model.network import BayesianNetwork

CHUNK = 1 << 22
"""Rows per native call: between two of them Ctrl-C gets through."""
DRAWS_AT_LEAST = 10_000_000
DRAWS_PER_ROW = 1000


def sample(
    network: BayesianNetwork,
    n: int,
    *,
    random_state: RandomState = None,
    evidence: Mapping[str, Hashable] | None = None,
    max_draws: int | None = None,
    threads: int | None = None,
) -> Table:
    """Rows drawn from the network; see `BayesianNetwork.sample`."""
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 0:
        raise OptionError(f"the number of rows is an int of at least 0, not {n!r}")
    if threads is not None and threads < 1:
        raise OptionError(f"threads must be at least 1, not {threads}")
    if network.gaussians:
        return _mixed(network, int(n), random_state, evidence, max_draws, threads)
    row_bytes = sum(code_dtype(network.cardinality(node)).itemsize for node in network.nodes)
    require_memory(
        n * row_bytes,
        f"{n:,} rows of {len(network.nodes)} nodes",
        "draw fewer at once, with one random state each",
    )
    draw = Draw(network, seed_word(random_state), threads or available_threads())
    codes = draw.accepted(int(n), evidence, max_draws) if evidence else draw.rows(0, int(n))
    empty = Table(
        network.nodes,
        [np.empty(0, dtype=np.uint8)] * len(network.nodes),
        [network.states(node) for node in network.nodes],
        origins=network.origins,
    )
    return empty._with(columns=tuple(codes[node] for node in network.nodes))


def _mixed(
    network: BayesianNetwork,
    n: int,
    random_state: RandomState,
    evidence: Mapping[str, Hashable] | None,
    max_draws: int | None,
    threads: int | None,
) -> Table:
    """Rows of states and numbers."""
    from dagwright.model.gaussian.sampling import drawn_rows

    require_memory(
        8 * n * len(network.nodes),
        f"{n:,} rows of {len(network.nodes)} nodes",
        "draw fewer at once, with one random state each",
    )
    rows = drawn_rows(
        network,
        n,
        seed_word(random_state),
        read_findings(network, evidence),
        max_draws,
        threads or available_threads(),
    )
    return rows.table(network)


class Draw:
    """The rows that one seed names."""

    def __init__(self, network: BayesianNetwork, seed: int, threads: int) -> None:
        self.network = network
        self.seed = seed
        self.threads = threads
        self.order = network.graph.topological_order()
        compiled = network._compiled
        if "sampler" not in compiled:
            compiled["sampler"] = native_sampler(network)
        self.native: _core.Sampler = compiled["sampler"]

    def rows(self, first: int, rows: int) -> dict[str, Codes]:
        """Rows number first, first + 1, ... as codes of each node."""
        codes: dict[str, Codes] = {
            node: np.empty(rows, dtype=code_dtype(self.network.cardinality(node))) for node in self.order
        }
        for start in range(0, rows, CHUNK):
            columns = [codes[node][start : start + CHUNK] for node in self.order]
            self.native.draw(self.seed, first + start, columns, self.threads)
        return codes

    def _require_attainable(self, n: int, evidence: Findings, bound: int) -> None:
        """Refuse evidence that is impossible or too rare, before a row is drawn, where that can be known."""
        try:
            share = math.exp(require_possible(self.network, evidence))
        except CapacityError:
            return
        if n > 2 * share * bound:
            raise OptionError(
                f"the evidence {shown_findings(self.network, evidence)} has probability {share:.3g}: {n:,} "
                f"rows need about {n / share:,.0f} draws, and max_draws is {bound:,}; raise it, ask for "
                "fewer rows, or use ",
                Call("query"),
                ", which needs no samples",
            )

    def accepted(self, n: int, evidence: Mapping[str, Hashable], max_draws: int | None) -> dict[str, Codes]:
        """The first n rows that agree with the evidence."""
        observed = {node: self.network.code(node, state) for node, state in evidence.items()}
        bound = max(DRAWS_AT_LEAST, DRAWS_PER_ROW * n) if max_draws is None else max_draws
        self._require_attainable(n, Findings(observed, {}), bound)
        kept: list[dict[str, Codes]] = []
        found = drawn = 0
        size = 1 << 16
        while found < n:
            if drawn >= bound:
                shown = ", ".join(f"{node}={state!r}" for node, state in evidence.items())
                raise OptionError(
                    f"only {found:,} of {n:,} rows agreed with {shown} in {drawn:,} draws; ask for fewer "
                    "rows, raise max_draws, or use ",
                    Call("query"),
                    ", which needs no samples",
                )
            size = min(size, bound - drawn)
            codes = self.rows(drawn, size)
            agree = np.ones(size, dtype=np.bool_)
            for node, code in observed.items():
                agree &= codes[node] == code
            places = np.flatnonzero(agree)[: n - found]
            kept.append({node: column[places] for node, column in codes.items()})
            drawn += size
            found += len(places)
            # Enough for the rest at the rate so far, within a chunk.
            size = min(CHUNK, max(1 << 16, int(1.1 * (n - found) * drawn / max(found, 1))))
        if not kept:
            return self.rows(0, 0)
        return {node: np.concatenate([part[node] for part in kept]) for node in self.order}


def native_sampler(network: BayesianNetwork) -> _core.Sampler:
    """The network in the form the core draws from; streams are numbered by the order of names."""
    order = network.graph.topological_order()
    place = {node: position for position, node in enumerate(order)}
    stream = {node: rank for rank, node in enumerate(sorted(network.nodes))}
    sampler = _core.Sampler()
    for node in order:
        table = network.table(node)
        parents = [place[parent] for parent in network.parents(node)]
        sampler.add(network.cardinality(node), parents, stream[node], table.reshape(-1))
    return sampler
