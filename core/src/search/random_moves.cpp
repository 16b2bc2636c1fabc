#include "dagwright/search/random_moves.hpp"

#include <limits>

namespace dagwright {

Proposal propose(std::size_t n, Random& random) {
    const Var from = static_cast<Var>(random.below(n));
    const Var other = static_cast<Var>(random.below(n - 1));
    return {from, other < from ? other : other + 1, random.below(2) == 1};
}

std::optional<Step> legal_move(const ArcMoves& moves, const Proposal& proposal) {
    const auto& [from, to, reverse] = proposal;
    const bool there = moves.dag().has_arc(from, to);
    const Move move = !there ? Move::add : reverse ? Move::reverse : Move::remove;
    if (!moves.legal(move, from, to)) return std::nullopt;
    return Step{move, from, to, 0.0};
}

std::vector<Step> scatter(ArcMoves& moves, std::size_t count, Scatter kind, Random& random,
                          Control& control) {
    std::vector<Step> made;
    if (moves.dag().size() < 2) return made;
    // Dense graphs and tight knowledge leave few legal moves: give up after a bounded number of attempts.
    constexpr std::size_t between_looks = 1024;
    for (std::size_t attempt = 0; made.size() < count && attempt / 100 < count; ++attempt) {
        if (attempt % between_looks == between_looks - 1 && control.should_stop() != Stop::none) break;
        const std::optional<Step> move = legal_move(moves, propose(moves.dag().size(), random));
        if (!move || (kind == Scatter::additions && move->move != Move::add)) continue;
        const Step step = moves.step(move->move, move->from, move->to);
        if (step.gain == -std::numeric_limits<double>::infinity()) continue;
        moves.apply(step);
        made.push_back(step);
    }
    return made;
}

}  // namespace dagwright
