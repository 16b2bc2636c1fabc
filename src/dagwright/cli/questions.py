"""The questions that `query` asks of a network, and how their answers are printed."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from dagwright.cli import output
from dagwright.errors import OptionError
from dagwright.model import BayesianNetwork, Posterior

NATS_PER_BIT = 0.6931471805599453
Seen = dict[str, Any]


def marginals(answers: Mapping[str, Posterior], *, json: bool) -> None:
    """The probabilities of each node's states, and how they were found unless exactly."""
    if json:
        output.write_json(
            {
                node: {
                    "probabilities": {str(state): p for state, p in answer.items()},
                    "method": answer.method,
                    "error": answer.error,
                    "unsupported": list(answer.unsupported),
                }
                for node, answer in answers.items()
            }
        )
        return
    output.write_grid(
        [("node", "left"), ("state", "left"), ("probability", "right"), ("", "left")],
        [
            (node if at == 0 else "", str(state), f"{p:.6f}", output.bar(p))
            for node, answer in answers.items()
            for at, (state, p) in enumerate(answer.items())
        ],
    )
    for remark in dict.fromkeys(each for answer in answers.values() for each in answer.unsupported):
        output.note(remark)
    approximate = {answer.method for answer in answers.values()} - {"exact"}
    if approximate:
        errors = [answer.error for answer in answers.values() if answer.error is not None]
        size = f"largest standard error {max(errors):.2g}" if errors else "error unknown"
        output.write(f"approximate, by {', '.join(sorted(approximate))}; {size}")


def joint(network: BayesianNetwork, target: list[str] | None, seen: Seen, *, json: bool) -> None:
    """The probability of each combination of the targets' states."""
    if not target:
        raise OptionError("--joint needs targets: name the nodes whose states are asked for together")
    table = network.joint(target, seen).ravel().tolist()
    states = itertools.product(*([str(state) for state in network.states(node)] for node in target))
    found = list(zip(states, table, strict=True))
    if json:
        output.write_json(
            [{"states": dict(zip(target, names, strict=True)), "probability": p} for names, p in found]
        )
        return
    output.write_grid(
        [*((node, "left") for node in target), ("probability", "right"), ("", "left")],
        [(*names, f"{p:.6f}", output.bar(p)) for names, p in found],
    )


def explain(network: BayesianNetwork, target: list[str] | None, seen: Seen, *, json: bool) -> None:
    """The most probable states of the targets together; without targets, of all nodes."""
    found = network.map(target, seen) if target else network.mpe(seen)
    if json:
        output.write_json({"states": {n: str(s) for n, s in found.items()}, "probability": found.probability})
        return
    output.write_grid([("node", "left"), ("state", "left")], [(n, str(s)) for n, s in found.items()])
    output.write(f"\ntogether with probability {found.probability:.6g}")


def informative(
    network: BayesianNetwork, target: list[str] | None, seen: Seen, among: list[str] | None, *, json: bool
) -> None:
    """What to observe next: the mutual information of each node with the one target."""
    if not target or len(target) != 1:
        raise OptionError("--informative takes exactly one target")
    ranked = network.most_informative(target[0], seen, among=among or None)
    if json:
        output.write_json({"target": target[0], "unit": "nats", "information": ranked})
        return
    output.write_grid(
        [("node", "left"), (f"bits about {target[0]}", "right")],
        [(node, f"{nats / NATS_PER_BIT:.4f}") for node, nats in ranked.items()],
    )
