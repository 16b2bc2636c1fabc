#include "dagwright/evidence/measure.hpp"

#include <algorithm>

namespace dagwright {

void Measure::extensions(const VarSet& base, std::span<const Var> added, std::span<SetFit> out,
                         Control& control) {
    std::vector<VarSet> sets;
    sets.reserve(added.size());
    for (const Var v : added) sets.push_back(base.with(v));
    evidence(sets, {}, out, control);
}

CountingMeasure::CountingMeasure(std::shared_ptr<CellSums> sums, Kind kind, double ess)
    : sums_(std::move(sums)), kind_(kind), ess_(ess), has_missing_(false), largest_fit_(variables(), 0.0) {
    // Where missing cells are spread over their states, every row counts.
    const bool spread = sums_->rows() != nullptr && sums_->rows()->spread() != nullptr;
    for (Var v = 0; v < variables() && !spread; ++v)
        has_missing_ = has_missing_ || !sums_->shape().incomplete(VarSet::of({v})).empty();
    if (kind == Kind::dirichlet && !(ess > 0.0)) throw Error("the equivalent sample size must be positive");
}

void CountingMeasure::evidence(std::span<const VarSet> sets, const VarSet& observed, std::span<SetFit> out,
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

void CountingMeasure::extensions(const VarSet& base, std::span<const Var> added, std::span<SetFit> out,
                                 Control& control) {
    if (!extends_at_once()) return Measure::extensions(base, added, out, control);
    constexpr double kExact = 9007199254740992.0;  // products up to here do not depend on their order
    const double base_cells = cell_count(cardinalities(), base);
    std::vector<double> cells(added.size()), log_cells(added.size()), fits(added.size());
    std::vector<CellFunctionId> functions(added.size());
    for (std::size_t i = 0; i < added.size(); ++i) {
        cells[i] = base_cells * cardinalities()[added[i]];
        if (!(cells[i] < kExact)) cells[i] = cell_count(cardinalities(), base.with(added[i]));
        if (kind_ != Kind::multinomial)
            log_cells[i] = std::isinf(cells[i]) ? log_cell_count(cardinalities(), base.with(added[i]))
                                                : std::log(cells[i]);
        functions[i] = cell_function(cells[i], log_cells[i]);
    }
    sums_->extensions(base, added, functions, fits, control);
    for (std::size_t i = 0; i < added.size(); ++i)
        out[i] = {fits[i] - subtracted(cells[i], log_cells[i]), kind_ == Kind::multinomial ? cells[i] : 0.0};
}

CellFunctionId CountingMeasure::cell_function(double cells, double log_cells) const {
    if (kind_ == Kind::adaptive) return adaptive_cell(cells, log_cells);
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

double CountingMeasure::family_dim(Var child, const VarSet& parents, const SetFit&, const SetFit&) const {
    const double states = static_cast<double>(cardinalities()[child]);
    if (kind_ != Kind::multinomial || states == 1.0) return 0.0;
    return (states - 1.0) * cell_count(cardinalities(), parents);
}

double CountingMeasure::interaction_dim(const VarSet& x, const VarSet& y, const VarSet& given, const SetFit&,
                                        const SetFit&, const SetFit&, const SetFit&) const {
    return kind_ == Kind::multinomial ? degrees_of_freedom(cardinalities(), x, y, given) : 0.0;
}

double degrees_of_freedom(std::span<const std::uint32_t> cardinalities, const VarSet& x, const VarSet& y,
                          const VarSet& given) {
    const double r_x = cell_count(cardinalities, x), r_y = cell_count(cardinalities, y);
    // Configurations can be too many for a number: 0 times infinity is 0 here.
    return r_x <= 1.0 || r_y <= 1.0 ? 0.0 : (r_x - 1.0) * (r_y - 1.0) * cell_count(cardinalities, given);
}

std::optional<Bounds> CountingMeasure::bounds() const {
    return Bounds{.largest_fit = largest_fit_,
                  .factor = kind_ == Kind::multinomial ? least_growth(cardinalities()) : 0.0,
                  .added = 0.0,
                  .occupied = is_dirichlet() ? sums_.get() : nullptr,
                  .regret = quotient(),
                  .states = cardinalities(),
                  .growth = least_growth(cardinalities())};
}

const QuotientRegret* CountingMeasure::quotient() const {
    if (kind_ != Kind::nml || total() != std::floor(total())) return nullptr;
    const std::lock_guard lock(mutex_);
    if (!quotient_) quotient_ = std::make_unique<const QuotientRegret>(total());
    return quotient_.get();
}

double least_growth(std::span<const std::uint32_t> cardinalities) {
    double least = 2.0;
    for (const std::uint32_t r : cardinalities)
        least = std::min(least, std::max(1.0, static_cast<double>(r)));
    return least;
}

}  // namespace dagwright
