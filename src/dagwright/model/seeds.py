"""Where random numbers start."""

from __future__ import annotations

import numpy as np

from dagwright.errors import OptionError

RandomState = int | np.random.Generator | np.random.SeedSequence | None


def seed_sequence(random_state: RandomState) -> np.random.SeedSequence:
    """The seed sequence behind an int, a Generator (which is advanced) or a SeedSequence; None is fresh."""
    if isinstance(random_state, np.random.SeedSequence):
        return random_state
    if isinstance(random_state, np.random.Generator):
        return np.random.SeedSequence([int(word) for word in random_state.integers(0, 2**32, 4)])
    if random_state is None:
        return np.random.SeedSequence()
    if isinstance(random_state, bool) or not isinstance(random_state, int | np.integer) or random_state < 0:
        raise OptionError(
            f"random_state takes an int >= 0, a Generator or a SeedSequence, not {random_state!r}"
        )
    return np.random.SeedSequence(int(random_state))


def seed_word(random_state: RandomState) -> int:
    """64 bits from a random state, for the native generators."""
    return int(seed_sequence(random_state).generate_state(1, np.uint64)[0])
