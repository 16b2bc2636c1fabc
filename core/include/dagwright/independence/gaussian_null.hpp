// Null distributions of partial correlations, also between blocks of columns.
#pragma once
#include <array>
#include <limits>
#include <map>
#include <vector>

#include "dagwright/evidence/measure.hpp"
#include "dagwright/independence/independence_test.hpp"

namespace dagwright {

// With p columns of x, q of y and d of z, 2 fit = -N log Lambda, Lambda Wilks' statistic. With p = q = 1
// Lambda = 1 - r^2, r the partial correlation.
//   student_t  p = q = 1: t = r sqrt(df/(1 - r^2)), df = N - d - 2, exact for normal data. Blocks: Rao's F
//              (Rao 1951), which is t^2 for p = q = 1; its first degrees of freedom are pq.
//   fisher_z   p = q = 1: z = artanh(r) sqrt(N - d - 3), df = N - d - 3. Blocks: Bartlett's corrected
//              likelihood ratio, chi-squared with pq degrees of freedom (Bartlett 1938).
struct GaussianNull {
    enum class Kind { student_t, fisher_z };

    double alpha = 0.01;
    Kind kind = Kind::student_t;
    std::vector<double> columns;  // of each variable
};

// Decisions made so far. The p-value falls as the interaction grows: between questions with the same p, q, d
// and N, a smaller one than one that was independent is independent too, and likewise for dependent ones.
// Most decisions of a search follow without a p-value.
class DecidedInteractions {
  public:
    struct Bounds {
        double independent = -1.0;  // the largest interaction that was found independent
        double dependent = std::numeric_limits<double>::infinity();  // the smallest that was not
    };
    using Form = std::array<double, 4>;  // p, q, d, N

    DecidedInteractions() = default;
    DecidedInteractions(const DecidedInteractions&) = delete;
    DecidedInteractions& operator=(const DecidedInteractions&) = delete;

    Bounds& of(const Form& form) {
        if (last_ == bounds_.end() || last_->first != form) last_ = bounds_.try_emplace(form).first;
        return last_->second;
    }

  private:
    std::map<Form, Bounds> bounds_;
    std::map<Form, Bounds>::iterator last_ = bounds_.end();
};

// Decides an answer that has its rows, from mu(x ; y | z) of a Gaussian measure. The statistic is |t|, |z|, F
// or chi-squared; the gain is log alpha - log p. A decision alone may lack them.
void decide(const GaussianNull& null, const Question& question, const SetFit& found, Answer& answer,
            Detail detail, DecidedInteractions& known);

}  // namespace dagwright
