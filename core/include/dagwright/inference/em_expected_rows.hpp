// The missing cells of rows spread over their states by a network: the E-step for sets of any variables.
#pragma once
#include <memory>
#include <vector>

#include "dagwright/base/workers.hpp"
#include "dagwright/inference/completion.hpp"
#include "dagwright/statistics/spread.hpp"

namespace dagwright {

class ExpectedRows final : public Spread {
  public:
    // Column v of the rows is node v of the network. Distributions of groups with few cells are kept, those
    // of larger ones are summed out anew for every question; no table has more than max_cells cells. Throws
    // if the network makes a row impossible.
    ExpectedRows(std::shared_ptr<const NetworkTables> network, const Table& rows, double max_cells,
                 Workers& workers);

    std::size_t groups() const override { return grouped_.groups().size(); }
    std::span<const Var> missing(std::size_t group) const override {
        return grouped_.groups()[group].missing;
    }
    std::span<const std::uint32_t> groups_of(std::size_t row) const override {
        return grouped_.groups_of(row);
    }
    void marginal(std::size_t group, std::span<const Var> kept, std::vector<double>& out) const override;

  private:
    std::shared_ptr<const NetworkTables> network_;
    GroupedRows grouped_;
    double max_cells_;
    std::vector<std::vector<double>> joints_;  // row-major over the missing variables; empty for large groups
};

}  // namespace dagwright
