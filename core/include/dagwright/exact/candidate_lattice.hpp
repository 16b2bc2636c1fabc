// Candidate parent sets by a walk through the lattice of parent sets in which rows are grouped anew for the
// last members only: for BIC and its like, BDeu and qNML, on complete data. Scores without bounds that are
// differences of mu, as the log-likelihood is, can share its table of all sets.
#pragma once
#include <optional>

#include "dagwright/evidence/parent_counts.hpp"
#include "dagwright/exact/candidate_sets.hpp"

namespace dagwright {

// What the walk needs to know of a score that it can take.
struct RefinedScore {
    CountingMeasure* measure;
    double lambda;                           // 0 for BDeu and qNML
    bool walkable;                           // otherwise only a table of all sets helps
    ParentCounts counts;                     // the prior on the number of parents, 0 where there is none
    const QuotientRegret* regret = nullptr;  // the penalty of qNML

    // Whether the score is a maximized likelihood less a penalty.
    bool penalized() const { return lambda > 0.0 || regret != nullptr; }

    // Empty where the general way through batches of families has to be taken: other scores, weights, missing
    // cells, more than 64 variables, edges that must be there.
    static std::optional<RefinedScore> of(LocalScore& score, const Knowledge& knowledge);

    // What a table of all sets of variables takes, with all that is made from it; infinite where there can be
    // none.
    double table_bytes() const;
};

// How many families are scored one by one before a table of all sets is made, where there can be one.
std::uint64_t walked_before_table(std::size_t variables);

// The same sets as the general way. All variables are taken up to where the levels become large, then one is
// completed after the other, small ones first, so that a stop leaves most bounds tight.
// Empty where the score has no bounds and a table does not fit or does not pay.
std::optional<CandidatesFound> find_by_refinement(LocalScore& score, const RefinedScore& refined,
                                                  const Knowledge& knowledge, const CandidatePlan& plan,
                                                  Control& control);

}  // namespace dagwright
