"""The questions that `query` asks of a network, and how their answers are printed."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from dagwright.cli import output
from dagwright.data.bins import value_on
from dagwright.errors import OptionError
from dagwright.model import BayesianNetwork, NumericJoint, NumericPosterior, Posterior

NATS_PER_BIT = 0.6931471805599453
Seen = dict[str, Any]


def marginals(answers: Mapping[str, Posterior | NumericPosterior], *, json: bool) -> None:
    """The distribution of each node, and how it was found unless exactly."""
    if json:
        output.write_json({node: _facts(answer) for node, answer in answers.items()})
        return
    states = {node: answer for node, answer in answers.items() if isinstance(answer, Posterior)}
    numbers = {node: answer for node, answer in answers.items() if isinstance(answer, NumericPosterior)}
    if states or not numbers:
        output.write_grid(
            [("node", "left"), ("state", "left"), ("probability", "right"), ("", "left")],
            [
                (node if at == 0 else "", str(state), f"{p:.6f}", output.bar(p))
                for node, answer in states.items()
                for at, (state, p) in enumerate(answer.items())
            ],
        )
    if numbers:
        heads = ("mean", "sd", "2.5 %", "97.5 %")
        output.write_grid(
            [("node", "left"), *((head, "right") for head in heads)],
            [
                (node, answer.shown(answer.mean), answer.shown_sd, *map(answer.shown, answer.interval()))
                for node, answer in numbers.items()
            ],
        )
    for remark in dict.fromkeys(each for answer in states.values() for each in answer.unsupported):
        output.note(remark)
    approximate = {answer.method for answer in answers.values()} - {"exact"}
    if approximate:
        errors = [answer.error for answer in answers.values() if answer.error is not None]
        size = f"largest standard error {max(errors):.2g}" if errors else "error unknown"
        output.write(f"approximate, by {', '.join(sorted(approximate))}; {size}")


def _facts(answer: Posterior | NumericPosterior) -> dict[str, Any]:
    """An answer as JSON values."""
    how = {"method": answer.method, "error": answer.error}
    if isinstance(answer, Posterior):
        shares = {str(state): p for state, p in answer.items()}
        return {"probabilities": shares, **how, "unsupported": list(answer.unsupported)}
    mean, *interval = (_plain(value_on(x, answer.scale)) for x in (answer.mean, *answer.interval()))
    return {"mean": mean, "sd": answer.sd, "interval": interval, **how}


def _plain(value: Any) -> Any:
    """A number as it is; states and dates as text."""
    return value if isinstance(value, float) else str(value)


def joint(network: BayesianNetwork, target: list[str] | None, seen: Seen, *, json: bool) -> None:
    """The probability of each combination of the targets' states."""
    if not target:
        raise OptionError("--joint needs targets: name the nodes whose states are asked for together")
    found_together = network.joint(target, seen)
    if isinstance(found_together, NumericJoint):
        if json:
            mean = {
                node: _plain(value_on(x, network.scale(node)))
                for node, x in zip(target, found_together.mean.tolist(), strict=True)
            }
            output.write_json({"mean": mean, "covariance": found_together.covariance.tolist()})
        else:
            output.write(str(found_together))
        return
    table = found_together.ravel().tolist()
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
        states = {n: _plain(s) if n in network.gaussians else str(s) for n, s in found.items()}
        output.write_json({"states": states, "probability": found.probability})
        return
    number = {n for n in network.gaussians if network.scale(n) == "number"}
    shown = [(n, f"{s:.6g}" if n in number else str(s)) for n, s in found.items()]
    output.write_grid([("node", "left"), ("state", "left")], shown)
    dense = any(node in network.gaussians for node in found)
    output.write(f"\ntogether with {'density' if dense else 'probability'} {found.probability:.6g}")


def informative(
    network: BayesianNetwork, target: list[str] | None, seen: Seen, among: list[str] | None, *, json: bool
) -> None:
    """Suggest what to observe next: the mutual information of each node with the one target."""
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
