// Sets of columns whose likelihood has no maximum.
#pragma once
#include <cmath>
#include <limits>

#include "dagwright/evidence/measure.hpp"

namespace dagwright {

// fit of a set whose columns determine each other, and of one that has no more rows than columns.
inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();
inline constexpr double kTooFewRows = -std::numeric_limits<double>::infinity();

// mu(x | P).fit; minus infinity for a family whose likelihood has no maximum.
inline double family_fit(const SetFit& joint, const SetFit& given) {
    const bool known = std::isfinite(joint.fit) && std::isfinite(given.fit);
    return known ? joint.fit - given.fit : -std::numeric_limits<double>::infinity();
}

}  // namespace dagwright
