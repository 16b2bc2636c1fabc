// The errors the core raises. The bindings turn each into its Python namesake.
#pragma once
#include <stdexcept>

namespace dagwright {

struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A table, a count or a plan that cannot fit in memory or in 64 bits.
struct CapacityError : Error {
    using Error::Error;
};

// Arcs that close a directed cycle.
struct CycleError : Error {
    using Error::Error;
};

}  // namespace dagwright
