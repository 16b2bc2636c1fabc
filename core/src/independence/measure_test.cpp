#include "dagwright/independence/measure_test.hpp"

#include <algorithm>
#include <cmath>

#include "dagwright/base/special.hpp"
#include "dagwright/evidence/score.hpp"

namespace dagwright {

namespace {

ChiSquaredRule rule_of(const Null& null) {
    const auto* chi_squared = std::get_if<ChiSquaredNull>(&null);
    return chi_squared ? ChiSquaredRule(chi_squared->alpha, chi_squared->rows_per_cell)
                       : ChiSquaredRule(0.5, 0.0);
}

}  // namespace

MeasureTest::MeasureTest(std::shared_ptr<Measure> measure, Null null,
                         std::vector<std::uint32_t> cardinalities)
    : measure_(std::move(measure)),
      null_(std::move(null)),
      cardinalities_(std::move(cardinalities)),
      rule_(rule_of(null_)),
      small_(*measure_) {}

void MeasureTest::answer(std::span<const Question> questions, Detail detail, std::span<Answer> out,
                         Control& control) {
    // Each question is counted on the rows where its incomplete columns are known.
    std::map<VarSet, std::vector<std::size_t>> by_rows;
    for (std::size_t i = 0; i < questions.size() && !measure_->complete(); ++i) {
        VarSet observed = measure_->incomplete(all_of(questions[i]));
        if (!observed.empty()) by_rows[std::move(observed)].push_back(i);
    }
    if (by_rows.empty()) {
        const std::vector<SetFit> found = small_.interactions(questions, control);
        for (std::size_t i = 0; i < questions.size(); ++i)
            out[i] = decided(questions[i], found[i], measure_->total(), detail);
        return;
    }
    std::vector<bool> done(questions.size(), false);
    const auto ask = [&](const std::vector<std::size_t>& members, const VarSet& observed) {
        std::vector<Question> asked;
        for (const std::size_t i : members) asked.push_back(questions[i]);
        const std::vector<SetFit> found = interactions(*measure_, asked, observed, control);
        const double rows = measure_->total_known(observed);
        for (std::size_t k = 0; k < members.size(); ++k) {
            out[members[k]] = decided(asked[k], found[k], rows, detail);
            done[members[k]] = true;
        }
    };
    for (const auto& [observed, members] : by_rows) ask(members, observed);
    std::vector<std::size_t> whole;
    for (std::size_t i = 0; i < questions.size(); ++i)
        if (!done[i]) whole.push_back(i);
    if (!whole.empty()) ask(whole, {});
}

void MeasureTest::complete(std::span<const Question> questions, std::span<Answer> answers, Control& control) {
    if (std::holds_alternative<SignNull>(null_) || std::holds_alternative<GaussianNull>(null_))
        return answer(questions, Detail::facts, answers, control);
    for (std::size_t i = 0; i < questions.size(); ++i)
        answers[i] = decided(questions[i], {answers[i].statistic / 2.0, answers[i].df}, answers[i].rows,
                             Detail::facts);
}

Answer MeasureTest::decided(const Question& question, const SetFit& found, double rows, Detail detail) {
    Answer answer;
    answer.rows = rows;
    answer.df = found.dim;
    answer.statistic = 2.0 * std::max(found.fit, 0.0);
    if (detail == Detail::facts) answer.effect = rows > 0.0 ? answer.statistic / (2.0 * rows) : 0.0;
    if (const auto* sign = std::get_if<SignNull>(&null_)) {
        decide_by_sign(*sign, question, found, answer, detail);
    } else if (const auto* threshold = std::get_if<ThresholdNull>(&null_)) {
        const double information = rows > 0.0 ? answer.statistic / (2.0 * rows) : 0.0;
        answer.independent = information < threshold->epsilon || answer.df == 0.0;
        const double gain = rows * (information - threshold->epsilon);
        answer.gain = answer.independent ? std::min(gain, 0.0)
                                         : std::max(gain, std::numeric_limits<double>::denorm_min());
    } else if (const auto* gaussian = std::get_if<GaussianNull>(&null_)) {
        decide(*gaussian, question, found, answer, detail, known_);
    } else {
        rule_.decide(answer, detail, [&] { return cell_count(cardinalities_, all_of(question)); });
    }
    return answer;
}

double MeasureTest::lambda(const SignNull& null, double rows) {
    const auto [at, fresh] = lambda_.try_emplace(rows, 0.0);
    if (fresh) at->second = null.lambda(rows);
    return at->second;
}

void MeasureTest::decide_by_sign(const SignNull& null, const Question& question, const SetFit& found,
                                 Answer& answer, Detail detail) {
    const double tolerance = score_tolerance(measure_->total());
    const auto signed_gain = [&](double gain) { return std::abs(gain) <= tolerance ? 0.0 : gain; };
    double gain = found.fit;
    if (found.dim != 0.0) {
        const double each = lambda(null, answer.rows);
        gain = std::max(found.fit, 0.0) - (each > 0.0 ? each * found.dim : 0.0);  // dim may be infinite
        if (detail == Detail::facts) answer.log_p = log_chi2_sf(answer.statistic, answer.df);
    } else {
        answer.statistic = answer.df = answer.effect = Answer::kNone;
    }
    gain = signed_gain(gain);
    if (null.factor_as_statistic) answer.statistic = gain;
    const double pairs = static_cast<double>(question.x.size() * question.y.size());
    answer.gain = signed_gain(gain - null.arc_cost * pairs + null.odds);
    answer.independent = answer.gain <= 0.0;
}

}  // namespace dagwright
