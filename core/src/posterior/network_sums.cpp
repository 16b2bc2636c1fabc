#include "dagwright/posterior/network_sums.hpp"

#include <algorithm>
#include <bit>

namespace dagwright {

namespace {

constexpr const char* kForward = "summing over networks";
constexpr const char* kBackward = "probabilities of arcs and paths";

// The unit of a sum over nothing: whatever is put in that unit vanishes.
constexpr std::int64_t kNever = std::int64_t{1} << 60;
// A share of a sum below which a term is left out: all such terms together stay below the rounding of a
// double.
constexpr double kNegligible = 0x1.0p-120;
// The innermost loops run over the sets of so many variables.
constexpr std::size_t kLowVariables = 8;

SetMask bit(Var x) { return SetMask{1} << x; }
Var lowest(SetMask set) { return static_cast<Var>(std::countr_zero(set)); }

// 2^exponent, 0 for what is too small.
double power_of_two(std::int64_t exponent) {
    const std::int64_t biased = std::clamp<std::int64_t>(exponent + 1023, 0, 2046);
    return std::bit_cast<double>(static_cast<std::uint64_t>(biased) << 52);
}

// The products of a number over all subsets of a list of variables.
struct Products {
    std::vector<double> mantissa;
    std::vector<std::int64_t> exponent;
    std::vector<SetMask> set;

    void begin(double first, std::int64_t unit) {
        mantissa.assign(1, first);
        exponent.assign(1, unit);
        set.assign(1, 0);
    }
    // Sets with a variable in `barred` do not take this one too.
    void add(Var x, const Scaled::Binary& factor, SetMask barred) {
        const std::size_t size = set.size();
        mantissa.resize(2 * size);
        exponent.resize(2 * size);
        set.resize(2 * size);
        for (std::size_t i = 0; i < size; ++i) {
            mantissa[size + i] = mantissa[i] * factor.mantissa;
            exponent[size + i] = exponent[i] + factor.exponent;
            set[size + i] = set[i] | bit(x);
        }
        if (barred == 0) return;
        for (std::size_t i = 0; i < size; ++i)
            if ((set[i] & barred) != 0) mantissa[size + i] = 0.0;
    }
};

// (-1)^(|T|+1) times a start and the product of a(x, U) over T, for all T of the variables that were added:
// one factor for the first few variables, one for the others.
struct Terms {
    Products low, high;
    std::vector<Var> variables;
    SetMask base = 0;

    void begin(double start, std::int64_t unit, SetMask always) {
        low.begin(1.0, 0);
        high.begin(-start, unit);
        variables.clear();
        base = always;
    }
    void add(const ParentSums& sums, Var x, Scaled::Binary factor) {
        factor.mantissa = -factor.mantissa;
        (variables.size() < kLowVariables ? low : high).add(x, factor, sums.links(x));
        variables.push_back(x);
    }
    std::size_t low_variables() const { return std::min(variables.size(), kLowVariables); }

    // visit(i, T + base, term without its power of two, exponent), for all i among the first variables.
    template <class Visit>
    void block(std::size_t h, const ParentSums& sums, Visit&& visit) const {
        const double mantissa = high.mantissa[h];
        const std::int64_t exponent = high.exponent[h];
        const SetMask joint = base | high.set[h];
        SetMask barred = 0;
        if (sums.has_links())
            for (SetMask rest = high.set[h]; rest != 0; rest &= rest - 1) barred |= sums.links(lowest(rest));
        if (barred == 0)
            for (std::size_t i = 0; i < low.set.size(); ++i)
                visit(i, joint | low.set[i], mantissa * low.mantissa[i], exponent + low.exponent[i]);
        else
            for (std::size_t i = 0; i < low.set.size(); ++i)
                visit(i, joint | low.set[i], (low.set[i] & barred) != 0 ? 0.0 : mantissa * low.mantissa[i],
                      exponent + low.exponent[i]);
    }
};

// Sums an array over all subsets of `bits` things into its first entry, and for each thing over those that
// hold it; the array is used up.
double fold(double* values, std::size_t bits, double* single) {
    for (std::size_t k = bits; k-- > 2;) {
        const std::size_t half = std::size_t{1} << k;
        double* const with = values + half;
        double sums[4] = {0.0, 0.0, 0.0, 0.0};
        for (std::size_t i = 0; i < half; i += 4)
            for (std::size_t lane = 0; lane < 4; ++lane) {
                sums[lane] += with[i + lane];
                values[i + lane] += with[i + lane];
            }
        single[k] += (sums[0] + sums[1]) + (sums[2] + sums[3]);
    }
    if (bits >= 2) {
        single[1] += values[2] + values[3];
        values[0] += values[2];
        values[1] += values[3];
    }
    if (bits >= 1) {
        single[0] += values[1];
        values[0] += values[1];
    }
    return values[0];
}

// The same, and for each two things over those that hold both: pairs[k * stride + j], j < k.
double fold_pairs(double* values, std::size_t bits, double* single, double* pairs, std::size_t stride) {
    for (std::size_t k = bits; k-- > 0;) {
        const std::size_t half = std::size_t{1} << k;
        for (std::size_t i = 0; i < half; ++i) values[i] += values[half + i];
        single[k] += fold(values + half, k, pairs + k * stride);
    }
    return values[0];
}

// Adds to all larger sets what the networks on `set` contribute. `base` is the set with the variables that T
// must hold, `start` the term for these alone.
void push(const ParentSums& sums, SetMask set, SetMask base, const Scaled::Binary& start, const Apart* pair,
          const std::vector<std::int64_t>& units, std::vector<double>& into, Terms& terms) {
    if (start.mantissa == 0.0) return;
    terms.begin(start.mantissa, start.exponent, base);
    const auto all = static_cast<SetMask>(into.size() - 1);
    for (SetMask rest = all & ~base; rest != 0; rest &= rest - 1) {
        const Var x = lowest(rest);
        if ((sums.links(x) & base & ~set) != 0) continue;
        const Scaled::Binary factor =
            (pair == nullptr ? sums.sum(x, set) : sums.keeping(x, set, *pair)).binary();
        const double share = std::fabs(start.mantissa) * factor.mantissa *
                             power_of_two(start.exponent + factor.exponent - units[base | bit(x)]);
        if (share > kNegligible) terms.add(sums, x, factor);
    }
    const double kept = into[base];
    for (std::size_t h = 0; h < terms.high.set.size(); ++h)
        terms.block(h, sums, [&](std::size_t, SetMask joint, double mantissa, std::int64_t exponent) {
            into[joint] += mantissa * power_of_two(exponent - units[joint]);
        });
    if (base == set) into[base] = kept;  // T is not empty
}

}  // namespace

struct NetworkSums::Looking {
    Terms terms;
    std::vector<double> block, rows, single, pairs;
};

NetworkSums::NetworkSums(const ParentSums& sums, Watch& watch) : sums_(sums), watch_(watch) {
    unit_forward();
    forward_.value.assign(sums.sets(), 0.0);
    forward_.value[0] = 1.0;
    std::vector<std::vector<double>> lanes(kLanes, std::vector<double>(sums.sets()));
    std::vector<Terms> terms(kLanes);
    for (const std::vector<SetMask>& level : by_size())
        watch.workers().run(kLanes, [&](std::size_t lane, unsigned worker) {
            for (std::size_t i = lane; i < level.size() && !watch.halted(); i += kLanes) {
                const SetMask set = level[i];
                double& here = forward_.value[set];
                if (set != 0) {
                    here = 0.0;
                    for (const std::vector<double>& one : lanes) here += one[set];
                }
                push(sums, set, set, {here, forward_.exponent[set]}, nullptr, forward_.exponent, lanes[lane],
                     terms[lane]);
                watch.step(worker, kForward);
            }
        });
}

std::vector<std::vector<SetMask>> NetworkSums::by_size() const {
    std::vector<std::vector<SetMask>> levels(sums_.variables() + 1);
    for (SetMask set = 0; set < sums_.sets(); ++set)
        levels[static_cast<std::size_t>(std::popcount(set))].push_back(set);
    return levels;
}

// The heaviest order alone, to within a factor of 2^n: the sum is that up to 2^n n! times.
void NetworkSums::unit_forward() {
    std::vector<std::int64_t>& unit = forward_.exponent;
    unit.assign(sums_.sets(), kNever);
    unit[0] = 0;
    for (SetMask set = 1; set < sums_.sets() && !watch_.halted(); ++set) {
        std::int64_t most = -kNever;
        for (SetMask rest = set; rest != 0; rest &= rest - 1) {
            const SetMask before = set & ~(rest & (~rest + 1));
            const Scaled::Binary sum = sums_.sum(lowest(rest), before).binary();
            if (sum.mantissa != 0.0 && unit[before] != kNever)
                most = std::max(most, unit[before] + sum.exponent);
        }
        if (most != -kNever) unit[set] = most;
        watch_.step(0, kForward);
    }
}

void NetworkSums::unit_completions() {
    std::vector<std::int64_t>& unit = completions_.exponent;
    const auto all = static_cast<SetMask>(sums_.sets() - 1);
    unit.assign(sums_.sets(), -kNever);
    unit[all] = 0;
    for (SetMask set = all; set-- > 0 && !watch_.halted(); watch_.step(0, kBackward))
        for (SetMask rest = all & ~set; rest != 0; rest &= rest - 1) {
            const SetMask then = set | (rest & (~rest + 1));
            const Scaled::Binary sum = sums_.sum(lowest(rest), set).binary();
            if (sum.mantissa != 0.0 && unit[then] != -kNever)
                unit[set] = std::max(unit[set], unit[then] + sum.exponent);
        }
}

void NetworkSums::look_back() {
    const std::size_t n = sums_.variables();
    unit_completions();
    completions_.value.assign(sums_.sets(), 0.0);
    completions_.value.back() = 1.0;
    shares_.assign(n, std::vector<double>(sums_.sets() / 2, 0.0));
    std::vector<std::vector<double>> lanes(kLanes, std::vector<double>(n * n, 0.0));
    std::vector<Looking> scratch(kLanes);
    const std::vector<std::vector<SetMask>> levels = by_size();
    for (std::size_t size = n; size-- > 0;)
        watch_.workers().run(kLanes, [&](std::size_t lane, unsigned worker) {
            for (std::size_t i = lane; i < levels[size].size() && !watch_.halted(); i += kLanes) {
                complete(levels[size][i], scratch[lane], lanes[lane]);
                watch_.step(worker, kBackward);
            }
        });
    paths_.assign(n * n, 0.0);
    for (const std::vector<double>& lane : lanes)
        for (std::size_t i = 0; i < paths_.size(); ++i) paths_[i] += lane[i];
}

void NetworkSums::complete(SetMask set, Looking& scratch, std::vector<double>& paths) {
    const std::size_t n = sums_.variables();
    const std::int64_t unit = completions_.exponent[set];
    if (unit == -kNever) return;
    Terms& terms = scratch.terms;
    terms.begin(1.0, -unit, set);
    const auto all = static_cast<SetMask>(sums_.sets() - 1);
    for (SetMask rest = all & ~set; rest != 0; rest &= rest - 1) {
        const Var x = lowest(rest);
        const SetMask then = set | bit(x);
        const Scaled::Binary factor = sums_.sum(x, set).binary();
        const double share = factor.mantissa * completions_.value[then] *
                             power_of_two(factor.exponent + completions_.exponent[then] - unit);
        if (share > kNegligible) terms.add(sums_, x, factor);
    }
    const std::size_t m = terms.variables.size(), low = terms.low_variables(), blocks = terms.high.set.size();
    scratch.block.resize(terms.low.set.size());
    scratch.rows.assign((low + 1) * blocks, 0.0);
    scratch.single.assign(m, 0.0);
    scratch.pairs.assign(m * m, 0.0);
    double of_low[kLowVariables];
    for (std::size_t h = 0; h < blocks; ++h) {
        terms.block(h, sums_, [&](std::size_t i, SetMask joint, double mantissa, std::int64_t exponent) {
            scratch.block[i] =
                mantissa * completions_.value[joint] * power_of_two(exponent + completions_.exponent[joint]);
        });
        if (h == 0) scratch.block[0] = 0.0;  // T is not empty
        std::fill(of_low, of_low + low, 0.0);
        scratch.rows[low * blocks + h] =
            fold_pairs(scratch.block.data(), low, of_low, scratch.pairs.data(), m);
        for (std::size_t k = 0; k < low; ++k) scratch.rows[k * blocks + h] = of_low[k];
    }
    // A low variable k and a high one j: pairs[k * m + j]. Two high ones: their rows begin at column `low`.
    for (std::size_t k = 0; k < low; ++k)
        scratch.single[k] =
            fold(scratch.rows.data() + k * blocks, m - low, scratch.pairs.data() + k * m + low);
    completions_.value[set] =
        fold_pairs(scratch.rows.data() + low * blocks, m - low, scratch.single.data() + low,
                   scratch.pairs.data() + low * m + low, m);
    const double weight = (forward_.at(set) * Scaled::binary(1.0, unit)) / total();
    for (std::size_t k = 0; k < m; ++k) {
        const Var end = terms.variables[k];
        shares_[end][squeeze(set, end)] = scratch.single[k];
        for (SetMask rest = set; rest != 0; rest &= rest - 1)
            paths[lowest(rest) * n + end] += weight * scratch.single[k];
        for (std::size_t j = 0; j < m; ++j) {
            const double together = weight * scratch.pairs[k * m + j];
            const Var other = terms.variables[j];
            paths[other * n + end] += together;
            paths[end * n + other] += together;
        }
    }
}

Scaled NetworkSums::after(Var x, SetMask set) const {
    const double share = shares_[x][squeeze(set, x)];
    if (share == 0.0) return Scaled();
    return Scaled::binary(share, completions_.exponent[set]).over(sums_.sum(x, set));
}

void NetworkSums::keep_apart(const Apart& pair, Restricted& found, unsigned worker) const {
    const SetMask both = pair.both();
    std::vector<std::int64_t>& unit = found.exponent;
    unit = forward_.exponent;
    found.value.assign(sums_.sets(), 0.0);
    Terms terms;
    for (SetMask set = both; set < sums_.sets(); set = (set + 1) | both) {
        unit[set] = kNever;
        std::int64_t most = -kNever;
        for (SetMask rest = set; rest != 0; rest &= rest - 1) {
            const SetMask before = set & ~(rest & (~rest + 1));
            const Scaled::Binary sum = sums_.keeping(lowest(rest), before, pair).binary();
            if (sum.mantissa > 0.0 && unit[before] != kNever)
                most = std::max(most, unit[before] + sum.exponent);
        }
        if (most != -kNever) unit[set] = most;
    }
    const bool linked = (sums_.links(pair.a) & both) != 0;
    for (SetMask set = 0; set < sums_.sets() && !watch_.halted(); ++set) {
        watch_.step(worker, kForward);
        const SetMask forced = both & ~set;
        if (forced == both && linked) continue;
        Scaled start = forced == 0 ? found.at(set) : forward_.at(set);
        for (SetMask rest = forced; rest != 0; rest &= rest - 1)
            start = -(start * sums_.keeping(lowest(rest), set, pair));
        push(sums_, set, set | forced, start.binary(), &pair, unit, found.value, terms);
    }
}

}  // namespace dagwright
