"""Random damage to the bytes of a file, of a text, or of the values in a JSON document."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

MOST = 1 << 16
TOKENS = [
    *b"0 -1 1 99999 999999999999 1e308 -1e999 nan inf 0.5 2 null true {} [] [[ ]] -> -- // /* # %".split(),
    *b"default states table node graph subgraph numstates data ( ) { } [ ] < > , ; : = | ' \" \\".split(),
    *(b"\n", b"\r\n", b"\0", b"\xff", "\u00e9".encode(), "\u2028".encode()),
    *(b"[" * 3000, b"(" * 3000, b"{" * 3000, b"[a=" * 500),
]
VALUES: list[Any] = [
    *(None, True, False, 0, -1, 1, 2, 10**9, 10**30, -0.5, 1e308, float("nan"), float("inf")),
    *("", "x", "a -> b", "\ud800", "\x1b[31m", "e" * 5000),
    *([], {}, [[]], [0], ["x"], {"x": 1}, [None], [["a", "b"]], [["a", "b", "c"]]),
]


def mutated(seeds: list[bytes], chance: random.Random) -> bytes:
    """One of the seeds with one to several changes."""
    content = chance.choice(seeds)
    if chance.random() < 0.5 and content[:1] in (b"{", b"["):
        return mutated_json(content, chance)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 5, 10))):
        content = _changed(content, seeds, chance)
    return content[:MOST]


def _changed(content: bytes, seeds: list[bytes], chance: random.Random) -> bytes:
    at = chance.randrange(len(content) + 1)
    end = min(len(content), at + chance.choice((1, 1, 2, 4, 8, 32, 128)))
    match chance.randrange(8):
        case 0:
            return content[:at] + bytes([chance.randrange(256)]) + content[at + 1 :]
        case 1:
            return content[:at] + content[end:]
        case 2:
            return content[:at] + content[at:end] * chance.choice((2, 3, 20)) + content[end:]
        case 3:
            return content[:at] + chance.choice(TOKENS) + content[at:]
        case 4:
            return content[:at] + chance.choice(TOKENS) + content[end:]
        case 5:
            other = chance.choice(seeds)
            return content[:at] + other[chance.randrange(len(other) + 1) :]
        case 6:
            return content[:at]
        case _:
            start = chance.randrange(len(content) + 1)
            return content[:start] + content[at:end] + content[start:]


def mutated_json(content: bytes, chance: random.Random) -> bytes:
    """The document with some of its values put in place of others, doubled or taken out."""
    try:
        document = json.loads(content)
    except ValueError:
        return content
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        places = list(_places(document))
        if not places:
            break
        inside, key = chance.choice(places)
        match chance.randrange(5):
            case 0:
                del inside[key]
            case 1:
                other, name = chance.choice(places)
                if name in other if isinstance(other, dict) else name < len(other):
                    inside[key] = json.loads(json.dumps(other[name]))
            case 2 if isinstance(inside, list):
                inside.insert(key, copy.deepcopy(chance.choice(VALUES)))
            case _:
                inside[key] = copy.deepcopy(chance.choice(VALUES))
    return json.dumps(document).encode()


def _places(value: Any) -> Any:
    if isinstance(value, dict):
        pairs = list(value.items())
    elif isinstance(value, list):
        pairs = list(enumerate(value))
    else:
        return
    for key, inner in pairs:
        yield value, key
        yield from _places(inner)
