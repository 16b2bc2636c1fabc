#include "dagwright/arc_prior.hpp"

#include "dagwright/errors.hpp"

namespace dagwright {

ArcPriorScore::ArcPriorScore(std::shared_ptr<LocalScore> score, std::vector<double> weights,
                             std::vector<double> base)
    : score_(std::move(score)), weights_(std::move(weights)), base_(std::move(base)) {
    const std::size_t n = score_->variables();
    if (weights_.size() != n * n || base_.size() != n)
        throw Error("an arc prior needs a weight for each ordered pair of variables and a number for each");
}

void ArcPriorScore::local(std::span<const Family> families, std::span<double> out, Control& control) {
    score_->local(families, out, control);
    for (std::size_t i = 0; i < families.size(); ++i) {
        const Var child = families[i].child;
        // Summed before it is added, so that equal priors stay equal whatever the score.
        double prior = base_[child];
        for (const Var parent : families[i].parents) prior += weights_[parent * base_.size() + child];
        out[i] += prior;
    }
}

}  // namespace dagwright
