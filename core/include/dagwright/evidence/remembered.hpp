// A measure that is asked for each set only once.
#pragma once
#include <map>
#include <memory>
#include <mutex>

#include "dagwright/evidence/measure.hpp"
#include "dagwright/statistics/memo.hpp"
#include "dagwright/statistics/memo_entries.hpp"

namespace dagwright {

// The evidence of sets in a bounded memory. What was forgotten is asked for again. Of few variables, a table
// has a place for every set.
class RememberedMeasure final : public Measure {
  public:
    RememberedMeasure(std::shared_ptr<Measure> measure, std::size_t memo_bytes);

    std::size_t variables() const override { return measure_->variables(); }
    double total() const override { return measure_->total(); }
    void evidence(std::span<const VarSet> sets, const VarSet& observed, std::span<SetFit> out,
                  Control& control) override;
    double family_dim(Var child, const VarSet& parents, const SetFit& joint,
                      const SetFit& given) const override {
        return measure_->family_dim(child, parents, joint, given);
    }
    double interaction_dim(const VarSet& x, const VarSet& y, const VarSet& given, const SetFit& joint,
                           const SetFit& base, const SetFit& with_x, const SetFit& with_y) const override {
        return measure_->interaction_dim(x, y, given, joint, base, with_x, with_y);
    }
    VarSet incomplete(const VarSet& set) const override { return measure_->incomplete(set); }
    double total_known(const VarSet& observed) const override { return measure_->total_known(observed); }
    bool complete() const override { return measure_->complete(); }
    std::optional<Bounds> bounds() const override { return measure_->bounds(); }
    CountingMeasure* counting() override { return measure_->counting(); }
    bool tabulates() const override { return measure_->tabulates(); }
    std::shared_ptr<const SetTable> table_of_all_sets(Control& control) const override {
        return measure_->table_of_all_sets(control);
    }

    struct Statistics {
        std::uint64_t requested, computed;  // sets, and those of them that the measure was asked for
        std::size_t bytes;
    };
    Statistics statistics() const;

    // Everything remembered, for each set the fit and then dim, and back into a measure that was not asked
    // yet; std::invalid_argument for what cannot be entries of this measure.
    MemoEntries remembered() const;
    void remember(const MemoEntries& entries);

  private:
    void from_table(std::span<const VarSet> sets, std::span<SetFit> out, Control& control);

    std::shared_ptr<Measure> measure_;
    bool tabulated_ = false;
    std::vector<SetFit> table_;  // by the bits of the members; fit is NaN where it is not known yet
    mutable std::mutex mutex_;
    Memo memo_;  // fit under parameter 0, dim under parameter 1
    std::uint64_t requested_ = 0, computed_ = 0;
    std::map<VarSet, std::uint32_t> row_selections_;  // numbered for the keys of the memory
};

}  // namespace dagwright
