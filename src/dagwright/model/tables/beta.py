"""The beta distribution for whole arrays: its distribution function and quantiles."""

from __future__ import annotations

import numpy as np

from dagwright.model.tables.checks import Floats

_TINY = 1e-300
_LOG_SMALLEST = -740.0
# B_2k / (2k (2k - 1)) of Stirling's series.
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)


def log_gamma(x: Floats) -> Floats:
    """log Gamma(x) for x > 0: Stirling's series after eight steps of Gamma(x + 1) = x Gamma(x)."""
    shift = np.zeros_like(x)
    y = np.array(x, dtype=np.float64)
    for _ in range(8):
        small = y < 8.0
        shift = np.where(small, shift + np.log(np.where(small, y, 1.0)), shift)
        y = np.where(small, y + 1.0, y)
    inverse = 1.0 / y
    series, power = np.zeros_like(y), inverse
    for coefficient in _STIRLING:
        series = series + coefficient * power
        power = power * inverse * inverse
    result: Floats = (y - 0.5) * np.log(y) - y + 0.5 * np.log(2 * np.pi) + series - shift
    return result


def beta_cdf(x: Floats, a: Floats, b: Floats) -> Floats:
    """The regularized incomplete beta function I_x(a, b), by its continued fraction (Lentz's method)."""
    swap = x > (a + 1.0) / (a + b + 2.0)  # the fraction converges fast below the mean
    p, q, y = np.where(swap, b, a), np.where(swap, a, b), np.where(swap, 1.0 - x, x)
    with np.errstate(divide="ignore"):
        front = np.exp(
            log_gamma(p + q) - log_gamma(p) - log_gamma(q) + p * np.log(y) + q * np.log1p(-y) - np.log(p)
        )
    c = np.ones_like(y)
    d = _reciprocal(1.0 - (p + q) * y / (p + 1.0))
    fraction = d
    for m in range(1, 400):
        even = m * (q - m) * y / ((p + 2 * m - 1.0) * (p + 2 * m))
        d, c = _reciprocal(1.0 + even * d), _away_from_zero(1.0 + even / c)
        fraction = fraction * d * c
        odd = -(p + m) * (p + q + m) * y / ((p + 2 * m) * (p + 2 * m + 1.0))
        d, c = _reciprocal(1.0 + odd * d), _away_from_zero(1.0 + odd / c)
        step = d * c
        fraction = fraction * step
        if np.all(np.abs(step - 1.0) < 1e-14):
            break
    value = np.where(y <= 0.0, 0.0, front * fraction)
    return np.clip(np.where(swap, 1.0 - value, value), 0.0, 1.0)


def beta_quantile(probability: float, a: Floats, b: Floats) -> Floats:
    """The x with I_x(a, b) = probability; a = 0 puts all mass on 0, b = 0 on 1.

    Newton's method in log x, where tiny quantiles are as near as others, kept between the ends that are
    known; halving where it leaves them.
    """
    a, b = np.broadcast_arrays(np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64))
    result = np.where(a > 0, 1.0, 0.0)
    inside = (a > 0) & (b > 0)
    p, q = a[inside], b[inside]
    found = np.empty_like(p)
    open_ = np.arange(len(p))
    low, high = np.full_like(p, _LOG_SMALLEST), np.zeros_like(p)
    log_x = np.log(p / (p + q))
    scale = log_gamma(p + q) - log_gamma(p) - log_gamma(q)
    for _ in range(200):
        x = np.exp(log_x)
        excess = beta_cdf(x, p, q) - probability
        low, high = np.where(excess < 0, log_x, low), np.where(excess < 0, high, log_x)
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            slope = np.exp(scale + p * log_x + (q - 1.0) * np.log1p(-x))  # of the cdf in log x
            newton = log_x - excess / slope
        good = np.isfinite(newton) & (newton > low) & (newton < high)
        following = np.where(good, newton, 0.5 * (low + high))
        found[open_] = following
        going = np.abs(following - log_x) > 1e-13 * np.maximum(np.abs(log_x), 1e-2)
        if not np.any(going):
            break
        open_, log_x = open_[going], following[going]
        p, q, scale, low, high = (values[going] for values in (p, q, scale, low, high))
    result[inside] = np.where(found <= _LOG_SMALLEST + 1.0, 0.0, np.exp(found))
    return result


def _away_from_zero(value: Floats) -> Floats:
    return np.where(np.abs(value) < _TINY, _TINY, value)


def _reciprocal(value: Floats) -> Floats:
    return 1.0 / _away_from_zero(value)
