#include "dagwright/evidence/gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "gaussian_fit.hpp"

namespace dagwright {

namespace {

// T makes every matrix positive definite; what is left of a variance must only be more than rounding.
constexpr double kRounding = 1e-14;

constexpr std::size_t kSetsOfTask = 512;  // sets that a thread takes at a time: a fraction of 1 ms

// compute(scratch, i) for the sets with these numbers, on all threads, each of which has its own scratch.
template <class Scratch, class Compute>
void for_each_set(const Scratch& empty, std::span<const std::size_t> numbers, Control& control,
                  Compute&& compute) {
    Workers& workers = control.workers();
    std::vector<Scratch> scratch(workers.threads(), empty);
    const std::size_t tasks = (numbers.size() + kSetsOfTask - 1) / kSetsOfTask;
    const auto run = [&](std::size_t task, unsigned worker) {
        const std::size_t end = std::min(numbers.size(), (task + 1) * kSetsOfTask);
        for (std::size_t i = task * kSetsOfTask; i < end; ++i) compute(scratch[worker], numbers[i]);
    };
    if (tasks == 1)
        run(0, 0);
    else
        workers.run(tasks, run);
}

}  // namespace

GaussianMeasure::GaussianMeasure(std::shared_ptr<const SetMoments> moments) : moments_(std::move(moments)) {}

void GaussianMeasure::evidence(std::span<const VarSet> sets, const VarSet& observed, std::span<SetFit> out,
                               Control& control) {
    moments_->for_each_selection(
        sets, observed, control, [&](const VariableMoments& moments, std::span<const std::size_t> numbers) {
            for_each_set(GaussianScratch{}, numbers, control, [&](GaussianScratch& scratch, std::size_t i) {
                out[i] = gaussian_fit(moments, sets[i], scratch);
            });
        });
}

double GaussianMeasure::family_dim(Var child, const VarSet& parents, const SetFit&, const SetFit&) const {
    const auto d = static_cast<double>(moments_->width(child));
    return d * (d + 3.0) / 2.0 + d * static_cast<double>(moments_->width(parents));
}

std::vector<double> GaussianMeasure::columns() const {
    std::vector<double> widths;
    for (Var v = 0; v < variables(); ++v) widths.push_back(static_cast<double>(moments_->width(v)));
    return widths;
}

BGeMeasure::BGeMeasure(std::shared_ptr<const SetMoments> moments, BGePrior prior)
    : moments_(std::move(moments)), prior_(std::move(prior)) {
    const std::size_t n = variables();
    if (!(prior_.alpha_mu > 0.0) || std::isinf(prior_.alpha_mu))
        throw Error("alpha_mu must be positive, got " + std::to_string(prior_.alpha_mu));
    if (!(prior_.alpha_w > static_cast<double>(n) + 1.0) || std::isinf(prior_.alpha_w))
        throw Error("alpha_w must be more than the number of variables plus 1, " + std::to_string(n + 1) +
                    ", got " + std::to_string(prior_.alpha_w));
    if (prior_.mean.size() != n || prior_.scale.size() != n)
        throw Error("the prior of BGe needs a mean and a scale for each variable");
    for (Var v = 0; v < n; ++v) {
        if (moments_->numbers(v) != 1)
            throw Error("BGe takes continuous variables with one column each; variable " + std::to_string(v) +
                        " is not");
        if (!(prior_.scale[v] > 0.0) || std::isinf(prior_.scale[v]) || !std::isfinite(prior_.mean[v]))
            throw Error("the prior scale of BGe must be positive; that of variable " + std::to_string(v) +
                        " is " + std::to_string(prior_.scale[v]) + " (leave constant columns out)");
    }
    whole_constants_ = constants(total());
}

std::vector<double> BGeMeasure::constants(double N) const {
    constexpr double log_pi = 1.14472988584940017414;
    const double spare = prior_.alpha_w - static_cast<double>(variables());
    std::vector<double> sums{0.0};
    for (std::size_t l = 1; l <= variables(); ++l)
        sums.push_back(sums.back() + 0.5 * std::log(prior_.alpha_mu / (N + prior_.alpha_mu)) -
                       0.5 * N * log_pi + log_rising((spare + static_cast<double>(l)) / 2.0, N / 2.0));
    return sums;
}

BGeMeasure::PosteriorMatrix::PosteriorMatrix(const BGeMeasure& measure, const VariableMoments& moments)
    : measure_(measure),
      moments_(moments),
      pull_(moments.N() * measure.prior_.alpha_mu / (moments.N() + measure.prior_.alpha_mu)) {}

void BGeMeasure::PosteriorMatrix::list(const VarSet& set) {
    const MomentMatrix& matrix = moments_.matrix();
    moments_.list_numbers(set, columns_);
    scale_.resize(columns_.size());
    offset_.resize(columns_.size());
    exponent_ = 0;
    for (std::size_t a = 0; a < columns_.size(); ++a) {
        const int exponent = matrix.exponent(columns_[a]);
        scale_[a] = std::ldexp(measure_.prior_.scale[set[a]], 2 * exponent);
        offset_[a] = std::ldexp(matrix.mean(columns_[a]) - measure_.prior_.mean[set[a]], exponent);
        exponent_ += 2 * exponent;
    }
}

void BGeMeasure::evidence(std::span<const VarSet> sets, const VarSet& observed, std::span<SetFit> out,
                          Control& control) {
    const auto select = [&](const VariableMoments& moments, std::span<const std::size_t> numbers) {
        const double N = moments.N();
        const std::vector<double> own = N == total() ? std::vector<double>{} : constants(N);
        const std::vector<double>& constant = own.empty() ? whole_constants_ : own;
        struct Scratch {
            Cholesky cholesky;
            PosteriorMatrix matrix;
        };
        for_each_set<Scratch>(
            {{}, PosteriorMatrix(*this, moments)}, numbers, control, [&](Scratch& scratch, std::size_t i) {
                const std::size_t l = sets[i].size();
                PosteriorMatrix& matrix = scratch.matrix;
                matrix.list(sets[i]);
                scratch.cholesky.resize(l);
                LogDeterminant prior;
                for (std::size_t a = 0; a < l; ++a) {
                    prior.multiply(matrix.prior_scale(a));
                    for (std::size_t b = 0; b <= a; ++b) scratch.cholesky.at(a, b) = matrix.at(a, b);
                }
                if (scratch.cholesky.factor(kRounding) < l) {
                    out[i] = {kUnbounded, 0.0};
                    return;
                }
                LogDeterminant posterior = scratch.cholesky.log_determinant();
                // In the units of the data.
                prior.exponent -= matrix.exponent();
                posterior.exponent -= matrix.exponent();
                const double spare =
                    prior_.alpha_w - static_cast<double>(variables()) + static_cast<double>(l);
                out[i] = {constant[l] + 0.5 * spare * prior.value() - 0.5 * (N + spare) * posterior.value(),
                          0.0};
            });
    };
    moments_->for_each_selection(sets, observed, control, select);
}

}  // namespace dagwright
