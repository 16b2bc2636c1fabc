"""Slow, plain NumPy twins of everything the native core computes: one textbook formula per function.

Nothing here calls native code, so the two can be compared. Symbols: ``N`` rows, ``r`` states of the child,
``q`` parent configurations, ``N_ijk`` rows with parents in configuration j and the child in state k, ``N_ij``
their sum over k. Everything is in nats; larger scores are better.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Measure = Callable[["Sample", Sequence[int]], tuple[float, float]]


@dataclass(frozen=True)
class Sample:
    """Complete rows of integer codes; weights are frequencies, N their sum.

    >>> Sample.of([[0, 1], [0, 1], [1, 0]]).N
    3.0
    """

    codes: NDArray[np.int64]
    cardinalities: tuple[int, ...]
    weights: Floats

    @staticmethod
    def of(
        codes: ArrayLike, cardinalities: Sequence[int] | None = None, weights: ArrayLike | None = None
    ) -> Sample:
        rows = np.asarray(codes, dtype=np.int64)
        if cardinalities is None:
            cardinalities = [int(column.max()) + 1 for column in rows.T]
        w = np.ones(len(rows)) if weights is None else np.asarray(weights, dtype=np.float64)
        return Sample(rows, tuple(int(r) for r in cardinalities), w)

    @property
    def N(self) -> float:
        return float(self.weights.sum())

    def size(self, variables: Iterable[int]) -> int:
        """Number of cells of a set of variables: the product of their cardinalities, 1 for the empty set."""
        return math.prod(self.cardinalities[v] for v in variables)


# counts


def counts(sample: Sample, variables: Sequence[int]) -> Floats:
    """The contingency table of the variables, one axis each, in the order given; N for none."""
    table = np.zeros([sample.cardinalities[v] for v in variables])
    for row, weight in zip(sample.codes[:, list(variables)], sample.weights, strict=True):
        table[tuple(row)] += weight
    return table


def family_counts(sample: Sample, child: int, parents: Sequence[int]) -> Floats:
    """N_ijk as a q x r matrix."""
    return counts(sample, [*parents, child]).reshape(-1, sample.cardinalities[child])


def sum_n_log_n(n: ArrayLike) -> float:
    """Sum of n log n over the cells, with 0 log 0 = 0."""
    positive = np.asarray(n, dtype=np.float64).ravel()
    positive = positive[positive > 0]
    return math.fsum(positive * np.log(positive))


def log_gamma_ratio(start: float, n: float) -> float:
    """log Gamma(start + n)/Gamma(start); a cell ruled out by the prior is free while it is empty."""
    if n == 0:
        return 0.0
    return math.lgamma(start + n) - math.lgamma(start) if start > 0 else -math.inf


# measures: evidence (fit, dim) of a set of variables


def multinomial(sample: Sample, variables: Sequence[int]) -> tuple[float, float]:
    """fit = sum n log n, dim = number of cells."""
    return sum_n_log_n(counts(sample, variables)), float(sample.size(variables))


def dirichlet(ess: float, prior: Callable[[Sequence[int]], Floats] | None = None) -> Measure:
    """fit = sum log Gamma(n + a p)/Gamma(a p), dim = 0; p uniform over the cells unless a prior gives it."""

    def measure(sample: Sample, variables: Sequence[int]) -> tuple[float, float]:
        n = counts(sample, variables)
        p = np.full(n.shape, 1.0 / n.size) if prior is None else prior(variables)
        cells = zip(n.ravel(), np.asarray(p).ravel(), strict=True)
        return math.fsum(log_gamma_ratio(ess * cell_p, cell_n) for cell_n, cell_p in cells), 0.0

    return measure


ADAPTIVE_ESS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)


def adaptive_dirichlet(sample: Sample, variables: Sequence[int]) -> tuple[float, float]:
    """fit = max_a dirichlet(a) - log Gamma(N + a)/Gamma(a), dim = 0."""
    fits = (dirichlet(a)(sample, variables)[0] - log_gamma_ratio(a, sample.N) for a in ADAPTIVE_ESS)
    return max(fits), 0.0


def quotient_nml(sample: Sample, variables: Sequence[int]) -> tuple[float, float]:
    """fit = sum n log n - regret(N, cells), dim = 0 (Silander et al. 2018)."""
    return multinomial(sample, variables)[0] - nml_regret(sample.N, sample.size(variables)), 0.0


def family(measure: Measure, sample: Sample, child: int, parents: Sequence[int]) -> tuple[float, float]:
    """mu(child | parents) = mu(parents + child) - mu(parents)."""
    joint, condition = measure(sample, [*parents, child]), measure(sample, parents)
    return joint[0] - condition[0], joint[1] - condition[1]


def interaction(
    measure: Measure, sample: Sample, x: Sequence[int], y: Sequence[int], given: Sequence[int] = ()
) -> tuple[float, float]:
    """mu(x ; y | z) = mu(z+x+y) + mu(z) - mu(z+x) - mu(z+y)."""
    z = list(given)
    xyz, z_only, xz, yz = (measure(sample, s) for s in ([*z, *x, *y], z, [*z, *x], [*z, *y]))
    return (xyz[0] + z_only[0]) - (xz[0] + yz[0]), (xyz[1] + z_only[1]) - (xz[1] + yz[1])


# information


def entropy(sample: Sample, variables: Sequence[int], given: Sequence[int] = ()) -> float:
    """H(X | Z) = -sum p(x, z) log p(x | z)."""
    joint = counts(sample, [*given, *variables]).reshape(sample.size(given), -1)
    condition = joint.sum(axis=1)
    return (sum_n_log_n(condition) - sum_n_log_n(joint)) / sample.N


def conditional_mutual_information(
    sample: Sample, x: Sequence[int], y: Sequence[int], given: Sequence[int] = ()
) -> float:
    """Sum of p(x, y, z) log [p(x, y | z) / (p(x | z) p(y | z))] (Jensen & Nielsen 2007, Eq. 7.2)."""
    n_xy, n_x, n_y, n = _strata(sample, x, y, given)
    terms = n_xy > 0
    ratio = (n_xy * n)[terms] / (n_x * n_y)[terms]
    return max(0.0, math.fsum(n_xy[terms] * np.log(ratio)) / sample.N)


def family_weight(sample: Sample, child: int, parents: Sequence[int]) -> float:
    """W(X, F) = sum p(x, f) log [p(x, f) / (p(x) p(f))], 0 without parents (Lam & Bacchus 1994, Eq. 7)."""
    return conditional_mutual_information(sample, [child], parents) if parents else 0.0


def kl_divergence(p: ArrayLike, q: ArrayLike) -> float:
    """Sum of p (log p - log q); p = 0 adds nothing, p > 0 = q gives infinity (Cowell 2001, section 2)."""
    left, right = (np.asarray(values, dtype=np.float64).ravel() for values in (p, q))
    support = left > 0
    if np.any(right[support] == 0):
        return math.inf
    return math.fsum(left[support] * (np.log(left[support]) - np.log(right[support])))


# independence tests


def _strata(
    sample: Sample, x: Sequence[int], y: Sequence[int], given: Sequence[int]
) -> tuple[Floats, Floats, Floats, Floats]:
    """Counts n(x,y,z), n(x,z), n(y,z), n(z) with axes (stratum, x, y), broadcast to one shape."""
    n_xy = counts(sample, [*given, *x, *y]).reshape(sample.size(given), sample.size(x), sample.size(y))
    n_x = n_xy.sum(axis=2, keepdims=True)
    n_y = n_xy.sum(axis=1, keepdims=True)
    n = n_xy.sum(axis=(1, 2), keepdims=True)
    shaped = np.broadcast_arrays(n_xy, n_x, n_y, n)
    return shaped[0], shaped[1], shaped[2], shaped[3]


def g_square(sample: Sample, x: Sequence[int], y: Sequence[int], given: Sequence[int] = ()) -> float:
    """G2 = 2 N CMI(x, y | z), in nats."""
    return 2.0 * sample.N * conditional_mutual_information(sample, x, y, given)


def chi_square(sample: Sample, x: Sequence[int], y: Sequence[int], given: Sequence[int] = ()) -> float:
    """Pearson's X2 = sum (n_xyz - E)^2 / E with E = n_xz n_yz / n_z; cells with E = 0 are skipped."""
    n_xy, n_x, n_y, n = _strata(sample, x, y, given)
    cells = n_x * n_y > 0
    expected = (n_x * n_y)[cells] / n[cells]
    return math.fsum((n_xy[cells] - expected) ** 2 / expected)


def degrees_of_freedom(
    sample: Sample, x: Sequence[int], y: Sequence[int], given: Sequence[int] = (), *, adjusted: bool = False
) -> int:
    """(r_x - 1)(r_y - 1) q_z; adjusted: the sum over strata with only the states of x and y seen there."""
    if not adjusted:
        return (sample.size(x) - 1) * (sample.size(y) - 1) * sample.size(given)
    n_xy = _strata(sample, x, y, given)[0]
    rows = (n_xy.sum(axis=2) > 0).sum(axis=1)
    columns = (n_xy.sum(axis=1) > 0).sum(axis=1)
    return int((np.maximum(rows - 1, 0) * np.maximum(columns - 1, 0)).sum())


def stable_skeleton(
    sample: Sample, p_value: Callable[[float, int], float], alpha: float
) -> tuple[set[tuple[int, int]], dict[tuple[int, int], tuple[int, ...]]]:
    """The edges that G2 tests leave and what separated the others (Colombo & Maathuis 2014, Algorithm 4.1).

    For each edge the subsets of the neighbors of its smaller end are tried before those of the other.
    ``p_value`` is the upper tail of chi-squared, given a statistic and its degrees of freedom.
    """
    n = len(sample.cardinalities)
    links = set(itertools.combinations(range(n), 2))
    separated: dict[tuple[int, int], tuple[int, ...]] = {}
    for size in range(n - 1):
        around = {v: sorted({a + b - v for a, b in links if v in (a, b)}) for v in range(n)}
        for x, y in sorted(links):
            sides = [[v for v in around[end] if v not in (x, y)] for end in (x, y)]
            for given in (z for side in sides for z in itertools.combinations(side, size)):
                df = degrees_of_freedom(sample, [x], [y], given)
                if df == 0 or p_value(g_square(sample, [x], [y], given), df) > alpha:
                    links.discard((x, y))
                    separated[x, y] = given
                    break
    return links, separated


def uncertain_regions(
    n: int, links: Iterable[tuple[int, int]], separated: Mapping[tuple[int, int], Collection[int]]
) -> list[list[tuple[int, int]]]:
    """Sets of pairs whose separations rely on each other (Jensen & Nielsen 2007, section 7.1.4, Fig. 7.9).

    That s separates x and y relies on what was found about x and s and about y and s. Pairs that rely on each
    other both ways belong together; they are doubtful when some s lies on no simple path from x to y.
    """

    def ordered(a: int, b: int) -> tuple[int, int]:
        return min(a, b), max(a, b)

    around = {v: {a + b - v for a, b in links if v in (a, b)} for v in range(n)}
    on = {
        (x, y): {pair for s in given for pair in (ordered(x, s), ordered(y, s)) if separated.get(pair)}
        for (x, y), given in separated.items()
    }

    def reachable(pair: tuple[int, int]) -> set[tuple[int, int]]:
        found: set[tuple[int, int]] = set()
        front = set(on[pair])
        while front:
            found |= front
            front = {further for one in front for further in on[one]} - found
        return found

    def paths(path: tuple[int, ...], end: int) -> Iterator[tuple[int, ...]]:
        if path[-1] == end:
            yield path
            return
        for near in around[path[-1]] - set(path):
            yield from paths((*path, near), end)

    def explained(x: int, y: int) -> bool:
        return set(separated[x, y]) <= {v for path in paths((x,), y) for v in path}

    reach = {pair: reachable(pair) for pair in separated}
    circles = {
        tuple(sorted(other for other in reach[pair] if pair in reach[other])) for pair in separated
    } - {()}
    return sorted(
        list(circle) for circle in circles if len(circle) > 1 and not all(explained(*pair) for pair in circle)
    )


def permutation_p_value(
    statistic: Callable[[Sample], float],
    sample: Sample,
    x: Sequence[int],
    given: Sequence[int],
    rounds: int,
    generator: np.random.Generator,
) -> float:
    """(1 + number of shuffles of x within the strata of z that reach the observed value) / (1 + rounds)."""
    observed = statistic(sample)
    tolerance = 1e-12 * (1.0 + abs(observed))
    conditions = sample.codes[:, list(given)]
    strata = [np.flatnonzero((conditions == z).all(axis=1)) for z in np.unique(conditions, axis=0)]
    reached = 0
    for _ in range(rounds):
        codes = sample.codes.copy()
        for rows in strata:
            shuffled = generator.permutation(rows)
            for variable in x:
                codes[rows, variable] = sample.codes[shuffled, variable]
        reached += statistic(Sample(codes, sample.cardinalities, sample.weights)) >= observed - tolerance
    return (1 + reached) / (1 + rounds)


# local scores


def parameters(sample: Sample, child: int, parents: Sequence[int]) -> int:
    """(r - 1) q: q counts parent configurations, not parents (Jensen & Nielsen 2007, Prop. 7.1)."""
    return (sample.cardinalities[child] - 1) * sample.size(parents)


def log_likelihood(sample: Sample, child: int, parents: Sequence[int]) -> float:
    """Sum of N_ijk log(N_ijk / N_ij)."""
    n = family_counts(sample, child, parents)
    seen = n > 0
    return math.fsum(n[seen] * np.log((n / np.maximum(n.sum(axis=1, keepdims=True), 1e-300))[seen]))


def penalized(sample: Sample, child: int, parents: Sequence[int], penalty: float) -> float:
    """Log-likelihood minus a penalty per parameter."""
    return log_likelihood(sample, child, parents) - penalty * parameters(sample, child, parents)


def aic(sample: Sample, child: int, parents: Sequence[int]) -> float:
    """Akaike 1974, on the log-likelihood scale: penalty 1 per parameter."""
    return penalized(sample, child, parents, 1.0)


def bic(sample: Sample, child: int, parents: Sequence[int]) -> float:
    """Schwarz 1978: penalty log(N)/2 per parameter (Jensen & Nielsen 2007, Eq. 7.5)."""
    return penalized(sample, child, parents, math.log(sample.N) / 2 if sample.N > 0 else 0.0)


def mdl(sample: Sample, child: int, parents: Sequence[int], d: float | None = None) -> float:
    """Minus the description length (Lam & Bacchus 1994, Eqs. 1 and 3), here in nats: d nats per
    parameter (log(N)/2 by default), log n per parent, and the data coded with the fitted table."""
    d = (math.log(sample.N) / 2 if sample.N > 0 else 0.0) if d is None else d
    arcs = len(parents) * math.log(len(sample.cardinalities))
    return penalized(sample, child, parents, d) - arcs


def dirichlet_score(sample: Sample, child: int, parents: Sequence[int], alpha: ArrayLike) -> float:
    """Sum_j log G(a_ij)/G(a_ij + N_ij) + sum_k log G(a_ijk + N_ijk)/G(a_ijk), G the gamma function."""
    n = family_counts(sample, child, parents)
    a = np.broadcast_to(np.asarray(alpha, dtype=np.float64), n.shape)
    rows = zip(a, n, strict=True)
    total = 0.0
    for a_j, n_j in rows:
        if n_j.sum() == 0:
            continue
        inside = math.fsum(log_gamma_ratio(a_jk, n_jk) for a_jk, n_jk in zip(a_j, n_j, strict=True))
        total += inside - (log_gamma_ratio(a_j.sum(), n_j.sum()) if inside > -math.inf else 0.0)
    return total


def k2(sample: Sample, child: int, parents: Sequence[int]) -> float:
    """Cooper & Herskovits 1992: the Dirichlet score with every a_ijk = 1 (Jensen & Nielsen 2007, Eq. 7.9)."""
    return dirichlet_score(sample, child, parents, 1.0)


def bdeu(sample: Sample, child: int, parents: Sequence[int], ess: float = 1.0) -> float:
    """a_ijk = ess / (r q) (Buntine 1991; Heckerman, Geiger & Chickering 1995)."""
    return dirichlet_score(sample, child, parents, ess / sample.size([child, *parents]))


def bde(
    sample: Sample, child: int, parents: Sequence[int], ess: float, prior: Callable[[Sequence[int]], Floats]
) -> float:
    """a_ijk = ess p'(child = k, parents = j) for a prior joint distribution p' (Heckerman et al. 1995)."""
    alpha = ess * np.asarray(prior([*parents, child])).reshape(-1, sample.cardinalities[child])
    return dirichlet_score(sample, child, parents, alpha)


def bds(sample: Sample, child: int, parents: Sequence[int], ess: float = 1.0) -> float:
    """a_ijk = ess / (r q_seen) for the parent configurations seen in the data (Scutari 2016)."""
    seen = int((family_counts(sample, child, parents).sum(axis=1) > 0).sum())
    return dirichlet_score(sample, child, parents, ess / (sample.cardinalities[child] * max(seen, 1)))


def fnml(sample: Sample, child: int, parents: Sequence[int]) -> float:
    """Log-likelihood minus the regret of each seen parent configuration (Silander et al. 2008)."""
    n_ij = family_counts(sample, child, parents).sum(axis=1)
    regret = math.fsum(nml_regret(float(n), sample.cardinalities[child]) for n in n_ij)
    return log_likelihood(sample, child, parents) - regret


def adaptive_bdeu(sample: Sample, child: int, parents: Sequence[int]) -> float:
    """mu(child | parents) of the adaptive Dirichlet measure."""
    return family(adaptive_dirichlet, sample, child, parents)[0]


def qnml(sample: Sample, child: int, parents: Sequence[int]) -> float:
    """Log-likelihood - regret(N, r q) + regret(N, q) (Silander et al. 2018)."""
    cells = sample.size(parents)
    return (
        log_likelihood(sample, child, parents)
        - nml_regret(sample.N, sample.cardinalities[child] * cells)
        + nml_regret(sample.N, cells)
    )


def nml_regret(N: float, q: int) -> float:
    """log C(N, q): C(N, 2) by its definition, then C(N, q+2) = C(N, q+1) + (N/q) C(N, q), for whole N."""
    if N == 0 or q == 1:
        return 0.0
    h = np.arange(int(N) + 1)
    log_choose = math.lgamma(N + 1) - np.array([math.lgamma(k + 1) + math.lgamma(N - k + 1) for k in h])
    inside = np.array([sum_n_log_n([k, N - k]) for k in h]) - N * math.log(N)
    ratio, log_c = math.fsum(np.exp(log_choose + inside)), 0.0
    for cells in range(1, q):
        log_c += math.log(ratio)
        ratio = 1.0 + N / cells / ratio
    return log_c


def euclidean(sample: Sample, parents: Mapping[int, Sequence[int]], c: float) -> float:
    """-(sum over all joint cells of (P_D(x) - P_S(x))^2 + c * size), P_S with maximum-likelihood parameters;
    a parent configuration that never occurs gets a uniform row (Jensen & Nielsen 2007, section 7.3.1)."""
    observed = counts(sample, range(len(sample.cardinalities))) / sample.N
    model = np.ones(observed.shape)
    for cell in np.ndindex(*observed.shape):
        for child, family_parents in parents.items():
            n = family_counts(sample, child, family_parents)
            shape = [sample.cardinalities[v] for v in family_parents]
            j = int(np.ravel_multi_index([cell[v] for v in family_parents], shape)) if shape else 0
            model[cell] *= n[j, cell[child]] / n[j].sum() if n[j].sum() > 0 else 1.0 / n.shape[1]
    size = sum(parameters(sample, child, family_parents) for child, family_parents in parents.items())
    return -(float(((observed - model) ** 2).sum()) + c * size)


def network_features(networks: NDArray[np.bool_], weights: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """The weight of the networks, matrices (parent, child), with a directed path from i to j, with j in the
    Markov blanket of i, and with a -> c <- b and no edge between a and b, entry (a, c, b)."""
    n = networks.shape[1]
    paths, blankets, colliders = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n, n))
    for arcs, weight in zip(networks.astype(int), np.asarray(weights), strict=True):
        paths += weight * (sum(np.linalg.matrix_power(arcs, length) for length in range(1, n + 1)) > 0)
        moral = arcs + arcs.T + arcs @ arcs.T
        blankets += weight * ((moral > 0) & ~np.eye(n, dtype=bool))
        apart = (arcs + arcs.T + np.eye(n, dtype=int)) == 0
        colliders += weight * np.einsum("ac,bc,ab->acb", arcs, arcs, apart)
    return paths, blankets, colliders
