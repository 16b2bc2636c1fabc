#include "dagwright/search/boss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "dagwright/base/random_order.hpp"
#include "dagwright/search/ges.hpp"

namespace dagwright {

namespace {

constexpr double kWorst = -std::numeric_limits<double>::infinity();

class Boss {
  public:
    Boss(LocalScore& score, GrowShrinkTrees& trees, Control& control, BestNetwork* best)
        : trees_(trees),
          control_(control),
          best_(best),
          tolerance_(score.tolerance()),
          n_(score.variables()),
          now_(n_, kWorst),
          known_(n_, false) {}

    // Moves variables until none gains by another position.
    Stop climb(std::vector<Var> order, std::size_t& moves, RunningScores& running) {
        order_ = std::move(order);
        score_ = kWorst;
        std::vector<GrowShrinkTrees::Query> all;
        walk([&](Var v, const BitRow& before) { all.push_back({v, before}); });
        if (!trees_.prepare(all)) return control_.should_stop();
        score_ = total();
        running.push_back({"start", moves, score_});
        for (bool moved = true; moved;) {
            moved = false;
            for (const Var x : std::vector<Var>(order_)) {
                if (const Stop stop = control_.should_stop(); stop != Stop::none) return stop;
                if (trees_.trim()) known_.assign(n_, false);
                const std::optional<std::size_t> position = place(x);
                if (!position) continue;
                moved = true;
                running.push_back({"best order", ++moves, score_, x, *position});
                control_.report({.phase = "best order", .done = moves, .unit = "moves", .best = score_});
                offer(best_, score_, [&] { return parents(); });
            }
        }
        return Stop::none;
    }

    double score() const noexcept { return score_; }

    std::vector<VarSet> parents() {
        std::vector<VarSet> result(n_);
        walk([&](Var v, const BitRow& before) { result[v] = *trees_.find(v, before).parents; });
        return result;
    }

  private:
    template <class Visit>
    void walk(Visit&& visit) {
        BitRow before(words_for(n_), 0);
        for (const Var v : order_) {
            visit(v, before);
            set_bit(before, v);
        }
    }

    double total() {
        double sum = 0.0;
        walk([&](Var v, const BitRow& before) { sum += now_[v] = trees_.find(v, before).score; });
        known_.assign(n_, true);
        return sum;
    }

    // Scores x at all n positions: those in front of it choose without it, those behind with it. Returns the
    // new position if another gains. Only what x can change is asked: one of the two is what the variable has
    // now, and the other is the same unless x can be its parent.
    std::optional<std::size_t> place(Var x) {
        const auto from =
            static_cast<std::size_t>(std::find(order_.begin(), order_.end(), x) - order_.begin());
        std::vector<Var> others = order_;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(from));
        std::vector<double> own(n_), without(n_, 0.0), with(n_, 0.0);
        const auto scan = [&](auto&& ask) {
            BitRow before(words_for(n_), 0);
            for (std::size_t at = 0; at < n_; ++at) {
                own[at] = at == 0 || trees_.matters(x, others[at - 1]) ? ask(x, before) : own[at - 1];
                if (at == others.size()) break;
                const Var y = others[at];
                const auto choice = [&](bool with_x) {
                    if (with_x) set_bit(before, x);
                    const double score = ask(y, before);
                    clear_bit(before, x);
                    return score;
                };
                const bool in_front = at < from;
                double& present = in_front ? without[at] : with[at];
                present = known_[y] ? now_[y] : choice(!in_front);
                (in_front ? with[at] : without[at]) = trees_.matters(y, x) ? choice(in_front) : present;
                set_bit(before, y);
            }
        };
        std::vector<GrowShrinkTrees::Query> queries;
        scan([&](Var v, const BitRow& before) {
            queries.push_back({v, before});
            return 0.0;
        });
        if (!trees_.prepare(queries)) return std::nullopt;
        scan([&](Var v, const BitRow& before) { return trees_.find(v, before).score; });
        // after[at]: everything behind position `at`, which then comes after x.
        std::vector<double> after(n_ + 1, 0.0);
        for (std::size_t at = others.size(); at-- > 0;) after[at] = after[at + 1] + with[at];
        double in_front = 0.0, best = kWorst;
        std::size_t best_position = from;
        std::vector<double> value(n_);
        for (std::size_t at = 0; at < n_; ++at) {
            value[at] = in_front + own[at] + after[at];
            if (at < others.size()) in_front += without[at];
            if (value[at] > best + tolerance_ || best == kWorst) {
                best = value[at];
                best_position = at;
            }
        }
        const bool moves = best_position != from && best > value[from] + tolerance_;
        const std::size_t to = moves ? best_position : from;
        for (std::size_t at = 0; at < others.size(); ++at) now_[others[at]] = (at < to ? without : with)[at];
        now_[x] = own[to];
        known_.assign(n_, true);
        if (!moves) return std::nullopt;
        others.insert(others.begin() + static_cast<std::ptrdiff_t>(best_position), x);
        order_ = std::move(others);
        score_ = best;
        return best_position;
    }

    GrowShrinkTrees& trees_;
    Control& control_;
    BestNetwork* best_;
    double tolerance_;
    std::size_t n_;
    std::vector<Var> order_;
    std::vector<double> now_;  // what each variable scores in this order
    std::vector<bool> known_;  // whether its tree still has that
    double score_ = 0.0;
};

}  // namespace

BossFound boss(LocalScore& score, const Knowledge& knowledge, std::vector<VarSet> start, const BossPlan& plan,
               Control& control) {
    Random random(plan.seed);
    GrowShrinkTrees trees(score, knowledge, plan.max_parents, control);
    if (plan.candidates < score.variables()) trees.limit(plan.candidates, start);
    const Stop early = control.should_stop();
    Boss search(score, trees, control, plan.best);
    std::vector<VarSet> forced(start.size());
    for (Var child = 0; child < forced.size(); ++child)
        for (const Var parent : start[child])
            if (knowledge.requires_link(parent, child)) forced[child] = forced[child].with(parent);
    BossFound best;
    best.stop = early;
    for (std::size_t round = 0; round <= plan.restarts && best.stop == Stop::none; ++round) {
        best.stop = search.climb(random_topological_order(round == 0 ? start : forced, random), best.moves,
                                 best.running);
        if (round > 0 && !(search.score() > best.score + score.tolerance())) continue;
        if (search.score() == kWorst) continue;
        best.parents = search.parents();
        best.score = search.score();
    }
    // Stopped before the first order was legal, or never better than what was given.
    double given = 0.0;
    for (Var child = 0; child < start.size(); ++child) {
        const Family family{child, start[child]};
        double value = 0.0;
        score.local({&family, 1}, {&value, 1}, control);
        given += value;
    }
    if (best.parents.empty() || given > best.score + score.tolerance()) {
        best.parents = std::move(start);
        best.score = given;
    }
    best.evaluations = trees.evaluations();
    if (!plan.backward || best.stop != Stop::none) return best;
    GesPlan backward;
    backward.inserting = false;
    backward.max_parents = plan.max_parents;
    backward.best = plan.best;
    ClassFound deleted = ges(score, knowledge, best.parents, backward, control);
    best.evaluations += deleted.families;
    best.stop = deleted.stop;
    if (deleted.score > best.score + score.tolerance()) {
        for (std::size_t at = 0; at < deleted.trace.size(); ++at)
            best.running.push_back({"deleting", at + 1, best.score += deleted.trace[at].gain});
        best.parents = std::move(deleted.dag);
        best.score = deleted.score;
        best.deletions = deleted.trace.size();
    }
    return best;
}

}  // namespace dagwright
