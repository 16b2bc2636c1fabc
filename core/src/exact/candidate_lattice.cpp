#include "dagwright/exact/candidate_lattice.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "candidate_lattice_level.hpp"
#include "candidate_lattice_prices.hpp"
#include "dagwright/evidence/fits_of_all_sets.hpp"
#include "dagwright/exact/candidates_of_all_sets.hpp"
#include "dagwright/statistics/row_refinement.hpp"

namespace dagwright {

namespace {

constexpr double kMost = std::numeric_limits<double>::infinity();
constexpr std::size_t kShallow = 20000;    // sets of a level that is soon gone through
constexpr std::size_t kChunk = 32;         // sets that a thread takes at a time
constexpr std::size_t kShareOfLevels = 4;  // one in so many of the sets that fit into memory may be in levels

}  // namespace

class CandidateLattice {
  public:
    CandidateLattice(LocalScore& score, const RefinedScore& refined, const Knowledge& knowledge,
                     const CandidatePlan& plan, Control& control)
        : score_(score),
          refined_(refined),
          table_(*refined.measure->sums().rows()),
          plan_(plan),
          control_(control),
          rows_(table_),
          tables_(table_, refined),
          prices_(refined_, control) {
        for (unsigned worker = 0; worker < control.workers().threads(); ++worker)
            workers_.push_back(std::make_unique<Worker>(rows_));
        begin(knowledge);
        before_table_ = families_before_table();
    }

    // Whether it has a way to all sets: bounds for a walk, or a table.
    bool suits() const {
        return refined_.walkable || before_table_ != std::numeric_limits<std::uint64_t>::max();
    }

    CandidatesFound run() {
        for (Child* next = smallest_level(); next != nullptr && walking(); next = smallest_level()) {
            advance(*next);
            while (walking() && !next->done() && (next->level.keys.size() <= kShallow || !levels_fit()))
                advance(*next);
        }
        if (going() && !walking()) look_up();
        for (Child& child : children_) {
            found_.sets.append(child.kept_sets, child.kept_scores);
            found_.bounds.push_back(child.bound());
        }
        found_.bound = bound();
        return std::move(found_);
    }

  private:
    // A set that is about to be counted.
    struct Trial {
        Key key;
        double best;  // of its subsets
        double configurations;
        double limit;      // mu(set) from which on it is left out
        double explained;  // the least mu(set without z) - N H(z | all)
        const CellTables::Pair* tables = nullptr;
    };

    // The place of a thread in the lattice.
    struct Worker {
        explicit Worker(const CodedRows& rows) : refinement(rows) {}
        RowRefinement refinement;
        std::vector<Var> members;
        std::vector<Extension> extensions;
        std::vector<Trial> trials;
        std::unordered_map<double, const CellTables::Pair*> known;
        Var known_child = 0;
    };

    const ParentCounts& counts() const { return prices_.counts(); }
    bool penalized() const { return prices_.penalized(); }
    double cardinality(Var v) const { return prices_.cardinality(v); }
    bool going() const { return found_.stop == Stop::none && !found_.full; }
    bool walking() const { return going() && found_.evaluations < before_table_; }

    void begin(const Knowledge& knowledge) {
        const auto n = static_cast<Var>(score_.variables());
        for (const auto& [one, other] : knowledge.required_links())
            found_.sets.links_.emplace_back(one, other);
        std::vector<Family> families;
        for (Var v = 0; v < n; ++v) {
            Child& child = children_.emplace_back();
            child.variable = v;
            child.required = VarSet::of(knowledge.required_parents(v));
            child.log_states = std::log(cardinality(v));
            child.configurations = cell_count(table_.cardinalities(), child.required);
            for (const Var parent : knowledge.allowed_parents(v))
                if (!child.required.contains(parent)) child.added.push_back(parent);
            const std::size_t most = std::min({plan_.max_parents, knowledge.max_parents(v), counts().most()});
            child.most = most > child.required.size() ? most - child.required.size() : 0;
            families.push_back({v, child.required});
        }
        std::vector<double> values(n), above(n);
        score_.local(families, values, control_);
        score_.superset_bounds(families, above, control_);
        std::vector<VarSet> sets;
        for (const Child& child : children_) sets.push_back(child.required);
        std::vector<SetFit> evidence(n);
        refined_.measure->evidence(sets, {}, evidence, control_);
        found_.evaluations = kept_ = n;
        for (Child& child : children_) {
            child.best = values[child.variable];
            child.open = above[child.variable] + prices_.unexplained(child.variable);
            child.kept_sets.push_back(child.required);
            child.kept_scores.push_back(child.best);
            prices_.keep(child, child.required, child.best);
            prices_.prepare(child);
            const double given = evidence[child.variable].fit;
            const double fit = penalized() ? prices_.likelihood(child.required, given) : 0.0;
            const Entry none{0, child.best, fit, kMost};
            if (child.open > child.best + plan_.least_gain) child.level.index(std::span(&none, 1));
        }
    }

    // The variable whose next level takes the least time. The first levels of a variable lower its bound the
    // most, so the bound on all networks falls early if the variables go down side by side.
    Child* smallest_level() {
        Child* least = nullptr;
        for (Child& child : children_)
            if (!child.done() && (least == nullptr || child.level.keys.size() < least->level.keys.size()))
                least = &child;
        return least;
    }
    // Else the variables are completed one after the other, so that few large levels are held at a time.
    bool levels_fit() const {
        std::size_t held = 0;
        for (const Child& child : children_) held += child.level.keys.size();
        return held <= plan_.most_sets / kShareOfLevels;
    }

    // Goes from the sets of one size to those with one member more.
    void advance(Child& child) {
        const std::size_t round =
            std::clamp<std::size_t>((std::size_t{1} << 23) / table_.rows(), kChunk, 1 << 14);
        std::vector<Entry> grown;
        std::vector<Chunk> chunks;
        double open = kWorst;
        const std::size_t size = child.level.keys.size();
        for (std::size_t begin = 0; begin < size; begin += round) {
            if ((found_.stop = control_.should_stop()) != Stop::none || !walking()) return;
            const std::size_t end = std::min(begin + round, size);
            chunks.assign((end - begin + kChunk - 1) / kChunk, Chunk{});
            control_.workers().run(chunks.size(), [&](std::size_t at, unsigned worker) {
                const std::size_t from = begin + at * kChunk;
                for (std::size_t i = from; i < std::min(from + kChunk, end); ++i)
                    expand(child, i, *workers_[worker], chunks[at]);
            });
            for (const Chunk& chunk : chunks) {
                grown.insert(grown.end(), chunk.grown.begin(), chunk.grown.end());
                open = std::max(open, chunk.open);
                found_.evaluations += chunk.evaluations;
                for (const auto& [key, value, fit] : chunk.kept) {
                    child.kept_sets.push_back(set_of(child, key));
                    child.keep_less_fit(value, fit);
                    child.kept_scores.push_back(value);
                    child.best = std::max(child.best, value);
                }
                kept_ += chunk.kept.size();
            }
            control_.report({.phase = "walking through parent sets",
                             .done = found_.evaluations,
                             .unit = "parent sets",
                             .bound = bound()});
            if (grown.size() + kept_ > plan_.most_sets || found_.evaluations > plan_.most_families) {
                run_full(child);
                return;
            }
        }
        child.open = open;
        const std::size_t width = child.level.width + 1;
        child.level.clear();
        child.level.width = width;
        if (!grown.empty() && width < child.most) child.level.index(grown);
    }

    double bound() const { return prices_.bound(children_, score_.tolerance()); }

    void run_full(const Child& child) {
        found_.full = true;
        found_.full_child = child.variable;
        found_.full_size = child.level.width + 1 + child.required.size();
    }

    // How many families may be scored before a table of all sets is made instead.
    std::uint64_t families_before_table() const {
        if (refined_.table_bytes() > plan_.table_bytes) return std::numeric_limits<std::uint64_t>::max();
        if (plan_.before_table != Knowledge::kUnbounded) return plan_.before_table;
        const double all = std::ldexp(1.0, static_cast<int>(children_.size()));
        double families = 0.0;
        for (const Child& child : children_) families += prices_.families_by_size(child);
        if (families <= all) return std::numeric_limits<std::uint64_t>::max();
        if (!refined_.walkable) return 0;
        return walked_before_table(children_.size());
    }

    // The sets of the variables that the walk has not completed, from a table of all sets.
    void look_up() {
        const FitsOfAllSets fits(*refined_.measure, control_);
        found_.stop = fits.stop();
        CandidatesOfAllSets all(fits, score_);
        std::vector<double> states;
        for (Var v = 0; v < score_.variables(); ++v) states.push_back(cardinality(v));
        std::size_t chosen = 0;
        const auto unsettled = static_cast<std::uint64_t>(
            std::count_if(children_.begin(), children_.end(), [](const Child& one) { return !one.done(); }));
        for (Child& child : children_) {
            if (child.done()) continue;
            if (!going()) return;
            const std::vector<Var> required(child.required.begin(), child.required.end());
            kept_ -= child.kept_sets.size();
            CandidatesOfAllSets::Kept kept =
                all.find({.child = child.variable,
                          .required = required,
                          .added = child.added,
                          .most = child.most,
                          .price = refined_.lambda * (cardinality(child.variable) - 1.0),
                          .sizes = states,
                          .sizes_add = false,
                          .counts = std::span(counts().values()).subspan(required.size())},
                         plan_.least_gain, plan_.most_sets - std::min(plan_.most_sets, kept_), control_);
            kept_ += kept.sets.size();
            if (kept.full) run_full(child);
            if ((found_.stop = kept.stop) != Stop::none || found_.full) return;
            found_.evaluations += std::uint64_t{1} << child.added.size();
            child.kept_sets = std::move(kept.sets);
            child.kept_scores = std::move(kept.scores);
            child.best = *std::max_element(child.kept_scores.begin(), child.kept_scores.end());
            child.most_less_fit = Child::nothing_kept();
            for (std::size_t i = 0; i < child.kept_sets.size(); ++i)
                prices_.keep(child, child.kept_sets[i], child.kept_scores[i]);
            child.level.clear();
            control_.report({.phase = "choosing parent sets",
                             .done = ++chosen,
                             .total = unsettled,
                             .unit = "variables",
                             .bound = bound()});
        }
    }

    VarSet set_of(const Child& child, Key key) const {
        std::vector<Var> all(child.required.begin(), child.required.end());
        for (; key != 0; key &= key - 1)
            all.push_back(child.added[static_cast<std::size_t>(std::countr_zero(key))]);
        return VarSet::of(all);
    }

    // The sets that a set grows into by one variable behind its last: those that differ from it in the last
    // member only stand behind it in the level. All subsets must be in the level too.
    void expand(const Child& child, std::size_t at, Worker& worker, Chunk& chunk) {
        const Level& level = child.level;
        const Key set = level.keys[at];
        const Entry& own = *level.find(set);
        worker.extensions.clear();
        worker.trials.clear();
        worker.members.assign(child.required.begin(), child.required.end());
        double q = child.configurations;
        for (Key left = set; left != 0; left &= left - 1) {
            worker.members.push_back(child.added[static_cast<std::size_t>(std::countr_zero(left))]);
            q *= cardinality(worker.members.back());
        }
        if (set == 0) {
            for (std::size_t y = 0; y < child.added.size(); ++y) try_set(child, own, y, q, worker);
        } else {
            const Key shared = set & ~bit(last_of(set));
            for (std::size_t next = at + 1; next < level.keys.size(); ++next) {
                const Key other = level.keys[next];
                const std::size_t y = last_of(other);
                if ((other & ~bit(y)) != shared) break;
                try_set(child, own, y, q, worker);
            }
        }
        if (worker.extensions.empty()) return;
        worker.refinement.move_to(child.variable, worker.members);
        chunk.evaluations += worker.extensions.size();
        const auto before = static_cast<std::ptrdiff_t>(chunk.grown.size());
        if (!penalized()) leave_hopeless(child, worker, chunk);
        worker.refinement.count(worker.extensions);
        for (std::size_t k = 0; k < worker.extensions.size(); ++k) settle(child, worker, k, chunk);
        std::sort(chunk.grown.begin() + before, chunk.grown.end(),
                  [](const Entry& a, const Entry& b) { return a.key < b.key; });
    }

    // The members of a set that is counted, with what is required.
    static std::size_t size_of(const Child& child, Key key) {
        return child.required.size() + static_cast<std::size_t>(std::popcount(key));
    }

    // Lists set + y for counting unless it and its supersets cannot matter.
    void try_set(const Child& child, const Entry& own, std::size_t y, double q, Worker& worker) {
        const Key key = own.key | bit(y);
        const Var variable = child.added[y];
        const double configurations = q * cardinality(variable);
        const std::size_t size = size_of(child, key);
        Trial trial{key, own.best, configurations, kMost, kMost};
        double bound =
            prices_.unexplained(child.variable) + prices_.priced(child.variable, size, configurations);
        if (!(bound > own.best + plan_.least_gain)) return;
        // A member z adds at most N H(z | P) - N H(z | all others) to the fit, the first of which is
        // mu(P) - mu(P + z), and pays no less than its least cost from here on (de Campos et al. 2018). Where
        // P has a member more the entropy is less. What the prior charges for z can fall as sets grow.
        const std::size_t hopeless = prices_.hopeless_from(child, size, own.best, plan_.least_gain);
        double least_freedom = plan_.least_gain;
        if (penalized()) least_freedom += prices_.least_cost(child, size, configurations, hopeless);
        const auto limited_by = [&](const Entry& subset, Var z) {
            trial.best = std::max(trial.best, subset.best);
            if (!penalized()) {
                bound = std::min(bound, child.log_states * -subset.fit + counts().from(size));
                return true;
            }
            const double explained = subset.fit + prices_.unexplained(z);
            const double cost = prices_.least_cost(child, z, size, configurations, hopeless);
            trial.limit = std::min(trial.limit, explained - cost);
            if (cardinality(z) > 1.0) trial.explained = std::min(trial.explained, explained);
            return subset.freedom > least_freedom;
        };
        if (!limited_by(own, variable)) return;
        for (Key left = own.key; left != 0; left &= left - 1) {
            const auto z = static_cast<std::size_t>(std::countr_zero(left));
            const Entry* subset = child.level.find(key & ~bit(z));
            if (subset == nullptr || !limited_by(*subset, child.added[z])) return;
        }
        if (!(bound > trial.best + plan_.least_gain)) return;
        trial.tables = &tables_for(configurations, child.variable, worker);
        worker.extensions.push_back({.variable = variable,
                                     .given = trial.tables->given.data(),
                                     .joint = trial.tables->joint.data(),
                                     .parts = trial.tables->given_function->parts()});
        worker.trials.push_back(trial);
    }

    const CellTables::Pair& tables_for(double q, Var child, Worker& worker) {
        if (worker.known_child != child) worker.known.clear();
        worker.known_child = child;
        const CellTables::Pair*& known = worker.known[q];
        if (known == nullptr) known = &tables_.of(q, child);
        return *known;
    }

    // Of the extensions for BDeu leaves those that may score more than their subsets; others may still grow.
    // Given alpha = ess / q, the first row of a configuration has probability 1/r, and the first row there of
    // each further state of the child alpha / r / (alpha + n) <= 1/r / (1 + q / ess). With the best of
    // several equivalent sample sizes the largest of them counts.
    void leave_hopeless(const Child& child, Worker& worker, Chunk& chunk) {
        worker.refinement.count_cells(worker.extensions);
        const double margin = std::min(plan_.least_gain, 0.0) - score_.tolerance();
        std::size_t left = 0;
        for (std::size_t k = 0; k < worker.extensions.size(); ++k) {
            const Extension& counted = worker.extensions[k];
            const Trial& trial = worker.trials[k];
            const auto cells = static_cast<double>(counted.joint_cells);
            const auto configurations = static_cast<double>(counted.given_cells);
            const double least = -child.log_states * cells;
            const std::size_t size = size_of(child, trial.key);
            if (!(least + counts().from(size) > trial.best + plan_.least_gain)) continue;
            const double further = std::log1p(trial.configurations / refined_.measure->ess());
            if (least - (cells - configurations) * further + counts().of(size) > trial.best + margin) {
                worker.extensions[left] = counted;
                worker.trials[left++] = trial;
                continue;
            }
            const double above = least + counts().from(size + 1);
            if (!(above > trial.best + plan_.least_gain)) continue;
            chunk.open = std::max(chunk.open, above);
            chunk.grown.push_back({trial.key, trial.best, cells, kMost});
        }
        worker.extensions.resize(left);
        worker.trials.resize(left);
    }

    // Keeps a counted set if it beats its subsets, and lets it grow if its supersets may.
    void settle(const Child& child, const Worker& worker, std::size_t k, Chunk& chunk) {
        const Extension& counted = worker.extensions[k];
        const Trial& trial = worker.trials[k];
        const double q = trial.configurations;
        const CellTables::Pair& tables = *trial.tables;
        const double given = tables.given_function->fit(counted.given_sum, table_.total());
        const std::size_t size = size_of(child, trial.key);
        double above;
        if (penalized()) {
            if (given >= trial.limit - plan_.least_gain) return;
            above = prices_.unexplained(child.variable) +
                    prices_.priced(child.variable, size + 1, prices_.least_growth() * q);
        } else {
            // See occupied_bounds.
            const double least = -child.log_states * static_cast<double>(counted.joint_cells);
            if (!(least + counts().from(size) > trial.best + plan_.least_gain)) return;
            above = least + counts().from(size + 1);
        }
        const double joint = tables.joint_function->fit(counted.joint_sum, table_.total());
        const double value = prices_.value(child.variable, q, joint, given) + counts().of(size);
        if (value > trial.best + plan_.least_gain) chunk.kept.push_back({trial.key, value, joint - given});
        const double best = std::max(value, trial.best);
        if (!(above > best + plan_.least_gain)) return;
        chunk.open = std::max(chunk.open, above);
        const double fit = penalized() ? given : static_cast<double>(counted.joint_cells);
        chunk.grown.push_back({trial.key, best, fit, trial.explained - given});
    }

    LocalScore& score_;
    RefinedScore refined_;
    const Table& table_;
    const CandidatePlan& plan_;
    Control& control_;
    CodedRows rows_;
    CellTables tables_;
    LatticePrices prices_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::uint64_t before_table_ = 0;
    std::vector<Child> children_;
    std::size_t kept_ = 0;
    CandidatesFound found_;
};

std::optional<CandidatesFound> find_by_refinement(LocalScore& score, const RefinedScore& refined,
                                                  const Knowledge& knowledge, const CandidatePlan& plan,
                                                  Control& control) {
    CandidateLattice lattice(score, refined, knowledge, plan, control);
    return lattice.suits() ? std::optional(lattice.run()) : std::nullopt;
}

}  // namespace dagwright
