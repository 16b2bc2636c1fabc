// Networks from orders over candidate families: given an order, each variable takes its best family among
// those before it (Teyssier & Koller 2005).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "dagwright/base/control.hpp"
#include "dagwright/exact/families.hpp"

namespace dagwright {

struct OrderedChoice {
    std::vector<std::int64_t> families;  // one per variable; empty if no order was found that allows a choice
    double loss = 0.0;
};

// An order in which the families with weight fit as well as one can see step by step.
std::vector<Var> order_by_weights(const Families& families, std::span<const double> weights);

// Climbs from an order by moving single variables to their best place, then `rounds` times from a disturbed
// copy of the best order so far.
OrderedChoice climb_orders(const Families& families, std::vector<Var> order, std::size_t rounds,
                           std::uint64_t seed, Control& control);

}  // namespace dagwright
