// Priors over structures that are sums of a function f of the number of parents. All members of an
// equivalence class have the same prior: reversing a covered arc exchanges the numbers of parents of its two
// ends.
#pragma once
#include <memory>
#include <vector>

#include "dagwright/evidence/score_with_prior.hpp"

namespace dagwright {

// f(k) for k parents in nats, and what follows for sets that grow.
class ParentCounts {
  public:
    // One value for each k from 0 to n - 1; minus infinity makes a number of parents impossible.
    explicit ParentCounts(std::vector<double> values);

    std::size_t size() const noexcept { return own_.size(); }
    const std::vector<double>& values() const noexcept { return own_; }
    double of(std::size_t k) const { return own_[k]; }
    // The largest f(j) with j >= k; minus infinity where there is no such j.
    double from(std::size_t k) const { return from_[k]; }
    // The largest number of parents that is possible.
    std::size_t most() const noexcept { return most_; }
    // f(k - 1) - f(k), what the last of k parents costs. A number of parents that is impossible costs
    // everything, after another that is impossible too.
    double step(std::size_t k) const;
    // The least of f(j - 1) - f(j) over all j >= k: what a parent costs from the k-th on.
    double least_step(std::size_t k) const { return least_step_[k]; }

    // The largest f(j) - price * growth^(j - k) with j >= k.
    double best_from(std::size_t k, double price, double growth) const;
    // The least f(j - 1) - f(j) + price * growth^(j - k) with j >= k.
    double least_cost_from(std::size_t k, double price, double growth) const;

  private:
    std::vector<double> own_, from_, least_step_;
    std::size_t most_ = 0;
};

// local(child | parents) + f(number of parents).
class ParentCountScore final : public ScoreWithPrior {
  public:
    ParentCountScore(std::shared_ptr<LocalScore> score, std::vector<double> values);

    double superset_bound(const Family& family) const override;
    double family_bound(const Family& family) const override;
    void superset_bounds(std::span<const Family> families, std::span<double> out, Control& control) override;
    double penalty(const Family& family) const override;
    std::optional<Criterion> criterion() override;

  private:
    double prior(const Family& family) const override { return counts_.of(family.parents.size()); }

    ParentCounts counts_;
    // These, plus the prior on the number of parents that the score itself has.
    ParentCounts combined_;
    std::vector<double> penalty_;  // sums of least steps
};

}  // namespace dagwright
