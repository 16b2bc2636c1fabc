// The parent sets that a best network can need, from a score.
#pragma once
#include "dagwright/exact/candidate_sets.hpp"

namespace dagwright {

// Sets are made level by level from those one smaller. Dropped are: a set that scores no better than a
// subset, which fits wherever the set does; and a set with all its supersets where a bound of the score says
// that none of them can beat its subsets (de Campos & Ji 2011). Stopped, the sets are those made so far;
// every variable has at least its required parents alone, and the bounds hold all the same.
CandidatesFound find_candidates(LocalScore& score, const Knowledge& knowledge, const CandidatePlan& plan,
                                Control& control);

// What a table of all sets of variables takes, with all that is made from it; infinite where there can be
// none.
double table_bytes(LocalScore& score, const Knowledge& knowledge);

}  // namespace dagwright
