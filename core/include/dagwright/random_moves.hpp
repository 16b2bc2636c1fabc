// Random steps from DAG to DAG.
#pragma once
#include <optional>
#include <vector>

#include "dagwright/arc_moves.hpp"
#include "dagwright/random.hpp"

namespace dagwright {

// Draws an ordered pair of nodes and one of the moves it offers; nothing when that move is not legal.
std::optional<Step> random_move(ArcMoves& moves, Random& random);

enum class Scatter { additions, any };

// Makes up to `count` random legal moves and lists them. Impossible families (score minus infinity) are
// avoided.
std::vector<Step> scatter(ArcMoves& moves, std::size_t count, Scatter kind, Random& random);

}  // namespace dagwright
