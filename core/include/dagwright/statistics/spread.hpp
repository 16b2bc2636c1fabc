// Missing cells spread over their states: what an expected count is made of.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "dagwright/base/varset.hpp"

namespace dagwright {

// The missing cells of a row fall into groups, independent of each other given the rest of the row, and each
// group has a distribution. Immutable; may be shared between threads.
class Spread {
  public:
    virtual ~Spread() = default;

    virtual std::size_t groups() const = 0;
    // The columns of a group, ascending.
    virtual std::span<const Var> missing(std::size_t group) const = 0;
    virtual std::span<const std::uint32_t> groups_of(std::size_t row) const = 0;
    // P(kept | what is known in the row), row-major over the ascending columns `kept` of the group.
    virtual void marginal(std::size_t group, std::span<const Var> kept, std::vector<double>& out) const = 0;
};

}  // namespace dagwright
