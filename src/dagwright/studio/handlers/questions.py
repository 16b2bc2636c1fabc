"""Step 5: questions to a network."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

from dagwright.studio.answers import questions as of_questions
from dagwright.studio.calls import Address, Call, Handler
from dagwright.studio.state import StateOrLikelihoods

BASE = "/api/projects/{project}/ask"


class Asked(TypedDict):
    model: str
    evidence: NotRequired[dict[str, StateOrLikelihoods]]
    interventions: NotRequired[dict[str, StateOrLikelihoods]]


class ExplanationAsked(Asked):
    targets: NotRequired[list[str] | None]


class InformationAsked(Asked):
    target: str
    among: NotRequired[list[str] | None]


class SensitivityAsked(Asked):
    target: str
    state: str


class EffectAsked(TypedDict):
    model: str
    cause: str
    effect: str


def _asks(verb: str, *further: str) -> Handler:
    """A handler that hands a question about evidence to a worker."""

    def handler(call: Call) -> Any:
        arguments = {
            "network": call.studio.network(call.project, call.body["model"]),
            "evidence": call.body.get("evidence", {}),
            "interventions": call.body.get("interventions", {}),
            **{field: call.body.get(field) for field in further},
        }
        return call.studio.models.call(verb, arguments)

    return handler


def effect(call: Call) -> Any:
    network = call.studio.network(call.project, call.body["model"])
    arguments = {"network": network, "cause": call.body["cause"], "effect": call.body["effect"]}
    return call.studio.models.call("effect", arguments)


ADDRESSES = (
    Address(
        "POST", BASE, _asks("ask"), "All marginals given evidence", answer=of_questions.Answer, body=Asked
    ),
    Address(
        "POST",
        f"{BASE}/mpe",
        _asks("most_probable", "targets"),
        "The most probable explanation",
        answer=of_questions.Explanation,
        body=ExplanationAsked,
    ),
    Address(
        "POST",
        f"{BASE}/informative",
        _asks("informative", "target", "among"),
        "What to observe next",
        answer=of_questions.Informative,
        body=InformationAsked,
    ),
    Address(
        "POST",
        f"{BASE}/sensitivity",
        _asks("sensitivity", "target", "state"),
        "The table entries that matter most",
        answer=of_questions.Sensitivity,
        body=SensitivityAsked,
    ),
    Address(
        "POST",
        f"{BASE}/effect",
        effect,
        "What setting a node does to another",
        answer=of_questions.Effect,
        body=EffectAsked,
    ),
)
