// Random steps from DAG to DAG.
#pragma once
#include <optional>
#include <vector>

#include "dagwright/base/random.hpp"
#include "dagwright/search/arc_moves.hpp"

namespace dagwright {

// An ordered pair of nodes, and what to do with an arc that is there: delete or reverse it.
struct Proposal {
    Var from, to;
    bool reverse;
};

// `n` must be at least 2.
Proposal propose(std::size_t n, Random& random);

// The move that a proposal stands for in the present graph, if it is legal; its gain is not filled in.
std::optional<Step> legal_move(const ArcMoves& moves, const Proposal& proposal);

enum class Scatter { additions, any };

// Makes up to `count` random legal moves and lists them. Impossible families (score minus infinity) are
// avoided. A request to stop ends it early.
std::vector<Step> scatter(ArcMoves& moves, std::size_t count, Scatter kind, Random& random, Control& control);

}  // namespace dagwright
