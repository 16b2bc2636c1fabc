// What is done at once for many variables gives the bits of what is done one by one.
#include "check.hpp"
#include "dagwright/evidence/parent_counts.hpp"
#include "dagwright/search/boss.hpp"
#include "dagwright/search/hill_climb.hpp"
#include "sample_table.hpp"

using namespace dagwright;

namespace {

constexpr std::uint32_t kColumns = 1010;

sample::Sample many_columns(unsigned seed, std::size_t rows) {
    std::vector<std::uint32_t> states;
    for (std::uint32_t k = 0; k < kColumns; ++k) states.push_back(k % 97 == 5 ? 7 : 1 + (k % 5 + k % 3) % 5);
    return sample::draw(seed, {rows, states, false, {}});
}

// Scores families one by one.
class OneByOne final : public LocalScore {
  public:
    explicit OneByOne(LocalScore& score) : score_(score) {}
    std::size_t variables() const override { return score_.variables(); }
    double tolerance() const override { return score_.tolerance(); }
    void local(std::span<const Family> families, std::span<double> out, Control& control) override {
        score_.local(families, out, control);
    }

  private:
    LocalScore& score_;
};

std::shared_ptr<CriterionScore> scored(const sample::Sample& sample, CountingMeasure::Kind kind,
                                       double lambda = 0.0) {
    const auto sums = std::make_shared<CellSums>(sample.table, std::size_t{1} << 24);
    return std::make_shared<CriterionScore>(std::make_shared<CountingMeasure>(sums, kind, 2.0), lambda);
}

}  // namespace

TEST("many additions at once score what each scores alone, to the last bit") {
    const sample::Sample sample = many_columns(1, 900);
    for (const CountingMeasure::Kind kind :
         {CountingMeasure::Kind::multinomial, CountingMeasure::Kind::dirichlet, CountingMeasure::Kind::nml}) {
        std::vector<double> by_count(kColumns, -1.5);
        by_count[0] = 0.0;
        ParentCountScore score(scored(sample, kind, kind == CountingMeasure::Kind::multinomial ? 3.4 : 0.0),
                               by_count);
        CHECK(score.adds_at_once());
        for (const VarSet& parents : {VarSet{}, VarSet::of({7}), VarSet::of({3, 500, 1001}),
                                      VarSet::of({2, 5, 12, 13, 14, 102, 800, 900})}) {
            std::vector<Var> added;
            for (Var v = 0; v < kColumns; ++v)
                if (v != 40 && !parents.contains(v) && v % 11 != 3) added.push_back(v);
            for (const unsigned threads : {1U, 3U}) {
                Control control(threads);
                std::vector<double> at_once(added.size()), alone(added.size());
                score.additions(40, parents, added, at_once, control);
                OneByOne(score).additions(40, parents, added, alone, control);
                CHECK(at_once == alone);
            }
        }
    }
}

TEST("searches among many variables take the steps that they take one by one") {
    const sample::Sample sample = many_columns(2, 250);
    const std::shared_ptr<CriterionScore> score = scored(sample, CountingMeasure::Kind::multinomial, 2.8);
    OneByOne alone(*score);
    const Knowledge nothing(kColumns);
    const std::vector<VarSet> empty(kColumns);
    Control control;
    ClimbPlan plan;
    plan.max_parents = 2;
    const DagFound climbed = hill_climb(*score, nothing, empty, plan, control);
    const DagFound slowly = hill_climb(alone, nothing, empty, plan, control);
    CHECK(climbed.parents == slowly.parents && climbed.score == slowly.score);
    CHECK(climbed.evaluations == slowly.evaluations && climbed.trace.size() == slowly.trace.size());

    BossPlan order;
    order.max_parents = 2;
    order.candidates = 10;
    const BossFound ordered = boss(*score, nothing, climbed.parents, order, control);
    const BossFound in_turn = boss(alone, nothing, climbed.parents, order, control);
    CHECK(ordered.parents == in_turn.parents && ordered.evaluations == in_turn.evaluations);
    CHECK(ordered.score >= climbed.score - score->tolerance());
}
