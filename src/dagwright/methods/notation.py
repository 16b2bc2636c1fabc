"""Methods written as text: ``BIC``, ``BDeu(ess=10)``, ``Permuted(GSquare(alpha=0.01), rounds=500)``.

The text is parsed, never evaluated: a name must be known to the caller's lookup, an argument must be a
literal or again a method.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass

from dagwright.base.argument_types import require_fitting
from dagwright.errors import DagwrightError, OptionError, UnknownNameError, unknown_name

Lookup = Callable[[str], Callable[..., object]]
"""Name of a method to its constructor; raises for a name it does not know."""

MAX_LENGTH = 10_000


def parse_method(text: str, lookup: Lookup) -> object:
    """Build the method that ``text`` names.

    >>> parse_method("complex(1, imag=2)", {"complex": complex}.__getitem__)
    (1+2j)
    """
    try:
        if len(text) > MAX_LENGTH:
            raise ValueError
        tree = ast.parse(text.strip(), mode="eval").body
        return _method(tree, text, lookup)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        if isinstance(problem, DagwrightError):
            raise
        shown = text if len(text) <= 60 else text[:57] + "..."
        raise OptionError(f"cannot read the method {shown!r}; write it like BIC or BDeu(ess=10)") from None


def as_code(method: object) -> str:
    """A method as a person would write it: with the options that are not the usual ones.

    >>> from dagwright import BDeu, HillClimb
    >>> as_code(HillClimb(max_parents=3)), as_code(BDeu())
    ('HillClimb(max_parents=3)', 'BDeu()')
    """
    if not is_dataclass(method) or isinstance(method, type):
        return repr(method)
    options = []
    for field in fields(method):
        value = getattr(method, field.name)
        usual = field.default if field.default_factory is MISSING else field.default_factory()
        if field.init and field.repr and (usual is MISSING or not _same(value, usual)):
            options.append(f"{field.name}={as_code(value)}")
    return f"{type(method).__name__}({', '.join(options)})"


def _same(value: object, usual: object) -> bool:
    return value is usual or (type(value) is type(usual) and bool(value == usual))


def _method(node: ast.expr, text: str, lookup: Lookup) -> object:
    if isinstance(node, ast.Name):
        return _build(lookup(node.id), node.id, [], {})
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        raise ValueError(text)
    if any(keyword.arg is None for keyword in node.keywords):
        raise ValueError(text)
    constructor = lookup(node.func.id)
    positional = [_argument(argument, text, lookup) for argument in node.args]
    named = {
        str(option.arg): _argument(option.value, text, lookup, f"{option.arg}=") for option in node.keywords
    }
    return _build(constructor, node.func.id, positional, named)


def _argument(node: ast.expr, text: str, lookup: Lookup, option: str = "") -> object:
    if isinstance(node, ast.Call):
        return _method(node, text, lookup)
    if isinstance(node, ast.Name):
        try:
            return _method(node, text, lookup)
        except UnknownNameError as problem:
            raise UnknownNameError(
                f"{problem} (a name of your own is written in quotes: {option}{node.id!r})"
            ) from None
    members = node.elts if isinstance(node, ast.List | ast.Tuple) else []
    bare = [one.id for one in members if isinstance(one, ast.Name)]
    if bare:
        raise OptionError(f"in the method {text!r}, write names in quotes: {bare[0]!r}, not {bare[0]}")
    return ast.literal_eval(node)


def _options(signature: inspect.Signature) -> str:
    """The options as a user would write them: ``prior=..., ess=1.0``."""
    shown = [
        f"{name}={'...' if option.default is option.empty else as_code(option.default)}"
        for name, option in signature.parameters.items()
    ]
    return ", ".join(shown) or "no options"


def _build(
    constructor: Callable[..., object], name: str, positional: list[object], named: dict[str, object]
) -> object:
    signature = inspect.signature(constructor)
    for option in named:
        if option not in signature.parameters:
            raise unknown_name(f"option of {name}", option, signature.parameters)
    try:
        bound = signature.bind(*positional, **named)
    except TypeError as problem:
        raise OptionError(
            f"invalid arguments for {name}: {problem}; it takes {_options(signature)}"
        ) from None
    require_fitting(constructor, name, bound.arguments)
    try:
        return constructor(*positional, **named)
    except (TypeError, ValueError) as problem:
        if isinstance(problem, DagwrightError):
            raise
        raise OptionError(f"{name} does not take these options: {problem}") from None
