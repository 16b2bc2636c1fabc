"""Where random numbers start: one rule for everything that takes `random_state`.

None is the seed 0, so that results repeat. An int is that seed. "fresh" is a new seed from the operating
system each time. A Generator is advanced by each use; a SeedSequence is used as it is.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from dagwright.errors import OptionError

RandomState = int | Literal["fresh"] | np.random.Generator | np.random.SeedSequence | None


def seed_sequence(random_state: RandomState) -> np.random.SeedSequence:
    """The seed sequence behind a random state.

    >>> seed_sequence(None).entropy, seed_sequence(7).entropy
    (0, 7)
    >>> seed_sequence("fresh").entropy == seed_sequence("fresh").entropy
    False
    """
    if isinstance(random_state, np.random.SeedSequence):
        return random_state
    if isinstance(random_state, np.random.Generator):
        return np.random.SeedSequence([int(word) for word in random_state.integers(0, 2**32, 4)])
    if random_state is None:
        return np.random.SeedSequence(0)
    if isinstance(random_state, str) and random_state == "fresh":
        return np.random.SeedSequence()
    if isinstance(random_state, bool) or not isinstance(random_state, int | np.integer) or random_state < 0:
        raise OptionError(
            "random_state takes None (the seed 0), an int >= 0, 'fresh', a Generator or a SeedSequence, not "
            f"{random_state!r}"
        )
    return np.random.SeedSequence(int(random_state))


def generator(random_state: RandomState) -> np.random.Generator:
    """A stream of random numbers; that of a Generator is itself.

    >>> bool(generator(None).integers(100) == generator(0).integers(100))
    True
    """
    if isinstance(random_state, np.random.Generator):
        return random_state
    return np.random.default_rng(seed_sequence(random_state))


def seed_word(random_state: RandomState) -> int:
    """64 bits from a random state, for the native generators."""
    return int(seed_sequence(random_state).generate_state(1, np.uint64)[0])
