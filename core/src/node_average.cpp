#include "dagwright/node_average.hpp"

#include <cmath>
#include <limits>
#include <map>

namespace dagwright {

void NodeAverageScore::local(std::span<const Family> families, std::span<double> out, Control& control) {
    const Table& table = sums_->table();
    std::map<VarSet, std::vector<std::size_t>> by_rows;  // families that are counted on the same rows
    for (std::size_t i = 0; i < families.size(); ++i)
        by_rows[table.incomplete(families[i].parents.with(families[i].child))].push_back(i);
    const CellFunctionId n_log_n{};
    for (const auto& [observed, members] : by_rows) {
        std::vector<SumRequest> requests;
        for (const std::size_t i : members)
            requests.push_back({families[i].parents.with(families[i].child), n_log_n});
        for (const std::size_t i : members) requests.push_back({families[i].parents, n_log_n});
        std::vector<double> sums(requests.size());
        sums_->sums(requests, observed, sums, control);
        const double known = sums_->known_total(observed);
        for (std::size_t k = 0; k < members.size(); ++k) {
            const Family& family = families[members[k]];
            const double states = table.column(family.child).cardinality;
            const double parameters =
                std::max(states - 1.0, 0.0) * cell_count(table.cardinalities(), family.parents);
            const double fit = std::min(sums[k] - sums[k + members.size()], 0.0);
            out[members[k]] = known > 0.0 ? table.total() / known * fit - penalty_ * parameters
                                          : -std::numeric_limits<double>::infinity();
        }
    }
}

}  // namespace dagwright
