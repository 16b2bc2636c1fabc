// A score with the logarithm of a prior over structures added, family by family.
#pragma once
#include <memory>
#include <utility>

#include "dagwright/evidence/score.hpp"

namespace dagwright {

class ScoreWithPrior : public LocalScore {
  public:
    explicit ScoreWithPrior(std::shared_ptr<LocalScore> score) : score_(std::move(score)) {}

    std::size_t variables() const override { return score_->variables(); }
    double tolerance() const override { return score_->tolerance(); }
    bool bounds_families() const override { return score_->bounds_families(); }
    bool bounded() const override { return score_->bounded(); }
    Measure* likelihood() override { return score_->likelihood(); }
    void local(std::span<const Family> families, std::span<double> out, Control& control) override {
        score_->local(families, out, control);
        // The prior is summed before it is added, so that equal priors stay equal whatever the score.
        for (std::size_t i = 0; i < families.size(); ++i) out[i] += prior(families[i]);
    }
    void additions(Var child, const VarSet& parents, std::span<const Var> added, std::span<double> out,
                   Control& control) override {
        score_->additions(child, parents, added, out, control);
        for (std::size_t i = 0; i < added.size(); ++i) out[i] += prior({child, parents.with(added[i])});
    }
    bool adds_at_once() const override { return score_->adds_at_once(); }

  protected:
    // In nats; minus infinity forbids.
    virtual double prior(const Family& family) const = 0;

    std::shared_ptr<LocalScore> score_;
};

}  // namespace dagwright
