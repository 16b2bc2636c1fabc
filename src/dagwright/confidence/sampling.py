"""Sampling of networks by Markov chains: candidates, chains, checkpoints, and the confidence they give."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dagwright import _core
from dagwright.base.checkpoint import DAMAGES, SAVING, Checkpoint, checkpoint_path, whole_number
from dagwright.confidence import sampled_features
from dagwright.confidence.arc_series import ArcSeries, summarize
from dagwright.confidence.candidate_parents import candidate_parents, family_weights, refuse_unfinished
from dagwright.confidence.confidence import Confidence
from dagwright.confidence.convergence import effective_samples, potential_scale_reduction
from dagwright.confidence.methods import Sampler
from dagwright.confidence.setting import Setting
from dagwright.confidence.spread_chains import Chains, Seen, SpreadChains
from dagwright.confidence.starting_network import starting_network
from dagwright.confidence.widening import widened
from dagwright.errors import OptionError
from dagwright.search.control import Stopped, stopped_by

MOST_ARC_VALUES = 40_000_000
"""Above this, arcs are counted in the sampled networks instead of averaged over the states."""
BLOCK_SECONDS = 1.0


@dataclass(frozen=True, eq=False)
class Samples:
    """The networks that the chains visited after their burn-in.

    ``networks`` holds bit rows of parents, (chains, samples, variables, words), numbered as ``names``.
    """

    names: tuple[str, ...]
    log_weights: NDArray[np.float64]
    networks: NDArray[np.uint64]

    @property
    def per_chain(self) -> int:
        return int(self.networks.shape[1])

    def distinct_rows(self) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """Each network once as bit rows of parents, and for every visit which one it was."""
        rows = self.networks.reshape(-1, len(self.names) * self.networks.shape[3])
        unique, which = np.unique(rows, axis=0, return_inverse=True)
        packed = unique.reshape(len(unique), *self.networks.shape[2:])
        return packed, np.asarray(which).reshape(self.networks.shape[:2])

    def distinct(self) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """Each network once as a matrix (parent, child), and for every visit which one it was."""
        rows, which = self.distinct_rows()
        return np.swapaxes(sampled_features.unpack(rows, len(self.names)), -1, -2), which


@dataclass(frozen=True, eq=False)
class Sampled:
    """Samples, the confidence they give, and how well the chains agree."""

    samples: Samples
    confidence: Confidence
    diagnostics: dict[str, Any]
    evaluations: int
    stopped: str | None
    warnings: tuple[str, ...]


def sample_networks(
    setting: Setting, method: Sampler, checkpoint: str | Path | None, client: Any = None
) -> Sampled:
    """Run the chains, from a checkpoint if there is one, until all is seen or time is up.

    The chains run on the workers of ``client`` if there is one; that changes nothing but the time.
    """
    n, control = len(setting.names), setting.control
    candidates = widened(setting, method, candidate_parents(setting, method))
    weights = family_weights(setting, method, candidates)
    seeds = [int(word) for word in setting.seed.generate_state(method.chains, np.uint64)]
    candidates = [weights.candidates(child) for child in range(n)]
    start = starting_network(setting, weights, candidates)
    here = _core.GraphSampler(weights, _core.WalkKind[method.walk], seeds, start, control.threads)
    sampler: Chains = here
    if client is not None:
        sampler = SpreadChains(client, here, weights, method.walk, start, control.stopped)
    run = _Run(setting, method, sampler, checkpoint, [_checksum(weights.logs(child)) for child in range(n)])
    stopped = run.go()
    if run.done < 4:
        refuse_unfinished(stopped or "deadline")
    return run.account(candidates, weights.evaluations, stopped)


def _checksum(logs: NDArray[np.float64]) -> float:
    """One number that other weights of the same families would change, but not the last digits of these."""
    factors = np.random.default_rng(len(logs)).uniform(1.0, 2.0, len(logs))
    return float(factors @ np.where(np.isfinite(logs), logs, 1e3))


class _Pace:
    """How many visits to make at a time: as many as take about a second, so that there is soon an answer.

    The visits do not depend on it: the chains go on exactly where they were.
    """

    def __init__(self) -> None:
        self._size = 1
        self._began: float | None = None

    def block(self) -> int:
        now = time.monotonic()
        if self._began is not None:
            fitting = BLOCK_SECONDS * self._size / max(now - self._began, 1e-9)
            self._size = int(max(1.0, min(fitting, 10.0 * self._size)))
        self._began = now
        return self._size


class _Run:
    """The chains of one call, block by block."""

    def __init__(
        self,
        setting: Setting,
        method: Sampler,
        sampler: Chains,
        path: str | Path | None,
        checksums: list[float],
    ) -> None:
        self.setting, self.method, self.sampler = setting, method, sampler
        self.path = checkpoint_path(path)
        self.checksums = checksums
        n = len(setting.names)
        self.thin = method.moves_per_variable * n if method.thin is None else method.thin
        self.burn_in = method.samples // 4 if method.burn_in is None else method.burn_in
        self.with_arcs = method.chains * method.samples * n * n <= MOST_ARC_VALUES
        words = -(-n // 64)
        self.done = 0
        self.burned = 0
        self.next_save = 0.0
        self.before: list[dict[str, NDArray[Any]]] = []
        self.log_weights = np.zeros((method.chains, method.samples))
        self.networks = np.zeros((method.chains, method.samples, n, words), dtype=np.uint64)
        self.arcs = np.zeros((method.chains, method.samples if self.with_arcs else 0, n, n), dtype=np.float32)
        self.identity = {
            "data": setting.table.fingerprint,
            "score": setting.score_in_words(),
            "prior": setting.prior.describe(),
            "knowledge": repr(setting.knowledge.knowledge),
            "start": None if setting.start is None else setting.start.to_string(),
            "method": repr(method),
            "seed": repr((setting.seed.entropy, setting.seed.spawn_key)),
        }
        if self.path is not None and self.path.exists():
            self._resume(self.path)

    def _kept(self) -> dict[str, NDArray[Any]]:
        """The kept samples of the chains, by name."""
        kept: dict[str, NDArray[Any]] = {"log_weights": self.log_weights, "networks": self.networks}
        return {**kept, "arcs": self.arcs} if self.with_arcs else kept

    def _resume(self, path: Path) -> None:
        saved = Checkpoint.load(path, "chains", self.identity)
        try:
            stored = np.array(saved.state["weights"], dtype=float)
            same = stored.shape == (len(self.checksums),) and np.allclose(
                stored, self.checksums, rtol=1e-9, atol=1e-6
            )
            if same:
                self._take_up(saved)
        except DAMAGES as problem:
            raise saved.misfit(path, problem) from None
        if not same:
            raise OptionError(
                f"the checkpoint {path} belongs to another run: its score or prior gives families other "
                "values; give another file, or delete it"
            )

    def _take_up(self, saved: Checkpoint) -> None:
        """Go on where a checkpoint ends; any of `DAMAGES` where it cannot be one of such a run."""
        chains = saved.state["chains"]
        if len(chains) != self.method.chains:
            raise ValueError(f"there are {len(chains)} chains, not {self.method.chains}")
        self.burned = saved.number("burned", self.burn_in)
        self.done = saved.number("done", self.method.samples)
        if self.done and self.burned < self.burn_in:
            raise ValueError("there are samples from before the end of the burn-in")
        for name, kept in self._kept().items():
            kept[:, : self.done] = saved.array(name, kept[:, : self.done])
        if self.done:
            seen = Samples(self.setting.names, self.log_weights, self.networks[:, : self.done])
            rows, _ = seen.distinct_rows()
            _core.network_features(rows, np.ones(len(rows)))  # refuses what cannot be networks
        for chain, (state, random, proposed, accepted) in enumerate(chains):
            if not isinstance(state, list):
                raise ValueError(f"the state of a chain must be a list, got {state!r:.40}")
            self.sampler.restore(
                chain,
                [whole_number("the state of a chain", value, 2**32 - 1) for value in state],
                random=whole_number("the random stream of a chain", random, 2**64 - 1),
                proposed=whole_number("a counter of a chain", proposed, 2**64 - 1),
                accepted=whole_number("a counter of a chain", accepted, 2**64 - 1),
            )

    def _advance(self, visits: int, *, with_arcs: bool) -> Seen:
        control = self.setting.control
        return self.sampler.advance(
            visits=visits,
            thin=self.thin,
            with_arcs=with_arcs,
            threads=control.threads,
            seconds=control.seconds_left(),
            cancel=control.cancel,
        )

    def go(self) -> Stopped | None:
        """Until all samples are there; why it ended early, if it did."""
        try:
            stopped = self._sample()
        except KeyboardInterrupt:
            stopped = self.setting.control.interrupted()
        if self.burned < self.burn_in and self.before:
            self._take_burn_in()
        return stopped

    def _sample(self) -> Stopped | None:
        method, control = self.method, self.setting.control
        pace = _Pace()
        while self.burned < self.burn_in:
            visits = min(pace.block(), self.burn_in - self.burned)
            seen = self._advance(visits, with_arcs=False)
            self._remember(seen, visits)
            if seen.stopped is not None:
                return stopped_by(seen.stopped)
            self.burned += visits
            self._save(whole=self.burned == self.burn_in)
            control.report(
                "burn-in",
                method.chains * self.burned,
                "visits",
                total=method.chains * self.burn_in,
                log_score=self._log_score(seen, visits),
            )
        while self.done < method.samples:
            visits = min(pace.block(), method.samples - self.done)
            seen = self._advance(visits, with_arcs=self.with_arcs)
            upto = self.done + seen.per_chain
            for name, visited in self._by_chain(seen, visits).items():
                self._kept()[name][:, self.done : upto] = visited
            self.done = upto
            if seen.stopped is not None:
                return stopped_by(seen.stopped)
            self._save(whole=self.done == method.samples)
            control.report(
                "sampling networks",
                method.chains * self.done,
                "samples",
                total=method.chains * method.samples,
                log_score=self._log_score(seen, visits),
            )
        return None

    def _log_score(self, seen: Seen, visits: int) -> float | None:
        """The mean over the chains of the log weight of their last states; None where one is impossible."""
        last = float(seen.log_weights.reshape(self.method.chains, visits)[:, -1].mean())
        return last if math.isfinite(last) else None

    def _by_chain(self, seen: Seen, visits: int) -> dict[str, NDArray[Any]]:
        """What each chain saw on the visits it made, by name."""
        values: dict[str, NDArray[Any]] = {"log_weights": seen.log_weights, "networks": seen.networks}
        if len(seen.arcs):
            values["arcs"] = seen.arcs
        return {
            name: value.reshape(self.method.chains, visits, *self._kept()[name].shape[2:])[
                :, : seen.per_chain
            ]
            for name, value in values.items()
        }

    def _remember(self, seen: Seen, visits: int) -> None:
        """Keep the last visits of the burn-in, in case that it is interrupted."""
        self.before = [*self.before[-1:], self._by_chain(seen, visits)]

    def _take_burn_in(self) -> None:
        """Count the last visits of an unfinished burn-in as samples: there are no others."""
        self.with_arcs = False
        for name, kept in self._kept().items():
            seen = np.concatenate([block[name] for block in self.before], axis=1)[:, -self.method.samples :]
            self.done = seen.shape[1]
            kept[:, : self.done] = seen

    def _save(self, *, whole: bool) -> None:
        if self.path is None or (time.monotonic() < self.next_save and not whole):
            return
        chains = [
            [chain.state, chain.random, chain.proposed, chain.accepted] for chain in self.sampler.states
        ]
        arrays = {name: kept[:, : self.done] for name, kept in self._kept().items()}
        state = {"burned": self.burned, "done": self.done, "weights": self.checksums, "chains": chains}
        Checkpoint("chains", self.identity, state, arrays).save(self.path)
        self.next_save = time.monotonic() + SAVING

    def account(self, candidates: list[list[int]], evaluations: int, stopped: str | None) -> Sampled:
        names = self.setting.names
        samples = Samples(names, self.log_weights[:, : self.done], self.networks[:, : self.done])
        chains = self.sampler.states
        proposed = sum(chain.proposed for chain in chains)
        accepted = sum(chain.accepted for chain in chains)
        confidence, worst = self._confidence(samples, candidates)
        worth = float(effective_samples(samples.log_weights))
        rhat = float(potential_scale_reduction(samples.log_weights))
        diagnostics = {
            "samples": self.done,
            "chains": self.method.chains,
            "thin": self.thin,
            "burn_in": self.burn_in,
            "rhat_log_weight": rhat,
            "rhat_arcs": worst,
            "effective_samples": confidence.effective_samples,
            "effective_samples_log_weight": worth,
            "acceptance": accepted / proposed if proposed else 1.0,
            "candidate_parents": max(map(len, candidates)),
        }
        warnings = []
        if self.burned < self.burn_in:
            warnings.append(
                f"stopped within the burn-in of {self.burn_in:,} samples a chain: these are its last "
                f"{self.done:,}, which still depend on where the chains began"
            )
        if max(worst, rhat) > 1.05:
            warnings.append(
                f"the chains do not yet agree: R-hat is {worst:.3g} for arcs and {rhat:.3g} for weights, and "
                "should be below 1.05; take more samples"
            )
        if confidence.effective_samples is not None and confidence.effective_samples < 100:
            warnings.append(
                f"the effective sample size is only {confidence.effective_samples:.0f} networks; raise "
                "samples or thin"
            )
        return Sampled(samples, confidence, diagnostics, evaluations, stopped, tuple(warnings))

    def _confidence(self, samples: Samples, candidates: list[list[int]]) -> tuple[Confidence, float]:
        setting, control = self.setting, self.setting.control
        columns = setting.table.names
        arcs = self.arcs[:, : self.done] if self.with_arcs else None
        seen = summarize(ArcSeries(samples.networks, arcs), control)
        at = np.ix_(*[[setting.names.index(name) for name in columns]] * 2)
        # Each direction is averaged given other parts of the state; by chance they can add up to more than 1.
        means = seen.arcs / np.maximum(seen.edges, 1.0)
        rows, which = samples.distinct_rows()
        shares = np.bincount(which.ravel(), minlength=len(rows)) / which.size
        found = Confidence(
            columns,
            np.clip(means, 0.0, 1.0)[at],
            self._source(candidates),
            arc_errors=_off_diagonal(seen.arc_errors[at]),
            edge_errors=_off_diagonal(seen.edge_errors[at]),
            effective_samples=seen.effective_samples,
            **sampled_features.features(rows, shares, setting.names, columns, control),
        )
        return found, seen.rhat

    def _source(self, candidates: list[list[int]]) -> str:
        setting, method = self.setting, self.method
        fewest = min(map(len, candidates))
        limits = ""
        if fewest < len(setting.names) - 1:
            limits += f", parents among at most {max(map(len, candidates))} candidates"
        if method.max_parents is not None:
            limits += f", at most {method.max_parents} parents"
        return (
            f"{method.walk} MCMC, {method.chains} chains of {self.done:,} networks {self.thin} moves apart, "
            f"{setting.prior_in_words(method.over)}{limits}; {setting.score_in_words()}"
        )


def _off_diagonal(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    np.fill_diagonal(matrix, 0.0)
    return matrix
