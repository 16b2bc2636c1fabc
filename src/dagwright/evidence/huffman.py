"""Code lengths of events: Huffman's code, the entropy bound, and words of one length."""

from __future__ import annotations

import heapq
import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from dagwright.errors import DataError, require_a


@dataclass(frozen=True)
class CodeLengths:
    """Bits needed to write down events that occur with given frequencies.

    Attributes
    ----------
    huffman
        With Huffman's code, the shortest code that gives each event a word of its own.
    entropy
        -sum n log2(n/N): no code can need less, and Huffman's needs less than one bit per event more.
    fixed
        With words of the same length for all events.
    kraft
        The sum of 2^-length over the words, 1 for a code without waste.
    words
        Huffman's code word of each event.
    """

    huffman: float
    entropy: float
    fixed: float
    kraft: float
    words: dict[Hashable, str]


def code_lengths(frequencies: Mapping[Hashable, float]) -> CodeLengths:
    """How many bits it takes to write down events that occur this often (Lam & Bacchus 1994, section 3.2).

    Events that never occur get no word. A single event is certain, and takes no bits at all. Of several
    Huffman codes the one is taken that joins events given earlier first.

    >>> lengths = code_lengths({"a": 500, "b": 300, **dict.fromkeys("cdefghijkl", 20)})
    >>> lengths.huffman, lengths.fixed, round(lengths.entropy, 3)
    (2180, 4000, 2149.861)
    """
    require_a(Mapping, frequencies, "frequencies", "a dict from events to numbers")
    for event, count in frequencies.items():
        require_a(int | float, count, f"the frequency of {event!r}", "a number")
        if not (math.isfinite(count) and count >= 0):
            raise DataError(f"event {event!r} occurs {count} times; frequencies are finite and not negative")
    counts = {event: count for event, count in frequencies.items() if count > 0}
    if not counts:
        raise DataError("no event occurs, so there is nothing to write down")
    N = math.fsum(counts.values())
    words = _huffman(counts)
    return CodeLengths(
        huffman=sum(count * len(words[event]) for event, count in counts.items()),
        entropy=math.fsum(-count * math.log2(count / N) for count in counts.values()),
        fixed=sum(counts.values()) * math.ceil(math.log2(len(counts))),
        kraft=math.fsum(2.0 ** -len(word) for word in words.values()),
        words=words,
    )


def _huffman(counts: Mapping[Hashable, float]) -> dict[Hashable, str]:
    """Join the two rarest groups until one is left; each joint puts one more digit before the words."""
    words = dict.fromkeys(counts, "")
    groups = [(count, at, [event]) for at, (event, count) in enumerate(counts.items())]
    heapq.heapify(groups)
    for number in range(len(counts), 2 * len(counts) - 1):
        first, second = heapq.heappop(groups), heapq.heappop(groups)
        for digit, (_, _, events) in (("0", first), ("1", second)):
            for event in events:
                words[event] = digit + words[event]
        heapq.heappush(groups, (first[0] + second[0], number, first[2] + second[2]))
    return words
