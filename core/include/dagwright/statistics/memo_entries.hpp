// What a memo holds, as flat arrays: to be kept in a file, and checked when they come back.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "dagwright/base/varset.hpp"
#include "dagwright/statistics/memo.hpp"

namespace dagwright {

// Sets of variables, one after the other.
struct FlatSets {
    std::vector<std::uint32_t> sizes;
    std::vector<VarSet::Member> members;

    void add(const VarSet& set);
    // The sets. Throws std::invalid_argument unless each is increasing and below `variables`.
    std::vector<VarSet> checked(std::size_t variables) const;
};

struct MemoEntries {
    FlatSets sets;
    std::vector<std::uint32_t> kinds, rows;
    std::vector<double> parameters, values;
    FlatSets selections;  // the selections of rows that got a number, in the order of their numbers

    void add(const MemoKey& key, double value);
    // The keys. Throws std::invalid_argument where they cannot be keys over so many variables, or where a
    // number of rows is not below `row_numbers`.
    std::vector<MemoKey> checked(std::size_t variables, std::size_t row_numbers) const;
};

// Selections of rows by their numbers, which count up from `first`, and back. Throws std::invalid_argument
// where a selection is empty or stands twice.
FlatSets in_order(const std::map<VarSet, std::uint32_t>& numbers);
std::map<VarSet, std::uint32_t> numbered(const FlatSets& selections, std::size_t variables,
                                         std::size_t first);

}  // namespace dagwright
