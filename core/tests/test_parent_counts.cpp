#include <cmath>
#include <limits>

#include "check.hpp"
#include "dagwright/base/errors.hpp"
#include "dagwright/base/random.hpp"
#include "dagwright/evidence/arc_prior.hpp"
#include "dagwright/evidence/parent_counts.hpp"

using namespace dagwright;

namespace {

constexpr double kMost = std::numeric_limits<double>::infinity();

std::vector<double> random_values(Random& random, std::size_t n) {
    std::vector<double> values;
    for (std::size_t k = 0; k < n; ++k)
        values.push_back(random.uniform() < 0.2 ? -kMost : 8.0 * random.uniform() - 4.0);
    return values;
}

}  // namespace

TEST("bounds of a prior on the number of parents are those over all larger numbers") {
    Random random(3);
    for (int round = 0; round < 300; ++round) {
        const std::vector<double> values = random_values(random, 6);
        const ParentCounts counts(values);
        const double price = 3.0 * random.uniform(), growth = 1.0 + random.uniform();
        for (std::size_t k = 1; k < 6; ++k) {
            double from = -kMost, best = -kMost, least = kMost, step = kMost, paid = price;
            for (std::size_t j = k; j < 6; ++j) {
                from = std::max(from, values[j]);
                best = std::max(best, values[j] - paid);
                const double cost = values[j] == -kMost ? kMost : values[j - 1] - values[j];
                step = std::min(step, cost);
                least = std::min(least, cost + paid);
                paid *= growth;
            }
            CHECK(counts.from(k) == from && counts.best_from(k, 0.0, growth) == from);
            CHECK(counts.least_step(k) == step);
            CHECK(counts.best_from(k, price, growth) == best);
            CHECK(counts.least_cost_from(k, price, growth) == least);
        }
    }
}

TEST("a score with a prior on the number of parents, twice, is the sum") {
    Random random(4);
    const std::vector<double> one = random_values(random, 4), other = random_values(random, 4);
    auto inner = std::make_shared<ParentCountScore>(std::make_shared<FlatScore>(4), one);
    ParentCountScore both(inner, other);
    Control control;
    std::vector<Family> families{{0, {}}, {1, VarSet::of({0})}, {2, VarSet::of({0, 3})}};
    std::vector<double> values(3);
    both.local(families, values, control);
    for (std::size_t k = 0; k < 3; ++k) CHECK(values[k] == one[k] + other[k]);
    CHECK(both.superset_bound({0, VarSet::of({1, 2, 3})}) == -kMost);
}

TEST("what cannot be a prior on the number of parents is refused") {
    const auto made = [](std::vector<double> values) {
        try {
            ParentCountScore score(std::make_shared<FlatScore>(3), std::move(values));
            return true;
        } catch (const Error&) {
            return false;
        }
    };
    CHECK(made({0.0, -1.0, -kMost}));
    CHECK(!made({0.0, -1.0}) && !made({0.0, -1.0, -2.0, -3.0}) && !made({}));
    CHECK(!made({0.0, kMost, 0.0}) && !made({0.0, std::nan(""), 0.0}));
}
