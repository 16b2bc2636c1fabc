// What a walk through the lattice of parent sets holds: the sets of one size, and tables of cell functions.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "dagwright/base/mix.hpp"
#include "dagwright/exact/candidate_lattice.hpp"
#include "dagwright/statistics/row_refinement.hpp"

namespace dagwright {

inline constexpr double kWorst = -std::numeric_limits<double>::infinity();

using Key = std::uint64_t;  // a bit per variable that a set may gain

inline constexpr Key bit(std::size_t at) { return Key{1} << at; }
inline std::size_t last_of(Key key) { return static_cast<std::size_t>(63 - std::countl_zero(key)); }

struct Entry {
    Key key;
    double best;     // the highest score among the set and its subsets
    double fit;      // mu(set) of a penalized likelihood; for BDeu the cells of set + child that occur
    double freedom;  // the least that a member z can add to a fit: N H(z | others of the set) - N H(z | all)
};

// All sets of one size that can still grow, in lexicographic order, with an index.
class Level {
  public:
    std::size_t width = 0;
    std::vector<Key> keys;

    void index(std::span<const Entry> entries) {
        keys.clear();
        keys.reserve(entries.size());
        slots_.assign(entries.size() + entries.size() / 2 + 2, Entry{kNone, 0.0, 0.0, 0.0});
        for (const Entry& entry : entries) {
            keys.push_back(entry.key);
            std::size_t at = home(entry.key);
            while (slots_[at].key != kNone) at = after(at);
            slots_[at] = entry;
        }
    }
    const Entry* find(Key key) const {
        std::size_t at = home(key);
        while (slots_[at].key != key) {
            if (slots_[at].key == kNone) return nullptr;
            at = after(at);
        }
        return &slots_[at];
    }
    void clear() { *this = Level{}; }

  private:
    static constexpr Key kNone = ~Key{0};  // sets have at most 63 members

    std::size_t home(Key key) const {
        return static_cast<std::size_t>(((mix(key) >> 32) * slots_.size()) >> 32);
    }
    std::size_t after(std::size_t at) const { return at + 1 == slots_.size() ? 0 : at + 1; }

    std::vector<Entry> slots_;
};

// The families of a network explain together no more than all variables do: the sum of their fits is at most
// the fit of the empirical distribution. So for every share s between 0 and 1 no network scores more than
// s * fit(all) + the sum over the variables of their most score - s * fit. A set that scores no more than one
// of its subsets has no less fit than it, so that the kept sets have these maxima too.
inline constexpr std::size_t kShares = 16;
inline constexpr double share(std::size_t k) { return static_cast<double>(k + 1) / kShares; }

// One variable and how far its sets have been gone through.
struct Child {
    Var variable = 0;
    VarSet required;
    double log_states = 0.0;
    double configurations = 1.0;  // of the required parents
    std::vector<Var> added;       // variables that a set may gain, ascending
    std::size_t most = 0;         // members
    Level level;
    double best = kWorst;
    double open = kWorst;  // what no set that was not looked at scores above
    std::vector<VarSet> kept_sets;
    std::vector<double> kept_scores;
    std::array<double, kShares> most_less_fit = nothing_kept();  // score - share * fit of the sets kept

    static constexpr std::array<double, kShares> nothing_kept() {
        std::array<double, kShares> none{};
        none.fill(kWorst);
        return none;
    }
    void keep_less_fit(double score, double fit) {
        for (std::size_t k = 0; k < kShares; ++k)
            most_less_fit[k] = std::max(most_less_fit[k], score - share(k) * fit);
    }
    // The same for sets that were not looked at too, if no set can fit better than this.
    double bound_less_fit(std::size_t k, double most_fit) const {
        return done() ? most_less_fit[k] : std::max(most_less_fit[k], open - share(k) * most_fit);
    }

    bool done() const { return level.keys.empty() || level.width >= most; }
    // No set scores more.
    double bound() const { return done() ? best : std::max(best, open); }
};

// What one thread has found in a chunk of a level.
struct Chunk {
    struct Kept {
        Key key;
        double score, fit;
    };

    std::vector<Entry> grown;
    std::vector<Kept> kept;
    double open = kWorst;
    std::uint64_t evaluations = 0;
};

// What cells add to the two sums of a family, for every number of configurations of its parents; always the
// same for a penalized likelihood.
class CellTables {
  public:
    struct Pair {
        std::shared_ptr<const CellFunction> given_function, joint_function;
        std::vector<std::int64_t> given, joint;  // the numbers of all parts of the functions, count by count
    };

    CellTables(const Table& table, const RefinedScore& score)
        : rows_(table.rows()),
          score_(score),
          functions_(table.total(), table.most_cells(), table.unit()),
          cards_(table.cardinalities()) {}

    // The parents have q configurations. The table stays where it is.
    const Pair& of(double q, Var child) {
        const double r = score_.penalized() ? 1.0 : static_cast<double>(cards_[child]);
        const std::lock_guard lock(mutex_);
        Pair& pair = known_[score_.penalized() ? std::pair{0.0, 1.0} : std::pair{q, r}];
        if (pair.given.empty()) {
            fill(score_.measure->cell_function(q), pair.given_function, pair.given);
            fill(score_.measure->cell_function(q * r), pair.joint_function, pair.joint);
        }
        return pair;
    }

  private:
    void fill(CellFunctionId id, std::shared_ptr<const CellFunction>& function,
              std::vector<std::int64_t>& table) {
        function = functions_.get(id);
        for (std::size_t n = 0; n <= rows_; ++n)
            for (std::size_t k = 0; k < function->parts(); ++k) table.push_back(function->of_part(k, n));
    }

    std::size_t rows_;
    RefinedScore score_;
    CellFunctions functions_;
    std::span<const std::uint32_t> cards_;
    std::mutex mutex_;
    std::map<std::pair<double, double>, Pair> known_;
};

}  // namespace dagwright
