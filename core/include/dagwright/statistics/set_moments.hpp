// Moments of sets of variables: of all rows once, and of the rows on which some variables are known.
#pragma once
#include <map>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "dagwright/base/cholesky.hpp"
#include "dagwright/base/control.hpp"
#include "dagwright/statistics/moments.hpp"

namespace dagwright {

// The moments of some variables on some rows, and for each variable its columns that are not redundant: of
// numbers those that are not constant; of the states that occur all but the first. So a constant variable has
// no column, and tells nothing.
class VariableMoments {
  public:
    VariableMoments(MomentMatrix matrix, std::span<const MomentColumn> columns, std::size_t variables);

    const MomentMatrix& matrix() const noexcept { return matrix_; }
    double N() const noexcept { return matrix_.N(); }
    std::span<const std::uint32_t> columns(Var v) const { return columns_[v]; }
    void list(const VarSet& set, std::vector<std::uint32_t>& out) const;
    // The column of each member that has numbers, also where they are constant.
    void list_numbers(const VarSet& set, std::vector<std::uint32_t>& out) const;

  private:
    MomentMatrix matrix_;
    std::vector<std::vector<std::uint32_t>> columns_, numbers_;
};

class SetMoments {
  public:
    // Takes the moments of the complete variables, in one pass over the rows.
    SetMoments(std::shared_ptr<const MixedTable> table, Workers& workers);
    // Moments that are known already; the rows are not needed.
    SetMoments(MomentMatrix matrix, std::span<const MomentColumn> columns, std::size_t variables);
    // Those of `table`, whose variables are some of the variables of `other` on the same rows: variable i
    // there is order[i] here. Nothing is summed again.
    SetMoments(std::shared_ptr<const MixedTable> table, const SetMoments& other, std::span<const Var> order);

    std::size_t variables() const noexcept { return variables_; }
    double total() const noexcept { return total_; }
    bool complete() const noexcept { return !table_ || table_->complete(); }
    VarSet incomplete(const VarSet& set) const { return table_ ? table_->incomplete(set) : VarSet{}; }
    double total_known(const VarSet& observed) const;
    // The columns of a set that are not redundant on all rows.
    std::size_t width(Var v) const { return widths_[v]; }
    std::size_t width(const VarSet& set) const {
        std::size_t sum = 0;
        for (const Var v : set) sum += widths_[v];
        return sum;
    }
    // The columns of numbers of a variable, also constant ones.
    std::size_t numbers(Var v) const { return numbers_[v]; }
    // Those of all rows, for the complete variables.
    const VariableMoments& whole() const noexcept { return whole_; }

    // visit(moments, numbers of the sets): each set on the rows where its own members and those of `observed`
    // are known.
    template <class Visit>
    void for_each_selection(std::span<const VarSet> sets, const VarSet& observed, Control& control,
                            Visit&& visit) const {
        if (complete()) {
            std::vector<std::size_t> all(sets.size());
            std::iota(all.begin(), all.end(), std::size_t{0});
            if (!all.empty()) visit(whole_, std::span<const std::size_t>(all));
            return;
        }
        std::map<VarSet, std::vector<std::size_t>> by_rows;
        for (std::size_t i = 0; i < sets.size(); ++i)
            by_rows[incomplete(sets[i].united(observed))].push_back(i);
        for (const auto& [known, members] : by_rows) {
            if (known.empty()) {
                visit(whole_, std::span<const std::size_t>(members));
                continue;
            }
            VarSet asked;
            for (const std::size_t i : members) asked = asked.united(sets[i]);
            visit(on_rows(known, asked, control.workers()), std::span<const std::size_t>(members));
        }
    }

  private:
    MomentMatrix selected(std::span<const Var> order) const;
    void find_widths(std::span<const MomentColumn> columns);
    VariableMoments on_rows(const VarSet& known, const VarSet& asked, Workers& workers) const;

    std::shared_ptr<const MixedTable> table_;  // or null
    std::size_t variables_;
    std::vector<MomentColumn> columns_;
    VariableMoments whole_;
    double total_;
    std::vector<std::size_t> widths_, numbers_;
};

}  // namespace dagwright
