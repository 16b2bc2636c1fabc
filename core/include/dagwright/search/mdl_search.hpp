// The search of Lam & Bacchus (1994, section 4.2) for the network of shortest description: best-first, with
// one set of candidates for each number of arcs.
#pragma once
#include <cstddef>
#include <vector>

#include "dagwright/base/control.hpp"
#include "dagwright/evidence/score.hpp"
#include "dagwright/graph/knowledge.hpp"
#include "dagwright/search/best_network.hpp"
#include "dagwright/search/running_score.hpp"

namespace dagwright {

struct ArcCountPlan {
    std::size_t expansions = 0;  // in each set; in all, when there is one set
    std::size_t max_arcs = 0;
    std::size_t max_parents = Knowledge::kUnbounded;
    bool connected = false;       // only connected networks may be chosen
    bool one_set = false;         // all numbers of arcs compete
    BestNetwork* best = nullptr;  // is offered the best network so far
};

// The best networks seen with one number of arcs; empty parent lists where none was seen.
struct ArcCountPoint {
    double weight = 0.0, score = 0.0;
    std::vector<VarSet> heaviest, best;
};

struct ArcCountFound {
    std::vector<VarSet> parents;
    double score = 0.0;
    bool chosen = false;  // false: nothing was admitted, and `parents` is where the search began
    std::vector<ArcCountPoint> frontier;  // by number of arcs
    std::size_t evaluations = 0, expansions = 0;
    RunningScores running;  // every new best score; the step counts the networks looked at
    Stop stop = Stop::none;
};

// `weight` guides the search (the log-likelihood: Lam & Bacchus, Eq. 8, up to a constant and the factor N),
// `score` chooses among what was found.
ArcCountFound arc_count_search(LocalScore& weight, LocalScore& score, const Knowledge& knowledge,
                               std::vector<VarSet> base, const ArcCountPlan& plan, Control& control);

// The same over every DAG that knowledge allows; for at most kMostEnumerated variables.
inline constexpr std::size_t kMostEnumerated = 6;
ArcCountFound arc_count_enumeration(LocalScore& weight, LocalScore& score, const Knowledge& knowledge,
                                    std::vector<VarSet> base, const ArcCountPlan& plan, Control& control);

// Whether the arcs join all variables to one piece.
bool joined(const std::vector<VarSet>& parents);

}  // namespace dagwright
