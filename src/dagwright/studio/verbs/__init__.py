"""The verbs of the workers: each takes plain values, calls the library and gives plain values back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dagwright.studio.verbs import data, files, hand, learning, looking, questions, script
from dagwright.studio.verbs.work import Work

__all__ = ["VERBS", "Work"]

VERBS: dict[str, Callable[..., Any]] = {
    "about": files.about,
    "ask": questions.ask,
    "bootstrap": learning.bootstrap_job,
    "check_knowledge": data.check_knowledge,
    "check_method": data.check_method,
    "check_project": files.check_project,
    "code": script.code,
    "compare": looking.comparison,
    "data_report": data.data_report,
    "edge": looking.edge,
    "edit": hand.edit,
    "edit_forecast": hand.edit_forecast,
    "effect": questions.effect,
    "export": files.export,
    "fit": hand.fitted,
    "forecast": learning.forecast_cost,
    "informative": questions.informative,
    "layout": looking.layout,
    "learn": learning.learn_job,
    "made_network": hand.made_network,
    "methods": data.methods,
    "most_probable": questions.most_probable,
    "node": looking.node,
    "picture": files.picture,
    "posterior": learning.posterior_job,
    "predict": learning.predict_job,
    "read_knowledge": data.read_knowledge,
    "report": learning.report_job,
    "rivals": learning.rivals_job,
    "sensitivity": questions.sensitivity,
    "what_if": looking.what_if,
    "write_knowledge": data.write_knowledge,
}
"""The verbs by the names that calls use."""
