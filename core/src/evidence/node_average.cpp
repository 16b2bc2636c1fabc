#include "dagwright/evidence/node_average.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace dagwright {

void NodeAverageScore::local(std::span<const Family> families, std::span<double> out, Control& control) {
    const CellFunctionId n_log_n{};
    std::vector<SumRequest> requests;  // all families with their children, then without, on the same rows
    std::vector<VarSet> rows;
    for (const bool with_child : {true, false}) {
        for (const Family& family : families) {
            rows.push_back(family.parents.with(family.child));
            requests.push_back({with_child ? rows.back() : family.parents, n_log_n});
        }
    }
    std::vector<double> sums(requests.size());
    sums_->sums_on(rows, requests, sums, control);
    const double total = sums_->shape().total();
    for (std::size_t i = 0; i < families.size(); ++i) {
        const double known = sums_->known_total(rows[i]);
        const double fit = std::min(sums[i] - sums[i + families.size()], 0.0);
        out[i] = known > 0.0 ? total / known * fit - penalty(families[i])
                             : -std::numeric_limits<double>::infinity();
    }
}

double NodeAverageScore::penalty(const Family& family) const {
    const TableShape& shape = sums_->shape();
    const double states = shape.cardinality(family.child);
    return penalty_ * std::max(states - 1.0, 0.0) * cell_count(shape.cardinalities(), family.parents);
}

// The rows that count differ between parent sets, so only this is sure: the mean log-likelihood is at most 0.
double NodeAverageScore::superset_bound(const Family& family) const {
    return -least_growth(sums_->shape().cardinalities()) * penalty(family);
}

}  // namespace dagwright
