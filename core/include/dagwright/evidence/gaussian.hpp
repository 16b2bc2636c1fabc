// Measures of numbers that need no rows once the moments are taken.
#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "dagwright/evidence/determinant_table.hpp"
#include "dagwright/evidence/measure.hpp"
#include "dagwright/statistics/set_moments.hpp"

namespace dagwright {

// The maximum of the log-likelihood of a normal distribution over the d columns of a set,
//
//   fit = -N/2 (log|Sigma| + d log 2 pi e)      dim = d + d (d + 1)/2
//
// with Sigma the covariance with divisor N. With one column for each variable this is the Gaussian
// log-likelihood; with the indicators of discrete variables the degenerate Gaussian (Andrews, Ramsey & Cooper
// 2019); with basis functions of the numbers their basis-function score.
class GaussianMeasure final : public Measure {
  public:
    explicit GaussianMeasure(std::shared_ptr<const SetMoments> moments);

    std::size_t variables() const override { return moments_->variables(); }
    double total() const override { return moments_->total(); }
    void evidence(std::span<const VarSet> sets, const VarSet& observed, std::span<SetFit> out,
                  Control& control) override;
    double family_dim(Var child, const VarSet& parents, const SetFit& joint,
                      const SetFit& given) const override;
    VarSet incomplete(const VarSet& set) const override { return moments_->incomplete(set); }
    double total_known(const VarSet& observed) const override { return moments_->total_known(observed); }
    bool complete() const override { return moments_->complete(); }
    // d of each variable.
    std::vector<double> columns() const;
    std::optional<Bounds> bounds() const override;
    bool tabulates() const override;
    std::shared_ptr<const SetTable> table_of_all_sets(Control& control) const override;

  private:
    // What all other variables leave of each, computed when it is first asked for.
    struct Rest {
        std::vector<double> largest_fit;  // empty where it is no bound
        double least_share = 0.0;         // of the variance of a column
    };
    const Rest& rest() const;

    std::shared_ptr<const SetMoments> moments_;
    mutable std::once_flag rest_known_;
    mutable Rest rest_;
};

// The marginal likelihood of a normal distribution with a normal-Wishart prior: the BGe score in its set form
// (Geiger & Heckerman 2002; Kuipers, Moffa & Heckerman 2014). For l of n variables, with
// R = T + N Sigma + N alpha_mu/(N + alpha_mu) (mean - nu)(mean - nu)',
//
//   fit = l/2 log(alpha_mu/(N + alpha_mu)) - l N/2 log pi
//         + sum over j = 1..l of log Gamma((N + alpha_w - n + j)/2) - log Gamma((alpha_w - n + j)/2)
//         + (alpha_w - n + l)/2 log|T| - (N + alpha_w - n + l)/2 log|R|      dim = 0
struct BGePrior {
    double alpha_mu = 1.0;
    double alpha_w = 0.0;       // more than n + 1
    std::vector<double> mean;   // nu
    std::vector<double> scale;  // the diagonal of T
};

class BGeMeasure final : public Measure {
  public:
    // Variables with one column each.
    BGeMeasure(std::shared_ptr<const SetMoments> moments, BGePrior prior);

    std::size_t variables() const override { return moments_->variables(); }
    double total() const override { return moments_->total(); }
    void evidence(std::span<const VarSet> sets, const VarSet& observed, std::span<SetFit> out,
                  Control& control) override;
    VarSet incomplete(const VarSet& set) const override { return moments_->incomplete(set); }
    double total_known(const VarSet& observed) const override { return moments_->total_known(observed); }
    bool complete() const override { return moments_->complete(); }
    bool tabulates() const override;
    std::shared_ptr<const SetTable> table_of_all_sets(Control& control) const override;

  private:
    // R of a set, in steps of the grids of its columns.
    class PosteriorMatrix {
      public:
        PosteriorMatrix(const BGeMeasure& measure, const VariableMoments& moments);
        void list(const VarSet& set);
        double at(std::size_t a, std::size_t b) const {
            return moments_.N() * moments_.matrix().steps(columns_[a], columns_[b]) +
                   pull_ * (offset_[a] * offset_[b]) + (a == b ? scale_[a] : 0.0);
        }
        // The diagonal of T.
        double prior_scale(std::size_t a) const { return scale_[a]; }
        // A determinant of the set is that of its steps times 2^-exponent.
        std::int64_t exponent() const { return exponent_; }

      private:
        const BGeMeasure& measure_;
        const VariableMoments& moments_;
        double pull_;
        std::vector<std::uint32_t> columns_;
        std::vector<double> scale_, offset_;
        std::int64_t exponent_ = 0;
    };

    DeterminantFits determinant_fits() const;
    // By the number of variables: the sum of the terms that depend on it and on N alone.
    std::vector<double> constants(double N) const;

    std::shared_ptr<const SetMoments> moments_;
    BGePrior prior_;
    std::vector<double> whole_constants_;
};

}  // namespace dagwright
