// The score of every family whose parents are among a child's candidates, by bit mask of the candidates.
//
// What knowledge rules out has the logarithm of zero. An edge that knowledge requires without saying which
// way is no property of one family: among the variables that come before a child, those that must be joined
// with it have to be its parents. Sums over parent sets therefore run over the other candidates only; `links`
// tells them apart.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "dagwright/base/control.hpp"
#include "dagwright/evidence/score.hpp"
#include "dagwright/graph/knowledge.hpp"

namespace dagwright {

class FamilyWeights {
  public:
    using Mask = std::uint32_t;
    static constexpr std::uint8_t kNoCandidate = 255;
    static constexpr std::size_t kMostCandidates = 26;
    static constexpr double kImpossible = -std::numeric_limits<double>::infinity();

    // Required neighbors join the candidates, forbidden ones leave them.
    FamilyWeights(LocalScore& score, const Knowledge& knowledge, const std::vector<VarSet>& candidates,
                  std::size_t max_parents, Control& control);
    // The weights that candidates(), logs() and links() of others gave for each child; Error where they
    // cannot be such values.
    FamilyWeights(std::vector<std::vector<Var>> candidates, std::vector<std::vector<double>> logs,
                  std::vector<Mask> links);
    std::size_t variables() const noexcept { return children_.size(); }
    std::span<const Var> candidates(Var child) const noexcept { return children_[child].candidates; }
    std::span<const double> logs(Var child) const noexcept { return children_[child].logs; }
    double log(Var child, Mask parents) const noexcept { return children_[child].logs[parents]; }
    // Candidates that must be joined with the child, either way.
    Mask links(Var child) const noexcept { return children_[child].links; }
    bool joined(Var a, Var b) const noexcept {
        const std::uint8_t at = position(a, b);
        return at != kNoCandidate && ((links(a) >> at) & 1u) != 0;
    }
    bool has_links() const noexcept { return has_links_; }
    // The bit of a parent in the child's masks, or kNoCandidate.
    std::uint8_t position(Var child, Var parent) const noexcept {
        return positions_[child * children_.size() + parent];
    }
    Mask bit(Var child, Var parent) const noexcept {
        const std::uint8_t at = position(child, parent);
        return at == kNoCandidate ? Mask{0} : Mask{1} << at;
    }
    VarSet parents(Var child, Mask mask) const;
    // A variable that has another as a candidate, and the bit of the other in its masks.
    struct Dependent {
        Var child;
        Mask bit;
    };
    std::span<const Dependent> dependents(Var parent) const noexcept { return dependents_[parent]; }

    std::uint64_t evaluations() const noexcept { return evaluations_; }
    // Why the scores are not complete, if they are not.
    Stop stop() const noexcept { return stop_; }
    // Throws Error where they are not.
    void require_complete() const;

  private:
    struct Child {
        std::vector<Var> candidates;
        std::vector<double> logs;
        Mask links = 0;
    };

    void place_candidates(Var child);
    void require_numbers() const;
    void choose_candidates(const Knowledge& knowledge, const std::vector<VarSet>& candidates);
    void score_all(LocalScore& score, const Knowledge& knowledge, std::size_t max_parents, Control& control);

    std::vector<Child> children_;
    std::vector<std::uint8_t> positions_;
    std::vector<std::vector<Dependent>> dependents_;
    bool has_links_ = false;
    std::uint64_t evaluations_ = 0;
    Stop stop_ = Stop::none;
};

}  // namespace dagwright
