"""Posterior over networks: exact sums of a stated size, samples against these, and samples against sumu.

Exact sums are over the first 16 or 20 variables of alarm, 1,000 rows, scoring of all families included.
Samples of each kind are compared with the exact posterior of the same prior, arc by arc, after a stated
budget.

Against sumu both samplers walk over partitions into layers with BDeu(1), the same candidates (all other
variables of asia and sachs; of child and alarm the eight with most mutual information) and the prior 1 /
C(n - 1, k) for k parents, sumu's own. What counts is independent networks per second, the time before the
first included: the effective samples (Geyer 1992) of the arcs that are neither certain nor impossible,
the median over these arcs, of two independent chains (one that does not move looks quick on its own).
sumu runs four tempered chains and gives the networks of one; where candidates are few it adds single
parents outside them, which it cannot leave out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results

BAR = (
    "exact: 20 variables within 60 s over orders, 16 over networks; samples: within 0.02 of the exact arcs "
    "after 4 chains of 4,000 networks, and at least 2x the effective samples per second of sumu"
)
PEERS = ("dagwright", "sumu")
ROWS = 1000
SPEED = 2.0
SECONDS = {"orders 20": 60.0, "networks 16": 60.0}
NEAR = 0.02
SAMPLERS = ("OrderMCMC", "PartitionMCMC", "StructureMCMC")
CHAINS, SEEDS = 2, 8
BUDGET = {"samples": 4000, "burn_in": 1000, "chains": 4}
CANDIDATES = {"child": 8, "alarm": 8}
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
    for network in ("asia",) if options.quick else ("asia", "sachs", "child", "alarm"):
        sample = draw(network, ROWS)
        arguments = {"sample": str(sample), "candidates": candidates(sample, CANDIDATES.get(network))}
        yield Case(network, arguments, PEERS, repeats=1, timeout=600.0)


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
    method, prior = dw.PartitionMCMC(chains=CHAINS, candidates=given), dw.FanIn(len(names))
    with clock:
        found = posterior(table, method=method, prior=prior, threads=1)
    networks, which = found.samples.distinct()
    at = [found.samples.names.index(name) for name in names]
    turned = networks[:, at][:, :, at]
    parents = [[[p for p in range(len(at)) if one[p, c]] for c in range(len(at))] for one in turned]
    return {"networks": [[parents[number] for number in chain] for chain in which]}


def run_sumu(arguments: Arguments, clock: Clock) -> Answer:
    import tempfile
    from pathlib import Path

    import numpy as np
    import sumu

    from bench.samples import load

    # Its extension, built by Cython 3, hands NumPy a shape with a real number in it.
    whole = np.full
    np.full = lambda shape, *rest, **named: whole(tuple(map(int, np.atleast_1d(shape))), *rest, **named)
    codes = np.column_stack(list(load(arguments["sample"]).codes.values())).astype(np.int32)
    n, most = codes.shape[1], len(arguments["candidates"][0])
    data = sumu.Data(codes)
    chains = []
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
                d=most if most == n - 1 else 1,
                cp_algo="top",  # all others, where they are as many
                cp_path=None if most == n - 1 else str(given),
                mc3_chains=4,
                burn_in=2_000,
                iterations=10_000,
                thinning=5,
                tolerance=2**-32,
            )
            # The steps of its sample(); those that sample follow once for every chain.
            gadget._find_candidate_parents()
            gadget._precompute_scores_for_all_candidate_psets()
            gadget._precompute_candidate_restricted_scoring()
            gadget._precompute_candidate_complement_scoring()
        for seed in range(SEEDS):
            # It breaks off where its weights are not numbers any more; such attempts cost it nothing.
            spent = clock.seconds, clock.cpu_seconds
            np.random.seed(seed)  # noqa: NPY002 - sumu draws from it
            try:
                with clock:
                    gadget._init_mcmc()
                    gadget._run_mcmc()
                    chains.append(gadget._sample_dags()[0])
            except (UnboundLocalError, ValueError):
                clock.seconds, clock.cpu_seconds = spent
            if len(chains) == CHAINS:
                break
    if not chains:
        raise RuntimeError(f"all {SEEDS} chains broke off")
    families = [[{one[0]: one[1] if len(one) > 1 else () for one in dag} for dag in dags] for dags in chains]
    return {"networks": [[[sorted(map(int, dag[v])) for v in range(n)] for dag in dags] for dags in families]}


def worth(chains: list[list[list[list[int]]]]) -> float:
    """The median effective samples of the arcs with a probability from 0.05 to 0.95, over all chains."""
    import numpy as np

    from dagwright.confidence.convergence import effective_samples

    n = len(chains[0][0])
    arcs = np.zeros((len(chains), len(chains[0]), n, n))
    for chain, networks in enumerate(chains):
        for visit, network in enumerate(networks):
            for child, parents in enumerate(network):
                arcs[chain, visit, parents, child] = 1.0
    means = arcs.mean(axis=(0, 1))
    undecided = (means > 0.05) & (means < 0.95)
    return float(np.median(effective_samples(arcs)[undecided])) if undecided.any() else float("nan")


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
        mine = worth(ours.answer["networks"])
        yield Finding(case.name, "effective samples per second", mine / ours.seconds, "")
        theirs = results.get(case.name, "sumu")
        if theirs is None:
            continue
        other = worth(theirs.answer["networks"])
        for unit in ("seconds", "cpu_seconds"):
            rates = [mine / getattr(ours, unit), other / getattr(theirs, unit)]
            bar = SPEED if unit == "cpu_seconds" else None
            word = {"seconds": "second", "cpu_seconds": "processor second"}[unit]
            quantity = f"effective samples per {word}, dagwright / sumu"
            ran = len(theirs.answer["networks"])
            note = "" if ran == CHAINS else f"{ran} of {SEEDS} chains of sumu came to an end"
            yield Finding(case.name, quantity, rates[0] / rates[1], "x", bar, note=note)
