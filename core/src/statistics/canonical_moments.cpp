#include "dagwright/statistics/canonical_moments.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dagwright/statistics/power_sums.hpp"

namespace dagwright {

namespace {

using Signature = ColumnSignature;

constexpr double kRounded = 1e7;

double rounded(double value) { return std::nearbyint(value * kRounded) + 0.0; }

Signature of_codes(const MixedTable& table, const Column& codes) {
    std::vector<std::uint64_t> counts(codes.cardinality, 0);
    for (std::size_t row = 0; row < table.rows(); ++row)
        if (!codes.missing(row)) counts[codes[row]] += table.weights().empty() ? 1 : table.weights()[row];
    std::sort(counts.begin(), counts.end(), std::greater<>());
    Signature signature{-1.0, static_cast<double>(codes.cardinality)};
    for (const std::uint64_t n : counts) signature.push_back(static_cast<double>(n));
    return signature;
}

// log(|S_x| |S_y| / |S_xy|), which is -log(1 - r^2) for two numbers; infinite where they determine each
// other.
class Correlations {
  public:
    explicit Correlations(const VariableMoments& moments) : moments_(moments) {}

    double operator()(Var x, Var y) {
        const double together = log_determinant(VarSet::of({x, y}));
        return rounded(log_determinant(VarSet::of({x})) + log_determinant(VarSet::of({y})) - together);
    }

  private:
    double log_determinant(const VarSet& set) {
        moments_.list(set, columns_);
        cholesky_.resize(columns_.size());
        for (std::size_t a = 0; a < columns_.size(); ++a)
            for (std::size_t b = 0; b <= a; ++b)
                cholesky_.at(a, b) = moments_.matrix().steps(columns_[a], columns_[b]);
        if (cholesky_.factor() < columns_.size()) return set.size() == 1 ? 0.0 : -1e6;
        return cholesky_.log_determinant().value();
    }

    const VariableMoments& moments_;
    Cholesky cholesky_;
    std::vector<std::uint32_t> columns_;
};

// Ranks of (color, signature); a color is the number of columns before it.
std::vector<std::size_t> recolored(const std::vector<std::size_t>& colors,
                                   const std::vector<Signature>& signatures) {
    std::vector<Var> order(colors.size());
    std::iota(order.begin(), order.end(), Var{0});
    const auto before = [&](Var a, Var b) {
        return colors[a] != colors[b] ? colors[a] < colors[b] : signatures[a] < signatures[b];
    };
    std::sort(order.begin(), order.end(), before);
    std::vector<std::size_t> next(colors.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        next[order[i]] = i > 0 && !before(order[i - 1], order[i]) ? next[order[i - 1]] : i;
    return next;
}

}  // namespace

Signature number_signature(double variance, double third, double fourth) {
    if (!(variance > 0.0)) return {0.0, 0.0, 0.0};
    return {1.0, rounded(fourth / (variance * variance)),
            rounded(std::fabs(third) / (variance * std::sqrt(variance)))};
}

std::vector<Signature> signatures_of(const MixedTable& table, Workers& workers) {
    std::vector<Signature> signatures(table.variables());
    std::vector<Var> numbers;
    std::vector<Grid> grids;
    for (Var v = 0; v < table.variables(); ++v) {
        if (!table.continuous(v)) continue;
        numbers.push_back(v);
        grids.emplace_back().include(table.variable(v).numbers.front(), table.rows());
    }
    const auto means = [&](std::vector<double> about, unsigned power) {
        PowerSums sums(grids, std::move(about), power);
        sums.add(table, workers);
        return sums.means();
    };
    const std::vector<double> center = means(std::vector<double>(grids.size(), 0.0), 1);
    const std::vector<double> variance = means(center, 2), third = means(center, 3),
                              fourth = means(center, 4);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        signatures[numbers[i]] = number_signature(variance[i], third[i], fourth[i]);
    workers.run(table.variables(), [&](std::size_t v, unsigned) {
        const MixedVariable& variable = table.variable(static_cast<Var>(v));
        if (!variable.continuous()) signatures[v] = of_codes(table, variable.codes);
    });
    return signatures;
}

CanonicalOrder canonical_order(std::vector<Signature> signatures, const SetMoments& moments,
                               const std::vector<std::size_t>& name_rank, Control& control) {
    const std::size_t n = signatures.size();
    std::vector<std::size_t> colors = recolored(std::vector<std::size_t>(n, 0), signatures);

    // Only complete variables have moments on the same rows.
    Correlations correlation(moments.whole());
    CanonicalOrder result;
    for (bool finer = true; finer && result.complete;) {
        std::vector<std::size_t> members(n, 0);
        for (const std::size_t color : colors) ++members[color];
        for (Var v = 0; v < n && result.complete; ++v) {
            signatures[v].clear();
            if (members[colors[v]] == 1 || !moments.incomplete(VarSet::of({v})).empty()) continue;
            std::vector<std::pair<std::size_t, double>> seen;
            for (Var u = 0; u < n; ++u)
                if (u != v && moments.incomplete(VarSet::of({u})).empty())
                    seen.emplace_back(colors[u], correlation(v, u));
            std::sort(seen.begin(), seen.end());
            for (const auto& [color, value] : seen) signatures[v].push_back(value);
            result.complete = control.should_stop() == Stop::none;
        }
        if (!result.complete) break;
        const std::vector<std::size_t> next = recolored(colors, signatures);
        finer = next != colors;
        colors = next;
    }
    order_by_colors(colors, name_rank, result);
    return result;
}

}  // namespace dagwright
