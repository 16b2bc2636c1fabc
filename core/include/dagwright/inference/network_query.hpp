// Single questions to a network, without a junction tree: only the tables that matter are multiplied.
#pragma once
#include <vector>

#include "dagwright/inference/junction_tree.hpp"

namespace dagwright {

// A state per node or kUnobserved, and a likelihood per node or null.
struct Findings {
    std::vector<std::uint32_t> observed;
    std::vector<FactorPtr> likelihoods;

    explicit Findings(std::size_t nodes) : observed(nodes, kUnobserved), likelihoods(nodes) {}
};

// The tables of the targets, of the evidence and of their ancestors with the evidence entered.
FactorSet relevant_tables(const NetworkTables& network, const Findings& findings, const Scope& targets);

// P(targets | evidence), row-major over the ascending targets, none of them observed; empty if the evidence
// is impossible. Tables that the evidence separates from the targets are looked at only for impossibility.
std::vector<double> joint_posterior(const NetworkTables& network, const Findings& findings,
                                    const Scope& targets, double max_cells);

double log_evidence(const NetworkTables& network, const Findings& findings, double max_cells);

// The logarithm of the sum over all instantiations of sqrt(P1 P2), for networks over the same variables.
double log_affinity(const NetworkTables& first, const NetworkTables& second, double max_cells);

// The most probable states of the targets given the evidence, the other nodes summed out, written over
// findings.observed; returns log P(states, evidence).
double most_probable(const NetworkTables& network, Findings& findings, const Scope& targets,
                     double max_cells);

}  // namespace dagwright
