"""Pseudo-counts a_ijk of a family under the priors that `fit` takes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dagwright.defaults import usual_parameter_prior
from dagwright.errors import OptionError, unknown_name
from dagwright.evidence.bayesian import BDe, BDeu, BDs, DirichletScore, K2Score
from dagwright.evidence.counting import Counting
from dagwright.evidence.criteria import Score
from dagwright.evidence.priors import as_joint
from dagwright.graph.dag import Dag
from dagwright.methods.method_like import as_method
from dagwright.model.tables.checks import Floats, own_counts
from dagwright.sentences import Argument

SMOOTHING = usual_parameter_prior()
"""The prior of parameters unless another is named: uniform, worth one row, so that no state is impossible."""
WITH_PRIOR = (K2Score, BDeu, BDs, DirichletScore, BDe)

# Given the child, its parents and its counts N_ijk: pseudo-counts that broadcast to the counts, or None.
PseudoCounts = Callable[[str, tuple[str, ...], Floats], ArrayLike | None]


def pseudo_counts(spec: Any, graph: Dag, counting: Counting) -> PseudoCounts:
    """The rule that a prior stands for.

    Scores of marginal likelihood bring their own prior, so that parameters and structure rest on the same
    one; penalized likelihoods bring none.
    """
    spec = as_method(spec, "parameter_prior", "score")
    if spec is None:
        return _none
    if isinstance(spec, K2Score):
        return lambda *_: 1.0
    if isinstance(spec, BDeu):
        return lambda _child, _parents, counts: spec.ess / counts.size
    if isinstance(spec, BDs):
        return lambda _child, _parents, counts: _on_seen(spec.ess, counts)
    if isinstance(spec, DirichletScore):
        return _free(spec.alpha)
    if isinstance(spec, BDe):
        joint = as_joint(spec.prior, counting)
        return lambda child, parents, _: spec.ess * np.asarray(joint.marginal([*parents, child]))
    if isinstance(spec, Score):
        return _none
    if isinstance(spec, Mapping):
        return _mapped(spec, graph)
    if isinstance(spec, int | float) and not isinstance(spec, bool):
        if not (math.isfinite(spec) and spec >= 0):
            raise OptionError(f"pseudo-counts must be finite and not negative, not {spec}")
        return _none if spec == 0 else lambda *_: float(spec)
    raise OptionError(
        Argument("parameter_prior", spec),
        " is not a prior: give None (maximum likelihood), a number per cell, arrays by node, or a score "
        "such as BDeu(ess=10), K2Score() or BDe(network, ess)",
    )


def prior_of(score: Any) -> Score:
    """The prior that goes with a score: its own if it has one, else `SMOOTHING`."""
    return score if isinstance(score, WITH_PRIOR) else SMOOTHING


def _none(_child: str, _parents: tuple[str, ...], _counts: Floats) -> None:
    return None


def _on_seen(ess: float, counts: Floats) -> Floats:
    """ess / (r q') on the q' configurations that occur, 0 on the others (Scutari 2016)."""
    seen = counts.sum(axis=-1, keepdims=True) > 0
    return np.where(seen, ess / (counts.shape[-1] * max(int(seen.sum()), 1)), 0.0)


def _free(alpha: Any) -> PseudoCounts:
    if callable(alpha):
        return lambda child, parents, _: alpha(child, parents)
    return lambda *_: float(alpha)


def _mapped(arrays: Mapping[str, ArrayLike], graph: Dag) -> PseudoCounts:
    for node in arrays:
        if node not in graph:
            raise unknown_name("node", node, graph.nodes)
    return lambda child, _parents, _counts: arrays.get(child)


def checked_pseudo_counts(node: str, given: ArrayLike | None, shape: tuple[int, ...]) -> Floats | None:
    """Pseudo-counts in the shape of the counts, or None."""
    if given is None:
        return None
    return own_counts(node, "pseudo-counts", given, shape, broadcast=True)


def expected_pseudo_counts(
    rule: PseudoCounts, node: str, parents: tuple[str, ...], shape: tuple[int, ...]
) -> Floats | None:
    """Pseudo-counts for expected counts, in their shape: every configuration occurs a little."""
    alpha = checked_pseudo_counts(node, rule(node, parents, np.ones(shape)), shape)
    return None if alpha is None else np.broadcast_to(alpha, shape)
