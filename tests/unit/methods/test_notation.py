"""Methods written as text are parsed, never evaluated."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from dagwright.errors import DagwrightError, OptionError, UnknownNameError, unknown_name
from dagwright.methods.notation import parse_method


@dataclass(frozen=True)
class Plain:
    pass


@dataclass(frozen=True)
class Weighted:
    ess: float = 1.0
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.ess <= 0:
            raise OptionError(f"ess must be positive, not {self.ess}")


@dataclass(frozen=True)
class Wrapper:
    inner: object
    rounds: int = 10


KNOWN = {kind.__name__: kind for kind in (Plain, Weighted, Wrapper)}


def lookup(name: str) -> type:
    if name not in KNOWN:
        raise unknown_name("method", name, KNOWN)
    return KNOWN[name]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Plain", Plain()),
        (" Plain() ", Plain()),
        ("Weighted(10)", Weighted(10)),
        ("Weighted(ess=1e-3)", Weighted(0.001)),
        ("Weighted(ess=2, names=('a b', 'ü'))", Weighted(2, ("a b", "ü"))),
        ("Wrapper(Weighted(ess=3), rounds=5)", Wrapper(Weighted(3), 5)),
        ("Wrapper(inner=Plain)", Wrapper(Plain())),
    ],
)
def test_reads(text: str, expected: object) -> None:
    assert parse_method(text, lookup) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Weighted(",
        "Weighted(ess=1+1)",
        "Weighted(ess=[x for x in (1,)])",
        "Weighted(**{'ess': 1})",
        "Weighted(*[1])",
        "Plain; Plain",
        "Plain.__class__",
        "Plain().x()",
        "(lambda: 1)()",
        "Plain" + " " * 10_000 + "()",
        "(" * 5_000 + ")" * 5_000,
        "Wrapper(" * 900 + "Plain" + ")" * 900,
        "Pl\x00ain",
    ],
)
def test_refuses_everything_else(text: str) -> None:
    with pytest.raises(OptionError, match="cannot read the method"):
        parse_method(text, lookup)


def test_nothing_is_executed() -> None:
    for text in ("__import__('os').getcwd()", "open('x', 'w')", "exec('1')", "Weighted(ess=open('x'))"):
        with pytest.raises(DagwrightError):
            parse_method(text, lookup)


def test_unknown_names_are_suggested() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'Plain'"):
        parse_method("Plane", lookup)
    with pytest.raises(UnknownNameError, match="unknown option of Weighted 'es'; did you mean 'ess'"):
        parse_method("Weighted(es=1)", lookup)


def test_wrong_arguments() -> None:
    with pytest.raises(OptionError, match="too many positional"):
        parse_method("Plain(1)", lookup)
    with pytest.raises(OptionError, match="missing a required argument: 'inner'"):
        parse_method("Wrapper()", lookup)
    with pytest.raises(OptionError, match="ess must be positive"):
        parse_method("Weighted(-1)", lookup)
    with pytest.raises(OptionError, match="Weighted takes a number as ess, not 'ten'"):
        parse_method("Weighted('ten')", lookup)
