// Independence questions as interactions of a measure, in batches.
#pragma once
#include <span>
#include <vector>

#include "dagwright/control.hpp"
#include "dagwright/measure.hpp"

namespace dagwright {

// Is x independent of y given z? Disjoint sets.
struct Question {
    VarSet x, y, given;
};

// mu(x ; y | z) = (mu(z+x+y) + mu(z)) - (mu(z+x) + mu(z+y)) of each question, all sets in one batch. Where
// dim counts cells it is the product (r_x - 1)(r_y - 1) q, which loses no digits.
std::vector<Evidence> interactions(Measure& measure, std::span<const Question> questions,
                                   const VarSet& observed, Control& control);

}  // namespace dagwright
