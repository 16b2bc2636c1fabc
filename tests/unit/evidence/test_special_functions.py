"""The core's special functions against SciPy's, where SciPy's own error allows."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import special, stats

from dagwright import _core
from dagwright.errors import DagwrightError


def test_log_gamma() -> None:
    for x in [*np.geomspace(1e-9, 1e12, 300), *np.linspace(0.4, 12.0, 300)]:
        assert _core.log_gamma(float(x)) == pytest.approx(special.gammaln(x), rel=1e-14, abs=1e-15)


def test_log_rising() -> None:
    for x in np.geomspace(1e-6, 1e3, 20):
        for n in (0, 1, 2, 5, 17, 400):
            expected = float(sum(math.log(x + k) for k in range(n)))
            assert _core.log_rising(float(x), n) == pytest.approx(expected, rel=1e-12, abs=1e-13)


@pytest.mark.parametrize("df", [0.5, 1, 2, 3, 10, 99, 1000, 12345])
def test_chi_squared_tail(df: float) -> None:
    for z in (-3, -1, 0, 0.5, 2, 5, 12):
        x = df + z * math.sqrt(2 * df)
        if x > 0:
            assert _core.chi2_sf(x, df) == pytest.approx(stats.chi2.sf(x, df), rel=1e-10)
            assert _core.log_chi2_sf(x, df) == pytest.approx(stats.chi2.logsf(x, df), rel=1e-9, abs=1e-12)
    for p in (1e-12, 0.001, 0.05, 0.7):
        assert _core.chi2_isf(p, df) == pytest.approx(stats.chi2.isf(p, df), rel=1e-9)


def test_tails_far_beyond_the_smallest_number() -> None:
    assert _core.chi2_sf(1e6, 3) == 0.0
    # Leading behavior: log Q = -x/2 + (a - 1) log(x/2) - log Gamma(a) + O(1/x), a = df/2
    expected = -5e5 + 0.5 * math.log(5e5) - math.lgamma(1.5)
    assert _core.log_chi2_sf(1e6, 3) == pytest.approx(expected, abs=1e-5)


def test_zero_degrees_of_freedom_test_nothing() -> None:
    assert _core.chi2_sf(5.0, 0) == 1.0
    assert _core.chi2_isf(0.05, 0) == 0.0


def test_bad_arguments_are_refused() -> None:
    for call in (
        lambda: _core.log_gamma(-0.5),
        lambda: _core.chi2_sf(1.0, -2),
        lambda: _core.chi2_isf(-0.1, 2),
        lambda: _core.nml_regret(-1, 2),
    ):
        with pytest.raises(DagwrightError):
            call()


def test_nml_regret_of_the_definition() -> None:
    """C(N, 3) by summing over all counts (h1, h2, h3)."""
    N = 12
    total = 0.0
    for h1 in range(N + 1):
        for h2 in range(N + 1 - h1):
            h = (h1, h2, N - h1 - h2)
            ways = math.factorial(N) / math.prod(map(math.factorial, h))
            total += ways * math.prod((k / N) ** k for k in h)
    assert _core.nml_regret(N, 3) == pytest.approx(math.log(total), rel=1e-13)
