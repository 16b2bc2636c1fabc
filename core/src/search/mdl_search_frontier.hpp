// What both forms of the arc count search share: remembered family scores and the best networks by arc count.
#pragma once
#include <unordered_map>
#include <utility>
#include <vector>

#include "dagwright/search/mdl_search.hpp"

namespace dagwright {

// Local scores that are asked for again and again. Forgets everything when it has grown too large.
class FamilyScores {
  public:
    FamilyScores(LocalScore& score, Control& control)
        : score_(score), control_(control), known_(score.variables()) {}

    // Scores the families that are not known yet, in one batch.
    void need(std::vector<Family> families) {
        if (size_ > kMost) {
            for (auto& by_parents : known_) by_parents.clear();
            size_ = 0;
        }
        std::vector<Family> unknown;
        for (Family& family : families)
            if (known_[family.child].emplace(family.parents, 0.0).second)
                unknown.push_back(std::move(family));
        if (unknown.empty()) return;
        std::vector<double> values(unknown.size());
        score_.local(unknown, values, control_);
        for (std::size_t i = 0; i < unknown.size(); ++i)
            known_[unknown[i].child][unknown[i].parents] = values[i];
        size_ += unknown.size();
        evaluations_ += unknown.size();
    }
    // A family that was needed before.
    double at(Var child, const VarSet& parents) const { return known_[child].at(parents); }

    // One look at each family; only those that are not known yet make a batch.
    double total(const std::vector<VarSet>& parents) {
        double sum = 0.0;
        for (Var child = 0; child < parents.size(); ++child) {
            const auto entry = known_[child].find(parents[child]);
            if (entry == known_[child].end()) return total_of_unknown(parents);
            sum += entry->second;
        }
        return sum;
    }
    double tolerance() const { return score_.tolerance(); }
    std::size_t evaluations() const noexcept { return evaluations_; }

  private:
    double total_of_unknown(const std::vector<VarSet>& parents) {
        std::vector<Family> families;
        for (Var child = 0; child < parents.size(); ++child) families.push_back({child, parents[child]});
        need(std::move(families));
        double sum = 0.0;
        for (Var child = 0; child < parents.size(); ++child) sum += at(child, parents[child]);
        return sum;
    }

    static constexpr std::size_t kMost = std::size_t{1} << 21;

    LocalScore& score_;
    Control& control_;
    std::vector<std::unordered_map<VarSet, double, VarSetHash>> known_;
    std::size_t size_ = 0, evaluations_ = 0;
};

// Keeps the heaviest and the best network of each number of arcs, and the best of all.
class Frontier {
  public:
    Frontier(std::vector<VarSet> base, double tolerance, const ArcCountPlan& plan)
        : tolerance_(tolerance), connected_(plan.connected) {
        found_.parents = std::move(base);
    }

    void see(const std::vector<VarSet>& parents, double weight, double score) {
        ++seen_;
        std::size_t arcs = 0;
        for (const VarSet& set : parents) arcs += set.size();
        if (arcs >= found_.frontier.size()) found_.frontier.resize(arcs + 1);
        ArcCountPoint& point = found_.frontier[arcs];
        if (point.heaviest.empty() || weight > point.weight + tolerance_) {
            point.heaviest = parents;
            point.weight = weight;
        }
        if (connected_ && !joined(parents)) return;
        if (point.best.empty() || score > point.score + tolerance_) {
            point.best = parents;
            point.score = score;
        }
        if (!found_.chosen || score > found_.score + tolerance_) {
            found_.parents = parents;
            found_.score = score;
            found_.chosen = true;
            found_.running.push_back({"networks by number of arcs", seen_, score});
        }
    }
    bool chosen() const noexcept { return found_.chosen; }
    double best() const noexcept { return found_.score; }
    // Offers the best network, where one is admitted.
    void show(BestNetwork* listener) const {
        if (found_.chosen) offer(listener, found_.score, [&] { return found_.parents; });
    }
    ArcCountFound&& take() { return std::move(found_); }

  private:
    double tolerance_;
    bool connected_;
    std::uint64_t seen_ = 0;
    ArcCountFound found_;
};

}  // namespace dagwright
