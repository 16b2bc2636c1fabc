#include <random>

#include "check.hpp"
#include "dagwright/base/cholesky.hpp"
#include "dagwright/base/special_beta.hpp"
#include "dagwright/evidence/gaussian.hpp"
#include "dagwright/evidence/no_maximum.hpp"
#include "statistics/limb_products.hpp"

using namespace dagwright;

namespace {

using Columns = std::vector<std::vector<double>>;

Columns random_columns(std::size_t rows, std::size_t n) {
    std::mt19937_64 random(rows + n);
    Columns columns(n, std::vector<double>(rows));
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t i = 0; i < n; ++i)
            columns[i][row] = static_cast<double>(random() >> 11) * 0x1p-53 * static_cast<double>(i + 1) +
                              (i > 0 ? columns[i - 1][row] : 0.0);
    return columns;
}

std::shared_ptr<MixedTable> table_of(const Columns& columns) {
    std::vector<MixedVariable> variables;
    for (const auto& column : columns) {
        variables.emplace_back();
        variables.back().numbers = {column.data()};
    }
    return std::make_shared<MixedTable>(columns.front().size(), variables, std::span<const double>{});
}

}  // namespace

TEST("wide numbers add, multiply and round as numbers do") {
    const WideInt a(std::int64_t{-123456789012345}), b(std::int64_t{987654321098765});
    CHECK((a + b).to_double() == 864197532086420.0);
    CHECK((a - b).to_double() == -1111111110111110.0);
    CHECK((a * b).to_double() == -123456789012345.0 * 987654321098765.0);
    CHECK((a * b * b).to_double() < 0.0);
    CHECK((a * b - b * a).to_double() == 0.0);
    WideInt half;  // 2^53 + 1 lies halfway and goes to the even number; one more bit below decides
    half.add(1, 153);
    half.add(1, 100);
    CHECK(half.to_double() == 0x1p153);
    half.add(1, 0);
    CHECK(half.to_double() == 0x1p153 + 0x1p101);
    half.add(-1, 153);
    CHECK(half.to_double() == 0x1p100);
}

TEST("a determinant and the columns that others determine") {
    Cholesky matrix;
    const auto fill = [&](std::initializer_list<std::initializer_list<double>> rows) {
        matrix.resize(rows.size());
        std::size_t i = 0;
        for (const auto& row : rows) {
            std::size_t k = 0;
            for (const double value : row) matrix.at(i, k++) = value;
            ++i;
        }
    };
    fill({{4.0}, {2.0, 3.0}, {1.0, 0.5, 2.0}});
    CHECK(matrix.factor() == 3);
    CHECK_CLOSE(matrix.log_determinant().value(), std::log(14.0), 1e-15);
    fill({{1.0}, {1.0, 1.0}});
    CHECK(matrix.factor() == 1);
    fill({{1.0}, {0.0, 0.0}});
    CHECK(matrix.factor() == 1);
    fill({{1e-200}, {0.0, 1e250}});
    CHECK(matrix.factor() == 2);
    CHECK_CLOSE(matrix.log_determinant().value(), 50.0 * std::log(10.0), 1e-14);
}

TEST("products of panels are exact, whichever instructions take them") {
    constexpr std::size_t stride = kPanel + 3;
    constexpr auto largest = std::int64_t{1} << 47;
    std::mt19937_64 random(5);
    alignas(64) double a[kPanel * kRowsOfProduct], b[kPanel * kRowsOfProduct];
    for (const std::size_t rows : {std::size_t{0}, std::size_t{1}, kRowsOfProduct / 2, kRowsOfProduct / 2 + 1,
                                   kRowsOfProduct - 1, kRowsOfProduct})
        for (const bool extreme : {false, true}) {
            for (double* panel : {a, b})
                for (std::size_t at = 0; at < kPanel * kRowsOfProduct; ++at) {
                    const auto any = static_cast<std::int64_t>(random() % (2 * largest + 1)) - largest;
                    panel[at] = static_cast<double>(extreme ? (any < 0 ? -largest : largest) : any);
                }
            for (const WholeProducts product : all_whole_products()) {
                std::vector<std::int64_t> high(kPanel * stride, 7), low(kPanel * stride, -3);
                product(a, b, rows, high.data(), low.data(), stride);
                for (std::size_t i = 0; i < kPanel; ++i)
                    for (std::size_t k = 0; k < kPanel; ++k) {
                        WideInt plain;
                        for (std::size_t row = 0; row < rows; ++row)
                            plain += WideInt(static_cast<std::int64_t>(a[row * kPanel + i])) *
                                     WideInt(static_cast<std::int64_t>(b[row * kPanel + k]));
                        WideInt found;
                        found.add(high[i * stride + k] - 7, kHighShift);
                        found.add(low[i * stride + k] + 3, 0);
                        CHECK((found - plain).to_double() == 0.0);
                    }
                CHECK(high[kPanel] == 7 && low[kPanel] == -3);  // what lies between the rows is not touched
            }
        }
}

TEST("sums of blocks are the sums of all rows") {
    const Columns columns = random_columns(700, 11);
    const auto table = table_of(columns);
    const std::vector<MomentColumn> all = moment_columns(*table);
    Workers workers(3);
    MomentSums whole(all.size()), parts(all.size());
    whole.add(*table, all, workers);
    std::vector<std::uint32_t> odd, even;
    for (std::uint32_t row = 0; row < 700; ++row) (row % 2 == 1 ? odd : even).push_back(row);
    parts.add(*table, all, workers, odd);
    MomentSums rest(all.size());
    rest.add(*table, all, workers, even);
    parts.add(rest);
    const MomentMatrix one = whole.matrix(all), other = parts.matrix(all);
    for (std::size_t i = 0; i < all.size(); ++i) {
        CHECK(one.mean(i) == other.mean(i));
        for (std::size_t k = 0; k <= i; ++k) CHECK(one.steps(i, k) == other.steps(i, k));
    }
}

TEST("no family of a Gaussian measure is above its bound") {
    const Columns columns = random_columns(300, 5);
    Workers workers(1);
    GaussianMeasure measure(std::make_shared<SetMoments>(table_of(columns), workers));
    Control control;
    CHECK(measure.bounds().has_value());
    const Bounds bounds = *measure.bounds();
    for (std::uint32_t mask = 0; mask < 32; ++mask)
        for (Var child = 0; child < 5; ++child) {
            if ((mask >> child & 1u) != 0) continue;
            std::vector<Var> parents;
            for (Var v = 0; v < 5; ++v)
                if ((mask >> v & 1u) != 0) parents.push_back(v);
            const VarSet given = VarSet::of(parents);
            const std::vector<VarSet> sets{given.with(child), given};
            std::vector<SetFit> found(2);
            measure.evidence(sets, {}, found, control);
            CHECK(family_fit(found[0], found[1]) <= bounds.largest_fit[child]);
            CHECK(measure.family_dim(child, given, {}, {}) == found[0].dim - found[1].dim);
        }
}

TEST("the incomplete beta function") {  // 40-digit arithmetic
    CHECK_CLOSE(std::exp(log_f_sf(1.0132968179795054 * 1.0132968179795054, 1.0, 5.0)), 0.3574141652643942,
                1e-14);
    CHECK(log_f_sf(0.0, 3.0, 4.0) == 0.0);
    CHECK_CLOSE(log_incomplete_beta(1.0, 1.0, std::log(0.25)), std::log(0.25), 1e-15);
    CHECK_CLOSE(log_incomplete_beta(2.0, 1.0, -800.0), -1600.0, 1e-15);
}
