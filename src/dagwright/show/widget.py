"""The interactive network of notebooks: evidence by clicks and sliders (needs the extra ``notebook``)."""

from __future__ import annotations

import importlib
from collections.abc import Hashable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from dagwright.errors import DagwrightError, OptionError
from dagwright.model import BayesianNetwork
from dagwright.sentences import Argument
from dagwright.show.bars import network_of
from dagwright.show.drawing import draw


def explore(network: Any, evidence: Mapping[str, Any] | None = None, **options: Any) -> Any:
    """A widget that shows the probabilities of every state and lets you observe states.

    Click a bar to observe its state, again to take it back; the sliders under the picture enter how likely
    an uncertain observation is under each state. The widget's ``observed`` is the evidence as `query`
    takes it.

    Parameters
    ----------
    network
        A network, or a result of `learn` that still has its data.
    evidence
        What is observed at the start.
    options
        Those of `draw`, such as ``direction="right"`` or ``around="lung"``.
    """
    for taken in ("evidence", "bars", "path", "compare", "clusters"):
        if taken in options:
            raise OptionError("explore() sets ", Argument(taken), " itself; leave it out")
    return _widget_class()(network_of(network), evidence, options)


@cache
def _widget_class() -> Any:
    try:
        anywidget = importlib.import_module("anywidget")
        traitlets = importlib.import_module("traitlets")
    except ImportError:
        raise OptionError(
            "explore() needs anywidget; install it with pip install 'dagwright[notebook]', or use draw()"
        ) from None

    class NetworkExplorer(anywidget.AnyWidget):  # type: ignore[misc, name-defined]
        """A picture that follows the evidence; the browser's half is widget.js."""

        _esm = (files("dagwright.show") / "widget.js").read_text(encoding="utf-8")
        picture = traitlets.Unicode("").tag(sync=True)
        states = traitlets.Dict().tag(sync=True)
        evidence = traitlets.Dict().tag(sync=True)
        probability = traitlets.Float(None, allow_none=True).tag(sync=True)
        problem = traitlets.Unicode("").tag(sync=True)

        def __init__(
            self, network: BayesianNetwork, evidence: Mapping[str, Any] | None, options: dict[str, Any]
        ) -> None:
            self._network, self._options = network, options
            shown = {
                node: [str(state) for state in network.states(node)]
                for node in network.nodes
                if node not in network.gaussians
            }
            super().__init__(states=shown, evidence=_numbered(network, evidence or {}))
            self._draw()
            self.observe(lambda _: self._draw(), names="evidence")

        @property
        def observed(self) -> dict[str, Any]:
            """The evidence by states, as `query` takes it."""
            return _named(self._network, self.evidence)

        def _draw(self) -> None:
            """A new picture; impossible evidence keeps the old one and says what is wrong."""
            try:
                observed = self.observed
                image = draw(self._network, bars=True, evidence=observed or None, **self._options)
                probability = self._network.evidence_probability(observed) if observed else None
            except DagwrightError as problem:
                self.problem = str(problem)
                return
            self.problem = ""
            self.probability = probability
            self.picture = image.svg

    return NetworkExplorer


def _numbered(network: BayesianNetwork, evidence: Mapping[str, Any]) -> dict[str, int | list[float]]:
    """Evidence for the browser: numbers of states, or a likelihood for each state in order."""
    result: dict[str, int | list[float]] = {}
    for node, value in evidence.items():
        if isinstance(value, Mapping):
            likelihoods = {network.code(node, state): float(one) for state, one in value.items()}
            result[node] = [likelihoods.get(at, 0.0) for at in range(network.cardinality(node))]
        else:
            result[node] = network.code(node, value)
    return result


def _named(network: BayesianNetwork, evidence: Mapping[str, Any]) -> dict[str, Any]:
    """The evidence that the browser sent, by states; it is checked, because a browser may send anything."""
    result: dict[str, Hashable | dict[Hashable, float]] = {}
    for node, value in evidence.items():
        states = network.states(node)
        if isinstance(value, list):
            if len(value) != len(states):
                raise OptionError(f"node {node!r} has {len(states)} states, not {len(value)}")
            result[node] = {state: float(one) for state, one in zip(states, value, strict=True)}
        elif isinstance(value, int) and 0 <= value < len(states):
            result[node] = states[value]
        else:
            raise OptionError(f"node {node!r} has no state number {value!r}")
    return result
