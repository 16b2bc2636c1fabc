#include "dagwright/statistics/poisson_weights.hpp"

#include <array>
#include <cmath>

#include "dagwright/base/random.hpp"

namespace dagwright {

namespace {

constexpr std::uint64_t kGamma = 0x9e3779b97f4a7c15ULL;  // the step of SplitMix64
constexpr double kLargestMean = 16.0;                    // of one inversion; larger means are sums

// The number at this place of the stream of a key.
std::uint64_t at(std::uint64_t key, std::uint64_t place) { return Random(key + place * kGamma).next(); }

// Poisson(1) by inversion: how many of these cumulative probabilities the number has passed, in units of
// 2^-64. P(X <= 20) differs from 1 by less than 2^-64.
struct UnitPoisson {
    std::array<std::uint64_t, 20> below{};
    UnitPoisson() {
        long double term = std::exp(-1.0L), sum = 0.0L;
        for (std::size_t k = 0; k < below.size(); ++k) {
            sum += term;
            below[k] = sum >= 1.0L ? ~std::uint64_t{0} : static_cast<std::uint64_t>(std::ldexp(sum, 64));
            term /= static_cast<long double>(k + 1);
        }
    }
    std::uint64_t operator()(std::uint64_t number) const {
        std::uint64_t k = 0;
        while (k < below.size() && number >= below[k]) ++k;
        return k;
    }
};

std::uint64_t inverted(double mean, double uniform) {
    double term = std::exp(-mean), sum = term;
    std::uint64_t k = 0;
    while (uniform >= sum && k < 200) {
        ++k;
        term *= mean / static_cast<double>(k);
        sum += term;
    }
    return k;
}

// Poisson(mean), as a sum of as many as it takes; each row has a stream of its own.
std::uint64_t poisson(double mean, std::uint64_t key) {
    Random stream(key);
    std::uint64_t sum = 0;
    for (; mean > kLargestMean; mean -= kLargestMean) sum += inverted(kLargestMean, stream.uniform());
    return sum + inverted(mean, stream.uniform());
}

}  // namespace

PoissonDraw PoissonDraw::of(std::uint64_t seed, std::uint64_t replicate) {
    return {at(Random(seed).next(), replicate)};
}

std::uint64_t PoissonDraw::weight(std::size_t row) const {
    static const UnitPoisson unit;
    return unit(at(key, row));
}

std::uint64_t PoissonDraw::weight(std::size_t row, double mean) const { return poisson(mean, at(key, row)); }

std::vector<std::uint64_t> PoissonDraw::weights(const Table& table, std::size_t begin,
                                                std::size_t end) const {
    std::vector<std::uint64_t> drawn(end - begin);
    for (std::size_t row = begin; row < end; ++row)
        drawn[row - begin] = table.weighted()
                                 ? weight(row, static_cast<double>(table.weights()[row]) * table.unit())
                                 : weight(row);
    return drawn;
}

}  // namespace dagwright
