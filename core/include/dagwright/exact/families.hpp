// Candidate families as bit rows: what cutting planes and rounding look at.
#pragma once
#include <span>
#include <vector>

#include "dagwright/base/bit_matrix.hpp"
#include "dagwright/base/varset.hpp"
#include "dagwright/exact/candidate_sets.hpp"

namespace dagwright {

class Families {
  public:
    explicit Families(const CandidateSets& sets);

    std::size_t variables() const noexcept { return offsets_.size() - 1; }
    std::size_t size() const noexcept { return loss_.size(); }
    std::size_t words() const noexcept { return words_; }
    // The families of a child, best first.
    std::size_t begin(Var child) const noexcept { return offsets_[child]; }
    std::size_t end(Var child) const noexcept { return offsets_[child + 1]; }
    std::span<const Word> parents(std::size_t family) const noexcept {
        return {masks_.data() + family * words_, words_};
    }
    // How far the score is below that of the child's best family.
    double loss(std::size_t family) const noexcept { return loss_[family]; }
    // Those that must be adjacent to the child, whichever way.
    std::span<const Word> links(Var child) const noexcept { return links_.row(child); }

    // How many parents of the family are in a set given as a bit row.
    std::size_t common(std::size_t family, std::span<const Word> set) const noexcept;

  private:
    std::size_t words_;
    std::vector<std::size_t> offsets_;
    std::vector<double> loss_;
    std::vector<Word> masks_;
    BitMatrix links_;
};

}  // namespace dagwright
