#include "dagwright/statistics/memo_entries.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace dagwright {

void FlatSets::add(const VarSet& set) {
    sizes.push_back(static_cast<std::uint32_t>(set.size()));
    members.insert(members.end(), set.begin(), set.end());
}

std::vector<VarSet> FlatSets::checked(std::size_t variables) const {
    std::vector<VarSet> sets;
    sets.reserve(sizes.size());
    std::vector<Var> own;
    std::size_t at = 0;
    for (const std::uint32_t size : sizes) {
        if (size > members.size() - at) throw std::invalid_argument("sets have more members than there are");
        own.assign(members.begin() + static_cast<std::ptrdiff_t>(at),
                   members.begin() + static_cast<std::ptrdiff_t>(at + size));
        at += size;
        for (std::size_t k = 0; k < own.size(); ++k)
            if (own[k] >= variables || (k > 0 && own[k] <= own[k - 1]))
                throw std::invalid_argument("a set has members out of order or out of range");
        sets.push_back(VarSet::of(own));
    }
    if (at != members.size()) throw std::invalid_argument("sets have fewer members than there are");
    return sets;
}

void MemoEntries::add(const MemoKey& key, double value) {
    sets.add(key.set);
    kinds.push_back(static_cast<std::uint32_t>(key.function.kind));
    parameters.push_back(key.function.parameter);
    rows.push_back(key.rows);
    values.push_back(value);
}

std::vector<MemoKey> MemoEntries::checked(std::size_t variables, std::size_t row_numbers) const {
    const std::size_t n = sets.sizes.size();
    if (kinds.size() != n || rows.size() != n || parameters.size() != n || values.size() != n)
        throw std::invalid_argument("each set needs a function, a parameter, rows and a value");
    std::vector<MemoKey> keys;
    keys.reserve(n);
    std::size_t i = 0;
    for (VarSet& set : sets.checked(variables)) {
        if (kinds[i] > static_cast<std::uint32_t>(kLastCellKind) || !std::isfinite(parameters[i]))
            throw std::invalid_argument("a set has a function that does not exist");
        if (rows[i] >= row_numbers) throw std::invalid_argument("a set has rows that were not selected");
        keys.emplace_back(std::move(set), CellFunctionId{static_cast<CellKind>(kinds[i]), parameters[i]},
                          rows[i]);
        ++i;
    }
    return keys;
}

FlatSets in_order(const std::map<VarSet, std::uint32_t>& numbers) {
    std::vector<const std::pair<const VarSet, std::uint32_t>*> ordered;
    for (const auto& one : numbers) ordered.push_back(&one);
    std::sort(ordered.begin(), ordered.end(),
              [](const auto* a, const auto* b) { return a->second < b->second; });
    FlatSets sets;
    for (const auto* one : ordered) sets.add(one->first);
    return sets;
}

std::map<VarSet, std::uint32_t> numbered(const FlatSets& selections, std::size_t variables,
                                         std::size_t first) {
    std::map<VarSet, std::uint32_t> numbers;
    for (VarSet& set : selections.checked(variables)) {
        const auto next = static_cast<std::uint32_t>(first + numbers.size());
        if (set.empty() || !numbers.try_emplace(std::move(set), next).second)
            throw std::invalid_argument("a selection of rows is empty or stands twice");
    }
    return numbers;
}

}  // namespace dagwright
