// A score with a prior over structures added, for priors that are sums over arcs.
#pragma once
#include <memory>
#include <vector>

#include "dagwright/evidence/score_with_prior.hpp"

namespace dagwright {

// Every family scores 0: with a prior added, the prior alone.
class FlatScore final : public LocalScore {
  public:
    explicit FlatScore(std::size_t variables) : variables_(variables) {}
    std::size_t variables() const override { return variables_; }
    double tolerance() const override { return score_tolerance(0.0); }
    void local(std::span<const Family>, std::span<double> out, Control&) override {
        for (double& value : out) value = 0.0;
    }

  private:
    std::size_t variables_;
};

// local(child | parents) + base[child] + sum over the parents of weight(parent -> child), in nats; minus
// infinity forbids.
class ArcPriorScore final : public ScoreWithPrior {
  public:
    // `weights` by rows: row parent, column child.
    ArcPriorScore(std::shared_ptr<LocalScore> score, std::vector<double> weights, std::vector<double> base);

    double superset_bound(const Family& family) const override;
    double family_bound(const Family& family) const override;
    void superset_bounds(std::span<const Family> families, std::span<double> out, Control& control) override;
    double penalty(const Family& family) const override { return score_->penalty(family) - prior(family); }

  private:
    double prior(const Family& family) const override;
    // The most that further parents can add to the prior.
    double best_addition(const Family& family) const;

    std::vector<double> weights_, base_;
};

}  // namespace dagwright
