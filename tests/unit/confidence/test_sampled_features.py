"""Features of listed networks against the plain twin, for rows of one word and of several."""

from __future__ import annotations

import numpy as np
import pytest

from dagwright import _core
from dagwright.confidence.sampled_features import features, unpack
from dagwright.errors import DagwrightError
from dagwright.evidence import reference
from dagwright.search.control import Control


def random_networks(count: int, n: int, seed: int) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Matrices (parent, child), each acyclic in an order of its own."""
    rng = np.random.default_rng(seed)
    found = np.zeros((count, n, n), dtype=bool)
    for network in found:
        order = rng.permutation(n)
        above = np.triu(rng.random((n, n)) < 3 / n, 1)
        network[np.ix_(order, order)] = above
    return found


def packed(
    networks: np.ndarray[tuple[int, ...], np.dtype[np.bool_]],
) -> np.ndarray[tuple[int, ...], np.dtype[np.uint64]]:
    count, n = networks.shape[:2]
    rows = np.zeros((count, n, -(-n // 64)), dtype=np.uint64)
    for at, parent, child in np.argwhere(networks):
        rows[at, child, parent // 64] |= np.uint64(1) << np.uint64(parent % 64)
    return rows


@pytest.mark.parametrize(("n", "threads"), [(1, 1), (5, 1), (9, 3), (70, 2)])
def test_features_are_those_of_the_plain_twin(n: int, threads: int) -> None:
    networks = random_networks(11, n, n)
    weights = np.random.default_rng(1).dirichlet(np.ones(11))
    rows = packed(networks)
    assert np.array_equal(np.swapaxes(unpack(rows, n), -1, -2), networks)
    names = tuple(f"v{at:02}" for at in range(n))
    columns = names[::-1]
    found = features(rows, weights, names, columns, Control(threads))
    paths, blankets, colliders = reference.network_features(networks, weights)
    assert np.abs(found["paths"] - paths[::-1, ::-1]).max() < 1e-12
    assert np.abs(found["blankets"] - blankets[::-1, ::-1]).max() < 1e-12
    expected = {
        (names[a], names[c], names[b]): colliders[a, c, b] for a, c, b in np.argwhere(colliders > 0) if a < b
    }
    assert found["v_structures"] == pytest.approx(expected, abs=1e-12)


def test_rows_of_another_size_and_cycles_are_refused() -> None:
    rows = packed(random_networks(2, 5, 0))
    with pytest.raises(DagwrightError, match="one weight"):
        _core.network_features(rows, np.ones(3))
    circle = np.zeros((1, 3, 3), dtype=bool)
    circle[0, [0, 1, 2], [1, 2, 0]] = True
    with pytest.raises(DagwrightError, match="cycle"):
        _core.network_features(packed(circle), np.ones(1))
