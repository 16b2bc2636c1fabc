#include <algorithm>
#include <limits>

#include "dagwright/evidence/fits_of_all_sets.hpp"
#include "dagwright/exact/candidate_lattice.hpp"
#include "dagwright/exact/candidates_of_all_sets.hpp"
#include "dagwright/statistics/row_refinement.hpp"

namespace dagwright {

namespace {

constexpr std::size_t kMostRowsOfTables = 16384;  // a table of cell functions per number of configurations
constexpr std::uint64_t kWalkShare = 64;          // of all sets scored one by one before a table is made,
constexpr std::uint64_t kLeastWalk = 4096;        // no fewer,
constexpr std::uint64_t kMostWalk = 1 << 21;      // and no more

}  // namespace

std::optional<RefinedScore> RefinedScore::of(LocalScore& score, const Knowledge& knowledge) {
    const std::optional<Criterion> criterion = score.criterion();
    if (!criterion || score.variables() > 64 || !knowledge.required_links().empty()) return {};
    const auto [any_measure, lambda, parents] = *criterion;
    CountingMeasure* const measure = any_measure->counting();
    if (measure == nullptr) return {};
    const Table* table = measure->sums().rows();
    if (table == nullptr || !CodedRows::fits(*table)) return {};
    if (lambda != 0.0 && !score.bounded()) return {};
    const QuotientRegret* const regret =
        lambda == 0.0 && score.bounded() ? measure->bounds()->regret : nullptr;
    const std::size_t parts =
        measure->cell_function(1.0).kind == CellKind::adaptive ? kAdaptiveEss.size() : 1;
    const bool few_rows = lambda != 0.0 || regret != nullptr || table->rows() * parts <= kMostRowsOfTables;
    return RefinedScore{
        measure, lambda, score.bounded() && few_rows,
        parents != nullptr ? *parents : ParentCounts(std::vector<double>(score.variables(), 0.0)), regret};
}

double RefinedScore::table_bytes() const {
    const Table& table = *measure->sums().rows();
    const std::size_t n = table.variables();
    return FitsOfAllSets::possible(table) ? SetTable::bytes(n) + CandidatesOfAllSets::bytes(n)
                                          : std::numeric_limits<double>::infinity();
}

std::uint64_t walked_before_table(std::size_t variables) {
    return std::clamp((std::uint64_t{1} << variables) / kWalkShare, kLeastWalk, kMostWalk);
}

}  // namespace dagwright
