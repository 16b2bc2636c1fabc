// The heart: one quantity per set of variables, from which scores and tests both follow (Cowell 2001).
//
//   family       mu(x | P)     = mu(P+x) - mu(P)                               -> local score
//   interaction  mu(x ; y | Z) = (mu(Z+x+y) + mu(Z)) - (mu(Z+x) + mu(Z+y))     -> independence test
#pragma once
#include <cmath>
#include <memory>
#include <span>

#include "dagwright/cell_sums.hpp"
#include "dagwright/control.hpp"
#include "dagwright/special.hpp"
#include "dagwright/varset.hpp"

namespace dagwright {

// fit in nats, larger is better, without any penalty on dim.
struct Evidence {
    double fit = 0.0;
    double dim = 0.0;
};

class Measure {
  public:
    virtual ~Measure() = default;

    virtual double total() const = 0;
    virtual std::span<const std::uint32_t> cardinalities() const = 0;

    // The evidence of each set, counted on the rows where every column of `observed` is known (empty:
    // complete data). Safe to call from several threads.
    virtual void evidence(std::span<const VarSet> sets, const VarSet& observed, std::span<Evidence> out,
                          Control& control) = 0;

    // dim of mu(child | parents). A product where there is one: differences of huge products lose digits.
    virtual double family_dim(Var child, const VarSet& parents, const Evidence& joint,
                              const Evidence& given) const {
        (void)child, (void)parents;
        return joint.dim - given.dim;
    }

    // Whether mu(child | parents).fit is never above zero, as for the logarithm of a probability.
    virtual bool fit_at_most_zero() const { return false; }
};

// Measures made of cell counts, with every set's sum remembered:
//   multinomial  fit = sum n log n                                          dim = number of cells
//   dirichlet    fit = sum log Gamma(n + a/q) - log Gamma(a/q)              dim = 0    (BDeu; a = ess, q =
//   cells) nml          fit = sum n log n - log C(N, q)                            dim = 0    (qNML)
class CountingMeasure final : public Measure {
  public:
    enum class Kind { multinomial, dirichlet, nml };

    CountingMeasure(std::shared_ptr<CellSums> sums, Kind kind, double ess = 0.0);

    double total() const override { return sums_->table().total(); }
    std::span<const std::uint32_t> cardinalities() const override { return sums_->table().cardinalities(); }
    void evidence(std::span<const VarSet> sets, const VarSet& observed, std::span<Evidence> out,
                  Control& control) override;
    double family_dim(Var child, const VarSet& parents, const Evidence& joint,
                      const Evidence& given) const override;
    bool fit_at_most_zero() const override { return true; }

    // The fit of a set with this many cells is the sum of a function over them, less something. Where the
    // cells are too many for a number, their logarithm counts.
    CellFunctionId cell_function(double cells, double log_cells) const;
    CellFunctionId cell_function(double cells) const { return cell_function(cells, std::log(cells)); }
    double subtracted(double cells, double log_cells) {
        return kind_ == Kind::nml ? regret(cells, log_cells) : 0.0;
    }
    double subtracted(double cells) { return subtracted(cells, std::log(cells)); }

    CellSums& sums() noexcept { return *sums_; }
    Kind kind() const noexcept { return kind_; }
    double ess() const noexcept { return ess_; }

  private:
    double regret(double cells, double log_cells);

    std::shared_ptr<CellSums> sums_;
    Kind kind_;
    double ess_;
    std::mutex mutex_;
    std::unique_ptr<NmlRegret> regret_;
    double largest_regret_ = 0.0;
};

}  // namespace dagwright
