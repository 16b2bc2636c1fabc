#include "dagwright/exact/families.hpp"

#include <bit>

namespace dagwright {

Families::Families(const CandidateSets& sets)
    : words_(words_for(sets.variables())),
      offsets_(sets.offsets().begin(), sets.offsets().end()),
      masks_(sets.size() * words_, 0),
      links_(sets.variables()) {
    loss_.reserve(sets.size());
    for (Var v = 0; v < sets.variables(); ++v) {
        for (std::size_t f = offsets_[v]; f < offsets_[v + 1]; ++f) {
            loss_.push_back(sets.best(v) - sets.score(f));
            for (const std::int32_t parent : sets.parents(f)) {
                set_bit(masks_.data() + f * words_, static_cast<std::size_t>(parent));
            }
        }
    }
    for (const auto& [one, other] : sets.links()) {
        links_.set(one, other);
        links_.set(other, one);
    }
}

std::size_t Families::common(std::size_t family, std::span<const Word> set) const noexcept {
    std::size_t found = 0;
    for (std::size_t w = 0; w < words_; ++w)
        found += static_cast<std::size_t>(std::popcount(masks_[family * words_ + w] & set[w]));
    return found;
}

}  // namespace dagwright
