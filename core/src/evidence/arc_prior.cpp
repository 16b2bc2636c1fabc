#include "dagwright/evidence/arc_prior.hpp"

#include <algorithm>

#include "dagwright/base/errors.hpp"

namespace dagwright {

ArcPriorScore::ArcPriorScore(std::shared_ptr<LocalScore> score, std::vector<double> weights,
                             std::vector<double> base)
    : ScoreWithPrior(std::move(score)), weights_(std::move(weights)), base_(std::move(base)) {
    const std::size_t n = score_->variables();
    if (weights_.size() != n * n || base_.size() != n)
        throw Error("an arc prior needs a weight for each ordered pair of variables and a number for each");
}

double ArcPriorScore::prior(const Family& family) const {
    double sum = base_[family.child];
    for (const Var parent : family.parents) sum += weights_[parent * base_.size() + family.child];
    return sum;
}

double ArcPriorScore::best_addition(const Family& family) const {
    double sum = 0.0;
    for (Var v = 0; v < base_.size(); ++v)
        if (v != family.child && !family.parents.contains(v))
            sum += std::max(0.0, weights_[v * base_.size() + family.child]);
    return sum;
}

// Minus infinity, for a family that cannot be, absorbs any bound of the score.
double ArcPriorScore::superset_bound(const Family& family) const {
    return score_->superset_bound(family) + prior(family) + best_addition(family);
}

double ArcPriorScore::family_bound(const Family& family) const {
    return score_->family_bound(family) + prior(family) + best_addition(family);
}

void ArcPriorScore::superset_bounds(std::span<const Family> families, std::span<double> out,
                                    Control& control) {
    score_->superset_bounds(families, out, control);
    for (std::size_t i = 0; i < families.size(); ++i)
        out[i] += prior(families[i]) + best_addition(families[i]);
}

}  // namespace dagwright
