#include "dagwright/posterior/promising_parents.hpp"

#include <algorithm>
#include <limits>

#include "dagwright/exact/find_candidates.hpp"

namespace dagwright {

namespace {

constexpr double kWorst = -std::numeric_limits<double>::infinity();
constexpr std::size_t kMostTogether = 3;

class Shortlist {
  public:
    Shortlist(LocalScore& score, const Knowledge& knowledge, std::size_t most, Control& control)
        : score_(score), knowledge_(knowledge), most_(most), control_(control) {}

    // Forbids the arcs into the child from all that are not on its shortlist.
    void restrict(Var child, Knowledge& restricted) {
        others_.clear();
        for (Var v = 0; v < score_.variables(); ++v)
            if (v != child && knowledge_.allows_arc(v, child)) others_.push_back({v, kWorst, false});
        if (others_.size() <= most_) return;
        look(child, VarSet());
        std::size_t listed = 0;
        const auto take = [&](Other& other) {
            other.listed = true;
            ++listed;
            look(child, VarSet::of({other.variable}));
        };
        for (Other& other : others_)
            if (knowledge_.requires_link(other.variable, child)) take(other);
        while (listed < most_) {
            Other* best = nullptr;  // the first of equals
            for (Other& other : others_)
                if (!other.listed && (best == nullptr || other.best > best->best)) best = &other;
            take(*best);
        }
        for (const Other& other : others_)
            if (!other.listed) restricted.forbid_arc(other.variable, child);
    }

    std::uint64_t evaluations() const { return evaluations_; }

  private:
    struct Other {
        Var variable;
        double best;  // score, alone or with one that is listed
        bool listed;
    };

    void look(Var child, const VarSet& company) {
        families_.clear();
        for (const Other& other : others_)
            if (!other.listed) families_.push_back({child, company.with(other.variable)});
        values_.resize(families_.size());
        score_.local(families_, values_, control_);
        evaluations_ += families_.size();
        std::size_t next = 0;
        for (Other& other : others_)
            if (!other.listed) other.best = std::max(other.best, values_[next++]);
    }

    LocalScore& score_;
    const Knowledge& knowledge_;
    std::size_t most_;
    Control& control_;
    std::vector<Other> others_;
    std::vector<Family> families_;
    std::vector<double> values_;
    std::uint64_t evaluations_ = 0;
};

// The members of the sets of one child, those of better sets first.
std::vector<Var> ranked(const CandidateSets& sets, Var child, std::size_t most) {
    std::vector<Var> found;
    for (std::size_t entry = sets.begin(child); entry < sets.end(child); ++entry)
        for (const std::int32_t member : sets.parents(entry)) {
            const auto parent = static_cast<Var>(member);
            if (found.size() == most) break;
            if (std::find(found.begin(), found.end(), parent) == found.end()) found.push_back(parent);
        }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace

PromisingParents promising_parents(LocalScore& score, const Knowledge& knowledge, const PromisingPlan& plan,
                                   Control& control) {
    PromisingParents found;
    Knowledge restricted = knowledge;
    Shortlist shortlist(score, knowledge, plan.shortlist, control);
    for (Var child = 0; child < score.variables() && found.stop == Stop::none; ++child) {
        shortlist.restrict(child, restricted);
        control.report({.phase = "choosing candidates",
                        .done = child + 1,
                        .total = score.variables(),
                        .unit = "variables"});
        found.stop = control.should_stop();
    }
    found.evaluations = shortlist.evaluations();
    if (found.stop != Stop::none) return found;
    CandidatePlan sets;
    sets.max_parents = std::min(plan.max_parents, kMostTogether);
    sets.least_gain = -(plan.within + score.tolerance());
    const CandidatesFound candidates = find_candidates(score, restricted, sets, control);
    found.evaluations += candidates.evaluations;
    found.stop = candidates.stop;
    for (Var child = 0; child < score.variables(); ++child)
        found.of.push_back(ranked(candidates.sets, child, plan.most));
    return found;
}

}  // namespace dagwright
