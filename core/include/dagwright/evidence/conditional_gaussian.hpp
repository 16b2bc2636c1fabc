// The conditional Gaussian measure: a normal distribution in each cell of the discrete variables.
#pragma once
#include <memory>
#include <vector>

#include "dagwright/evidence/measure.hpp"
#include "dagwright/statistics/moments.hpp"

namespace dagwright {

// With q cells of the discrete members of a set and k columns of its continuous members (Lauritzen &
// Wermuth 1989; Andrews, Ramsey & Cooper 2018):
//
//   fit = sum over cells of n log(n/N) - n/2 (log|Sigma| + k log 2 pi e)      dim = q (1 + k (k + 3)/2) - 1
//
// with Sigma the covariance in the cell, divisor n. The normal distribution of a set is not the marginal of
// that of a larger one, so that interactions can be negative and more parents can lower the fit: there are no
// bounds.
class ConditionalGaussianMeasure final : public Measure {
  public:
    explicit ConditionalGaussianMeasure(std::shared_ptr<const MixedTable> table);

    std::size_t variables() const override { return table_->variables(); }
    double total() const override { return table_->total(); }
    void evidence(std::span<const VarSet> sets, const VarSet& observed, std::span<SetFit> out,
                  Control& control) override;
    double family_dim(Var child, const VarSet& parents, const SetFit& joint,
                      const SetFit& given) const override;
    VarSet incomplete(const VarSet& set) const override { return table_->incomplete(set); }
    double total_known(const VarSet& observed) const override;
    bool complete() const override { return table_->complete(); }

  private:
    struct Group;
    struct Cells;

    std::vector<Group> grouped(std::span<const VarSet> sets, const VarSet& observed) const;
    Cells cells(const VarSet& discrete, const VarSet& known) const;
    void evaluate(const Group& group, std::span<const VarSet> sets, std::span<SetFit> out) const;
    double dim(const VarSet& set) const;

    std::shared_ptr<const MixedTable> table_;
    std::vector<MomentColumn> columns_;
    std::vector<std::vector<std::uint32_t>> columns_of_;  // by variable; empty for discrete ones
};

}  // namespace dagwright
