// A bounded memory of sums by set of variables.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "dagwright/base/varset.hpp"
#include "dagwright/statistics/cell_function.hpp"

namespace dagwright {

// What was summed: the set, the function, and the number of the row selection (0 for all rows).
struct MemoKey {
    VarSet set;
    CellFunctionId function;
    std::uint64_t hash;
    std::uint32_t rows;

    MemoKey(VarSet set, CellFunctionId function, std::uint32_t rows);
    friend bool operator==(const MemoKey& a, const MemoKey& b) {
        return a.hash == b.hash && a.rows == b.rows && a.function == b.function && a.set == b.set;
    }
};

// Two generations: new entries go into the young one; when it has used half of the budget it becomes the old
// one, and the old one is forgotten. What is found in the old one is moved to the young.
class Memo {
  public:
    explicit Memo(std::size_t bytes);

    bool find(const MemoKey& key, double& value);
    void insert(const MemoKey& key, double value);
    // The value of a key without a trace in the statistics; null where it is not known.
    const double* peek(const MemoKey& key) const;
    // Calls visit(key, value) for every entry, those that will be forgotten first at the beginning.
    template <class Visit>
    void each(Visit&& visit) const {
        for (const Entry& entry : old_.entries)
            if (young_.find(entry.key) == nullptr) visit(entry.key, entry.value);
        for (const Entry& entry : young_.entries) visit(entry.key, entry.value);
    }

    std::uint64_t hits() const noexcept { return hits_; }
    std::uint64_t misses() const noexcept { return misses_; }
    std::uint64_t forgotten() const noexcept { return forgotten_; }
    std::size_t bytes() const noexcept;

  private:
    struct Entry {
        MemoKey key;
        double value;
    };
    // Open addressing over indices into a dense array of entries.
    struct Generation {
        std::vector<Entry> entries;
        std::vector<std::uint32_t> slots;

        const double* find(const MemoKey& key) const;
        void insert(const MemoKey& key, double value);
        void clear();
        std::size_t bytes() const;
    };

    std::size_t entries_per_generation_;
    Generation young_, old_;
    std::uint64_t hits_ = 0, misses_ = 0, forgotten_ = 0;
};

}  // namespace dagwright
