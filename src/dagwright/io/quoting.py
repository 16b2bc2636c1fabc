"""Quoted texts of BIF and Hugin NET, which know no escapes of their own.

A quote, a backslash, a semicolon or a control character inside quotes is written as ``\\uXXXX``.
"""

from __future__ import annotations

import re

UNSAFE = re.compile(r'["\\;\x00-\x1f\x7f-\x9f\u2028\u2029]')
ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")


def quoted(text: str) -> str:
    """A text between quotes.

    >>> print(quoted('say "a;b"'))
    "say \\u0022a\\u003bb\\u0022"
    """
    return '"' + UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + '"'


def unquoted(inside: str) -> str:
    """The text that stands between quotes; backslashes that begin no ``\\uXXXX`` are themselves."""
    if "\\" not in inside:
        return inside
    return ESCAPE.sub(lambda found: chr(int(found[1], 16)), inside)
