// A tree of cliques on which tables can be summed locally (Lauritzen & Spiegelhalter 1988; Jensen et al.
// 1990).
#pragma once
#include <string>
#include <vector>

#include "dagwright/inference/elimination.hpp"
#include "dagwright/inference/factor.hpp"
#include "dagwright/inference/triangulation.hpp"

namespace dagwright {

// The conditional tables of a network: tables[v] is the factor of P(v | parents).
struct NetworkTables {
    std::vector<std::string> names;
    std::vector<std::uint32_t> cards;
    std::vector<FactorPtr> tables;

    std::size_t nodes() const { return tables.size(); }
    Cards cardinalities() const { return cards; }
};

struct TreeEdge {
    std::size_t a, b;  // cliques
    Scope separator;
};

// The structure only: it depends on the scopes of the tables and the cardinalities, not on the numbers.
struct JunctionTree {
    std::vector<Scope> cliques;
    std::vector<TreeEdge> edges;
    std::vector<std::vector<std::size_t>> edges_at;  // by clique
    std::vector<std::size_t> home;                   // by table: a clique that holds its scope
    double cells = 0;                                // summed over the cliques
    double largest_cells = 0;
    Scope largest;
};

JunctionTree make_junction_tree(const NetworkTables& network, unsigned tries, std::uint64_t seed);

}  // namespace dagwright
