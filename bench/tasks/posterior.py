"""Posterior over networks: exact sums of a stated size, samples against these, and samples against sumu.

Exact sums are over the first 16 or 20 variables of alarm, 1,000 rows, scoring of all families included.
Samples of each kind are compared with the exact posterior of the same prior, arc by arc, after a stated
budget.

Against sumu both samplers walk over partitions into layers with BDeu(1), the same candidates and no others
(all other variables of asia and sachs; of child and alarm the eight with most mutual information) and the
prior 1 / C(n - 1, k) for k parents, sumu's own. sumu has the settings that its documentation gives: sixteen
coupled chains, 10,000 steps of burn-in, 10,000 more of which every tenth is kept. Two such runs and two
chains of dagwright are judged alike, by the arcs that dagwright finds neither certain nor impossible: by the
largest R-hat, and by the effective samples (Geyer 1992), the median over the arcs, per second of processor
time with all precomputation. Runs that do not agree (R-hat above 1.1) have no number of effective samples,
so no ratio is given; but a step of sumu is worth at most one sample, which gives a bound.

What sumu is spared: a start whose weight is not a number, from which it never moves, is drawn again, off the
clock. With 1,000 rows of sachs, child or alarm few of its moves are accepted and its runs stay apart; with 50
rows of sachs they agree. With each other, not with the exact posterior: where it splits a layer, 0.1.2 draws
the members of the first part with replacement, of the first layer only one, and its Hastings ratio takes no
account of that.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from bench.task import Case, Clock, Finding, Options, Result, Results

BAR = (
    "exact: 20 variables within 60 s over orders, 16 over networks; samples: within 0.02 of the exact arcs "
    "after 4 chains of 4,000 networks, and at least 2x the effective samples per processor second of sumu"
)
PEERS = ("dagwright", "sumu")
ROWS = 1000
SPEED = 2.0
SECONDS = {"orders 20": 60.0, "networks 16": 60.0}
NEAR = 0.02
SAMPLERS = ("OrderMCMC", "PartitionMCMC", "StructureMCMC")
RUNS = 2
AGREE = 1.1
TEMPERED, STEPS, KEPT = 16, 10_000, 10
BUDGET = {"samples": 4000, "burn_in": 1000, "chains": 4}
CANDIDATES = {"child": 8, "alarm": 8}
AGAINST_SUMU = (("asia", 1000), ("sachs", 50), ("sachs", 1000), ("child", 1000), ("alarm", 1000))
Arguments = dict[str, Any]
Answer = dict[str, Any]


def cases(options: Options) -> Iterable[Case]:
    from bench.samples import draw

    sizes = [("orders", 12), ("networks", 10)] if options.quick else [("orders", 20), ("networks", 16)]
    alarm = str(draw("alarm", ROWS))
    for over, n in sizes:
        yield Case(f"{over} {n}", {"sample": alarm, "over": over, "n": n}, ("dagwright",), repeats=1)
    if not options.quick:
        arguments = {"sample": alarm, "over": "networks", "n": 20}
        yield Case("networks 20", arguments, ("dagwright",), repeats=1, timeout=1800.0)
    for network in ("asia",) if options.quick else ("asia", "sachs"):
        for sampler in SAMPLERS:
            arguments = {"sample": str(draw(network, ROWS)), "sampler": sampler}
            yield Case(f"{network} {sampler}", arguments, ("dagwright",), repeats=1)
    for network, rows in AGAINST_SUMU[:1] if options.quick else AGAINST_SUMU:
        sample = draw(network, rows)
        most = CANDIDATES.get(network)
        arguments = {
            "sample": str(sample),
            "candidates": candidates(sample, most),
            "exact": most is None,
            "steps": STEPS // 10 if options.quick else STEPS,
        }
        yield Case(f"{network}, {rows} rows", arguments, PEERS, repeats=1, timeout=600.0)


def candidates(sample: Any, most: int | None) -> list[list[int]]:
    """For each variable the others with most mutual information with it, all by default."""
    import numpy as np

    from bench.samples import load

    codes = list(load(sample).codes.values())
    n = len(codes)
    shared = np.full((n, n), -np.inf)
    for i in range(n):
        for j in range(i):
            joint = np.zeros((codes[i].max() + 1, codes[j].max() + 1))
            np.add.at(joint, (codes[i], codes[j]), 1.0 / len(codes[i]))
            apart = joint.sum(1, keepdims=True) * joint.sum(0, keepdims=True)
            met = joint > 0
            shared[i, j] = shared[j, i] = float(np.sum(joint[met] * np.log(joint[met] / apart[met])))
    kept = n - 1 if most is None else most
    return [sorted(np.argsort(-row, kind="stable")[:kept].tolist()) for row in shared]


def run_dagwright(arguments: Arguments, clock: Clock) -> Answer:
    import dagwright as dw
    from bench.samples import load

    table = dw.read(load(arguments["sample"]).arrow())
    posterior = dw.posterior
    if "over" in arguments:
        some = dw.read({name: table.decode(name) for name in table.names[: arguments["n"]]})
        exact = dw.ExactPosterior(arguments["over"], also=())
        with clock:
            found = posterior(some, method=exact)
        return {"log_evidence": found.log_evidence}
    if "sampler" in arguments:
        sampler = getattr(dw, arguments["sampler"])(**BUDGET)
        with clock:
            found = posterior(table, method=sampler, random_state=1)
        exact = posterior(table, method=dw.ExactPosterior(sampler.over, also=()))
        largest = found.confidence.compare(exact.confidence).largest
        return {"largest": largest, "rhat": found.diagnostics["rhat_arcs"]}
    names = table.names
    given = {name: [names[p] for p in row] for name, row in zip(names, arguments["candidates"], strict=True)}
    method, prior = dw.PartitionMCMC(chains=RUNS, candidates=given), dw.FanIn(len(names))
    with clock:
        found = posterior(table, method=method, structure_prior=prior, threads=1)
    networks, which = found.samples.distinct()
    at = [found.samples.names.index(name) for name in names]
    turned = networks[:, at][:, :, at]
    parents = [[[p for p in range(len(at)) if one[p, c]] for c in range(len(at))] for one in turned]
    answer: Answer = {"networks": [[parents[number] for number in chain] for chain in which]}
    if arguments["exact"]:
        exact = posterior(table, method=dw.ExactPosterior("networks", also=()), structure_prior=prior)
        answer["exact"] = exact.confidence.arcs.tolist()
    return answer


def run_sumu(arguments: Arguments, clock: Clock) -> Answer:
    import tempfile
    from pathlib import Path

    import numpy as np
    import sumu
    from sumu.mcmc import PartitionMCMC

    from bench.samples import load

    # Its extension, built by Cython 3, hands NumPy a shape with a real number in it.
    whole = np.full
    np.full = lambda shape, *rest, **named: whole(tuple(map(int, np.atleast_1d(shape))), *rest, **named)
    codes = np.column_stack(list(load(arguments["sample"]).codes.values())).astype(np.int32)
    n, most, steps = codes.shape[1], len(arguments["candidates"][0]), arguments["steps"]
    data = sumu.Data(codes)
    runs, proposed, accepted = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        given = Path(folder) / "candidates"
        given.write_text("\n".join(" ".join(map(str, row)) for row in arguments["candidates"]))
        with clock:
            gadget = sumu.Gadget(
                data=data,
                scoref="bdeu",
                ess=1,
                max_id=-1,
                K=most,
                d=most if most == n - 1 else 0,  # 0: no parents outside the candidates
                cp_algo="top",  # all others, where they are as many
                cp_path=None if most == n - 1 else str(given),
                mc3_chains=TEMPERED,
                burn_in=steps,
                iterations=steps,
                thinning=KEPT,
                tolerance=2**-32,
            )
            # The steps of its sample(), but no parents outside the candidates; the rest is for each run.
            gadget._find_candidate_parents()
            gadget._precompute_scores_for_all_candidate_psets()
            gadget._precompute_candidate_restricted_scoring()
            gadget.c_c_score = None
        for seed in range(RUNS):
            np.random.seed(seed)  # noqa: NPY002 - sumu draws from it
            gadget._init_mcmc()
            chains = gadget.mcmc.chains
            for at, chain in enumerate(chains):
                while not np.isfinite(chains[at].R_node_scores).all():
                    chains[at] = PartitionMCMC(
                        gadget.C, gadget.score, gadget.d, temperature=chain.temp, stats=gadget.stats
                    )
            with clock:
                gadget._run_mcmc()
                runs.append(gadget._sample_dags()[0])
            for move in gadget.stats["PartitionMCMC"][1.0].values():
                proposed += sum(one["n"] for one in move.values())
                accepted += sum(one["accepted"] for one in move.values())
    families = [[{one[0]: one[1] if len(one) > 1 else () for one in dag} for dag in dags] for dags in runs]
    return {
        "networks": [[[sorted(map(int, dag[v])) for v in range(n)] for dag in dags] for dags in families],
        "accepted": accepted / proposed,
        "steps": RUNS * steps,
    }


def arcs_of(runs: list[list[list[list[int]]]]) -> Any:
    """Networks as (runs, draws, parent, child)."""
    import numpy as np

    n = len(runs[0][0])
    arcs = np.zeros((len(runs), len(runs[0]), n, n))
    for run, networks in enumerate(runs):
        for draw, network in enumerate(networks):
            for child, parents in enumerate(network):
                arcs[run, draw, parents, child] = 1.0
    return arcs


@dataclass(frozen=True)
class Judged:
    """What runs are worth by some arcs: median effective samples, largest R-hat and disagreement."""

    samples: float
    rhat: float
    apart: float

    @staticmethod
    def of(arcs: Any, which: Any) -> Judged:
        import numpy as np

        from dagwright.confidence.convergence import effective_samples, potential_scale_reduction

        asked = arcs[..., which]
        means = asked.mean(axis=1)
        return Judged(
            float(np.median(effective_samples(asked))),
            float(np.max(potential_scale_reduction(asked))),
            float(np.max(means.max(axis=0) - means.min(axis=0))),
        )


def against_sumu(case: Case, ours: Result, theirs: Result | None) -> Iterable[Finding]:
    import numpy as np

    arcs = {"dagwright": arcs_of(ours.answer["networks"])}
    rates = {}
    if theirs is not None:
        arcs["sumu"] = arcs_of(theirs.answer["networks"])
    means = arcs["dagwright"].mean(axis=(0, 1))
    undecided = (means > 0.05) & (means < 0.95)
    for peer, run in (("dagwright", ours), ("sumu", theirs)):
        if run is None:
            continue
        judged = Judged.of(arcs[peer], undecided)
        agree = judged.rhat <= AGREE
        # Infinite where an arc is the same throughout each run and differs between them.
        if np.isfinite(judged.rhat):
            bar = AGREE if peer == "dagwright" else None
            yield Finding(case.name, f"{peer}: R-hat", judged.rhat, "", at_most=bar)
        yield Finding(case.name, f"{peer}: an arc between runs", judged.apart, "", note="largest difference")
        if "exact" in ours.answer:
            off = float(np.abs(arcs[peer].mean(axis=(0, 1)) - ours.answer["exact"]).max())
            yield Finding(case.name, f"{peer}: an arc from the exact", off, "", note="largest difference")
        rates[peer] = judged.samples / run.cpu_seconds if agree else np.nan
        if agree:
            yield Finding(case.name, f"{peer}: effective samples per processor second", rates[peer], "")
    if theirs is None:
        return
    yield Finding(case.name, "sumu: accepted moves", theirs.answer["accepted"], "")
    quantity = "effective samples per processor second, dagwright / sumu"
    if np.isfinite(rates["sumu"]):
        yield Finding(case.name, quantity, rates["dagwright"] / rates["sumu"], "x", SPEED)
    bound = rates["dagwright"] * theirs.cpu_seconds / theirs.answer["steps"]
    note = "as if each step of sumu after its burn-in were worth a sample"
    yield Finding(case.name, f"{quantity}, at least", bound, "x", SPEED, note=note)


def findings(results: Results) -> Iterable[Finding]:
    for case in results.cases():
        ours = results.get(case.name, "dagwright")
        if ours is None:
            continue
        if "over" in case.arguments:
            yield Finding(case.name, "seconds", ours.seconds, "s", at_most=SECONDS.get(case.name))
            continue
        if "sampler" in case.arguments:
            yield Finding(case.name, "seconds", ours.seconds, "s")
            yield Finding(case.name, "largest difference of an arc", ours.answer["largest"], "", at_most=NEAR)
            yield Finding(case.name, "R-hat", ours.answer["rhat"], "")
            continue
        yield from against_sumu(case, ours, results.get(case.name, "sumu"))
