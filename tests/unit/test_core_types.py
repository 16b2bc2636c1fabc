"""The border with the core speaks types: no bare containers, no mixed tuples, no long lists of options."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import dagwright

STUB = Path(dagwright.__file__).with_name("_core.pyi")
CONTAINERS = {
    "tuple", "list", "dict", "set", "frozenset", "Sequence", "Iterable", "Mapping", "Collection", "Iterator",
    "Callable",
}  # fmt: skip
MOST_BY_POSITION = 5


def functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        if isinstance(node, ast.ClassDef):
            for part in node.body:
                # The state that a pickle carries is read by __setstate__ alone.
                if isinstance(part, ast.FunctionDef) and part.name not in ("__getstate__", "__setstate__"):
                    yield f"{node.name}.{part.name}", part


def faults_of_type(annotation: ast.expr, *, given_back: bool) -> Iterator[str]:
    """What the annotation leaves open."""
    if isinstance(annotation, ast.Subscript):
        name = ast.unparse(annotation.value)
        parts = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
        if name == "Annotated":  # an array, with its dtype and shape
            return
        if name == "tuple" and given_back and len({ast.unparse(part) for part in parts}) > 1:
            yield f"the mixed tuple {ast.unparse(annotation)}"
        for part in parts:
            yield from faults_of_type(part, given_back=given_back)
    elif isinstance(annotation, ast.BinOp):
        for part in (annotation.left, annotation.right):
            yield from faults_of_type(part, given_back=given_back)
    elif isinstance(annotation, ast.List):
        for part in annotation.elts:
            yield from faults_of_type(part, given_back=given_back)
    elif ast.unparse(annotation) in CONTAINERS:
        yield f"the bare {ast.unparse(annotation)}"
    elif ast.unparse(annotation).split(".")[-1] == "Any":
        yield "Any"


def faults(text: str) -> list[str]:
    found = []
    for name, function in functions(ast.parse(text)):
        arguments = function.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        for argument in every:
            if argument.annotation is not None:
                found += [
                    f"{name}: {fault}" for fault in faults_of_type(argument.annotation, given_back=False)
                ]
        if function.returns is not None:
            found += [f"{name}: {fault}" for fault in faults_of_type(function.returns, given_back=True)]
        for default in (*arguments.defaults, *arguments.kw_defaults):
            if isinstance(default, ast.Constant) and default.value == "":
                found.append(f"{name}: '' for None")
        by_position = len(arguments.posonlyargs) + len(arguments.args)
        if by_position - ("." in name) > MOST_BY_POSITION:
            found.append(f"{name}: {by_position} arguments by position")
    return found


def test_the_border_with_the_core_has_types() -> None:
    assert faults(STUB.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("def f() -> tuple: ...", "f: the bare tuple"),
        ("def f() -> list[dict]: ...", "f: the bare dict"),
        ("def f() -> tuple[int, float]: ...", "f: the mixed tuple tuple[int, float]"),
        ("def f(a: Sequence | None) -> int: ...", "f: the bare Sequence"),
        ("def f(a: Callable[[Any], None]) -> int: ...", "f: Any"),
        ("def f(a: str = '') -> int: ...", "f: '' for None"),
        ("def f(a: int, b: int, c: int, d: int, e: int, g: int) -> int: ...", "f: 6 arguments by position"),
        ("class A:\n    @property\n    def f(self) -> list: ...", "A.f: the bare list"),
    ],
)
def test_faults_are_seen(line: str, fault: str) -> None:
    assert faults(line) == [fault]


def test_what_is_typed_is_no_fault() -> None:
    assert not faults(
        "def f(a: Sequence[tuple[int, str]], *, b: int | None = None) -> list[tuple[int, int]]: ..."
    )
