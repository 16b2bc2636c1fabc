// Greedy equivalence search (Meek 1997; Chickering 2002): from class to class by the best insertion until
// none gains, then by the best deletion; or with deletions first and second attempts (XGES).
#pragma once
#include <vector>

#include "dagwright/search/best_network.hpp"
#include "dagwright/search/class_moves.hpp"

namespace dagwright {

struct GesPlan {
    std::size_t max_parents = Knowledge::kUnbounded;
    std::size_t max_steps = Knowledge::kUnbounded;
    std::uint64_t max_families = ClassMoves::kNoLimit;  // scored; then the search ends where it is
    // The insertions can be left out, for a start that already has every arc it needs.
    bool inserting = true;
    // Turn arcs after the deletions, and go through all phases again as long as any gains (Hauser & Buehlmann
    // 2012).
    bool turning = false;
    // Of the moves that gain, deletions go first, then turns, then insertions. When none gains, each arc in
    // turn is deleted at a loss and kept out while the search goes on from there; what scores more is taken
    // (Nazaret & Blei 2024).
    bool extended = false;
    // Keep the gains of moves that a step did not touch. Without, every move is scored at every step; the way
    // is the same.
    bool reuse = true;
    bool random_ties = false;  // of moves that gain the same take any, not the first
    std::uint64_t seed = 0;
    BestNetwork* best = nullptr;  // is offered the best graph so far
};

struct ClassFound {
    MixedGraph graph;         // essential graph of the class reached
    std::vector<VarSet> dag;  // a member that obeys the knowledge
    double score = 0.0;       // of that member
    std::vector<ClassMove> trace;
    std::uint64_t operators = 0, families = 0;  // scored
    bool cut_off = false;                       // ended by the limit of families
    Stop stop = Stop::none;
};

// With targets, the sets of variables that some rows have set, the walk goes over interventional classes, as
// GIES does; the score must then take each family on the rows where its child was not set.
// A class is allowed when some member obeys the knowledge; `start` must obey it.
ClassFound ges(LocalScore& score, const Knowledge& knowledge, const std::vector<VarSet>& start,
               const GesPlan& plan, Control& control, std::span<const VarSet> targets = {});

}  // namespace dagwright
