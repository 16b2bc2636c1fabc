"""The Python script and the commands that do what led to the result on the canvas."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from dagwright.data import CutPoints
from dagwright.methods.notation import as_code
from dagwright.studio.verbs.commands import Commands
from dagwright.studio.verbs.edits_as_code import edit_lines
from dagwright.studio.verbs.models import in_states, network_of
from dagwright.studio.verbs.rows import Settings, knowledge_of, reading_options, source_of
from dagwright.studio.verbs.work import Work

METHOD = re.compile(r"\b(?=[A-Z]\w*\()")
IGNORING = 'impossible="missing", unknown_states="ignore"'
SAVED = "network.json"
"""The file that the scripts and the commands call a network by."""
Step = dict[str, Any]


def code(
    work: Work,  # noqa: ARG001
    *,
    steps: list[Step],
    network: str | None,
    evidence: dict[str, Any],
    interventions: dict[str, Any],
) -> dict[str, str]:
    """The script and the commands for the steps to a result and a question to its network."""
    asked: dict[str, Any] = {"evidence": evidence, "interventions": interventions}
    if network is not None:
        model = network_of(network)
        asked = {
            name: in_states(model, {node: value for node, value in given.items() if node in model.nodes})
            for name, given in asked.items()
        }
    numeric = network is not None and bool(network_of(network).gaussians)
    script, commands = Script(), Commands(numeric=numeric, asked=any(asked.values()))
    for step in steps:
        given = _with_rows(step) if "settings" in step else step
        getattr(script, step["do"])(given)
        getattr(commands, step["do"])(given)
    if steps:
        script.ask(**asked)
        commands.ask(**asked)
    return {"python": script.text, "command": commands.text}


def _with_rows(step: Step) -> Step:
    """A step with the name of its rows and the options of reading and learning."""
    settings: Settings = step["settings"]
    file = source_of(step["source"])
    origin = step["origin"]
    options = {name: value for name, value in step.get("options", {}).items() if value is not None}
    return {
        **step,
        "rows": origin if origin is not None and origin.startswith("sample:") else file.name,
        "reading": reading_options(file, settings),
        "how": {**settings["learn"], **options},
    }


@dataclass
class Script:
    """Lines of Python, one step after another."""

    lines: list[str] = field(default_factory=list)
    imports: set[str] = field(default_factory=set)
    read: str = ""
    knowledge: str = ""
    known: str = ""
    """The variable that holds the model: `found` or `network`."""
    by_hand: bool = False

    @property
    def text(self) -> str:
        """The whole script."""
        lines = self.lines
        if self.by_hand:
            lines = [*lines, f"dw.save(network, {SAVED!r})"]
        return "\n".join([*sorted(self.imports), "import dagwright as dw", "", *lines]) + "\n"

    def learn(self, step: Step) -> None:
        """Learn from rows."""
        self._rows(step)
        begin = ["start=found"] if self.known == "found" and step["how"].get("start") else []
        options = _chosen(step["how"], "search", "score", "structure_prior", "time_limit", "seed", "threads")
        usual = ("search=dw.Auto()", "random_state=0")
        told = [one for one in options if one not in usual]
        self.lines.append(f"found = dw.learn({', '.join(['rows', *begin, *told, *self._known(step)])})")
        self.lines.append("print(found)")
        self.known = "found"

    def bootstrap(self, step: Step) -> None:
        """Learn again from resampled rows."""
        names = ("replicates", "draw", "search", "score", "structure_prior", "time_limit", "seed", "threads")
        self._of_rows("confidence = dw.bootstrap", step, names)

    def posterior(self, step: Step) -> None:
        """The posterior over networks."""
        names = ("method", "score", "structure_prior", "time_limit", "seed", "threads")
        self._of_rows("posterior = dw.posterior", step, names)

    def rivals(self, step: Step) -> None:
        """The networks within a Bayes factor."""
        names = ("bayes_factor", "max_parents", "score", "structure_prior", "time_limit", "threads")
        how = {"bayes_factor": 10.0, **step["how"]}
        self._of_rows("rivals = dw.credible_set", {**step, "how": how}, names)

    def _of_rows(self, call: str, step: Step, names: tuple[str, ...]) -> None:
        self._rows(step)
        options = ", ".join(["rows", *_chosen(step["how"], *names), *self._known(step)])
        self.lines += ["", f"{call}({options})", f"print({call.partition(' ')[0]})"]

    def predict(self, step: Step) -> None:
        """One column of each row of a file."""
        self._network()
        origin = step["origin"] or ""
        file = repr(step["name"])
        if origin.startswith("sample:"):
            file = f"dw.sample_path({origin.removeprefix('sample:')!r})"
        reading = "".join(f", {name}={_written(value)}" for name, value in step["reading"].items())
        ways = 'absent="leave out", unknown_states="ignore"'
        target = step["options"]["target"]
        self.lines += [
            "",
            f"new_rows = network.template.encode({file}, {ways}{reading})",
            f"predicted = network.predict(new_rows, {target!r}, {IGNORING})",
            "print(predicted)",
        ]

    def builtin(self, step: Step) -> None:
        """A network that comes with the library."""
        self._load(step["name"])

    file = builtin
    """A network from a file."""

    def empty(self, step: Step) -> None:
        """A network without nodes."""
        self.imports.add("from dagwright.model import editing")
        self.lines.append(f"network = editing.empty_network({step['name']!r})")
        self.known = "network"

    def saved(self, step: Step) -> None:
        """A network of which the project does not tell how it was made."""
        self.lines.append(f"# {step['name']}: download it as json under Take away")
        self._load(SAVED)

    def copy(self, step: Step) -> None:  # noqa: ARG002
        """The network of a learned result."""
        self._network()

    def edit(self, step: Step) -> None:
        """Changes by hand."""
        self._network()
        for change in step["edits"]:
            lines = edit_lines(change)
            self.lines += lines
            if any("editing." in line for line in lines):
                self.imports.add("from dagwright.model import editing")
            if any("np." in line for line in lines):
                self.imports.add("import numpy as np")
        self.by_hand = True

    def fit(self, step: Step) -> None:
        """Tables from rows."""
        self._network()
        self._rows(step)
        rows = "rows.discretized()" if step["discretized"] else "rows"
        missing = "" if step["missing"] is None else f", missing={step['missing']!r}"
        self.lines.append(f"network = dw.fit(network.graph, {rows}{missing})")
        self.by_hand = True

    def ask(self, *, evidence: dict[str, Any], interventions: dict[str, Any]) -> None:
        """All probabilities given what is known, and the most probable explanation."""
        if not evidence and not interventions and self.known != "network":
            return
        self._network()
        receiver = f"network.do({interventions!r})" if interventions else "network"
        given = repr(evidence) if evidence else ""
        self.lines += ["", f"answer = {receiver}.marginals({given})", "print(answer)"]
        if evidence or interventions:
            self.lines += [f"explanation = {receiver}.mpe({given or '{}'})", "print(explanation)"]

    def _load(self, name: str) -> None:
        self.lines.append(f"network = dw.load({name!r})")
        self.known = "network"

    def _network(self) -> None:
        if self.known == "found":
            self.lines.append("network = found.network()")
        self.known = "network"

    def _rows(self, step: Step) -> None:
        """The rows of a step, read again only where that differs from before."""
        read = "".join(f", {name}={_written(value)}" for name, value in step["reading"].items())
        line = f"rows = dw.read({step['rows']!r}{read})"
        if line != self.read:
            self.lines.append(line)
            self.read = line
        knowledge = knowledge_of(step["settings"])
        line = f"knowledge = {METHOD.sub('dw.', repr(knowledge))}" if knowledge else ""
        if line and line != self.knowledge:
            self.lines.append(line)
            self.knowledge = line

    @staticmethod
    def _known(step: Step) -> list[str]:
        settings = step["settings"]
        known = ["knowledge=knowledge"] if knowledge_of(settings) else []
        return known + ([] if settings["missing"] is None else [f"missing={settings['missing']!r}"])


def _chosen(how: dict[str, Any], *names: str) -> list[str]:
    """The arguments of these names that have a value."""
    return [
        f"{'random_state' if name == 'seed' else name}={_method(how[name])}"
        for name in names
        if how.get(name) is not None
    ]


def _method(value: Any) -> str:
    """A method as an expression; a word such as "auto" stays a text."""
    if not isinstance(value, str):
        return repr(value)
    return METHOD.sub("dw.", value) if "(" in value else repr(value)


def _written(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {_written(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, CutPoints):
        return f"dw.CutPoints({list(value.points)!r})"
    return METHOD.sub("dw.", as_code(value)) if hasattr(value, "__dataclass_fields__") else repr(value)
