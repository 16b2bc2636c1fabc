"""`python -m bench`: run the tasks, print the ratios, write them down."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import pkgutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import bench.tasks
from bench.peers import PeerMissingError, interpreter
from bench.report import show, write
from bench.task import Case, Options, Result, Results, SkipTaskError

ROOT = Path(__file__).parent.parent


class ExceededError(RuntimeError):
    """A process that used up the processor time of its case."""


def call(task: str, case: Case, peer: str) -> dict:
    """One process of one peer; its failure is an error message, not ours."""
    request = json.dumps(
        {
            "task": task,
            "peer": peer,
            "arguments": case.arguments,
            "calls": case.calls,
            "cpu_limit": case.cpu_limit,
        }
    )
    done = subprocess.run(
        [str(interpreter(peer)), "-m", "bench.worker", request],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "0"},  # pgmpy's search follows the order of its sets
        capture_output=True,
        text=True,
        timeout=case.timeout,
        check=False,
    )
    if -done.returncode == signal.SIGXCPU:
        raise ExceededError(f"no answer within {case.cpu_limit:.0f} s of processor time")
    if done.returncode:
        reason = done.stderr.strip().splitlines()
        raise RuntimeError(reason[-1] if reason else f"exit status {done.returncode}")
    return json.loads(done.stdout)


def measure(name: str, task: ModuleType, options: Options) -> Iterator[Result]:
    """Every case by every peer, alternating within each repeat so that a busy minute strikes them alike."""
    for case in task.cases(options):
        results = [Result(case, peer) for peer in case.peers or task.PEERS]
        for repeat in range(case.repeats or options.repeats):
            turn = repeat % len(results)
            for result in results[turn:] + results[:turn]:
                if result.error:
                    continue
                try:
                    result.add(call(name, case, result.peer))
                except ExceededError as problem:
                    result.error, result.exceeded = str(problem), True
                except subprocess.TimeoutExpired:
                    result.error = f"no answer within {case.timeout:.0f} s"
                except (PeerMissingError, RuntimeError) as problem:
                    result.error = str(problem)
        print(f"  {name} {case.name}: " + ", ".join(summary(r) for r in results), flush=True)
        yield from results


def summary(result: Result) -> str:
    return f"{result.peer} " + (f"failed ({result.error})" if result.error else f"{result.seconds:.4g} s")


def arguments() -> argparse.Namespace:
    known = sorted(module.name for module in pkgutil.iter_modules(bench.tasks.__path__))
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--task", action="append", choices=known, help="run only this task (repeatable)")
    parser.add_argument(
        "--quick", action="store_true", help="small data and few repeats: does it run at all?"
    )
    parser.add_argument(
        "--repeats", type=int, default=3, help="processes per peer and case; the minimum counts"
    )
    parser.add_argument("--optima", type=Path, help="folder of data sets with known optimal scores")
    parser.add_argument("--networks", type=Path, help="folder of Gaussian networks in XDSL")
    parser.add_argument("--name", default="latest", help="results go to bench/results/NAME.json")
    chosen = parser.parse_args()
    chosen.task = chosen.task or known
    return chosen


def main() -> int:
    chosen = arguments()
    options = Options(chosen.quick, 1 if chosen.quick else chosen.repeats, chosen.optima, chosen.networks)
    reports = {}
    for name in chosen.task:
        task = importlib.import_module(f"bench.tasks.{name}")
        print(f"{name}: {(task.__doc__ or '').strip().splitlines()[0]}", flush=True)
        try:
            results = Results(measure(name, task, options))
        except (SkipTaskError, PeerMissingError) as reason:
            print(f"  skipped: {reason}")
            continue
        reports[name] = (task.BAR, results, list(task.findings(results)))
    show(reports)
    path = write(reports, options, chosen.name)
    print(f"written to {path.relative_to(ROOT)}")
    missed = any(finding.met is False for _, _, found in reports.values() for finding in found)
    failed = any(r.error for _, results, _ in reports.values() for r in results.everything if is_ours(r))
    return int(missed or failed)


def is_ours(result: Result) -> bool:
    return result.peer.startswith("dagwright")


if __name__ == "__main__":
    sys.exit(main())
