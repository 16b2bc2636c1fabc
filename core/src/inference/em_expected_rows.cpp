#include "dagwright/inference/em_expected_rows.hpp"

#include <algorithm>
#include <numeric>

namespace dagwright {

namespace {

constexpr double kKept = 4096;         // cells of one group
constexpr double kAllKept = 33554432;  // cells of all groups together: 256 MiB
constexpr std::size_t kGroupsAtOnce = 256;

std::vector<int> same_columns(const NetworkTables& network) {
    std::vector<int> columns(network.nodes());
    std::iota(columns.begin(), columns.end(), 0);
    return columns;
}

}  // namespace

ExpectedRows::ExpectedRows(std::shared_ptr<const NetworkTables> network, const Table& rows, double max_cells,
                           Workers& workers)
    : network_(std::move(network)),
      grouped_(*network_, rows, same_columns(*network_), {}),
      max_cells_(max_cells),
      joints_(grouped_.groups().size()) {
    const std::vector<MissingGroup>& groups = grouped_.groups();
    std::vector<char> keep(groups.size(), 0);
    double kept = 0.0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const double cells = cells_of(groups[i].missing, network_->cards);
        if (cells > kKept || kept + cells > kAllKept) continue;
        keep[i] = 1;
        kept += cells;
    }
    workers.run((groups.size() + kGroupsAtOnce - 1) / kGroupsAtOnce, [&](std::size_t part, unsigned) {
        GroupSolver solver(network_, max_cells_);
        const std::size_t end = std::min(groups.size(), (part + 1) * kGroupsAtOnce);
        for (std::size_t i = part * kGroupsAtOnce; i < end; ++i)
            if (keep[i]) joints_[i] = solver.posterior(groups[i], groups[i].missing);
    });
    for (std::size_t i = 0; i < groups.size(); ++i)
        if (keep[i] && joints_[i].empty()) throw Error("a row has probability zero in this network");
}

void ExpectedRows::marginal(std::size_t group, std::span<const Var> kept, std::vector<double>& out) const {
    const Scope& missing = grouped_.groups()[group].missing;
    const std::vector<double>& joint = joints_[group];
    if (joint.empty()) {
        GroupSolver solver(network_, max_cells_);
        out = solver.posterior(grouped_.groups()[group], Scope(kept.begin(), kept.end()));
        if (out.empty()) throw Error("a row has probability zero in this network");
        return;
    }
    if (kept.size() == missing.size()) {
        out = joint;
        return;
    }
    // An odometer over the joint; a variable that is not kept has stride 0.
    std::vector<std::size_t> strides(missing.size(), 0);
    std::size_t cells = 1;
    for (std::size_t i = missing.size(), k = kept.size(); i-- > 0 && k > 0;) {
        if (missing[i] != kept[k - 1]) continue;
        strides[i] = cells;
        cells *= network_->cards[missing[i]];
        --k;
    }
    out.assign(cells, 0.0);
    std::vector<std::uint32_t> state(missing.size(), 0);
    std::size_t to = 0;
    for (const double p : joint) {
        out[to] += p;
        for (std::size_t i = missing.size(); i-- > 0;) {
            to += strides[i];
            if (++state[i] < network_->cards[missing[i]]) break;
            to -= state[i] * strides[i];
            state[i] = 0;
        }
    }
}

}  // namespace dagwright
