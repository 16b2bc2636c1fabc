#include "dagwright/hill_climb.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dagwright/dag_state.hpp"

namespace dagwright {

namespace {

constexpr double kWorst = -std::numeric_limits<double>::infinity();

// A change from one impossible family (score minus infinity) to another gains nothing.
double difference(double after, double before) {
    const double gain = after - before;
    return std::isnan(gain) ? kWorst : gain;
}

class Climber {
  public:
    Climber(LocalScore& score, const Knowledge& knowledge, std::vector<VarSet> start, std::size_t max_parents,
            Control& control)
        : score_(score),
          knowledge_(knowledge),
          control_(control),
          n_(start.size()),
          dag_(std::move(start)),
          tolerance_(score.tolerance()),
          local_(n_),
          addition_(n_ * n_, kWorst),
          removal_(n_ * n_, kWorst),
          unknown_(n_),
          allowed_(n_),
          best_(n_) {
        for (Var child = 0; child < n_; ++child) {
            bound_.push_back(std::min(max_parents, knowledge.max_parents(child)));
            for (Var parent = 0; parent < n_; ++parent)
                if (parent != child && knowledge.allows_arc(parent, child)) allowed_.set(child, parent);
        }
    }

    Climb run(std::size_t max_steps) {
        std::vector<Var> changed(n_);
        for (Var v = 0; v < n_; ++v) changed[v] = v;
        score_families(changed);
        Climb climb;
        for (const double value : local_) climb.score += value;
        while (climb.trace.size() < max_steps) {
            climb.stop = control_.should_stop();
            if (climb.stop != Stop::none) break;
            find_gains(changed);
            const Step step = best_step();
            if (!(step.gain > tolerance_)) break;
            changed = apply(step);
            climb.score += step.gain;
            climb.trace.push_back(step);
            control_.report("hill climbing", climb.trace.size(), climb.score);
        }
        climb.parents = dag_.families();
        climb.score = 0.0;
        for (const double value : local_) climb.score += value;
        climb.evaluations = evaluations_;
        return climb;
    }

  private:
    // The delta cache: only the gains into changed children are unknown, plus those that became legal.
    double& addition(Var parent, Var child) { return addition_[child * n_ + parent]; }
    double& removal(Var parent, Var child) { return removal_[child * n_ + parent]; }

    bool has_room(Var child) const { return dag_.parents(child).size() < bound_[child]; }

    void score_families(std::span<const Var> children) {
        std::vector<Family> families;
        for (const Var child : children) families.push_back({child, dag_.parents(child)});
        std::vector<double> values(families.size());
        score_.local(families, values, control_);
        evaluations_ += families.size();
        for (std::size_t i = 0; i < families.size(); ++i) local_[children[i]] = values[i];
    }

    // Candidate parents of `child` that close no cycle and are not parents already, as a bit row.
    std::vector<Word> legal_parents(Var child) const {
        const std::span<const Word> allowed = allowed_.row(child), below = dag_.descendants(child);
        std::vector<Word> legal(allowed.begin(), allowed.end());
        for (std::size_t w = 0; w < legal.size(); ++w) legal[w] &= ~below[w];
        for (const Var parent : dag_.parents(child))
            legal[parent / word_bits] &= ~(Word{1} << (parent % word_bits));
        return legal;
    }

    // Scores every family that a legal move now needs and that is not known, in one batch.
    void find_gains(std::span<const Var> changed) {
        for (const Var child : changed)
            for (Var parent = 0; parent < n_; ++parent) unknown_.set(child, parent);
        std::vector<Family> families;
        for (Var child = 0; child < n_; ++child) {
            if (!has_room(child)) continue;
            const std::vector<Word> legal = legal_parents(child);
            for (std::size_t w = 0; w < legal.size(); ++w)
                for (Word rest = legal[w] & unknown_.row(child)[w]; rest != 0; rest &= rest - 1)
                    families.push_back({child, with(child, w * word_bits + static_cast<std::size_t>(
                                                                               std::countr_zero(rest)))});
        }
        const std::size_t additions = families.size();
        for (Var child = 0; child < n_; ++child)
            for (const Var parent : dag_.parents(child)) {
                if (!removable(parent, child)) continue;
                if (unknown_.get(child, parent))
                    families.push_back({child, dag_.parents(child).without(parent)});
                // What turning parent -> child would add to the other end.
                if (reversible(parent, child) && unknown_.get(parent, child))
                    families.push_back({parent, with(parent, child)});
            }
        std::vector<double> values(families.size());
        if (!families.empty()) score_.local(families, values, control_);
        evaluations_ += families.size();
        for (std::size_t i = 0; i < families.size(); ++i) {
            const Var child = families[i].child;
            const double gain = difference(values[i], local_[child]);
            if (i >= additions && families[i].parents.size() < dag_.parents(child).size()) {
                const Var parent = only_in(dag_.parents(child), families[i].parents);
                removal(parent, child) = gain;
                unknown_.clear(child, parent);
            } else {
                const Var parent = only_in(families[i].parents, dag_.parents(child));
                addition(parent, child) = gain;
                unknown_.clear(child, parent);
            }
        }
        for (Var child = 0; child < n_; ++child) find_best_addition(child);
    }

    VarSet with(Var child, std::size_t parent) const {
        return dag_.parents(child).with(static_cast<Var>(parent));
    }

    static Var only_in(const VarSet& larger, const VarSet& smaller) {
        for (const Var v : larger)
            if (!smaller.contains(v)) return v;
        return kMaxVariables;
    }

    bool removable(Var parent, Var child) const { return !knowledge_.requires_arc(parent, child); }
    bool reversible(Var parent, Var child) const {
        return allowed_.get(parent, child) && has_room(parent) && dag_.can_reverse(parent, child);
    }

    void find_best_addition(Var child) {
        Step& best = best_[child];
        best = {Move::add, 0, child, kWorst};
        if (!has_room(child)) return;
        const std::vector<Word> legal = legal_parents(child);
        for_each_bit(legal, [&](std::size_t parent) {
            const double gain = addition_[child * n_ + parent];
            if (gain > best.gain + tolerance_ || best.gain == kWorst)
                best = {Move::add, static_cast<Var>(parent), child, gain};
        });
    }

    Step best_step() {
        Step best{Move::add, 0, 0, kWorst};
        const auto consider = [&](const Step& step) {
            if (step.gain > best.gain + tolerance_ || best.gain == kWorst) best = step;
        };
        for (const Step& step : best_) consider(step);
        for (Var child = 0; child < n_; ++child)
            for (const Var parent : dag_.parents(child))
                if (removable(parent, child) && !knowledge_.requires_link(parent, child))
                    consider({Move::remove, parent, child, removal(parent, child)});
        for (Var child = 0; child < n_; ++child)
            for (const Var parent : dag_.parents(child))
                if (removable(parent, child) && reversible(parent, child))
                    consider(
                        {Move::reverse, parent, child, removal(parent, child) + addition(child, parent)});
        return best;
    }

    std::vector<Var> apply(const Step& step) {
        std::vector<Var> changed{step.to};
        switch (step.move) {
            case Move::add:
                dag_.add(step.from, step.to);
                break;
            case Move::remove:
                dag_.remove(step.from, step.to);
                break;
            case Move::reverse:
                dag_.reverse(step.from, step.to);
                changed.push_back(step.from);
                break;
        }
        score_families(changed);
        return changed;
    }

    LocalScore& score_;
    const Knowledge& knowledge_;
    Control& control_;
    std::size_t n_;
    DagState dag_;
    double tolerance_;
    std::vector<double> local_;
    std::vector<double> addition_, removal_;  // gains, child-major
    BitMatrix unknown_;                       // row: child; gains still to be scored
    BitMatrix allowed_;                       // row: child; arcs that knowledge allows
    std::vector<std::size_t> bound_;
    std::vector<Step> best_;  // the best addition into each child
    std::uint64_t evaluations_ = 0;
};

}  // namespace

Climb hill_climb(LocalScore& score, const Knowledge& knowledge, std::vector<VarSet> start,
                 std::size_t max_parents, std::size_t max_steps, Control& control) {
    return Climber(score, knowledge, std::move(start), max_parents, control).run(max_steps);
}

}  // namespace dagwright
