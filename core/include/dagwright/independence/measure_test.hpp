// Tests from the interaction of a measure, mu(x ; y | z), and a null distribution or another rule.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <variant>
#include <vector>

#include "dagwright/evidence/measure.hpp"
#include "dagwright/independence/gaussian_null.hpp"
#include "dagwright/independence/independence.hpp"
#include "dagwright/independence/independence_test.hpp"

namespace dagwright {

// 2 mu(x ; y | z).fit against chi-squared with mu(x ; y | z).dim degrees of freedom.
struct ChiSquaredNull {
    double alpha = 0.01;
    double rows_per_cell = 0.0;
};

// Dependent if the criterion gains: fit - lambda(N) dim + odds - arc_cost |x| |y| > 0.
struct SignNull {
    std::function<double(double)> lambda;  // nats per parameter, from N
    double odds = 0.0;                     // logarithm of the prior odds of dependence
    double arc_cost = 0.0;
    bool factor_as_statistic = false;  // report the gain without the odds as the statistic
};

// Dependent if the conditional mutual information is at least epsilon, in nats per row.
struct ThresholdNull {
    double epsilon = 0.0;
};

using Null = std::variant<ChiSquaredNull, SignNull, ThresholdNull, GaussianNull>;

class MeasureTest final : public IndependenceTest {
  public:
    // `cardinalities` may be empty where no rule counts cells.
    MeasureTest(std::shared_ptr<Measure> measure, Null null, std::vector<std::uint32_t> cardinalities = {});

    std::size_t variables() const override { return measure_->variables(); }
    void answer(std::span<const Question> questions, Detail detail, std::span<Answer> out,
                Control& control) override;
    void complete(std::span<const Question> questions, std::span<Answer> answers, Control& control) override;

  private:
    Answer decided(const Question& question, const SetFit& found, double rows, Detail detail);
    void decide_by_sign(const SignNull& null, const Question& question, const SetFit& found, Answer& answer,
                        Detail detail);
    double lambda(const SignNull& null, double rows);

    std::shared_ptr<Measure> measure_;
    Null null_;
    std::vector<std::uint32_t> cardinalities_;
    ChiSquaredRule rule_;
    SmallInteractions small_;
    std::map<double, double> lambda_;  // by N
    DecidedInteractions known_;
};

}  // namespace dagwright
