#include "dagwright/search/arc_moves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dagwright {

namespace {

constexpr double kWorst = -std::numeric_limits<double>::infinity();
// Families per batch: enough for the threads, few enough to stop in time.
constexpr std::size_t kBatch = 16384;
// So many additions into one child are scored at once, by scores that can.
constexpr std::size_t kManyAdditions = 128;

// A change from one impossible family (score minus infinity) to another gains nothing.
double difference(double after, double before) {
    const double gain = after - before;
    return std::isnan(gain) ? kWorst : gain;
}

}  // namespace

ArcMoves::ArcMoves(LocalScore& score, const Knowledge& knowledge, std::vector<VarSet> start,
                   std::size_t max_parents, Control& control)
    : score_(score),
      knowledge_(knowledge),
      control_(control),
      dag_(std::move(start)),
      tolerance_(score.tolerance()),
      allowed_(dag_.size()),
      local_(dag_.size()),
      toggled_(dag_.size() * dag_.size(), kWorst),
      known_(dag_.size()),
      legal_(dag_.size()),
      best_(dag_.size()),
      stale_(dag_.size(), true),
      touched_(dag_.size(), true),
      changed_(dag_.size(), true),
      arcs_(dag_.size()),
      most_(dag_.size(), Most{kWorst, kWorst}) {
    std::vector<Var> everyone;
    for (Var child = 0; child < dag_.size(); ++child) {
        bound_.push_back(std::min(max_parents, knowledge.max_parents(child)));
        for (Var parent = 0; parent < dag_.size(); ++parent)
            if (parent != child && knowledge.allows_arc(parent, child)) allowed_.set(child, parent);
        everyone.push_back(child);
    }
    score_children(everyone);
}

double ArcMoves::score() const {
    double sum = 0.0;
    for (const double value : local_) sum += value;
    return sum;
}

bool ArcMoves::legal(Move move, Var from, Var to) const {
    switch (move) {
        case Move::add:
            return allowed_.get(to, from) && has_room(to) && !dag_.has_arc(from, to) &&
                   dag_.can_add(from, to);
        case Move::remove:
            return dag_.has_arc(from, to) && !knowledge_.requires_link(from, to);
        case Move::reverse:
            break;
    }
    return dag_.has_arc(from, to) && can_leave(from, to) && allowed_.get(from, to) && has_room(from) &&
           dag_.can_reverse(from, to);
}

double ArcMoves::gain(Var parent, Var child) const {
    return difference(toggled_[child * dag_.size() + parent], local_[child]);
}

double ArcMoves::gain(Move move, Var from, Var to) const {
    if (move != Move::reverse) return gain(from, to);
    const double both = gain(from, to) + gain(to, from);
    return std::isnan(both) ? kWorst : both;
}

Step ArcMoves::step(Move move, Var from, Var to) {
    const Step asked{move, from, to, 0.0};
    know({&asked, 1});
    return {move, from, to, gain(move, from, to)};
}

void ArcMoves::know(std::span<const Step> moves) {
    std::vector<Family> families;
    std::vector<Var> parents;
    for (const Step& step : moves) {
        want(step.from, step.to, families, parents);
        if (step.move == Move::reverse) want(step.to, step.from, families, parents);
    }
    score_families(families, parents);
}

bool ArcMoves::know_all() {
    const Var n = static_cast<Var>(dag_.size());
    std::vector<Family> families;
    std::vector<Var> parents;
    bool complete = true;
    const auto send = [&](std::size_t least) {
        if (families.size() < least || families.empty()) return;
        complete = complete && control_.should_stop() == Stop::none;
        if (complete) score_families(families, parents);
        families.clear();
        parents.clear();
    };
    BitRow now(legal_.words_per_row());
    for (Var child = 0; child < n && complete; ++child) {
        if (!stale_[child] && !touched_[child]) continue;
        find_legal_parents(child, now);
        const std::span<Word> before = legal_.row(child);
        bool news = stale_[child];
        for (std::size_t w = 0; w < now.size(); ++w) news = news || (now[w] & ~before[w]) != 0;
        if (best_[child].exists && !has_bit(now, best_[child].parent)) news = true;
        std::copy(now.begin(), now.end(), before.begin());
        if (!news) continue;
        stale_[child] = true;
        want_additions(child, now, families, parents);
        send(kBatch);
        complete = complete && control_.should_stop() == Stop::none;
    }
    const std::vector<Var> unsettled = want_arcs(families, parents);
    send(0);
    if (!complete) return false;
    for (Var child = 0; child < n; ++child) {
        if (!stale_[child]) continue;
        best_[child] = best_addition(child, {});
        stale_[child] = false;
    }
    for (const Var child : unsettled) settle_arcs(child);
    touched_.assign(n, false);
    changed_.assign(n, false);
    paths_lost_ = first_ = false;
    return true;
}

void ArcMoves::want_additions(Var child, std::span<const Word> legal, std::vector<Family>& families,
                              std::vector<Var>& parents) {
    std::vector<Var> added;
    for_each_bit(legal, [&](std::size_t parent) {
        if (!known_.get(child, parent)) added.push_back(static_cast<Var>(parent));
    });
    if (added.size() < kManyAdditions || !score_.adds_at_once()) {
        for (const Var parent : added) want(parent, child, families, parents);
        return;
    }
    std::vector<double> values(added.size());
    score_.additions(child, dag_.parents(child), added, values, control_);
    evaluations_ += added.size();
    for (std::size_t i = 0; i < added.size(); ++i) {
        toggled(added[i], child) = values[i];
        known_.set(child, added[i]);
    }
    if (first_)
        control_.report(
            {.phase = "scoring pairs", .done = child + 1, .total = dag_.size(), .unit = "variables"});
}

std::vector<Var> ArcMoves::want_arcs(std::vector<Family>& families, std::vector<Var>& parents) {
    const Var n = static_cast<Var>(dag_.size());
    std::vector<bool> news = changed_;
    for (Var child = 0; child < n; ++child) {
        if (!changed_[child]) continue;
        arcs_[child].clear();
        for (const Var parent : dag_.parents(child))
            arcs_[child].push_back({parent, kWorst, kWorst, false, false});
        for (const Var other : dag_.children(child)) news[other] = true;
    }
    std::vector<Var> unsettled;
    for (Var child = 0; child < n; ++child) {
        if (!news[child] && !paths_lost_) continue;
        bool settle = news[child];
        for (const Arc& arc : arcs_[child]) {
            if ((!news[child] && arc.turned_known) || !can_leave(arc.parent, child)) continue;
            want(arc.parent, child, families, parents);
            // What turning the arc would add to its other end.
            if (!known_.get(arc.parent, child)) {
                if (!legal(Move::reverse, arc.parent, child)) continue;
                want(child, arc.parent, families, parents);
            }
            settle = true;
        }
        if (settle) unsettled.push_back(child);
    }
    return unsettled;
}

void ArcMoves::settle_arcs(Var child) {
    Most& most = most_[child] = {kWorst, kWorst};
    for (Arc& arc : arcs_[child]) {
        const bool free = can_leave(arc.parent, child);
        arc.can_go = free && !knowledge_.requires_link(arc.parent, child);
        arc.turned_known = free && known_.get(arc.parent, child);
        if (arc.can_go) most.removed = std::max(most.removed, arc.removed = gain(arc.parent, child));
        if (arc.turned_known)
            most.turned = std::max(most.turned, arc.turned = gain(Move::reverse, arc.parent, child));
    }
}

std::optional<Step> ArcMoves::best(const Filter& passes, Random* ties) {
    const Var n = static_cast<Var>(dag_.size());
    double most = kWorst;
    bool any = false;
    const auto consider = [&](double gain) {
        most = std::max(most, gain);
        any = true;
    };
    const auto lets_pass = [&](const Step& step) { return !passes || passes(step); };
    std::vector<Addition> additions = best_;
    for (Var child = 0; child < n; ++child) {
        Addition& best = additions[child];
        if (best.exists && passes && !passes({Move::add, best.parent, child, best.gain}))
            best = best_addition(child, passes);
        if (best.exists) consider(best.gain);
    }
    // visit(step) for the removals or reversals that gain at least so much.
    const auto for_each_gain = [&](Move move, const double& least, auto&& visit) {
        const bool turn = move == Move::reverse;
        for (Var child = 0; child < n; ++child) {
            if (arcs_[child].empty() || (turn ? most_[child].turned : most_[child].removed) < least) continue;
            for (const Arc& arc : arcs_[child]) {
                const Step step{move, arc.parent, child, turn ? arc.turned : arc.removed};
                if (!(turn ? arc.turned_known : arc.can_go) || step.gain < least) continue;
                if (legal(move, arc.parent, child) && lets_pass(step)) visit(step);
            }
        }
    };
    for (const Move move : {Move::remove, Move::reverse})
        for_each_gain(move, most, [&](const Step& step) { consider(step.gain); });
    if (!any) return std::nullopt;

    const double least = most - tolerance_;
    std::vector<Step> tied;
    const auto enough = [&] { return ties == nullptr && !tied.empty(); };
    for (Var child = 0; child < n && !enough(); ++child) {
        if (!additions[child].exists || additions[child].gain < least) continue;
        for_each_bit(legal_.row(child), [&](std::size_t bit) {
            const Var parent = static_cast<Var>(bit);
            if (enough() || gain(parent, child) < least) return;
            const Step step{Move::add, parent, child, gain(parent, child)};
            if (lets_pass(step)) tied.push_back(step);
        });
    }
    for (const Move move : {Move::remove, Move::reverse})
        if (!enough()) for_each_gain(move, least, [&](const Step& step) { tied.push_back(step); });
    return ties == nullptr ? tied.front() : tied[ties->below(tied.size())];
}

void ArcMoves::apply(const Step& step) {
    local_[step.to] = toggled(step.from, step.to);
    forget(step.to);
    switch (step.move) {
        case Move::add:
            dag_.add(step.from, step.to, &touched_);
            break;
        case Move::remove:
            dag_.remove(step.from, step.to, &touched_);
            break;
        case Move::reverse:
            local_[step.from] = toggled(step.to, step.from);
            forget(step.from);
            dag_.reverse(step.from, step.to, &touched_);
            break;
    }
    paths_lost_ = paths_lost_ || step.move != Move::add;
}

void ArcMoves::become(std::vector<VarSet> parents) {
    std::vector<Var> changed;
    for (Var child = 0; child < dag_.size(); ++child)
        if (!(parents[child] == dag_.parents(child))) changed.push_back(child);
    dag_ = DagState(std::move(parents));
    for (const Var child : changed) forget(child);
    touched_.assign(dag_.size(), true);
    paths_lost_ = true;
    score_children(changed);
}

void ArcMoves::forget(Var child) {
    const std::span<Word> row = known_.row(child);
    std::fill(row.begin(), row.end(), Word{0});
    stale_[child] = true;
    changed_[child] = true;
}

// Allowed, no parent yet, and no descendant; none when the child has no room.
void ArcMoves::find_legal_parents(Var child, std::span<Word> legal) const {
    if (!has_room(child)) {
        std::fill(legal.begin(), legal.end(), Word{0});
        return;
    }
    const std::span<const Word> allowed = allowed_.row(child), below = dag_.descendants(child);
    for (std::size_t w = 0; w < legal.size(); ++w) legal[w] = allowed[w] & ~below[w];
    for (const Var parent : dag_.parents(child)) clear_bit(legal, parent);
}

ArcMoves::Addition ArcMoves::best_addition(Var child, const Filter& passes) const {
    Addition best;
    for_each_bit(legal_.row(child), [&](std::size_t bit) {
        const Var parent = static_cast<Var>(bit);
        const double gained = gain(parent, child);
        if (best.exists && gained <= best.gain) return;
        if (passes && !passes({Move::add, parent, child, gained})) return;
        best = {parent, gained, true};
    });
    return best;
}

void ArcMoves::want(Var parent, Var child, std::vector<Family>& families, std::vector<Var>& parents) const {
    if (known_.get(child, parent)) return;
    const VarSet& now = dag_.parents(child);
    families.push_back({child, dag_.has_arc(parent, child) ? now.without(parent) : now.with(parent)});
    parents.push_back(parent);
}

void ArcMoves::score_families(std::span<const Family> families, std::span<const Var> parents) {
    if (families.empty()) return;
    std::vector<double> values(families.size());
    score_.local(families, values, control_);
    evaluations_ += families.size();
    for (std::size_t i = 0; i < families.size(); ++i) {
        toggled(parents[i], families[i].child) = values[i];
        known_.set(families[i].child, parents[i]);
    }
}

void ArcMoves::score_children(std::span<const Var> children) {
    std::vector<Family> families;
    for (const Var child : children) families.push_back({child, dag_.parents(child)});
    std::vector<double> values(families.size());
    if (!families.empty()) score_.local(families, values, control_);
    evaluations_ += families.size();
    for (std::size_t i = 0; i < families.size(); ++i) local_[children[i]] = values[i];
}

}  // namespace dagwright
