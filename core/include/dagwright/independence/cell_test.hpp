// Tests that are not differences of set functions and work from the cells of x, y and z themselves.
#pragma once
#include <memory>
#include <vector>

#include "dagwright/evidence/measure.hpp"
#include "dagwright/independence/independence.hpp"
#include "dagwright/independence/independence_test.hpp"

namespace dagwright {

// Against chi-squared, with E = n_xz n_yz / n_z:
//   pearson           X2 = sum (n - E)^2 / E                                           Pearson 1900
//   likelihood_ratio  G2 = 2 mu(x ; y | z).fit
// Degrees of freedom (r_x - 1)(r_y - 1) q_z; adjusted: in each stratum of z only the states seen there count.
class CellTest final : public IndependenceTest {
  public:
    enum class Statistic { pearson, likelihood_ratio };

    // The measure must be the multinomial one.
    CellTest(std::shared_ptr<CountingMeasure> measure, Statistic statistic, bool adjusted, double alpha,
             double rows_per_cell);

    std::size_t variables() const override { return measure_->variables(); }
    void answer(std::span<const Question> questions, Detail detail, std::span<Answer> out,
                Control& control) override;

  private:
    struct Group;

    std::vector<Group> grouped(std::span<const Question> questions) const;
    // `exact`: Pearson's statistic to the last digit, not only as far as a decision needs it.
    void count(std::span<const Question> questions, std::span<Answer> out, bool exact, Control& control);

    // Counts where the decision is open. Answers come with all degrees of freedom and with a statistic that
    // is not above the true one, so one beyond its critical value is decided: adjusted degrees of freedom are
    // never more, and X2 >= N (exp(G2 / 2N) - 1), stratum by stratum and so together (Gibbs & Su 2002).
    void count_undecided(std::span<const Question> questions, std::span<Answer> out, Control& control);
    std::vector<double> fits(std::span<const Question> questions, Control& control);

    std::shared_ptr<CountingMeasure> measure_;
    Statistic statistic_;
    bool adjusted_;
    ChiSquaredRule rule_;
    SmallInteractions small_;
};

}  // namespace dagwright
