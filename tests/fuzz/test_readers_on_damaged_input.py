"""Stored inputs that once broke a reader, and a short run of the fuzzer on each."""

from __future__ import annotations

import os

import pytest

from fuzz.running import fuzz, problem_with, seeds
from fuzz.targets import TARGETS

SECONDS = float(os.environ.get("DAGWRIGHT_FUZZ_SECONDS", "0.5"))


@pytest.mark.parametrize("target", sorted(TARGETS))
def test_stored_inputs(target: str) -> None:
    assert seeds(target), "a target needs a sound file to begin with"
    for content in seeds(target):
        assert problem_with(target, content) is None, content[:200]


@pytest.mark.parametrize("target", sorted(TARGETS))
def test_mutated_inputs(target: str) -> None:
    _, found = fuzz(target, SECONDS, seed=1)
    assert found == {}
