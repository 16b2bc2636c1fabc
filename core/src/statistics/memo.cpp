#include "dagwright/statistics/memo.hpp"

#include <algorithm>
#include <bit>

#include "dagwright/base/mix.hpp"

namespace dagwright {

namespace {
constexpr std::uint32_t kEmpty = 0xffffffffu;
}

MemoKey::MemoKey(VarSet s, CellFunctionId f, std::uint32_t r) : set(std::move(s)), function(f), rows(r) {
    const std::uint64_t what = std::bit_cast<std::uint64_t>(f.parameter) + static_cast<std::uint64_t>(f.kind);
    hash = set.hash() ^ ((what ^ std::rotl(std::uint64_t{r}, 40)) * kGoldenStep);
}

const double* Memo::Generation::find(const MemoKey& key) const {
    if (slots.empty()) return nullptr;
    const std::size_t mask = slots.size() - 1;
    for (std::size_t at = key.hash & mask; slots[at] != kEmpty; at = (at + 1) & mask)
        if (entries[slots[at]].key == key) return &entries[slots[at]].value;
    return nullptr;
}

void Memo::Generation::insert(const MemoKey& key, double value) {
    if (2 * (entries.size() + 1) > slots.size()) {
        slots.assign(std::max<std::size_t>(64, 2 * slots.size()), kEmpty);
        for (std::uint32_t i = 0; i < entries.size(); ++i) {
            std::size_t at = entries[i].key.hash & (slots.size() - 1);
            while (slots[at] != kEmpty) at = (at + 1) & (slots.size() - 1);
            slots[at] = i;
        }
    }
    std::size_t at = key.hash & (slots.size() - 1);
    while (slots[at] != kEmpty) at = (at + 1) & (slots.size() - 1);
    slots[at] = static_cast<std::uint32_t>(entries.size());
    entries.push_back({key, value});
}

void Memo::Generation::clear() {
    entries = {};
    slots = {};
}

std::size_t Memo::Generation::bytes() const {
    return entries.capacity() * sizeof(Entry) + slots.capacity() * sizeof(std::uint32_t);
}

// An entry costs itself (twice at the moment its array grows) and up to four slots.
Memo::Memo(std::size_t bytes)
    : entries_per_generation_(std::clamp<std::size_t>(
          bytes / 2 / (2 * sizeof(Entry) + 4 * sizeof(std::uint32_t)), 16, 0x7fffffff)) {}

bool Memo::find(const MemoKey& key, double& value) {
    if (const double* found = young_.find(key)) {
        value = *found;
        ++hits_;
        return true;
    }
    if (const double* found = old_.find(key)) {
        value = *found;
        ++hits_;
        insert(key, value);
        return true;
    }
    ++misses_;
    return false;
}

void Memo::insert(const MemoKey& key, double value) {
    if (young_.entries.size() >= entries_per_generation_) {
        forgotten_ += old_.entries.size();
        old_ = std::move(young_);
        young_.clear();
    }
    young_.insert(key, value);
}

const double* Memo::peek(const MemoKey& key) const {
    const double* found = young_.find(key);
    return found != nullptr ? found : old_.find(key);
}

std::size_t Memo::bytes() const noexcept { return young_.bytes() + old_.bytes(); }

}  // namespace dagwright
