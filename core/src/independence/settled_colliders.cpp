#include "dagwright/independence/settled_colliders.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>

#include "dagwright/base/errors.hpp"
#include "dagwright/graph/equivalence.hpp"

namespace dagwright {

namespace {

using Triples = std::vector<UnshieldedTriple>;

Triples sorted(std::span<const UnshieldedTriple> triples) {
    Triples result(triples.begin(), triples.end());
    std::ranges::sort(result);
    return result;
}

Triples without(const Triples& triples, const Triples& others) {
    Triples result;
    std::ranges::set_difference(triples, others, std::back_inserter(result));
    return result;
}

double or_zero(double value) { return std::isnan(value) ? 0.0 : value; }

// NaN and 0 stand for nothing to say.
double clearness(const Answer& answer) {
    if (!std::isnan(answer.log_p)) return -answer.log_p;
    return or_zero(answer.effect) != 0.0 ? answer.effect : or_zero(answer.gain);
}

// Whether arcs lead from a node to one of two others.
class Reach {
  public:
    explicit Reach(std::size_t n) : seen_(words_for(n)) {}

    bool operator()(const BitMatrix& children, Node start, std::span<const Node> goals) {
        std::ranges::fill(seen_, Word{0});
        set_bit(seen_, start);
        front_.assign(1, start);
        while (!front_.empty()) {
            const std::span<const Word> row = children.row(front_.back());
            front_.pop_back();
            for (std::size_t w = 0; w < row.size(); ++w) {
                const Word fresh = row[w] & ~seen_[w];
                seen_[w] |= fresh;
                for_each_bit_of_word(w, fresh,
                                     [&](std::size_t v) { front_.push_back(static_cast<Node>(v)); });
            }
            if (std::ranges::any_of(goals, [&](Node goal) { return has_bit(seen_, goal); })) return true;
        }
        return false;
    }

  private:
    BitRow seen_;
    std::vector<Node> front_;
};

}  // namespace

std::vector<ColliderConflict> collider_conflicts(std::span<const UnshieldedTriple> colliders) {
    std::map<VarPair, Triples> wanted;  // (tail, head): the colliders that have this arc
    for (const UnshieldedTriple& triple : colliders) {
        const auto [a, c, b] = triple;
        wanted[{a, c}].push_back(triple);
        wanted[{b, c}].push_back(triple);
    }
    std::vector<ColliderConflict> found;
    for (const auto& [arc, forward] : wanted) {
        if (arc.first > arc.second) continue;
        const auto backward = wanted.find({arc.second, arc.first});
        if (backward != wanted.end()) found.push_back({arc, forward, backward->second});
    }
    return found;
}

std::vector<Answer> TestedStrengths::answers(std::span<const Question> questions) {
    std::vector<Answer> found(questions.size());
    if (stopped_) return found;
    test_.answer(questions, Detail::facts, found, control_);
    stopped_ = control_.should_stop() == Stop::cancelled;
    return stopped_ ? std::vector<Answer>(questions.size()) : found;
}

void TestedStrengths::count(std::size_t size) {
    if (stopped_) return;
    asked_.resize(std::max(asked_.size(), size + 1));
    ++asked_[size];
}

std::vector<double> TestedStrengths::of_triples(std::span<const UnshieldedTriple> triples) {
    std::vector<Question> questions;
    questions.reserve(triples.size());
    for (const auto& [a, c, b] : triples) {
        const VarSet& given = pairs_.given(a, b);
        questions.push_back({VarSet::of({a}), VarSet::of({b}), given.with(c)});
        count(given.size() + 1);
    }
    std::vector<double> result;
    for (const Answer& answer : answers(questions)) result.push_back(clearness(answer));
    return result;
}

std::vector<double> TestedStrengths::of_pairs(std::span<const VarPair> pairs) {
    std::vector<Question> questions;
    for (const auto& [x, y] : pairs) {
        questions.push_back({VarSet::of({x}), VarSet::of({y}), {}});
        count(0);
    }
    std::vector<double> result;
    for (const Answer& answer : answers(questions)) result.push_back(or_zero(answer.effect));
    return result;
}

RankedColliders ranked_colliders(std::span<const UnshieldedTriple> colliders, ConflictPolicy policy,
                                 ColliderStrengths& strengths) {
    RankedColliders found{collider_conflicts(colliders), {}, {}, {}};
    if (found.conflicts.empty() || policy == ConflictPolicy::first || policy == ConflictPolicy::error) {
        found.ordered.assign(colliders.begin(), colliders.end());
        return found;
    }
    Triples disputed;
    for (const ColliderConflict& conflict : found.conflicts)
        for (const Triples* side : {&conflict.forward, &conflict.backward})
            disputed.insert(disputed.end(), side->begin(), side->end());
    std::ranges::sort(disputed);
    disputed.erase(std::unique(disputed.begin(), disputed.end()), disputed.end());
    for (const UnshieldedTriple& triple : colliders)
        if (!std::ranges::binary_search(disputed, triple)) found.ordered.push_back(triple);
    if (policy != ConflictPolicy::strongest) return found;
    found.strengths = strengths.of_triples(disputed);
    if (found.strengths.size() != disputed.size()) throw Error("a strength is needed for each collider");
    std::vector<std::size_t> order(disputed.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t i, std::size_t j) {
        return or_zero(found.strengths[i]) > or_zero(found.strengths[j]);
    });
    for (const std::size_t i : order) found.ordered.push_back(disputed[i]);
    found.disputed = std::move(disputed);
    return found;
}

AcceptedColliders accepted_colliders(std::span<const UnshieldedTriple> ordered, const BitMatrix& linked,
                                     const Knowledge& knowledge) {
    const std::size_t n = linked.size();
    BitMatrix arcs(n);
    if (!knowledge.empty()) {
        for (Node a = 0; a < n; ++a)
            linked.for_each_in_row(a, [&](std::size_t v) {
                const Node b = static_cast<Node>(v);
                if (knowledge.allows_arc(a, b) && !knowledge.allows_arc(b, a)) arcs.set(a, b);
            });
    }
    AcceptedColliders found;
    Reach reaches(n);
    for (const UnshieldedTriple& triple : ordered) {
        const auto [a, c, b] = triple;
        std::array<Node, 2> tails{};
        std::size_t count = 0;
        for (const Node tail : {a, b})
            if (!arcs.get(tail, c)) tails[count++] = tail;
        const std::span<const Node> fresh(tails.data(), count);
        const auto refused = [&, head = c](Node tail) {
            return !knowledge.allows_arc(tail, head) || arcs.get(head, tail);
        };
        if (!fresh.empty()) {
            if (std::ranges::any_of(fresh, refused) || reaches(arcs, c, fresh)) continue;
            for (const Node tail : fresh) arcs.set(tail, c);
        }
        found.kept.push_back(triple);
    }
    for (Node a = 0; a < n; ++a)
        arcs.for_each_in_row(a, [&](std::size_t b) { found.arcs.push_back({a, static_cast<Node>(b)}); });
    return found;
}

OverruledTriples overruled_triples(const MixedGraph& dag, const BitMatrix& linked,
                                   std::span<const UnshieldedTriple> colliders,
                                   std::span<const UnshieldedTriple> open) {
    const Triples made = v_structures(dag), wanted = sorted(colliders);
    OverruledTriples found;
    found.lost = without(wanted, made);
    found.gained = without(without(made, wanted), sorted(open));
    std::erase_if(found.gained, [&](const UnshieldedTriple& triple) {
        const auto [a, c, b] = triple;
        return !linked.get(a, c) || !linked.get(b, c) || linked.get(a, b);
    });
    for (const UnshieldedTriple& triple : open)
        found.open_made.push_back(std::ranges::binary_search(made, triple));
    return found;
}

SettledColliders settle_colliders(const BitMatrix& linked, std::span<const UnshieldedTriple> colliders,
                                  std::span<const UnshieldedTriple> open, const Knowledge& knowledge,
                                  ConflictPolicy policy, ColliderStrengths& strengths) {
    SettledColliders found;
    found.ranked = ranked_colliders(colliders, policy, strengths);
    if (policy == ConflictPolicy::error && !found.ranked.conflicts.empty()) return found;
    const AcceptedColliders accepted = accepted_colliders(found.ranked.ordered, linked, knowledge);
    found.settled = consistent_dag(linked, accepted.arcs, knowledge,
                                   [&](std::span<const VarPair> pairs) { return strengths.of_pairs(pairs); });
    found.overruled = overruled_triples(found.settled.dag, linked, colliders, open);
    return found;
}

}  // namespace dagwright
