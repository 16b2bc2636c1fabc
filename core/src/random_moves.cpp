#include "dagwright/random_moves.hpp"

#include <limits>

namespace dagwright {

std::optional<Step> random_move(ArcMoves& moves, Random& random) {
    const std::size_t n = moves.dag().size();
    if (n < 2) return std::nullopt;
    const Var from = static_cast<Var>(random.below(n));
    Var to = static_cast<Var>(random.below(n - 1));
    if (to >= from) ++to;
    Move move = Move::add;
    if (moves.dag().has_arc(from, to)) move = random.below(2) == 0 ? Move::remove : Move::reverse;
    if (!moves.legal(move, from, to)) return std::nullopt;
    return moves.step(move, from, to);
}

std::vector<Step> scatter(ArcMoves& moves, std::size_t count, Scatter kind, Random& random) {
    std::vector<Step> made;
    // Dense graphs and tight knowledge leave few legal moves: give up after a bounded number of attempts.
    for (std::size_t attempt = 0; made.size() < count && attempt < 100 * count; ++attempt) {
        const std::optional<Step> step = random_move(moves, random);
        if (!step || (kind == Scatter::additions && step->move != Move::add)) continue;
        if (step->gain == -std::numeric_limits<double>::infinity()) continue;
        moves.apply(*step);
        made.push_back(*step);
    }
    return made;
}

}  // namespace dagwright
