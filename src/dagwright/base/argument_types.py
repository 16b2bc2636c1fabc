"""Check the value of an option against its annotation; a type that cannot be checked passes."""

from __future__ import annotations

import builtins
import functools
import inspect
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from numbers import Integral, Real
from types import FunctionType, NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from dagwright.errors import DagwrightError, OptionError, unknown_name

WORDS = {
    float: "a number",
    int: "a whole number",
    str: "a text",
    bool: "True or False",
    NoneType: "None",
    Mapping: "a dict",
    Callable: "a function",
    os.PathLike: "a path",
}


SCALARS = (int, float, str, bool, NoneType)


def check_options(method: type) -> None:
    """Make the constructor of a method refuse missing options and values of another kind in words.

    Options that take methods, graphs, data or tables of values are left to the method itself; where it fails
    on one that does not fit its annotation, the error names that option.
    """
    made: Callable[..., None] = method.__init__  # type: ignore[misc]
    signature = inspect.signature(made)

    @functools.cache
    def plain_options() -> frozenset[str]:
        hints = option_hints(method)
        options = signature.parameters
        return frozenset(option for option in options if _is_plain(hints.get(option, Any), Literal))

    @functools.wraps(made)
    def checked(self: object, *positional: object, **named: object) -> None:
        name = type(self).__name__
        try:
            given = signature.bind(self, *positional, **named)
        except TypeError as problem:
            own = list(signature.parameters.values())[1:]
            raise _misused(name, own, len(positional), named, problem) from None
        for option, value in given.arguments.items():
            if option in plain_options():
                require_fitting(method, name, {option: value})
                if type(value).__module__ == "numpy":
                    given.arguments[option] = value.item()
        try:
            made(*given.args, **given.kwargs)
        except (TypeError, AttributeError, ValueError) as problem:
            if not isinstance(problem, DagwrightError):
                options = {option: value for option, value in given.arguments.items() if value is not self}
                require_fitting(method, name, options)
                raise OptionError(f"{name} does not take these options: {problem}") from problem
            raise

    setattr(method, "__init__", checked)  # noqa: B010  mypy forbids the plain assignment


def checked_function(function: FunctionType) -> Callable[..., object]:
    """A public function that refuses arguments it does not know and values of another kind in words.

    Numbers, texts and flags are checked before the call, and a text in place of a list. Where the call fails
    on another argument that does not fit its annotation, the error names that argument. Pickles and modules
    that import the function from its own module find this one.
    """
    signature = inspect.signature(function)
    name = function.__name__

    @functools.cache
    def kinds() -> tuple[frozenset[str], frozenset[str]]:
        hints = _hints(function)
        plain = {option for option, hint in hints.items() if _is_plain(hint)}
        lists = {option for option, hint in hints.items() if _is_list(hint)}
        return frozenset(plain), frozenset(lists)

    @functools.wraps(function)
    def checked(*positional: object, **named: object) -> object:
        try:
            given = signature.bind(*positional, **named)
        except TypeError as problem:
            options = list(signature.parameters.values())
            raise _misused(name, options, len(positional), named, problem) from None
        plain, lists = kinds()
        for option, value in given.arguments.items():
            if option in plain or (option in lists and isinstance(value, str)):
                require_fitting(function, f"{name}()", {option: value})
        try:
            return function(*positional, **named)
        except (TypeError, AttributeError, ValueError) as problem:
            if not isinstance(problem, DagwrightError):
                require_fitting(function, f"{name}()", given.arguments)
            raise

    setattr(sys.modules[function.__module__], name, checked)
    return checked


def _misused(
    name: str,
    options: list[inspect.Parameter],
    count: int,
    named: Mapping[str, object],
    problem: TypeError,
) -> DagwrightError:
    """The error for options that a constructor or function needs or does not know."""
    for option in named:
        if option not in [one.name for one in options]:
            return unknown_name(f"option of {name}", option, [one.name for one in options])
    lacking = [one.name for one in options[count:] if one.default is one.empty and one.name not in named]
    if not lacking:
        first = [one.name for one in options if one.kind not in (one.KEYWORD_ONLY, one.VAR_KEYWORD)]
        if count > len(first):
            taken = f"only {' and '.join(first)}" if first else "nothing"
            return OptionError(f"{name} takes {taken} by position; write the others as option=value")
        return OptionError(f"{name} does not take these options: {problem}")
    example = ", ".join(f"{option}=..." for option in lacking)
    return OptionError(f"{name} needs {' and '.join(lacking)}: give {name}({example})")


def _is_plain(hint: Any, *others: Any) -> bool:
    """Whether values are numbers, texts, flags or of the other kinds."""
    kind = get_origin(hint) or hint
    if kind in (Union, UnionType):
        return all(_is_plain(one, *others) for one in get_args(hint))
    return kind in (*SCALARS, *others)


def _is_list(hint: Any) -> bool:
    """Whether a list is taken and a text is not."""
    kind = get_origin(hint) or hint
    if kind in (Union, UnionType):
        kinds = get_args(hint)
        return any(map(_is_list, kinds)) and all(one is NoneType or _is_list(one) for one in kinds)
    return isinstance(kind, type) and issubclass(kind, Iterable) and not issubclass(kind, str | Mapping)


def option_hints(method: type) -> dict[str, Any]:
    """The types of the options of a method.

    >>> from dagwright import BDeu
    >>> option_hints(BDeu)["ess"]
    <class 'float'>
    """
    return _hints(method.__init__, method)  # type: ignore[misc]


@functools.cache
def _hints(made: Callable[..., object], owner: type | None = None) -> dict[str, Any]:
    """The types of the arguments; an inherited option has its type from the module of its own class."""
    names = _Names()
    for one in reversed(owner.__mro__ if owner is not None else ()):
        names |= vars(sys.modules[one.__module__])
    names |= getattr(inspect.unwrap(made), "__globals__", {})
    return get_type_hints(made, localns=names)


class _Names(dict[str, Any]):
    """The names of a module; one that only a type checker can resolve stands for anything."""

    def __missing__(self, name: str) -> Any:
        return getattr(builtins, name, Any)


def require_fitting(method: Callable[..., object], name: str, given: Mapping[str, object]) -> None:
    """Refuse arguments of a method that are of another kind than it takes, naming option, value and kind."""
    hints = option_hints(method) if inspect.isclass(method) else _hints(method)
    for option, value in given.items():
        hint = hints.get(option, Any)
        if not _fits(value, hint):
            words = _texts(hint)
            if words and isinstance(value, str):
                raise unknown_name(option, value, words)
            problem = OptionError(f"{name} takes {_in_words(hint)} as {option}, not {value!r}")
            problem.wanted = _in_words(hint)
            raise problem


def _fits(value: object, hint: Any) -> bool:
    kind = get_origin(hint) or hint
    if kind in (Union, UnionType):
        return any(_fits(value, one) for one in get_args(hint))
    if kind is Literal:
        return any(type(value) is type(one) and value == one for one in get_args(hint))
    if kind in (int, float):
        return isinstance(value, Integral if kind is int else Real) and not isinstance(value, bool)
    if kind is bool:
        return isinstance(value, bool) or type(value).__name__ == "bool_"
    if kind is tuple:  # lists are as good
        return isinstance(value, list | tuple)
    if kind is Callable:
        return callable(value)
    if isinstance(value, str) and _is_list(hint):
        return False
    try:
        return not isinstance(kind, type) or isinstance(value, kind)
    except TypeError:  # a protocol that cannot be checked while running
        return True


def _texts(hint: Any) -> list[str]:
    """The texts that an option can be chosen from."""
    kind = get_origin(hint) or hint
    if kind in (Union, UnionType):
        return [text for one in get_args(hint) for text in _texts(one)]
    return [text for text in get_args(hint) if isinstance(text, str)] if kind is Literal else []


def _in_words(hint: Any) -> str:
    kind = get_origin(hint) or hint
    if kind in (Union, UnionType):
        return " or ".join(dict.fromkeys(_in_words(one) for one in get_args(hint)))
    if kind is Literal:
        return " or ".join(map(repr, get_args(hint)))
    if kind in WORDS:
        return WORDS[kind]
    if isinstance(kind, type) and issubclass(kind, Iterable):
        return "a list"
    return f"a {getattr(kind, '__name__', kind)}"
