"""Linear equations as GeNIe writes them: ``y=0.94*x+Normal(0.316,1.063)``, the second number the deviation.

``Choose(d, e0, e1, ...)`` takes the equation of the state of a discrete parent, numbered from 0.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from dagwright.errors import FormatError
from dagwright.model import LinearGaussian

TOKEN = re.compile(r"\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_][A-Za-z0-9_]*)|(.))")
DEEPEST = 100
MOST_WORK = 50_000_000
"""Characters that are read for all configurations of the discrete parents together."""


@dataclass(frozen=True)
class Linear:
    """A number plus multiples of other nodes plus normal noise."""

    constant: float = 0.0
    slopes: Mapping[str, float] = field(default_factory=dict)
    variance: float = 0.0

    def __add__(self, other: Linear) -> Linear:
        names = [*self.slopes, *(name for name in other.slopes if name not in self.slopes)]
        slopes = {name: self.slopes.get(name, 0.0) + other.slopes.get(name, 0.0) for name in names}
        return Linear(self.constant + other.constant, slopes, self.variance + other.variance)

    def times(self, factor: float) -> Linear:
        slopes = {name: factor * value for name, value in self.slopes.items()}
        return Linear(factor * self.constant, slopes, factor * factor * self.variance)

    @property
    def is_number(self) -> bool:
        return not self.slopes and self.variance == 0


class _Reader:
    """Reads one expression, for one configuration of the discrete parents."""

    def __init__(self, text: str, sizes: Mapping[str, int], codes: Mapping[str, int]) -> None:
        self.tokens = [match.groups() for match in TOKEN.finditer(text.strip()) if match.group().strip()]
        self.at = 0
        self.depth = 0
        self.sizes, self.codes = sizes, codes

    def whole(self) -> Linear:
        found = self.sum()
        if self.at < len(self.tokens):
            raise FormatError(f"{self.shown()} does not belong to a linear equation")
        return found

    def shown(self) -> str:
        if self.at >= len(self.tokens):
            return "the end of the equation"
        return repr(next(part for part in self.tokens[self.at] if part))

    def sign(self, signs: str) -> str:
        if self.at < len(self.tokens) and (found := self.tokens[self.at][2]) and found in signs:
            self.at += 1
            return found
        return ""

    def expect(self, sign: str) -> None:
        if not self.sign(sign):
            raise FormatError(f"expected {sign!r}, found {self.shown()}")

    def sum(self) -> Linear:
        self.depth += 1
        if self.depth > DEEPEST:
            raise FormatError("an equation nested too deeply")
        found = self.product()
        while sign := self.sign("+-"):
            found = found + self.product().times(-1.0 if sign == "-" else 1.0)
        self.depth -= 1
        return found

    def product(self) -> Linear:
        found = self.factor()
        while sign := self.sign("*/"):
            other = self.factor()
            if sign == "/":
                if not other.is_number or other.constant == 0:
                    raise FormatError("an equation divides by something other than a number")
                found = found.times(1.0 / other.constant)
            elif other.is_number:
                found = found.times(other.constant)
            elif found.is_number:
                found = other.times(found.constant)
            else:
                raise FormatError("an equation multiplies nodes; dagwright reads linear equations")
        return found

    def factor(self) -> Linear:
        if self.sign("-"):
            return self.factor().times(-1.0)
        if self.sign("+"):
            return self.factor()
        if self.sign("("):
            found = self.sum()
            self.expect(")")
            return found
        if self.at >= len(self.tokens):
            raise FormatError("an equation that ends too early")
        number, name, _ = self.tokens[self.at]
        if number:
            self.at += 1
            return Linear(float(number))
        if not name:
            raise FormatError(f"{self.shown()} does not belong to a linear equation")
        self.at += 1
        if not self.sign("("):
            return Linear(slopes={name: 1.0})
        return self.call(name)

    def call(self, name: str) -> Linear:
        if name == "Normal":
            mean = self.sum()
            self.expect(",")
            sd = self.sum()
            self.expect(")")
            if not sd.is_number or sd.constant < 0 or not math.isfinite(sd.constant):
                raise FormatError("the deviation of Normal(mean, deviation) must be a number of at least 0")
            return mean + Linear(variance=sd.constant**2)
        if name == "Choose":
            node = str(self.tokens[self.at][1]) if self.at < len(self.tokens) else ""
            if node not in self.sizes:
                raise FormatError(f"Choose() needs a discrete parent, found {self.shown()}")
            self.at += 1
            choices = []
            while self.sign(","):
                choices.append(self.sum())
            self.expect(")")
            if len(choices) != self.sizes[node]:
                raise FormatError(
                    f"Choose({node}, ...) has {len(choices)} cases, but {node!r} has {self.sizes[node]} "
                    "states"
                )
            return choices[self.codes[node]]
        raise FormatError(
            f"an equation uses {name}(); dagwright reads linear equations with Normal() and Choose()"
        )


def read_equation(node: str, text: str, parents: Sequence[str], sizes: Mapping[str, int]) -> LinearGaussian:
    """The distribution that an equation stands for.

    Parameters
    ----------
    parents
        The parents of the node; those the equation does not name get the coefficient 0.
    sizes
        The number of states of each discrete node.

    >>> read_equation("y", "y=0.5*x-2+Normal(1,3)", ["x"], {})
    LinearGaussian(-1 + 0.5 * x + N(0, 3))
    """
    left, equals, right = text.partition("=")
    if not equals or left.strip() != node:
        raise FormatError(f"an equation of {node!r} begins with '{node}=', found {text[:40]!r}")
    given = [parent for parent in parents if parent in sizes]
    numeric = [parent for parent in parents if parent not in sizes]
    shape = tuple(sizes[parent] for parent in given)
    if len(text) * math.prod(shape) > MOST_WORK:
        raise FormatError(f"an equation too long for {math.prod(shape):,} configurations of discrete parents")
    intercept, sd = np.zeros(shape), np.zeros(shape)
    slopes = {parent: np.zeros(shape) for parent in numeric}
    for place in itertools.product(*map(range, shape)):
        found = _Reader(right, {p: sizes[p] for p in given}, dict(zip(given, place, strict=True))).whole()
        for name, value in found.slopes.items():
            if name not in slopes:
                raise FormatError(f"the equation of {node!r} uses {name!r}, which is not a continuous parent")
            slopes[name][place] = value
        intercept[place] = found.constant
        sd[place] = math.sqrt(found.variance)
    return LinearGaussian(intercept, slopes, sd, given=given)


def equation_text(node: str, own: LinearGaussian, spelled: Mapping[str, str]) -> str:
    """The equation of a node, numbers in full.

    >>> equation_text("y", LinearGaussian(1.0, {"x": -0.5}, 3.0), {"x": "x"})
    'y=-0.5*x+Normal(1.0,3.0)'
    """
    return f"{node}={_nested(own, spelled, ())}"


def _nested(own: LinearGaussian, spelled: Mapping[str, str], place: tuple[int, ...]) -> str:
    if len(place) < len(own.given):
        cases = [_nested(own, spelled, (*place, code)) for code in range(own.shape[len(place)])]
        return f"Choose({spelled[own.given[len(place)]]},{','.join(cases)})"
    text = ""
    for parent, values in own.coefficients.items():
        value = float(values[place])
        text += f"{'+' if text and not value < 0 else ''}{value!r}*{spelled[parent]}"
    intercept, sd = float(own.intercept[place]), float(own.sd[place])
    noise = f"Normal({intercept!r},{sd!r})" if sd > 0 else repr(intercept)
    return f"{text}{'+' if text and not noise.startswith('-') else ''}{noise}"
