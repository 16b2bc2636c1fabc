#include "dagwright/search/mdl_search.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <queue>

#include "dagwright/graph/dag_state.hpp"
#include "dagwright/search/chow_liu_weights.hpp"
#include "mdl_search_frontier.hpp"

namespace dagwright {

namespace {

struct Pair {
    Var a, b;
    double gain;
};

struct Network {
    std::vector<std::pair<std::uint16_t, std::uint16_t>> arcs;  // (from, to)
    double weight;
};

// A network and the pair that is to be joined next.
struct Element {
    double promise;  // weight of the network + what the pair alone would add
    std::uint64_t number;
    std::size_t pair;
    std::shared_ptr<const Network> network;

    friend bool operator<(const Element& one, const Element& other) {
        if (one.promise != other.promise) return one.promise < other.promise;
        return one.number > other.number;  // of equals the older comes first
    }
};

class Search {
  public:
    Search(LocalScore& weight, LocalScore& score, const Knowledge& knowledge, std::vector<VarSet> base,
           const ArcCountPlan& plan, Control& control)
        : knowledge_(knowledge),
          plan_(plan),
          control_(control),
          n_(base.size()),
          weight_(weight, control),
          score_(score, control),
          frontier_(base, score.tolerance(), plan),
          base_(std::move(base)) {
        const std::vector<double> gains = edge_gains(weight, {}, control);
        if (gains.empty()) return;
        for (Var a = 0; a < n_; ++a)
            for (Var b = a + 1; b < n_; ++b)
                if (!base_[a].contains(b) && !base_[b].contains(a) &&
                    (knowledge.allows_arc(a, b) || knowledge.allows_arc(b, a)))
                    pairs_.push_back({a, b, gains[a * n_ + b]});
        std::stable_sort(pairs_.begin(), pairs_.end(),
                         [](const Pair& one, const Pair& other) { return one.gain > other.gain; });
    }

    ArcCountFound run() {
        Stop stop = control_.should_stop();
        std::size_t expanded = 0;
        if (stop == Stop::none) offer(keep(base_, weight_.total(base_)), DagState(base_), 0);
        while (stop == Stop::none) {
            // Round robin: one expansion in each set that has something to expand and budget left.
            std::vector<Expansion> round;
            spent_.resize(open_.size(), 0);
            for (std::size_t set = 0; set < open_.size(); ++set) {
                if (open_[set].empty() || spent_[set] >= plan_.expansions) continue;
                round.push_back({open_[set].top(), unpacked(*open_[set].top().network), {}});
                open_[set].pop();
                // What is left beyond the budget is never looked at.
                if (++spent_[set] == plan_.expansions) open_[set] = {};
            }
            if (round.empty()) break;
            expand(round);
            expanded += round.size();
            stop = control_.should_stop();
            control_.report({.phase = "best-first by number of arcs",
                             .done = expanded,
                             .unit = "expansions",
                             .best = frontier_.best()});
            frontier_.show(plan_.best);
        }
        ArcCountFound found = frontier_.take();
        if (!found.chosen) found.score = score_.total(found.parents);
        found.evaluations = score_.evaluations() + weight_.evaluations() + n_ * n_;
        found.expansions = expanded;
        found.stop = stop;
        return found;
    }

  private:
    // Lists a network among the candidates for the answer.
    std::shared_ptr<const Network> keep(const std::vector<VarSet>& parents, double weight) {
        frontier_.see(parents, weight, score_.total(parents));
        auto network = std::make_shared<Network>();
        for (Var child = 0; child < n_; ++child)
            for (const Var parent : parents[child])
                network->arcs.emplace_back(static_cast<std::uint16_t>(parent),
                                           static_cast<std::uint16_t>(child));
        network->weight = weight;
        return network;
    }

    DagState unpacked(const Network& network) const {
        std::vector<VarSet> parents(n_);
        for (const auto& [from, to] : network.arcs) parents[to] = parents[to].with(from);
        return DagState(std::move(parents));
    }

    bool has_room(const DagState& dag, Var child) const {
        return dag.parents(child).size() < std::min(plan_.max_parents, knowledge_.max_parents(child));
    }
    bool can_add(const DagState& dag, Var from, Var to) const {
        return knowledge_.allows_arc(from, to) && has_room(dag, to) && dag.can_add(from, to);
    }

    // The network with its first pair, not before `pair`, that can take an arc.
    void offer(const std::shared_ptr<const Network>& network, const DagState& dag, std::size_t pair) {
        const std::size_t arcs = network->arcs.size();
        if (arcs >= plan_.max_arcs) return;
        const std::size_t set = plan_.one_set ? 0 : arcs;
        if (set < spent_.size() && spent_[set] >= plan_.expansions) return;
        if (set >= open_.size()) open_.resize(set + 1);
        while (pair < pairs_.size()) {
            const Pair& next = pairs_[pair];
            // Pairs are taken in turn, so a later pair is never adjacent yet.
            if (can_add(dag, next.a, next.b) || can_add(dag, next.b, next.a)) {
                open_[set].push({network->weight + next.gain, ++offered_, pair, network});
                return;
            }
            ++pair;
        }
    }

    // A network with its next pair joined in one direction.
    struct Trial {
        Var from, to;
        DagState dag;
    };
    struct Expansion {
        Element element;
        DagState before;
        std::vector<Trial> trials;
    };

    // The expansions of one round. What they ask for first and last is asked for together.
    void expand(std::vector<Expansion>& round) {
        std::vector<Family> families;
        for (Expansion& one : round) {
            const Pair& pair = pairs_[one.element.pair];
            for (const auto& [from, to] : {std::pair{pair.a, pair.b}, std::pair{pair.b, pair.a}}) {
                if (!can_add(one.before, from, to)) continue;
                DagState dag = one.before;
                dag.add(from, to);
                for (const Turn& turn : turns_at(dag, to, from, to))
                    families.insert(families.end(), turn.families.begin(), turn.families.end());
                one.trials.push_back({from, to, std::move(dag)});
            }
        }
        weight_.need(std::move(families));
        families = {};
        for (Expansion& one : round)
            for (Trial& trial : one.trials) {
                settle(trial.dag, trial.from, trial.to);
                for (Var v = 0; v < n_; ++v)
                    if (!(trial.dag.parents(v) == one.before.parents(v)))
                        families.push_back({v, trial.dag.parents(v)});
            }
        score_.need(families);
        weight_.need(std::move(families));
        for (Expansion& one : round) {
            const Trial* best = nullptr;
            double heaviest = 0.0;
            for (const Trial& trial : one.trials) {
                const double weight = weight_.total(trial.dag.families());
                if (best == nullptr || weight > heaviest + weight_.tolerance()) {
                    best = &trial;
                    heaviest = weight;
                }
            }
            if (best != nullptr) offer(keep(best->dag.families(), heaviest), best->dag, one.element.pair + 1);
            offer(one.element.network, one.before, one.element.pair + 1);
        }
    }

    // The PD-procedure: turn the arcs at the head of the new arc where that makes the network heavier; the
    // other ends of turned arcs are then treated in the same way. Every turn adds weight, so it ends.
    void settle(DagState& dag, Var from, Var to) {
        std::vector<Var> waiting{to};
        while (!waiting.empty()) {
            const Var node = waiting.back();
            waiting.pop_back();
            for (Var other = turn_at(dag, node, from, to); other < n_; other = turn_at(dag, node, from, to))
                if (std::find(waiting.begin(), waiting.end(), other) == waiting.end())
                    waiting.push_back(other);
        }
    }

    // An arc that may be turned, and the families whose weights decide: tail before and after, head before
    // and after.
    struct Turn {
        Var from, to;
        std::array<Family, 4> families;
    };

    std::vector<Turn> turns_at(const DagState& dag, Var node, Var new_from, Var new_to) const {
        std::vector<Turn> turns;
        const auto consider = [&](Var from, Var to) {
            if ((from == new_from && to == new_to) || knowledge_.requires_arc(from, to) ||
                !knowledge_.allows_arc(to, from) || !has_room(dag, from) || !dag.can_reverse(from, to))
                return;
            turns.push_back({from,
                             to,
                             {{{from, dag.parents(from)},
                               {from, dag.parents(from).with(to)},
                               {to, dag.parents(to)},
                               {to, dag.parents(to).without(from)}}}});
        };
        for (const Var parent : dag.parents(node)) consider(parent, node);
        for (Var child = 0; child < n_; ++child)
            if (dag.has_arc(node, child)) consider(node, child);
        return turns;
    }

    // Turns the arc at `node` that gains most, and returns its other end; n_ if none gains.
    Var turn_at(DagState& dag, Var node, Var new_from, Var new_to) {
        const std::vector<Turn> turns = turns_at(dag, node, new_from, new_to);
        std::vector<Family> families;
        for (const Turn& turn : turns)
            families.insert(families.end(), turn.families.begin(), turn.families.end());
        weight_.need(std::move(families));
        double most = weight_.tolerance();
        const Turn* chosen = nullptr;
        for (const Turn& turn : turns) {
            const auto value = [&](std::size_t k) {
                return weight_.at(turn.families[k].child, turn.families[k].parents);
            };
            const double gain = (value(1) - value(0)) + (value(3) - value(2));
            if (gain > most) {
                most = gain;
                chosen = &turn;
            }
        }
        if (chosen == nullptr) return static_cast<Var>(n_);
        dag.reverse(chosen->from, chosen->to);
        return chosen->from == node ? chosen->to : chosen->from;
    }

    const Knowledge& knowledge_;
    const ArcCountPlan& plan_;
    Control& control_;
    std::size_t n_;
    FamilyScores weight_, score_;
    Frontier frontier_;
    std::vector<VarSet> base_;
    std::vector<Pair> pairs_;
    std::vector<std::priority_queue<Element>> open_;
    std::vector<std::size_t> spent_;  // expansions made in each set
    std::uint64_t offered_ = 0;
};

}  // namespace

bool joined(const std::vector<VarSet>& parents) {
    const std::size_t n = parents.size();
    std::vector<Var> leader(n);
    for (Var v = 0; v < n; ++v) leader[v] = v;
    const auto find = [&](Var v) {
        while (leader[v] != v) v = leader[v] = leader[leader[v]];
        return v;
    };
    std::size_t pieces = n;
    for (Var child = 0; child < n; ++child)
        for (const Var parent : parents[child]) {
            const Var one = find(child), other = find(parent);
            if (one == other) continue;
            leader[one] = other;
            --pieces;
        }
    return pieces <= 1;
}

ArcCountFound arc_count_search(LocalScore& weight, LocalScore& score, const Knowledge& knowledge,
                               std::vector<VarSet> base, const ArcCountPlan& plan, Control& control) {
    return Search(weight, score, knowledge, std::move(base), plan, control).run();
}

}  // namespace dagwright
