// What a set of parents costs and what it can at most explain, for the walk through the lattice.
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "candidate_lattice_level.hpp"
#include "dagwright/exact/candidate_lattice.hpp"
#include "dagwright/exact/regret_steps.hpp"
#include "dagwright/statistics/row_groups.hpp"

namespace dagwright {

// For a penalized likelihood: lambda (r - 1) q of BIC and its like, or the quotient regret of qNML.
class LatticePrices {
  public:
    LatticePrices(const RefinedScore& refined, Control& control)
        : refined_(refined), table_(*refined.measure->sums().rows()), steps_(table_.variables()) {
        for (const std::uint32_t r : table_.cardinalities())
            least_growth_ = std::min(least_growth_, static_cast<double>(r));
        for (Var v = 0; v < table_.variables(); ++v) cardinalities_.push_back(cardinality(v));
        std::sort(cardinalities_.begin(), cardinalities_.end());
        cardinalities_.erase(std::unique(cardinalities_.begin(), cardinalities_.end()), cardinalities_.end());
        for (Var v = 0; v < table_.variables(); ++v) kinds_.push_back(kind_of(cardinality(v)));
        find_unexplained(control);
    }

    bool penalized() const { return refined_.penalized(); }
    const ParentCounts& counts() const { return refined_.counts; }
    double cardinality(Var v) const { return static_cast<double>(table_.column(v).cardinality); }
    // The least factor by which one parent more multiplies the number of configurations.
    double least_growth() const { return least_growth_; }
    // fit(x | all others) = -N H(x | all others): what no set of parents can explain.
    double unexplained(Var v) const { return unexplained_[v]; }

    // sum n log n of a set from what the measure says of it.
    double likelihood(const VarSet& set, double fit) const {
        return by_regret() ? fit + refined_.measure->subtracted(cell_count(table_.cardinalities(), set),
                                                                log_cell_count(table_.cardinalities(), set))
                           : fit;
    }

    // No network scores more: the best scores of all variables, cycles allowed, or what their fits allow. Of
    // a marginal likelihood that is the fit of the empirical distribution: an average of likelihoods is no
    // more than the largest.
    double bound(std::span<const Child> children, double tolerance) const {
        double least = 0.0;
        for (const Child& child : children) least += child.bound();
        for (std::size_t k = 0; penalized() && k < kShares; ++k) {
            double sum = share(k) * fit_of_all_ + tolerance;
            for (const Child& child : children) sum += child.bound_less_fit(k, unexplained_[child.variable]);
            least = std::min(least, sum);
        }
        if (marginal()) least = std::min(least, fit_of_all_ + tolerance + most_prior(children));
        return least;
    }
    // Takes a set with its score into the bound.
    void keep(Child& child, const VarSet& set, double score) const {
        const double paid = penalty(child.variable, cell_count(table_.cardinalities(), set));
        child.keep_less_fit(score, score + paid - counts().of(set.size()));
    }

    // Of q configurations of the parents.
    double penalty(Var child, double q) const {
        if (!penalized()) return 0.0;
        const double r = cardinality(child);
        return by_regret() ? (*refined_.regret)(r, q) : refined_.lambda * ((r - 1.0) * q);
    }
    // The score without the prior: in the order of operations of the score itself.
    double value(Var child, double q, double joint, double given) const {
        if (!by_regret()) return joint - given - penalty(child, q);
        const NmlRegret& regret = refined_.regret->regret();
        return (joint - regret(cardinality(child) * q)) - (given - regret(q));
    }

    // The most that the prior less the penalty can be for a set of this size with q configurations and for
    // larger ones. Every further parent multiplies q.
    double priced(Var child, std::size_t size, double q) const {
        if (!by_regret()) return counts().best_from(size, penalty(child, q), least_growth_);
        double best = kWorst;
        for (; size < counts().size(); ++size, q *= least_growth_) {
            const double paid = refined_.regret->least_from(cardinality(child), q);
            if (!(counts().from(size) - paid > best)) break;
            best = std::max(best, counts().of(size) - paid);
        }
        return best;
    }
    // The interval of configurations from which on the penalty puts every set of at least this size, whatever
    // it explains, below a subset with this score.
    std::size_t hopeless_from(const Child& child, std::size_t size, double score, double least_gain) const {
        if (!by_regret()) return 0;
        const double left = unexplained_[child.variable] + counts().from(size) - score - least_gain;
        return steps_[child.variable].levels.reaching(left);
    }
    // The least that z costs in a set of this size with q configurations and in larger ones that are not
    // hopeless: what it adds to the penalty, less what it adds to the prior. The penalty of BIC grows by no
    // less there than here.
    double least_cost(const Child& child, Var z, std::size_t size, double q, std::size_t hopeless) const {
        if (by_regret()) return least_cost(*steps_[child.variable].of[kinds_[z]], size, q, hopeless);
        const double paid = penalty(child.variable, q) - penalty(child.variable, q / cardinality(z));
        return counts().least_cost_from(size, paid, least_growth_);
    }
    // The same for any z that is not constant: it at least doubles q.
    double least_cost(const Child& child, std::size_t size, double q, std::size_t hopeless) const {
        if (by_regret()) return least_cost(steps_[child.variable].of_two, size, q, hopeless);
        return counts().least_cost_from(size, penalty(child.variable, q) / 2.0, least_growth_);
    }

    // Prepares for the sets of a child.
    void prepare(const Child& child) {
        if (!by_regret()) return;
        std::vector<double> states;
        for (const Var v : child.added) states.push_back(cardinality(v));
        std::sort(states.begin(), states.end(), std::greater<>());
        double most = child.configurations;
        for (std::size_t k = 0; k < std::min(child.most, states.size()); ++k) most *= states[k];
        const double own = cardinality(child.variable);
        Steps& steps = steps_[child.variable];
        steps.levels = RegretLevels(*refined_.regret, own, most);
        steps.of_two = RegretSteps(*refined_.regret, own, 2.0, steps.levels.size());
        steps.of.resize(cardinalities_.size());
        for (const double one : states) {
            std::optional<RegretSteps>& known = steps.of[kind_of(one)];
            if (!known) known = RegretSteps(*refined_.regret, own, one, steps.levels.size());
        }
    }

    // The number of sets of the sizes whose penalty alone does not put them below the required parents.
    double families_by_size(const Child& child) const {
        std::vector<double> states;
        for (const Var v : child.added) states.push_back(cardinality(v));
        std::sort(states.begin(), states.end());
        double q = child.configurations, sets = 1.0, total = 1.0;
        for (std::size_t size = 0; size < std::min(child.most, states.size()); ++size) {
            q *= states[size];
            const double bound = priced(child.variable, child.required.size() + size + 1, q);
            if (!(unexplained_[child.variable] + bound > child.best)) break;
            sets *= static_cast<double>(states.size() - size) / static_cast<double>(size + 1);
            total += sets;
        }
        return total;
    }

  private:
    struct Steps {
        RegretLevels levels;
        std::vector<std::optional<RegretSteps>> of;  // by the kind of the parent
        RegretSteps of_two;
    };

    std::size_t kind_of(double states) const {
        const auto at = std::lower_bound(cardinalities_.begin(), cardinalities_.end(), states);
        return static_cast<std::size_t>(at - cardinalities_.begin());
    }
    bool by_regret() const { return refined_.regret != nullptr; }
    // Whether every family scores a marginal likelihood, plus the prior.
    bool marginal() const { return refined_.walkable && !penalized(); }

    double most_prior(std::span<const Child> children) const {
        double sum = 0.0;
        for (const Child& child : children) sum += counts().from(child.required.size());
        return sum;
    }

    // The log-likelihood of the rows under their empirical distribution.
    double likelihood_of_rows() const {
        std::vector<RowGroups::Row> rows(table_.rows());
        std::iota(rows.begin(), rows.end(), RowGroups::Row{0});
        RowGroups groups = RowGroups::of(std::move(rows)), finer;
        RowSplitter splitter(table_);
        for (Var v = 0; v < table_.variables(); ++v) {
            splitter.split(groups, v, finer);
            std::swap(groups, finer);
        }
        double sum = static_cast<double>(groups.pairs.size()) * std::log(2.0);
        std::uint32_t begin = 0;
        for (const std::uint32_t end : groups.ends) {
            const auto n = static_cast<double>(end - begin);
            sum += n * std::log(n);
            begin = end;
        }
        const double N = table_.total();
        return N > 0.0 ? sum - N * std::log(N) : 0.0;
    }

    double least_cost(const RegretSteps& steps, std::size_t size, double q, std::size_t hopeless) const {
        double least = std::numeric_limits<double>::infinity();
        for (; size < counts().size(); ++size, q *= least_growth_) {
            const double paid = steps.from(q, hopeless);
            if (!(counts().least_step(size) + paid < least)) break;
            least = std::min(least, counts().step(size) + paid);
        }
        return least;
    }

    void find_unexplained(Control& control) {
        const auto n = static_cast<Var>(table_.variables());
        unexplained_.assign(n, 0.0);
        if (marginal()) fit_of_all_ = likelihood_of_rows();
        if (!penalized()) return;
        std::vector<Var> all(n);
        std::iota(all.begin(), all.end(), Var{0});
        std::vector<VarSet> sets{VarSet::of(all)};
        for (Var v = 0; v < n; ++v) sets.push_back(sets.front().without(v));
        sets.push_back(VarSet{});
        std::vector<SetFit> evidence(sets.size());
        refined_.measure->evidence(sets, {}, evidence, control);
        std::vector<double> fits;
        for (std::size_t i = 0; i < sets.size(); ++i) fits.push_back(likelihood(sets[i], evidence[i].fit));
        for (Var v = 0; v < n; ++v) unexplained_[v] = std::min(0.0, fits.front() - fits[v + 1]);
        fit_of_all_ = fits.front() - fits.back();
    }

    const RefinedScore& refined_;
    const Table& table_;
    double least_growth_ = 2.0;
    std::vector<double> unexplained_;
    std::vector<double> cardinalities_;  // without repeats, ascending: a kind of variables each
    std::vector<std::size_t> kinds_;     // by variable
    std::vector<Steps> steps_;           // by child, of qNML
    // Of the empirical distribution: the families of a network have no more together.
    double fit_of_all_ = 0.0;
};

}  // namespace dagwright
