#include "dagwright/posterior/family_weights.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include "dagwright/base/errors.hpp"

namespace dagwright {

namespace {

constexpr std::size_t kBatch = 1u << 15;

}  // namespace

FamilyWeights::FamilyWeights(LocalScore& score, const Knowledge& knowledge,
                             const std::vector<VarSet>& candidates, std::size_t max_parents, Control& control)
    : children_(score.variables()),
      positions_(children_.size() * children_.size(), kNoCandidate),
      dependents_(children_.size()) {
    choose_candidates(knowledge, candidates);
    score_all(score, knowledge, max_parents, control);
}

FamilyWeights::FamilyWeights(std::vector<std::vector<Var>> candidates, std::vector<std::vector<double>> logs,
                             std::vector<Mask> links)
    : children_(candidates.size()),
      positions_(children_.size() * children_.size(), kNoCandidate),
      dependents_(children_.size()) {
    const std::size_t n = children_.size();
    if (logs.size() != n || links.size() != n) throw Error("weights need one list per variable");
    for (Var child = 0; child < n; ++child) {
        Child& one = children_[child];
        one = {std::move(candidates[child]), std::move(logs[child]), links[child]};
        for (std::size_t at = 0; at < one.candidates.size(); ++at) {
            const Var parent = one.candidates[at];
            if (parent >= n || parent == child || (at > 0 && parent <= one.candidates[at - 1]))
                throw Error("candidates are other variables in rising order");
        }
        place_candidates(child);
        if (one.logs.size() != std::size_t{1} << one.candidates.size() || one.links >= one.logs.size())
            throw Error("a variable needs one weight for each set of its candidates");
        has_links_ = has_links_ || one.links != 0;
    }
    require_numbers();
}

// The bits of the candidates of a child.
void FamilyWeights::place_candidates(Var child) {
    const std::vector<Var>& candidates = children_[child].candidates;
    if (candidates.size() > kMostCandidates)
        throw Error("a variable has " + std::to_string(candidates.size()) +
                    " candidate parents; the most is " + std::to_string(kMostCandidates));
    for (std::size_t at = 0; at < candidates.size(); ++at) {
        positions_[child * children_.size() + candidates[at]] = static_cast<std::uint8_t>(at);
        dependents_[candidates[at]].push_back({child, Mask{1} << at});
    }
}

void FamilyWeights::choose_candidates(const Knowledge& knowledge, const std::vector<VarSet>& candidates) {
    const std::size_t n = children_.size();
    for (Var child = 0; child < n; ++child) {
        Child& one = children_[child];
        for (Var v = 0; v < n; ++v)
            if (v != child && knowledge.allows_arc(v, child) &&
                (candidates[child].contains(v) || knowledge.requires_link(v, child)))
                one.candidates.push_back(v);
        place_candidates(child);
        for (std::size_t at = 0; at < one.candidates.size(); ++at) {
            const Var parent = one.candidates[at];
            const bool free_link = knowledge.requires_link(parent, child) &&
                                   !knowledge.requires_arc(parent, child) &&
                                   knowledge.allows_arc(child, parent);
            if (free_link) one.links |= Mask{1} << at;
        }
        has_links_ = has_links_ || one.links != 0;
        one.logs.assign(std::size_t{1} << one.candidates.size(), kImpossible);
    }
}

void FamilyWeights::require_complete() const {
    if (stop_ != Stop::none) throw Error("scoring the families was stopped, so sums over them mean nothing");
}

VarSet FamilyWeights::parents(Var child, Mask mask) const {
    std::vector<Var> members;
    for (Mask rest = mask; rest != 0; rest &= rest - 1)
        members.push_back(children_[child].candidates[static_cast<std::size_t>(std::countr_zero(rest))]);
    return VarSet::of(members);
}

void FamilyWeights::score_all(LocalScore& score, const Knowledge& knowledge, std::size_t max_parents,
                              Control& control) {
    std::vector<Family> families;
    std::vector<double*> places;
    std::vector<double> values;
    std::uint64_t looked_at = 0, every = 0;  // also what knowledge and max_parents rule out
    for (const Child& one : children_) every += one.logs.size();
    const auto flush = [&] {
        values.resize(families.size());
        score.local(families, values, control);
        for (std::size_t i = 0; i < families.size(); ++i) *places[i] = values[i];
        evaluations_ += families.size();
        families.clear();
        places.clear();
        control.report({.phase = "scoring families", .done = looked_at, .total = every, .unit = "families"});
        stop_ = control.should_stop();
    };
    const auto add = [&](Var child, Mask mask) {
        Child& one = children_[child];
        ++looked_at;
        if (static_cast<std::size_t>(std::popcount(mask)) > max_parents) return;
        const VarSet set = parents(child, mask);
        const std::vector<Var> members(set.begin(), set.end());
        if (!knowledge.allows(child, members)) return;
        families.push_back({child, set});
        places.push_back(&one.logs[mask]);
    };
    std::size_t most = 0;
    for (const Child& one : children_) most = std::max(most, one.logs.size());
    // The same masks of all children together: where candidates are shared, so are the sets to be counted.
    for (Mask mask = 0; mask < most && stop_ == Stop::none; ++mask) {
        for (Var child = 0; child < children_.size(); ++child)
            if (mask < children_[child].logs.size()) add(child, mask);
        if (families.size() >= kBatch) flush();
    }
    if (stop_ == Stop::none && !families.empty()) flush();
    require_numbers();
}

void FamilyWeights::require_numbers() const {
    for (const Child& one : children_)
        for (const double value : one.logs)
            if (!(value < std::numeric_limits<double>::infinity()))
                throw Error("a score that is not a number, or infinite");
}

}  // namespace dagwright
