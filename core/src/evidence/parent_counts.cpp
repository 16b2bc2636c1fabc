#include "dagwright/evidence/parent_counts.hpp"

#include <algorithm>
#include <cmath>

#include "dagwright/base/errors.hpp"

namespace dagwright {

namespace {

constexpr double kMost = std::numeric_limits<double>::infinity();

std::vector<double> combined(LocalScore& score, std::vector<double> values) {
    if (values.size() != score.variables())
        throw Error("a prior on the number of parents needs a value for each number of parents");
    const std::optional<Criterion> criterion = score.criterion();
    if (criterion && criterion->parents != nullptr)
        for (std::size_t k = 0; k < values.size(); ++k) values[k] += criterion->parents->of(k);
    return values;
}

}  // namespace

ParentCounts::ParentCounts(std::vector<double> values)
    : own_(std::move(values)), from_(own_.size() + 1, -kMost), least_step_(own_.size() + 1, kMost) {
    if (own_.empty()) throw Error("a prior on the number of parents needs a value for no parents");
    for (std::size_t k = own_.size(); k-- > 0;) {
        if (!(own_[k] < kMost))
            throw Error("a prior on the number of parents needs finite logarithms or minus infinity");
        from_[k] = std::max(own_[k], from_[k + 1]);
        if (k > 0) least_step_[k] = std::min(step(k), least_step_[k + 1]);
        if (own_[k] > -kMost) most_ = std::max(most_, k);
    }
}

double ParentCounts::step(std::size_t k) const { return own_[k] == -kMost ? kMost : own_[k - 1] - own_[k]; }

double ParentCounts::best_from(std::size_t k, double price, double growth) const {
    if (price == 0.0) return from_[k];
    double best = -kMost;
    for (; k < size() && from_[k] - price > best; ++k) {
        best = std::max(best, own_[k] - price);
        price *= growth;
    }
    return best;
}

double ParentCounts::least_cost_from(std::size_t k, double price, double growth) const {
    double least = kMost;
    for (; k < size() && least_step_[k] + price < least; ++k) {
        least = std::min(least, step(k) + price);
        price *= growth;
    }
    return least;
}

ParentCountScore::ParentCountScore(std::shared_ptr<LocalScore> score, std::vector<double> values)
    : ScoreWithPrior(std::move(score)),
      counts_(std::move(values)),
      combined_(combined(*score_, counts_.values())) {
    penalty_.assign(1, 0.0);
    for (std::size_t k = 1; k < counts_.size(); ++k)
        penalty_.push_back(penalty_.back() + counts_.least_step(k));
}

// Minus infinity, for a family that cannot be, absorbs any bound of the score.
double ParentCountScore::superset_bound(const Family& family) const {
    const double most = counts_.from(family.parents.size() + 1);
    return most == -kMost ? most : score_->superset_bound(family) + most;
}

double ParentCountScore::family_bound(const Family& family) const {
    const double most = counts_.from(family.parents.size());
    return most == -kMost ? most : score_->family_bound(family) + most;
}

void ParentCountScore::superset_bounds(std::span<const Family> families, std::span<double> out,
                                       Control& control) {
    score_->superset_bounds(families, out, control);
    // Such bounds may have to hold for the families themselves too.
    const std::size_t more = bounds_families() ? 0 : 1;
    for (std::size_t i = 0; i < families.size(); ++i) {
        const double most = counts_.from(families[i].parents.size() + more);
        out[i] = most == -kMost ? most : out[i] + most;
    }
}

// Differences count: what a parent costs here is the least that it costs in any larger set.
double ParentCountScore::penalty(const Family& family) const {
    return score_->penalty(family) + penalty_[family.parents.size()];
}

std::optional<Criterion> ParentCountScore::criterion() {
    std::optional<Criterion> criterion = score_->criterion();
    if (criterion) criterion->parents = &combined_;
    return criterion;
}

}  // namespace dagwright
