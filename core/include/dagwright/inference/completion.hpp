// Rows with missing cells: each falls apart into independent groups of missing variables, and rows that
// share a group and the states around it share the work.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "dagwright/inference/propagation.hpp"
#include "dagwright/statistics/table.hpp"

namespace dagwright {

// Missing variables that depend on each other given the rest of the row, and the observed states around them.
struct MissingGroup {
    Scope missing;
    std::vector<Var> families;          // nodes whose tables hold a missing variable
    Scope around;                       // the observed variables of those tables
    std::vector<std::uint32_t> states;  // of `around`
    double weight = 0;                  // of all rows with this group
};

// The distinct groups of a data set, in an order that does not depend on the order of the rows.
class GroupedRows {
  public:
    // columns[v] is the column of node v, or negative if every cell of it is missing. A target counts as
    // missing in every row; then only its group is kept, and of that only what can matter to the target.
    GroupedRows(const NetworkTables& network, const Table& rows, const std::vector<int>& columns,
                std::optional<Var> target);

    std::size_t rows() const { return starts_.size() - 1; }
    const std::vector<MissingGroup>& groups() const { return groups_; }
    // The numbers of the groups of a row.
    std::span<const std::uint32_t> groups_of(std::size_t row) const {
        return std::span(members_).subspan(starts_[row], starts_[row + 1] - starts_[row]);
    }
    // Weight of the rows in each cell of the families that are wholly observed there, in the layout of the
    // tables.
    const std::vector<std::vector<double>>& observed_counts() const { return observed_counts_; }

  private:
    void count_observed(const NetworkTables& network, const Table& rows, const std::vector<int>& columns);
    void sort_groups();

    std::vector<MissingGroup> groups_;
    std::vector<std::uint32_t> members_;
    std::vector<std::size_t> starts_;
    std::vector<std::vector<double>> observed_counts_;
};

// Answers about single groups. Not for use by several threads at once.
class GroupSolver {
  public:
    GroupSolver(std::shared_ptr<const NetworkTables> network, double max_cells)
        : network_(std::move(network)), max_cells_(max_cells), observed_(network_->nodes(), kUnobserved) {}

    // log of the sum over the missing variables of the product of the families' tables.
    double log_sum(const MissingGroup& group);
    // P(targets | around), row-major over these missing variables; empty if the observed states are
    // impossible.
    std::vector<double> posterior(const MissingGroup& group, const Scope& targets);
    // The most probable states of the missing variables, in their order; empty if impossible.
    std::vector<std::uint32_t> completion(const MissingGroup& group);
    // Adds weight * P(family | around) to the counts of each family and returns log_sum.
    double add_expected_counts(const MissingGroup& group, std::vector<std::vector<double>>& counts);

  private:
    FactorSet enter(const MissingGroup& group);
    void leave(const MissingGroup& group);
    double add_by_propagation(const MissingGroup& group, std::vector<std::vector<double>>& counts);

    std::shared_ptr<const NetworkTables> network_;
    double max_cells_;
    std::vector<std::uint32_t> observed_;
    std::unique_ptr<Propagation> propagation_;  // made when a group is too large for one table
};

}  // namespace dagwright
