// One quantity for each set of variables, from which scores and tests both follow (Cowell 2001).
//
//   family       mu(x | P)     = mu(P+x) - mu(P)                               -> local score
//   interaction  mu(x ; y | Z) = (mu(Z+x+y) + mu(Z)) - (mu(Z+x) + mu(Z+y))     -> independence test
#pragma once
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dagwright/base/control.hpp"
#include "dagwright/base/quotient_regret.hpp"
#include "dagwright/base/varset.hpp"
#include "dagwright/statistics/cell_sums.hpp"

namespace dagwright {

// fit in nats, larger is better, without any penalty on dim.
struct SetFit {
    double fit = 0.0;
    double dim = 0.0;
};

// What can rule out families unscored. More parents never lower mu(x | P).fit, and
struct Bounds {
    // mu(x | P).fit is never above largest_fit[x]: 0 for the logarithm of a probability.
    std::span<const double> largest_fit;
    // With one more parent mu(x | P).dim is at least factor * dim + added; both 0 where there is no dim.
    double factor = 0.0, added = 0.0;
    // Each occupied cell of a family costs at least log(r), r the states of the child (see occupied_bounds).
    CellSums* occupied = nullptr;
    // mu(x | P).fit is at most largest_fit[x] - regret(r, q), r the states of x and q the configurations of
    // P, which one more parent multiplies by at least `growth`.
    const QuotientRegret* regret = nullptr;
    std::span<const std::uint32_t> states = {};
    double growth = 1.0;

    bool has_dim() const { return factor > 0.0; }
};

class CountingMeasure;
class SetTable;

class Measure {
  public:
    virtual ~Measure() = default;

    virtual std::size_t variables() const = 0;
    // N: the number of rows, or the sum of their weights.
    virtual double total() const = 0;

    // The evidence of each set, counted on the rows where every column of `observed` is known (empty:
    // complete data). Safe to call from several threads.
    virtual void evidence(std::span<const VarSet> sets, const VarSet& observed, std::span<SetFit> out,
                          Control& control) = 0;

    // The evidence of base+v for each v of `added`, none of them in the base, on complete data.
    virtual void extensions(const VarSet& base, std::span<const Var> added, std::span<SetFit> out,
                            Control& control);
    // Whether that is quicker than a batch of sets.
    virtual bool extends_at_once() const { return false; }

    // dim of mu(child | parents) and of mu(x ; y | z). A product where there is one: differences of huge
    // products lose digits.
    virtual double family_dim(Var child, const VarSet& parents, const SetFit& joint,
                              const SetFit& given) const {
        (void)child, (void)parents;
        return joint.dim - given.dim;
    }
    virtual double interaction_dim(const VarSet& x, const VarSet& y, const VarSet& given, const SetFit& joint,
                                   const SetFit& base, const SetFit& with_x, const SetFit& with_y) const {
        (void)x, (void)y, (void)given;
        return (joint.dim + base.dim) - (with_x.dim + with_y.dim);
    }

    // The members of a set with missing values, and N over the rows where these are known.
    virtual VarSet incomplete(const VarSet& set) const {
        (void)set;
        return {};
    }
    virtual double total_known(const VarSet& observed) const {
        (void)observed;
        return total();
    }
    // Whether no variable has missing values.
    virtual bool complete() const { return true; }

    // What is known of a family before it is computed; empty where nothing is.
    virtual std::optional<Bounds> bounds() const { return {}; }
    // The measure itself where it counts cells, for searches that can count in bulk.
    virtual CountingMeasure* counting() { return nullptr; }
    // mu of all sets at once, for a measure whose family_dim is a sum over the parents and that needs far
    // less for it than for each set alone. Null unless `tabulates`.
    virtual bool tabulates() const { return false; }
    virtual std::shared_ptr<const SetTable> table_of_all_sets(Control& control) const {
        (void)control;
        return {};
    }
};

// By how much one more parent multiplies the configurations at least: 2, unless some column is constant.
double least_growth(std::span<const std::uint32_t> cardinalities);

// (r_x - 1)(r_y - 1) q_z.
double degrees_of_freedom(std::span<const std::uint32_t> cardinalities, const VarSet& x, const VarSet& y,
                          const VarSet& given);

// Measures made of cell counts, with every set's sum remembered. a = equivalent sample size, q = cells of S:
//
//   multinomial  fit = sum n log n                                dim = q    log-likelihood, AIC, BIC, G2
//   dirichlet    fit = sum lgamma(n + a/q) - lgamma(a/q)          dim = 0    BDeu
//   nml          fit = sum n log n - log C(N, q)                  dim = 0    qNML
//
//   adaptive     the largest over a = 1, 2, 4, ..., 64 of the Dirichlet fit - lgamma(N + a) + lgamma(a)
//                                                                 dim = 0    adaptive BDeu
//
class CountingMeasure final : public Measure {
  public:
    enum class Kind { multinomial, dirichlet, adaptive, nml };

    CountingMeasure(std::shared_ptr<CellSums> sums, Kind kind, double ess = 0.0);

    std::size_t variables() const override { return sums_->shape().variables(); }
    double total() const override { return sums_->shape().total(); }
    std::span<const std::uint32_t> cardinalities() const { return sums_->shape().cardinalities(); }
    void evidence(std::span<const VarSet> sets, const VarSet& observed, std::span<SetFit> out,
                  Control& control) override;
    void extensions(const VarSet& base, std::span<const Var> added, std::span<SetFit> out,
                    Control& control) override;
    bool extends_at_once() const override { return complete() && sums_->extends_at_once(); }
    double family_dim(Var child, const VarSet& parents, const SetFit& joint,
                      const SetFit& given) const override;
    double interaction_dim(const VarSet& x, const VarSet& y, const VarSet& given, const SetFit& joint,
                           const SetFit& base, const SetFit& with_x, const SetFit& with_y) const override;
    VarSet incomplete(const VarSet& set) const override { return sums_->shape().incomplete(set); }
    double total_known(const VarSet& observed) const override { return sums_->known_total(observed); }
    bool complete() const override { return !has_missing_; }
    std::optional<Bounds> bounds() const override;

    // The fit of a set with this many cells is the sum of a function over them, less something. Where the
    // cells are too many for a number, their logarithm counts.
    CellFunctionId cell_function(double cells, double log_cells) const;
    CellFunctionId cell_function(double cells) const { return cell_function(cells, std::log(cells)); }
    double subtracted(double cells, double log_cells) {
        return kind_ == Kind::nml ? regret(cells, log_cells) : 0.0;
    }
    double subtracted(double cells) { return subtracted(cells, std::log(cells)); }

    CountingMeasure* counting() override { return this; }
    CellSums& sums() noexcept { return *sums_; }
    Kind kind() const noexcept { return kind_; }
    // The largest equivalent sample size.
    double ess() const noexcept { return kind_ == Kind::adaptive ? kAdaptiveEss.back() : ess_; }
    bool is_dirichlet() const noexcept { return kind_ == Kind::dirichlet || kind_ == Kind::adaptive; }

  private:
    double regret(double cells, double log_cells);
    // Null unless the penalty of qNML is known never to fall.
    const QuotientRegret* quotient() const;

    std::shared_ptr<CellSums> sums_;
    Kind kind_;
    double ess_;
    bool has_missing_;
    std::vector<double> largest_fit_;
    mutable std::mutex mutex_;
    std::unique_ptr<NmlRegret> regret_;
    double largest_regret_ = 0.0;
    mutable std::unique_ptr<const QuotientRegret> quotient_;  // when it is first asked for
};

}  // namespace dagwright
