// Unshielded triples cross the border as tuples (a, c, b).
#pragma once
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <span>
#include <tuple>
#include <vector>

#include "dagwright/independence/separated_pairs.hpp"

using Triples = std::vector<std::tuple<dagwright::Var, dagwright::Var, dagwright::Var>>;

inline Triples to_tuples(std::span<const dagwright::UnshieldedTriple> triples) {
    Triples result;
    result.reserve(triples.size());
    for (const auto& [a, c, b] : triples) result.emplace_back(a, c, b);
    return result;
}
