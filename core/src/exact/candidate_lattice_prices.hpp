// What a set of parents costs and what it can at most explain, for the walk through the lattice.
#pragma once
#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "candidate_lattice_level.hpp"
#include "dagwright/exact/candidate_lattice.hpp"

namespace dagwright {

class LatticePrices {
  public:
    LatticePrices(const RefinedScore& refined, Control& control)
        : refined_(refined), table_(*refined.measure->sums().rows()) {
        for (const std::uint32_t r : table_.cardinalities())
            least_growth_ = std::min(least_growth_, static_cast<double>(r));
        find_unexplained(control);
    }

    bool penalized() const { return refined_.lambda > 0.0; }
    const ParentCounts& counts() const { return refined_.counts; }
    double cardinality(Var v) const { return static_cast<double>(table_.column(v).cardinality); }
    // The least factor by which one parent more multiplies the number of configurations.
    double least_growth() const { return least_growth_; }
    // fit(x | all others) = -N H(x | all others): what no set of parents can explain.
    double unexplained(Var v) const { return unexplained_[v]; }

    // No network scores more: the best scores of all variables, cycles allowed, or what their fits allow.
    double bound(std::span<const Child> children, double tolerance) const {
        double least = 0.0;
        for (const Child& child : children) least += child.bound();
        for (std::size_t k = 0; penalized() && k < kShares; ++k) {
            double sum = share(k) * fit_of_all_ + tolerance;
            for (const Child& child : children) sum += child.bound_less_fit(k, unexplained_[child.variable]);
            least = std::min(least, sum);
        }
        return least;
    }
    // Takes a set with its score into the bound.
    void keep(Child& child, const VarSet& set, double score) const {
        const double paid = penalty(child.variable, cell_count(table_.cardinalities(), set));
        child.keep_less_fit(score, score + paid - counts().of(set.size()));
    }

    // Of q configurations of the parents.
    double penalty(Var child, double q) const { return refined_.lambda * ((cardinality(child) - 1.0) * q); }

    // The most that the prior less the penalty can be for a set of this size and for larger ones, if the
    // penalty is this here. Every further parent multiplies it.
    double priced(std::size_t size, double price) const {
        return counts().best_from(size, price, least_growth_);
    }
    // The least that one more parent costs from this size on, if its penalty is this here.
    double least_cost(std::size_t size, double price) const {
        return counts().least_cost_from(size, price, least_growth_);
    }

    // The number of sets of the sizes whose penalty alone does not put them below the required parents.
    double families_by_size(const Child& child) const {
        std::vector<double> states;
        for (const Var v : child.added) states.push_back(cardinality(v));
        std::sort(states.begin(), states.end());
        double q = child.configurations, sets = 1.0, total = 1.0;
        for (std::size_t size = 0; size < std::min(child.most, states.size()); ++size) {
            q *= states[size];
            const double bound = priced(child.required.size() + size + 1, penalty(child.variable, q));
            if (!(unexplained_[child.variable] + bound > child.best)) break;
            sets *= static_cast<double>(states.size() - size) / static_cast<double>(size + 1);
            total += sets;
        }
        return total;
    }

  private:
    void find_unexplained(Control& control) {
        const auto n = static_cast<Var>(table_.variables());
        unexplained_.assign(n, 0.0);
        if (!penalized()) return;
        std::vector<Var> all(n);
        std::iota(all.begin(), all.end(), Var{0});
        std::vector<VarSet> sets{VarSet::of(all)};
        for (Var v = 0; v < n; ++v) sets.push_back(sets.front().without(v));
        sets.push_back(VarSet{});
        std::vector<SetFit> evidence(sets.size());
        refined_.measure->evidence(sets, {}, evidence, control);
        for (Var v = 0; v < n; ++v)
            unexplained_[v] = std::min(0.0, evidence.front().fit - evidence[v + 1].fit);
        fit_of_all_ = evidence.front().fit - evidence.back().fit;
    }

    const RefinedScore& refined_;
    const Table& table_;
    double least_growth_ = 2.0;
    std::vector<double> unexplained_;
    double fit_of_all_ =
        0.0;  // of the empirical distribution: the families of a network have no more together
};

}  // namespace dagwright
