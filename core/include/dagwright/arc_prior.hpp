// A score with a prior over structures added, for priors that are sums over arcs.
#pragma once
#include <memory>
#include <vector>

#include "dagwright/score.hpp"

namespace dagwright {

// local(child | parents) + base[child] + sum over the parents of weight(parent -> child), in nats; minus
// infinity forbids.
class ArcPriorScore final : public LocalScore {
  public:
    // `weights` by rows: row parent, column child.
    ArcPriorScore(std::shared_ptr<LocalScore> score, std::vector<double> weights, std::vector<double> base);

    std::size_t variables() const override { return score_->variables(); }
    double tolerance() const override { return score_->tolerance(); }
    void local(std::span<const Family> families, std::span<double> out, Control& control) override;

  private:
    std::shared_ptr<LocalScore> score_;
    std::vector<double> weights_, base_;
};

}  // namespace dagwright
