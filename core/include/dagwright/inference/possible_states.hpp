// Whether a product of tables is positive anywhere: usually much quicker to see than what it sums to.
#pragma once
#include "dagwright/inference/factor.hpp"

namespace dagwright {

enum class Possibility { possible, impossible, unknown };

// A search of bounded length for states that make every factor positive. States without support in a table
// that was reduced by evidence are struck out first, and what loses its support by that (arc consistency,
// Mackworth 1977); then variables are fixed one by one, each after its parents, and a dead end goes back to
// the last variable that has to do with it (conflict-directed backjumping, Prosser 1993).
Possibility look_for_possible_states(const FactorSet& factors, Cards cards);

}  // namespace dagwright
