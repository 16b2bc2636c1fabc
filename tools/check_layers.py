"""Check that the sources keep the shape ARCHITECTURE.md describes.

Imports and includes go one way, the core knows nothing of Python, nothing prints, and no file outgrows its
budget. Run from anywhere: `python tools/check_layers.py [root]`; every finding is one line, exit status 1.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# Packages on one line may not import each other; a package may import only packages on the lines above it. A
# dotted name is a module or package within a package; all others belong to the package around them.
PYTHON_LAYERS: tuple[tuple[str, ...], ...] = (
    ("sentences", "_core", "version"),
    ("errors",),
    ("base",),
    ("methods",),
    ("defaults",),
    ("graph",),
    ("knowledge",),
    ("data",),
    ("scale",),
    ("evidence",),
    ("search",),
    ("model",),
    ("confidence",),
    ("learning.learned_graphs", "learning.notes_in_words"),
    ("learning.learned_document",),
    ("learning.learned",),
    ("learning.task", "learning.learned_comparison", "learning.checkpointing", "learning.metering"),
    ("learning.resampling", "learning.tested_rows", "learning.spread_restarts", "learning.forecasting"),
    ("learning.learn", "learning.faithfulness", "learning.plausibility", "learning.neighborhood"),
    ("learning.linear_effect", "learning.held_out", "learning.scoring"),
    ("learning.judges",),
    ("learning.cross_validation", "learning.joint_bins", "learning.edge_evidence", "learning.robustness"),
    ("learning.effect_estimates",),
    ("learning.effect_mixture",),
    ("learning.effect",),
    ("learning",),
    ("io", "show", "testing", "sklearn"),
    ("dynamic",),
    ("wire",),
    ("reproduce",),
    ("reporting",),
    ("studio",),
    ("cli",),
    ("__init__", "__main__"),
)
# Values with methods that call functions of later packages. They import the types that these return.
LAZY_IMPORTS: dict[str, tuple[str, ...]] = {
    "src/dagwright/search/study.py": (
        "confidence",
        "learning.cross_validation",
        "learning.learned",
        "learning.neighborhood",
        "reporting",
    ),
}
# The same for the folders of the core: a folder may include itself and those before it.
CORE_FOLDERS: tuple[str, ...] = (
    "base",
    "graph",
    "statistics",
    "evidence",
    "independence",
    "search",
    "exact",
    "posterior",
    "inference",
    "layout",
)
HARD_LINES, SOFT_LINES = 450, 400

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
CPP_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
CPP_OUTPUT = re.compile(
    r"\b(?:std\s*::\s*)?(cout|cerr|clog|printf|fprintf|puts|putchar|abort|exit|terminate)\b\s*(?:\(|<<)"
)


@dataclass(frozen=True, order=True)
class Finding:
    """One line of the report; `fatal` findings fail the check."""

    path: str
    line: int
    message: str
    fatal: bool = True

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {'' if self.fatal else 'note: '}{self.message}"


def ranks(layers: tuple[tuple[str, ...], ...]) -> dict[str, int]:
    """The height of each package: larger may import smaller."""
    return {name: height for height, names in enumerate(layers) for name in names}


def line_of(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def direction(rank: dict[str, int], importer: str, imported: str, word: str) -> str | None:
    """Why `importer` may not use `imported`, or None when it may."""
    if importer == imported:
        return None
    for name in (importer, imported):
        if name not in rank:
            return f"package {name!r} is in no layer; add it to one in tools/check_layers.py"
    if rank[imported] < rank[importer]:
        return None
    return f"{importer} {word} {imported}, against the direction of the layers"


def package_of(module: str, packages: dict[str, int]) -> str:
    """The innermost package or module with a place in the layers that holds a module of dagwright."""
    within = ".".join(module.split(".")[:2])
    return within if within in packages else module.partition(".")[0]


def python_imports(tree: ast.Module, packages: dict[str, int]) -> Iterator[tuple[str, int]]:
    """Packages of dagwright imported anywhere in a module, also inside functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                package, _, rest = alias.name.partition(".")
                if package == "dagwright":
                    yield package_of(rest, packages) or "__init__", node.lineno
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            package, _, rest = node.module.partition(".")
            if package == "dagwright":
                for alias in node.names:
                    public = alias.name if alias.name in packages else "__init__"
                    yield package_of(f"{rest}.{alias.name}", packages) if rest else public, node.lineno


def check_python(root: Path) -> Iterator[Finding]:
    """Direction of imports and absence of print in src/dagwright."""
    package = root / "src" / "dagwright"
    rank = ranks(PYTHON_LAYERS)
    for path in sorted(package.rglob("*.py")):
        shown = path.relative_to(root).as_posix()
        importer = package_of(".".join(path.relative_to(package).with_suffix("").parts), rank)
        tree = ast.parse(path.read_text(encoding="utf-8"), filename=shown)
        for imported, line in python_imports(tree, rank):
            if imported in LAZY_IMPORTS.get(shown, ()):
                continue
            if problem := direction(rank, importer, imported, "imports"):
                yield Finding(shown, line, problem)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
                yield Finding(shown, node.lineno, "the library does not print; use logging")


def check_core(root: Path) -> Iterator[Finding]:
    """Direction of includes in core/, no Python and no output there."""
    rank = ranks(tuple((folder,) for folder in CORE_FOLDERS))
    for path in sorted([*root.glob("core/include/**/*.hpp"), *root.glob("core/src/**/*.[ch]pp")]):
        shown = path.relative_to(root).as_posix()
        place = path.parent.name
        raw = path.read_text(encoding="utf-8")
        text = CPP_COMMENT.sub(lambda match: "\n" * match.group().count("\n"), raw)
        for match in INCLUDE.finditer(text):
            target, line = match.group(1), line_of(text, match.start(1))
            if target.startswith(("nanobind", "pybind11")) or target in ("Python.h", "bindings.hpp"):
                yield Finding(shown, line, f"the core includes {target}; only bindings/ may use Python")
            elif target.startswith("dagwright/"):
                included = target.removeprefix("dagwright/").partition("/")[0]
                if problem := direction(rank, place, included, "includes"):
                    yield Finding(shown, line, problem)
        for match in CPP_OUTPUT.finditer(text):
            yield Finding(
                shown, line_of(text, match.start()), f"the core neither prints nor stops: {match.group(1)}"
            )


def check_sizes(root: Path) -> Iterator[Finding]:
    """One file, one job: a file near the limit should be split before it gets there."""
    for folder in ("src", "core", "bindings", "tests", "bench", "tools"):
        for path in sorted((root / folder).rglob("*")):
            hidden = any(part.startswith(".") for part in path.relative_to(root).parts)
            if hidden or path.suffix not in (".py", ".cpp", ".hpp"):
                continue
            lines = len(path.read_text(encoding="utf-8").splitlines())
            if lines > SOFT_LINES:
                shown = path.relative_to(root).as_posix()
                message = f"{lines} lines; the limit is {HARD_LINES}, aim for {SOFT_LINES}"
                yield Finding(shown, lines, message, fatal=lines > HARD_LINES)


def check(root: Path) -> list[Finding]:
    """All findings of a source tree, sorted by place."""
    return sorted([*check_python(root), *check_core(root), *check_sizes(root)])


def main(arguments: list[str]) -> int:
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    findings = check(root)
    for finding in findings:
        print(finding)
    return int(any(finding.fatal for finding in findings))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
