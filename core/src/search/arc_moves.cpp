#include "dagwright/search/arc_moves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dagwright {

namespace {

constexpr double kWorst = -std::numeric_limits<double>::infinity();
// Families per batch: enough for the threads, few enough to stop in time.
constexpr std::size_t kBatch = 16384;

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
      stale_(dag_.size(), true) {
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
    for (Var child = 0; child < n; ++child) {
        find_legal_parents(child, now);
        const std::span<Word> before = legal_.row(child);
        bool news = stale_[child];
        for (std::size_t w = 0; w < now.size(); ++w) news = news || (now[w] & ~before[w]) != 0;
        if (best_[child].exists && !has_bit(now, best_[child].parent)) news = true;
        std::copy(now.begin(), now.end(), before.begin());
        if (!news) continue;
        stale_[child] = true;
        for_each_bit(now,
                     [&](std::size_t parent) { want(static_cast<Var>(parent), child, families, parents); });
        send(kBatch);
    }
    for (Var child = 0; child < n; ++child)
        for (const Var parent : dag_.parents(child)) {
            if (!can_leave(parent, child)) continue;
            want(parent, child, families, parents);
            // What turning the arc would add to its other end.
            if (legal(Move::reverse, parent, child)) want(child, parent, families, parents);
        }
    send(0);
    if (!complete) return false;
    for (Var child = 0; child < n; ++child) {
        if (!stale_[child]) continue;
        best_[child] = best_addition(child, {});
        stale_[child] = false;
    }
    return true;
}

std::optional<Step> ArcMoves::best(const Filter& passes, Random* ties) {
    const Var n = static_cast<Var>(dag_.size());
    double most = kWorst;
    bool any = false;
    const auto consider = [&](double gain) {
        most = std::max(most, gain);
        any = true;
    };
    std::vector<Addition> additions = best_;
    for (Var child = 0; child < n; ++child) {
        Addition& best = additions[child];
        if (best.exists && passes && !passes({Move::add, best.parent, child, best.gain}))
            best = best_addition(child, passes);
        if (best.exists) consider(best.gain);
    }
    std::vector<Step> others;
    for (const Move move : {Move::remove, Move::reverse})
        for (Var child = 0; child < n; ++child)
            for (const Var parent : dag_.parents(child)) {
                if (!legal(move, parent, child)) continue;
                const Step step{move, parent, child, gain(move, parent, child)};
                if (passes && !passes(step)) continue;
                others.push_back(step);
                consider(step.gain);
            }
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
            if (!passes || passes(step)) tied.push_back(step);
        });
    }
    if (!enough())
        std::copy_if(others.begin(), others.end(), std::back_inserter(tied),
                     [&](const Step& step) { return step.gain >= least; });
    return ties == nullptr ? tied.front() : tied[ties->below(tied.size())];
}

void ArcMoves::apply(const Step& step) {
    local_[step.to] = toggled(step.from, step.to);
    forget(step.to);
    switch (step.move) {
        case Move::add:
            dag_.add(step.from, step.to);
            break;
        case Move::remove:
            dag_.remove(step.from, step.to);
            break;
        case Move::reverse:
            local_[step.from] = toggled(step.to, step.from);
            forget(step.from);
            dag_.reverse(step.from, step.to);
            break;
    }
}

void ArcMoves::become(std::vector<VarSet> parents) {
    std::vector<Var> changed;
    for (Var child = 0; child < dag_.size(); ++child)
        if (!(parents[child] == dag_.parents(child))) changed.push_back(child);
    dag_ = DagState(std::move(parents));
    for (const Var child : changed) forget(child);
    score_children(changed);
}

void ArcMoves::forget(Var child) {
    const std::span<Word> row = known_.row(child);
    std::fill(row.begin(), row.end(), Word{0});
    stale_[child] = true;
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
