// Every DAG over a few variables: parent sets are chosen one variable after the other, and a choice that
// closes a cycle is dropped at once.
#include <array>

#include "dagwright/base/errors.hpp"
#include "mdl_search_frontier.hpp"

namespace dagwright {

namespace {

using Mask = std::uint32_t;

class Enumeration {
  public:
    Enumeration(LocalScore& weight, LocalScore& score, const Knowledge& knowledge, std::vector<VarSet> base,
                const ArcCountPlan& plan, Control& control)
        : score_(score),
          knowledge_(knowledge),
          plan_(plan),
          control_(control),
          n_(base.size()),
          frontier_(std::move(base), score.tolerance(), plan) {
        std::vector<Family> families;
        for (Var child = 0; child < n_; ++child)
            for (Mask mask = 0; mask < (Mask{1} << n_); ++mask)
                if (allowed(child, mask)) {
                    choices_[child].push_back({mask, members(mask), 0.0, 0.0});
                    families.push_back({child, members(mask)});
                }
        std::vector<double> weights(families.size()), scores(families.size());
        weight.local(families, weights, control);
        score.local(families, scores, control);
        evaluations_ = 2 * families.size();
        std::size_t at = 0;
        for (auto& choices : choices_)
            for (Choice& choice : choices) {
                choice.weight = weights[at];
                choice.score = scores[at++];
            }
        parents_.resize(n_);
    }

    ArcCountFound run() {
        stopped_ = control_.should_stop() != Stop::none;
        choose(0, {}, 0.0, 0.0);
        ArcCountFound found = frontier_.take();
        if (!found.chosen) found.score = FamilyScores(score_, control_).total(found.parents);
        found.evaluations = evaluations_;
        found.expansions = seen_;
        found.stop = stopped_ ? control_.should_stop() : Stop::none;
        return found;
    }

  private:
    struct Choice {
        Mask mask;
        VarSet parents;
        double weight, score;
    };
    using Ancestors = std::array<Mask, kMostEnumerated>;  // through parent sets chosen so far

    VarSet members(Mask mask) const {
        std::vector<Var> set;
        for (Var v = 0; v < n_; ++v)
            if (mask >> v & 1) set.push_back(v);
        return VarSet::of(set);
    }

    bool allowed(Var child, Mask mask) const {
        if (mask >> child & 1) return false;
        std::vector<std::uint32_t> set;
        for (Var v = 0; v < n_; ++v)
            if (mask >> v & 1) set.push_back(v);
        return set.size() <= plan_.max_parents && knowledge_.allows(child, set);
    }

    bool links_are_there() const {
        for (const auto& [a, b] : knowledge_.required_links())
            if (!parents_[a].contains(b) && !parents_[b].contains(a)) return false;
        return true;
    }

    void choose(Var child, const Ancestors& above, double weight, double score) {
        if (child == n_) {
            if ((++seen_ & 0xfff) == 0) {
                if (control_.should_stop() != Stop::none) stopped_ = true;
                frontier_.show(plan_.best);
            }
            std::size_t arcs = 0;
            for (const VarSet& set : parents_) arcs += set.size();
            if (arcs <= plan_.max_arcs && links_are_there()) frontier_.see(parents_, weight, score);
            return;
        }
        for (const Choice& choice : choices_[child]) {
            if (stopped_) return;
            Mask ancestors = choice.mask;
            for (Var v = 0; v < n_; ++v)
                if (choice.mask >> v & 1) ancestors |= above[v];
            if (ancestors >> child & 1) continue;
            Ancestors next = above;
            next[child] = ancestors;
            // Those below this child have its new ancestors too.
            for (Var v = 0; v < n_; ++v)
                if (next[v] >> child & 1) next[v] |= ancestors;
            parents_[child] = choice.parents;
            choose(child + 1, next, weight + choice.weight, score + choice.score);
        }
    }

    LocalScore& score_;
    const Knowledge& knowledge_;
    const ArcCountPlan& plan_;
    Control& control_;
    std::size_t n_;
    Frontier frontier_;
    std::array<std::vector<Choice>, kMostEnumerated> choices_;
    std::vector<VarSet> parents_;
    std::size_t evaluations_ = 0, seen_ = 0;
    bool stopped_ = false;
};

}  // namespace

ArcCountFound arc_count_enumeration(LocalScore& weight, LocalScore& score, const Knowledge& knowledge,
                                    std::vector<VarSet> base, const ArcCountPlan& plan, Control& control) {
    if (base.size() > kMostEnumerated) throw Error("every DAG can be looked at for at most 6 variables");
    return Enumeration(weight, score, knowledge, std::move(base), plan, control).run();
}

}  // namespace dagwright
