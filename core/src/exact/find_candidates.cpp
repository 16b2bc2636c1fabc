#include "dagwright/exact/find_candidates.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "dagwright/base/mix.hpp"
#include "dagwright/exact/candidate_lattice.hpp"
#include "dagwright/exact/candidates_of_all_sets.hpp"

namespace dagwright {

namespace {

constexpr double kWorst = -std::numeric_limits<double>::infinity();
constexpr std::size_t kBatch = 8192;  // families scored between two looks at the clock

using Position = std::uint16_t;  // of a variable among those that a set may gain

// All sets of one size that can still grow, in lexicographic order.
struct Level {
    std::size_t width = 0;       // members per set
    std::vector<Position> keys;  // width per set
    std::vector<double> best;    // the highest score among the set and the subsets that can stand in for it
    // For penalized likelihoods: mu(set), what it must not reach, and the penalty.
    std::vector<double> fit, limit, penalty;
    std::vector<std::uint32_t> slots;

    std::size_t size() const { return best.size(); }
    const Position* key(std::size_t i) const { return keys.data() + i * width; }

    static std::uint64_t hash(const Position* key, std::size_t width) {
        std::uint64_t h = kGoldenStep;
        for (std::size_t k = 0; k < width; ++k) h = quick_mix(h ^ key[k]);
        return h;
    }
    void index() {
        slots.assign(std::bit_ceil(2 * size() + 2), 0);
        for (std::size_t i = 0; i < size(); ++i) {
            std::size_t at = hash(key(i), width) & (slots.size() - 1);
            while (slots[at] != 0) at = (at + 1) & (slots.size() - 1);
            slots[at] = static_cast<std::uint32_t>(i + 1);
        }
    }
    // The number of the set plus one, or 0.
    std::size_t find(const Position* wanted) const {
        std::size_t at = hash(wanted, width) & (slots.size() - 1);
        while (slots[at] != 0 && !std::equal(wanted, wanted + width, key(slots[at] - 1)))
            at = (at + 1) & (slots.size() - 1);
        return slots[at];
    }
};

// What a score says of a measure that has a table of all sets; edges that must be there have no place in it.
std::optional<Criterion> tabulated(LocalScore& score, const Knowledge& knowledge) {
    std::optional<Criterion> criterion = score.criterion();
    const bool possible = criterion && score.variables() <= 64 && knowledge.required_links().empty() &&
                          criterion->lambda >= 0.0 && criterion->measure->tabulates();
    return possible ? criterion : std::nullopt;
}

double bytes_of_table(std::size_t variables) {
    return SetTable::bytes(variables) + CandidatesOfAllSets::bytes(variables);
}

}  // namespace

class CandidateFinder {
  public:
    CandidateFinder(LocalScore& score, const Knowledge& knowledge, const CandidatePlan& plan,
                    Control& control)
        : score_(score),
          knowledge_(knowledge),
          plan_(plan),
          control_(control),
          likelihood_(score.likelihood()) {
        if (likelihood_ != nullptr) find_largest_fits();
        if (bytes_of_table(score.variables()) <= plan.table_bytes) criterion_ = tabulated(score, knowledge);
        before_table_ = families_before_table();
    }

    CandidatesFound run() {
        for (const auto& [one, other] : knowledge_.required_links())
            found_.sets.links_.emplace_back(one, other);
        for (Var child = 0; child < score_.variables(); ++child) {
            find(child);
            found_.sets.append(kept_sets_, kept_scores_);
            found_.bounds.push_back(std::max(found_.sets.best(child), open_));
            kept_scores_.clear();
            kept_sets_.clear();
            control_.report({.phase = "scoring parent sets",
                             .done = child + 1,
                             .total = score_.variables(),
                             .unit = "variables",
                             .bound = bound()});
        }
        return std::move(found_);
    }

  private:
    // No network scores more: bounds of the variables that were gone through, and of the others what is known
    // before they are scored.
    double bound() const {
        double sum = 0.0;
        for (Var v = 0; v < score_.variables(); ++v)
            sum +=
                v < found_.bounds.size()
                    ? found_.bounds[v]
                    : score_.family_bound({v, VarSet::of(knowledge_.required_parents(v))}) + unexplained(v);
        return sum;
    }

    // fit(x | all others), -N H(x | all others) for discrete variables: what no set of parents can exceed.
    void find_largest_fits() {
        const auto n = static_cast<Var>(score_.variables());
        std::vector<Var> all(n);
        std::iota(all.begin(), all.end(), Var{0});
        std::vector<VarSet> sets{VarSet::of(all)};
        for (Var v = 0; v < n; ++v) sets.push_back(sets.front().without(v));
        std::vector<SetFit> evidence(sets.size());
        likelihood_->evidence(sets, {}, evidence, control_);
        const std::span<const double> known = likelihood_->bounds()->largest_fit;
        for (Var v = 0; v < n; ++v) {
            const double fit = evidence.front().fit - evidence[v + 1].fit;
            largest_.push_back(std::min(known[v], fit));
            unexplained_.push_back(largest_.back() - known[v]);
        }
    }

    // By how much the bounds of the score on the families of v are too large.
    double unexplained(Var v) const { return likelihood_ != nullptr ? unexplained_[v] : 0.0; }

    // How many families may be scored before a table of all sets is made instead.
    std::uint64_t families_before_table() const {
        if (!criterion_) return std::numeric_limits<std::uint64_t>::max();
        if (plan_.before_table != Knowledge::kUnbounded) return plan_.before_table;
        double families = 0.0;
        for (Var child = 0; child < score_.variables(); ++child) {
            const auto others = static_cast<double>(knowledge_.allowed_parents(child).size());
            double sets = 1.0;
            for (std::size_t size = 0; size <= most_added(child) && sets > 0.0; ++size) {
                families += sets;
                sets *= (others - static_cast<double>(size)) / static_cast<double>(size + 1);
            }
        }
        if (families <= std::ldexp(1.0, static_cast<int>(score_.variables())))
            return std::numeric_limits<std::uint64_t>::max();
        return score_.bounded() ? walked_before_table(score_.variables()) : 0;
    }

    // The parents that a child may gain.
    std::size_t most_added(Var child) const {
        std::size_t most = std::min(plan_.max_parents, knowledge_.max_parents(child));
        if (criterion_ && criterion_->parents != nullptr) most = std::min(most, criterion_->parents->most());
        const std::size_t required = knowledge_.required_parents(child).size();
        return most > required ? most - required : 0;
    }

    bool past_walk() const { return found_.evaluations >= before_table_; }

    // The sets of a variable from the table; without time for it, the sets of the walk stay.
    void look_up() {
        if (!table_) {
            table_ = criterion_->measure->table_of_all_sets(control_);
            if ((found_.stop = table_->stop()) != Stop::none) return;
            in_table_ = std::make_unique<CandidatesOfAllSets>(*table_, score_);
        }
        const Measure& measure = *criterion_->measure;
        const double alone = measure.family_dim(child_, {}, {}, {});
        std::vector<double> sizes;
        for (Var v = 0; v < score_.variables(); ++v)
            sizes.push_back(v == child_ ? 0.0 : measure.family_dim(child_, VarSet::of({v}), {}, {}) - alone);
        const std::vector<double> none(added_.size() + required_.size() + 1, 0.0);
        const std::span<const double> counts =
            criterion_->parents != nullptr ? std::span(criterion_->parents->values()) : std::span(none);
        CandidatesOfAllSets::Kept kept = in_table_->find(
            {.child = child_,
             .required = {required_.begin(), required_.end()},
             .added = added_,
             .most = most_added(child_),
             .price = criterion_->lambda,
             .sizes = sizes,
             .sizes_add = true,
             .counts = counts.subspan(required_.size())},
            plan_.least_gain, plan_.most_sets - std::min(plan_.most_sets, found_.sets.size()), control_);
        if (kept.full) {
            found_.full = true;
            found_.full_child = child_;
            found_.full_size = most_added(child_) + required_.size();
        }
        if ((found_.stop = kept.stop) != Stop::none || found_.full) return;
        found_.evaluations += std::uint64_t{1} << added_.size();
        kept_sets_ = std::move(kept.sets);
        kept_scores_ = std::move(kept.scores);
        open_ = kWorst;
    }

    void find(Var child) {
        child_ = child;
        required_ = VarSet::of(knowledge_.required_parents(child));
        added_.clear();
        is_link_.clear();
        any_links_ = false;
        for (const Var v : knowledge_.allowed_parents(child)) {
            if (required_.contains(v)) continue;
            added_.push_back(v);
            is_link_.push_back(knowledge_.requires_link(v, child));
            any_links_ = any_links_ || is_link_.back();
        }
        const std::size_t most = std::min(plan_.max_parents, knowledge_.max_parents(child));

        Level level;
        level.best.push_back(kWorst);
        level.limit.push_back(std::numeric_limits<double>::infinity());
        level.penalty.push_back(score_.penalty({child, required_}));
        open_ = score(level, /*must=*/true);
        while (level.size() > 0 && level.width + required_.size() < most) {
            if (found_.full || found_.stop != Stop::none) return;
            if (past_walk()) return look_up();
            level = next(level);
            if (found_.full || found_.stop != Stop::none) return;
            const double above = score(level, /*must=*/false);
            if (found_.full || found_.stop != Stop::none) return;
            if (past_walk()) return look_up();
            open_ = above;
        }
        open_ = kWorst;
    }

    VarSet set_of(const Position* key, std::size_t width) const {
        std::vector<Var> all(required_.begin(), required_.end());
        for (std::size_t k = 0; k < width; ++k) all.push_back(added_[key[k]]);
        return VarSet::of(all);
    }

    // Joins sets that differ in their last member only; all subsets must be in the level too.
    Level next(Level& level) {
        Level made;
        made.width = level.width + 1;
        const std::size_t shared = level.width == 0 ? 0 : level.width - 1;
        std::vector<Position> key(made.width), subset(level.width);
        std::vector<std::size_t> at(made.width);
        if (level.width > 0) level.index();
        for (std::size_t i = 0; i < level.size() && !found_.full; ++i) {
            if (i % 4096 == 0 && (found_.stop = control_.should_stop()) != Stop::none) return Level{};
            if (level.width == 0) {
                for (std::size_t p = 0; p < added_.size(); ++p) {
                    key[0] = static_cast<Position>(p);
                    try_set(level, key, {1}, made);
                }
                break;
            }
            std::copy(level.key(i), level.key(i) + level.width, key.begin());
            for (std::size_t j = i + 1; j < level.size() && !found_.full; ++j) {
                if (!std::equal(level.key(i), level.key(i) + shared, level.key(j))) break;
                key.back() = level.key(j)[shared];
                at[made.width - 1] = i + 1;
                at[made.width - 2] = j + 1;
                bool whole = true;
                for (std::size_t out = 0; out + 2 < made.width && whole; ++out) {
                    const auto gap = key.begin() + static_cast<std::ptrdiff_t>(out);
                    std::copy(gap + 1, key.end(), std::copy(key.begin(), gap, subset.begin()));
                    at[out] = level.find(subset.data());
                    whole = at[out] != 0;
                }
                if (whole) try_set(level, key, at, made);
            }
        }
        return made;
    }

    // Puts a set into the next level unless it and its supersets cannot matter. at[k] - 1 is the number of
    // the subset without member k in the level below.
    void try_set(const Level& below, const std::vector<Position>& key, const std::vector<std::size_t>& at,
                 Level& made) {
        double best = kWorst, limit = std::numeric_limits<double>::infinity(), penalty = 0.0;
        // A subset can stand in only if both hold the same neighbors that must be joined.
        for (std::size_t k = 0; k < key.size(); ++k)
            if (!is_link_[key[k]]) best = std::max(best, below.best[at[k] - 1]);
        if (!any_links_) {
            const Family family{child_, set_of(key.data(), key.size())};
            if (!(score_.family_bound(family) + unexplained(child_) > best + plan_.least_gain)) return;
            if (likelihood_ != nullptr) {
                // A member y adds at most N H(y | P) - N H(y | all others) to the fit, the first of which is
                // mu(P) - mu(P + y), and never less to the penalty than it adds here (de Campos et al. 2018).
                penalty = score_.penalty(family);
                for (std::size_t k = 0; k < key.size(); ++k)
                    limit = std::min(limit, below.fit[at[k] - 1] + largest_[added_[key[k]]] - penalty +
                                                below.penalty[at[k] - 1]);
            }
        }
        made.keys.insert(made.keys.end(), key.begin(), key.end());
        made.best.push_back(best);
        made.limit.push_back(limit);
        made.penalty.push_back(penalty);
        if (made.size() + found_.sets.size() + kept_scores_.size() > plan_.most_sets) {
            found_.full = true;
            found_.full_child = child_;
            found_.full_size = made.width + required_.size();
        }
    }

    // Scores the sets, keeps those that beat their subsets, and leaves in the level those that can grow.
    // Returns what no set grown from these scores above.
    double score(Level& level, bool must) {
        double above = kWorst;
        std::vector<Family> families;
        std::vector<std::size_t> which;
        std::vector<double> values, bounds, fits;
        std::size_t left = 0;
        if (likelihood_ != nullptr) level.fit.resize(level.size());
        for (std::size_t begin = 0; begin < level.size(); begin += kBatch) {
            if (!must &&
                (found_.full || (found_.stop = control_.should_stop()) != Stop::none || past_walk())) {
                left = 0;
                break;
            }
            const std::size_t end = std::min(begin + kBatch, level.size());
            choose(level, begin, end, families, which, fits);
            bounds.resize(families.size());
            if (score_.bounds_families()) {
                score_.superset_bounds(families, bounds, control_);
                if (!must && !any_links_) leave_hopeless(level, families, which, bounds);
            }
            values.resize(families.size());
            score_.local(families, values, control_);
            found_.evaluations += families.size();
            if (found_.evaluations > plan_.most_families) {
                found_.full = true;
                found_.full_child = child_;
                found_.full_size = level.width + required_.size();
            }
            if (!score_.bounds_families()) score_.superset_bounds(families, bounds, control_);
            for (std::size_t k = 0; k < families.size(); ++k) {
                const std::size_t i = which[k];
                const double value = std::isnan(values[k]) ? kWorst : values[k];
                if (level.width == 0 || value > level.best[i] + plan_.least_gain) {
                    kept_sets_.push_back(families[k].parents);
                    kept_scores_.push_back(value);
                }
                const double best = std::max(value, level.best[i]);
                const double bound = bounds[k] + unexplained(child_);
                if (!any_links_ && !(bound > best + plan_.least_gain)) continue;
                above = std::max(above, bound);
                std::copy(level.key(i), level.key(i) + level.width,
                          level.keys.begin() + static_cast<std::ptrdiff_t>(left * level.width));
                if (likelihood_ != nullptr) {
                    level.fit[left] = fits[k];
                    level.penalty[left] = level.penalty[i];
                }
                level.best[left++] = best;
            }
        }
        level.keys.resize(left * level.width);
        level.best.resize(left);
        return above;
    }

    // Takes out the families that cannot beat their subsets, nor can any of their supersets.
    void leave_hopeless(const Level& level, std::vector<Family>& families, std::vector<std::size_t>& which,
                        std::vector<double>& bounds) const {
        std::size_t left = 0;
        for (std::size_t k = 0; k < families.size(); ++k) {
            if (!(bounds[k] > level.best[which[k]] + plan_.least_gain)) continue;
            if (left != k) families[left] = std::move(families[k]);
            which[left] = which[k];
            bounds[left++] = bounds[k];
        }
        families.resize(left);
        which.resize(left);
        bounds.resize(left);
    }

    // The families of a part of a level, without those that their limit rules out.
    void choose(const Level& level, std::size_t begin, std::size_t end, std::vector<Family>& families,
                std::vector<std::size_t>& which, std::vector<double>& fits) {
        families.clear();
        which.clear();
        fits.clear();
        std::vector<VarSet> sets;
        for (std::size_t i = begin; i < end; ++i) sets.push_back(set_of(level.key(i), level.width));
        std::vector<SetFit> evidence(likelihood_ != nullptr ? sets.size() : 0);
        if (likelihood_ != nullptr) likelihood_->evidence(sets, {}, evidence, control_);
        for (std::size_t i = begin; i < end; ++i) {
            if (likelihood_ != nullptr) {
                const double fit = evidence[i - begin].fit;
                if (level.width > 0 && fit >= level.limit[i] - plan_.least_gain) continue;
                fits.push_back(fit);
            }
            families.push_back({child_, std::move(sets[i - begin])});
            which.push_back(i);
        }
    }

    LocalScore& score_;
    const Knowledge& knowledge_;
    const CandidatePlan& plan_;
    Control& control_;
    Measure* likelihood_;
    std::vector<double> largest_, unexplained_;
    std::optional<Criterion> criterion_;  // where there can be a table of all sets
    std::uint64_t before_table_ = 0;
    std::shared_ptr<const SetTable> table_;
    std::unique_ptr<CandidatesOfAllSets> in_table_;
    CandidatesFound found_;

    Var child_ = 0;
    VarSet required_;
    std::vector<Var> added_;     // variables that a set may gain
    std::vector<bool> is_link_;  // must be joined with the child
    bool any_links_ = false;
    double open_ = kWorst;  // what no set that was not looked at scores above
    std::vector<VarSet> kept_sets_;
    std::vector<double> kept_scores_;
};

double table_bytes(LocalScore& score, const Knowledge& knowledge) {
    if (const std::optional<RefinedScore> refined = RefinedScore::of(score, knowledge))
        return refined->table_bytes();
    return tabulated(score, knowledge) ? bytes_of_table(score.variables())
                                       : std::numeric_limits<double>::infinity();
}

CandidatesFound find_candidates(LocalScore& score, const Knowledge& knowledge, const CandidatePlan& plan,
                                Control& control) {
    if (const std::optional<RefinedScore> refined = RefinedScore::of(score, knowledge))
        if (std::optional<CandidatesFound> found =
                find_by_refinement(score, *refined, knowledge, plan, control))
            return std::move(*found);
    return CandidateFinder(score, knowledge, plan, control).run();
}

}  // namespace dagwright
