// Local scores: what a search maximizes, one number per family (child and parents).
#pragma once
#include <limits>
#include <memory>
#include <mutex>
#include <span>

#include "dagwright/evidence/measure.hpp"

namespace dagwright {

struct Family {
    Var child;
    VarSet parents;
};

class ParentCounts;

// mu(x | P).fit - lambda * mu(x | P).dim.
struct Criterion {
    Measure* measure;
    double lambda;
    const ParentCounts* parents = nullptr;  // added by the number of parents, where there is such a prior
};

class LocalScore {
  public:
    virtual ~LocalScore() = default;
    virtual std::size_t variables() const = 0;
    // Differences below this are rounding, not evidence: 1e-12 * N log N.
    virtual double tolerance() const = 0;
    virtual void local(std::span<const Family> families, std::span<double> out, Control& control) = 0;
    // The families of a child with each of `added`, none of them among the parents, as one more parent.
    virtual void additions(Var child, const VarSet& parents, std::span<const Var> added,
                           std::span<double> out, Control& control);
    // Whether that is quicker than `local` for hundreds of variables.
    virtual bool adds_at_once() const { return false; }
    // A family whose parents are a proper superset of these scores no more than this, or no more than one of
    // its subsets does. Infinite where no bound is known.
    virtual double superset_bound(const Family& family) const {
        (void)family;
        return std::numeric_limits<double>::infinity();
    }
    // The same for this family together with all its supersets, known before it is scored.
    virtual double family_bound(const Family& family) const {
        (void)family;
        return std::numeric_limits<double>::infinity();
    }
    // superset_bound of many families; may count, and then be tighter.
    virtual void superset_bounds(std::span<const Family> families, std::span<double> out, Control& control) {
        (void)control;
        for (std::size_t i = 0; i < families.size(); ++i) out[i] = superset_bound(families[i]);
    }
    // Whether superset_bounds hold for the families themselves too, so that they are worth knowing first.
    virtual bool bounds_families() const { return false; }
    // Whether the bounds above can rule anything out.
    virtual bool bounded() const { return false; }
    // For a penalized maximum likelihood, mu(x | P).fit - penalty: the measure mu; null for other scores.
    virtual Measure* likelihood() { return nullptr; }
    // Only differences are used: by what a parent adds to it here, every larger set pays for that parent.
    virtual double penalty(const Family& family) const {
        (void)family;
        return 0.0;
    }
    // For a criterion on a measure, fit - lambda * dim + f(number of parents): its parts.
    virtual std::optional<Criterion> criterion() { return {}; }
};

// 1e-12 * N log N, and never zero.
double score_tolerance(double N);

// -log(r) times what is occupied in each family, r the states of the child: no superset of the parents scores
// more. Of a marginal likelihood the cells count: the first row of a configuration has probability 1/r, and a
// further state of the child costs more there than the first row of a configuration of its own would (de
// Campos & Ji 2011; Correia, Cussens & de Campos 2020). Factorized NML pays log C(n, r) >= log r for a
// configuration of n >= 1 rows.
enum class Occupied { cells, configurations };
void occupied_bounds(CellSums& sums, std::span<const Family> families, Occupied what, std::span<double> out,
                     Control& control);

// A measure with a penalty: mu(x | P).fit - lambda * mu(x | P).dim. Log-likelihood has lambda 0, AIC 1, BIC
// log(N)/2; Dirichlet and NML measures have no dim and need none. The bound of qNML is the fit of 0 less the
// quotient regret of one more parent, which never falls as parents are added (see QuotientRegret).
class CriterionScore final : public LocalScore {
  public:
    CriterionScore(std::shared_ptr<Measure> measure, double lambda)
        : measure_(std::move(measure)), lambda_(lambda) {}
    std::size_t variables() const override { return measure_->variables(); }
    double tolerance() const override { return score_tolerance(measure_->total()); }
    void local(std::span<const Family> families, std::span<double> out, Control& control) override;
    void additions(Var child, const VarSet& parents, std::span<const Var> added, std::span<double> out,
                   Control& control) override;
    bool adds_at_once() const override { return measure_->extends_at_once(); }
    double superset_bound(const Family& family) const override;
    double family_bound(const Family& family) const override;
    void superset_bounds(std::span<const Family> families, std::span<double> out, Control& control) override;
    bool bounds_families() const override;
    bool bounded() const override;
    Measure* likelihood() override;
    double penalty(const Family& family) const override;
    std::optional<Criterion> criterion() override { return Criterion{measure_.get(), lambda_}; }

    Measure& measure() const noexcept { return *measure_; }
    double lambda() const noexcept { return lambda_; }

  private:
    // Of the measure, when they are first asked for: most searches never do.
    const std::optional<Bounds>& bounds() const;
    // The least penalty of qNML for the family with at least `growth` times its parent configurations.
    double least_regret(const Family& family, double growth) const;

    std::shared_ptr<Measure> measure_;
    double lambda_;
    mutable std::once_flag bounds_known_;
    mutable std::optional<Bounds> bounds_;
};

// Scores that are not functions of a set but still sums over cells: f over the cells of the family minus g
// over the cells of the parents.
//   k2    f = log Gamma(n+1),            g = log Gamma(n+r) - log Gamma(r)           Cooper & Herskovits 1992
//   bds   f, g as BDeu with q replaced by the number of parent configurations that occur       Scutari 2016
//   fnml  f = n log n,                   g = n log n + log C(n, r)                    Silander et al. 2008
class CellScore final : public LocalScore {
  public:
    enum class Kind { k2, bds, fnml };

    CellScore(std::shared_ptr<CellSums> sums, Kind kind, double ess = 0.0);
    std::size_t variables() const override { return sums_->shape().variables(); }
    double tolerance() const override { return score_tolerance(sums_->shape().total()); }
    void local(std::span<const Family> families, std::span<double> out, Control& control) override;
    void superset_bounds(std::span<const Family> families, std::span<double> out, Control& control) override;
    bool bounds_families() const override { return true; }
    bool bounded() const override { return true; }

    CellSums& sums() noexcept { return *sums_; }

  private:
    std::shared_ptr<CellSums> sums_;
    Kind kind_;
    double ess_;
};

}  // namespace dagwright
