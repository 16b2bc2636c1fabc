#include "dagwright/families.hpp"

#include <algorithm>
#include <bit>

#include <stdexcept>

namespace dagwright {

Families::Families(std::span<const std::int64_t> offsets, std::span<const std::int64_t> starts,
                   std::span<const std::int32_t> members)
    : words_(0) {
    const auto ascending = [](std::span<const std::int64_t> ends, std::size_t total) {
        return !ends.empty() && ends.front() == 0 && std::is_sorted(ends.begin(), ends.end()) &&
               static_cast<std::size_t>(ends.back()) == total;
    };
    if (starts.empty() || !ascending(offsets, starts.size() - 1) || !ascending(starts, members.size()))
        throw std::invalid_argument("families need ascending offsets that begin at 0 and cover all of them");
    offsets_.assign(offsets.begin(), offsets.end());
    const std::size_t n = variables();
    words_ = words_for(n);
    children_.resize(starts.size() - 1);
    masks_.assign(children_.size() * words_, 0);
    for (Var v = 0; v < n; ++v) {
        for (std::size_t f = offsets_[v]; f < offsets_[v + 1]; ++f) {
            children_[f] = v;
            for (auto at = static_cast<std::size_t>(starts[f]); at < static_cast<std::size_t>(starts[f + 1]); ++at) {
                const std::int32_t parent = members[at];
                if (parent < 0 || static_cast<std::size_t>(parent) >= n || static_cast<Var>(parent) == v)
                    throw std::invalid_argument("a family has a parent that is out of range or its own child");
                const auto bit = static_cast<std::size_t>(parent);
                masks_[f * words_ + bit / word_bits] |= Word{1} << (bit % word_bits);
            }
        }
    }
}

std::size_t Families::common(std::size_t family, std::span<const Word> set, std::size_t most) const noexcept {
    std::size_t found = 0;
    for (std::size_t w = 0; w < words_ && found < most; ++w)
        found += static_cast<std::size_t>(std::popcount(masks_[family * words_ + w] & set[w]));
    return std::min(found, most);
}

}  // namespace dagwright
