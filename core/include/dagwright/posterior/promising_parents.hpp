// For every variable the few others that are most promising as its parents.
#pragma once
#include <vector>

#include "dagwright/base/control.hpp"
#include "dagwright/evidence/score.hpp"
#include "dagwright/graph/knowledge.hpp"

namespace dagwright {

struct PromisingPlan {
    std::size_t most;         // parents to name for a variable
    std::size_t max_parents;  // that a variable may have
    double within;            // nats by which a set of parents may fall short of its best subset
    std::size_t shortlist;    // others that are looked at in sets; all, if there are no more
};

struct PromisingParents {
    std::vector<std::vector<Var>> of;  // ascending
    std::uint64_t evaluations = 0;
    Stop stop = Stop::none;  // then there may be too few
};

// First a shortlist, to which one after the other joins the parent that alone or with one of those before
// scores best (Viinikka et al. 2020, algorithm Greedy, which takes any number of those before). Then the sets
// of up to three from the shortlist, and of these sets those that find_candidates keeps: a parent ranks by
// the best set that it is in.
PromisingParents promising_parents(LocalScore& score, const Knowledge& knowledge, const PromisingPlan& plan,
                                   Control& control);

}  // namespace dagwright
