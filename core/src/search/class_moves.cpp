#include "dagwright/search/class_moves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "dagwright/base/errors.hpp"

namespace dagwright {

namespace {

// A pair of nodes inside a clique of 20 neighbors has a million moves; beyond that no list is useful.
constexpr std::size_t kMostMoves = std::size_t{1} << 20;
// Moves per batch: enough for the threads, few enough to stop in time.
constexpr std::size_t kBatch = 8192;

BitRow meet(std::span<const Word> a, std::span<const Word> b) {
    BitRow both(a.begin(), a.end());
    for (std::size_t w = 0; w < both.size(); ++w) both[w] &= b[w];
    return both;
}

BitRow bits_of(const VarSet& set, std::size_t words) {
    BitRow bits(words, 0);
    for (const Var v : set) set_bit(bits, v);
    return bits;
}

VarSet set_of(std::span<const Word> bits) {
    std::vector<Var> members;
    for_each_bit(bits, [&](std::size_t v) { members.push_back(static_cast<Var>(v)); });
    return VarSet::of(members);
}

VarSet intersection(const VarSet& set, std::span<const Word> bits) {
    std::vector<Var> members;
    for (const Var v : set)
        if (has_bit(bits, v)) members.push_back(v);
    return VarSet::of(members);
}

bool is_clique(const EssentialState& state, const VarSet& set) {
    for (const Var a : set)
        for (const Var b : set)
            if (a < b && !state.adjacent(a, b)) return false;
    return true;
}

bool before(const ClassMove& a, const ClassMove& b) {
    if (a.y != b.y) return a.y < b.y;
    if (a.x != b.x) return a.x < b.x;
    return a.clique < b.clique;
}

}  // namespace

ClassMoves::ClassMoves(LocalScore& score, const Knowledge& knowledge, const std::vector<VarSet>& start,
                       std::span<const VarSet> targets, std::size_t max_parents, Control& control)
    : score_(score),
      knowledge_(knowledge),
      nothing_(start.size()),
      targets_(targets),
      control_(control),
      state_(start, targets),
      max_parents_(max_parents) {
    for (Known& known : known_) {
        known.gaining.resize(state_.size());
        known.unknown = BitMatrix(state_.size());
    }
    forget();
}

void ClassMoves::forget() {
    for (Known& known : known_) forget(known);
}

void ClassMoves::forget(Known& known) const {
    for (Var y = 0; y < state_.size(); ++y) {
        known.gaining[y].clear();
        for (Var x = 0; x < state_.size(); ++x) known.unknown.set(y, x);
    }
}

void ClassMoves::bar(Var x, Var y) {
    Known& insertions = known_[static_cast<std::size_t>(ClassMoveKind::insert)];
    for (const auto& [a, b] : {barred_, std::pair{x, y}}) {
        insertions.unknown.set(a, b);
        insertions.unknown.set(b, a);
    }
    barred_ = {x, y};
}

std::size_t ClassMoves::room(Var y) const {
    const std::size_t taken = count_bits(state_.parents(y));
    // All members of a class have the same largest number of parents, so one bound for all nodes can be kept
    // here. Bounds of single nodes depend on the member and are kept by `target`.
    return max_parents_ > taken ? max_parents_ - taken : 0;
}

void ClassMoves::list_cliques(ClassMoveKind kind, Var x, Var y, const VarSet& clique,
                              std::span<const Word> more, std::vector<ClassMove>& moves) const {
    if (account_->families + moves.size() >= account_->most) {
        account_->cut_off = true;
        return;
    }
    if (moves.size() > kMostMoves)
        throw CapacityError("two variables have more than a million ways to be joined; set max_parents");
    moves.push_back({kind, x, y, clique, 0.0});
    BitRow rest(more.begin(), more.end());
    for_each_bit(more, [&](std::size_t bit) {
        const Var v = static_cast<Var>(bit);
        clear_bit(rest, v);
        list_cliques(kind, x, y, clique.with(v), meet(rest, state_.adjacent(v)), moves);
    });
}

void ClassMoves::list_moves(Var x, Var y, std::vector<ClassMove>& moves) const {
    if (x == y) return;
    if (kind_ == ClassMoveKind::turn) return list_turns(x, y, moves);
    const BitRow na_yx = meet(state_.neighbors(y), state_.adjacent(x));
    if (kind_ == ClassMoveKind::remove) {
        if ((state_.has_arc(x, y) || state_.has_link(x, y)) && !knowledge_.requires_link(x, y))
            list_cliques(kind_, x, y, {}, na_yx, moves);
        return;
    }
    if (state_.adjacent(x, y) || is_barred(x, y) ||
        !(knowledge_.allows_arc(x, y) || knowledge_.allows_arc(y, x)))
        return;
    const VarSet base = set_of(na_yx);
    if (!is_clique(state_, base)) return;
    // Candidates for T: the neighbors of y that are not adjacent to x, and adjacent to all of NA_yx.
    BitRow more(state_.neighbors(y).begin(), state_.neighbors(y).end());
    for (std::size_t w = 0; w < more.size(); ++w) more[w] &= ~na_yx[w];
    for (const Var v : base) more = meet(more, state_.adjacent(v));
    std::vector<ClassMove> all;
    list_cliques(kind_, x, y, base, more, all);
    for (ClassMove& move : all)
        if (move.clique.size() < room(y)) moves.push_back(std::move(move));
}

// Hauser & Buehlmann (2012), section 3.3.
void ClassMoves::list_turns(Var x, Var y, std::vector<ClassMove>& moves) const {
    const BitRow na_yx = meet(state_.neighbors(y), state_.adjacent(x));
    std::vector<ClassMove> all;
    if (state_.has_arc(y, x)) {
        // The common neighbors must point at y: otherwise y -> c, c -> x or c -- x closes a cycle.
        const VarSet base = set_of(na_yx);
        if (!is_clique(state_, base)) return;
        BitRow more(state_.neighbors(y).begin(), state_.neighbors(y).end());
        for (std::size_t w = 0; w < more.size(); ++w) more[w] &= ~na_yx[w];
        for (const Var v : base) more = meet(more, state_.adjacent(v));
        list_cliques(kind_, x, y, base, more, all);
    } else if (state_.has_link(x, y)) {
        BitRow more(state_.neighbors(y).begin(), state_.neighbors(y).end());
        clear_bit(more, x);
        list_cliques(kind_, x, y, {}, more, all);
        // Without a parent of y that is not one of x the arc is covered, and turning it stays in the class.
        std::erase_if(all, [&](const ClassMove& m) { return intersection(m.clique, na_yx) == m.clique; });
    }
    for (ClassMove& move : all)
        if (move.clique.size() < room(y)) moves.push_back(std::move(move));
}

// The families after and before the move, in pairs.
void ClassMoves::add_families(const ClassMove& move, std::vector<Family>& families) const {
    const auto [kind, x, y, clique, gain] = move;
    const VarSet base = state_.parent_set(y).without(x).united(clique);
    const Family with{y, base.with(x)}, without{y, base};
    if (kind == ClassMoveKind::remove) {
        families.push_back(without);
        families.push_back(with);
        return;
    }
    families.push_back(with);
    families.push_back(without);
    if (kind == ClassMoveKind::insert) return;
    // The arc y -> x is lost. When it was an edge, x keeps the neighbors it shares with y's new parents.
    VarSet of_x = state_.parent_set(x).without(y);
    if (state_.has_link(x, y)) of_x = of_x.united(intersection(clique, state_.neighbors(x)));
    families.push_back({x, of_x});
    families.push_back({x, of_x.with(y)});
}

bool ClassMoves::score_moves(std::vector<ClassMove>& moves) {
    if (!going()) return false;
    find_gains(moves);
    keep(moves);
    return true;
}

void ClassMoves::find_gains(std::vector<ClassMove>& moves) {
    std::vector<Family> families;
    for (const ClassMove& move : moves) add_families(move, families);
    std::vector<double> values(families.size());
    if (!families.empty()) score_.local(families, values, control_);
    account_->operators += moves.size();
    account_->families += families.size();
    const std::size_t each = kind_ == ClassMoveKind::turn ? 4 : 2;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        double gain = 0.0;
        for (std::size_t k = i * each; k < (i + 1) * each; k += 2) gain += values[k] - values[k + 1];
        moves[i].gain = std::isnan(gain) ? -std::numeric_limits<double>::infinity() : gain;
    }
}

std::vector<ClassMove> ClassMoves::deletions() {
    kind_ = ClassMoveKind::remove;
    std::vector<ClassMove> best;
    const auto better = [](const ClassMove& a, const ClassMove& b) {
        return a.gain != b.gain ? a.gain > b.gain : before(a, b);
    };
    for (Var y = 0; y < state_.size(); ++y)
        for (Var x = 0; x < y && going(); ++x) {
            std::vector<ClassMove> moves;
            list_moves(x, y, moves);
            list_moves(y, x, moves);
            if (moves.empty()) continue;
            find_gains(moves);
            best.push_back(*std::min_element(moves.begin(), moves.end(), better));
        }
    std::sort(best.begin(), best.end(), better);
    return best;
}

void ClassMoves::keep(std::vector<ClassMove>& moves) {
    for (ClassMove& move : moves)
        if (move.gain > score_.tolerance()) known().gaining[move.y].push_back(std::move(move));
}

void ClassMoves::score_pairs() {
    std::vector<ClassMove> moves;
    std::vector<std::pair<Var, Var>> listed;
    std::uint64_t done = 0, total = 0;
    if (!told_) {
        for (Var y = 0; y < state_.size(); ++y) total += count_bits(known().unknown.row(y));
    }
    const auto send = [&] {
        if (!score_moves(moves)) return false;
        done += listed.size();
        for (const auto& [x, y] : listed) known().unknown.clear(y, x);
        moves.clear();
        listed.clear();
        if (!told_)
            control_.report({.phase = "scoring moves", .done = done, .total = total, .unit = "pairs"});
        return true;
    };
    auto& [gaining, unknown] = known();
    for (Var y = 0; y < state_.size(); ++y) {
        if (count_bits(unknown.row(y)) == 0) continue;
        std::erase_if(gaining[y], [&](const ClassMove& move) { return unknown.get(y, move.x); });
        unknown.for_each_in_row(y, [&](std::size_t bit) {
            const Var x = static_cast<Var>(bit);
            list_moves(x, y, moves);
            listed.emplace_back(x, y);
        });
        if (moves.size() >= kBatch && !send()) return;
    }
    if (!listed.empty() && !send()) return;
    told_ = true;
    for (std::vector<ClassMove>& of_y : gaining)
        std::sort(of_y.begin(), of_y.end(), [](const ClassMove& a, const ClassMove& b) {
            return a.gain != b.gain ? a.gain > b.gain : before(a, b);
        });
}

std::optional<ClassMove> ClassMoves::best(Random* ties) {
    score_pairs();
    if (!going()) return std::nullopt;
    const std::vector<std::vector<ClassMove>>& gaining = known().gaining;
    // The best remaining move of every y; validity is looked at only when a move comes to the top.
    const auto worse = [&](const std::pair<Var, std::size_t>& a, const std::pair<Var, std::size_t>& b) {
        const ClassMove &first = gaining[a.first][a.second], &second = gaining[b.first][b.second];
        return first.gain != second.gain ? first.gain < second.gain : before(second, first);
    };
    std::priority_queue<std::pair<Var, std::size_t>, std::vector<std::pair<Var, std::size_t>>,
                        decltype(worse)>
        tops(worse);
    for (Var y = 0; y < state_.size(); ++y)
        if (!gaining[y].empty()) tops.emplace(y, 0);
    std::optional<ClassMove> found;
    double most = 0.0;
    std::size_t tied = 0;
    while (!tops.empty()) {
        const auto [y, at] = tops.top();
        tops.pop();
        const ClassMove& move = gaining[y][at];
        if (found && move.gain < most - score_.tolerance()) break;
        if (at + 1 < gaining[y].size()) tops.emplace(y, at + 1);
        if ((ties == nullptr && found && !before(move, *found)) || !target(move)) continue;
        if (!found) most = move.gain;
        // The k-th of the ties replaces the one held with chance 1 / k, so each is as likely.
        if (ties == nullptr || ties->below(++tied) == 0) found = move;
    }
    return found;
}

std::optional<EssentialState> ClassMoves::target(const ClassMove& move) const {
    const auto& [kind, x, y, clique, gain] = move;
    const std::size_t words = words_for(state_.size());
    BitRow blocked = bits_of(clique, words);
    EssentialState member = state_;
    VarSet into_y = clique;
    if (kind == ClassMoveKind::insert && state_.has_open_path(y, x, blocked)) return std::nullopt;
    if (kind == ClassMoveKind::remove && state_.has_link(x, y)) into_y = clique.with(x);
    if (kind == ClassMoveKind::turn) {
        VarSet into_x;
        if (state_.has_arc(y, x)) {
            for (std::size_t w = 0; w < words; ++w) blocked[w] |= state_.neighbors(x)[w];
            if (state_.has_open_path(y, x, blocked)) return std::nullopt;
        } else {
            into_x = intersection(clique, state_.neighbors(x)).with(y);
        }
        member.direct_links(x, into_x);
    }
    member.direct_links(y, into_y);
    std::optional<std::vector<VarSet>> dag = member.extension(nothing_);
    if (!dag) return std::nullopt;
    std::vector<VarSet>& parents = *dag;
    parents[y] = kind == ClassMoveKind::remove ? parents[y].without(x) : parents[y].with(x);
    if (kind == ClassMoveKind::turn) parents[x] = parents[x].without(y);
    try {
        EssentialState result(parents, targets_);
        if (!knowledge_.empty() && !result.extension(knowledge_)) return std::nullopt;
        return result;
    } catch (const CycleError&) {
        return std::nullopt;
    }
}

void ClassMoves::apply(const ClassMove& move) {
    const EssentialState old = state_;
    state_ = *target(move);
    // What turning an arc gains depends on the surroundings of both its ends.
    for (Known& known : known_) {
        if (&known == &known_[static_cast<std::size_t>(ClassMoveKind::turn)])
            forget(known);
        else
            find_unknown(old, move, known.unknown);
    }
}

// The moves of (x, y) and their gains follow from the parents and neighbors of y, which of these neighbors
// are adjacent to each other, and which are adjacent to x. Open paths are looked for anew each time.
void ClassMoves::find_unknown(const EssentialState& old, const ClassMove& move, BitMatrix& unknown) const {
    const auto same = [](std::span<const Word> a, std::span<const Word> b) {
        return std::equal(a.begin(), a.end(), b.begin());
    };
    // A move changes the adjacency of one pair at most.
    unknown.set(move.x, move.y);
    unknown.set(move.y, move.x);
    for (Var y = 0; y < state_.size(); ++y) {
        const bool sees_x = state_.has_link(y, move.x), sees_y = state_.has_link(y, move.y);
        if (!same(old.parents(y), state_.parents(y)) || !same(old.neighbors(y), state_.neighbors(y)) ||
            (sees_x && sees_y)) {
            for (Var x = 0; x < state_.size(); ++x) unknown.set(y, x);
        } else if (sees_x) {
            unknown.set(y, move.y);
        } else if (sees_y) {
            unknown.set(y, move.x);
        }
    }
}

}  // namespace dagwright
