#include "dagwright/measure.hpp"

#include <algorithm>

namespace dagwright {

CountingMeasure::CountingMeasure(std::shared_ptr<CellSums> sums, Kind kind, double ess)
    : sums_(std::move(sums)), kind_(kind), ess_(ess) {
    if (kind == Kind::dirichlet && !(ess > 0.0)) throw Error("the equivalent sample size must be positive");
}

void CountingMeasure::evidence(std::span<const VarSet> sets, const VarSet& observed, std::span<Evidence> out,
                               Control& control) {
    std::vector<SumRequest> requests;
    requests.reserve(sets.size());
    std::vector<double> cells(sets.size()), log_cells(sets.size());
    for (std::size_t i = 0; i < sets.size(); ++i) {
        cells[i] = cell_count(cardinalities(), sets[i]);
        if (kind_ != Kind::multinomial)
            log_cells[i] =
                std::isinf(cells[i]) ? log_cell_count(cardinalities(), sets[i]) : std::log(cells[i]);
        requests.push_back({sets[i], cell_function(cells[i], log_cells[i])});
    }
    std::vector<double> fits(sets.size());
    sums_->sums(requests, observed, fits, control);
    for (std::size_t i = 0; i < sets.size(); ++i)
        out[i] = {fits[i] - subtracted(cells[i], log_cells[i]), kind_ == Kind::multinomial ? cells[i] : 0.0};
}

CellFunctionId CountingMeasure::cell_function(double cells, double log_cells) const {
    return kind_ == Kind::dirichlet ? dirichlet_cell(ess_, cells, log_cells) : CellFunctionId{};
}

double CountingMeasure::regret(double cells, double log_cells) {
    // Values are needed for ever larger q as sets grow: one table for this N, doubled when outgrown.
    const std::lock_guard lock(mutex_);
    if (!regret_ || (cells > largest_regret_ && largest_regret_ < NmlRegret::exact_cells)) {
        largest_regret_ = std::min<double>(std::max(2.0 * cells, 1024.0), NmlRegret::exact_cells);
        regret_ = std::make_unique<NmlRegret>(total(), largest_regret_);
    }
    return std::isinf(cells) ? regret_->of_log(log_cells) : (*regret_)(cells);
}

double CountingMeasure::family_dim(Var child, const VarSet& parents, const Evidence&, const Evidence&) const {
    const double states = static_cast<double>(cardinalities()[child]);
    if (kind_ != Kind::multinomial || states == 1.0) return 0.0;
    return (states - 1.0) * cell_count(cardinalities(), parents);
}

}  // namespace dagwright
