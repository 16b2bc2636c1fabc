// What an edge between each two variables is worth, given some others: the weights of spanning trees.
#pragma once
#include <cstddef>
#include <vector>

#include "dagwright/base/control.hpp"
#include "dagwright/evidence/score.hpp"

namespace dagwright {

// Pairs that are scored in one batch: bounds the working memory, however many variables there are.
inline constexpr std::size_t kPairsPerBatch = std::size_t{1} << 15;

// A symmetric matrix by rows: the mean over both directions of s(x | y, given) - s(x | given). For the
// log-likelihood that is N times the conditional mutual information. Rows and columns of `given` are zero.
// Empty when the call was told to stop.
std::vector<double> edge_gains(LocalScore& score, const VarSet& given, Control& control,
                               std::size_t pairs_per_batch = kPairsPerBatch);

}  // namespace dagwright
