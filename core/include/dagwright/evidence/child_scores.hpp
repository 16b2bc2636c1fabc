// A score for each child: for data in which some rows were set by an experiment.
#pragma once
#include <memory>
#include <vector>

#include "dagwright/evidence/score.hpp"

namespace dagwright {

// Each family is scored by the score of its child, which knows only the rows where that child was not set
// (Cooper & Yoo 1999). Several children may share one score.
class ChildScores final : public LocalScore {
  public:
    // `of_child` names the score of each variable by its place in `scores`.
    ChildScores(std::vector<std::shared_ptr<LocalScore>> scores, std::vector<std::size_t> of_child);

    std::size_t variables() const override { return of_child_.size(); }
    // The largest of all.
    double tolerance() const override;
    void local(std::span<const Family> families, std::span<double> out, Control& control) override;
    double superset_bound(const Family& family) const override { return of(family).superset_bound(family); }
    double family_bound(const Family& family) const override { return of(family).family_bound(family); }
    void superset_bounds(std::span<const Family> families, std::span<double> out, Control& control) override;
    bool bounds_families() const override;
    bool bounded() const override;
    double penalty(const Family& family) const override { return of(family).penalty(family); }

  private:
    LocalScore& of(const Family& family) const { return *scores_[of_child_[family.child]]; }
    template <class Ask>
    void each_by_its_own(std::span<const Family> families, std::span<double> out, Ask&& ask);

    std::vector<std::shared_ptr<LocalScore>> scores_;
    std::vector<std::size_t> of_child_;
};

}  // namespace dagwright
