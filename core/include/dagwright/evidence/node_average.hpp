// The node-average likelihood: each node counts with its mean log-likelihood over the rows on which its
// family is known (Balov 2013; Bodewes & Scutari 2021).
#pragma once
#include <memory>

#include "dagwright/evidence/score.hpp"

namespace dagwright {

// N times the mean over the rows on which child and parents are known of log P(child | parents), minus a
// penalty for each of the (r - 1) q parameters. A family that is known on no row is impossible.
class NodeAverageScore final : public LocalScore {
  public:
    NodeAverageScore(std::shared_ptr<CellSums> sums, double penalty)
        : sums_(std::move(sums)), penalty_(penalty) {}
    std::size_t variables() const override { return sums_->shape().variables(); }
    double tolerance() const override { return score_tolerance(sums_->shape().total()); }
    void local(std::span<const Family> families, std::span<double> out, Control& control) override;
    double superset_bound(const Family& family) const override;
    double family_bound(const Family& family) const override { return -penalty(family); }
    bool bounded() const override { return penalty_ > 0.0; }
    double penalty(const Family& family) const override;

  private:
    std::shared_ptr<CellSums> sums_;
    double penalty_;
};

}  // namespace dagwright
