"""Files that other libraries wrote of one small network: pyAgrum 3.3.1 and pgmpy 1.1.2, November 2026.

The other way round, whether they read what dagwright writes, is checked live by the benchmark task
``files_read_back``.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import dagwright as dw

FILES = sorted((Path(__file__).parent / "peer_files").iterdir())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_files_of_other_libraries(path: Path) -> None:
    network = dw.load(path)
    assert sorted(network.nodes) == ["fo", "lo", "z"]
    assert network.states("lo") == ("a", "b", "c")
    assert network.states("fo") == ("true", "false")
    assert network.states("z") == ("0", "1")
    np.testing.assert_array_equal(network.table("fo"), [0.15, 0.85])
    np.testing.assert_array_equal(network.table("z"), [0.4, 0.6])
    expected = {"true": ([0.1, 0.2, 0.7], [0.2, 0.2, 0.6]), "false": ([0.3, 0.2, 0.5], [0.4, 0.2, 0.4])}
    for fo, rows in expected.items():
        for z, row in zip("01", rows, strict=True):
            given = {"fo": fo, "z": z}
            assert [network.probability("lo", state, given) for state in "abc"] == row


def test_there_are_files_of_both() -> None:
    assert {path.stem for path in FILES} == {"pgmpy", "pyagrum"}
