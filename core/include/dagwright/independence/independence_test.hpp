// Independence tests: every search that asks "is x independent of y given z?" asks one of these, in batches.
#pragma once
#include <limits>
#include <span>
#include <unordered_map>

#include "dagwright/base/control.hpp"
#include "dagwright/base/varset.hpp"

namespace dagwright {

// Is x independent of y given z? Disjoint sets.
struct Question {
    VarSet x, y, given;
};

// All variables of a question.
inline VarSet all_of(const Question& question) {
    return question.given.united(question.x).united(question.y);
}

// What limits an answer: a question without degrees of freedom, or one with too few rows for its cells, is
// answered "independent".
enum class Caveat : std::uint8_t { none, no_degrees_of_freedom, too_few_rows };

// An answer and what it rests on; NaN stands for what the test does not have.
struct Answer {
    static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

    bool independent = true;
    Caveat caveat = Caveat::none;
    double statistic = kNone;
    double df = kNone;
    double rows = 0.0;  // N of the rows that could answer
    // Only where facts are asked for:
    double log_p = kNone;   // logarithm of the p-value
    double effect = kNone;  // conditional mutual information, nats per row
    double gain = kNone;    // worth of an arc between x and y, in nats: positive exactly where dependent
};

// How much of an answer is wanted: the decision with its statistic, or all fields.
enum class Detail { decision, facts };

class IndependenceTest {
  public:
    virtual ~IndependenceTest() = default;
    virtual std::size_t variables() const = 0;
    // One answer for each question. Questions about the same x and z should stand next to each other: they
    // are then counted together.
    virtual void answer(std::span<const Question> questions, Detail detail, std::span<Answer> out,
                        Control& control) = 0;
    // Adds the facts to decisions that this test made on these questions.
    virtual void complete(std::span<const Question> questions, std::span<Answer> answers, Control& control) {
        answer(questions, Detail::facts, answers, control);
    }
};

// The decision by a p-value from the chi-squared distribution: independent if p > alpha.
class ChiSquaredRule {
  public:
    // rows_per_cell: a question with fewer rows than this for each of its cells is answered "independent";
    // 0 turns the rule off.
    ChiSquaredRule(double alpha, double rows_per_cell) : alpha_(alpha), rows_per_cell_(rows_per_cell) {}

    // Decides an answer that has its statistic, df and rows. `cells` counts the possible cells of the
    // question.
    template <class Cells>
    void decide(Answer& answer, Detail detail, const Cells& cells) {
        if (answer.df == 0.0)
            answer.caveat = Caveat::no_degrees_of_freedom;
        else if (rows_per_cell_ > 0.0 && rows_per_cell_ * cells() > answer.rows)
            answer.caveat = Caveat::too_few_rows;
        decide(answer, detail);
    }

    // Whether the statistic is so close to its critical value that rounding could matter.
    bool is_close(const Answer& answer);
    // Whether it is above its critical value, and not close to it.
    bool is_beyond(const Answer& answer);

  private:
    void decide(Answer& answer, Detail detail);
    double critical(double df);

    double alpha_, rows_per_cell_;
    std::unordered_map<double, double> critical_;  // by degrees of freedom
};

}  // namespace dagwright
