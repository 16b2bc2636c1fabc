"""`python -m bench.recovery`: which score, structure prior and search come nearest to the true network.

    python -m bench.recovery run --stage A --minutes 60     # goes on where it stopped; Ctrl-C is fine
    python -m bench.recovery run --stage B --settings "BDeu(1) + FanIn" --settings "QNML + FanIn"
    python -m bench.recovery show --stage A                  # tables of what is there so far

Stage A compares many settings on few networks, stage B the finalists on many. Each answer is one line of
JSON in bench/results/recovery_STAGE.jsonl, written when it is known, so that a run can be stopped at any
time and continued. Peers join where their environments exist (`python -m bench` builds them).

Networks come with dagwright, with pgmpy where its environment exists, or as BIF files in `--folder`.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import dagwright as dw
from bench.peers import ENVIRONMENTS, NETWORKS_OF_PGMPY, python_of
from bench.samples import DATA, Sample

ROOT = Path(__file__).parent.parent
RESULTS = Path(__file__).parent / "results"
FRESH_ROWS = 2_000
SECONDS = 60.0
"""Of processor time, for peers."""
OUR_SECONDS = 900.0
"""By the wall, for ours: they end by their own budgets long before, unless the machine is very busy."""

FACTS = ("score", "optimal", "stopped", "seconds", "cpu_seconds")


DEFAULT = "default of learn"
"""Neither score nor prior is named."""

QUICK = "OrderSearch(chains=4, perturbations=300, evaluations=5000)"
"""Ends by its budget of evaluations, so that a busy machine gives the same answers as an idle one."""


class Stage(NamedTuple):
    """The cells of a stage, and the search of settings that name none.

    The first networks, so many as ``before`` says, come before the others: they take less time.
    """

    networks: tuple[str, ...]
    rows: tuple[int, ...]
    samples: int
    search: str = ""
    before: int = 0


STAGES = {
    "A": Stage(
        (
            *("asia", "sachs", "child", "insurance", "water", "alarm"),
            *("mildew", "barley", "hailfinder", "hepar2", "win95pts", "andes"),
        ),
        (1_000, 10_000, 200, 500, 5_000),
        2,
        QUICK,
    ),
    "B": Stage(
        (
            *("asia", "survey", "sachs", "child", "insurance", "water", "mildew", "alarm", "barley"),
            *("hailfinder", "hepar2", "win95pts", "pathfinder", "munin1", "andes", "diabetes"),
        ),
        (1_000, 10_000, 500, 200, 5_000),
        10,
        before=10,
    ),
}
CHOSEN_ON = ("asia", "child", "water", "mildew", "hailfinder")
"""The networks that settings were compared on first."""


@dataclass(frozen=True)
class Setting:
    """A way to learn: ours, or a peer's by the task and the function that run it."""

    name: str
    score: str = ""
    prior: str = ""
    search: str = ""
    peer: str = ""
    task: str = ""
    function: str = ""
    most_nodes: int = 10_000


def ours() -> list[Setting]:
    """Scores with usual hyperparameters, priors on the number of parents, and the searches worth it."""
    scores = ("BIC()", "BDeu(ess=1)", "BDs(ess=1)", "QNML()", "FNML()")
    priors = ("", "FanIn()", "FanIn(monotone=True)", "FanIn(monotone=True, scale=0.5)")
    settings = [Setting(_name(s, p, ""), s, p) for s in scores for p in priors]
    weights = ("BDeu(ess=2)", "BDeu(ess=5)", "BDeu(ess=10)", "AdaptiveBDeu()")
    settings += [Setting(_name(s, priors[2], ""), s, priors[2]) for s in weights]
    searches = ("HillClimb()", "Tabu()", "GES()", "GES(turning=True)", "GES(extended=True)", "BOSS()")
    settings += [Setting(_name("BIC()", "", search), "BIC()", "", search) for search in searches]
    settings.append(Setting("PC()", search="PC()"))
    return [Setting("empty graph"), Setting(DEFAULT), *settings]


def peers() -> list[Setting]:
    """Methods of other libraries, where their environments exist; slow ones on few variables only."""
    known = [
        Setting("PyBNesian hill climbing", peer="pybnesian", task="hill_climb", function="pybnesian"),
        Setting("pyAgrum greedy", peer="pyagrum", task="hill_climb", function="pyagrum"),
        Setting("pyAgrum tabu", peer="pyagrum", task="recovery", function="pyagrum_tabu"),
        Setting("pyAgrum MIIC", peer="pyagrum", task="recovery", function="pyagrum_miic"),
        Setting("pgmpy hill climbing", "", "", "", "pgmpy", "hill_climb", "pgmpy", 40),
        Setting("causal-learn PC", "", "", "", "causal-learn", "recovery", "causal_learn_pc", 40),
        Setting("causal-learn GES", "", "", "", "causal-learn", "ges", "causal_learn", 40),
        Setting("causal-learn BOSS", "", "", "", "causal-learn", "recovery", "causal_learn_boss", 40),
    ]
    return [one for one in known if (ENVIRONMENTS / one.peer / "installed.txt").exists()]


def _name(score: str, prior: str, search: str) -> str:
    return " + ".join(part.removesuffix("()") for part in (score, prior, search) if part)


def network(name: str, folder: Path | None) -> dw.BayesianNetwork | None:
    """The true network, or None where no file of it is at hand."""
    if name in dw.networks():
        return dw.load(name)
    places = [] if folder is None else sorted(folder.rglob(f"{name}.bif*"))
    places += sorted((ENVIRONMENTS / "pgmpy").glob(f"{NETWORKS_OF_PGMPY}/{name}.bif.gz"))
    return dw.load(places[0]) if places else None


def rows_of(name: str, true: dw.BayesianNetwork, rows: int, sample: int) -> Path:
    """The file of a sample with its columns in random order; states that do not occur are left out."""
    path = DATA / f"recovery_{name}_{rows}_{sample}.npz"
    if path.exists():
        return path
    seed = [zlib.crc32(name.encode()), rows, sample]
    drawn = true.sample(rows, random_state=np.random.default_rng(seed))
    codes: dict[str, np.ndarray] = {}
    states: dict[str, list[str]] = {}
    for x in drawn.names:
        seen, compact = np.unique(drawn.codes(x), return_inverse=True)
        codes[x] = compact.astype(np.uint8 if len(seen) <= 256 else np.uint16)
        states[x] = [str(drawn.states_of(x)[code]) for code in seen]
    Sample(codes, states).shuffled(int(np.random.default_rng(seed).integers(2**31))).save(path)
    return path


def answer(setting: Setting, path: Path, search: str) -> dict[str, Any]:
    """What a setting finds, by this search if it names none: a class of DAGs, with score and seconds."""
    from bench.samples import load

    sample = load(path)
    if setting.peer:
        return _peer_answer(setting, path)
    if setting.name == "empty graph":
        return {"directed": [], "undirected": [], "seconds": 0.0}
    given = {
        key: value
        for key, value in (
            ("score", setting.score),
            ("structure_prior", setting.prior),
            ("search", setting.search or search),
        )
        if value
    }
    began, worked = time.perf_counter(), time.process_time()
    found = dw.learn(dw.read(sample.labels()), time_limit=OUR_SECONDS, columns=list(sample.codes), **given)
    essential = found.essential
    return {
        "directed": [list(edge) for edge in essential.directed_edges],
        "undirected": [list(edge) for edge in essential.undirected_edges],
        "score": found.score,
        "optimal": found.optimal,
        "stopped": found.stopped,
        "seconds": time.perf_counter() - began,
        "cpu_seconds": time.process_time() - worked,
    }


def _peer_answer(setting: Setting, path: Path) -> dict[str, Any]:
    request = {
        "task": setting.task,
        "peer": setting.function,
        "arguments": {"sample": str(path), "order": 0},
        "calls": 1,
        "cpu_limit": SECONDS,
    }
    done = subprocess.run(
        [str(python_of(ENVIRONMENTS / setting.peer)), "-m", "bench.worker", json.dumps(request)],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        timeout=20.0 * SECONDS,
        check=False,
    )
    if -done.returncode == signal.SIGXCPU:
        raise RuntimeError(f"no answer within {SECONDS:.0f} s of processor time")
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or ["no answer"])[-1])
    reply = json.loads(done.stdout)
    edges = reply["answer"]
    if not isinstance(edges, dict):
        edges = {"directed": edges, "undirected": []}
    return {**edges, "seconds": reply["seconds"][0], "cpu_seconds": reply["cpu_seconds"][0]}


def measured(true: dw.BayesianNetwork, path: Path, found: dict[str, Any], sample: int) -> dict[str, Any]:
    """How near the answer is to the truth."""
    from bench.samples import load

    edges = [[tuple(edge) for edge in found[kind]] for kind in ("directed", "undirected")]
    graph = dw.Pdag(true.nodes, *edges)
    graph = graph.cpdag() if graph.has_extension() else graph
    compared = dw.compare(true.graph.cpdag(), graph)
    facts = {
        "edges": len(true.graph.edges),
        "shd": compared.shd,
        "skeleton_f1": compared.skeleton_f1,
        "arrowhead_f1": compared.arrowhead_f1,
    }
    if graph.has_extension():
        fitted = dw.fit(graph.extension(), true.encode(load(path).labels()))
        fresh = true.sample(FRESH_ROWS, random_state=10_000 + sample)
        facts["log_loss"] = -fitted.log_likelihood(fresh) / FRESH_ROWS
    return facts


def cells(stage: Stage) -> Iterator[tuple[str, int, int]]:
    for sample in range(stage.samples):
        for networks in (stage.networks[: stage.before], stage.networks[stage.before :]):
            for rows in stage.rows:
                for name in networks:
                    yield name, rows, sample


def run(chosen: argparse.Namespace) -> None:
    path = RESULTS / f"recovery_{chosen.stage}.jsonl"
    path.parent.mkdir(exist_ok=True)
    done = {(r["network"], r["rows"], r["sample"], r["setting"]) for r in read(path)}
    settings = [s for s in [*ours(), *peers()] if not chosen.settings or s.name in chosen.settings]
    stage = STAGES[chosen.stage]
    ends = time.monotonic() + 60.0 * chosen.minutes
    for name, rows, sample in cells(stage):
        if chosen.networks and name not in chosen.networks:
            continue
        wanted = [s for s in settings if (name, rows, sample, s.name) not in done]
        true = network(name, chosen.folder) if wanted else None
        if true is None:
            continue
        data = rows_of(name, true, rows, sample)
        for setting in wanted:
            if time.monotonic() > ends:
                return
            if len(true.nodes) > setting.most_nodes:
                continue
            key = {"network": name, "rows": rows, "sample": sample, "setting": setting.name}
            try:
                found = answer(setting, data, stage.search)
                line = {**key, **measured(true, data, found, sample)}
                line |= {k: found[k] for k in FACTS if k in found}
            except (dw.DagwrightError, RuntimeError, subprocess.TimeoutExpired) as problem:
                line = {**key, "error": str(problem)[:300]}
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({**line, "how": asdict(setting)}) + "\n")
            print(f"{name} {rows} {sample} {setting.name}: {line.get('shd', line.get('error'))}", flush=True)


def read(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.recovery", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("action", choices=("run", "show"))
    parser.add_argument("--stage", choices=tuple(STAGES), default="A")
    parser.add_argument("--settings", action="append", help="only this setting (repeatable)")
    parser.add_argument("--networks", action="append", help="only this network (repeatable)")
    parser.add_argument("--minutes", type=float, default=1e9, help="stop after so many minutes")
    parser.add_argument("--folder", type=Path, help="where BIF files of further networks are")
    chosen = parser.parse_args()
    if chosen.action == "run":
        try:
            run(chosen)
        except KeyboardInterrupt:
            print("stopped; the same command goes on")
    from bench.recovery_tables import tables

    print(tables(read(RESULTS / f"recovery_{chosen.stage}.jsonl")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
