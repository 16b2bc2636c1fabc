#include "dagwright/independence/independence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dagwright/base/cholesky.hpp"
#include "dagwright/evidence/no_maximum.hpp"

namespace dagwright {

namespace {

constexpr SetFit kUnknown{std::numeric_limits<double>::quiet_NaN(), 0.0};

VarSet united(const VarSet& set, const VarSet& more) {
    return more.size() == 1 ? set.with(more[0]) : set.united(more);
}

// Where x or y is determined by z, or there are no more rows than columns, there is nothing to test. Where x
// and y determine each other given z, all that is known is that they leave less than kCollinear of their
// variances.
SetFit interaction(const Measure& measure, const Question& question, const VarSet& observed,
                   const SetFit& joint, const SetFit& base, const SetFit& with_x, const SetFit& with_y) {
    if (!std::isfinite(base.fit) || !std::isfinite(with_x.fit) || !std::isfinite(with_y.fit) ||
        joint.fit == kTooFewRows)
        return {0.0, 0.0};
    const double fit = joint.fit == kUnbounded ? -0.5 * measure.total_known(observed) * std::log(kCollinear)
                                               : (joint.fit + base.fit) - (with_x.fit + with_y.fit);
    return {fit,
            measure.interaction_dim(question.x, question.y, question.given, joint, base, with_x, with_y)};
}

}  // namespace

std::vector<SetFit> interactions(Measure& measure, std::span<const Question> questions,
                                 const VarSet& observed, Control& control) {
    // Joint sets first and in the order of the questions, so that those of one x stand together.
    const std::size_t n = questions.size();
    std::vector<VarSet> sets(4 * n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto& [x, y, given] = questions[i];
        sets[n + i] = united(given, x);
        sets[2 * n + i] = united(given, y);
        sets[3 * n + i] = given;
        sets[i] = united(sets[n + i], y);
    }
    std::vector<SetFit> found(sets.size());
    measure.evidence(sets, observed, found, control);
    for (std::size_t i = 0; i < n; ++i)
        found[i] = interaction(measure, questions[i], observed, found[i], found[3 * n + i], found[n + i],
                               found[2 * n + i]);
    found.resize(n);
    return found;
}

SetFit& SmallInteractions::pair(std::size_t a, std::size_t b) {
    if (a > b) std::swap(a, b);
    return pair_[a * (2 * measure_.variables() - a - 1) / 2 + (b - a - 1)];
}

bool SmallInteractions::is_small(std::span<const Question> questions) const {
    return measure_.variables() <= kMostVariables &&
           std::all_of(questions.begin(), questions.end(), [](const Question& question) {
               return question.x.size() == 1 && question.y.size() == 1 && question.given.size() < 2;
           });
}

std::vector<SetFit> SmallInteractions::interactions(std::span<const Question> questions, Control& control) {
    if (!is_small(questions)) return dagwright::interactions(measure_, questions, VarSet{}, control);
    if (single_.empty()) {
        const std::size_t n = measure_.variables();
        empty_ = kUnknown;
        single_.assign(n, kUnknown);
        pair_.assign(n * (n - std::min<std::size_t>(n, 1)) / 2, kUnknown);
    }
    const std::size_t n = questions.size();
    std::vector<VarSet> sets;
    std::vector<SetFit*> unknown;
    sets.reserve(n + single_.size());
    for (const auto& [x, y, given] : questions) sets.push_back(given.with(x[0]).with(y[0]));
    const auto need = [&](SetFit& evidence, std::initializer_list<Var> set) {
        if (!std::isnan(evidence.fit)) return;
        evidence.fit = 0.0;  // is on its way
        unknown.push_back(&evidence);
        sets.push_back(VarSet::of(set));
    };
    for (const auto& [x, y, given] : questions) {
        if (given.empty()) {
            need(empty_, {});
            need(single(x[0]), {Var{x[0]}});
            need(single(y[0]), {Var{y[0]}});
        } else {
            need(single(given[0]), {Var{given[0]}});
            need(pair(x[0], given[0]), {Var{x[0]}, Var{given[0]}});
            need(pair(y[0], given[0]), {Var{y[0]}, Var{given[0]}});
        }
    }
    std::vector<SetFit> found(sets.size());
    try {
        measure_.evidence(sets, VarSet{}, found, control);
    } catch (...) {
        for (SetFit* evidence : unknown) *evidence = kUnknown;
        throw;
    }
    for (std::size_t k = 0; k < unknown.size(); ++k) *unknown[k] = found[n + k];
    for (std::size_t i = 0; i < n; ++i) {
        const auto& [x, y, given] = questions[i];
        if (given.empty()) {
            pair(x[0], y[0]) = found[i];
            found[i] = interaction(measure_, questions[i], {}, found[i], empty_, single(x[0]), single(y[0]));
        } else {
            const Var z = given[0];
            found[i] =
                interaction(measure_, questions[i], {}, found[i], single(z), pair(x[0], z), pair(y[0], z));
        }
    }
    found.resize(n);
    return found;
}

}  // namespace dagwright
