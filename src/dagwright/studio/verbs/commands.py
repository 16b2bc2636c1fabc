"""The commands of the shell that do what led to the result on the canvas."""

from __future__ import annotations

import shlex
from typing import Any

from dagwright.data import CutPoints
from dagwright.knowledge.files import to_document
from dagwright.methods.notation import as_code
from dagwright.studio.verbs.rows import Settings, knowledge_of

FLAGS = {
    "kinds": "--kind",
    "states": "--states",
    "names": "--name",
    "missing_values": "--missing-value",
    "ordered": "--ordered",
    "exclude": "--exclude",
}
"""Options of the command line that are called otherwise than the arguments of `read`."""
Step = dict[str, Any]


class Commands:
    """Lines of the shell, one step after another; a network goes from one to the next in a file.

    Parameters
    ----------
    numeric
        Whether the network has numbers, which few formats hold.
    asked
        Whether the network of a learned result is asked or predicts, so that it has to be kept.
    """

    def __init__(self, *, numeric: bool, asked: bool) -> None:
        self._numeric, self._asked = numeric, asked
        self._lines: list[str] = []
        self._network: str | None = None
        self._learned: Step | None = None
        self._by_hand = False

    @property
    def text(self) -> str:
        """All lines."""
        return "\n".join(self._lines)

    def _add(self, *words: str) -> None:
        self._lines.append(shlex.join(["dagwright", *words]))

    def learn(self, step: Step) -> None:
        """Learn from rows."""
        how = {name: value for name, value in step["how"].items() if not _usual(name, value)}
        names = ("search", "score", "structure_prior", "time_limit", "seed", "threads")
        self._add("learn", *_of_rows(step, how, names))
        self._learned, self._network, self._by_hand = step, None, False

    def bootstrap(self, step: Step) -> None:
        """Learn again from resampled rows."""
        names = ("replicates", "draw", "search", "score", "structure_prior", "time_limit", "seed", "threads")
        self._add("bootstrap", *_of_rows(step, step["how"], names))

    def posterior(self, step: Step) -> None:
        """The posterior over networks."""
        names = ("method", "score", "structure_prior", "time_limit", "seed", "threads")
        self._add("posterior", *_of_rows(step, step["how"], names))

    def rivals(self, step: Step) -> None:
        """The networks within a Bayes factor."""
        names = ("bayes_factor", "max_parents", "score", "structure_prior", "time_limit", "threads")
        self._add("rivals", *_of_rows(step, {"bayes_factor": 10.0, **step["how"]}, names))

    def predict(self, step: Step) -> None:
        """One column of each row of a file."""
        self._kept()
        origin = step["origin"] or ""
        words = [origin if origin.startswith("sample:") else step["name"]]
        for name, value in step["reading"].items():
            words += _flags(name, value)
        ways = ["--join", "--impossible", "missing", "--unknown-states", "ignore"]
        if step["options"].get("probabilities", True):
            ways.insert(0, "--probabilities")
        target = step["options"]["target"]
        self._add("predict", self._network or "", *words, "--target", target, *ways, "-o", "predictions.csv")

    def builtin(self, step: Step) -> None:
        """A network that comes with the library, or one from a file."""
        self._network = step["name"]

    file = builtin

    def saved(self, step: Step) -> None:
        """A network of which the project does not tell how it was made."""
        self._lines.append(f"# {step['name']}: download it as json under Take away")
        self._network = "network.json"

    def empty(self, step: Step) -> None:  # noqa: ARG002
        """A network by hand."""
        self._from_script()

    def copy(self, step: Step) -> None:  # noqa: ARG002
        """The network of a learned result, or another network."""
        if self._learned is not None:
            self._kept()

    def edit(self, step: Step) -> None:  # noqa: ARG002
        """Changes by hand have no command."""
        self._from_script()

    def fit(self, step: Step) -> None:
        """Tables from rows."""
        if self._by_hand:
            return  # the script writes the network with its tables
        missing = [] if step["missing"] is None else ["--missing", step["missing"]]
        self._add("fit", *_rows(step), self._network or "", *missing, "-o", "network.json")
        self._network = "network.json"

    def ask(self, *, evidence: dict[str, Any], interventions: dict[str, Any]) -> None:
        """All probabilities given what is known, and the most probable explanation."""
        if not self._asked and (self._learned is not None or self._network is None):
            return
        self._kept()
        words = [word for node, value in evidence.items() for word in ("-e", _known(node, value))]
        words += [word for node, value in interventions.items() for word in ("--do", _known(node, value))]
        self._add("query", self._network or "", *words)
        if words:
            self._add("query", self._network or "", *words, "--explain")

    def _from_script(self) -> None:
        if not self._by_hand:
            self._lines.append("# Edits by hand have no command: the Python code writes network.json.")
        self._network, self._learned, self._by_hand = "network.json", None, True

    def _kept(self) -> None:
        """Keep the network of what was learned in a file."""
        if self._learned is None or self._network is not None:
            return
        at = max(i for i, line in enumerate(self._lines) if line.startswith("dagwright learn "))
        self._network = "result.json" if self._numeric else "network.bif"
        self._lines[at] += f" -o {self._network}"
        if self._numeric:
            self._network = "network.json"
            fitted = shlex.join(
                ["dagwright", "fit", *_rows(self._learned), "result.json", "-o", self._network]
            )
            self._lines.insert(at + 1, fitted)


def _usual(name: str, value: Any) -> bool:
    return value is None or (name, value) in (("search", "Auto()"), ("seed", 0))


def _rows(step: Step) -> list[str]:
    words = [step["rows"]]
    for name, value in step["reading"].items():
        words += _flags(name, value)
    return words


def _of_rows(step: Step, how: dict[str, Any], names: tuple[str, ...]) -> list[str]:
    """The rows, the options of these names, the policy for missing values and the knowledge."""
    words, settings = _rows(step), step["settings"]
    for name in names:
        if how.get(name) is not None:
            words += [f"--{name.replace('_', '-')}", str(how[name])]
    if settings["missing"] is not None:
        words += ["--missing", settings["missing"]]
    return words + _knowledge(settings)


def _known(node: str, value: Any) -> str:
    if isinstance(value, dict):
        return f"{node}=" + ",".join(f"{state}:{weight}" for state, weight in value.items())
    return f"{node}={value}"


def _flags(name: str, value: Any) -> list[str]:
    flag = FLAGS.get(name, f"--{name.replace('_', '-')}")
    if name == "header":
        return [] if value else ["--no-header"]
    if isinstance(value, dict):
        return [word for key, inner in value.items() for word in (flag, f"{key}={_plain(inner)}")]
    if isinstance(value, list | tuple):
        return [word for one in value for word in (flag, str(one))]
    return [flag, str(value)]


def _plain(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    if isinstance(value, CutPoints):
        return f"CutPoints({list(value.points)!r})"
    return as_code(value) if hasattr(value, "__dataclass_fields__") else str(value)


def _knowledge(settings: Settings) -> list[str]:
    """Edges and tiers as options; what has no option of its own is in the file that the page exports."""
    document = to_document(knowledge_of(settings))
    simple = {"dagwright_knowledge", "required", "forbidden", "tiers"}
    tiers = document.get("tiers", [])
    if not set(document) <= simple or any(isinstance(tier, dict) for tier in tiers):
        return ["--knowledge", "knowledge.toml"]
    words = [word for edge in document.get("required", ()) for word in ("--require", edge)]
    words += [word for edge in document.get("forbidden", ()) for word in ("--forbid", edge)]
    return words + [word for tier in tiers for word in ("--tier", ",".join(tier))]
