// Candidate families: for every variable the parent sets that it may take, as one flat list.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "dagwright/bit_matrix.hpp"
#include "dagwright/varset.hpp"

namespace dagwright {

class Families {
  public:
    // Variable v has the families offsets[v] .. offsets[v + 1] - 1; family f has the parents
    // members[starts[f]] .. members[starts[f + 1] - 1].
    Families(std::span<const std::int64_t> offsets, std::span<const std::int64_t> starts,
             std::span<const std::int32_t> members);

    std::size_t variables() const noexcept { return offsets_.size() - 1; }
    std::size_t size() const noexcept { return children_.size(); }
    std::size_t words() const noexcept { return words_; }
    std::size_t begin(Var child) const noexcept { return offsets_[child]; }
    std::size_t end(Var child) const noexcept { return offsets_[child + 1]; }
    Var child(std::size_t family) const noexcept { return children_[family]; }
    std::span<const Word> parents(std::size_t family) const noexcept {
        return {masks_.data() + family * words_, words_};
    }

    // How many parents of the family are in a set given as a bit row, counted no further than `most`.
    std::size_t common(std::size_t family, std::span<const Word> set, std::size_t most) const noexcept;

  private:
    std::size_t words_;
    std::vector<std::size_t> offsets_;
    std::vector<Var> children_;
    std::vector<Word> masks_;
};

}  // namespace dagwright
