// Evidence as it comes from Python.
#pragma once
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "dagwright/inference/network_query.hpp"

using HardEvidence = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // node, state
using SoftEvidence = std::vector<std::pair<std::uint32_t, std::vector<double>>>;

inline dagwright::Findings to_findings(const dagwright::NetworkTables& network, const HardEvidence& hard,
                                       const SoftEvidence& soft) {
    dagwright::Findings findings(network.nodes());
    for (const auto& [node, state] : hard) {
        if (node >= network.nodes() || state >= network.cards[node])
            throw nb::index_error(
                ("there is no state " + std::to_string(state) + " of node " + std::to_string(node)).c_str());
        findings.observed[node] = state;
    }
    for (const auto& [node, values] : soft) {
        if (node >= network.nodes() || values.size() != network.cards[node])
            throw nb::index_error("a likelihood needs one value per state of a node");
        for (const double value : values)
            if (!(value >= 0 && value <= std::numeric_limits<double>::max()))
                throw nb::value_error("a likelihood must be finite and not negative");
        findings.likelihoods[node] =
            std::make_shared<const dagwright::Factor>(dagwright::likelihood(node, values));
    }
    return findings;
}
