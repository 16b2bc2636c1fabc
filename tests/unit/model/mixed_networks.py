"""Random networks with continuous nodes, and every answer by enumerating the discrete configurations."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import dagwright as dw

Floats = NDArray[np.float64]
FIGURES = Path(__file__).with_name("figures")


def random_mixed(seed: int, discrete: int, continuous: int, certain: float = 0.2) -> dw.BayesianNetwork:
    """A conditional linear Gaussian network with up to three parents per node."""
    random = np.random.default_rng(seed)
    states = {f"d{i}": list(range(int(random.integers(2, 4)))) for i in range(discrete)}
    numbers = [f"x{i}" for i in range(continuous)]
    tables: dict[str, Any] = {}
    parents: dict[str, list[str]] = {}
    names = list(states)
    for i, node in enumerate(names):
        parents[node] = sorted(
            random.choice(names[:i], min(i, int(random.integers(0, 3))), replace=False).tolist()
        )
        shape = [len(states[parent]) for parent in parents[node]]
        tables[node] = random.dirichlet(np.ones(len(states[node])), size=shape)
    for i, node in enumerate(numbers):
        given = random.choice(names, min(discrete, int(random.integers(0, 3))), replace=False).tolist()
        others = random.choice(numbers[:i], min(i, int(random.integers(0, 4))), replace=False).tolist()
        shape = [len(states[parent]) for parent in given]
        sd = random.uniform(0.3, 2.0, shape) * (random.random(shape) >= certain)
        tables[node] = dw.LinearGaussian(
            random.normal(0, 2, shape), {p: random.normal(0, 1, shape) for p in others}, sd, given=given
        )
        parents[node] = [*given, *others]
    graph = dw.Dag([*names, *numbers], [(p, node) for node, known in parents.items() for p in known])
    return dw.BayesianNetwork(graph, states, tables, parents={node: parents[node] for node in names})


def one_row(network: dw.BayesianNetwork, seed: int) -> dict[str, Any]:
    """A row drawn along the arcs, without the library's sampler."""
    random = np.random.default_rng(seed)
    row: dict[str, Any] = {}
    for node in network.graph.topological_order():
        if node in network.gaussians:
            own = network.gaussians[node]
            place = tuple(network.code(parent, row[parent]) for parent in own.given)
            mean = own.intercept[place] + sum(c[place] * row[p] for p, c in own.coefficients.items())
            row[node] = float(mean + own.sd[place] * random.normal())
        else:
            place = tuple(network.code(parent, row[parent]) for parent in network.parents(node))
            chances = network.table(node)[place]
            row[node] = network.states(node)[random.choice(len(chances), p=chances)]
    return row


class Enumerated:
    """The posterior as a mixture over all configurations of the discrete nodes.

    Numbers are conditioned on one after the other by the covariance matrix.
    """

    def __init__(self, network: dw.BayesianNetwork, evidence: Mapping[str, Any]) -> None:
        self.network = network
        self.numbers = [node for node in network.graph.topological_order() if node in network.gaussians]
        self.states = [node for node in network.nodes if node not in network.gaussians]
        logs, atoms, self.cases, self.moments = [], [], [], []
        for case in itertools.product(*(range(network.cardinality(node)) for node in self.states)):
            codes = dict(zip(self.states, case, strict=True))
            weight, certain, mean, covariance = self._case(codes, evidence)
            self.cases.append(codes)
            logs.append(weight)
            atoms.append(certain)
            self.moments.append((mean, covariance))
        log, atom = np.array(logs), np.array(atoms)
        most = atom[np.isfinite(log)].max()
        log = np.where(atom == most, log, -np.inf)
        self.log_evidence = float(log.max() + math.log(np.exp(log - log.max()).sum()))
        self.weights = np.exp(log - self.log_evidence)

    def _case(self, codes: dict[str, int], evidence: Mapping[str, Any]) -> tuple[float, int, Floats, Floats]:
        network = self.network
        log = 0.0
        for node in self.states:
            chances = network.table(node)[tuple(codes[p] for p in network.parents(node))]
            log += math.log(chances[codes[node]]) if chances[codes[node]] > 0 else -math.inf
            given = evidence.get(node)
            if isinstance(given, list):
                log += math.log(given[codes[node]]) if given[codes[node]] > 0 else -math.inf
            elif given is not None and network.code(node, given) != codes[node]:
                log = -math.inf
        n = len(self.numbers)
        mean, factor = np.zeros(n), np.zeros((n, n))
        for i, node in enumerate(self.numbers):
            own = network.gaussians[node]
            place = tuple(codes[p] for p in own.given)
            mean[i] = own.intercept[place]
            factor[i, i] = own.sd[place]
            for parent, values in own.coefficients.items():
                j = self.numbers.index(parent)
                mean[i] += values[place] * mean[j]
                factor[i] += values[place] * factor[j]
        covariance = factor @ factor.T
        certain = 0
        for i, node in enumerate(self.numbers):
            if node not in evidence:
                continue
            off, variance = evidence[node] - mean[i], covariance[i, i]
            if variance > 1e-10:
                log -= 0.5 * (math.log(2 * math.pi * variance) + off * off / variance)
                gain = covariance[:, i] / variance
                mean = mean + gain * off
                covariance = covariance - np.outer(gain, covariance[i])
            elif abs(off) < 1e-7:
                certain += 1
            else:
                log = -math.inf
        return log, certain, mean, covariance

    def chances(self, node: str) -> Floats:
        found = np.zeros(self.network.cardinality(node))
        for weight, codes in zip(self.weights, self.cases, strict=True):
            found[codes[node]] += weight
        return found

    def joint(self, nodes: list[str]) -> tuple[Floats, Floats]:
        """Mean vector and covariance matrix of continuous nodes."""
        at = [self.numbers.index(node) for node in nodes]
        mean = sum(w * m[at] for w, (m, _) in zip(self.weights, self.moments, strict=True))
        second = sum(
            w * (c[np.ix_(at, at)] + np.outer(m[at] - mean, m[at] - mean))
            for w, (m, c) in zip(self.weights, self.moments, strict=True)
        )
        return np.asarray(mean), np.asarray(second)


def sangiovese() -> dw.BayesianNetwork:
    """The network of a vineyard: one treatment with 16 levels and 14 measurements."""
    document = json.loads((FIGURES / "sangiovese.json").read_text(encoding="utf-8"))
    states, tables, edges = {}, {}, []
    for node, entry in document.items():
        if entry["kind"] == "discrete":
            states[node] = entry["dimnames"][0]
            tables[node] = np.array(entry["prob_column_major"]) / sum(entry["prob_column_major"])
            continue
        if entry["kind"] == "gaussian":
            coefficients = dict(entry["coefficients"])
            own = dw.LinearGaussian(coefficients.pop("(Intercept)"), coefficients, entry["sd"])
        else:
            given, others = _listed(entry["discrete_parents"]), _listed(entry["continuous_parents"])
            columns = np.array([np.atleast_1d(v) for v in entry["coefficients_by_configuration"].values()])
            named = dict(zip(_listed(entry["coefficients_rows"]), columns.T, strict=True))
            intercept = named.pop("(Intercept)")
            assert sorted(named) == sorted(others)
            own = dw.LinearGaussian(intercept, named, entry["sd_by_configuration"], given=given)
        tables[node] = own
        edges += [(parent, node) for parent in own.parents]
    return dw.BayesianNetwork(dw.Dag(list(document), edges), states, tables)


def _listed(given: Any) -> list[str]:
    return [given] if isinstance(given, str) else list(given)
