r"""Formulas of the documentation as MathML, which browsers typeset without any script (a hook of MkDocs).

A fenced block of the language ``math`` holds lines of a small part of TeX: letters, numbers, operators,
``^`` and ``_`` with braces, ``\frac{}{}``, ``\sum``, ``\text{}``, ``\left( \right)``, Greek letters and a few
names of functions. Lines are aligned at ``&``. Anything else is an error, so no formula is shown half.
"""

from __future__ import annotations

import re
from typing import Any
from xml.sax.saxutils import escape

BLOCK = re.compile(r"^```math\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TOKEN = re.compile(r"\\text\{[^}]*\}|\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|[A-Za-z]|[^\s]")
LETTERS = {
    **dict(zip(["alpha", "beta", "lambda", "mu", "pi"], "αβλμπ", strict=True)),
    **dict(zip(["Gamma", "chi", "theta"], "Γχθ", strict=True)),
}
OPERATORS = {
    "cdot": "·",
    "mid": "∣",
    "le": "≤",
    "ge": "≥",
    "approx": "≈",
    "times": "×",
    "in": "∈",
    "emptyset": "∅",
    "cup": "∪",
    "setminus": "∖",
    "sum": "∑",
    "prod": "∏",
    "infty": "∞",
    "left": "",
    "right": "",
    "quad": "\u2003",
    "to": "→",
    "perp": "⊥",
    "{": "{",
    "}": "}",
}
FUNCTIONS = ("log", "exp", "max", "min", "Pr")
UNDER = ("∑", "∏", "max", "min")


class Formula:
    """One line of TeX, read from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = TOKEN.findall(text)
        self.at = 0

    def row(self, end: str | None = None) -> str:
        """The marks up to a closing brace, or to the end."""
        parts = []
        while self.at < len(self.tokens) and self.tokens[self.at] != end:
            parts.append(self.scripted())
        if end is not None:
            self.take(end)
        return "".join(parts)

    def take(self, wanted: str | None = None) -> str:
        if self.at == len(self.tokens) or (wanted is not None and self.tokens[self.at] != wanted):
            raise ValueError(f"the formula {self.text!r} lacks {wanted or 'an end'!r}")
        self.at += 1
        return self.tokens[self.at - 1]

    def scripted(self) -> str:
        """A mark with what stands above and below it."""
        base = self.mark()
        scripts: dict[str, str] = {}
        while self.at < len(self.tokens) and self.tokens[self.at] in "^_":
            place = self.take()
            scripts[place] = f"<mrow>{self.mark()}</mrow>"
        if not scripts:
            return base
        above, below = scripts.get("^"), scripts.get("_")
        kind = "under" if re.sub("<[^>]*>", "", base) in UNDER else "sub"
        names = {"under": ("munder", "mover", "munderover"), "sub": ("msub", "msup", "msubsup")}[kind]
        if above is None or below is None:
            name = names[0] if above is None else names[1]
            return f"<{name}>{base}{below or above}</{name}>"
        return f"<{names[2]}>{base}{below}{above}</{names[2]}>"

    def mark(self) -> str:
        """A letter, a number, an operator, a group or a fraction."""
        token = self.take()
        if token == "{":
            return f"<mrow>{self.row('}')}</mrow>"
        if token == "\\frac":
            self.take("{")
            above = self.row("}")
            self.take("{")
            return f"<mfrac><mrow>{above}</mrow><mrow>{self.row('}')}</mrow></mfrac>"
        if token.startswith("\\text{"):
            return f"<mtext>{escape(token[6:-1])}</mtext>"
        name = token[1:]
        if token.startswith("\\"):
            if name in FUNCTIONS:
                return f"<mi>{name}</mi><mo>&#8289;</mo>" if name not in UNDER else f"<mo>{name}</mo>"
            if name in LETTERS:
                return f"<mi>{LETTERS[name]}</mi>"
            if name in OPERATORS:
                return f"<mo>{OPERATORS[name]}</mo>" if OPERATORS[name] else ""
            raise ValueError(f"the formula {self.text!r} has the unknown {token}")
        if token[0].isdigit():
            return f"<mn>{token}</mn>"
        if token.isalpha():
            return f"<mi>{token}</mi>"
        return f"<mo>{escape({'-': '−', '|': '∣'}.get(token, token))}</mo>"


def mathml(block: str) -> str:
    r"""The lines of a block as one formula, aligned at ``&``.

    >>> mathml("a_1 = 2")
    '<math display="block"><mtable><mtr><mtd><msub><mi>a</mi><mrow><mn>1</mn></mrow></msub><mo>=</mo><mn>2</mn></mtd></mtr></mtable></math>'
    """  # noqa: E501
    rows = []
    for line in block.strip().splitlines():
        cells = [Formula(cell).row() for cell in line.split("&")]
        sides = ["right", "left"] * len(cells)
        told = zip(cells, sides, strict=False) if len(cells) > 1 else [(cells[0], "")]
        inner = "".join(
            f'<mtd style="text-align:{side}">{cell}</mtd>' if side else f"<mtd>{cell}</mtd>"
            for cell, side in told
        )
        rows.append(f"<mtr>{inner}</mtr>")
    return f'<math display="block"><mtable>{"".join(rows)}</mtable></math>'


def with_formulas(markdown: str) -> str:
    """A page with its formulas typeset."""
    return BLOCK.sub(lambda block: f'<div class="formula">{mathml(block[1])}</div>', markdown)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """MkDocs shows a page: its formulas are typeset."""
    return with_formulas(markdown)
