"""Have the chains converged, and how many independent draws are they worth."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Series = NDArray[np.float64]


def split_chains(series: Series) -> Series:
    """Each chain in two halves: (chains, draws, ...) becomes (2 chains, draws // 2, ...)."""
    half = series.shape[1] // 2
    return np.concatenate([series[:, :half], series[:, series.shape[1] - half :]])


def potential_scale_reduction(series: Series) -> Series:
    """Split R-hat of series (chains, draws, ...), near 1 when chains agree (Gelman & Rubin 1992).

    It compares the variance between half chains with that within them. Where nothing varies it is 1, where
    only the chains differ it is infinite.
    """
    halves = split_chains(series)
    draws = halves.shape[1]
    within = halves.var(axis=1, ddof=1).mean(axis=0)
    between = halves.mean(axis=1).var(axis=0, ddof=1)
    total = (draws - 1) / draws * within + between
    noise = _noise(halves)
    ratio = np.full_like(total, np.inf)
    np.divide(total, within, out=ratio, where=within > noise)
    return np.asarray(np.sqrt(np.where(total > noise, ratio, 1.0)))


def _noise(series: Series) -> Series:
    """A variance that rounding alone can make."""
    return np.asarray(1e-20 * (1.0 + np.square(series.mean(axis=(0, 1)))))


def effective_samples(series: Series) -> Series:
    """How many independent draws have the variance of the mean of (chains, draws, ...).

    Autocorrelations are summed in pairs while these are positive and decreasing (Geyer 1992), with the
    variance over all chains as the scale (Gelman et al. 2013, Section 11.5). A series that does not vary is
    worth all its draws.
    """
    halves = split_chains(series)
    chains, draws = halves.shape[:2]
    shape = halves.shape[2:]
    flat = halves.reshape(chains, draws, -1)
    return np.concatenate(
        [_effective(flat[:, :, start : start + 256]) for start in range(0, max(1, flat.shape[2]), 256)]
    ).reshape(shape)


def _effective(series: Series) -> Series:
    chains, draws, _ = series.shape
    centered = series - series.mean(axis=1, keepdims=True)
    size = 1 << (2 * draws - 1).bit_length()
    spectrum = np.fft.rfft(centered, n=size, axis=1)
    covariance = np.fft.irfft(np.abs(spectrum) ** 2, n=size, axis=1)[:, :draws] / draws
    mean_covariance = covariance.mean(axis=0)
    within = mean_covariance[0] * draws / (draws - 1)
    total = within * (draws - 1) / draws + series.mean(axis=1).var(axis=0, ddof=1)
    safe = np.where(total > 0, total, 1.0)
    correlation = 1.0 - (within - mean_covariance) / safe
    correlation[0] = 1.0
    even = draws - draws % 2
    pairs = correlation[:even].reshape(even // 2, 2, -1).sum(axis=1)
    positive = np.cumprod(pairs > 0, axis=0).astype(bool)
    decreasing = np.minimum.accumulate(np.where(positive, pairs, 0.0), axis=0)
    time = -1.0 + 2.0 * decreasing.sum(axis=0)
    all_draws = float(chains * draws)
    # Draws that alternate can be worth more than their number, but not without end.
    worth = all_draws / np.maximum(time, 1.0 / np.log10(all_draws))
    return np.asarray(np.where(total > _noise(series), worth, all_draws))
