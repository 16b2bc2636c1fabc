"""Methods in words: names of jobs and results, and notes that name a method with its options."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from typing import Any

CALL = re.compile(r"\b([A-Z]\w*)\(")


def listed(parts: list[str]) -> str:
    """Parts as a list in a sentence.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)


def method_words(text: str) -> str:
    """A method in words; a text that is no method stays as it is.

    >>> method_words("BDeu(ess=10)"), method_words("Restrict(MMPC(), Tabu(max_parents=3))")
    ('BDeu, ess 10', 'Restrict, MMPC, Tabu (max parents 3)')
    >>> method_words("CutPoints(points=(3.5, 7.0))")
    'cut points at 3.5 and 7'
    """
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text
    return _words(tree) if _is_method(tree) else text


def titled(text: str, summaries: Mapping[str, str]) -> str:
    """A method in words with the summary of its traits.

    >>> titled("PC(max_size=2)", {"PC": "independence tests of growing size"})
    'PC: independence tests of growing size, max size 2'
    """
    name, _, options = method_words(text).partition(", ")
    summary = summaries.get(name)
    return ", ".join([name if summary is None else f"{name}: {summary}", *([options] if options else [])])


def in_words(text: str, known: Callable[[str], bool]) -> str:
    """A text with its methods in words: those whose names are known.

    >>> in_words("cut by CutPoints(points=(3.5, 7.0)) as P(x) asks", lambda name: name == "CutPoints")
    'cut by cut points at 3.5 and 7 as P(x) asks'
    """
    parts, at = [], 0
    while found := CALL.search(text, at):
        end = _end_of_call(text, found.start()) if known(found[1]) else None
        parts.append(text[at : found.start()] if end else text[at : found.end()])
        if end:
            parts.append(method_words(text[found.start() : end]))
        at = end or found.end()
    return "".join([*parts, text[at:]])


def values_in_words(value: Any, known: Callable[[str], bool]) -> Any:
    """A value of a document with the texts in it in words."""
    if isinstance(value, str):
        return in_words(value, known)
    if isinstance(value, list):
        return [values_in_words(one, known) for one in value]
    if isinstance(value, dict):
        return {name: values_in_words(one, known) for name, one in value.items()}
    return value


def _end_of_call(text: str, start: int) -> int | None:
    end = text.find(")", start)
    while end >= 0:
        try:
            tree = ast.parse(text[start : end + 1], mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            end = text.find(")", end + 1)
        else:
            return end + 1 if _is_method(tree) else None
    return None


def _is_method(tree: ast.expr) -> bool:
    return isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name)


def _words(tree: ast.expr) -> str:
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name):
        if tree.func.id == "CutPoints":
            points = [*tree.args, *(one.value for one in tree.keywords)]
            return f"cut points at {_words(points[0])}" if points else "cut points"
        given = [*map(_within, tree.args), *(_option(one.arg or "", one.value) for one in tree.keywords)]
        return ", ".join([tree.func.id, *given])
    if isinstance(tree, ast.List | ast.Tuple):
        return listed([_within(one) for one in tree.elts])
    if isinstance(tree, ast.Constant):
        value = tree.value
        return f"{value:g}" if isinstance(value, float) else "none" if value is None else str(value)
    return ast.unparse(tree)


def _within(tree: ast.expr) -> str:
    name, _, options = _words(tree).partition(", ") if _is_method(tree) else (_words(tree), "", "")
    return f"{name} ({options})" if options else name


def _option(name: str, value: ast.expr) -> str:
    shown = name.replace("_", " ")
    if isinstance(value, ast.Constant) and isinstance(value.value, bool):
        return shown if value.value else f"no {shown}"
    return f"{shown} {_within(value)}"
