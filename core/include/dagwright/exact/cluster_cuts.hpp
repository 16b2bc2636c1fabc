// Cutting planes that keep a choice of families free of cycles.
//
// x holds a weight for every candidate family, those of one variable summing to one. In a network every set C
// of variables has a first member, whose parents all lie outside C, so
//     sum over v in C of the weights of families of v with no parent in C  >=  1      (Jaakkola et al. 2010),
// and likewise, for the first k members, with fewer than k parents in C  >=  k          (Cussens 2011).
// Finding a violated one is NP-hard (Cussens et al. 2017). Each violated cluster has a violated part within a
// strongly connected component of the families with weight, so components are looked at one by one: greedy
// growth from every arc first, then a complete enumeration with bounds as far as its budget goes.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "dagwright/exact/families.hpp"

namespace dagwright {

struct Cluster {
    std::vector<Var> members;  // ascending
    std::size_t order = 1;     // k
    double violation = 0.0;    // k minus the left-hand side
};

struct ClusterPlan {
    double least = 1e-4;            // violation worth a cut
    std::size_t most = 100;         // clusters returned
    std::size_t largest_order = 2;  // k up to this
    std::uint64_t steps = 200'000;  // of the enumeration, per component
};

struct ClustersFound {
    std::vector<Cluster> clusters;  // most violated first
    bool complete = true;           // whether the enumeration ended: if none was found, none is violated
};

ClustersFound violated_clusters(const Families& families, std::span<const double> weights,
                                const ClusterPlan& plan);

// The families on the left-hand side of a cluster's inequality, ascending.
std::vector<std::int64_t> cluster_row(const Families& families, std::span<const Var> members,
                                      std::size_t order);

}  // namespace dagwright
